"""An audit as a tree of lines: claim, evidence, verdict; the label; what each role saw."""

from collections.abc import Iterator

from .item import Audit


def tree(audit: Audit) -> Iterator[str]:
    """Unresolved first."""
    state = f"{len(audit.unresolved)} unresolved" if audit.unresolved else "sound"
    yield f"{audit.item.item_id}  {audit.outcome}  tier {audit.tier or '-'}  {state}"
    for line in audit.unresolved:
        yield f"  ! {line}"
    yield f"question: {audit.item.question}"
    for option in audit.item.options:
        trap = audit.item.traps.get(option.id, "")
        yield f"  {'*' if option.id in audit.key else ' '} {option.id} {option.text}{f'  [{trap}]' if trap else ''}"
    for claim in audit.claims:
        yield f"claim: {claim.text}: {claim.verdict}"
        for one in claim.evidence:
            quote = f" “{one.evidence.quote}” at" if one.evidence.quote and one.evidence.kind != "signal" else ""
            yield f"  {one.verdict:9} {one.evidence.kind}{quote} {one.evidence.place} ({one.note})"
    yield from _label(audit)
    for look in audit.looks:
        entry = look.entry
        read = "; ".join(f"{record} {', '.join(fields)}" for record, fields in look.fields.items())
        yield f"round {entry.round} {entry.node} {entry.run}: {look.rebuilt} ({look.note}): {read}"
        if look.forbidden:
            yield f"  FORBIDDEN to {entry.role}: {', '.join(look.forbidden)}"


def _label(audit: Audit) -> Iterator[str]:
    recipe, replay = audit.item.recipe, audit.replay
    if recipe is None:
        yield f"label: {replay.proof}"
        yield from (f"  cites {cue}" for cue in audit.item.cues)
        return
    yield f"label: {replay.verdict}: {', '.join(replay.true) or 'none'} true now; {replay.proof}"
    yield f"  recipe: {recipe.claim}, window {recipe.window}"
    yield f"  play: {','.join(map(str, recipe.play)) or 'start'} then {recipe.taken}"
    if recipe.recorded:
        yield f"  recorded: {recipe.recorded}"
        yield from (f"    {players:g} chose “{text}”" for text, players in recipe.recorded.chosen.items())
    if recipe.others:
        yield f"  instead: {','.join(map(str, recipe.others))}"
