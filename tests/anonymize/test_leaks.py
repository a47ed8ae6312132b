"""The leak test finds what a careless replacement leaves, and raises no alarm on ordinary words."""

import ast
import inspect

import pytest
from benchwright.anonymize import leaks as leaks_module
from benchwright.anonymize.leaks import Leak, LeakTest
from benchwright.schemas.story import Entity

CAST = (
    Entity(names=("Hooper",)),
    Entity(names=("Ines Calder", "Ines")),
    Entity(names=("Mora",)),
    Entity(names=("Captain Bo",)),
    Entity(names=("Jean-Luc O'Neill",)),
    Entity(names=("Hope",), common_word=True),
    Entity(names=("Hut 14",), kind="place"),
    Entity(names=("The House",), kind="place", common_word=True),
)


@pytest.fixture(scope="module")
def test() -> LeakTest:
    return LeakTest(CAST)


@pytest.mark.parametrize(
    "text",
    [
        "hooper", "HOOPER", "Hooper's", "Hoopers", "Hooperson", "xhooperx", "Hoo-per", "H_o_o_p_e_r", "Hoo\u200bper",
        "Hoo\u00adper", "Hóóper", "Hoop\u0301er", "Ｈｏｏｐｅｒ", "clip_hooper_01.mp4", "TalkToHooper", "Hoo-\nper",
        "H.o.o.p.e.r.", '{"text":"a\\nHooper"}', "ines", "InesTalks.mp4", "Ines01", "saidInes", "Mo-ra", "Moras",
        '"a\\nmora"',        "ines calder", "INES_CALDER", "inescalder", "so Calder left", "Bo", "BO!", "TalkToBo",
        "jean luc oneill", "JEANLUC O’NEILL",
        "Hut 14", "hut14", "hut_14", "I met Hope.", "and then, Hope", "in The House", "in the House",
    ],
)  # fmt: skip
def test_found(test, text):
    assert test.find(text)


@pytest.mark.parametrize(
    "text",
    [
        "hoop, whoop, troop; who operates", "lines, pines, shines, business", "moral, amorous, more or less",
        "bow, boat, bo",
        "Hut 145, hut 1, hut 4", "I hope. Hope dies last. HOPE", "Listen: Hope dies", "the house; The house", "calder",
        "Calder", "ho oper", "Mo. Ra", "No man. Nine s", "", "…", "jean", "Hope\nHope",
    ],
)  # fmt: skip
def test_no_alarm(test, text):
    assert test.find(text) == []


def test_where_a_leak_stands(test):
    text = "«Hoo-per’s» and ines"
    assert test.find(text) == [Leak("Hooper", 1, 8), Leak("Ines", 16, 20)]
    assert [text[leak.start : leak.end] for leak in test.find(text)] == ["Hoo-per", "ines"]


def test_a_date_is_no_leak():
    assert LeakTest([Entity(names=("May",), common_word=True)]).find("they met in May, and on May 3") == []


def test_it_shares_no_code_with_the_replacement():
    tree = ast.parse(inspect.getsource(leaks_module))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    local = {name for name in imported if name and not name.startswith(("collections", "itertools", "typing"))}
    assert local == {"schemas.story", "vocabulary"}
