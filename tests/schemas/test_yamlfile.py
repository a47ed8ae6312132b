"""Every problem of a file that a person wrote comes with its line."""

from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.schemas.base import Record
from benchwright.schemas.yamlfile import load_record, load_yaml
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from pydantic import Field


class Leaf(Record):
    text: str
    count: int = 0


class Tree(Record):
    name: str
    leaves: tuple[Leaf, ...] = ()
    by_name: dict[str, Leaf | int] = Field(default_factory=dict)


BOMB = "a0: &a0 [x]\n" + "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(30))


def write(folder: Path, text: str | bytes, name: str = "a.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("yes", "yes", id="yes-is-text"),
        pytest.param("No", "No", id="no-is-text"),
        pytest.param("12:30", "12:30", id="time-is-text"),
        pytest.param("2031-04-01", "2031-04-01", id="date-is-text"),
        pytest.param("0x10", "0x10", id="hexadecimal-is-text"),
        pytest.param("010", "010", id="leading-zero-is-text"),
        pytest.param("-7", -7, id="int"),
        pytest.param("1e3", 1000.0, id="float"),
        pytest.param("True", True, id="bool"),
        pytest.param("", None, id="nothing"),
        pytest.param("~", None, id="tilde"),
    ],
)
def test_scalars(tmp_path: Path, text: str, value: object) -> None:
    read = load_yaml(write(tmp_path, f"a: {text}\n")).data["a"]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "line", "says"),
    [
        pytest.param("a.yaml", "name: x\nleaves: [\n  1,", 3, "malformed", id="unclosed"),
        pytest.param("a.yaml", "name: x\nname: y\n", 2, "'name' stands twice", id="key-twice"),
        pytest.param("a.yaml", "name: x\ncolour: red\n", 2, "unknown key 'colour'", id="unknown-key"),
        pytest.param("a.yaml", "leaves: []\n", 1, "missing key 'name'", id="missing-key"),
        pytest.param("a.yaml", "\nnaem: x\n", 2, "unknown key 'naem' (and 1 more)", id="misspelled-key"),
        pytest.param("a.yaml", "name: x\nleaves:\n- text: a\n- text: b\n  size: 1\n", 5, "leaves.1.size", id="deep"),
        pytest.param("a.yaml", "name: x\nleaves:\n- text: a\n\n- count: 1\n", 5, "leaves.1.text", id="deep-missing"),
        pytest.param("a.yaml", "name: x\nby_name:\n  a: 1\n  b: true-ish\n", 4, "by_name.b", id="arm-of-a-union"),
        pytest.param("a.yaml", "name: 5\nleaves:\n- text: 1\n", 1, "and 1 more", id="first-of-two"),
        pytest.param("a.yaml", "- 1\n", 1, "expected keys and values (name, leaves, by_name), got a list", id="list"),
        pytest.param("a.yaml", "", 1, "got an empty file", id="empty"),
        pytest.param("a.yaml", "name: a\nb: \x07\n", 2, "characters are not allowed", id="control-character"),
        pytest.param("a.yaml", b"name: a\nb: caf\xe9\n", 2, "not UTF-8", id="latin-1"),
        pytest.param("a.yaml", "a: !!python/object:os.system 1\n", 1, "malformed", id="foreign-tag"),
        pytest.param("a.yaml", "name: a\nleaves: *missing\n", 2, "undefined alias", id="undefined-alias"),
        pytest.param("a.json", '{"name": "x",\n "name": "y"}', 2, "'name' stands twice", id="json-key-twice"),
        pytest.param("a.json", '{"name": "x",\n\t"leaves":\t[{"text":\n 5}]}', 2, "leaves.0.text", id="json-tabs"),
        pytest.param("a.json", '{"name": "x"\n "leaves": 1}', 2, "malformed", id="json-comma"),
        pytest.param("a.json", '{"name": "NaN",\n "leaves": NaN}', 2, "NaN is no JSON number", id="json-nan"),
        pytest.param("a.json", '{"name":\n' + "9" * 5000 + "}", 2, "999 is no JSON number", id="json-5000-digits"),
        pytest.param("a.json", '{"name":\n"\\ud83d\\ude00 \\\\ud83d",\n"\\udE00": 1}', 3, "half a", id="half-a-pair"),
        pytest.param("a.yaml", "name: x\nleaves: " + "9" * 5000, 2, "more than 300 digits", id="5000-digits"),
        pytest.param("a.yaml", "name: x\nleaves: !!int foo\n", 2, "'foo' is no int", id="tag-that-lies"),
        pytest.param("a.yaml", "name: x\nleaves: !!timestamp foo\n", 2, "the tag timestamp", id="tag-of-yaml-1.1"),
        pytest.param("a.yaml", "name: x\nleaves: &a\n- [*a]\n", 2, "holds itself", id="holds-itself"),
        pytest.param("a.yaml", "&a\nname: *a\n", 1, "holds itself", id="all-of-it-holds-itself"),
        pytest.param("a.yaml", BOMB, 7, "unfold to more than 1000000 values", id="bomb"),
    ],
)
def test_problem_names_its_line(tmp_path: Path, name: str, text: str | bytes, line: int, says: str) -> None:
    path = write(tmp_path, text, name)
    with pytest.raises(InputError) as caught:
        load_record(path, Tree)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 9999, id="deep"),
        pytest.param("a: &a [*a]\n", id="contains-itself"),
    ],
)
def test_endless_nesting_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        load_record(write(tmp_path, text), Tree)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        load_yaml(tmp_path)


def test_bom_crlf_and_merged_keys(tmp_path: Path) -> None:
    text = "\ufeffname: x\r\nby_name:\r\n  a: &a {text: one, count: 1}\r\n  b:\r\n    <<: *a\r\n    count: 2\r\n"
    tree = load_record(write(tmp_path, text), Tree)
    assert tree.by_name == {"a": Leaf(text="one", count=1), "b": Leaf(text="one", count=2)}


def test_json_keeps_characters_beyond_the_first_plane(tmp_path: Path) -> None:
    path = write(tmp_path, '{"name": "\\ud83d\\ude00 \\\\ud83d"}', "a.json")
    assert load_record(path, Tree).name == "😀 \\ud83d"


@st.composite
def planted(draw: DrawFn) -> tuple[str, int]:
    """A valid list of leaves, with blank lines and comments strewn in, one of which has an unknown key."""
    count = draw(st.integers(1, 8))
    bad = draw(st.integers(0, count - 1))
    lines, at = ["name: x", "leaves:"], 0
    for index in range(count):
        lines += draw(st.lists(st.sampled_from(["", "# a comment", "  # another"]), max_size=3))
        lines.append(f"  - text: leaf {index}")
        if index == bad:
            lines.append("    surplus: 1")
            at = len(lines)
    return "\n".join(lines) + "\n", at


@given(case=planted())
def test_the_line_is_exact_wherever_the_key_stands(
    case: tuple[str, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text, line = case
    path = write(tmp_path_factory.getbasetemp(), text, "planted.yaml")
    with pytest.raises(InputError) as caught:
        load_record(path, Tree)
    assert caught.value.place == line
