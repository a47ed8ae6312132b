"""Subtitles as they are found: real files, odd encodings, times out of order, lines that roll up."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.media.subtitles import read_subtitles, sidecar
from benchwright.schemas.clip import Cue, Span
from hypothesis import given
from hypothesis import strategies as st

Write = Callable[[str | bytes], Path]
"""Writes a file and says where."""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(content: str | bytes) -> Path:
        path = tmp_path / "x.srt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def told(path: Path) -> list[tuple[float, float, str]]:
    return [(cue.start, cue.end, cue.text) for cue in read_subtitles(path)]


# Number of cues that show something, and the first of them, by reading the files.
REAL = {
    "pysrt__bom-utf-8.srt": (7, 6.5, "About 2 months ago I found myself on the comment section of YouTube"),
    "pysrt__bom-utf-16-be.srt": (7, 6.5, "About 2 months ago I found myself on the comment section of YouTube"),
    "pysrt__bom-utf-16-le.srt": (7, 6.5, "About 2 months ago I found myself on the comment section of YouTube"),
    "pysrt__no-indexes.srt": (7, 6.5, "About 2 months ago I found myself on the comment section of YouTube"),
    "pysrt__empty.srt": (5, 6.5, "About 2 months ago I found myself on the comment section of YouTube"),
    "pysrt__overlapping-dialogues.srt": (4, 0.0, "I am the 1st dialogue"),
    "webvtt-py__captions_with_bom.vtt": (4, 0.5, "Caption text #1"),
    "webvtt-py__comments.vtt": (3, 135.0, "- Ta en kopp varmt te. - Det är inte varmt."),
    "webvtt-py__regions.vtt": (2, 0.0, "Hi, my name is Fred"),
    "webvtt-py__non_padded_timestamps.vtt": (3, 0.0, "Good morning everyone."),
    "webvtt-py__styles_colours.srt": (6, 7.12, "Musique douce"),
    "webvtt-py__youtube_dl.vtt": (3, 286.07, "yeah"),
    "webvtt-py__missing_caption_text.srt": (4, 0.5, "Caption text #1"),
    "oop7_YTSage_issue102_rolling_excerpt.srt": (4, 17.84, "[Music] hi guys my name is roger welcome to a"),
    "ytdl-org_issue9038_autocaption_excerpt.vtt": (2, 1.0, "greetings and salutations thanks"),
    "McCloudS_subgen_issue21_asr_hallucination_excerpt.srt": (11, 0.0, " ".join(["Thanks for watching!"] * 4)),
}


@pytest.mark.parametrize("name", REAL)
def test_real_files(shared: Path, name: str) -> None:
    cues = read_subtitles(shared / "data" / "subs" / name)
    assert (len(cues), cues[0].start, cues[0].text) == REAL[name]
    assert [cue.start for cue in cues] == sorted(cue.start for cue in cues)
    assert not [cue.text for cue in cues if re.search(r"</?\w|\{\\|-->", cue.text)]


REFUSED = {
    "pysrt__bom-utf-32-le.srt": (1, "not UTF-8"),
    "srt__gb2312.srt": (3, "not UTF-8"),
    "pysrt__invalid.srt": (2, "the time '00:00:01 --> 00:00:10' cannot be read"),
    "webvtt-py__invalid_timeframe.vtt": (6, "the time '00:00:07.000 --> 00:00:1d.890' cannot be read"),
    "whisperX_issue1104_words_without_times.json": (None, "no subtitles"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_real_files_that_are_refused(shared: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_subtitles(shared / "data" / "subs" / name)
    line, said = REFUSED[name]
    assert caught.value.place == line
    assert said in caught.value.problem
    assert "\n" not in str(caught.value)


SRT = "1\n00:00:01,000 --> 00:00:02,500\nDémé tells Joonas.\n\n2\n00:00:03,000 --> 00:00:04,000\nBoth wait.\n"


@pytest.mark.parametrize(
    "raw",
    [SRT.encode(), SRT.encode("utf-8-sig"), SRT.encode("utf-16"), b"\xfe\xff" + SRT.encode("utf-16-be"),
     SRT.replace("\n", "\r\n").encode(), SRT.replace("\n", "\r").encode()],
    ids=["utf-8", "with a mark", "utf-16 le", "utf-16 be", "crlf", "cr"],
)  # fmt: skip
def test_encodings_and_line_ends(write: Write, raw: bytes) -> None:
    assert told(write(raw)) == [(1.0, 2.5, "Démé tells Joonas."), (3.0, 4.0, "Both wait.")]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_another_encoding_names_the_line_and_how_to_convert(write: Write, encoding: str) -> None:
    with pytest.raises(InputError, match=r"x\.srt:3: not UTF-8 \(byte 0xe9\); convert it, as with `iconv"):
        read_subtitles(write(SRT.encode(encoding)))


def test_order_overlap_and_what_is_never_shown(write: Write) -> None:
    text = (
        "1\n00:00:05,000 --> 00:00:06,000\nlater\n\n2\n00:00:01,000 --> 00:00:05,500\nover\n\n"
        "3\n00:00:02,000 --> 00:00:02,000\nhidden\n\n4\n00:00:08,000 --> 00:00:07,000\nbackwards\n"
    )
    assert told(write(text)) == [(1.0, 5.5, "over"), (5.0, 6.0, "later")]


ASS = """[Script Info]
ScriptType: v4.00+

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Vesna{\\i0} waits.\\NThen she goes.
Comment: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,not shown
Dialogue: x,0:00:02.50,0:00:02.80,Default,,a,b,c,,Odd margins.
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0 100 100{\\p0}
"""


def test_ass_without_comments_drawings_and_styles(tmp_path: Path) -> None:
    path = tmp_path / "x.ass"
    path.write_text(ASS)
    assert told(path) == [(1.0, 2.0, "Vesna waits. Then she goes."), (2.5, 2.8, "Odd margins.")]


@pytest.mark.parametrize("text", ["", "\n \n", "WEBVTT\n", ASS[: ASS.index("Dialogue")]], ids=repr)
def test_files_without_a_cue(write: Write, text: str) -> None:
    assert read_subtitles(write(text)) == []


def test_what_is_no_subtitle_file(write: Write, tmp_path: Path) -> None:
    for raw in ("Once upon a time.", b"\x00\x01\x02 binary", "{25}{50}frames\n{60}{90}more\n"):
        with pytest.raises(InputError):
            read_subtitles(write(raw))
    with pytest.raises(InputError, match="no such file"):
        read_subtitles(tmp_path / "missing.srt")


def test_said_twice_is_told_twice(write: Write) -> None:
    said = ["No!", "No!", "Yes.", "Oh."]
    text = "".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n + 1},000\n{word}\n\n" for n, word in enumerate(said))
    assert [text for *_, text in told(write(text))] == said


@given(st.text(max_size=200))
def test_any_text_gives_cues_or_one_line(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.srt"
        path.write_text("1\n00:00:01,000 --> 00:00:02,000\n" + text, encoding="utf-8", errors="replace", newline="")
        try:
            cues, said = read_subtitles(path), ""
        except InputError as error:
            cues, said = [], str(error)
    assert "\n" not in said
    assert all(isinstance(cue, Cue) and cue.text.strip() for cue in cues)


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (["x.srt", "x.vtt", "x.en.srt"], "x.srt"),
        (["x.vtt", "x.ass"], "x.vtt"),
        (["x.de.srt", "x.en.vtt"], "x.en.vtt"),
        (["x.pt-BR.srt", "y.srt", "x.nfo"], "x.pt-BR.srt"),
        (["y.srt", "xx.srt", "x.txt", "x.chapters.srt"], None),
    ],
)
def test_a_sidecar_is_found_by_its_name(tmp_path: Path, there: list[str], found: str | None) -> None:
    for name in there:
        (tmp_path / name).touch()
    got = sidecar(tmp_path / "x.mp4")
    assert (got and got.name) == found


def test_spans() -> None:
    span = Span(start=1.00049, end=2)
    assert (span.start, span.duration) == (1.0, 1.0)
    with pytest.raises(ValueError, match="cannot start"):
        Span(start=2, end=1)
