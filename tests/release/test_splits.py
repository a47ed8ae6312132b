"""Splits of a release: disjoint by source and by what is said, with a key for everybody of the development split."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import RefusedError
from benchwright.release import layout
from benchwright.release.content import ReleaseContent
from benchwright.release.freeze import freeze
from benchwright.release.verify import verify
from benchwright.schemas.base import content_hash, digest
from benchwright.schemas.clip import TranscriptLine, VideoSpan
from benchwright.schemas.item import Option
from benchwright.schemas.release import Manifest, SourceFacts

from .build import NAME, SOURCE, Made, content
from .test_documents import loaded, opened

SOURCES = ("s0123456789", "s1111111111", "s2222222222", "s3333333333")
SPLITS = {"dev": (SOURCES[0],), "screening": (SOURCES[1],), "test": SOURCES[2:]}
THINGS = (
    "lantern",
    "barrel",
    "ledger",
    "fiddle",
    "anchor",
    "kettle",
    "saddle",
    "ladder",
    "basket",
    "pillow",
    "mirror",
    "helmet",
)


class Apart(Made):
    """An item that shares no line and no question with another."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        source, thing = SOURCES[number % len(SOURCES)], THINGS[number]
        lines = tuple(
            TranscriptLine(text=f"The {thing} stands {where} since the {thing} was sold.", speaker="Beta")
            for where in ("near the door", "below the stair", "behind the mill", "under the roof")
        )
        ref = self.clip.ref.model_copy(update={"end": len(lines)})
        self.clip = self.clip.model_copy(update={"source_id": source, "transcript": lines, "ref": ref})
        self.key = self.key.model_copy(update={"story": source})
        texts = {option.id: f"{option.text} The {thing} {thing[::-1]} falls." for option in self.item.options}
        self._worded(f"What becomes of the {thing} at last?", texts)
        self.item = self.item.model_copy(update={"clip": ref})
        recipe = self.trace.recipe
        assert recipe is not None
        self.trace = self.trace.model_copy(update={"recipe": recipe.model_copy(update={"story_sha256": SOURCE.sha256})})

    def _worded(self, question: str, texts: dict[str, str]) -> None:
        order = sorted(texts, key=lambda option: digest(self.item.id, texts[option]))
        new = {old: f"o{at}" for at, old in enumerate(order, 1)}
        options = tuple(Option(id=new[old], text=texts[old]) for old in order)
        self.item = self.item.model_copy(update={"question": question, "options": options})
        right = self.key.answer[0]
        traps = {new[old]: trap for old, trap in self.key.traps.items()}
        self.key = self.key.model_copy(update={"answer": (new[right],), "answer_text": texts[right], "traps": traps})


def facts(number: int) -> SourceFacts:
    sha = SOURCE.sha256 if number == 0 else f"sha256:{number:064d}"
    return SOURCE.model_copy(update={"source_id": SOURCES[number], "sha256": sha})


def split(change: Callable[[list[Apart]], object] = lambda rows: None, **changed: Any) -> ReleaseContent:
    rows = sorted((Apart(number) for number in range(12)), key=lambda one: one.item.id)
    change(rows)
    whole: dict[str, Any] = {
        "clips": sorted((one.clip for one in rows), key=lambda clip: clip.ref.media),
        "items": [one.item for one in rows],
        "keys": [one.key for one in rows],
        "traces": [one.trace for one in rows],
        "heads": {one.item.id: content_hash(one.item.id) for one in rows},
        "sources": [facts(number) for number in range(4)],
        "splits": SPLITS,
    }
    return content(**(whole | changed))


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return freeze(split(), tmp_path_factory.mktemp("splits") / "small-1.2.0")


def ids(release: Path, path: str) -> list[str]:
    return [json.loads(line)["id"] for line in (release / path).read_text().splitlines()]


