"""Subtitles beside a video: SubRip, WebVTT and ASS files as a list of cues, in order of time and without markup."""

import html
import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from ..errors import InputError
from ..schemas.clip import Cue

SUFFIXES = (".srt", ".vtt", ".ass")
"""In the order in which they are looked for."""
FORMATS = ("srt", "vtt", "ass", "ssa")
ARROW = "-->"
TAG = re.compile(r"<[^<>\n]{1,200}>|\{\\[^{}\n]*\}")
SECTION = re.compile(r"^\[(?:Script Info|Events|V4\+? Styles)\]", re.MULTILINE | re.IGNORECASE)
"""What makes a file ASS or SSA, even where other sections are missing."""
TIME = re.compile(r"(?<![\d:.,])(?:(\d+):)?(\d{1,2}):(\d{1,2})([.,])(\d{1,3})(?![\d:.,])")
"""A time as some programs write it, its parts without leading zeros."""
NEAR = 0.1
"""Seconds between two cues that follow each other at once."""
ROLLING = 0.3
"""Share of such pairs of cues with a line in common, from which a file is one whose lines roll up."""


def read_subtitles(path: Path) -> list[Cue]:
    """The cues that show something, by start and end; a file without any gives none.

    UTF-8, or UTF-16 with a byte-order mark. Lines that roll up, as machine captions have them, are told once. Raises
    `InputError`, one line with the place, for another encoding, another format, or a time that cannot be read.
    """
    import pysubs2

    text = "\n".join(_padded(line) if ARROW in line else line for line in _decoded(path).split("\n"))
    if not text.strip():
        return []
    try:
        # It warns of margins and layers that it cannot read, which nobody here asks for.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            file = pysubs2.SSAFile.from_string(text, "ass" if SECTION.search(text) else None)
    except (pysubs2.Pysubs2Error, ValueError, KeyError, IndexError):
        raise _unread(path, text) from None
    if file.format not in FORMATS:
        raise InputError(path, f"subtitles of the format {file.format} are not read; convert them to .srt or .vtt")
    cues = [
        Cue(start=event.start / 1000, end=event.end / 1000, text=_plain(path, text, event.plaintext, str(file.format)))
        for event in file
        if not event.is_comment and not event.is_drawing and 0 <= event.start < event.end
    ]
    if ARROW in text and not len(file):
        raise _unread(path, text)
    return _unrolled(sorted((cue for cue in cues if cue.text), key=lambda cue: (cue.start, cue.end)))


def sidecar(video: Path, language: str = "en") -> Path | None:
    """The subtitle file that lies beside a video under its name: `x.srt`, `x.vtt`, `x.ass`, or `x.en.srt` and so on.

    A name without a language comes first, then `language`, then any other by the alphabet.
    """
    exact = [video.with_suffix(suffix) for suffix in SUFFIXES]
    named = [video.with_suffix(f".{language}{suffix}") for suffix in SUFFIXES]
    others = sorted(
        path
        for path in _beside(video)
        if path.suffix.lower() in SUFFIXES and re.fullmatch(r"[A-Za-z]{2,3}(-\w+)?", Path(path.stem).suffix[1:])
        if Path(path.stem).stem == video.stem
    )
    return next((path for path in [*exact, *named, *others] if path.is_file()), None)


def _beside(video: Path) -> Iterable[Path]:
    try:
        return list(video.parent.iterdir())
    except OSError:
        return ()


def _decoded(path: Path) -> str:
    """The text of the file, its line ends as line feeds."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(path, (error.strerror or str(error)).lower()) from None
    wide = raw[:2] in (b"\xff\xfe", b"\xfe\xff") and raw[2:4] != b"\0\0"
    encoding = ("utf-16", "UTF-16") if wide else ("utf-8-sig", "UTF-8")
    try:
        text = raw.decode(encoding[0])
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        remedy = "convert it, as with `iconv -f WINDOWS-1252 -t UTF-8`, if that is what it is in"
        raise InputError(path, f"not {encoding[1]} (byte 0x{raw[error.start]:02x}); {remedy}", line) from None
    if "\0" in text:
        raise InputError(path, "no subtitles: it holds zero bytes", text.count("\n", 0, text.index("\0")) + 1)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _padded(line: str) -> str:
    """A line of times with all their zeros."""

    def full(match: re.Match[str]) -> str:
        hours, minutes, secs, point, part = match.groups(default="0")
        return f"{hours:0>2}:{minutes:0>2}:{secs:0>2}{point}{part:0<3}"

    return TIME.sub(full, line)


def _unread(path: Path, text: str) -> InputError:
    """What to say of a file without one cue that can be read: the first line that should have been a time."""
    lines = text.split("\n")
    place = next((number for number, line in enumerate(lines, 1) if ARROW in line), None)
    if place is not None:
        return InputError(path, f"the time {lines[place - 1].strip()!r} cannot be read", place)
    return InputError(path, "no subtitles that are read here; expected .srt, .vtt or .ass")


def _plain(path: Path, whole: str, text: str, kind: str) -> str:
    """The words of a cue on one line. Raises `InputError` where a time that could not be read became part of them."""
    if ARROW in text:
        wrong = next(line for line in text.split("\n") if ARROW in line)
        place = next((number for number, line in enumerate(whole.split("\n"), 1) if wrong.strip() in line), None)
        raise InputError(path, f"the time {wrong.strip()!r} cannot be read", place)
    if kind == "vtt":
        text = text.lstrip("\n").partition("\n\n")[0]  # what follows an empty line is a note, or the next cue's name
    bare = TAG.sub("", text)
    lines = (html.unescape(line) if kind in ("srt", "vtt") else line for line in bare.split("\n"))
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def _unrolled(cues: list[Cue]) -> list[Cue]:
    """Cues with each rolled-up line in the first of them alone, and the lines of every cue joined."""
    lines = [cue.text.split("\n") for cue in cues]
    near = [after.start - before.end <= NEAR for before, after in pairwise(cues)]
    again = [close and bool({*one} & {*two}) for close, (one, two) in zip(near, pairwise(lines), strict=True)]
    if sum(again) > ROLLING * max(1, sum(near)) and sum(again) > 1:
        lines = [lines[0], *_fresh(lines, near)]
    told = zip(cues, lines, strict=True)
    return [Cue(start=cue.start, end=cue.end, text=" ".join(kept)) for cue, kept in told if kept]


def _fresh(lines: list[list[str]], near: list[bool]) -> Iterator[list[str]]:
    for close, (before, now) in zip(near, pairwise(lines), strict=True):
        yield [line for line in now if line not in before] if close else now
