"""What of a reply is meant to be read: one alphabet, no reasoning blocks, no markup around words."""

import re
import unicodedata

from ..llm.reasoning import Said, said

SPECIAL_TOKEN = re.compile(r"<\|[a-z_]{2,20}\|>", re.IGNORECASE)
MARKUP = re.compile(r"[<\\]")
FORMATTING = ("b", "i", "u", "em", "strong", "span", "p", "code", "mark", "font")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
TICKS = dict.fromkeys(map(ord, "✅✔☑👉\ufe0f"))
"""Signs that only point at what is said."""
LATEX_TEXT = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname)\s*(?=\{)")


def visible(reply: str) -> Said:
    """A reply without what is not its final word: NFKC, no invisible characters, no reasoning, no markup tags."""
    text = reply if reply.isascii() else _plain(reply.translate(TICKS))
    text, cut = said(text.replace("\r\n", "\n"))
    return Said((_without_markup(text) if MARKUP.search(text) else text).strip(), cut)


def _plain(text: str) -> str:
    composed = unicodedata.normalize("NFKC", text)
    if composed.replace("\n", "").isprintable():
        return composed
    return "".join(char for char in composed if unicodedata.category(char) != "Cf")


def _without_markup(text: str) -> str:
    text = BREAK.sub("\n", SPECIAL_TOKEN.sub("", text))
    # Only what is closed somewhere is a tag: `<B>` alone is an option in brackets.
    if closed := [name for name in FORMATTING if f"</{name}>" in text.lower()]:
        text = re.sub(rf"</?(?:{'|'.join(closed)})(?:\s[^<>]{{0,200}})?>", "", text, flags=re.IGNORECASE)
    return LATEX_TEXT.sub("", text)
