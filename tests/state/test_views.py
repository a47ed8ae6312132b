"""Role views: what each role is given in each round, that later rows do not change it, and that no secret moves it."""

import asyncio
from pathlib import Path

import pytest
from benchwright.errors import BenchwrightError, IsolationError, UsageError
from benchwright.schemas.base import canonical, class_of, content_hash, shown_order
from benchwright.schemas.item import Draft, Item, Plan
from benchwright.schemas.view import ROLE_CLASSES, ROLE_COLUMNS, AnswerView, Feedback, Role
from benchwright.state.guard import Guard
from benchwright.state.store import NodeKey, Store
from benchwright.state.tables import RECORDS
from benchwright.state.views import BUILDERS, Look, Seen

SLOT = "s/counterfactual/conflict/1"
ROUNDS = (0, 1)
WITHOUT_VIEW: tuple[Role, ...] = ("model", "judge", "rubric_judge", "auditor")

ROLE_OF: dict[str, tuple[Role, ...]] = {role: (role,) for role in BUILDERS}
"""A node of the name of a role is given that role's view."""


@pytest.fixture(scope="module")
def slots(samples) -> tuple[str, str]:
    """The slot of two rounds whose secrets say SECRET, and the other one."""
    first, second = (f"{samples.source_id}/counterfactual/conflict/{number}" for number in (1, 2))
    return first, second


def put(store: Store, key: NodeKey, *records) -> None:
    asyncio.run(store.put(key, *records))


def record_of(rows, node: str, kind: type, round: int = 0):
    found = (one for key, records in rows if (key.node, key.round) == (node, round) for one in records)
    return next(one for one in found if type(one) is kind)


def test_director_and_tracker(filled: Store, slots, samples):
    first = filled.view("director", slots[0], 0)
    assert (first.source.title, first.coordinate.capability, first.ordinal) == ("Harbour", "counterfactual", 1)
    second = filled.view("tracker", slots[0], 0)
    assert second.plan == record_of(samples.slot(slots[0], mark=" SECRET"), "director", Plan)
    assert [person.names for person in second.people] == [("Ivo",), ("Marta",)]


def test_generator_gets_its_last_draft_and_the_word_on_it(filled: Store, slots, samples):
    fresh, returned = (filled.view("generator", slots[0], round) for round in ROUNDS)
    assert (fresh.draft, fresh.feedback) == (None, None)
    assert returned.draft == record_of(samples.slot(slots[0], mark=" SECRET"), "generator", Draft)
    assert returned.feedback == Feedback(code="unclear SECRET", message="round 0 SECRET")
    assert returned.model_copy(update={"draft": None, "feedback": None}) == fresh


def test_question_gets_wording_only(filled: Store, slots):
    view = filled.view("question", slots[0], 1)
    assert view.question == "What if Ivo had spoken? SECRET"
    assert view.options == ("Marta does thing 1.", "Marta does thing 2.", "Marta does thing 3.")
    assert view.feedback.message == "round 0 SECRET"
    assert b"Marta does thing 2. SECRET" not in canonical(view)
    assert b"real line" not in canonical(view)


def test_adjudicator_gets_the_recipe_in_the_order_of_ids(filled: Store, slots):
    view = filled.view("adjudicator", slots[0], 0)
    assert [option.id for option in view.options] == ["o1", "o2", "o3"]
    assert view.recipe is not None
    assert set(view.recipe.events) == {"o1", "o2", "o3"}
    assert b"o2 SECRET" not in canonical(view)


@pytest.mark.parametrize("round", ROUNDS)
def test_critic_gets_the_answers_of_its_round(filled: Store, slots, samples, round: int):
    rows = samples.slot(slots[0], round, " SECRET")
    view = filled.view("critic", slots[0], round, answer_policy="rules")
    assert view.item == record_of(rows, "anonymise", Item, round)
    assert view.draft is not None
    assert view.draft.wording == round
    assert [answer.ids for answer in view.answers] == [("o1 SECRET",)] * 3
    assert (view.answer_policy, view.round) == ("rules", round)


@pytest.mark.parametrize("run", range(4))
@pytest.mark.parametrize("round", ROUNDS)
def test_answer_sees_no_secret_and_its_own_order(filled: Store, slots, samples, round: int, run: int):
    view = filled.view("answer", slots[0], round, run)
    assert b"SECRET" not in canonical(view)
    order = shown_order(samples.seed, f"{view.item_id}/{run}", ["o3", "o1", "o2"])
    assert tuple(option.id for option in view.options) == order
    assert ("wording 1" in view.question) == (round == 1)


def test_runs_are_shown_different_orders(filled: Store, slots):
    orders = {tuple(option.id for option in filled.view("answer", slots[0], 0, run).options) for run in range(12)}
    assert len(orders) > 3


def test_a_re_examination_has_the_same_bytes(filled: Store, slots):
    """A round without a revision shows the last one; the order depends on the run and never on the round."""
    for run in range(3):
        views = {canonical(filled.view("answer", slots[0], round, run)) for round in (1, 2, 5)}
        assert len(views) == 1


def test_a_slot_sees_its_own_rows_only(filled: Store, slots):
    for role in BUILDERS:
        assert b"SECRET" not in canonical(filled.see(role, slots[1], 1 if role == "question" else 0).view)


