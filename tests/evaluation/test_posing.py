"""Requests with films and worked examples, and the probe that asks for the work."""

import json
from collections.abc import Callable

import pytest
from benchwright.errors import UsageError
from benchwright.evaluation import recognition
from benchwright.evaluation.film import Takes
from benchwright.evaluation.posing import Poser, Posing, Sight
from benchwright.evaluation.prompt import Asked, Transcripts, content_of, options_of
from benchwright.evaluation.shots import Shot, Shots
from benchwright.schemas.call import Reply
from benchwright.schemas.judge import TraceStep
from benchwright.schemas.release import ModelInput
from benchwright.schemas.response import Response, Trace

from .conftest import item as make
from .conftest import lines
from .test_conditions import EYES, GENAI, Filmed

MakeItem = Callable[..., ModelInput]
STEPS = (TraceStep(text="Beta looks away.", tags=("visual",)),)


def shot(number: int, source: str, **changes: object) -> Shot:
    one = make(number, **changes)
    return Shot(one, ("o2",), "She keeps it.", source, STEPS if number % 2 else ())


POOL = [shot(number, f"s{number % 3}") for number in range(101, 121)]
SHOTS = Shots("others 1.0.0 sha256:1", POOL, {f"media/c{number}.json": lines(number) for number in range(101, 121)})


def poser(
    transcripts: Transcripts, condition: str, takes: Takes | None = None, trace: Trace = "none", shots: Shots = SHOTS
) -> Poser:
    sight = Sight(takes or Takes(), Filmed(), shots)
    return Poser(Posing("m", condition, 42, trace), transcripts, sight)


def labels(asked: Asked) -> list[str]:
    return [part.label for part in asked.request.messages[-1].parts if not part.label.startswith("option")]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("full", ["background", "film", "frames", "transcript", "question"]),
        ("visual-only", ["background", "film", "frames", "question"]),
        ("single-image", ["background", "film", "image", "transcript", "question"]),
        ("muted", ["background", "film", "frames", "transcript", "question"]),
        ("transcript-only", ["background", "transcript", "question"]),
        ("question-only", ["question"]),
    ],
)
def test_parts_stand_in_one_order(
    condition: str, expected: list[str], item: MakeItem, transcripts: Transcripts
) -> None:
    asked = poser(transcripts, condition, EYES).ask(item())
    assert labels(asked) == expected
    assert asked.given == tuple(label for label in expected if label not in ("film", "question"))


def test_conditions_differ_in_what_is_shown_alone(item: MakeItem, transcripts: Transcripts) -> None:
    """Instructions, question and options are the same bytes under every condition."""
    asked = [poser(transcripts, name, EYES).ask(item()).request for name in ("full", "visual-only", "question-only")]
    assert len({one.messages[0] for one in asked}) == 1
    assert (
        len({tuple(part for part in one.messages[-1].parts if part.label[:6] in ("questi", "option")) for one in asked})
        == 1
    )
    assert len({one.sha256 for one in asked}) == 3


def test_a_film_is_announced_by_what_it_is(item: MakeItem, transcripts: Transcripts) -> None:
    def heading(condition: str, takes: Takes) -> str:
        parts = poser(transcripts, condition, takes).ask(item()).request.messages[-1].parts
        return next(part.text for part in parts if part.label == "film")

    assert heading("full", GENAI) == "The scene, as a film with its sound"
    assert heading("visual-only", GENAI) == "The scene, as a film without its sound"
    assert heading("full", EYES) == "The scene, as 1 pictures, from 2.0 seconds after its start"
    assert heading("single-image", EYES) == "One picture of the scene, from 2.0 seconds after its start"


@pytest.mark.parametrize("count", [1, 2, 4, 8, 16])
def test_examples_stand_before_the_question_with_their_answers(
    count: int, item: MakeItem, transcripts: Transcripts
) -> None:
    asked = poser(transcripts, f"{count}-shot").ask(item())
    roles = [message.role for message in asked.request.messages]
    assert roles == ["system", *(["user", "assistant"] * count), "user"]
    first, reply = asked.request.messages[1:3]
    texts = [part.text for part in first.parts if "option:" in part.label]
    assert f"{json.loads(reply.parts[0].text)['answer']}. " in "".join(texts)
    zero = poser(transcripts, "full").ask(item())
    assert asked.request.messages[-1] == zero.request.messages[-1]
    assert asked.given == zero.given
    assert content_of(asked.request, "question") == content_of(zero.request, "question")
    assert options_of(asked.request) == options_of(zero.request)


