"""Pairs of worlds that show the same and hide different things, published, stored and read back as a build does it."""

import asyncio
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import sqlalchemy as sa
from benchwright.agents.answer import ModelAnswering, asking
from benchwright.anonymize.replace import Anonymizer
from benchwright.errors import BenchwrightError
from benchwright.evaluation.conditions import CONDITIONS
from benchwright.evaluation.prompt import ask, template
from benchwright.graph.public import Publisher
from benchwright.llm.gateway import Gateway
from benchwright.llm.scripted import ScriptedClient
from benchwright.project.folder import Project
from benchwright.schemas.base import Record, canonical, content_hash, fields_of, sha256
from benchwright.schemas.clip import Clip, Excerpt, TranscriptLine, VideoSpan
from benchwright.schemas.grounding import Event, Evidence, GroundedClaim, Recorded, Trace
from benchwright.schemas.item import Coordinate, Draft, DraftOption, Item, Plan, Reference, Slot
from benchwright.schemas.release import ModelInput
from benchwright.schemas.review import ReviewEntry, Work
from benchwright.schemas.source import Footage, LexiconEntry, Source
from benchwright.schemas.story import Entity
from benchwright.schemas.view import Adjudication, Answer, AnswerView, Feedback, Verdict
from benchwright.state.guard import Guard, readable
from benchwright.state.ledger import StoreLedger
from benchwright.state.store import NodeKey, Store
from benchwright.state.tables import RECORD_TABLES, lexicon_key, source_key

from .hut import SEED

PEOPLE = {"Alpha": ("Otto", "Mirko"), "Beta": ("Lene", "Tilda"), "Gamma": ("Nadia", "Anselm")}
"""Who stands behind each placeholder in the one world and in the other."""
WORDS = (
    *("box", "key", "lamp", "rope", "café", "naïve", "ladder", "window", "kettle", "blue", "seven"),
    *("slowly", "opens", "carries", "paints", "hides", "ледник", "茶"),
)
COORDINATE = Coordinate(capability="behavior_prediction", interaction="conflict")
TRAPS = ("visual_shortcut", "knowledge_prior", "logic", "wrong_branch", "none")
MODEL = "scripted/hash"
FILM = Source(source_id="sz-film", kind="video", license="CC0-1.0", sha256=sha256(b"film"), path="film.mp4")
Written = list[tuple[NodeKey, tuple[Record, ...]]]


class Asked(NamedTuple):
    question: str
    options: tuple[str, ...]


class Shown(NamedTuple):
    """What both worlds of a case have in common, told with placeholders."""

    slot: Slot
    lines: tuple[TranscriptLine, ...]
    background: str
    play: tuple[int, ...]
    video: VideoSpan | None
    rounds: tuple[Asked, ...]
    lacks: type[Record] | None
    """A record that was lost, so that every view of the slot fails."""


def shown(source: Source, number: int) -> Shown:
    rng = Random(number)

    def text() -> str:
        return f"{rng.choice(list(PEOPLE))} {' '.join(rng.choices(WORDS, k=rng.randint(2, 6)))}."

    def asked() -> Asked:
        options = tuple(f"{text()[:-1]} {n}." for n in range(rng.randint(3, 4)))
        return Asked(f"What does {text()[:-1]} before the next choice?", options)

    lines = tuple(
        TranscriptLine(text=text(), speaker=rng.choice([None, *PEOPLE]), kind=rng.choice(["line", "choice"]))
        for _ in range(rng.randint(1, 3))
    )
    slot_id = f"{source.source_id}/{COORDINATE.capability}/{COORDINATE.interaction}/{number}"
    return Shown(
        Slot(slot_id=slot_id, number=number, source_id=source.source_id, coordinate=COORDINATE, ordinal=number),
        lines,
        text(),
        tuple(rng.choices(range(3), k=5)),
        rng.choice(
            [None, VideoSpan(start=number, end=number + 9.5, source_id=FILM.source_id, confidence=rng.random())]
        ),
        tuple(asked() for _ in range(rng.choice([1, 1, 2, 3]))),
        rng.choice([None, None, None, None, Item, Clip]),
    )


