"""Each gate refuses its defect and lets a sound item through."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from benchwright.anonymize.replace import Anonymizer
from benchwright.checks.case import Case, CaseOption, GateSettings, of_draft, of_item
from benchwright.checks.gates import GATES, run, without_key
from benchwright.narrative.words import echo
from benchwright.schemas.base import digest
from benchwright.schemas.clip import ClipRef, Excerpt, TranscriptLine
from benchwright.schemas.grounding import Event, Recipe
from benchwright.schemas.item import OBSERVED, Draft, DraftOption, Item, Option
from benchwright.schemas.story import Entity
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
TEXTS = (
    "Alpha hands the sealed letter to the harbour master.",
    "Alpha burns the sealed letter in the kitchen stove.",
    "Beta walks out and never speaks to the crew again.",
    "Beta asks the council to put off the vote for a day.",
    "The ferry leaves at dawn without anybody on board.",
    "The crew refuses to cast off before the storm is over.",
)
QUESTION = "Had Alpha chosen to stay silent, what would have happened within the next two choices?"
TRANSCRIPT = (
    TranscriptLine(text="Where were you last night?", speaker="Beta"),
    TranscriptLine(text="Alpha looks at the floor.", speaker=None),
    TranscriptLine(text="Tell the truth", kind="choice"),
)
MENU = TranscriptLine(text="[Tell the truth | Keep silent about the letter]", kind="menu")
ON_MENU = (CaseOption("o1", "Tell the truth", "line"), CaseOption("o2", "Keep silent about the letter", "line"))


def item(texts: tuple[str, ...] = TEXTS, key: str = TEXTS[0], **changes: object) -> Item:
    """A finished item whose option ids ascend as they should."""
    ordered = sorted(texts, key=lambda text: digest("i1", text))
    options = tuple(Option(id=f"o{number}", text=text) for number, text in enumerate(ordered, 1))
    answer = tuple(option.id for option in options if option.text == key)
    recipe = Recipe(
        claim="counterfactual", story_sha256="sha256:0", play=(0,), taken=0, others=(1,), window=2,
        events={option.id: Event(kind="line", match=(option.text,)) for option in options},
    )  # fmt: skip
    fields = {
        "item_id": "i1", "capability": "counterfactual_reasoning", "interaction": "disclosure",
        "clip": ClipRef(media="media/c1.json", start=0, end=3, unit="lines"), "background": "Beta steers the ferry.",
        "question": QUESTION, "options": options, "public_hash": "sha256:0", "recipe": recipe, "answer": answer,
        "traps": {option.id: "none" for option in options if option.id not in answer}, "rationale": "",
    }  # fmt: skip
    return Item.model_validate({**fields, **changes})


def anonymizer() -> Anonymizer:
    return Anonymizer(
        [
            Entity(names=("Vesna",), placeholder="Alpha", descriptor="the woman at the wheel"),
            Entity(names=("Joonas",), placeholder="Beta", descriptor="the man with the ledger"),
            Entity(names=("Hope",), placeholder="Gamma", common_word=True),
        ]
    )


def case(**changes: object) -> Case:
    base = of_item(item(), TRANSCRIPT, choice="Stay silent", anonymizer=anonymizer())
    return replace(base, **changes)  # type: ignore[arg-type]


def reworded(text: str, key: bool = False) -> Case:
    """The sound case with the key, or one wrong option, in other words."""
    base = case()
    target = next(option for option in base.options if (option.id in base.answer) is key)
    return replace(base, options=tuple(o._replace(text=text) if o is target else o for o in base.options))


def codes(one: Case) -> list[str]:
    return [finding.code for finding in run(one)]


def test_a_sound_item_passes():
    assert run(case()) == []


KEY_ID = case().answer[0]
LONG = (
    "Alpha hands the sealed letter to the harbour master, who reads it, pockets it, and says nothing at all for days."
)

ALL = ("o1", "o2", "o3", "o4", "o5", "o6")
DEFECTS: list[tuple[str, str, Callable[[], Case]]] = [
    ("option-count", "five", lambda: case(options=case().options[:5], answer=(case().options[0].id,), traps=None)),
    ("option-empty", "blank", lambda: reworded(" … ")),
    ("option-duplicate", "case and stops", lambda: reworded("ALPHA hands the sealed letter to the harbour-master!")),
    ("option-near-duplicate", "one letter", lambda: reworded("Alpha handed the sealed letters to the harbour master.")),
    ("option-length", "too long", lambda: reworded(LONG)),
    ("option-length", "too short", lambda: reworded("Alpha sleeps.")),
    ("key-outlier", "longest", lambda: reworded(LONG[:90], key=True)),
    ("key-outlier", "shortest", lambda: reworded("Alpha gives up on it.", key=True)),
    ("option-kind", "an ending", lambda: case(options=(*case().options[:5], CaseOption("o6", "It ends.", "ending")))),
    ("option-shown", "in the transcript", lambda: reworded("where were you LAST night?")),
    ("option-shown", "in the background", lambda: reworded("Beta steers the ferry")),
    ("option-shown", "in the question", lambda: reworded("chosen to stay silent", key=True)),
    ("option-shown", "a whole line", lambda: case(options=with_short(), transcript=(TranscriptLine(text="No!"),))),
    ("options-unevenly-shown", "one of six", lambda: replace(reworded("Tell the truth"), claim="causal_antecedent")),
    ("options-unevenly-shown", "the others on a menu", lambda: replace(
        case(options=ON_MENU, transcript=(MENU, *TRANSCRIPT)), claim="causal_antecedent")),
    ("answer-missing", "none", lambda: case(answer=(), traps=None)),
    ("answer-missing", "unknown", lambda: case(answer=("o9",), traps=None)),
    ("answer-missing", "two", lambda: case(answer=("o1", "o2"), traps=frozenset({"o3", "o4", "o5", "o6"}))),
    ("trap-missing", "none at all", lambda: case(traps=frozenset())),
    ("trap-missing", "on the answer", lambda: case(traps=frozenset({"o1", "o2", "o3", "o4", "o5", "o6"}))),
    ("question-mark", "full stop", lambda: case(question=QUESTION.replace("?", "."))),
    ("question-window", "no window", lambda: case(question="What would Alpha have done with the letter instead?")),
    ("question-length", "four words", lambda: case(question="What would happen next?")),
    ("question-length", "81 words", lambda: case(question="Next " + "and then " * 40 + "?")),
    ("echo", "the choice's words", lambda: case(choice="Hand over the sealed letter to the harbour master")),
    ("name-leak", "question", lambda: case(question=QUESTION.replace("Alpha", "Vesna"))),
    ("name-leak", "speaker", lambda: case(transcript=(TranscriptLine(text="Where?", speaker="JOONAS"),))),
    ("name-leak", "background", lambda: case(background="joo-nas steers.")),
    ("name-leak", "file name", lambda: case(item=item(clip=ClipRef(media="media/vesna_1.mp4", start=0, end=1)))),
    ("name-leak", "history", lambda: case(item=item(history=("Vesna was here.",)))),
    ("name-ambiguous", "first word", lambda: case(background="Hope is all they have.")),
    ("descriptor-missing", "Gamma", lambda: case(background="They wait for Gamma.")),
    ("option-order", "ids", lambda: case(item=item(options=swapped_ids()))),
    ("option-count", "of an open question", lambda: observed(format="open", answer=())),
    ("answer-missing", "open", lambda: observed(format="open", options=(), answer=(), traps=None)),
    ("answer-missing", "all are right", lambda: observed(format="multiple", answer=ALL, traps=frozenset())),
    ("cue-missing", "none cited", lambda: observed(item=watched(cues=()))),
    ("cue-missing", "no such line", lambda: observed(item=watched(cues=("line 9: where were you",)))),
    ("cue-missing", "other words", lambda: observed(item=watched(cues=("line 1: I was at home",)))),
    ("cue-missing", "a menu", lambda: observed(
        item=watched(cues=("line 4: Keep silent",)), transcript=(*TRANSCRIPT, MENU))),
    ("cue-missing", "no such turn", lambda: observed(item=watched(cues=("turn 3 of the history: no",)))),
    ("history-unused", "no turn cited", lambda: observed(item=watched(history=("Alpha: I never lie.",)))),
    ("option-order", "order", lambda: case(item=item(options=tuple(reversed(item().options))))),
]  # fmt: skip


def watched(**changes: object) -> Item:
    """An item that no code derives, whose cue stands where it is cited."""
    return item(**{"recipe": None, "cues": ("line 1: where were you",), **changes})  # type: ignore[arg-type]


def observed(**changes: object) -> Case:
    return case(claim=OBSERVED, **{"item": watched(), **changes})


def test_a_sound_item_that_no_code_derives_passes() -> None:
    """It states no window, and an option may name what stands in the transcript."""
    asked = observed(question="Whom does Beta ask about last night, in the first line?")
    assert run(asked) == []
    named = replace(asked, options=(*asked.options[:5], asked.options[5]._replace(text="Where were you last night?")))
    assert "option-shown" not in codes(named)
    told = watched(history=("Alpha: I never lie.", "Beta: You do."), cues=("turn 2 of the history: you do",))
    assert run(observed(item=told)) == []


def with_short() -> tuple[CaseOption, ...]:
    return tuple(CaseOption(f"o{at}", text) for at, text in enumerate(("Yes", "No", "Soon", "Late", "Here", "Gone"), 1))


def swapped_ids() -> tuple[Option, ...]:
    first, second, *rest = item().options
    return (first.model_copy(update={"text": second.text}), second.model_copy(update={"text": first.text}), *rest)


@pytest.mark.parametrize(("code", "make"), [(c, m) for c, _, m in DEFECTS], ids=[f"{c}: {d}" for c, d, _ in DEFECTS])
def test_each_defect_is_refused(code, make):
    assert code in codes(make())


def test_every_gate_has_a_defect_here():
    assert {gate.code for gate in GATES} == {code for code, _, _ in DEFECTS}


@pytest.mark.parametrize(
    "sound",
    [
        reworded("Alpha hands the sealed letter to the harbour mistress and Beta."),
        reworded("Alpha never hands the sealed letter to the harbour master."),
        reworded("Beta hands the sealed letter to the harbour master."),
        reworded("The harbour master hands the sealed letter to Alpha."),
        case(question="Which of these is the first to come about, before Alpha has to choose again?"),
        case(question="What follows by the end of the chapter, whatever else is done?"),
        case(question="What could Alpha not bring about ever after?"),
        case(question="ما الذي كان سيحدث خلال الخيارين التاليين؟", settings=GateSettings(language="ar")),
        case(question="在接下来的两个选择之内会发生什么事情？", settings=GateSettings(language="zh")),
        case(options=case().options[:4], answer=(KEY_ID,), traps=None, settings=GateSettings(least_options=3)),
    ],
    ids=["one word more", "a negation", "another person", "roles changed", "before", "by the end", "ever after",
         "Arabic", "Chinese", "four options"],
)  # fmt: skip
def test_what_is_no_defect_passes(sound):
    assert [code for code in codes(sound) if code != "answer-missing"] == []


def test_choices_shown_in_full_are_no_defect_of_a_causal_item():
    shown = tuple(TranscriptLine(text=text, kind="choice") for text in TEXTS)
    assert codes(case(claim="causal_antecedent", transcript=shown)) == []
    assert codes(case(claim="counterfactual", transcript=shown)) == ["option-shown"] * 6


@pytest.mark.parametrize("make", [make for code, _, make in DEFECTS if code in ("option-length", "key-outlier")])
def test_how_long_the_choices_of_a_story_are_is_no_defect_of_a_moral_dilemma(make):
    assert not {"option-length", "key-outlier"} & set(codes(replace(make(), claim="moral_dilemma")))


def test_findings_name_place_and_severity():
    finding = next(finding for finding in run(reworded(LONG)) if finding.code == "option-length")
    assert finding.place.startswith("i1/o")
    assert finding.severity == "error"
    warning = run(case(background="They wait for Gamma."))
    assert [(found.code, found.severity) for found in warning] == [("descriptor-missing", "warning")]


def test_what_tells_the_key_is_kept_from_those_who_may_not_know_it():
    found = run(replace(reworded(LONG[:90], key=True), question="Why?"))
    assert {"key-outlier", "question-length"} <= {finding.code for finding in found}
    assert "key-outlier" not in {finding.code for finding in without_key(found)}


@pytest.mark.parametrize("other", [option.id for option in case().options if option.id != KEY_ID])
def test_the_other_findings_do_not_depend_on_which_option_is_right(other):
    """Non-interference: what a role without the label reads is the same whatever the label."""
    broken = replace(reworded(LONG[:90], key=True), question="Why", choice="Hand over the sealed letter")
    moved = replace(broken, answer=(other,), traps=frozenset(o.id for o in broken.options if o.id != other))
    assert without_key(run(broken)) == without_key(run(moved))


def draft(answer: str = TEXTS[0]) -> Draft:
    options = tuple(DraftOption(text=text, event=Event(kind="line", match=(text,))) for text in TEXTS)
    return Draft(question=QUESTION, options=options, window=2, answer=answer, rationale="",
                 traps={text: "logic" for text in TEXTS if text != TEXTS[0]})  # fmt: skip


def test_a_draft_passes_the_same_gates():
    excerpt = Excerpt(lines=TRANSCRIPT, background="", play=(0,), first=0, spans=("a", "b", "c"))
    assert run(of_draft(draft(), excerpt, place="s1", claim="counterfactual", choice="Stay silent")) == []
    found = run(of_draft(draft(answer="Something else."), excerpt, place="s1", claim="counterfactual"))
    assert [finding.code for finding in found] == ["answer-missing", "trap-missing"]


@pytest.mark.parametrize(
    ("key", "options", "expected"),
    [
        ("He hides the letter", ["She hides the rope", "A gull cries"], True),
        ("He hides the rope", ["She hides the letter", "A gull cries"], False),
        ("A gull cries", ["He hides", "The letter burns"], False),
        ("Hides it", ["Hides it", "Hiding"], False),
        ("Hides it", [], False),
    ],
)
def test_echo(key, options, expected):
    assert echo(key, "Hide the letter", options) is expected
    assert not options or echo(key, "Hide the letter", [key, *options]) is expected


@given(st.lists(st.text("hide letr ", max_size=12), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_echo_does_not_depend_on_the_order_of_the_options(options, random):
    shuffled = random.sample(options, len(options))
    assert echo(options[0], "hide the letter", options) == echo(options[0], "hide the letter", shuffled)


ROOMS = ("checks", "project", "state")
"""Those whose codes are written out where a finding is made."""


def made_in(path: Path) -> set[str]:
    """Codes that a module of the package gives its findings, as far as they are written out."""
    text = path.read_text("utf-8")
    return set(re.findall(r'(?:Finding\(code=|_error\(|_warning\(|\bcode=)"([a-z]+(?:-[a-z]+)*)"', text))


ALARMS = {"right-without-clip", "key-doubted", "discrimination-negative"}
"""What a pilot says of keys: no gate, since it needs models."""


def test_every_code_is_documented():
    page = (ROOT / "docs/findings.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| (error|warning)", page, re.MULTILINE))
    assert {gate.code: gate.severity for gate in GATES}.items() <= listed.items()
    found = {path.name: made_in(path) - set(listed) for room in ROOMS for path in (ROOT / room).glob("*.py")}
    assert {name: codes for name, codes in found.items() if codes} == {}
    telling = set(re.findall(r"^\| `([a-z-]+)` \| error, \*key\*", page, re.MULTILINE))
    assert telling - ALARMS == {gate.code for gate in GATES if gate.about_key}
