"""What kind of thing a name names, guessed from the words around its mentions."""

import re
from collections import Counter
from collections.abc import Sequence

from ..schemas.story import EntityKind
from .mentions import Mention
from .position import previous_word
from .vocabulary import ARTICLES, LOCATIVES, ORGANIZATION_HEADS, PLACE_HEADS, SPEECH_VERBS

_MOVING = re.compile(
    r"(?:train|bus|ship|flight|journey|road|way|go|goes|going|gone|went|travel\w*|sail\w*|return\w*|moved?|back|drive|drove)"
    r" (?:to|from|for) (?:the )?$"
)
_ADDRESSED = re.compile(r"[,\"“‘]\s*$")
_ADDRESS_ENDS = re.compile(r"[,.!?…][\"”’]?|[\"”’]")


def kind_of(mentions: Sequence[Mention]) -> EntityKind:
    """The kind with most votes; a person where nothing speaks for anything else."""
    votes: Counter[EntityKind] = Counter()
    for mention in mentions:
        votes.update(_votes(mention))
    if mentions and all(mention.text.isupper() for mention in mentions):
        votes["organization"] += 2
    kinds: tuple[EntityKind, ...] = ("person", "place", "organization", "other")
    return max(kinds, key=lambda kind: votes[kind])


def next_word(mention: Mention) -> str:
    match = re.match(r" ([^\W\d_]+)", mention.source[mention.end : mention.end + 24])
    return match[1] if match else ""


def _votes(mention: Mention) -> dict[EntityKind, int]:
    before = previous_word(mention.source, mention.start)
    article = before.casefold() in ARTICLES
    head = mention.text.split(" ")[-1].casefold()
    heading = mention.source[max(0, mention.start - 40) : mention.start]
    votes: dict[EntityKind, int] = {"other": 2 * article}
    votes["place"] = 3 * (head in PLACE_HEADS or mention.numbered) + 2 * bool(_MOVING.search(heading))
    votes["place"] += 2 * bool(
        re.search(rf"(?<!\w)(?:{'|'.join(sorted(LOCATIVES))}) (?:the )?$", heading, re.IGNORECASE)
    )
    votes["organization"] = 3 * (head in ORGANIZATION_HEADS)
    votes["person"] = 3 * mention.titled if article else _acting(mention, before, heading)
    return votes


def _acting(mention: Mention, before: str, heading: str) -> int:
    """Votes for a person: one who has a title, speaks or acts, is spoken to, or owns something."""
    after = mention.source[mention.end : mention.end + 3]
    addressed = bool(_ADDRESSED.search(heading)) and bool(_ADDRESS_ENDS.match(after))
    return (
        3 * mention.titled
        + 2 * (next_word(mention) in SPEECH_VERBS)
        + 2 * (before in SPEECH_VERBS and not heading.rstrip().endswith(("at", "in")))
        + addressed
        + after.startswith(("'s", "’s"))
    )
