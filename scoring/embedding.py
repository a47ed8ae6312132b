"""Texts as vectors: ours counts words and needs no model; the paper's sentence model is an extra."""

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np

from ..errors import UsageError
from .bootstrap import Floats

Embed = Callable[[Sequence[str]], Floats]
"""(n texts) → (n, d). Name the one used beside every figure: figures of two embeddings do not compare."""

SIZE = 1024
MINILM = "sentence-transformers/all-MiniLM-L6-v2"
WORD = re.compile(r"[^\W_]+")


def hashed(texts: Sequence[str]) -> Floats:
    """(n, 1024) counts of words, each word at a place given by its digest: the cosine is that of words in common.

    It knows no synonyms, so its figures lie below those of a sentence model.
    """
    vectors = np.zeros((len(texts), SIZE))
    for row, text in enumerate(texts):
        for word in WORD.findall(text.casefold()):
            vectors[row, int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % SIZE] += 1
    return vectors


def sentence_model(name: str = MINILM) -> Embed:
    """The paper's embedding (or another of the library's, or a folder). Raises `UsageError` without the extra."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise UsageError(f"{name} needs sentence-transformers: pip install 'benchwright[embeddings]'") from None
    model = SentenceTransformer(name)
    return lambda texts: np.asarray(model.encode(list(texts)), dtype=np.float64)
