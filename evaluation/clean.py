"""What of a reply is meant to be read: one alphabet, no reasoning blocks, no markup around words."""

import re
import unicodedata
from typing import NamedTuple

REASONING = ("think", "thinking", "thought", "thoughts", "reasoning", "scratchpad", "analysis", "reflection")
_NAMES = "|".join(REASONING)
# ◁think▷ and [THINK] are the forms of models whose tokenizers keep angle brackets for themselves.
OPENING = re.compile(rf"(?:<\|?|◁|\[)(?:{_NAMES})(?:\|?>|▷|\])", re.IGNORECASE)
CLOSING = re.compile(rf"(?:<\|?/|◁/|\[/)(?:{_NAMES})(?:\|?>|▷|\])", re.IGNORECASE)
FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*<\|message\|>", re.IGNORECASE)
SPECIAL_TOKEN = re.compile(r"<\|[a-z_]{2,20}\|>", re.IGNORECASE)
FORMATTING = ("b", "i", "u", "em", "strong", "span", "p", "code", "mark", "font")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
LATEX_TEXT = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname)\s*(?=\{)")


class Visible(NamedTuple):
    text: str
    cut: bool
    """True where a reasoning block was opened and never closed: what was to follow is not there."""


def visible(reply: str) -> Visible:
    """A reply without what is not its final word: NFKC, no invisible characters, no reasoning, no markup tags."""
    text = unicodedata.normalize("NFKC", reply)
    text = "".join(char for char in text if unicodedata.category(char) != "Cf").replace("\r\n", "\n")
    if finals := list(FINAL_CHANNEL.finditer(text)):
        text = text[finals[-1].end() :]
    text, cut = _without_reasoning(text)
    return Visible(_without_markup(text).strip(), cut)


def _without_reasoning(text: str) -> tuple[str, bool]:
    """What follows the last block. A closing tag without an opening one closes a block the template had opened."""
    kept: list[str] = []
    place = 0
    while closing := CLOSING.search(text, place):
        opening = OPENING.search(text, place, closing.start())
        kept = [*kept, text[place : opening.start()]] if opening else []
        place = closing.end()
    opening = OPENING.search(text, place)
    return "".join(kept) + text[place : opening.start() if opening else len(text)], opening is not None


def _without_markup(text: str) -> str:
    text = BREAK.sub("\n", SPECIAL_TOKEN.sub("", text))
    # Only what is closed somewhere is a tag: `<B>` alone is an option in brackets.
    if closed := [name for name in FORMATTING if f"</{name}>" in text.lower()]:
        text = re.sub(rf"</?(?:{'|'.join(closed)})(?:\s[^<>]{{0,200}})?>", "", text, flags=re.IGNORECASE)
    return LATEX_TEXT.sub("", text)
