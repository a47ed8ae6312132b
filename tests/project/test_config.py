"""`benchwright.yaml`: what is refused, with its line; what a bare target means; where secrets may stand."""

from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.project import config

HEAD = "version: 1\nname: tried\n"


def load(folder: Path, text: str) -> config.ConfigFile:
    path = folder / config.FILE_NAME
    path.write_text(text, encoding="utf-8")
    return config.load(path)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        pytest.param(HEAD + "sede: 4\n", 3, "unknown key 'sede'", id="unknown-key"),
        pytest.param(HEAD + "budget:\n  usd: 1\n  euro: 2\n", 5, "unknown key 'budget.euro'", id="unknown-nested-key"),
        pytest.param(HEAD + "budget:\n  usd: 1e999\n", 4, "budget.usd: .*finite", id="endless-budget"),
        pytest.param(HEAD + "prices:\n  a/b: {call: nan}\n", 4, "prices.a/b.call: .*number", id="price-no-number"),
        pytest.param("name: tried\n", 1, "missing key 'version'", id="no-version"),
        pytest.param("version: 2\nname: tried\n", 1, "version", id="other-version"),
        pytest.param("version: 1\nname: Not A Name\n", 2, "name", id="name"),
        pytest.param(HEAD + "seed: -1\n", 3, "seed", id="seed"),
        pytest.param(HEAD + "seed: 9007199254740992\n", 3, "seed", id="seed-beyond-exact-integers"),
        pytest.param(HEAD + "concurrency: 0\n", 3, "concurrency", id="no-workers"),
        pytest.param(HEAD + "sources:\n- license: MIT\n", 4, "give a path", id="no-place"),
        pytest.param(HEAD + "roles:\n  director: {policy: llm}\n", 4, "needs a model", id="llm-without-model"),
        pytest.param(HEAD + "roles:\n  director: {model: a/b}\n", 4, "rules has none", id="rules-with-model"),
        pytest.param(HEAD + "roles:\n  narrator: {}\n", 4, "roles.narrator", id="unknown-role"),
        pytest.param(HEAD + "targets:\n  a: -3\n", 3, "a: a target is 0 or more", id="negative-target"),
        pytest.param(HEAD + "entities:\n- names: []\n", 4, "entities.0.names", id="entity-without-name"),
        pytest.param(HEAD + "signals:\n  trust: {kind: liking}\n", 4, "signals.trust.kind", id="unknown-signal"),
    ],
)
def test_refused_with_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        load(tmp_path, text)
    assert caught.value.place == line
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnopqrstuv",
        "AIzaSyA1234567890abcdefghijklmnopqrstu",
        "hf_abcdefghijklmnopqrstuvwx",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "postgresql://user:hunter2@host/db",
        "q8Zt3Kx0Lm5Vb7Nc2Wd9Rf4Hj6Py1Sa0Tg",
    ],
)
def test_a_literal_secret_is_refused_and_not_repeated(tmp_path: Path, secret: str) -> None:
    text = HEAD + f"roles:\n  answer:\n    policy: llm\n    model: {secret}\n"
    with pytest.raises(InputError, match=r"roles\.answer\.model: this looks like a secret") as caught:
        load(tmp_path, text)
    assert caught.value.place == 6
    assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "openai/gpt-5.2-mini",
        "stories/the-long-way-home-2031.story.yaml",
        "postgresql://$USER:$PASSWORD@host/db",
        "$KEY",
    ],
)
def test_ordinary_values_are_no_secrets(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, HEAD + f"store: {text}\n").config.store == text


def test_variables_are_looked_up_at_use() -> None:
    assert config.expand("a/$ONE/${TWO}b", {"ONE": "1", "TWO": "2"}) == "a/1/2b"
    with pytest.raises(UsageError, match="no variable THREE"):
        config.expand("$THREE", {})


def test_found_upwards(tmp_path: Path) -> None:
    load(tmp_path, HEAD)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert config.find_file(below) == tmp_path / config.FILE_NAME


def test_not_found_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="benchwright init"):
        config.find_file(tmp_path)
