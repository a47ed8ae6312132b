"""What of a clip's film reaches a model: native video and sound where it takes them, else pictures, else words.

Every file shown is cut to the clip: nothing outside its span exists in it.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from ..errors import UsageError
from ..llm.settings import MediaKind
from ..prompts.compose import KINDS
from ..schemas.clip import ClipRef
from ..schemas.release import ModelInput
from ..schemas.response import Form, Shown
from .conditions import Condition, Look


class Takes(NamedTuple):
    """What a model takes beside text."""

    kinds: frozenset[MediaKind] = frozenset()
    hears_video: bool = False
    """Whether it hears the sound of a video that it is shown."""
    offsets: bool = False
    """Whether it can be told from which second of a video to which it is to look."""

    @property
    def told(self) -> tuple[str, ...]:
        """As `run.json` says it."""
        return (*sorted(self.kinds), *(("sound of video",) if self.hears_video else ()))


class Films(Protocol):
    """The clips of a release as films."""

    def shows(self, clip: ClipRef) -> bool:
        """Whether a video shows the clip."""

    def sounds(self, clip: ClipRef) -> bool:
        """Whether that video has sound. Raises `UsageError` where it is not at hand."""

    def cut(self, clip: ClipRef, form: Form) -> tuple[Shown, ...]:
        """The clip in one form, cut to its span. Raises `UsageError` where its video is not at hand."""


class NoFilms:
    """Fulfils `Films` where no clip has one."""

    def shows(self, clip: ClipRef) -> bool:
        return False

    def sounds(self, clip: ClipRef) -> bool:
        return False

    def cut(self, clip: ClipRef, form: Form) -> tuple[Shown, ...]:
        raise UsageError(f"{clip.media}: no video shows this clip")


class Material(NamedTuple):
    """What stands for the clip in a request."""

    words: bool
    """Its transcript."""
    media: tuple[Shown, ...] = ()


def forms(condition: Condition, item: ModelInput, takes: Takes, films: Films) -> tuple[Form, ...]:
    """In which forms the clip is shown; none where the model takes no media, or the clip has no film."""
    look = condition.look
    if not takes.kinds or (look.picture, look.sound) == ("none", False) or not films.shows(item.clip):
        return ()
    return filmed(look, takes, lambda: films.sounds(item.clip))


def filmed(look: Look, takes: Takes, sounds: Callable[[], bool]) -> tuple[Form, ...]:
    """The forms of a clip that has a film; `sounds` says whether it can be heard, and is asked where that matters."""
    heard = look.sound and not takes.kinds.isdisjoint({"audio", "video"}) and sounds()
    picture = _picture(look, takes, heard)
    loose = heard and picture != "video" and "audio" in takes.kinds
    return (*((picture,) if picture else ()), *(("audio",) if loose else ()))


def _picture(look: Look, takes: Takes, heard: bool) -> Form | None:
    if look.picture == "moving" and "video" in takes.kinds:
        return "video" if heard and takes.hears_video else "silent"
    if look.picture == "none" or "image" not in takes.kinds:
        return None
    return "image" if look.picture == "still" else "frames"


def words(condition: Condition, item: ModelInput, shown: tuple[Form, ...]) -> bool:
    """Whether the transcript is shown. A clip that is counted in lines is its transcript: its film shows a play of it,
    and what was chosen stands in the lines alone."""
    said = condition.look.words
    heard = said == "unless heard" and item.clip.unit == "seconds" and not {"video", "audio"}.isdisjoint(shown)
    return said != "never" and not heard


def material(condition: Condition, item: ModelInput, takes: Takes, films: Films) -> Material:
    """What a model gets of a clip. Raises `UsageError` where the condition would show nothing, or its film is not
    at hand."""
    chosen = forms(condition, item, takes, films)
    needed = condition.look.picture == "still" or condition.look.words == "never"
    if condition.look.scene and needed and not {"image", "video"} & {KINDS[form] for form in chosen}:
        filmed = films.shows(item.clip)
        lacking = (
            "the model takes no pictures" if filmed else "no video shows its clip; --with-film leaves such items out"
        )
        raise UsageError(f"item {item.id}: {condition.name} has nothing to show: {lacking}")
    return Material(words(condition, item, chosen), tuple(one for form in chosen for one in films.cut(item.clip, form)))


def problem(condition: Condition, item: ModelInput, got: Material) -> str:
    """Why a stored input cannot be one of the condition; empty where it can."""
    shown = tuple(dict.fromkeys(one.form for one in got.media))
    look = condition.look
    pictures: dict[str, set[str]] = {"moving": {"video", "silent", "frames"}, "still": {"image"}, "none": set()}
    allowed = pictures[look.picture] | ({"audio"} if look.sound else set())
    if not look.sound:
        allowed -= {"video"}
    if extra := sorted(set(shown) - allowed):
        return f"was shown {', '.join(extra)}, which {condition.name} leaves out"
    if got.words != words(condition, item, shown):
        return f"{'has' if got.words else 'lacks'} the transcript, against {condition.name}"
    return ""
