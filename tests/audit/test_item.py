"""Items of a built project, audited: sound as built, and unsound once story, label or log was tampered with."""

import re
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from benchwright.audit.page import audit_page
from benchwright.audit.tree import tree
from benchwright.errors import UsageError
from benchwright.project import audit, items
from benchwright.project.folder import Project


def accepted(project: Project) -> str:
    return next(item.id for item in items.listing(project) if item.outcome == "accepted")


def tamper(project: Project, *statements: str) -> None:
    """Change the store behind its back: its triggers are taken away first."""
    with sqlite3.connect(project.store) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert connection.execute(statement).rowcount
    connection.close()


def test_every_item_of_a_build_is_sound(finished: Project) -> None:
    found = [audit.audit(finished, item.id) for item in items.listing(finished) if item.outcome == "accepted"]
    assert found
    assert [done.unresolved for done in found] == [()] * len(found)
    for done in found:
        assert done.replay.true == done.key
        assert {look.entry.node for look in done.looks} >= {"director", "tracker", "generator", "answer", "critic"}
        assert done.way[-1].text
    assert audit.isolation(finished) == []


def test_the_tree_and_the_json_say_the_same(finished: Project) -> None:
    done = audit.audit(finished, accepted(finished))
    lines, told = "\n".join(tree(done)), done.json()
    assert told["sound"] is True
    assert "sound" in lines.splitlines()[0]
    for claim in told["claims"]:
        assert claim["text"] in lines
        assert all(one["verdict"] == "verified" for one in claim["evidence"])
    assert f"label: verified: {told['replay']['true'][0]}" in lines


def test_an_edited_story_is_found_out(built: Project) -> None:
    item = accepted(built)
    before = audit.audit(built, item)
    quote = next(told.text for told in before.way if told.kind == "line")
    path = next(built.root.parent.glob("*.yaml"))
    text = path.read_text("utf-8")
    assert quote in text
    path.write_text(text.replace("title: ", "title: New "), encoding="utf-8")
    done = audit.audit(built, item)
    assert {claim.verdict for claim in done.claims if claim.evidence[0].evidence.kind != "signal"} == {"moved"}
    assert done.replay.verdict == "verified"
    assert all("another version" in line for line in done.unresolved)


def test_a_forged_label_is_contradicted(built: Project) -> None:
    item = accepted(built)
    shown = items.show(built, item)
    other = next(option.id for option in shown.item.options if option.id not in shown.item.answer)
    tamper(built, f"""UPDATE item_proposal SET answer = '["{other}"]'""")
    done = audit.audit(built, item)
    assert done.replay.verdict == "contradicted"
    assert any(line.startswith("contradicted") for line in done.unresolved)
    assert any(line.startswith("isolation: critic") for line in done.unresolved)  # its view held the label


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        pytest.param("UPDATE isolation_log SET policy_sha256 = 'sha256:1'", "isolation-chain-broken", id="entry"),
        pytest.param(
            """UPDATE isolation_log SET fields_read = '["Item.question","Item.answer"]' WHERE node = 'answer'""",
            "isolation-forbidden-field",
            id="forbidden-field",
        ),
        pytest.param("UPDATE item_public SET question = 'Another?'", "isolation-view-differs", id="question"),
        pytest.param("UPDATE isolation_log SET item_id = 'x' || item_id", "isolation-unknown-item", id="no-slot"),
    ],
)
def test_a_tampered_store_is_found_out(built: Project, statement: str, code: str) -> None:
    tamper(built, statement)
    assert code in {finding.code for finding in audit.isolation(built)}


def test_a_sweep_of_all_accepted_items(built: Project) -> None:
    """Sound as built but for approvals; a forged label is found among all of them."""
    fine = audit.Sweep(tuple(audit.audits(built)), audit.faults("missing,moved,contradicted,not-replayable,isolation"))
    ids = sorted(item.id for item in items.listing(built) if item.outcome == "accepted")
    assert [one.item.item_id for one in fine.items] == ids
    assert fine.failed == ()
    strict = audit.Sweep(fine.items, audit.faults("unverified-c"))
    assert set(strict.failed) == {one.item.item_id for one in fine.items if one.tier == "C"} != set()
    item = fine.items[0]
    forged = next(option.id for option in item.item.options if option.id not in item.key)
    tamper(built, f"""UPDATE item_proposal SET answer = '["{forged}"]' WHERE answer = '["{item.key[0]}"]'""")
    found = audit.Sweep(tuple(audit.audits(built)), audit.faults("contradicted"))
    assert item.item.item_id in found.failed
    assert found.counts()["contradicted"] == len(found.failed)


def test_a_fault_that_there_is_not() -> None:
    with pytest.raises(UsageError, match="crooked"):
        audit.faults("missing, crooked")


def test_an_item_that_is_not_there(built: Project) -> None:
    with pytest.raises(UsageError, match="no item"):
        audit.audit(built, "i000000000000")


def test_the_page(finished: Project, read: Callable[[str], Any]) -> None:
    done = audit.audit(finished, accepted(finished))
    html = audit_page(done, "benchwright audit")
    page = read(html)
    assert audit_page(done, "benchwright audit") == html
    for text in (done.item.question, done.item.rationale, done.replay.proof[1:], *(o.text for o in done.item.options)):
        assert " ".join(text.split()) in page.words
    assert [own["id"] for own in page.all("section")] == ["question", "way", "claims", "label", "sources", "rounds"]
    assert {own["href"][:1] for own in page.all("a")} == {"#"}
    assert "Decision: accept" in page.words  # the critic's word
    assert len(page.all("script")) == 1
    assert not re.search(r"https?://", page.words)


def test_the_way_lights_what_was_chosen_and_what_is_supposed(finished: Project, read: Callable[[str], Any]) -> None:
    """One choice taken at each decision of the clip, and at the last one of a counterfactual the one supposed."""
    ids = [item.id for item in items.listing(finished) if item.outcome == "accepted"]
    done = next(
        one
        for one in (audit.audit(finished, item) for item in ids)
        if one.item.recipe and one.item.recipe.claim == "counterfactual"
    )
    page = read(audit_page(done, "benchwright audit"))
    recipe = done.item.recipe
    assert recipe
    lit = [own["class"] for own in page.all("li") if own.get("class") in ("taken", "supposed")]
    assert lit.count("taken") == len(recipe.play) + 1 - done.first
    assert lit.count("supposed") == 1
    assert done.menus[-1].taken == recipe.taken
    assert [branch.choice for branch in done.branches] == [
        done.menus[-1].offered[index] for index in (recipe.taken, recipe.others[0])
    ]


def test_hostile_text_stays_text(finished: Project, read: Callable[[str], Any]) -> None:
    done = audit.audit(finished, accepted(finished))
    bad = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    options = tuple(option.model_copy(update={"text": bad}) for option in done.item.options)
    item = done.item.model_copy(update={"question": bad, "background": bad, "rationale": bad, "options": options})
    way = tuple(told._replace(text=bad, speaker=bad) for told in done.way)
    page = read(audit_page(done._replace(item=item, way=way, outcome=bad), bad))
    assert (len(page.all("script")), page.all("img")) == (1, [])
    assert bad in page.words
