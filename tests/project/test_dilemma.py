"""Items of moral dilemmas, from a file of recorded shares to the audit of an item."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.narrative.stories import open_story
from benchwright.project import audit, folder, handmade, items
from benchwright.project.build import build
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.progress import quiet
from benchwright.project.status import Summary
from benchwright.project.verify import verify

from ..graph.hut import DAY, STORY, VERSION, files, hut
from ..narrative.test_replay import replay

DATE = "2029-07"
SOURCE = "statistics of the hut's own server"


def menus() -> Iterator[tuple[str, ...]]:
    """What each decision of the story offers, along its first choices."""
    runtime = open_story(STORY).runtime()
    step = runtime.start()
    while step.choices:
        yield tuple(choice.text for choice in step.choices)
        step = runtime.choose(0)


def decisions() -> list[dict[str, Any]]:
    """From the second decision on: the last choice leads by far, then by too little, then beyond no chance, and so on;
    and two entries that cannot be used."""
    found: list[dict[str, Any]] = []
    for number, menu in enumerate(list(menus())[1:]):
        far, near = (
            dict(zip(menu, players, strict=True)) for players in ((2003, 3001, 15013, 40, 7), (66, 64, 70, 3, 1))
        )
        shares = dict(zip(menu, (0.29, 0.27, 0.42, 0.01, 0.01), strict=True))
        found.append(({"counts": far}, {"counts": near}, {"shares": shares, "n": 40})[number % 3])
    return [*found, {"counts": {"Fly": 3, "Swim": 40}}, {"counts": {"Fly": 3}}]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Summary]:
    """Built once. Read-only by agreement."""
    project = hut(tmp_path_factory.mktemp("dilemma") / "hut", targets={"moral_dilemma": 8})
    project.file.path.write_text(project.file.path.read_text().replace(
        f"path: {STORY.name}", f"path: {STORY.name}\n  shares: hut.shares.yaml\n  license: CC0-1.0"))  # fmt: skip
    file = {"benchwright_shares": 1, "source": SOURCE, "date": DATE, "decisions": decisions()}
    (project.root / "hut.shares.yaml").write_text(yaml.safe_dump(file, sort_keys=False, allow_unicode=True))
    project = folder.find(project.root)
    return project, build(project)


@pytest.fixture(scope="module")
def accepted(made: tuple[Project, Summary]) -> list[str]:
    return [item.id for item in items.listing(made[0]) if item.outcome == "accepted"]


def test_clear_majorities_become_items_and_nothing_else(made: tuple[Project, Summary], accepted: list[str]) -> None:
    project, summary = made
    clear = {menu[2] for menu in list(menus())[1::3]}
    keys = set()
    for item in accepted:
        shown = items.show(project, item)
        recorded = shown.item.derived.recorded
        assert recorded is not None
        assert (recorded.source, recorded.date, recorded.n) == (SOURCE, DATE, 20064)
        assert len(shown.item.options) == 5
        keys.add(shown.item.derived.events[shown.item.answer[0]].match[0])
    assert 3 <= len(keys) == len(accepted)
    assert keys <= clear
    assert len(summary.unshared) == 2
    assert "hut.shares.yaml" in summary.unshared[0]


def test_the_clip_ends_before_the_menu(made: tuple[Project, Summary], accepted: list[str]) -> None:
    for item in accepted:
        shown = items.show(made[0], item)
        assert shown.clip is not None
        assert shown.clip.transcript[-1].kind == "line"
        told = {line.text for line in shown.clip.transcript}
        assert not told & {option.text for option in shown.item.options}


@pytest.fixture(scope="module")
def release(made: tuple[Project, Summary]) -> Path:
    return freeze(made[0], VERSION, unreviewed=True, day=DAY).folder


def test_nothing_of_the_shares_is_public(release: Path) -> None:
    parts = files(release)
    grounding = b"".join(text for name, text in parts.items() if name.startswith("grounding/"))
    public = b"".join(text for name, text in parts.items() if not name.startswith(("grounding/", "answers/")))
    for told in (SOURCE, DATE, "hut.shares.yaml", "20064", "15013", "recorded"):
        assert told.encode() in grounding
        assert told.encode() not in public
    assert verify(release).ok


def test_the_labels_replay_on_the_story_and_the_recipe_alone(release: Path) -> None:
    count = len((release / "answers/key.jsonl").read_text().splitlines())
    assert replay(release, STORY) == (0, [f"{count} labels, 0 refuted, 0 not checked"])


def test_a_changed_share_is_refuted(release: Path, tmp_path: Path) -> None:
    forged = Path(shutil.copytree(release, tmp_path / "forged"))
    trace = forged / "grounding/trace.jsonl"
    trace.write_text(trace.read_text().replace("15013", "3002"))
    code, lines = replay(forged, STORY)
    assert code == 1
    assert "true ['o" in lines[0] or "true []" in lines[0]


def test_an_item_by_hand_has_its_shares_looked_up(
    made: tuple[Project, Summary], accepted: list[str], tmp_path: Path
) -> None:
    project = Project(Path(shutil.copytree(made[0].root, tmp_path / "copy")), made[0].file)
    project = folder.find(project.root)
    draft = yaml.safe_load(handmade.template(project, accepted[0]))
    path = tmp_path / "item.yaml"
    question = draft["question"].replace("At the end of the clip", "As the clip ends")
    path.write_text(yaml.safe_dump(draft | {"question": question}, sort_keys=False, allow_unicode=True))
    assert handmade.edit(project, accepted[0], path, quiet).outcome == "accepted"
    other = next(option["text"] for option in draft["options"] if option["text"] != draft["answer"])
    traps = {option["text"]: "none" for option in draft["options"] if option["text"] != other}
    path.write_text(yaml.safe_dump(draft | {"answer": other, "traps": traps}, sort_keys=False, allow_unicode=True))
    done = handmade.edit(project, accepted[0], path, quiet)
    assert (done.outcome, done.code) == ("refused", "label-not-rederived")


def test_an_audit_looks_the_shares_up(made: tuple[Project, Summary], accepted: list[str], tmp_path: Path) -> None:
    project, _ = made
    done = audit.audit(project, accepted[0])
    assert done.unresolved == ()
    tree = "\n".join(audit.tree(done))
    page = audit.write(done, tmp_path / "audit.html").read_text()
    assert all("15013 chose" in told and f"{SOURCE}, {DATE}, n = 20064".split("'")[0] in told for told in (tree, page))
    path = project.root / "hut.shares.yaml"
    before = path.read_text()
    try:
        path.write_text(before.replace("15013", "15012"))
        done = audit.audit(project, accepted[0])
        assert done.replay.verdict == "not replayable"
        assert any(line.startswith("missing: ") for line in done.unresolved)
    finally:
        path.write_text(before)
