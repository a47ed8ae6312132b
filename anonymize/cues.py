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
_LOCATED = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(LOCATIVES))}) (?:the )?$", re.IGNORECASE)
_NOUN_OF = re.compile(r"([^\W\d_]+) of (?:the )?$")
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
    heading = mention.source[max(0, mention.start - 40) : mention.start]
    article = before.casefold() in ARTICLES
    nouns = {mention.text.split(" ")[-1].casefold(), next_word(mention), before, *_NOUN_OF.findall(heading)}
    located = bool(_LOCATED.search(heading)) or bool(_MOVING.search(heading))
    return {
        "other": 2 * article,
        "place": 3 * (mention.numbered or bool(nouns & PLACE_HEADS)) + 2 * located,
        "organization": 3 * bool(nouns & ORGANIZATION_HEADS),
        "person": 3 * mention.titled if article else _acting(mention, before, heading),
    }


def _acting(mention: Mention, before: str, heading: str) -> int:
    """Votes for a person: one who has a title, speaks or acts, or is spoken to."""
    after = mention.source[mention.end : mention.end + 3]
    addressed = bool(_ADDRESSED.search(heading)) and bool(_ADDRESS_ENDS.match(after))
    return (
        3 * mention.titled
        + 2 * (next_word(mention) in SPEECH_VERBS)
        + 2 * (before in SPEECH_VERBS and not heading.rstrip().endswith(("at", "in")))
        + addressed
    )
