"""The gates as the state machine uses them: on the public form of a proposal, before any model is paid."""

from collections.abc import Sequence

from ..anonymize.replace import Anonymizer
from ..checks.case import GateSettings, of_item
from ..checks.gates import GATES, run
from ..schemas.finding import Finding
from .context import Gates, Proposal

SUPPOSED = {"counterfactual": "instead", "behaviour": "did"}
"""The part of a question's frame whose words the key may not echo."""


def gates(anonymizer: Anonymizer, settings: GateSettings) -> Gates:
    """All gates. What a finding says of the key is left out: the code is enough for the proposing side."""
    telling = {gate.code for gate in GATES if gate.about_key}

    def check(proposal: Proposal) -> Sequence[Finding]:
        words = proposal.draft.frame.get(SUPPOSED.get(proposal.plan.claim, ""), "")
        case = of_item(
            proposal.item,
            proposal.clip.transcript,
            choice=anonymizer.text(words),
            anonymizer=anonymizer,
            settings=settings,
        )
        found = run(case)
        return [f.model_copy(update={"message": "", "place": ""}) if f.code in telling else f for f in found]

    return check
