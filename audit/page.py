"""An audit as one static page."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from ..pages.render import render
from ..schemas.grounding import Event
from .evidence import Told, bare
from .item import Audit

TONES = {"verified": "good", "moved": "wait", "missing": "bad", "contradicted": "bad", "not replayable": "bad"}


class Choice(NamedTuple):
    """One choice that was offered on the way."""

    text: str
    lit: str
    """`taken`, `supposed`, or empty."""
    option: str
    """The option whose event it is; empty for none."""


def audit_page(audit: Audit, command: str) -> str:
    """The HTML file; `command` makes it again."""
    rounds = [(number, list(own)) for number, own in groupby(audit.looks, key=lambda look: look.entry.round)]
    texts = {option.id: option.text for option in audit.item.options}
    known = audit.item.recipe.events if audit.item.recipe else {}
    events = {option: "; ".join(_matches(event)) for option, event in known.items()}
    where = {
        bare(text): option
        for option, event in known.items()
        if event.kind in ("line", "choice")
        for text in _matches(event)
    }
    happened = {told.text: where[bare(told.text)] for branch in audit.branches for told in branch.told
                if bare(told.text) in where}  # fmt: skip
    return render(
        "audit.html", audit=audit, item=audit.item, rounds=rounds, texts=texts, events=events,
        happened=happened, tones=TONES, command=command, lines=_script(audit), steps=list(_steps(audit, where)),
    )  # fmt: skip


def _steps(audit: Audit, where: Mapping[str, str]) -> Iterator[tuple[int, list[Choice]]]:
    """Each decision of the clip, by number, with what was offered there."""
    recipe = audit.item.recipe
    last = len(recipe.play) if recipe else None
    supposed = recipe.others[0] if recipe and recipe.claim == "counterfactual" else None
    for menu in audit.menus[audit.first :]:
        lit = {menu.taken: "taken"} | ({supposed: "supposed"} if menu.after == last and supposed is not None else {})
        option = {menu.taken: where.get(bare(menu.offered[menu.taken]), "")}
        choices = [Choice(text, lit.get(at, ""), option.get(at, "")) for at, text in enumerate(menu.offered)]
        yield menu.after + 1, choices


def _script(audit: Audit) -> list[tuple[Told, bool]]:
    """The clip in the story's own words, each line with whether a claim cites it."""
    cited = {bare(one.evidence.quote) for claim in audit.claims for one in claim.evidence if one.evidence.quote}
    return [(told, bare(told.text) in cited) for told in audit.way if told.after >= audit.first]


def _matches(event: Event) -> tuple[str, ...]:
    return (event.match,) if isinstance(event.match, str) else event.match
