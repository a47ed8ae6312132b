"""Social Genome's twelve figures of one model's reasoning trace against a person's.

A trace is a list of steps, each a text with the modalities that it draws on. How a step becomes a vector and which
emotions a text names are arguments: the paper's model is an extra, and ours need none. Source: SCORING 24; Social
Genome 3.5, App. B.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .bootstrap import Floats, ratios
from .embedding import Embed, hashed
from .emotions import named_emotions
from .figure import Figure, undefined

MODALITIES = ("visual", "verbal", "vocal", "external knowledge")
"""In the order in which the tags of one step enter the sequence."""
THRESHOLD = 0.6
NO_HUMAN = "the human trace has no steps"

Emotions = Callable[[str], frozenset[str]]


class Step(NamedTuple):
    text: str
    tags: frozenset[str] = frozenset()
    """Of MODALITIES; other tags, such as n/a, count for nothing."""


class GenomeFigures(NamedTuple):
    """Counts are whole numbers; higher is better in all but `num_steps`."""

    accuracy: float
    similarity_trace: Figure
    """Cosine of the mean step vectors, in [−1, 1]. The paper says "aggregate" only: ours is the mean."""
    similarity_step: Figure
    """Mean over model steps of the cosine with the nearest human step, in [−1, 1]."""
    similarity_num: Figure
    """Model steps whose nearest human step is closer than 0.6, strictly."""
    difference_sequence: float
    """Likeness of the two sequences of modalities, in [0, 1]."""
    emotion: int
    all_modality: int
    visual: int
    verbal: int
    vocal: int
    external_knowledge: int
    num_steps: int
    """Difference in length; 0 is best."""


NORMALISED = (
    "similarity_num", "emotion", "all_modality", "visual", "verbal", "vocal", "external_knowledge",
)  # fmt: skip
"""Plotted as corpus mean over the mean of human traces; the others as they are."""


def compare(
    model: Sequence[Step],
    human: Sequence[Step],
    correct: float,
    embed: Embed = hashed,
    emotions: Emotions = named_emotions,
) -> GenomeFigures:
    """The twelve figures of one trace; `correct` is the answer's credit. An empty model trace has similarity 0."""
    ours, theirs = (embed([step.text for step in trace]) for trace in (model, human))
    tags, human_tags = sequence(model), sequence(human)
    shared = Counter(tags) & Counter(human_tags)
    return GenomeFigures(
        accuracy=correct,
        similarity_trace=similarity_trace(ours, theirs),
        similarity_step=similarity_step(ours, theirs),
        similarity_num=similarity_num(ours, theirs),
        difference_sequence=difference_sequence(tags, human_tags),
        emotion=len(_emotions(model, emotions) & _emotions(human, emotions)),
        all_modality=len(shared),
        visual=shared["visual"],
        verbal=shared["verbal"],
        vocal=shared["vocal"],
        external_knowledge=shared["external knowledge"],
        num_steps=abs(len(model) - len(human)),
    )


def similarity_trace(model: Floats, human: Floats) -> Figure:
    """(n, d) and (m, d) step vectors → cosine of their means; 0 for an empty model trace."""
    if not len(human):
        return undefined(NO_HUMAN)
    if not len(model):
        return Figure(0.0)
    means = np.asarray(model).mean(axis=0, keepdims=True), np.asarray(human).mean(axis=0, keepdims=True)
    return Figure(float(_cosines(*means)[0, 0]))


def similarity_step(model: Floats, human: Floats) -> Figure:
    if not len(human):
        return undefined(NO_HUMAN)
    return Figure(float(nearest(model, human).mean()) if len(model) else 0.0)


def similarity_num(model: Floats, human: Floats, threshold: float = THRESHOLD) -> Figure:
    if not len(human):
        return undefined(NO_HUMAN)
    return Figure(float((nearest(model, human) > threshold).sum()) if len(model) else 0.0)


def nearest(model: Floats, human: Floats) -> Floats:
    """(n,): cosine of each model step with the human step nearest to it."""
    return np.asarray(_cosines(np.asarray(model), np.asarray(human)).max(axis=1))


def difference_sequence(model: Sequence[str], human: Sequence[str], substitution: int = 2) -> float:
    """1 − distance / (lengths together), in [0, 1]; 1 for two empty sequences.

    A substitution costs a deletion and an insertion, as in the paper's implementation; with cost 1 it is the recursion
    that the paper prints, whose figures differ. Source: Social Genome App. B.2.
    """
    from rapidfuzz.distance import Levenshtein

    length = len(model) + len(human)
    return 1 - Levenshtein.distance(model, human, weights=(1, 1, substitution)) / length if length else 1.0


def sequence(trace: Sequence[Step]) -> list[str]:
    """The modalities of a trace, step after step, those of one step in fixed order."""
    return [tag for step in trace for tag in MODALITIES if tag in step.tags]


def _emotions(trace: Sequence[Step], emotions: Emotions) -> frozenset[str]:
    return frozenset().union(*(emotions(step.text) for step in trace))


def _cosines(first: Floats, second: Floats) -> Floats:
    """(n, m); 0 against a vector of no length."""
    lengths = np.outer(np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1))
    return np.nan_to_num(ratios(first @ second.T, lengths))
