"""What a file is, its content says; every file that is no story costs one line."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import InputError
from benchwright.narrative.stories import open_story

STORIES = Path(__file__).parent / "stories"
OWN = (STORIES / "bridge.story.yaml").read_bytes()


@pytest.fixture
def write(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


@pytest.mark.parametrize("name", ["a.ink.json", "a.json", "a.ink", "a.txt", "a", "A.JSON"])
def test_compiled_ink_by_any_name(write, name):
    pytest.importorskip("bink")
    assert open_story(write(name, (STORIES / "fallback.ink.json").read_bytes())).info.format == "ink"


@pytest.mark.parametrize("name", ["a.story.yaml", "a.yml", "a.txt", "a"])
def test_our_format_in_yaml(write, name):
    assert open_story(write(name, OWN)).info.title == "The bridge"
    assert open_story(write(name, b"\xef\xbb\xbf" + OWN.replace(b"\n", b"\r\n"))).info.title == "The bridge"


@pytest.mark.parametrize("name", ["a.story.json", "a.yaml", "a"])
def test_our_format_in_json(write, name):
    story = {
        "benchwright_story": 1,
        "title": "T",
        "protagonists": ["A"],
        "start": "s",
        "states": {"s": {"ending": "E"}},
    }
    assert open_story(write(name, json.dumps(story))).runtime().start().ending == "E"


@pytest.mark.parametrize("version", [11, 19, 22, "21", None, [21]])
def test_other_versions_say_which_came_and_which_are_read(write, version):
    path = write("a.ink.json", json.dumps({"inkVersion": version, "root": [[], "done", None]}))
    with pytest.raises(InputError) as raised:
        open_story(path)
    expected = (
        f"{path}:/inkVersion: compiled as inkVersion {version!r}; 20 and 21 are read: compile the .ink source again"
    )
    assert str(raised.value) == expected


def test_version_20_is_played(write):
    pytest.importorskip("bink")
    told = ["^Hi.", "\n", {"#": "chapter: Old"}, "^Bye.", "\n", "end", None]
    old = json.dumps({"inkVersion": 20, "root": [told, "done", None], "listDefs": {}})
    runtime = open_story(write("a.ink.json", old)).runtime()
    step = runtime.start()
    assert ([line.text for line in step.lines], step.chapter) == (["Hi.", "Bye."], "Old")
    runtime.close()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", '{"inkVersion": 21,\n "root": [}', ":2:11: malformed JSON: Expecting value"),
        ("a.ink.json", "", ":1:1: malformed JSON"),
        ("a.json", "[1, 2]", ": no story that is read here"),
        ("a.json", "{}", "neither inkVersion nor benchwright_story"),
        ("a.json", '{"inkVersion": 21}', ":/root: no compiled Ink"),
        ("a.json", '{"inkVersion": 21, "root": {}}', ":/root: no compiled Ink"),
        ("a.json", '{"inkVersion": 21, "root": [["done", null]]}', ":/listDefs: no compiled Ink"),
        (
            "a.json",
            '{"inkVersion": 21, "root": [[{"*": ".^.c-0", "flg": "x"}, null], "done", null], "listDefs": {}}',
            ": not as an Ink compiler writes it",
        ),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.yaml", "benchwright_story: 1\nstates: [", ":2: malformed"),
        ("a.yaml", "- 1\n- 2\n", ":1: expected keys and values"),
        ("a.yaml", "", ":1: expected keys and values"),
        ("a.yaml", "title: x\n", "missing key 'benchwright_story'"),
        ("a.txt", "Once upon a time", ": no story that is read here"),
        ("a.json", b'{"inkVersion": \xff}', "not UTF-8 (byte 0xff)"),
        ("a.yaml", b"title: caf\xe9\n", ":1: not UTF-8"),
    ],
)
def test_what_is_no_story(write, name, content, message):
    path = write(name, content)
    with pytest.raises(InputError) as raised:
        open_story(path)
    assert str(raised.value).startswith(str(path))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_deep_compiled_story_is_refused_in_one_line(write):
    pytest.importorskip("bink")
    deep: list[Any] = ["^end", None]
    for _ in range(600):
        deep = [deep, None]
    path = write("a.json", json.dumps({"inkVersion": 21, "root": [deep, "done", None], "listDefs": {}}))
    with pytest.raises(InputError, match=r"a\.json.*(nested|recursion|deep)"):
        open_story(path).runtime().start()


@pytest.mark.parametrize("missing", ["nowhere.yaml", "."])
def test_a_file_that_cannot_be_read(tmp_path, missing):
    with pytest.raises(InputError, match=r"no such file|is a directory"):
        open_story(tmp_path / missing)


@pytest.mark.skipif(shutil.which("inklecate") is not None, reason="inklecate is here")
def test_source_says_how_to_compile(write):
    with pytest.raises(InputError, match=r"a\.ink: Ink source has to be compiled: `inklecate .*`, or `npm install"):
        open_story(write("a.ink", "{ x: Once } upon a time\n-> END\n"))


def test_source_is_compiled_where_inklecate_is(write, monkeypatch, tmp_path):
    pytest.importorskip("bink")
    compiler = write("inklecate", f'#!/bin/sh\ncp "{STORIES / "fallback.ink.json"}" "$2"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    source = write("a.ink", "-> hub\n")
    story = open_story(source)
    assert (story.info.title, story.info.format) == ("a", "ink")
    compiler.write_text("#!/bin/sh\necho \"ERROR: 'a.ink' line 3: no knot here\"\n")
    with pytest.raises(InputError, match=r"a\.ink: inklecate refused it: .*line 3"):
        open_story(source)


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("the-intercept/TheIntercept.json", "inkVersion 11; 20 and 21 are read"),
        ("the-intercept/TheIntercept.ink", "has to be compiled"),
        ("ld41-emoji/LD41-Emoji.v21.ink.json", "draws random numbers"),
    ],
)
def test_real_files_that_are_refused(shared, file, problem):
    with pytest.raises(InputError, match=problem):
        open_story(shared / "data/narratives/ink" / file)


def test_a_real_story_that_draws_plays_with_a_seed(shared):
    pytest.importorskip("bink")
    file = shared / "data/narratives/ink/ld41-emoji/LD41-Emoji.v21.ink.json"
    plays = []
    for _ in range(2):
        runtime = open_story(file, random_seed=7).runtime()
        steps = [runtime.start()]
        while steps[-1].choices and len(steps) < 40:
            steps.append(runtime.choose(len(steps) % len(steps[-1].choices)))
        runtime.close()
        plays.append(steps)
    assert len(plays[0]) > 5
    assert plays[0] == plays[1]
