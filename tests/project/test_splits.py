"""Sources are drawn into splits by seed, kin together, and stay where they were published."""

from collections import Counter
from pathlib import Path

import pytest
from benchwright.errors import InputError, RefusedError
from benchwright.project import config, folder
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze, published_splits
from benchwright.project.kin import kin
from benchwright.project.splits import assign
from benchwright.release.freeze import freeze as write
from hypothesis import given
from hypothesis import strategies as st

from ..release.test_splits import SPLITS, split

SHARES = {"dev": 0.2, "screening": 0.1}


def drawn(
    sizes: dict[str, int], shares: dict[str, float] = SHARES, kept: dict[str, str] | None = None, seed: int = 1
) -> dict[str, str]:
    shown = [(name,) for name, size in sizes.items() for _ in range(size)]
    return assign(shown, {name: name for name in sizes}, shares, seed, kept or {})


@given(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=4), st.integers(1, 40), min_size=3, max_size=12),
    st.integers(0, 99),
)
def test_every_source_is_in_one_split_and_no_split_is_empty(sizes: dict[str, int], seed: int) -> None:
    found = drawn(sizes, seed=seed)
    assert found.keys() == sizes.keys()
    assert set(found.values()) == {"dev", "screening", "test"}
    assert drawn(dict(reversed(sizes.items())), seed=seed) == found


def test_shares_are_met_where_sources_are_many_and_small() -> None:
    found = Counter(drawn({f"s{n}": 2 for n in range(100)}).values())
    assert found == {"dev": 20, "screening": 10, "test": 70}


def test_another_seed_draws_otherwise() -> None:
    sizes = {f"s{n}": 1 for n in range(20)}
    assert drawn(sizes, seed=1) != drawn(sizes, seed=2)


@given(st.integers(3, 10), st.integers(1, 10))
def test_new_sources_move_no_old_one(old: int, new: int) -> None:
    first = drawn({f"s{n}": n + 1 for n in range(old)})
    later = drawn({f"s{n}": n + 1 for n in range(old + new)}, kept=first)
    assert {name: later[name] for name in first} == first


@pytest.mark.parametrize(
    ("sizes", "kept", "says"),
    [
        (
            {"a": 9, "b": 3},
            {},
            "splits dev, screening, test take 3 sources that have nothing in common, and there are 2",
        ),
        ({"a": 9, "b": 3, "c": 1}, {"a": "train"}, "source a was frozen in split train before; keep `splits.train`"),
        ({"a": 9, "b": 3, "c": 1}, dict.fromkeys("abc", "test"), "split dev: every source was frozen in another split"),
    ],
    ids=["few sources", "a split that is gone", "nothing to draw"],
)
def test_what_cannot_be_drawn(sizes: dict[str, int], kept: dict[str, str], says: str) -> None:
    with pytest.raises(RefusedError) as caught:
        drawn(sizes, kept=kept)
    assert says in str(caught.value)
    assert caught.value.exit_code == 1


def test_kin_are_found_through_each_other() -> None:
    """A video of two stories, and one story under two names."""
    hashes = {"s1": "a", "s2": "b", "s3": "c", "s4": "c", "v1": "d"}
    group = kin([("s1", "v1"), ("s2", "v1"), ("s3",), ("s4",)], hashes)
    assert group == {"s1": "s1", "s2": "s1", "v1": "s1", "s3": "s3", "s4": "s3"}


def test_kin_go_together() -> None:
    shown = [("s1", "v1"), ("s2", "v1"), ("s3",), ("s4",)]
    found = assign(
        shown, kin(shown, dict.fromkeys(("s1", "s2"), "x") | {"s3": "c", "s4": "d", "v1": "v"}), SHARES, 1, {}
    )
    assert found["s1"] == found["s2"] == found["v1"]
    assert len(set(found.values())) == 3


@pytest.mark.parametrize("shares", ["{dev: 0.6, screening: 0.4}", "{dev: 0}", "{dev: 1}", "{test: 0.5}", "{dev: 1.5}"])
def test_shares_that_are_none(shares: str, tmp_path: Path) -> None:
    path = tmp_path / config.FILE_NAME
    path.write_text(f"version: 1\nname: tried\nsplits: {shares}\n")
    with pytest.raises(InputError) as caught:
        config.load(path)
    assert caught.value.place == 3


def test_one_source_has_no_splits(built: Project) -> None:
    text = built.file.path.read_text("utf-8")
    built.file.path.write_text(f"{text}\nsplits: {{dev: 0.2}}\n", encoding="utf-8")
    with pytest.raises(RefusedError) as caught:
        freeze(folder.find(built.root), "1.0.0", unreviewed=True)
    assert str(caught.value).startswith(
        "splits dev, test take 2 sources that have nothing in common, and there are 1: add"
    )
    assert not built.releases.exists() or not list(built.releases.iterdir())


def test_splits_of_a_release_count_though_its_freeze_was_killed(tmp_path: Path) -> None:
    """The folder is there, and the store does not know of it; a folder that holds no release is passed over."""
    project = folder.init(tmp_path / "p")
    name = project.config.name
    write(split(name=name), project.releases / f"{name}-1.0.0")
    (project.releases / f"{name}-2.0.0").mkdir()
    (project.releases / f"{name}-2.0.0" / "release.json").write_text("{", encoding="utf-8")
    assert dict(published_splits(project)) == {one: part for part, names in SPLITS.items() for one in names}
