"""What a claim about a story needs to become items: where it can be asked, and what the question and options are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from ..knowledge.loader import Language, Questions
from ..narrative.analysis import Decision
from ..narrative.runtime import Line
from ..narrative.words import content_words, echo, first_sentences
from ..schemas.base import digest
from ..schemas.grounding import Claim, Event
from ..schemas.item import Draft, DraftOption, Plan, Trap
from ..schemas.view import GeneratorView
from .foils import Candidate, Scene, choose
from .narratives import Narrative
from .phrases import SPEECH, Cast, first_person, is_speech, quoted
from .tracker import transcript, with_speakers

CLIP_DECISIONS = 8
"""Decisions that a clip shows, the last one included."""
PLANS_A_PLACE = 4
"""Ways to reach one decision that are tried: no two items may ask about the same one."""
WORDS = (5, 36)
"""Fewest and most words of an option."""
BARE_SPEECH = 7
"""Fewest words of an option that is speech and does not say whose."""
QUOTED = 180
"""Characters of a longer line that an option quotes, up to the end of a sentence."""


FewFoils = Literal["few-foils"]
"""Instead of a draft: there is a key, and too few wrong options to go with it."""
Drafted = Draft | FewFoils | None
"""None: there is no key, or no further one."""


class Wording(NamedTuple):
    """What the rules policy words its items with."""

    questions: Questions
    language: Language
    cast: Cast
    options: int
    """Options of an item, the key among them."""
    fewest: int | None = None
    """Options that are enough where the story holds no further foil of the same scene; None: as many as ever."""
    foils_within: int = 0
    """Decisions between the place of a question and that where a foil is told, at most."""

    @property
    def least(self) -> int:
        return self.options if self.fewest is None else self.fewest


class Derivation(Protocol):
    """One claim. `plans` is what the Director chooses from, `draft` what the Generator makes of a plan."""

    claim: Claim

    def plans(self, narrative: Narrative) -> list[Plan]:
        """Every decision that can bear an item, best first within a place, in an order free of chance."""

    def draft(self, view: GeneratorView, narrative: Narrative, attempt: int) -> Drafted:
        """The `attempt`th draft of a plan, 0 first."""


def plan(decision: Decision, claim: Claim, narrative: Narrative, shown: int = 0) -> Plan:
    """The clip of a decision: the last decisions before it, never across the start of a chapter."""
    way = narrative.chart.follow(decision.play)
    states = [narrative.chart.state(edge.source) for edge in way] + [narrative.chart.state(decision.state)]
    chapter = states[-1].chapter
    first = max(0, len(way) + 1 - CLIP_DECISIONS)
    while first < len(way) and states[first].chapter != chapter:
        first += 1
    return Plan(
        claim=claim,
        play=decision.play,
        taken=decision.taken,
        first=first,
        shown=shown,
        location=decision.location,
        protagonist=states[-1].protagonist or next(iter(narrative.story.info.protagonists), None),
    )


def spread(plans: Iterable[Plan], source_sha256: str) -> list[Plan]:
    """Plans in an order drawn by hash: first one of each place of the story, then the second, up to `PLANS_A_PLACE`."""
    order = sorted(plans, key=lambda p: digest(source_sha256, p.claim, *p.play, p.taken))
    rank: dict[str, int] = {}
    ranked = []
    for one in order:
        rank[one.location] = rank.get(one.location, -1) + 1
        ranked.append((rank[one.location], one))
    ranked.sort(key=lambda pair: pair[0])
    return [one for place, one in ranked if place < PLANS_A_PLACE]


def opening(line: Line) -> Line:
    """A line as an option quotes it: a page is cut after a sentence."""
    if len(line.text.split()) <= WORDS[1]:
        return line
    text = first_sentences(line.text, QUOTED)
    return line._replace(text=text + "”" if text.count("“") > text.count("”") else text)


def usable(whole: Line, cast: Cast, known: frozenset[str]) -> bool:
    """Whether a line can be an option: neither a scrap nor one long sentence, something a viewer could see or hear,
    nobody new."""
    line = opening(whole)
    names, words = cast.mentioned(line.text), len(line.text.split())
    bare = not SPEECH.sub("", line.text).strip(" .") and not line.speaker
    least = BARE_SPEECH if bare else WORDS[0]
    whole_sentence = not line.text.rstrip(' ”"').endswith((":", ","))
    fits = whole_sentence and least <= words <= WORDS[1] and names <= known
    return fits and (is_speech(line) or _observable(line, names, cast))


def _observable(line: Line, names: frozenset[str], cast: Cast) -> bool:
    """Narration that tells what somebody named does: no musings, and no gesture that would suit any moment."""
    return bool(names or line.speaker) and not cast.inward(line.text) and not cast.gesture(line.text)


def candidate(whole: Line, event: Event, trap: Trap, distance: int = 0) -> Candidate:
    line = opening(whole)
    return Candidate(quoted(line), event, trap, (is_speech(line), first_person(line.text)), distance)


def scene(narrative: Narrative, plan: Plan, cast: Cast, choice: str, *others: str) -> Scene:
    """The clip of a plan, and what its question names: first the choice that the key must not echo."""
    lines, _ = transcript(narrative.chart, plan)
    told = content_words(" ".join(line.text for line in lines))
    asked = " ".join((choice, *others))
    made = [at for at, line in enumerate(lines) if line.kind == "choice"]
    last = with_speakers(lines[made[-2] if len(made) > 1 else 0 :])
    return Scene(told, content_words(asked), choice, cast.mentioned(f"{last}\n{asked}"))


def candidates(
    narrative: Narrative,
    numbers: Iterable[int],
    barred: int,
    tells: Callable[[Line], bool],
    traps: Mapping[int, Trap],
    location: str,
    seed: str,
) -> list[Candidate]:
    """What may become a foil: of the line events `numbers` those that say nothing which one of `barred` (bits of
    events) says in other words, each in a wording that `tells` lets through, with its trap, `none` where none is given.
    """
    analysis = narrative.analysis
    pool: dict[str, Candidate] = {}
    for number in sorted(numbers):
        lines = [line for line in analysis.lines(number) if tells(line)]
        if lines and not narrative.similarity.alike(number, barred):
            distance = narrative.neighbourhood.distance(number, location)
            one = candidate(best_quote(lines, seed), analysis.event(number), traps.get(number, "none"), distance)
            pool[one.text] = one
    return list(pool.values())


def fitting_foils(
    key: Candidate, pool: Sequence[Candidate], around: Scene, wording: Wording, *, seed: str
) -> tuple[Candidate, ...] | None:
    """As many foils as the pool allows beside which the key is no echo of the choice, from no farther away than they
    may be and about people who are at hand; None where they are too few."""
    people = around.people | wording.cast.mentioned(key.text)
    near = (one for one in pool if one.distance <= wording.foils_within)
    pool = [one for one in near if wording.cast.mentioned(one.text) <= people]
    for count in range(wording.options - 1, wording.least - 2, -1):
        found = choose(key, pool, seed=seed, count=count, scene=around)
        if len(found) == count and not echo(key.text, around.choice, [key.text, *(foil.text for foil in found)]):
            return found
    return None


def best_quote(lines: Sequence[Line], seed: str) -> Line:
    """One wording of a line event, by hash."""
    return min(lines, key=lambda line: digest(seed, line.text))


def assemble(frame: dict[str, str], question: str, key: Candidate, foils: Sequence[Candidate], **rest: object) -> Draft:
    """A draft whose options stand in order of the hash of their text, so that the key has no place of its own."""
    options = sorted((key, *foils), key=lambda option: digest(option.text))
    return Draft.model_validate(
        {
            "question": question,
            "frame": frame,
            "options": [DraftOption(text=o.text, event=o.event) for o in options],
            "answer": key.text,
            "traps": {foil.text: foil.trap for foil in foils},
            **rest,
        }
    )
