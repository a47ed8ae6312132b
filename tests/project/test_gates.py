"""What keeps a project's items from being frozen, and what is said of those that are."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import RefusedError, UsageError
from benchwright.project import folder, sources
from benchwright.project.folder import Project
from benchwright.project.freeze import Accepted, accepted, freeze
from benchwright.project.gates import parse_overrides, tried, working
from benchwright.project.releases import open_release
from benchwright.release.verify import verify
from benchwright.schemas.files import to_line
from benchwright.schemas.grounding import Trace
from benchwright.schemas.response import RunInfo
from benchwright.schemas.score import RuleScore
from benchwright.schemas.view import Adjudication
from benchwright.state.store import NodeKey, Store

from ..release.build import content, made


def items_of(project: Project) -> list[Accepted]:
    with Store.read(project.store, seed=project.config.seed) as store:
        return accepted(store, sources.current(project, store))


def retrace(project: Project, one: Accepted, **changed: Any) -> None:
    """A later trace of an item, with its first piece of evidence changed."""
    claim, *claims = one.trace.claims
    evidence, *others = claim.evidence
    claim = claim.model_copy(update={"evidence": (evidence.model_copy(update=changed), *others)})
    trace: Trace = one.trace.model_copy(update={"claims": (claim, *claims)})
    with Store.open(project.store, seed=project.config.seed) as store:
        asyncio.run(store.put(NodeKey(one.slot.slot_id, "tracker", 99), trace))


def test_evidence_that_is_gone_is_not_frozen(built: Project) -> None:
    one = items_of(built)[0]
    retrace(built, one, quote="Nobody ever says this.", kind="line")
    with pytest.raises(RefusedError) as caught:
        freeze(built, "1.0.0", unreviewed=True)
    (line,) = caught.value.findings
    assert line.startswith(f"{one.item.item_id}: missing: Nobody ever says this.")
    assert line.endswith(f"see `benchwright audit {one.item.item_id}` [evidence-unresolved]")
    assert not list(built.releases.iterdir())


def test_a_label_that_the_adjudicator_did_not_derive_is_not_frozen(built: Project) -> None:
    one = items_of(built)[0]
    other = next(option.id for option in one.item.options if option.id not in one.item.answer)
    with Store.open(built.store, seed=built.config.seed) as store:
        said = Adjudication(true=(other,), proof="proved by enumeration (1 paths)")
        asyncio.run(store.put(NodeKey(one.slot.slot_id, "adjudicator", 99), said))
    with pytest.raises(RefusedError) as caught:
        freeze(built, "1.0.0", unreviewed=True)
    (line,) = caught.value.findings
    assert line.startswith(f"{one.item.item_id}: contradicted: ")


def test_evidence_of_another_version_is_frozen_with_a_warning(built: Project) -> None:
    one = items_of(built)[0]
    retrace(built, one, source_sha256="sha256:0")
    done = freeze(built, "1.0.0", unreviewed=True)
    assert [line for line in done.warnings if line.startswith(one.item.item_id) and "[evidence-moved]" in line]
    assert verify(done.folder).ok


def test_what_is_not_known_is_said(built: Project) -> None:
    run = built.runs / "r" / "run.json"
    run.parent.mkdir(parents=True)
    info = RunInfo(
        release="x 1.0.0", release_sha256="", model="openai/gpt-x", condition="full", prompt_id="", prompt_sha256="",
        permutation_seed=1,
    )  # fmt: skip
    run.write_bytes(to_line(info))
    (built.runs / "broken").mkdir()
    (built.runs / "broken" / "run.json").write_text("{}", encoding="utf-8")
    unknown, few, broken = freeze(built, "1.0.0", unreviewed=True).warnings
    assert "derived by code" in unknown
    assert "too few to tell" in few
    assert "no RunInfo" in broken


def score(rule: str, verdict: Any) -> RuleScore:
    return RuleScore(
        rule=rule, n=400, episodes=40, correct=200, accuracy=0.5, bound=0.55, chance=0.25, limit=0.35, verdict=verdict
    )


SCORES = [score("longest", "breaks"), score("first", "holds"), score("learned-blind", "breaks")]


def test_a_rule_that_works_refuses_and_an_override_lets_it_pass() -> None:
    assert [finding.place for finding in working(SCORES, {})] == ["shortcut/longest", "shortcut/learned-blind"]
    (left,) = working(SCORES, {"shortcut/longest": "known"})
    assert (left.place, left.code, left.severity) == ("shortcut/learned-blind", "shortcut-works", "error")
    assert "answers 200 of 400 items" in left.message
    assert "0.550" in left.message
    assert "--override shortcut/learned-blind=WHY" in left.message


@pytest.mark.parametrize("name", ["shortcut/first", "shortcut/nothing"])
def test_an_override_of_what_does_not_refuse(name: str) -> None:
    with pytest.raises(
        UsageError, match=f"--override {name}: .*those that do are shortcut/learned-blind, shortcut/lon"
    ):
        list(working(SCORES, {name: "why not"}))
    with pytest.raises(UsageError, match="none of this kind does"):
        list(working(SCORES[1:2], {name: "why not"}))


def test_a_giveaway_is_found_among_300_items() -> None:
    """The key is always what nobody does: the learned model sees that, and rules that look at places do not."""
    rows = list(made(300))
    keys = []
    for one in rows:
        answer = next(option for option in one.item.options if "nothing" in option.text)
        traps = {option.id: "logic" for option in one.item.options if option.id != answer.id}
        keys.append(one.key.model_copy(update={"answer": (answer.id,), "answer_text": answer.text, "traps": traps}))
    verdicts = {score.rule: score.verdict for score in tried(content(300, keys=keys))}
    assert verdicts["learned-blind"] == "breaks"
    assert verdicts["first"] == "holds"


@pytest.mark.parametrize(
    "given", [["longest=known"], ["shortcut/longest="], ["shortcut/longest"], ["shortcut/a=b"] * 2], ids=str
)
def test_overrides_that_are_none(given: list[str]) -> None:
    with pytest.raises(UsageError, match="--override"):
        parse_overrides(given)


def test_overrides_as_they_are_given() -> None:
    assert parse_overrides(["shortcut/a=b=c  d", "shortcut/e=f"]) == {"shortcut/a": "b=c d", "shortcut/e": "f"}


def test_items_without_approvals_are_named(built: Project) -> None:
    with pytest.raises(RefusedError, match="lack approvals") as caught:
        freeze(built, "1.0.0")
    assert {line.partition(":")[0] for line in caught.value.findings} == {one.item.item_id for one in items_of(built)}
    assert not Path(built.releases).exists() or not list(built.releases.iterdir())


def test_a_release_names_where_others_find_its_sources(built: Project) -> None:
    text = built.file.path.read_text("utf-8")
    listed = re.sub(r"^( *)- path: (.*)$", r"\1- path: \2\n\1  url: https://example.org/told", text, flags=re.MULTILINE)
    built.file.path.write_text(listed, encoding="utf-8")
    project = folder.find(built.root)
    done = freeze(project, "1.0.0", unreviewed=True)
    (source,) = open_release(done.folder).manifest.sources
    assert source.url == "https://example.org/told"
    assert source.size == sources.located(project, project.config.sources[0].path or "").stat().st_size
