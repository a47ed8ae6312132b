"""The report: one well-formed file, nothing from outside, nothing of a story or a model taken for markup."""

import base64
import csv
import hashlib
import io
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from benchwright.pages.render import csv_link
from benchwright.pages.report import Report, report_page
from benchwright.schemas.base import shown_order
from benchwright.schemas.clip import TranscriptLine
from benchwright.schemas.release import KeyRow, Manifest, ModelInput
from benchwright.schemas.response import Response, RunInfo
from benchwright.schemas.score import Estimate, JudgedScore, RationaleScore, RuleScore
from benchwright.scoring.gather import gather
from benchwright.scoring.score import score_run
from benchwright.scoring.versus import ablations, comparisons, falls, tier_shares

HOSTILE = '</script><script>alert("x")</script><img src=http://evil.example/x onerror=alert(1)>'
MANIFEST = Manifest.model_validate(
    {
        "name": "name",
        "version": "1.0.0",
        "date": "2031-01-02",
        "canary": "c",
        "license": "MIT",
        "reviewed": False,
        "counts": {"items": 12},
        "files": {},
        "prompts": {},
        "policies": {},
        "permutation_seed": 42,
        "resampler_id": "r",
        "isolation_root": "sha256:0",
        "yields": {"accepted": 12, "discarded/no-draft": 3},
        "tool_version": "0",
    }
).model_copy(update={"name": f"name {HOSTILE}"})
"""No manifest that is read has such a name; the page does not rely on that."""
RULE = RuleScore(
    rule="longest",
    n=400,
    episodes=90,
    correct=140,
    accuracy=0.35,
    bound=0.391,
    chance=1 / 6,
    limit=1 / 6 + 0.1,
    verdict="breaks",
)


def item(number: int) -> ModelInput:
    return ModelInput.model_validate(
        {
            "id": f"i{number:03}",
            "capability": "behavior_prediction" if number % 2 else "counterfactual_reasoning",
            "interaction": "conflict",
            "format": "single",
            "clip": {"media": "media/c.json", "start": 0, "end": 2, "unit": "lines"},
            "background": HOSTILE,
            "question": f"Question {number}? {HOSTILE}",
            "options": [{"id": f"o{at}", "text": f"Option {at} {HOSTILE}"} for at in range(1, 7 - number % 2)],
        }
    )


def key(number: int) -> KeyRow:
    return KeyRow.model_validate(
        {
            "id": f"i{number:03}",
            "answer": ["o1"],
            "answer_text": "",
            "traps": {"o2": "logic", "o3": "wrong_branch", "o4": "none"},
            "tier": "B",
            "status": "answerable",
            "episode": f"e{number // 2}",
            "story": "s1",
        }
    )


def response(number: int, option: str) -> Response:
    return Response.model_validate(
        {
            "item": f"i{number:03}",
            "condition": "full",
            "shown": shown_order(42, f"i{number:03}", [f"o{at}" for at in range(1, 7 - number % 2)]),
            "input_sha256": "sha256:2",
            "reply": f"I say {HOSTILE}",
            "status": "answered" if option else "no_answer",
            "rule": "json",
            "ids": [option] if option else [],
        }
    )


def run_info(model: str, condition: str = "full") -> RunInfo:
    return RunInfo(
        release="r",
        release_sha256="sha256:0",
        model=model,
        condition=condition,
        prompt_id="evaluate",
        prompt_sha256="sha256:1",
        permutation_seed=42,
    )


@pytest.fixture(scope="module")
def report() -> Report:
    numbers = range(24)
    items, keys = [item(number) for number in numbers], [key(number) for number in numbers]
    chosen = {
        f"a/{HOSTILE}": [response(number, ("o1", "o2", "o3", "")[number % 4]) for number in numbers],
        "b": [response(number, "o1" if number else "o3") for number in numbers],
        "b (question-only)": [
            response(number, "o1" if number % 3 else "o3").model_copy(update={"condition": "question-only"})
            for number in numbers
        ],
    }
    infos = [run_info("a/" + HOSTILE), run_info("b"), run_info("b", "question-only")]
    told = list(zip(infos, chosen.values(), strict=True))
    rows = [gather(items, keys, replies, info) for info, replies in told]
    scored = [score_run(items, keys, replies, info) for info, replies in told]
    return Report(
        manifest=MANIFEST,
        runs=dict(zip(chosen, scored, strict=True)),
        comparisons=comparisons(list(chosen), rows),
        drops=falls(list(chosen), rows),
        ablations=ablations(infos, rows),
        tiers=tier_shares(rows[0]),
        replies=[{reply.item: [reply] for reply in replies} for replies in chosen.values()],
        rules=[RULE],
        items=items,
        keys={row.id: row for row in keys},
        transcripts={"media/c.json": [TranscriptLine(text=HOSTILE, speaker=HOSTILE)]},
        command="benchwright score r a b --html report.html",
    )


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    return report_page(report)