class World:
    """One world of a case: everything secret in it is drawn anew."""

    def __init__(self, case: Shown, side: int, publisher: Publisher, source: Source) -> None:
        self.case, self.side, self.publisher, self.source = case, side, publisher, source
        self.slot_id = case.slot.slot_id
        self.rng = Random(f"{self.slot_id} {side}")

    def real(self, text: str) -> str:
        for placeholder, names in PEOPLE.items():
            text = text.replace(placeholder, names[self.side])
        return text

    def secret(self) -> str:
        return "".join(self.rng.choices("abcdefgh ijkl é茶\"'{}", k=self.rng.randint(1, 12))) + str(self.side)

    def numbers(self) -> tuple[int, ...]:
        return tuple(self.rng.choices(range(9), k=self.rng.randint(0, 6)))

    def event(self) -> Event:
        return Event(kind=self.rng.choice(["line", "signal", "choice"]), match=(self.secret(),))

    def recorded(self, texts: list[str]) -> Recorded:
        players = {text: float(self.rng.randint(0, 99)) for text in texts}
        return Recorded(source=self.secret(), date=self.secret(), n=self.rng.randint(1, 999), chosen=players)

    def draft(self, asked: Asked) -> Draft:
        texts = [self.real(option) for option in asked.options]
        self.rng.shuffle(texts)
        answer = self.rng.choice(texts)
        return Draft(
            question=self.real(asked.question),
            frame={"who": self.secret()},
            wording=self.rng.randint(0, 5),
            options=tuple(DraftOption(text=text, event=self.event()) for text in texts),
            others=self.numbers(),
            window=self.rng.choice([None, 1, 2, "chapter"]),
            target=self.rng.choice([None, self.event()]),
            recorded=self.rng.choice([None, self.recorded(texts)]),
            answer=answer,
            traps={text: self.rng.choice(TRAPS) for text in texts if text != answer},
            rationale=self.secret(),
        )

    def plan(self, play: tuple[int, ...] | None = None) -> Plan:
        return Plan(
            claim=self.rng.choice(["behaviour", "counterfactual", "moral_dilemma"]),
            play=self.numbers() if play is None else play,
            taken=self.rng.randint(0, 9),
            first=self.rng.randint(0, 9),
            shown=self.rng.randint(0, 9) if play is None else 0,
            location=self.secret(),
            protagonist=self.rng.choice([None, self.secret()]),
        )

    def excerpt(self) -> Excerpt:
        lines = tuple(
            TranscriptLine(text=self.real(line.text), speaker=line.speaker and self.real(line.speaker), kind=line.kind)
            for line in self.case.lines
        )
        spans = tuple(self.secret() for _ in lines)
        return Excerpt(
            lines=lines,
            background=self.real(self.case.background),
            play=self.case.play,
            first=1,
            spans=spans,
            video=self.case.video,
            overlays=(self.secret(),),
        )

    def trace(self) -> Trace:
        evidence = Evidence(
            kind=self.rng.choice(["play", "shares"]), place=self.secret(), source_sha256=self.source.sha256
        )
        claim = GroundedClaim(text=self.secret(), evidence=(evidence,) * self.rng.randint(1, 3))
        return Trace(claims=(claim,), signals={self.secret(): self.rng.random()}, tier=self.rng.choice(["A", "B", "C"]))

    def verdict(self) -> Verdict:
        coin: list[Any] = [self.rng.random() < 0.5 for _ in range(4)]
        return Verdict(
            decision=self.rng.choice(["accept", "revise", "re-examine", "discard"]),
            answerability=self.rng.choice(["answerable", "unknown", "ambiguous", "unsupported"]),
            cue_support=coin[0],
            coherence=coin[1],
            alignment=coin[2],
            agreement=coin[3],
            defect=self.rng.choice(["none", "proposal", "reasoning"]),
            code=self.secret(),
            message=self.secret(),
        )

    def rows(self) -> Written:
        """What every node puts. Where a clip stands is what its id is made of; the stored play is secret again."""
        excerpt = self.excerpt()
        clip = self.publisher.clip(self.source, self.plan(self.case.play), excerpt)
        stray = excerpt.model_copy(update={"play": self.numbers(), "first": self.rng.randint(0, 9)})
        rows: Written = [
            (self.at("slot"), (self.case.slot.model_copy(update={"number": self.rng.randint(0, 999)}),)),
            (self.at("director"), (self.plan(),)),
            (self.at("tracker"), (self.trace(), stray)),
            (self.at("anonymise"), (clip,)),
        ]
        for number, asked in enumerate(self.case.rounds):
            rows += self.round(number, asked, clip)
        item = next(one for key, row in reversed(rows) for one in row if isinstance(one, Item))
        rows += [(self.at("decision"), (self.reference(item),)), (self.at("verification/r1"), (self.vote(item),))]
        rows = [(key, tuple(one for one in row if type(one) is not self.case.lacks)) for key, row in rows]
        self.rng.shuffle(rows)
        return rows

    def round(self, number: int, asked: Asked, clip: Clip) -> Iterator[tuple[NodeKey, tuple[Record, ...]]]:
        draft = self.draft(asked)
        item = self.publisher.item(self.case.slot, self.source, self.plan(), draft, clip)
        ids = [option.id for option in item.options]
        yield self.at(self.rng.choice(["generator", "question"]), number, self.rng.randint(0, 2)), (draft,)
        yield self.at("anonymise", number), (item,)
        some = self.rng.sample(ids, 2)
        yield self.at("adjudicator", number), (Adjudication(true=(some[0],), possible=(some[1],), proof=self.secret()),)
        for run in range(self.rng.randint(0, 3)):
            said = Answer(
                ids=(self.rng.choice(ids),), status=self.rng.choice(["answered", "ambiguous"]), shown=tuple(ids)
            )
            yield self.at("answer", number, run), (said,)
        if self.rng.random() < 0.5:
            told = Feedback(code=self.secret(), message=self.secret())
            yield self.at("gates", number), (told,)
            yield self.at("critic", number), (self.verdict(), told)

    def reference(self, item: Item) -> Reference:
        texts = {option.id: option.text for option in item.options}
        return Reference(
            answer=item.answer,
            answer_text=texts[item.answer[0]] if item.answer else "",
            traps=item.traps,
            cues=(self.secret(),),
            tier=self.rng.choice(["A", "B", "C"]),
            status="answerable",
            episode=self.secret(),
            story=self.source.source_id,
            item_hash=content_hash(self.secret()),
        )

    def vote(self, item: Item) -> ReviewEntry:
        work = Work(said="answer", ids=item.answer, note=self.secret())
        known = {"task": self.secret(), "public_hash": item.public_hash, "item_hash": content_hash(self.secret())}
        return ReviewEntry(mode="verification", reviewer="r1", action="submit", stage="done", work=work, **known)

    def at(self, node: str, round: int = 0, run: int = 0) -> NodeKey:
        return NodeKey(self.slot_id, node, round, run)


