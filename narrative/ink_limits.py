"""How much of a visit count the code that reads it can tell.

`{hall > 2: …}` knows no difference between three visits and thirty, and `{one|two|three}` none beyond the third. Where
that can be seen from the instructions around the reading, counts that it cannot tell apart make no two states; hubs
that a player may return to for ever are then finite. Wherever it cannot be seen, the exact count is kept: cutting every
count down to visited or not would be unsound.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

EXACT = 0
"""A limit of n > 0 means that n and all above are one; of −n, that only the remainder by n is read."""

_LOGIC = ("&&", "||")
_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
_ARITHMETIC = ("+", "-", "*", "/", "%", "MIN", "MAX", "POW")
_OURS, _OTHER = "ours", "other"


def limit(items: Sequence[Any], index: int, offset: int = 0) -> int:
    """The limit of a count that the item at `index` pushes, less `offset`, from what is done with it afterwards."""
    stack: list[Any] = [_OURS]
    for place in range(index + 1, len(items)):
        item = items[place]
        if item == "/ev":
            return 1 + offset if stack == [_OURS] and _decides(items[place + 1 : place + 2]) else EXACT
        if item == "!":
            if stack.pop() is _OURS:
                return 1 + offset
            stack.append(_OTHER)
        elif item in _LOGIC or item in _COMPARISONS or item in _ARITHMETIC:
            if len(stack) < 2:
                return EXACT
            second, first = stack.pop(), stack.pop()
            if _OURS in (first, second):
                return _applied(str(item), first, second, offset)
            stack.append(_OTHER)
        elif isinstance(item, int) and not isinstance(item, bool):
            stack.append(item)
        elif isinstance(item, bool | float) or (isinstance(item, dict) and ("VAR?" in item or "CNT?" in item)):
            stack.append(_OTHER)
        else:
            return EXACT
    return EXACT


def _applied(operator: str, first: Any, second: Any, offset: int) -> int:
    """The limit from an operator with the count on one side."""
    if operator in _LOGIC:
        return 1 + offset
    number = second if first is _OURS else first
    if not isinstance(number, int):
        return EXACT
    if operator in _COMPARISONS:
        return max(number + 1, 1) + offset
    if operator == "MIN":
        return max(number, 1) + offset
    return -number if operator == "%" and first is _OURS and number > 0 else EXACT


def _decides(following: Sequence[Any]) -> bool:
    """Whether what follows only asks if the value is true: a conditional divert, or a choice with a condition."""
    if not following:
        return False
    item = following[0]
    if isinstance(item, dict):
        return bool(item.get("c")) or ("*" in item and bool(int(item.get("flg", 0)) & 1))
    inner: Sequence[Any] = getattr(item, "items", ())
    return bool(inner) and isinstance(inner[0], dict) and bool(inner[0].get("c"))


def combined(limits: Iterable[int]) -> int:
    """The limit that serves several readers of one count."""
    all_of = set(limits)
    if EXACT in all_of or (min(all_of) < 0 < max(all_of)):
        return EXACT
    return max(all_of) if max(all_of) > 0 else -math.lcm(*(-one for one in all_of))


def limited(count: int, most: int) -> int:
    """A count as a reader with this limit sees it."""
    if most > 0:
        return min(count, most)
    return count % -most if most < 0 else count
