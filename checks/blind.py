"""A learned blind model: it never sees the clip, only how questions and options are worded in other items.

Options are told apart by hashed words and letter triples, and by how each stands among the others (length, likeness to
the question, typicality); a softmax over the options of an item is fitted with a ridge. Items are predicted by a model
that was fitted without their fold. What it scores above chance is wording that gives keys away.
"""

import zlib
from collections.abc import Sequence
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..narrative.words import tokens
from ..schemas.base import digest
from ..schemas.item import Option
from .shortcuts import length, like_question, typicality

NAME = "learned-blind"
FOLDS = 5
BUCKETS = 512
STEPS, RATE, MOMENTUM, RIDGE = 50, 0.3, 0.9, 1e-3
STANDING = (length, like_question, typicality)

Matrix = NDArray[np.float32]


class Worded(Protocol):
    """What the model reads of an item, and, of items outside the fold, what was right."""

    @property
    def question(self) -> str: ...
    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def answer(self) -> tuple[str, ...]: ...
    @property
    def episode(self) -> str: ...
    @property
    def story(self) -> str: ...


def predict(items: Sequence[Worded], *, seed: int) -> list[str]:
    """The id of the option picked for each item, by a model fitted on the other folds.

    A fold holds whole stories where there are at least five, else whole episodes. Ties go to a digest of the text.
    """
    features = [_features(item) for item in items]
    folds = _folds(items, seed)
    picked = [""] * len(items)
    for fold in sorted(set(folds)):
        train = [at for at, own in enumerate(folds) if own != fold]
        weights = _fit([features[at] for at in train], [_key(items[at]) for at in train])
        for at in (at for at, own in enumerate(folds) if own == fold):
            picked[at] = _pick(items[at], features[at] @ weights)
    return picked


def _folds(items: Sequence[Worded], seed: int) -> list[int]:
    """The fold of each item: units dealt out in the order of their digests."""
    by_story = len({item.story for item in items}) >= FOLDS
    units = [item.story if by_story else item.episode for item in items]
    order = sorted(set(units), key=lambda unit: digest(seed, "fold", unit))
    place = {unit: number % FOLDS for number, unit in enumerate(order)}
    return [place[unit] for unit in units]


def _features(item: Worded) -> Matrix:
    """(options, features): each row's hashed text has length 1; how it stands among the others is standardised."""
    rows = np.zeros((len(item.options), BUCKETS + len(STANDING)), dtype=np.float32)
    for row, option in zip(rows, item.options, strict=True):
        np.add.at(row, [zlib.crc32(name.encode()) % BUCKETS for name in _names(option.text)], 1.0)
        row /= max(1.0, float(np.linalg.norm(row)))
    for column, measure in enumerate(STANDING, BUCKETS):
        figures = np.array(measure(item.question, "", item.options))
        spread = figures.std()
        rows[:, column] = (figures - figures.mean()) / spread if spread else 0.0
    return rows


def _names(text: str) -> chain[str]:
    words = tokens(text)
    spelled = f" {' '.join(words)} "
    return chain((f"w {word}" for word in words), (f"c {spelled[at : at + 3]}" for at in range(len(spelled) - 2)))


def _key(item: Worded) -> int:
    return [option.id for option in item.options].index(item.answer[0])


def _fit(features: Sequence[Matrix], keys: Sequence[int]) -> Matrix:
    """Weights of a conditional logit; zeros where there is nothing to learn from."""
    weights = np.zeros(BUCKETS + len(STANDING), dtype=np.float32)
    if not features:
        return weights
    rows = np.concatenate(features)
    starts = np.cumsum([0, *(len(own) for own in features[:-1])])
    sizes = [len(own) for own in features]
    truth = np.zeros(len(rows), dtype=np.float32)
    truth[starts + np.array(keys)] = 1.0
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        scores = rows @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        shares = np.exp(scores)
        shares /= np.repeat(np.add.reduceat(shares, starts), sizes)
        speed = MOMENTUM * speed - RATE * ((shares - truth) @ rows / len(features) + RIDGE * weights)
        weights += speed
    return weights


def _pick(item: Worded, scores: Matrix) -> str:
    ranked = zip(scores.tolist(), item.options, strict=True)
    return max(ranked, key=lambda pair: (round(pair[0], 4), digest("tie", item.question, pair[1].text)))[1].id
