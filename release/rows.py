"""What must hold of the rows of a release: each rule once, asked when it is frozen and again when it is verified."""

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol, TypeVar

from ..checks.texts import plain
from ..schemas.base import digest
from ..schemas.clip import ClipRef, VideoSpan
from ..schemas.finding import Finding
from ..schemas.release import KeyRow, ModelInput, SourceFacts, TraceRow


class Identified(Protocol):
    @property
    def id(self) -> str: ...


AnyRow = TypeVar("AnyRow", bound=Identified)

_NO_LETTER = re.compile(r"[\W_]+")


class Extent(NamedTuple):
    """What of a source a clip holds."""

    start: float
    end: float
    unit: str


class Joined(NamedTuple):
    """What the three files hold of one id; None where a file holds nothing."""

    item: ModelInput | None
    key: KeyRow | None
    trace: TraceRow | None

    @property
    def id(self) -> str:
        return next(row.id for row in self if row is not None)


def letters(text: str) -> str:
    """Letters and digits alone: equal for texts that only case, punctuation and spacing tell apart."""
    return _NO_LETTER.sub("", text.casefold())


def ascending(rows: Iterable[AnyRow], complain: Callable[[str, str], None]) -> Iterator[AnyRow]:
    """The rows whose id is above all before it; `complain(id, message)` hears of the others."""
    last = ""
    for row in rows:
        if row.id > last:
            yield row
            last = row.id
        else:
            complain(row.id, "the id stands twice" if row.id == last else f"the id stands behind {last}")


def joined(items: Iterable[ModelInput], keys: Iterable[KeyRow], traces: Iterable[TraceRow]) -> Iterator[Joined]:
    """The rows of three streams, each ascending by id, brought together by id."""
    one, two, three = iter(items), iter(keys), iter(traces)
    rows = Joined(next(one, None), next(two, None), next(three, None))
    while any(row is not None for row in rows):
        least = min(row.id for row in rows if row is not None)
        item, key, trace = (row is not None and row.id == least for row in rows)
        yield Joined(rows.item if item else None, rows.key if key else None, rows.trace if trace else None)
        rows = Joined(
            next(one, None) if item else rows.item,
            next(two, None) if key else rows.key,
            next(three, None) if trace else rows.trace,
        )


@dataclass(frozen=True)
class Rules:
    """What one row is held against: the rest of the release, as far as it is known."""

    clips: Mapping[str, Extent]
    sources: Mapping[str, SourceFacts] | None
    """None where nobody can tell."""
    parts: Container[str] = ("answers", "grounding")
    """The parts that are there; a row missing in another is no defect."""
    retired: Mapping[str, str] = field(default_factory=dict)
    """Version in which an id was taken out, by id."""

    def of(self, row: Joined) -> Iterator[Finding]:
        """Everything that is wrong with one id."""
        item, key, trace = row
        if item is None:
            yield _error("input-missing", row.id, "there is a key or a trace, and no item")
            return
        if row.id in self.retired:
            yield _error("id-used-again", row.id, f"was taken out in {self.retired[row.id]}; an id is never used again")
        yield from of_item(item, self.clips)
        if key is not None:
            yield from of_key(item, key)
            if self.sources is not None and key.story not in self.sources:
                yield _error("source-missing", key.id, f"the release names no source {key.story}")
        elif "answers" in self.parts:
            yield _error("key-missing", row.id, "there is an item, and no key")
        if trace is not None:
            yield from of_trace(item, trace)
            story = trace.recipe.story_sha256 if trace.recipe else None
            if self.sources is not None and story is not None and story not in self._stories:
                yield _error("story-missing", trace.id, f"the release names no story with hash {story}")
        elif "grounding" in self.parts:
            yield _error("trace-missing", row.id, "there is an item, and no trace")

    @cached_property
    def _stories(self) -> frozenset[str]:
        return frozenset(source.sha256 for source in (self.sources or {}).values())


def of_item(item: ModelInput, clips: Mapping[str, Extent]) -> Iterator[Finding]:
    """Options that are too few, empty, equal or out of order; a clip that is not there or ends before the item's."""
    if item.format != "open":
        yield from _of_options(item)
    extent = clips.get(item.clip.media)
    if extent is None:
        yield _error("clip-missing", item.id, f"there is no clip {item.clip.media}")
    elif item.clip.unit != extent.unit or not extent.start <= item.clip.start <= item.clip.end <= extent.end:
        yield _error("clip-range", item.id, f"{_extent(item.clip)} do not lie in {_extent(extent)}")


def video_problem(span: VideoSpan | None, sources: Mapping[str, SourceFacts]) -> str | None:
    """What is wrong with the span of a clip; None where nothing is, and where no video shows it."""
    if span is None:
        return None
    video = sources.get(span.source_id)
    if video is None or video.kind != "video" or video.duration is None:
        return f"the release names no video {span.source_id}"
    if not span.start < span.end <= video.duration:
        return f"{span.start:g}–{span.end:g} seconds do not lie in the {video.duration:g} seconds of the video"
    return None


def _of_options(item: ModelInput) -> Iterator[Finding]:
    if not all(unicodedata.is_normalized("NFC", option.text) for option in item.options):
        yield _error("text-form", item.id, "the options are not in Unicode form NFC")
    texts = {letters(option.text) for option in item.options}
    if len(texts) < len(item.options) or "" in texts:  # only then is the slower comparison worth it
        yield from _alike(item)
    if len(item.options) < 2:
        yield _error("option-count", item.id, f"{len(item.options)} options; at least two are needed")
    order = sorted(item.options, key=lambda option: digest(item.id, option.text))
    if [(option.id, option) for option in item.options] != [(f"o{n}", option) for n, option in enumerate(order, 1)]:
        yield _error("option-order", item.id, "option ids are not o1, o2 … in the order of digest(item id, text)")


def _alike(item: ModelInput) -> Iterator[Finding]:
    """Options without a word, or with the same words."""
    texts = [plain(option.text) for option in item.options]
    for option, text in zip(item.options, texts, strict=True):
        if not text:
            yield _error("option-empty", f"{item.id}/{option.id}", "the option holds no word")
        elif texts.count(text) > 1:
            yield _error("option-duplicate", f"{item.id}/{option.id}", "another option says the same")


def of_key(item: ModelInput, key: KeyRow) -> Iterator[Finding]:
    """An answer or traps that are not those of the item's options."""
    if item.format == "open":
        if not plain(key.answer_text):
            yield _error("answer-missing", key.id, "an open question without a reference answer")
        return
    texts = {option.id: option.text for option in item.options}
    if not key.answer or not set(key.answer) <= set(texts):
        yield _error("answer-missing", key.id, "the answer is not among the options")
    elif item.format == "single" and (len(key.answer) > 1 or texts[key.answer[0]] != key.answer_text):
        yield _error("answer-missing", key.id, "the answer is not one option with the text of the key")
    if set(key.traps) != set(texts) - set(key.answer):
        yield _error("trap-missing", key.id, "each wrong option needs one trap, and the answer none")


def of_trace(item: ModelInput, trace: TraceRow) -> Iterator[Finding]:
    """A recipe that names other options than the item."""
    if trace.recipe is not None and set(trace.recipe.events) != {option.id for option in item.options}:
        yield _error("recipe-options", trace.id, "the recipe's events are not those of the options")


def _extent(of: Extent | ClipRef) -> str:
    return f"{of.start:g}–{of.end:g} {of.unit}"


def _error(code: str, place: str, message: str) -> Finding:
    return Finding(code=code, place=place, message=message)
