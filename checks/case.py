"""What the gates look at: one question with its options, key and clip, whether it is a draft or a finished item."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..anonymize.replace import Anonymizer
from ..schemas.clip import Excerpt, TranscriptLine
from ..schemas.item import OBSERVED, Draft, Format, Item


@dataclass(frozen=True)
class GateSettings:
    """Bounds of the gates. The taxonomy may declare other numbers of options than six, for a capability too."""

    least_options: int = 6
    most_options: int = 6
    shortest_ratio: float = 0.5
    longest_ratio: float = 2.0
    """Length of an option in characters, relative to the key."""
    outlier: float = 1.3
    """From this ratio to the next option the key stands out as the longest, or the shortest."""
    near: float = 0.9
    """Similarity (0–1) from which two options are the same answer twice."""
    least_words: int = 5
    most_words: int = 80
    """Words of the question."""
    language: str = "en"
    """The window must be stated in words that the gate knows: English only."""
    shown_claims: frozenset[str] = frozenset({"causal_antecedent"})
    """Claims whose options are choices made in the clip, so that all of them stand in the transcript, or none."""
    menu_claims: frozenset[str] = frozenset({"moral_dilemma"})
    """Claims whose options are a whole menu of the story: how long each is was not for the item's maker to choose."""
    timeless_claims: frozenset[str] = frozenset({OBSERVED})
    """Claims about the clip itself: no window is to be stated, and an option may name what stands in the transcript."""


class CaseOption(NamedTuple):
    id: str
    text: str
    kind: str = ""
    """Kind of its event; empty where unknown."""


@dataclass(frozen=True)
class Case:
    """One question as the gates see it. Built by `of_draft` or `of_item`, or by hand for anybody's dataset."""

    place: str
    """Id of the slot or item, for the findings."""
    question: str
    options: tuple[CaseOption, ...]
    answer: tuple[str, ...]
    """Ids of the right options."""
    background: str = ""
    transcript: tuple[TranscriptLine, ...] = ()
    claim: str = ""
    choice: str = ""
    """Words of the choice that the question supposes; empty where there is none."""
    traps: frozenset[str] | None = None
    """Ids of the options that have a trap; None where the dataset has no traps."""
    format: Format = "single"
    item: Item | None = None
    anonymizer: Anonymizer | None = None
    """Given where the texts are public, so that no name may be left in them."""
    settings: GateSettings = GateSettings()

    @property
    def key(self) -> CaseOption | None:
        """The right option of a single-answer question; None where it is not among the options."""
        right = [option for option in self.options if option.id in self.answer]
        return right[0] if len(right) == 1 else None

    def public_texts(self) -> Iterator[tuple[str, str]]:
        """Every text that the answering side sees, with its place."""
        yield f"{self.place}/question", self.question
        yield f"{self.place}/background", self.background
        yield from ((f"{self.place}/{option.id}", option.text) for option in self.options)
        for number, line in enumerate(self.transcript, 1):
            yield f"{self.place}/transcript:{number}", line.text
            yield f"{self.place}/transcript:{number}", line.speaker or ""
        if self.item is not None:
            yield f"{self.place}/clip", self.item.clip.media
            yield from ((f"{self.place}/history", text) for text in self.item.history)


def of_draft(
    draft: Draft, excerpt: Excerpt, *, place: str, claim: str, choice: str = "", settings: GateSettings | None = None
) -> Case:
    """A draft with the excerpt it is about, both with real names. Options are numbered from 1 in their order."""
    options = tuple(
        CaseOption(str(number), option.text, option.event.kind) for number, option in enumerate(draft.options, 1)
    )
    return Case(
        place,
        draft.question,
        options,
        tuple(option.id for option in options if option.text == draft.answer),
        excerpt.background,
        excerpt.lines,
        claim,
        choice,
        frozenset(option.id for option in options if option.text in draft.traps),
        settings=settings or GateSettings(),
    )


def of_item(
    item: Item,
    transcript: Sequence[TranscriptLine],
    *,
    choice: str = "",
    anonymizer: Anonymizer | None = None,
    settings: GateSettings | None = None,
) -> Case:
    """An item with the public transcript of its clip. `choice` is the supposed choice in public words."""
    events = item.recipe.events if item.recipe else {}
    options = tuple(
        CaseOption(option.id, option.text, events[option.id].kind if option.id in events else "")
        for option in item.options
    )
    return Case(
        item.item_id,
        item.question,
        options,
        item.answer,
        item.background,
        tuple(transcript),
        item.recipe.claim if item.recipe else OBSERVED,
        choice,
        frozenset(item.traps),
        item.format,
        item,
        anonymizer,
        settings or GateSettings(),
    )
