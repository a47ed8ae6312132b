"""A small store: two slots of one source, the first one revised once."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from benchwright.schemas.base import Record, content_hash, item_id, source_id
from benchwright.schemas.clip import Clip, ClipRef, Excerpt, TranscriptLine
from benchwright.schemas.grounding import Event, Evidence, GroundedClaim, Recipe, SeenCue, Trace
from benchwright.schemas.item import (
    Brief,
    Candidate,
    Cited,
    Coordinate,
    Cues,
    Draft,
    DraftOption,
    Item,
    Option,
    Plan,
    Reference,
    Slot,
)
from benchwright.schemas.review import Planted, ReviewEntry, Work
from benchwright.schemas.source import Footage, LexiconEntry, Source
from benchwright.schemas.story import Entity
from benchwright.schemas.view import Adjudication, Answer, Feedback, Verdict
from benchwright.state.store import NodeKey, Store
from benchwright.state.tables import lexicon_key, source_key

SEED = 7
STORY = "sha256:" + "ab" * 32
Rows = list[tuple[NodeKey, tuple[Record, ...]]]


class Samples(NamedTuple):
    """Makers of valid records. `mark` goes into every secret text."""

    seed: int
    source_id: str
    project: Callable[[], Rows]
    slot: Callable[..., Rows]
    """(slot_id, round=0, mark="") -> what every node of one round puts, in order."""


def project() -> Rows:
    source = source_id(SEED, STORY)
    return [
        (
            source_key(source),
            (
                Source(
                    source_id=source, kind="story", sha256=STORY, path="harbour.ink.json", title="Harbour", format="ink"
                ),
                Footage(duration=61.5, audio=True, subtitles="harbour.srt", story=source),
            ),
        ),
        *(
            (lexicon_key(n), (LexiconEntry(number=n, entity=Entity(names=(name,), placeholder=to), origin="author"),))
            for n, (name, to) in enumerate([("Ivo", "Alpha"), ("Marta", "Beta")])
        ),
        *watched(),
    ]


def watched() -> Rows:
    """What stands of a slot that no code derives, beside what other slots have as well."""
    seen = SeenCue(line=1, kind="verbal", person="Alpha", text="asks where Beta was")
    candidate = Candidate(
        question="Whom does Alpha ask?",
        format="single",
        options=("Beta", "Gamma"),
        answer=("Beta",),
        traps={"Gamma": "none"},
        cues=(Cited(line="1", quote="where were you"),),
        rationale="line 1 says so",
    )
    return [
        (NodeKey("w/grounding/conflict/1", "tracker", 0), (Brief(format="single"), Cues(cues=(seen,)))),
        (NodeKey("w/grounding/conflict/1", "question", 0), (candidate,)),
    ]


def planted() -> Rows:
    """An item with a known defect, among those for review."""
    public = {
        "item_id": "i0123456789ab",
        "capability": "grounding",
        "interaction": "conflict",
        "format": "single",
        "clip": ClipRef(media="media/c1.json", start=0, end=2, unit="lines"),
        "background": "Alpha waits.",
        "transcript": (TranscriptLine(text="Alpha waits for Beta."),),
        "question": "Whom does Alpha await?",
        "options": (Option(id="o1", text="Beta"), Option(id="o2", text="Gamma")),
        "public_hash": "sha256:" + "00" * 32,
    }
    secret = {"answer": ("o2",), "answer_text": "Gamma", "item_hash": "sha256:" + "11" * 32}
    made = Planted(**public, **secret, defect="wrong key", origin="w/grounding/conflict/1")
    return [(NodeKey("planted/defect/0", "plant", 0), (made,))]


def recipe(mark: str = "") -> Recipe:
    events = {f"o{n}": Event(kind="line", match=(f"real line {n}{mark}",)) for n in (1, 2, 3)}
    return Recipe(
        claim="counterfactual",
        story_sha256=STORY,
        play=(0, 1),
        taken=0,
        others=(1,),
        window=2,
        target=None,
        events=events,
    )


def slot(slot_id: str, round: int = 0, mark: str = "") -> Rows:
    source = source_id(SEED, STORY)
    capability, interaction = slot_id.split("/")[1:3]
    identity = item_id(SEED, slot_id)
    wording = f" (wording {round})" if round else ""
    public = {
        "item_id": identity,
        "capability": capability,
        "interaction": interaction,
        "clip": ClipRef(media="media/c1.json", start=0, end=2, unit="lines"),
        "background": "Alpha waits for Beta.",
        "question": f"What would have followed if Alpha had spoken?{wording}",
        "options": tuple(Option(id=f"o{n}", text=f"Beta does thing {n}.") for n in (1, 2, 3)),
    }
    evidence = Evidence(kind="play", place="0,1", source_sha256=STORY)
    first: Rows = [
        (
            NodeKey(slot_id, "slot", 0),
            (
                Slot(
                    slot_id=slot_id,
                    number=1,
                    source_id=source,
                    coordinate=Coordinate(capability=capability, interaction=interaction),
                    ordinal=1,
                ),
            ),
        ),
        (
            NodeKey(slot_id, "director", 0),
            (Plan(claim="counterfactual", play=(0, 1), taken=0, first=0, location="loc" + mark, protagonist="Ivo"),),
        ),
        (
            NodeKey(slot_id, "tracker", 0),
            (
                Trace(
                    claims=(GroundedClaim(text="Ivo chose" + mark, evidence=(evidence,)),),
                    signals={"trust": 0.5},
                    tier="B",
                ),
                Excerpt(
                    lines=(TranscriptLine(text="Ivo waits." + mark),),
                    background="Ivo",
                    play=(0, 1),
                    first=0,
                    spans=("a",),
                ),
            ),
        ),
    ]
    draft = Draft(
        question=f"What if Ivo had spoken?{wording}{mark}",
        frame={"who": "Ivo"},
        wording=round,
        options=tuple(
            DraftOption(text=f"Marta does thing {n}.", event=recipe(mark).events[f"o{n}"]) for n in (1, 2, 3)
        ),
        others=(1,),
        window=2,
        answer="Marta does thing 2." + mark,
        traps={"Marta does thing 1.": "logic"},
        rationale="because" + mark,
    )
    item = Item(
        **public,
        public_hash=content_hash(public),
        recipe=recipe(mark),
        answer=("o2" + mark,),
        traps={"o1": "logic"},
        rationale="because" + mark,
    )
    clip = Clip(
        clip_id="c1",
        source_id=source,
        ref=public["clip"],
        background="Alpha waits.",
        transcript=(TranscriptLine(text="Alpha waits for Beta."),),
    )
    answer = Answer(ids=("o1" + mark,), status="answered", shown=("o1", "o2", "o3"))
    hashed = {"item_hash": "sha256:" + "00" * 32}
    verdict = Verdict(
        decision="revise",
        answerability="answerable",
        cue_support=True,
        coherence=True,
        alignment=True,
        agreement=False,
        defect="proposal",
        code="unclear" + mark,
        message="the verdict" + mark,
    )
    reference = Reference(
        answer=("o2",),
        answer_text="Beta does thing 2." + mark,
        traps={"o1": "logic"},
        cues=("cue" + mark,),
        tier="B",
        status="answerable",
        episode="e1",
        story=source,
        **hashed,
    )
    vote = ReviewEntry(
        task="t1",
        mode="verification",
        reviewer="r1",
        action="submit",
        stage="done",
        work=Work(note="fine" + mark),
        **hashed,
    )
    return [
        *(first if round == 0 else []),
        (NodeKey(slot_id, "question" if round else "generator", round), (draft,)),
        (NodeKey(slot_id, "anonymise", round), (clip, item)),
        *((NodeKey(slot_id, "answer", round, run), (answer,)) for run in range(3)),
        (NodeKey(slot_id, "adjudicator", round), (Adjudication(true=("o2",), proof="proved" + mark),)),
        (NodeKey(slot_id, "critic", round), (verdict, Feedback(code="unclear" + mark, message=f"round {round}{mark}"))),
        (NodeKey(slot_id, "accept", round), (reference,)),
        (NodeKey(slot_id, "verification/r1", round), (vote,)),
    ]


@pytest.fixture(scope="session")
def samples() -> Samples:
    return Samples(SEED, source_id(SEED, STORY), project, slot)


async def put_all(store: Store, rows: Rows) -> None:
    await asyncio.gather(*(store.put(key, *records) for key, records in rows))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite", seed=SEED) as opened:
        yield opened


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, samples: Samples) -> Iterator[Store]:
    """Read-only by agreement. Two slots; the first has two rounds."""
    first, second = (f"{samples.source_id}/counterfactual/conflict/{n}" for n in (1, 2))
    rows = (
        samples.project()
        + samples.slot(first, mark=" SECRET")
        + samples.slot(first, 1, " SECRET")
        + samples.slot(second)
    )
    with Store.open(tmp_path_factory.mktemp("filled") / "store.sqlite", seed=SEED) as opened:
        asyncio.run(put_all(opened, rows))
        yield opened
