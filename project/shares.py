"""What players of the project's stories were recorded to choose: the files of `shares`, matched with the stories."""

from collections.abc import Mapping
from typing import NamedTuple

from ..agents.narratives import Narrative, Narratives
from ..errors import InputError
from ..narrative.shares import Shares, matched, read_shares
from ..schemas.source import Source
from .folder import Project
from .sources import located


class Joined(NamedTuple):
    """Stories with what is recorded of their players, and one line for every entry that cannot be used."""

    narratives: dict[str, Narrative]
    problems: tuple[InputError, ...]


def joined(project: Project, narratives: Narratives, known: Mapping[str, Source]) -> Joined:
    """The narratives, each with those recorded shares that match a decision of it. `known` is the source of each."""
    found, problems = dict[str, Narrative](), list[InputError]()
    for source_id, narrative in narratives.items():
        shares = matched(narrative.chart, recorded(project, known[source_id].path))
        found[source_id] = narrative._replace(shares=shares.entries)
        problems += shares.problems
    return Joined(found, tuple(problems))


def recorded(project: Project, story: str) -> Shares:
    """What the file says that stands beside a story, whose path is as the configuration states it; none without one."""
    files = (entry.shares for entry in project.config.sources if entry.path == story)
    given = next((file for file in files if file), None)
    return read_shares(located(project, given), given) if given else Shares()