def people(side: int) -> tuple[Entity, ...]:
    return tuple(
        Entity(names=(names[side],), placeholder=placeholder, descriptor=f"the one with the {placeholder.lower()} hat")
        for placeholder, names in PEOPLE.items()
    )


class Opened:
    """The store of one world, its publisher, and the doors that the answering side has."""

    def __init__(self, project: Project, side: int, kind: type[Publisher] = Publisher) -> None:
        self.store, self.side = Store.open(project.store, seed=SEED), side
        self.guard = Guard(project.store, "answer")
        self.source = next(source for _, source in self.store.all(Source))
        self.publisher = kind(SEED, Anonymizer(people(side)).text, people(side))
        answering = ModelAnswering(asking(Gateway(ScriptedClient(), StoreLedger(self.store)), MODEL))
        self.prompt = answering.prompt

    def close(self) -> None:
        self.guard.close()
        self.store.close()

    async def fill(self, cases: list[Shown]) -> None:
        """Store the world of each case, and events of all that came through."""
        known = {entry.entity.placeholder: entry for _, entry in self.store.all(LexiconEntry)}
        for entity in people(self.side):
            entry = known[entity.placeholder].model_copy(update={"entity": entity})
            await self.store.put(lexicon_key(entry.number)._replace(run=1), entry)
        await self.store.put(source_key(FILM.source_id), FILM, Footage(duration=10_000, audio=True))
        secret = {"background": f"known {self.side}", "title": f"title {self.side}"}
        await self.store.put(NodeKey(self.source.source_id, "source", 1), self.source.model_copy(update=secret))
        rows = (row for case in cases for row in World(case, self.side, self.publisher, self.source).rows())
        await asyncio.gather(*(self.store.put(key, *records) for key, records in rows))

    def received(self, case: Shown) -> dict[str, object]:
        """All that the answering side gets of a slot: named, so that a difference can be told."""
        slot_id = case.slot.slot_id
        got: dict[str, object] = {}
        for round in range(3):
            for run in range(3):
                got |= {f"{name} {round} {run}": one for name, one in self._view(slot_id, round, run).items()}
        got["error"] = self._view(slot_id, -1, 0)
        for table in OPEN_TO_ANSWER:
            got[table] = [tuple(row) for row in self.guard.rows(OPEN_TO_ANSWER[table], {"slot": slot_id})]
        if case.lacks is not Item:
            got |= self._under_test(slot_id, case)
        return got

    def _view(self, slot_id: str, round: int, run: int) -> dict[str, object]:
        try:
            seen = self.store.see("answer", slot_id, round, run)
        except BenchwrightError as error:
            return {"error": f"{type(error).__name__} {error}"}
        view = seen.view
        assert isinstance(view, AnswerView)
        return {
            # The same values in other bytes, many times faster; the request holds them in canonical form anyway.
            "view": canonical(view) if round == run else view.model_dump_json(),
            "request": self.prompt(view),
            "order": [option.id for option in view.options],
            "item": (view.item_id, seen.version, seen.fields),
            "media": view.clip.media,
        }

    def _under_test(self, slot_id: str, case: Shown) -> dict[str, object]:
        """The record and the requests of the model under test."""
        item = self.store.latest(Item, slot_id)
        assert item is not None
        row = ModelInput(
            id=item.item_id, **{name: getattr(item, name) for name in fields_of(ModelInput, {"public"})[1:]}
        )
        told = {row.clip.media: case.lines}
        asked = ask(row, told, model=MODEL, condition=CONDITIONS["full"], seed=SEED, template=EVALUATE)
        return {"model input": canonical(row), "evaluation": canonical(asked.request)}


EVALUATE = template()
OPEN_TO_ANSWER = {
    part.table.name: sa.select(part.table).where(part.table.c.slot_id == sa.bindparam("slot")).order_by(*part.table.c)
    for part in RECORD_TABLES
    if (part.table.name, "content_hash") in readable("answer")
}
"""Every row that the guard lets the answer role read, whether or not a view reads it."""


def differences(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    """The names of what the answering side gets otherwise in another world."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
