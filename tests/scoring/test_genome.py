"""Social Genome's twelve figures: by hand, pluggable parts, and what empty traces give."""

from collections.abc import Sequence

import numpy as np
import pytest
from benchwright.errors import UsageError
from benchwright.schemas.base import content_hash
from benchwright.scoring import genome
from benchwright.scoring.embedding import hashed, sentence_model
from benchwright.scoring.emotions import BY_FORM, FORMS, named_emotions
from benchwright.scoring.genome import MODALITIES, Step, compare
from hypothesis import given
from hypothesis import strategies as st

HUMAN = [
    Step("She frowns and turns away", frozenset({"visual"})),
    Step("He says he is sorry in a trembling voice", frozenset({"verbal", "vocal"})),
    Step("People who turn away are often hurt", frozenset({"external knowledge"})),
]
MODEL = [
    Step("She frowns and turns away", frozenset({"visual"})),
    Step("He looks sad", frozenset({"visual"})),
    Step("He says he is sorry", frozenset({"verbal"})),
    Step("Maybe he feels hurt", frozenset({"n/a"})),
]


def test_the_twelve_by_hand() -> None:
    """Sequences: visual visual verbal against visual verbal vocal external: 2 in common, 3 + 4 − 2·2 = 3 edits of 7."""
    found = compare(MODEL, HUMAN, 1.0)
    assert found.accuracy == 1
    assert found.similarity_num.value == 2  # the first step (1), "He says he is sorry" (6 of √5·√9·… > .6)
    assert found.difference_sequence == pytest.approx(4 / 7)
    assert (found.emotion, found.all_modality) == (1, 2)  # hurt; sad is not among the human's
    assert (found.visual, found.verbal, found.vocal, found.external_knowledge, found.num_steps) == (1, 1, 0, 0, 1)
    assert found.similarity_step.value is not None
    assert 0.5 < found.similarity_step.value < 1


def test_tags_of_one_step_have_a_fixed_order() -> None:
    steps = [Step("", frozenset(reversed(MODALITIES))), Step("", frozenset({"n/a", "vocal"}))]
    assert genome.sequence(steps) == ["visual", "verbal", "vocal", "external knowledge", "vocal"]


def test_parts_can_be_replaced() -> None:
    def alike(texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), 3))

    found = compare(MODEL, HUMAN, 0.0, embed=alike, emotions=lambda text: frozenset({"any", text}))
    assert found.similarity_trace.value == pytest.approx(1)
    assert found.similarity_step.value == pytest.approx(1)
    assert found.similarity_num.value == 4
    assert found.emotion == 2  # `any`, and the step that both have


def test_empty_traces() -> None:
    empty = compare([], HUMAN, 0.0)
    assert (empty.similarity_trace.value, empty.similarity_step.value, empty.similarity_num.value) == (0, 0, 0)
    assert (empty.difference_sequence, empty.num_steps) == (0, 3)
    without_human = compare(MODEL, [], 1.0)
    assert without_human.similarity_trace == (None, "the human trace has no steps")
    assert without_human.similarity_num.value is None
    assert compare([], [], 1.0).difference_sequence == 1


steps = st.lists(
    st.builds(
        Step,
        st.sampled_from(["she is sad", "he smiles", "a calm voice", ""]),
        st.frozensets(st.sampled_from(MODALITIES)),
    ),
    max_size=6,
)


@given(model=steps, human=steps)
def test_every_figure_lies_where_it_must(model: list[Step], human: list[Step]) -> None:
    found = compare(model, human, 1.0)
    assert 0 <= found.difference_sequence <= 1
    for figure in (found.similarity_trace, found.similarity_step):
        assert figure.value is None or -1e-12 <= figure.value <= 1 + 1e-12
    assert found.similarity_num.value is None or 0 <= found.similarity_num.value <= len(model)
    assert found.all_modality <= min(4, found.visual + found.verbal + found.vocal + found.external_knowledge)
    assert compare(model, model, 1.0).difference_sequence == 1


tags = st.lists(st.sampled_from(MODALITIES), max_size=8)


@given(first=tags, second=tags)
def test_the_sequence_is_that_of_rapidfuzz(first: list[str], second: list[str]) -> None:
    distance = pytest.importorskip("rapidfuzz.distance")
    expected = distance.Indel.normalized_similarity(first, second)
    assert genome.difference_sequence(first, second) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He was FURIOUS, and she scared.", {"anger", "fear"}),
        ("angrily enraged", {"anger"}),
        ("a saddle, a madman", set()),
        ("not happy", {"happiness"}),
        ("", set()),
    ],
)
def test_emotions_are_whole_words(text: str, expected: set[str]) -> None:
    assert named_emotions(text) == expected


def test_the_list_is_frozen() -> None:
    """Another word is another figure: who changes the list says so in the changelog."""
    assert content_hash(FORMS) == "sha256:e7da6d7d8027d6210cb5bc3ad01d800f58f4b7df7c3d3296dac9a667ced504e5"


def test_a_word_form_names_one_emotion() -> None:
    assert len(BY_FORM) == sum(len(forms.split()) for forms in FORMS.values())


def test_hashed_vectors_count_words() -> None:
    first, second, third = hashed(["She turns away", "she turns AWAY.", "nobody spoke"])
    assert (first == second).all()
    assert first @ third == 0
    assert first.sum() == 3


def test_the_papers_embedding_says_what_it_needs() -> None:
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        with pytest.raises(UsageError, match=r"pip install 'benchwright\[embeddings\]'"):
            sentence_model()
    else:
        pytest.skip("the extra is installed")