def figure(page: Any, name: str) -> list[dict[str, str]]:
    """The rows of a figure's CSV."""
    address = next(link["href"] for link in page.all("a") if link.get("download") == f"{name}.csv")
    return list(csv.DictReader(io.StringIO(unquote(address.partition(",")[2]))))


def test_it_is_well_formed_and_the_same_every_time(report: Report, html: str, read: Callable[[str], Any]) -> None:
    assert read(html).all("html") == [{"lang": "en"}]
    assert report_page(report) == html


def test_hostile_text_stays_text(html: str, read: Callable[[str], Any]) -> None:
    page = read(html)
    assert len(page.all("script")) == 1
    assert page.all("img") == []
    assert "http://evil.example" in page.words
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]


def test_nothing_is_fetched(html: str, read: Callable[[str], Any]) -> None:
    page = read(html)
    addresses = [own[name] for _, own in page.elements for name in ("src", "href", "action") if own.get(name)]
    assert {re.match(r"#|data:text/csv", address) is not None for address in addresses} == {True}
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style is not None
    assert not re.search(r"url\(|@import", style[1])


def test_the_policy_allows_this_style_and_script_alone(html: str, read: Callable[[str], Any]) -> None:
    policy = next(own["content"] for own in read(html).all("meta") if "http-equiv" in own)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        found = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert found is not None
        digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [own for _, own in read(html).elements if "style" in own]  # the policy would drop it


def test_the_figures_are_those_of_the_scores(report: Report, html: str, read: Callable[[str], Any]) -> None:
    page = read(html)
    for row, run in zip(figure(page, "accuracy"), report.runs.values(), strict=True):
        assert float(row["value"]) == run.accuracy.value
        assert (float(row["low"]), float(row["high"])) == (run.accuracy.low, run.accuracy.high)
        assert (int(row["units"]), int(row["items"])) == (run.accuracy.n, run.n)
        assert f"{100 * (run.accuracy.value or 0):.1f} %" in page.words
    by_capability = {(row["run"], row["capability"]): row["value"] for row in figure(page, "capability")}
    assert by_capability[("b", "behavior_prediction")] == "1.0"
    traps = {(row["run"], row["trap"]): row for row in figure(page, "traps")}
    assert float(traps[("b", "wrong_branch")]["rate"]) == 1.0
    assert {row["status"]: row["replies"] for row in figure(page, "statuses") if row["run"][0] == "a"} == {
        "answered": "18",
        "no_answer": "6",
    }
    assert sum(int(row["keys"]) for row in figure(page, "positions")) == 24
    assert sum(float(row["expected"]) for row in figure(page, "positions")) == pytest.approx(24)
    assert {row["outcome"]: row["attempts"] for row in figure(page, "yields")} == {
        "accepted": "12",
        "discarded/no-draft": "3",
    }
    assert [row["verdict"] for row in figure(page, "rules")] == ["breaks"]
    assert "Broken by: longest" in page.words


def test_every_group_is_held_against_its_own_chance(report: Report, html: str, read: Callable[[str], Any]) -> None:
    """Odd items are of one capability and have five options, even ones six."""
    page = read(html)
    chances = {row["capability"]: float(row["chance"]) for row in figure(page, "capability")}
    assert chances == pytest.approx({"behavior_prediction": 1 / 5, "counterfactual_reasoning": 1 / 6})
    lines = {own["x1"] for own in page.all("line") if own.get("class") == "chance"}
    assert {"20%", "16.667%"} <= lines
    assert [float(row["chance"]) for row in figure(page, "macro")] == pytest.approx([(1 / 5 + 1 / 6) / 2] * 3)
    assert "chance of each group" in page.words


