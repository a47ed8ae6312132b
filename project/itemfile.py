"""An item as a person writes it, checked against the project and the story, every problem with its line."""

from dataclasses import dataclass
from pathlib import Path

from ..agents.narratives import Narrative
from ..agents.tracker import TIERS
from ..errors import InputError
from ..narrative.flowchart import Flowchart
from ..schemas.base import Record, plain
from ..schemas.grounding import Event, Window
from ..schemas.item import Coordinate, Draft, DraftOption, Plan, Trap
from ..schemas.yamlfile import Locate, Place, YamlFile, load_yaml, validated
from . import sources
from .folder import Project
from .ready import Ready

DRAFTED = ("question", "options", "others", "window", "target", "answer", "traps", "rationale")


class ItemFile(Record):
    """An item as a person writes it, with real names. The clip is the way to a decision, by indices of choices."""

    source: str
    """Path of the story, as `benchwright.yaml` states it, or the source's id."""
    capability: str
    interaction: str
    play: tuple[int, ...]
    """Choices from the start of the story to the decision."""
    taken: int
    """Choice taken at the decision, the last one that the clip shows."""
    first: int = 0
    """Decisions of `play` before the clip starts."""
    shown: int = 0
    """Lines of the choice's own reply that the clip still shows."""
    others: tuple[int, ...] = ()
    """Choices not taken; for a counterfactual the supposed one first."""
    window: Window = 0
    target: Event | None = None
    question: str
    options: tuple[DraftOption, ...]
    answer: str
    """Text of the option that is right."""
    traps: dict[str, Trap]
    """Trap of each other option, by its text."""
    rationale: str = ""


@dataclass(frozen=True)
class CheckedFile:
    """A checked file, which can still name the line of what is found wrong later."""

    path: Path
    item: ItemFile
    locate: Locate

    def wrong(self, place: Place, problem: str) -> InputError:
        return InputError(self.path, problem, self.locate(place))

    def source(self, project: Project, prepared: Ready) -> str:
        """The id of the source that the file names."""
        known = sources.sources_of(prepared.store)
        for name in prepared.narratives:
            if self.item.source in (name, known[name].path):
                return name
        listed = ", ".join(known[name].path for name in prepared.narratives)
        raise self.wrong(("source",), f"no source {self.item.source!r}; the project has {listed}")

    def coordinate(self, prepared: Ready) -> Coordinate:
        for place, name, known in (
            ("capability", self.item.capability, prepared.taxonomy.capabilities),
            ("interaction", self.item.interaction, prepared.taxonomy.interactions),
        ):
            if name not in known:
                raise self.wrong((place,), f"the taxonomy has no {place} {name!r}; it has {', '.join(known)}")
        return Coordinate(capability=self.item.capability, interaction=self.item.interaction)

    def plan(self, prepared: Ready, source_id: str) -> Plan:
        item, narrative = self.item, prepared.narratives[source_id]
        claim = prepared.taxonomy.capabilities[item.capability].claim
        if claim is None or claim not in TIERS:
            raise self.wrong(("capability",), f"labels of {item.capability} cannot be derived from a story yet")
        state = narrative.chart.state(self._decision(narrative.chart))
        if not 0 <= item.first <= len(item.play):
            raise self.wrong(("first",), f"expected 0 to {len(item.play)}, the decisions of `play`")
        protagonists = narrative.story.info.protagonists
        return Plan(
            claim=claim,
            play=item.play,
            taken=item.taken,
            first=item.first,
            shown=item.shown,
            location=state.location,
            protagonist=state.protagonist or next(iter(protagonists), None),
        )

    def draft(self, narrative: Narrative) -> Draft:
        """The draft, with the choices that its question supposes, for the gates that compare words, and with what is
        recorded of players at its decision."""
        item, state = self.item, self._decision(narrative.chart)
        offered, entry = narrative.chart.state(state).choices, narrative.shares_at(state)
        for place in item.others:
            if not 0 <= place < len(offered) or place == item.taken:
                raise self.wrong(("others",), f"choice {place} is not another one; there are 0 to {len(offered) - 1}")
        frame = {"did": offered[item.taken].text} | ({"instead": offered[item.others[0]].text} if item.others else {})
        recorded = entry.recorded if entry else None
        return Draft(frame=frame, recorded=recorded, **{name: getattr(item, name) for name in DRAFTED})

    def same_clip(self, plan: Plan, same_source: bool) -> None:
        item = self.item
        if not same_source or (item.play, item.taken, item.first, item.shown) != (
            plan.play, plan.taken, plan.first, plan.shown
        ):  # fmt: skip
            raise self.wrong(("play",), "an edit keeps source and clip; make a new item for another one")

    def _decision(self, chart: Flowchart) -> int:
        """Number of the state of the decision, which the play and the choice taken must lead through."""
        try:
            chart.follow((*self.item.play, self.item.taken))
        except LookupError as error:
            raise self.wrong(("play",), str(error.args[0])) from None
        return chart.state_at(self.item.play)


def read(path: Path) -> CheckedFile:
    """Raises `InputError` for a file that is no item: an unknown key, an answer that is no option, a missing trap."""
    data, locate = load_yaml(path)
    file = CheckedFile(path, validated(path, YamlFile(plain(data), locate), ItemFile), locate)
    texts = [option.text for option in file.item.options]
    if len(set(texts)) < len(texts):
        raise file.wrong(("options",), "two options have the same text")
    if file.item.answer not in texts:
        raise file.wrong(("answer",), "the answer is not the text of an option")
    if set(file.item.traps) != set(texts) - {file.item.answer}:
        raise file.wrong(("traps",), "every option but the answer needs one trap, by its text")
    return file