def test_later_rows_change_no_view(store: Store, samples):
    """Each view is built when its node runs, and once more when all is done: an audit can build it again."""
    rows = samples.project() + samples.slot(SLOT)[:3]
    first, second = samples.slot(SLOT)[3:], samples.slot(SLOT, 1)
    refused = NodeKey(SLOT, "gates", 0, 0), (Feedback(code="leak", message="refused"),)
    again = (
        NodeKey(SLOT, "generator", 0, 1),
        tuple(one.model_copy(update={"wording": 1}) for one in first[0][1] if isinstance(one, Draft)),
    )
    first[1] = first[1][0]._replace(run=1), first[1][1]
    seen: dict[NodeKey, Seen] = {}
    for key, records in [*rows, first[0], refused, again, *first[1:], *second]:
        for role in ROLE_OF.get(key.node, ()) if key.slot_id == SLOT else ():
            seen[key] = store.see(role, key.slot_id, key.round, key.run)
        put(store, key, *records)
    assert len(seen) == 15
    for key, before in seen.items():
        for role in ROLE_OF[key.node]:
            assert store.see(role, key.slot_id, key.round, key.run) == before
    assert seen[again[0]].view.feedback == refused[1][0]  # type: ignore[union-attr]
    assert seen[NodeKey(SLOT, "question", 1)].view.feedback.message == "round 0"  # type: ignore[union-attr]


@pytest.mark.parametrize("role", BUILDERS)
@pytest.mark.parametrize("round", ROUNDS)
def test_what_is_logged_is_what_the_role_may_read(filled: Store, slots, role: Role, round: int):
    if (role, round) == ("question", 0):
        pytest.skip("a question is only re-worded")
    seen = filled.see(role, slots[0], round)
    assert seen.fields
    for name in seen.fields:
        record, field = name.split(".")
        kind = next(kind for kind in RECORDS if kind.__name__ == record)
        assert class_of(kind, field) in ROLE_CLASSES[role] or field in ROLE_COLUMNS[role][record]


def test_what_the_answering_side_is_logged_to_have_seen(filled: Store, slots):
    fields = filled.see("answer", slots[0], 1).fields
    assert {name.split(".")[1] for name in fields} == set(AnswerView.model_fields)
    assert {name.split(".")[0] for name in fields} == {"Item", "Clip"}


@pytest.mark.parametrize("role", BUILDERS)
def test_the_log_names_the_version_seen(filled: Store, slots, samples, role: Role):
    seen = filled.see(role, slots[0], 1)
    item = record_of(samples.slot(slots[0], 1, " SECRET"), "anonymise", Item, 1)
    late = role in ("answer", "adjudicator", "critic", "blind")
    assert (seen.version == item.public_hash) == late
    if role != "question":
        assert filled.see(role, slots[1], 0).version != seen.version


def test_the_log_entry_of_a_view(filled: Store, slots):
    seen = filled.see("answer", slots[0], 1, 2)
    key = NodeKey(slots[0], "answer", 1, 2)
    by_rules = seen.entry("i1", key, policy_sha256="sha256:p")
    assert by_rules.prompt_sha256 == content_hash(seen.view)
    assert (by_rules.item_id, by_rules.node, by_rules.round, by_rules.run) == ("i1", "answer", 1, 2)
    assert (by_rules.role, by_rules.version, by_rules.fields) == ("answer", seen.version, seen.fields)
    assert seen.entry("i1", key, policy_sha256="sha256:p", prompt_sha256="sha256:q").prompt_sha256 == "sha256:q"


@pytest.mark.parametrize(
    ("role", "missing"),
    [
        ("director", "Slot"), ("tracker", "Slot"), ("generator", "Slot"), ("question", "Draft"), ("answer", "Item"),
        ("adjudicator", "Slot"), ("critic", "Item"), ("blind", "Planted"), ("expert", "Reference"),
    ],
)  # fmt: skip
def test_a_missing_record_is_named(store: Store, role: Role, missing: str):
    with pytest.raises(BenchwrightError, match=f"{SLOT} round 0 run 0: the {role} needs a {missing}"):
        store.see(role, SLOT, 0)


def test_a_missing_source_is_named(store: Store, samples):
    put(store, *(samples.slot(SLOT)[0][0], *samples.slot(SLOT)[0][1]))
    with pytest.raises(BenchwrightError, match=f"the director needs a Source {samples.source_id}"):
        store.view("director", SLOT, 0)


@pytest.mark.parametrize("role", WITHOUT_VIEW)
def test_other_roles_have_no_view_of_a_slot(filled: Store, slots, role: Role):
    with pytest.raises(UsageError, match=f"role {role} has no view of a slot"):
        filled.see(role, slots[0], 0)


def test_the_answer_view_needs_the_seed(tmp_path: Path, samples):
    with Store.open(tmp_path / "store.sqlite") as store, pytest.raises(UsageError, match="needs the project's seed"):
        store.view("answer", SLOT, 0)


@pytest.mark.parametrize(
    ("role", "record", "field"),
    [
        ("answer", Item, "answer"),
        ("answer", Item, "recipe"),
        ("answer", Draft, "question"),
        ("question", Draft, "answer"),
        ("question", Draft, "others"),
        ("adjudicator", Item, "answer"),
        ("tracker", Feedback, "message"),
    ],
)
def test_a_builder_that_reaches_too_far_is_stopped(filled: Store, slots, role: Role, record: type, field: str):
    """A leak that somebody plants in a builder: the guard under it refuses, and says what was asked for."""
    for allowed in (False, True):
        guard = Guard(filled.path, "auditor" if allowed else role)
        look = Look(guard, NodeKey(slots[0], role, 1), 7, "")
        if allowed:
            assert look.need(record, look.whole_round, field)
        else:
            with pytest.raises(IsolationError, match=rf"role {role}: access to \w+\.\w+ is prohibited"):
                look.need(record, look.whole_round, field)
        guard.close()