def test_each_split_has_its_file_and_the_development_split_its_key(release: Path) -> None:
    found = {name: ids(release, layout.inputs(name)) for name in layout.SPLITS}
    assert {name: len(own) for name, own in found.items()} == {"dev": 3, "screening": 3, "test": 6}
    assert not set(found["dev"]) & {*found["screening"], *found["test"]}
    assert all(own == sorted(own) for own in found.values())
    assert ids(release, layout.DEV_KEYS) == found["dev"]
    assert sorted(ids(release, layout.KEYS)) == sorted(item for own in found.values() for item in own)
    lines = (release / layout.KEYS).read_text().splitlines()
    assert set((release / layout.DEV_KEYS).read_text().splitlines()) < set(lines)
    manifest = Manifest.model_validate_json((release / layout.MANIFEST).read_bytes())
    assert manifest.splits == {name: tuple(own) for name, own in SPLITS.items()}
    assert {name: manifest.counts[f"split/{name}"] for name in SPLITS} == {"dev": 3, "screening": 3, "test": 6}
    assert verify(release).ok


def test_without_the_answers_the_development_key_is_still_checked(release: Path, tmp_path: Path) -> None:
    held = shutil.copytree(release, tmp_path / "held")
    shutil.rmtree(held / "answers")
    shutil.rmtree(held / "grounding")
    assert verify(held).ok
    sums = (held / "SHA256SUMS").read_text()
    assert "  dev/key.jsonl\n" in sums
    assert "answers" not in sums


def test_two_freezes_give_the_same_bytes(release: Path, tmp_path: Path) -> None:
    again = freeze(split(), tmp_path / "again")
    for path in release.rglob("*"):
        assert path.is_dir() or (again / path.relative_to(release)).read_bytes() == path.read_bytes()


def test_without_splits_nothing_of_them_is_written(tmp_path: Path) -> None:
    plain = freeze(content(4), tmp_path / "plain")
    assert not (plain / "dev").exists()
    assert [path.name for path in (plain / "model_input").iterdir()] == ["test.jsonl"]
    assert "split" not in (plain / "release.json").read_text()


def same_lines(rows: list[Apart]) -> None:
    """A clip of another split says what the first says: a video that was encoded anew."""
    told = next(one for one in rows if one.clip.source_id == SOURCES[0]).clip.transcript
    other = next(one for one in rows if one.clip.source_id == SOURCES[2])
    other.clip = other.clip.model_copy(update={"transcript": told})


def same_lines_and_menus(rows: list[Apart]) -> None:
    """A clip of another split says the same between menus, which a film of it does not say."""
    same_lines(rows)
    menus = [TranscriptLine(text=f"[Sell the {thing} today | Keep the {thing} here]", kind="menu") for thing in THINGS]
    first = next(one for one in rows if one.clip.source_id == SOURCES[0])
    lines = (*menus, *first.clip.transcript)
    ref = first.clip.ref.model_copy(update={"end": len(lines)})
    first.clip = first.clip.model_copy(update={"transcript": lines, "ref": ref})
    first.item = first.item.model_copy(update={"clip": ref})


def same_question(rows: list[Apart]) -> None:
    first = next(one for one in rows if one.clip.source_id == SOURCES[1])
    other = next(one for one in rows if one.clip.source_id == SOURCES[3])
    texts = dict(zip((option.id for option in other.item.options), (o.text for o in first.item.options), strict=True))
    other._worded(first.item.question + " ", {old: f"{text} " for old, text in texts.items()})


def two_videos(rows: list[Apart]) -> None:
    """The video of a clip stands in another split than its story."""
    first = next(one for one in rows if one.clip.source_id == SOURCES[0])
    first.clip = first.clip.model_copy(update={"video": VideoSpan(source_id=SOURCES[2], start=0, end=1, confidence=1)})


def a_name(rows: list[Apart]) -> None:
    first = next(one for one in rows if one.clip.source_id == SOURCES[0])
    first.key = first.key.model_copy(update={"cues": (f"line 1: {NAME} waits.",)})


