"""Prompts are files: one Markdown file each, strict about its variables, known by the hash of its bytes.

A template may be cut into named parts by lines of the form `<!-- part: NAME -->`. The cuts are made in the template
before it is filled, so that nothing a transcript or a reply says can open a part of its own.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources

import jinja2
from jinja2 import meta

from ..errors import UsageError
from ..schemas.base import sha256

PART = re.compile(r"^<!-- part: ([a-z-]+) -->\n", re.MULTILINE)


@dataclass(frozen=True)
class Template:
    """One template. `sha256` is the hash of the file's bytes; `parts` holds the text of each named part in order."""

    id: str
    text: str
    sha256: str
    parts: Mapping[str, str]

    def render(self, **variables: object) -> str:
        """The whole template filled in. Raises `UsageError` for a missing or an unknown variable."""
        return _fill(self.id, PART.sub("", self.text), variables)

    def render_part(self, part: str, **variables: object) -> str:
        """One named part filled in; raises `UsageError` where there is none of that name."""
        if part not in self.parts:
            raise UsageError(f"prompt {self.id} has no part {part!r}; it has {', '.join(self.parts) or 'none'}")
        return _fill(f"{self.id}, part {part}", self.parts[part], variables)


def load(prompt_id: str) -> Template:
    """Read `prompts/<prompt_id>.md`. Raises `UsageError` where there is none."""
    file = resources.files(__package__).joinpath(f"{prompt_id}.md")
    if not re.fullmatch(r"[a-z0-9_-]+", prompt_id) or not file.is_file():
        raise UsageError(f"there is no prompt {prompt_id!r}")
    return from_bytes(prompt_id, file.read_bytes())


def joined(own: Template, shared: Template) -> Template:
    """A template with the parts of another beside its own, known by its own id and by the hash of both."""
    text = f"{own.text}\n{shared.text}"
    return replace(from_bytes(own.id, text.encode()), sha256=sha256(f"{own.sha256} {shared.sha256}".encode()))


def from_bytes(prompt_id: str, data: bytes) -> Template:
    """A prompt from the bytes of a Markdown file."""
    text = data.decode("utf-8")
    pieces = PART.split(text)
    names, bodies = pieces[1::2], pieces[2::2]
    if len(set(names)) < len(names):
        raise UsageError(f"prompt {prompt_id}: a part is named twice")
    return Template(prompt_id, text, sha256(data), dict(zip(names, bodies, strict=True)))


def _fill(place: str, source: str, variables: Mapping[str, object]) -> str:
    template, wanted = _compile(source)
    if problems := [f"missing {name}" for name in sorted(wanted - variables.keys())] + [
        f"unknown {name}" for name in sorted(variables.keys() - wanted)
    ]:
        raise UsageError(f"prompt {place}: {', '.join(problems)}")
    return template.render(**variables).strip()


@functools.lru_cache(maxsize=64)
def _compile(source: str) -> tuple[jinja2.Template, set[str]]:
    # Not HTML: escaping would change the words that the model reads.
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.filters["line"] = _line
    return environment.from_string(source), meta.find_undeclared_variables(environment.parse(source))


def _line(text: object) -> str:
    """On one line, whatever it holds: material that a template puts behind a number, a letter or a dash cannot begin a
    line of its own."""
    return " ".join(str(text).split())
