"""An audit as one static page."""

from itertools import groupby

from ..pages.render import render
from ..schemas.grounding import Event
from .evidence import bare
from .item import Audit

TONES = {"verified": "good", "moved": "wait", "missing": "bad", "contradicted": "bad", "not replayable": "bad"}


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
        happened=happened, tones=TONES, command=command,
    )  # fmt: skip


def _matches(event: Event) -> tuple[str, ...]:
    return (event.match,) if isinstance(event.match, str) else event.match
