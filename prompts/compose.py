"""How a question is laid out for any model: labelled parts under the headings of a template, options under letters.

The Answer agent and the models under test are asked in the same way; only the template differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from types import MappingProxyType
from typing import Literal

from ..schemas.call import Part
from ..schemas.clip import TranscriptLine
from ..schemas.item import Option
from ..schemas.response import Form, Shown
from .loader import Template

OPTION = "option:"
KINDS: Mapping[Form, Literal["image", "video", "audio"]] = MappingProxyType(
    {"video": "video", "silent": "video", "frames": "image", "image": "image", "audio": "audio"}
)
"""What each form of a clip is to a client."""


def lettered(options: Sequence[Option]) -> dict[str, Option]:
    """Options by letter, in the order given. Raises `ValueError` for more than 26."""
    if len(options) > len(ascii_uppercase):
        raise ValueError(f"{len(options)} options; at most {len(ascii_uppercase)} can be lettered")
    return dict(zip(ascii_uppercase, options, strict=False))


def part(template: Template, name: str, **variables: object) -> Part:
    """One part of a template, filled in, under its own name."""
    return Part(label=name, text=template.render_part(name, **variables))


def scene(
    template: Template, background: str, transcript: Sequence[TranscriptLine], history: Sequence[str]
) -> Iterator[Part]:
    """What the question is about; parts that would be empty are left out, but for the transcript."""
    if background:
        yield part(template, "background", background=background)
    yield part(template, "transcript", transcript=transcript)
    if history:
        yield part(template, "history", history=history)


def film(template: Template, media: Sequence[Shown]) -> Iterator[Part]:
    """Each form under its heading; pictures are told by their seconds from the start of the clip."""
    for form in dict.fromkeys(one.form for one in media):
        own = [one for one in media if one.form == form]
        yield part(template, "film", form=form, times=[f"{one.end - one.start:.1f}" for one in own])
        yield from map(_shown, own)


def _shown(one: Shown) -> Part:
    cut = Part(kind=KINDS[one.form], label=one.form, media_sha256=one.sha256)
    return cut.model_copy(update={"start": one.start, "end": one.end}) if one.whole else cut


def question(template: Template, text: str, letters: Mapping[str, Option]) -> Iterator[Part]:
    yield part(template, "question", question=text)
    for letter, option in letters.items():
        yield Part(label=f"{OPTION}{letter}", text=template.render_part("option", letter=letter, text=option.text))
