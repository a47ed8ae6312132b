"""A way through a story as a causal-antecedent question reads it: what its end is, and which choices that needed."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from ..narrative.alternatives import Alternative, Alternatives
from ..narrative.flowchart import Transition
from ..narrative.occurrences import exact, numbers
from ..narrative.runtime import Line
from ..narrative.similarity import alike
from ..narrative.words import content_words
from ..schemas.base import digest
from .derivation import Wording, usable
from .foils import LENGTHS
from .narratives import Narrative
from .phrases import SPEECH, deed, first_person, quoted

WINDOWS = (5, 6)
"""Decisions after a supposed choice within which the end must be out of reach. Four options need wide ones."""
CLOSE = 4
"""Choices from the cause to the end, at most: what links those farther apart is mostly out of sight."""
MOST_PATHS = 2_000
"""Paths that a proof of the cause may have to play."""
LONGEST_END = 28
"""Words of the end, which the question quotes."""
OUTLIER = 1.3
"""How many times as long as every foil, or as short, the key must not be."""
COMBINATIONS = 100
"""Sets of foils that are tried for one cause."""


class End(NamedTuple):
    """An event that comes with the last choice of a way, and not before."""

    number: int
    text: str
    """How the question tells it: a whole sentence."""
    shown: int
    """Lines of the last reply up to and with it."""


class Cause(NamedTuple):
    """A choice that an event needed."""

    end: int
    """Number of the event."""
    window: int
    at: int
    """Position in the way."""


class Needed(NamedTuple):
    """What one item asks: an end, the choice it needed, and all options, as positions in the way."""

    end: End
    window: int
    cause: int
    options: tuple[int, ...]
    """In the order of the story."""
    place: str
    """Source span of the cause."""
    paths: int
    """Paths that a proof of the cause has to play."""

    @property
    def rank(self) -> int:
        """Place of the cause among the options, in the order of the story."""
        return self.options.index(self.cause)


class Way:
    """One play. A length is the number of its choices up to and with the last one that is asked about."""

    def __init__(
        self, narrative: Narrative, wording: Wording, alternatives: Alternatives, play: tuple[int, ...]
    ) -> None:
        self.narrative, self.wording, self.play = narrative, wording, play
        self.edges = narrative.chart.follow(play)
        self.options = [self._option(at) for at in range(len(play))]
        """Each choice as an option."""
        self._words = [content_words(option) for option in self.options]
        self.choices = [exact(edge.choice.text) for edge in self.edges]
        """Each choice as a replay knows it."""
        self._alternatives = alternatives
        self._told = list(self._events())
        """Events before each choice, and after the last, as bits."""

    def needed(self, length: int) -> list[Needed]:
        """What can be asked of the ends of a length, in an order drawn by hash."""
        fresh = self._told[length] & ~self._told[length - 1]
        causes = [cause for window in WINDOWS for cause in self._causes(length, window, fresh)]
        ends = self._ends(length, {cause.end for cause in causes})
        found = [
            needed
            for cause in causes
            if cause.end in ends and not self._repeated(cause)
            for needed in self._sets(length, ends[cause.end], cause)
        ]
        seed = digest(self.narrative.story.info.sha256, *self.play[:length])
        return sorted(found, key=lambda n: digest(seed, n.end.number, n.window, n.cause, *n.options))

    def first(self, needed: Needed) -> int:
        """Decisions before the clip starts, so that it shows every option, and one choice more where there is one."""
        return max(0, needed.options[0] - 1)

    def protagonist(self, at: int) -> str | None:
        state = self.narrative.chart.state(self.edges[at].source)
        return state.protagonist or next(iter(self.narrative.story.info.protagonists), None)

    def _option(self, at: int) -> str:
        who = self.protagonist(at) or self.wording.language.narrator
        return f"{who[:1].upper()}{who[1:]} {deed(self.edges[at].choice.text, self.wording.language).past}"

    def _events(self) -> Iterator[int]:
        analysis = self.narrative.analysis
        told = analysis.occurrences.opening | analysis.occurrences.of_state(self.narrative.chart.START)
        yield told
        for edge in self.edges:
            told |= analysis.occurrences.own(edge)
            yield told

    # -- the end ------------------------------------------------------------------------------

    def _ends(self, length: int, numbers: Collection[int]) -> dict[int, End]:
        """Those of the events, by number, that can be told in a question: lines of people."""
        edge, occurrences = self.edges[length - 1], self.narrative.analysis.occurrences
        ends: dict[int, End] = {}
        for place, line in enumerate(edge.lines):
            number = occurrences.line_number(line)
            if number in numbers and self._telling(line, length) and (place or line.speaker or not _bare(line)):
                ends.setdefault(number, End(number, quoted(line), place + 1))
        return {number: end for number, end in ends.items() if len(end.text.split()) <= LONGEST_END}

    def _telling(self, line: Line, length: int) -> bool:
        """Whether a line tells of people, and not just what was chosen."""
        cast, choice = self.wording.cast, self.edges[length - 1].choice.text
        ours = first_person(line.text) or (line.speaker and line.speaker == self.protagonist(length - 1))
        return not ours and usable(line, cast, cast.mentioned(line.text)) and not alike(choice, [line.text])

    # -- what it needed -----------------------------------------------------------------------

    def _causes(self, length: int, window: int, fresh: int) -> Iterator[Cause]:
        """Every choice with every one of the events that needed it, and could not have come later either."""
        for at in range(max(0, length - 1 - CLOSE), length - 1):
            instead = self._instead(at, window)
            if instead.known and instead.paths <= MOST_PATHS and self._distinct(at, length):
                for end in numbers(fresh & ~instead.some & ~instead.ever):
                    if sum(self._pool(length, end, window)) >= self.wording.options - 1:
                        yield Cause(end, window, at)

    def _pool(self, length: int, end: int, window: int) -> list[bool]:
        """Of each choice of the window before the last, whether it makes a foil: whatever had been chosen instead, the
        end could have come within the window, at most one decision later than it did, and for some other choice by
        the very same choices after it. The last one is none: the end answers it, and only who knows the other branches
        can tell that these come together again."""
        return [
            self._distinct(at, length)
            and bool(self._instead(at, min(window, length - at)).each >> end & 1)
            and self._indifferent(at, length, end)
            for at in range(max(0, length - 1 - window), length - 1)
        ]

    def _indifferent(self, at: int, length: int, end: int) -> bool:
        """Whether a sibling of a choice, followed by the rest of the way, leads to the end."""
        others = self.narrative.chart.transitions(self.edges[at].source)
        ends = (self._followed(other, at + 1, length) for other in others if other.index != self.edges[at].index)
        own = self.narrative.analysis.occurrences.own
        return any(edge is not None and own(edge) >> end & 1 for edge in ends)

    def _followed(self, edge: Transition, first: int, length: int) -> Transition | None:
        """The last transition of the way when it goes on, from another one, with the same choices."""
        for text in self.choices[first:length]:
            onward = self.narrative.chart.transitions(edge.target)
            found = next((other for other in onward if exact(other.choice.text) == text), None)
            if found is None:
                return None
            edge = found
        return edge

    def _instead(self, at: int, window: int) -> Alternative:
        """What could have come in place of a choice."""
        return self._alternatives.to(self.edges[at], window)

    def _repeated(self, cause: Cause) -> bool:
        """Whether something that may say the same came before the cause, or could have come without it."""
        events = self._told[cause.at] | self._instead(cause.at, cause.window).some
        return self.narrative.similarity.alike(cause.end, events)

    def _distinct(self, at: int, length: int) -> bool:
        """Whether no other choice up to there has the same words, so that a replay can tell which is meant."""
        return self.choices[:length].count(self.choices[at]) == 1

    # -- the options --------------------------------------------------------------------------

    def _sets(self, length: int, end: End, cause: Cause) -> Iterator[Needed]:
        """For each rank that the cause can have among the options, one set of them that reads fairly."""
        fit = self._pool(length, cause.end, cause.window)
        pool = [at for at, fits in enumerate(fit, length - 1 - len(fit)) if fits]
        told = content_words(end.text)
        shared = {at: len(self._words[at] & told) for at in (cause.at, *pool)}
        pool.sort(key=lambda at: (-shared[at], digest(*self.play[:length], at)))
        ranks = set[int]()
        for foils in islice(combinations(pool, self.wording.options - 1), COMBINATIONS):
            options = tuple(sorted((cause.at, *foils)))
            echoes = shared[cause.at] * len(options) > sum(shared[at] for at in options)
            if options.index(cause.at) not in ranks and not echoes and self._fair(cause.at, foils):
                ranks.add(options.index(cause.at))
                edge, paths = self.edges[cause.at], self._instead(cause.at, cause.window).paths
                yield Needed(end, cause.window, cause.at, options, edge.choice.span, paths)

    def _fair(self, cause: int, foils: Sequence[int]) -> bool:
        """Whether length does not tell the key, and no two options are alike."""
        key, others = self.options[cause], [self.options[at] for at in foils]
        shortest, longest = min(map(len, others)), max(map(len, others))
        low, high = (bound * len(key) for bound in LENGTHS)
        if shortest < low or longest > high or not shortest / OUTLIER <= len(key) <= longest * OUTLIER:
            return False
        choices = [self.edges[at].choice.text for at in (cause, *foils)]
        return not any(alike(one, choices[place + 1 :]) for place, one in enumerate(choices))


def _bare(line: Line) -> bool:
    """Whether a line is speech and nothing else: where a reply begins with one, it is what was chosen."""
    return not SPEECH.sub("", line.text).strip()
