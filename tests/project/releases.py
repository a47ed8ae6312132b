"""A small release by hand, with choice and open questions, as `open_release` finds one."""

from pathlib import Path

from benchwright.schemas.base import digest
from benchwright.schemas.clip import ClipRef, TranscriptLine
from benchwright.schemas.files import to_line
from benchwright.schemas.item import Option
from benchwright.schemas.release import KeyRow, Manifest, MediaRow, ModelInput

THINGS = ("lantern", "boat", "letter", "key")


def item(number: int, format: str) -> ModelInput:
    identity = f"i{number:012d}"
    texts = sorted((f"Alpha takes the {thing} {number}" for thing in THINGS), key=lambda text: digest(identity, text))
    options = tuple(Option(id=f"o{place}", text=text) for place, text in enumerate(texts, 1))
    return ModelInput.model_validate(
        {
            "id": identity,
            "capability": "counterfactual" if number % 2 else "empathy",
            "interaction": "negotiation",
            "format": format,
            "clip": ClipRef(media=f"media/c{number}.json", start=0, end=2, unit="lines"),
            "background": f"Alpha and Beta share house {number}.",
            "question": f"What does Alpha do ({number})?",
            "options": () if format == "open" else options,
        }
    )


def key(one: ModelInput) -> KeyRow:
    return KeyRow.model_validate(
        {
            "id": one.id,
            "answer": ("o1",) if one.options else (),
            "answer_text": one.options[0].text if one.options else f"reference {one.id[-2:]}",
            "traps": {option.id: "none" for option in one.options[1:]},
            "cues": (f"cue of {one.id}",),
            "tier": "B",
            "status": "answerable",
            "episode": f"e{one.id}",
            "story": "s1",
        }
    )


def made(folder: Path, formats: str = "so" * 6) -> Path:
    """A release with one item for each letter: `s` a choice of four, `o` an open question; each has its own clip."""
    named = {"s": "single", "m": "multiple", "o": "open"}
    items = [item(number, named[letter]) for number, letter in enumerate(formats, 1)]
    for name in ("model_input", "answers", "media"):
        (folder / name).mkdir(parents=True)
    write(folder / "model_input" / "test.jsonl", items)
    write(folder / "answers" / "key.jsonl", [key(one) for one in items])
    write(folder / "media" / "manifest.jsonl", [media(one) for one in items])
    for number, one in enumerate(items, 1):
        told = [TranscriptLine(text=f"It rains on day {number}."), TranscriptLine(text="Where?", speaker="Beta")]
        (folder / one.clip.media).write_bytes(to_line(told))
    write(folder / "release.json", [manifest()])
    return folder


def media(one: ModelInput) -> MediaRow:
    return MediaRow(
        media=one.clip.media, source_id="s1", start=0, end=2, unit="lines", sha256="sha256:0", license="CC0-1.0"
    )


def manifest() -> Manifest:
    return Manifest(
        name="small", version="1.0.0", date="2031-01-02", canary="c", license="CC0-1.0", reviewed=False, counts={},
        files={}, prompts={}, policies={}, permutation_seed=42, resampler_id="r", isolation_root="i", tool_version="0",
    )  # fmt: skip


def write(path: Path, records: list[ModelInput] | list[KeyRow] | list[MediaRow] | list[Manifest]) -> None:
    path.write_bytes(b"".join(map(to_line, records)))
