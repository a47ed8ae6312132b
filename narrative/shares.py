"""Recorded shares of players, read from their file and matched with the decisions of a story.

A decision matches where it offers exactly the choices that the file lists. Every entry that cannot be used costs one
line, and the others stay.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from ..errors import InputError
from ..schemas.base import sha256
from ..schemas.grounding import Recipe, Recorded
from ..schemas.shares import SharedDecision, SharesFile
from ..schemas.yamlfile import YamlFile, invalid, load_yaml, validated
from .flowchart import Flowchart
from .occurrences import exact


class Entry(NamedTuple):
    """One decision of a file."""

    recorded: Recorded
    place: str
    """File and line, as they are named in messages."""
    sha256: str
    """Of the file."""

    @property
    def menu(self) -> frozenset[str]:
        """The choices offered, as they are compared."""
        return frozenset(self.recorded.chosen)

    @property
    def quote(self) -> str:
        """What is recorded, without how often each choice was made."""
        return f"{self.recorded}: {' / '.join(sorted(self.menu))}"

    def wrong(self, problem: str) -> InputError:
        path, _, line = self.place.rpartition(":")
        return InputError(path, problem, line)


class Shares(NamedTuple):
    """What was read, or matched, and what is wrong with the rest."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[InputError, ...] = ()


def read_shares(path: Path, name: str | None = None) -> Shares:
    """The entries of a file, which goes by `name` where it is cited. A file without source, date or a list of decisions
    is a problem as a whole."""
    try:
        file = load_yaml(path)
        head = validated(path, _without_decisions(file), SharesFile)
    except InputError as error:
        return Shares(problems=(error,))
    digest, entries, problems = sha256(path.read_bytes()), list[Entry](), list[InputError]()
    for number, listed in enumerate(file.data["decisions"]):
        try:
            entry = Entry(_recorded(head, listed), f"{name or path}:{file.locate(('decisions', number))}", digest)
            entries.append(_new(entry, entries))
        except ValidationError as error:
            problems.append(invalid(path, error, lambda place, at=number: file.locate(("decisions", at, *place))))  # type: ignore[misc]
        except InputError as error:
            problems.append(error)
    return Shares(tuple(entries), tuple(problems))


def matched(chart: Flowchart, shares: Shares) -> Shares:
    """The entries whose choices are offered at one explored place of the story, and no others; the problems with those
    that are not after those that were there."""
    menus = dict[frozenset[str], set[str]]()
    for number in range(len(chart)):
        state = chart.state(number)
        menus.setdefault(frozenset(exact(choice.text) for choice in state.choices), set()).add(state.location)
    kept = tuple(entry for entry in shares.entries if len(menus.get(entry.menu, ())) == 1)
    lost = [entry for entry in shares.entries if entry not in kept]
    return Shares(kept, (*shares.problems, *(entry.wrong(_unmatched(entry, menus, chart)) for entry in lost)))


def known(recipe: Recipe, entries: Sequence[Entry]) -> None:
    """Raises `InputError` for a recipe whose recorded shares stand in no entry."""
    if recipe.recorded is not None and all(entry.recorded != recipe.recorded for entry in entries):
        raise InputError("recorded shares", f"no file holds these figures any more ({recipe.recorded})")


def _unmatched(entry: Entry, menus: dict[frozenset[str], set[str]], chart: Flowchart) -> str:
    explored = "" if chart.complete else " explored so far"
    if places := len(menus.get(entry.menu, ())):
        return f"{places} places of the story offer these choices, so that it is unknown whose the shares are"
    offered = frozenset[str]().union(*menus)
    if missing := sorted(entry.menu - offered):
        return f"no decision{explored} offers {missing[0]!r}"
    nearest = max(menus, key=lambda menu: (len(menu & entry.menu), -len(menu), sorted(menu)))
    also = sorted(nearest - entry.menu)
    also_offered = f"; one that comes near offers {also[0]!r} too" if also else ""
    return f"no decision{explored} offers exactly these {len(entry.menu)} choices{also_offered}"


def _without_decisions(file: YamlFile) -> YamlFile:
    """The file with its list of decisions empty, so that each of them is checked by itself."""
    if isinstance(file.data, dict) and isinstance(file.data.get("decisions"), list):
        return file._replace(data=file.data | {"decisions": []})
    return file


def _recorded(head: SharesFile, listed: object) -> Recorded:
    decision = SharedDecision.model_validate(listed)
    counts = {text: float(count) for text, count in (decision.counts or {}).items()}
    n = decision.n or int(sum(counts.values()))
    # Six decimals are what a stored number keeps.
    chosen = counts or {text: round(share * n, 6) for text, share in (decision.shares or {}).items()}
    by_text = {exact(text): count for text, count in chosen.items()}
    return Recorded(source=head.source, date=head.date, n=n, chosen=by_text)


def _new(entry: Entry, before: Sequence[Entry]) -> Entry:
    for other in before:
        if other.menu == entry.menu:
            raise entry.wrong(f"the same choices as in line {other.place.rpartition(':')[2]}")
    return entry
