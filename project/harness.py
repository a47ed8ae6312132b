"""A release as other harnesses ask it: the requests of our own runs, for the plug-ins that lie in each release.

Nothing is worded or ordered anew: a question is our request, taken apart, and a reply is read by our parser, so that
`score` takes the logs of another harness as it takes our own runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from ..errors import UsageError
from ..evaluation.conditions import expanded
from ..evaluation.film import Takes
from ..evaluation.posing import Poser, Posing, Sight
from ..evaluation.prompt import PARAMETERS, Asked
from ..llm.settings import MediaKind
from ..release.layout import KEYS
from ..schemas.base import Record, classed
from ..schemas.call import Reply
from ..schemas.release import KeyRow
from ..schemas.response import Sampling, Shown
from .films import Films, of_release
from .histories import under
from .releases import Release, open_release, outside

MAX_TOKENS: int = PARAMETERS["max_tokens"]
HEARS = "sound of video"


class Told(Record):
    """What a log must hold beside each reply, so that `score` knows what was asked."""

    schema_: Literal["benchwright/harness/1"] = classed("public", "benchwright/harness/1", alias="schema")
    id: str = classed("public")
    release: str = classed("public")
    release_sha256: str = classed("public")
    condition: str = classed("public")
    prompt_sha256: str = classed("public")
    takes: tuple[str, ...] = classed("public", ())
    frames: Sampling = classed("public", "1fps")
    given: tuple[str, ...] = classed("public", ())
    media: tuple[Shown, ...] = classed("public", ())


class Setting(NamedTuple):
    """What of a harness decides its requests."""

    condition: str = "full"
    media: str = ""
    """A video, or a folder of videos; several are joined by commas. Harnesses change folders: give whole paths."""
    takes: str = ""
    """Media that the model takes, joined by commas: `image`, `video`, `audio`, and `sound of video`."""
    frames: Sampling = "1fps"
    work: str = "~/.cache/benchwright/media"
    """Folder that keeps what was cut from videos."""


PLAIN = Setting()


class Piece(NamedTuple):
    """One piece of a message, in order: words, or a file to show."""

    kind: Literal["text", "image", "video", "audio"]
    text: str = ""
    file: Path | None = None


@dataclass(frozen=True)
class Question:
    """One item as a model is asked it."""

    id: str
    system: str
    user: tuple[Piece, ...]
    target: str
    """Letters of the answer, joined by commas, or the reference text; empty where the answers are withheld."""
    told: Told
    asked: Asked

    @property
    def text(self) -> str:
        """All that is said, in one string, for models without roles."""
        return text_of(self.asked)

    @property
    def metadata(self) -> dict[str, Any]:
        """What the log is to hold, as JSON types."""
        return self.told.model_dump(mode="json", by_alias=True)

    def letters(self, reply: str, *, truncated: bool = False) -> str:
        """The letters that a reply chooses, joined by commas; empty where it chooses none."""
        parsed = self.asked.read(Reply(text=reply, status="truncated" if truncated else "ok"))
        return ",".join(letter for letter, option in self.asked.letters.items() if option.id in parsed.ids)

    def credit(self, reply: str, *, truncated: bool = False) -> float | None:
        """1 for the exact answer, else 0. None where no code can tell: an open question, or no key."""
        if not self.asked.letters or not self.target:
            return None
        return float(self.letters(reply, truncated=truncated) == self.target)


def text_of(asked: Asked) -> str:
    """The words of a request in one string: what a log is held against."""
    parts = (part for message in asked.request.messages for part in message.parts)
    return "\n\n".join(part.text for part in parts if part.kind == "text")


def questions(release: Path, setting: Setting = PLAIN) -> list[Question]:
    """Every item of a release as a model under test is asked it, by id.

    Raises `InputError` for a folder that is no release, `UsageError` for a condition that cannot be asked, a video that
    is not at hand, or pieces of videos that would be kept in a release.
    """
    return list(_all(release.resolve(), setting).values())


def question(release: Path, item: str, setting: Setting = PLAIN) -> Question:
    """One of them; the others are made once, and kept."""
    return _all(release.resolve(), setting)[item]


@cache
def _all(release: Path, setting: Setting) -> dict[str, Question]:
    opened = open_release(release)
    condition, *others = expanded(setting.condition)
    if others or condition.shots or condition.probe:
        raise UsageError(f"condition {setting.condition!r}: a plug-in asks one plain condition; use `evaluate`")
    takes = _takes(setting.takes)
    places = [Path(place).expanduser() for place in setting.media.split(",") if place]
    films = of_release(opened, outside(Path(setting.work).expanduser()), places, setting.frames)
    seed = opened.manifest.permutation_seed
    poser = Poser(Posing("", condition.name, seed), opened.transcripts(), Sight(takes, films))
    keys = _keys(opened)
    told = Told(
        id="", release=opened.title, release_sha256=opened.sha256, condition=condition.name,
        prompt_sha256=poser.template.sha256, takes=takes.told, frames=setting.frames,
    )  # fmt: skip
    inputs = sorted(under(opened.inputs(), condition), key=lambda item: item.id)
    return {item.id: _question(item.id, poser.ask(item), films, keys.get(item.id), told) for item in inputs}


def _question(item: str, asked: Asked, films: Films, key: KeyRow | None, told: Told) -> Question:
    system, user = asked.request.messages
    pieces = [
        Piece("text", part.text)
        if part.media_sha256 is None
        else Piece(part.kind, file=films.shelf.medium(part.media_sha256).path.resolve())
        for part in user.parts
    ]
    own = told.model_copy(update={"id": item, "given": asked.given, "media": asked.media})
    said = "\n\n".join(part.text for part in system.parts)
    return Question(item, said, tuple(_joined(pieces)), _target(asked, key), own, asked)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Words that follow each other, as one piece: what our own clients send for them is the same."""
    made: list[Piece] = []
    for piece in pieces:
        if made and piece.kind == made[-1].kind == "text":
            made[-1] = Piece("text", f"{made[-1].text}\n\n{piece.text}")
        else:
            made.append(piece)
    return made


def _target(asked: Asked, key: KeyRow | None) -> str:
    if key is None or not asked.letters:
        return "" if key is None else key.answer_text
    return ",".join(letter for letter, option in asked.letters.items() if option.id in key.answer)


def _keys(release: Release) -> dict[str, KeyRow]:
    """By id; none where the answers are withheld."""
    rows = release.keys() if (release.folder / KEYS).exists() else ()
    return {key.id: key for key in rows}


def _takes(named: str) -> Takes:
    known: tuple[MediaKind, ...] = get_args(MediaKind)
    wanted = [name.strip() for name in named.split(",") if name.strip()]
    if unknown := [name for name in wanted if name not in (*known, HEARS)]:
        raise UsageError(f"a model takes {', '.join(known)} or {HEARS!r}, not {unknown[0]!r}")
    return Takes(frozenset(kind for kind in known if kind in wanted), HEARS in wanted)