def test_what_runs_show_together_is_on_the_page(report: Report, html: str, read: Callable[[str], Any]) -> None:
    page = read(html)
    for name in ("comparisons", "drops", "ablations"):
        told = getattr(report, name)
        shown = figure(page, name)
        assert len(shown) == len(told) > 0
        assert {float(row["value"]) for row in shown} == {one.value for one in told}
        assert {float(row["p_holm"]) for row in shown} == {one.p_holm for one in told}
    assert [float(row["p_holm"]) for row in figure(page, "comparisons")] == sorted(
        one.p_holm for one in report.comparisons if one.p_holm is not None
    )
    blind = figure(page, "ablations")[0]
    assert (blind["model"], blind["condition"], blind["base"], blind["n"]) == ("b", "question-only", "full", "24")
    assert float(blind["value"]) == pytest.approx(16 / 24 - 23 / 24)
    assert "−29.2" in page.words
    assert {row["capability"]: row["B"] for row in figure(page, "tiers")}["all"] == "1.0"
    heat = {(row["run"], row["capability"]): float(row["value"]) for row in figure(page, "heat")}
    assert heat[("b", "behavior_prediction")] == 1
    assert {"class": "h10"} in page.all("td")
    assert {"class": "h0"} in page.all("td")
    readings = {(row["run"], row["status"], row["rule"]): row["replies"] for row in figure(page, "readings")}
    assert readings[("b", "answered", "json")] == "24"


def test_what_judges_leave_of_the_credit(report: Report, read: Callable[[str], Any]) -> None:
    losses = {"answer": 0.25, "coverage": 0.0, "evidence": 0.125, "logic": 0.125, "kept": 0.5}
    half = Estimate(value=0.5, low=0.4, high=0.6, method="bootstrap by episode", unit="episode", n=12)
    rationale = RationaleScore.model_validate(
        {"coverage": 1.0, "evidence": {}, "logic": {}, "adverse": {}, "raw": half.model_copy(update={"value": 0.75}),
         "verified": half, "macro_raw": 0.75, "macro_verified": 0.5, "by_capability": {}, "retention": 2 / 3,
         "losses": losses, "soft": 0.5, "strict": 0.5, "alternatives": {}}
    )  # fmt: skip
    judged = report.runs["b"].model_copy(update={"judged": JudgedScore(judges={}, rationale=rationale)})
    page = read(report_page(report._replace(runs={**report.runs, "b": judged})))
    (told,) = figure(page, "verified")
    assert [told[name] for name in ("run", "raw", "verified", "verified_high")] == ["b", "0.75", "0.5", "0.6"]
    assert {row["stage"]: float(row["share"]) for row in figure(page, "losses")} == losses
    assert "66.7 %" in page.words


def test_what_has_no_data_is_not_shown(report: Report, read: Callable[[str], Any]) -> None:
    alone = {name: run for name, run in report.runs.items() if name == "b"}
    bare = report._replace(runs=alone, replies=report.replies[1:2], comparisons=[], drops=[], ablations=[], tiers={})
    page = read(report_page(bare))
    drawn = {own["id"] for own in page.all("figure")}
    together = {"comparisons", "drops", "ablations", "tiers", "heat", "stories", "verified", "losses"}
    assert not drawn & {f"figure-{name}" for name in together}
    assert not [link for link in page.all("a") if (link["href"] or "").strip("#") in together]


def test_every_item_can_be_found_by_its_results(html: str, read: Callable[[str], Any]) -> None:
    found = {own["id"]: own["data-results"] for own in read(html).all("details") if own.get("class") == "item"}
    assert len(found) == 24
    assert found["i004"].split() == ["0-right", "1-right", "2-right", "all-right"]
    assert found["i003"].split() == ["0-wrong", "1-right", "2-wrong"]
    assert "none-right" not in found["i000"]  # i000: a right, b wrong


def test_every_picture_says_in_words_what_it_shows(html: str, read: Callable[[str], Any]) -> None:
    pictures = [own for own in read(html).all("svg") if own.get("role") == "img"]
    assert pictures
    assert all(own["aria-label"] for own in pictures)
    assert any("95 % interval" in (own["aria-label"] or "") for own in pictures)


def test_a_cell_is_no_formula_to_a_spreadsheet() -> None:
    text = unquote(csv_link(["a", "b"], [["=1+1", 1], [-0.5, None], ['say "hi", you', 2]])).partition(",")[2]
    assert text == 'a,b\r\n\'=1+1,1\r\n-0.5,\r\n"say ""hi"", you",2\r\n'


def test_nothing_to_report_is_an_error(report: Report) -> None:
    with pytest.raises(ValueError, match="needs a run"):
        report_page(report._replace(runs={}))
