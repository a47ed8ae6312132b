"""The gates as the state machine uses them: on the public form of a proposal, before any model is paid."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..anonymize.replace import Anonymizer
from ..checks.case import GateSettings, of_item
from ..checks.gates import run, without_key
from ..schemas.finding import Finding
from ..schemas.item import Draft
from ..schemas.view import Feedback
from .context import Gates, Proposal

REFUSED = "refused"
"""What the Question agent hears where only gates that tell about the key refuse: not which of them."""

SUPPOSED = {"counterfactual": "instead", "behaviour": "did", "causal_antecedent": "event"}
"""The part of a question's frame whose words the key may not echo."""


def gates(
    anonymizer: Anonymizer, settings: GateSettings, options: Mapping[str, tuple[int, int]] | None = None
) -> Gates:
    """All gates, with the project's names and bounds. `options` has the fewest and most of capabilities that differ."""

    def check(proposal: Proposal) -> Sequence[Finding]:
        least, most = (options or {}).get(proposal.item.capability, (settings.least_options, settings.most_options))
        frame = proposal.made.frame if isinstance(proposal.made, Draft) else {}
        words = frame.get(SUPPOSED.get(proposal.plan.claim, ""), "")
        case = of_item(
            proposal.item,
            proposal.clip.transcript,
            choice=anonymizer.text(words),
            anonymizer=anonymizer,
            settings=replace(settings, least_options=least, most_options=most),
        )
        return run(case)

    return check


def feedback(node: str, findings: Sequence[Finding], *, knows: bool = False) -> Feedback | None:
    """What a proposing node hears of what refuses its proposal; None where nothing does.

    The Generator knows the key, and so does whoever wrote the candidate itself (`knows`). The Question agent must not
    learn that of a derived item, neither from a message nor from a code.
    """
    errors = [finding for finding in findings if finding.severity == "error"]
    heard = errors if knows or node == "generator" else without_key(errors)
    if not errors:
        return None
    if not heard:
        return Feedback(code=REFUSED, message="")
    return Feedback(code=heard[0].code, message="; ".join(f"{one.place} {one.message}" for one in heard))
