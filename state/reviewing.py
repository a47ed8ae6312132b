"""What people are shown in review: the public side of an item, and what stands behind it once an answer is locked.

An item that was planted is told from a real one by nothing that a blind reviewer's role may read.
"""

from typing import TYPE_CHECKING

from ..schemas.clip import Clip
from ..schemas.grounding import Trace
from ..schemas.item import Item, Reference
from ..schemas.review import BlindView, ExpertView, Planted
from .reads import Rows, newest

if TYPE_CHECKING:
    from .views import Look

ON_CLIP = ("transcript", "video")
BLIND_ITEM = tuple(name for name in BlindView.model_fields if name not in ON_CLIP)
PLANTED = tuple(BlindView.model_fields)
EXPECTED = ("answer", "answer_text", "traps", "cues", "tier", "status", "tags", "item_hash")
PRESENTED = ("answer", "answer_text", "traps", "cues", "tier", "status", "tags", "item_hash", "claims")


def blind(look: "Look") -> BlindView:
    """Of an item, or of one that was planted."""
    if newest(look.guard, Item, Rows(look.slot_id), ("item_id",)) is None:
        return BlindView.model_validate(look.need(Planted, look.whole_round, *PLANTED))
    return BlindView(**look.item(*BLIND_ITEM), **look.need(Clip, look.whole_round, *ON_CLIP))


def expert(look: "Look") -> ExpertView:
    """Whatever was presented of a planted item; of a real one its reference and the claims of its trace."""
    if found := look.maybe(Planted, Rows(before=look.whole_round), *PRESENTED):
        return ExpertView.model_validate(found)
    reference = look.need(Reference, look.whole_round, *EXPECTED)
    return ExpertView(**reference, **look.need(Trace, look.whole_round, "claims"))
