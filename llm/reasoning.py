"""What of a reply was thought and what was said: reasoning blocks, in the forms that models write them."""

import re
from typing import NamedTuple

REASONING = ("think", "thinking", "thought", "thoughts", "reasoning", "scratchpad", "analysis", "reflection")
_NAMES = "|".join(REASONING)
# ◁think▷ and [THINK] are the forms of models whose tokenizers keep angle brackets for themselves.
OPENING = re.compile(rf"(?:<\|?|◁|\[)(?:{_NAMES})(?:\|?>|▷|\])", re.IGNORECASE)
CLOSING = re.compile(rf"(?:<\|?/|◁/|\[/)(?:{_NAMES})(?:\|?>|▷|\])", re.IGNORECASE)
MARK = re.compile(r"[<\[◁]")
FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*<\|message\|>", re.IGNORECASE)


class Said(NamedTuple):
    text: str
    cut: bool
    """True where a reasoning block was opened and never closed: what was to follow is not there."""


def said(text: str) -> Said:
    """A reply without its reasoning. A closing tag without an opening one closes a block the template had opened."""
    if not MARK.search(text):
        return Said(text, False)
    if finals := list(FINAL_CHANNEL.finditer(text)):
        text = text[finals[-1].end() :]
    kept: list[str] = []
    place = 0
    while closing := CLOSING.search(text, place):
        opening = OPENING.search(text, place, closing.start())
        kept = [*kept, text[place : opening.start()]] if opening else []
        place = closing.end()
    opening = OPENING.search(text, place)
    return Said("".join(kept) + text[place : opening.start() if opening else len(text)], opening is not None)
