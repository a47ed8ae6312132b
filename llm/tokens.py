"""How many tokens a request may come to: what it can be at most, and what it is likely to be.

The bound rests on this: a tokenizer that works on bytes never makes more tokens than there are bytes. For media it
rests on what providers say they count.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from ..schemas.call import Part, Request
from .client import Media

MESSAGE = 16
"""Tokens around one message, at most."""
LETTERS = 4
"""Characters of running text that make one token, about."""
IMAGE = 48_200
"""Tokens of one image at most: 2833 and eight times 5667, which is what OpenAI counts for its small models."""
LIKELY_IMAGE = 800
SECOND = {"video": 300, "audio": 32}
"""Tokens a second: Google counts 258 for a frame a second, and 32 for sound."""


class Tokens(NamedTuple):
    most: int | None
    """None where nothing bounds it: a video whose length nobody knows."""
    likely: int


def tokens(request: Request, media: Media) -> Tokens:
    """Input tokens of a request. Raises `UsageError` for media that are not there."""
    texts = [part.text for message in request.messages for part in message.parts]
    if request.answer_schema:
        # The schema may be asked for twice: by the provider's mode, and in words.
        texts += [json.dumps(request.answer_schema)] * 2
    counted = [*(shown(part, media) for part in _media(request)), _said(texts, len(request.messages))]
    most = [count.most for count in counted]
    bound = None if None in most else sum(count or 0 for count in most)
    return Tokens(bound, sum(count.likely for count in counted))


def output(request: Request) -> int | None:
    """The most tokens that a reply may have, where the request bounds it."""
    most = request.parameters.get("max_tokens")
    return most if isinstance(most, int) else None


def has_media(request: Request) -> bool:
    return any(True for _ in _media(request))


def _media(request: Request) -> Iterator[Part]:
    return (part for message in request.messages for part in message.parts if part.kind != "text")


def _said(texts: list[str], messages: int) -> Tokens:
    most = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    return Tokens(most + MESSAGE * messages, sum(map(len, texts)) // LETTERS + MESSAGE * messages)


def shown(part: Part, media: Media) -> Tokens:
    """Tokens of a picture, a video or a sound."""
    if part.kind == "image":
        return Tokens(IMAGE, LIKELY_IMAGE)
    end = part.end
    if end is None and part.media_sha256:
        end = media.medium(part.media_sha256).seconds
    if end is None:
        return Tokens(None, 60 * SECOND[part.kind])
    count = int((end - (part.start or 0)) * SECOND[part.kind]) + 1
    return Tokens(count, count)