FILM = facts(2).model_copy(update={"kind": "video", "duration": 60.0})
TWINS = [facts(0), facts(1), facts(2).model_copy(update={"sha256": SOURCE.sha256}), facts(3)]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (split(same_lines), "4 of its 4 longer lines stand in test too"),
        (split(same_lines_and_menus), "4 of its 4 longer lines stand in test too"),
        (split(same_question), "asks nearly the same as"),
        (
            split(two_videos, sources=[facts(0), facts(1), FILM, facts(3)]),
            "the sources of the clip stand in dev and in test",
        ),
        (split(sources=TWINS), "the same file stands in dev"),
        (split(splits=SPLITS | {"dev": SOURCES[:2]}), "the source stands in dev and in screening"),
        (split(splits=SPLITS | {"test": SOURCES[2:3]}), "the sources of the clip stand in none"),
        (split(splits={"dev": SOURCES, "test": ()}), "test: no item is in this split"),
        (split(a_name), f"key/cue 1: holds the name {NAME!r}"),
    ],
    ids=[
        "lines",
        "lines between menus",
        "question",
        "video",
        "file",
        "twice",
        "nowhere",
        "empty",
        "name in a public key",
    ],
)
def test_what_is_no_split(given: ReleaseContent, says: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        freeze(given, tmp_path / "r")
    assert any(says in line for line in caught.value.findings), caught.value.findings
    assert not (tmp_path / "r").exists()


def test_the_same_in_one_split_is_allowed(tmp_path: Path) -> None:
    assert verify(
        freeze(split(same_lines, splits={"dev": SOURCES[1:2], "test": (SOURCES[0], *SOURCES[2:])}), tmp_path / "r")
    ).ok


def moved(release: Path) -> None:
    """An item from the test split in the development split, sums and manifest made to fit."""
    test, dev = release / layout.INPUTS, release / layout.inputs("dev")
    first, *rest = test.read_bytes().splitlines(keepends=True)
    test.write_bytes(b"".join(rest))
    dev.write_bytes(
        b"".join(
            sorted(
                [*dev.read_bytes().splitlines(keepends=True), first],
                key=lambda line: str(json.loads(bytes(line))["id"]),
            )
        )
    )


def other_key(release: Path) -> None:
    path = release / layout.DEV_KEYS
    first, *rest = path.read_text().splitlines(keepends=True)
    key = json.loads(first)
    right, wrong = key["answer"][0], next(iter(key["traps"]))
    first = first.replace(f'"answer":["{right}"]', f'"answer":["{wrong}"]')
    path.write_text("".join([first, *rest]))


def all_keys(release: Path) -> None:
    path = release / layout.DEV_KEYS
    path.write_bytes((release / layout.KEYS).read_bytes())


@pytest.mark.parametrize(
    ("change", "file", "says"),
    [
        (moved, layout.inputs("dev"), "its clip is of a source of test"),
        (other_key, layout.DEV_KEYS, "is not what answers/key.jsonl says"),
        (all_keys, layout.DEV_KEYS, "has a public key"),
        (lambda release: (release / layout.inputs("screening")).unlink(), layout.inputs("screening"), "is missing"),
        (lambda release: (release / layout.DEV_KEYS).unlink(), layout.DEV_KEYS, "is missing"),
    ],
    ids=["moved", "other key", "more keys", "no screening", "no key"],
)
def test_verify_names_the_file(
    change: Callable[[Path], object], file: str, says: str, release: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(release, tmp_path / "copy")
    change(copy)
    assert any(one.file == file and says in one.problem for one in verify(copy).problems)


@pytest.mark.filterwarnings("ignore")
def test_croissant_knows_the_splits(release: Path) -> None:
    names = {item: name for name in layout.SPLITS for item in ids(release, layout.inputs(name))}
    assert {record["id"]: record["split"] for record in loaded(release, "item")} == names
    assert [record["name"] for record in loaded(release, "splits")] == list(layout.SPLITS)
    assert [record["id"] for record in loaded(release, "dev_key")] == ids(release, layout.DEV_KEYS)


def test_datasets_knows_the_splits(release: Path, tmp_path: Path) -> None:
    found = opened(release, tmp_path)
    assert {name: [row["id"] for row in rows] for name, (_, rows) in found.items()} == {
        name: ids(release, layout.inputs(name)) for name in layout.SPLITS
    }
    assert [row["id"] for row in opened(release, tmp_path, "dev_key")["dev"][1]] == ids(release, layout.DEV_KEYS)
