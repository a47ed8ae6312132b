"""What a reply says for itself: its answer in words, PsycheMME's eight fields, Social Genome's steps with their tags.

A reply is read as it stands and nothing is made up: where it holds no such thing, nothing comes back. Source:
PsycheMME Table 10; Social Genome App. B.4.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..llm.lenient import is_json, values
from ..schemas.judge import MODALITIES, Modality, TraceStep
from .clean import visible

FIELDS = ("G", "W", "N", "T", "S", "A", "M", "R")
ANSWER_KEYS = ("answer", "final_answer", "response")
TRACE_KEYS = ("trace", "steps", "reasoning_trace", "reasoning", "rationale", "chain")
TEXT_KEYS = ("text", "step", "evidence", "content", "description")
TAG_KEYS = ("tags", "modality", "modalities", "tag")
SPELLED: Mapping[str, Modality] = {
    "external": "external knowledge", "knowledge": "external knowledge", "ek": "external knowledge",
    "vision": "visual", "audio": "vocal", "speech": "verbal", "language": "verbal",
}  # fmt: skip
BRACKETS = re.compile(r"\(([^()\[\]]{3,80})\)|\[([^()\[\]]{3,80})\]")
NUMBER = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:reasoning\s+)?step\s*)?\d{1,2}\s*[.):]\s*|(?:reasoning\s+)?step\s*:\s*)", re.IGNORECASE
)
NO_STEP = re.compile(
    r"^(?:(?:below|here) (?:is|are)\b|reasoning(?: steps| trace)?\s*:?$"
    r"|(?:the )?(?:correct |final )?answer\s*(?:is\b|:))",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def answer_text(reply: str) -> str:
    """An open answer in words: what stands under the answer key of a JSON reply, else the whole reply but for its
    reasoning blocks. Empty where there is none."""
    shown, cut = visible(reply)
    if cut:
        return ""
    data = _last_object(shown)
    if not any(key in data for key in ANSWER_KEYS):
        return "" if is_json(shown) else shown
    given = next(data[key] for key in ANSWER_KEYS if key in data)
    if isinstance(given, list):
        given = "; ".join(str(part) for part in given)
    return "" if given is None else str(given).strip()


def rationale(reply: str) -> dict[str, str | None]:
    """The eight fields of a JSON reply, None where one is null or missing; empty where the reply has none of them."""
    data = _last_object(visible(reply).text)
    if not any(field in data for field in FIELDS):
        return {}
    return {field: None if data.get(field) is None else str(data[field]).strip() for field in FIELDS}


def steps(reply: str, known: Sequence[str] = ()) -> tuple[TraceStep, ...]:
    """The steps of a reply, with the tags that it gives them. Steps that only repeat a text of `known` (the question,
    the options) or announce the answer are left out."""
    shown = visible(reply).text
    repeated = {_plain(text) for text in known}
    found = [step for step in _raw_steps(shown) if step.text and _plain(step.text) not in repeated]
    return tuple(TraceStep(text=step.text, tags=step.tags) for step in found if not NO_STEP.match(step.text))


class _Step(NamedTuple):
    text: str
    tags: tuple[Modality, ...]


def _raw_steps(shown: str) -> Iterator[_Step]:
    data = _last_object(shown)
    listed = next((data[key] for key in TRACE_KEYS if isinstance(data.get(key), list | str)), None)
    if isinstance(listed, list):
        yield from (_step(one) for one in listed)
    elif isinstance(listed, str) or not data:
        yield from (_step(line) for line in _lines(listed if isinstance(listed, str) else shown))


def _lines(text: str) -> list[str]:
    """By line; a text of one line by sentence."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines if len(lines) > 1 else SENTENCE.split(text.strip())


def _step(raw: Any) -> _Step:
    if isinstance(raw, Mapping):
        text = next((raw[key] for key in TEXT_KEYS if isinstance(raw.get(key), str)), "")
        given = next((raw[key] for key in TAG_KEYS if key in raw), ())
        own = _tags(given if isinstance(given, str) else " ".join(map(str, given or ())))
        return _without_tags(text, own)
    return _without_tags(str(raw), ())


def _without_tags(text: str, own: tuple[Modality, ...]) -> _Step:
    """A step's text without its number and without brackets that hold tags and nothing else."""
    text = NUMBER.sub("", text).strip(" *_")
    for match in BRACKETS.finditer(text):
        inner = match[1] or match[2]
        if tags := _tags(inner):
            own, text = _merged(own, tags), text.replace(match[0], " ")
    return _Step(" ".join(text.split()), own)


def _tags(text: str) -> tuple[Modality, ...]:
    """The modalities that a text lists; none where it says anything else."""
    plain = text.casefold().replace("_", " ").replace("n/a", " ")
    words = [word for word in re.split(r"[\s,;/|&+]+|\band\b", plain) if word and word not in ("none", "cue", "cues")]
    named: list[str] = [SPELLED.get(word, word) for word in words]
    tags = tuple(tag for tag in MODALITIES if tag in named)
    return tags if set(named) <= set(MODALITIES) else ()


def _merged(first: tuple[Modality, ...], second: tuple[Modality, ...]) -> tuple[Modality, ...]:
    return tuple(tag for tag in MODALITIES if tag in (*first, *second))


def _last_object(shown: str) -> dict[str, Any]:
    """The last JSON object of a reply; empty where there is none."""
    found = [value for value in values(shown) if isinstance(value, dict)]
    return found[-1] if found else {}


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?")
