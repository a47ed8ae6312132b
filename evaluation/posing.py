"""From a record to the exact request of a run: condition, what the model takes, the clip's film, worked examples."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..prompts.loader import Template
from ..schemas.item import Format
from ..schemas.release import ModelInput
from ..schemas.response import Response, Trace
from . import conditions, recognition
from .conditions import Condition
from .film import Films, Material, NoFilms, Takes, material, problem
from .prompt import Asked, Example, Transcripts, ask, in_letters, lines_of, template
from .shots import Shots


class Posing(NamedTuple):
    """What of a run's settings decides its requests."""

    model: str
    condition: str
    permutation_seed: int
    trace: Trace = "none"


@dataclass(frozen=True)
class Sight:
    """What the model takes, and what there is to show beside the transcripts."""

    takes: Takes = field(default_factory=Takes)
    films: Films = field(default_factory=NoFilms)
    shots: Shots = field(default_factory=Shots)


BLIND = Sight()


class Poser:
    """Makes the requests of one run. Raises `UsageError` for a condition that there is not."""

    def __init__(self, posing: Posing, transcripts: Transcripts, sight: Sight = BLIND) -> None:
        self.posing, self.transcripts, self.sight = posing, transcripts, sight
        self.condition: Condition = conditions.named(posing.condition)
        self.template: Template = recognition.template() if self.condition.probe else template()
        self._examples: dict[Format, list[Example]] = {}

    def ask(self, item: ModelInput) -> Asked:
        """The request for a record. Raises `UsageError` where its transcript, film or examples are missing."""
        got = material(self.condition, item, self.sight.takes, self.sight.films)
        return self._with(item, got, self._chosen(item.format))

    def check(self, item: ModelInput) -> None:
        """See that a record can be asked about, without making its request. Raises what `ask` raises."""
        got = material(self.condition, item, self.sight.takes, self.sight.films)
        if got.words:
            lines_of(item, self.transcripts)
        in_letters(item, [option.id for option in item.options])
        self._chosen(item.format)

    def again(self, item: ModelInput, stored: Response) -> tuple[Asked | None, str]:
        """The request that a stored reply says it answers, and what is wrong with what it says it was shown.

        No request where worked examples went before it: they lie in another release.
        """
        got = Material("transcript" in stored.given, stored.media)
        wrong = problem(self.condition, item, got)
        return (None if wrong or self.condition.shots else self._with(item, got, ())), wrong

    def _with(self, item: ModelInput, got: Material, examples: Sequence[Example]) -> Asked:
        model, _, seed, trace = self.posing
        if self.condition.probe:
            return recognition.ask(item, self.transcripts, model, self.condition, self.template, got)
        return ask(
            item,
            self.transcripts,
            model=model,
            condition=self.condition,
            seed=seed,
            template=self.template,
            trace=trace,
            material=got,
            examples=examples,
        )

    def _chosen(self, format: Format) -> list[Example]:
        """The same examples for every question of a format."""
        if format not in self._examples:
            self._examples[format] = self._made(format)
        return self._examples[format]

    def _made(self, format: Format) -> list[Example]:
        shots = self.sight.shots
        found = shots.chosen(self.condition.shots, format, self.posing.trace, self.posing.permutation_seed)
        return [
            Example(
                shot,
                shots.transcripts.get(shot.item.clip.media, ()),
                material(self.condition, shot.item, self.sight.takes, shots.films),
            )
            for shot in found
        ]
