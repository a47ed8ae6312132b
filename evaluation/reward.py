"""The reward of replies while a model is trained on exported prompts: 1 for one that is right and valid, else 0.

It needs nothing but Python, so that a copy of this file works beside a trainer. Right: the answer is the reference, as
an exact set. Valid: the reply is the one JSON object that was asked for, with an answer among the letters shown, eight
fields that are null or text, and at least one that says something. Source: PsycheMME 3.6 (eq. 3), D.3 and Appendix E.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

FIELDS = ("G", "W", "N", "T", "S", "A", "M", "R")
KEYS = frozenset({"answer", *FIELDS})
FEWEST_WORDS = 3
FEWEST_LETTERS = 6
"""In a script that does not part words by spaces."""


def reward(
    completions: Sequence[str | Sequence[Mapping[str, str]]],
    answer: Sequence[Sequence[str]],
    letters: Sequence[Sequence[str]],
    format: Sequence[str],
    **_: object,
) -> list[float]:
    """One reward for each completion, 0.0 or 1.0. All arguments are as long as `completions`, the others columns of the
    exported prompts: letters of the answer, letters shown, `single` or `multiple`.

    A completion is a text or the messages of one turn, as trainers hand them over (TRL's `reward_funcs`).
    """
    rows = zip(completions, answer, letters, format, strict=True)
    return [one(text(completion), right, shown, kind) for completion, right, shown, kind in rows]


def one(reply: str, answer: Sequence[str], letters: Sequence[str], format: str) -> float:
    """Correct × valid."""
    given = chosen(reply, letters, format)
    return float(given is not None and set(given) == set(answer))


def chosen(reply: str, letters: Sequence[str], format: str) -> tuple[str, ...] | None:
    """The letters that a valid reply chooses; None for a reply that is not valid."""
    try:
        data = json.loads(reply, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.keys() != KEYS or not _explained(data):
        return None
    given = [data["answer"]] if format == "single" else data["answer"]
    if not isinstance(given, list) or not given or not all(isinstance(letter, str) for letter in given):
        return None
    return tuple(given) if len(set(given)) == len(given) and set(given) <= set(letters) else None


def text(completion: str | Sequence[Mapping[str, str]]) -> str:
    """What a completion says."""
    return completion if isinstance(completion, str) else "".join(message["content"] for message in completion)


def _explained(data: Mapping[str, Any]) -> bool:
    """Whether every field is null or text, and one says something."""
    fields = [data[name] for name in FIELDS if data[name] is not None]
    return all(isinstance(field, str) for field in fields) and any(map(_says, fields))


def _says(field: str) -> bool:
    words = [word for word in field.split() if any(map(str.isalnum, word))]
    letters = [letter for letter in field if letter.isalpha() and not letter.isascii()]
    return len(words) >= FEWEST_WORDS or len(letters) >= FEWEST_LETTERS


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once. Raises `ValueError`."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)