def test_fewer_examples_are_the_first_of_more_and_come_from_all_sources(
    item: MakeItem, transcripts: Transcripts
) -> None:
    two, four = (poser(transcripts, f"{count}-shot").ask(item()).request.messages for count in (2, 4))
    assert four[1:5] == two[1:5]
    chosen = SHOTS.chosen(3, "single", "none", 42)
    assert {one.source for one in chosen} == {"s0", "s1", "s2"}
    assert Shots("", POOL[::-1]).chosen(3, "single", "none", 42) == chosen


def test_examples_show_a_persons_steps_where_steps_are_asked_for(item: MakeItem, transcripts: Transcripts) -> None:
    asked = poser(transcripts, "2-shot", trace="steps").ask(item())
    reply = json.loads(asked.request.messages[2].parts[0].text)
    assert list(reply) == ["trace", "answer"]
    assert reply["trace"] == [{"step": "Beta looks away.", "tags": ["visual"]}]


@pytest.mark.parametrize(
    ("condition", "trace", "shots", "format", "message"),
    [
        ("1-shot", "none", Shots(), "single", "name a release of examples with --shots: there are 0"),
        ("1-shot", "none", SHOTS, "open", "others 1.0.0 sha256:1 has 0 items of format open"),
        ("16-shot", "steps", SHOTS, "single", "has 10 items of format single with a person's trace"),
        ("1-shot", "rationale", SHOTS, "single", "shots go with trace none or steps"),
    ],
)
def test_too_few_examples_are_refused(
    condition: str, trace: Trace, shots: Shots, format: str, message: str, item: MakeItem, transcripts: Transcripts
) -> None:
    with pytest.raises(UsageError, match=message):
        poser(transcripts, condition, trace=trace, shots=shots).ask(item(format=format))


def test_a_history_is_left_out_under_the_condition_without(item: MakeItem, transcripts: Transcripts) -> None:
    one = item(history=("Beta lied before.",))
    assert "history" in labels(poser(transcripts, "full").ask(one))
    assert labels(poser(transcripts, "history-none").ask(one)) == labels(poser(transcripts, "full").ask(item()))
    assert poser(transcripts, "history-matched").ask(one).request == poser(transcripts, "full").ask(one).request


def stored(asked: Asked, condition: str) -> Response:
    return Response(
        item=make().id, condition=condition, shown=asked.shown, input_sha256=asked.input_sha256, given=asked.given,
        media=asked.media, reply="", status="no_answer", rule="", ids=(),
    )  # fmt: skip


@pytest.mark.parametrize("condition", ["full", "visual-only", "single-image", "muted", "question-only", "recognition"])
def test_what_was_sent_is_made_again_from_what_is_stored(
    condition: str, item: MakeItem, transcripts: Transcripts
) -> None:
    """Without the videos, which whoever scores a run need not have."""
    asked = poser(transcripts, condition, EYES).ask(item())
    again, wrong = Poser(Posing("m", condition, 42), transcripts).again(item(), stored(asked, condition))
    assert wrong == ""
    assert again is not None
    assert again.input_sha256 == asked.input_sha256


def test_the_probe_shows_the_scene_and_asks_for_the_work(item: MakeItem, transcripts: Transcripts) -> None:
    asked = poser(transcripts, "recognition", EYES).ask(item())
    assert [part.label for part in asked.request.messages[-1].parts] == ["background", "film", "frames", "transcript"]
    assert asked.shown == ()
    assert item().question not in asked.request.model_dump_json()
    assert asked.request.prompt_id == "recognition"


PROBED = [
    ('{"work": "Heavy Rain"}', "ok", "answered", "Heavy Rain"),
    ('I think so.\n```json\n{"work": " The Wire "}\n```', "ok", "answered", "The Wire"),
    ('{"work": null}', "ok", "no_answer", ""),
    ('{"work": "Unknown."}', "ok", "no_answer", ""),
    ("It reminds me of Heavy Rain.", "ok", "no_answer", ""),
    ("I cannot.", "refusal", "refusal", ""),
    ('{"work": "Hea', "truncated", "truncated", ""),
]


@pytest.mark.parametrize(("text", "status", "read", "work"), PROBED)
def test_a_work_is_taken_only_where_it_is_named_as_asked(text: str, status: str, read: str, work: str) -> None:
    reply = Reply.model_validate({"text": text, "status": status})
    assert recognition.read(reply).status == read
    assert recognition.work_named(text) == work
