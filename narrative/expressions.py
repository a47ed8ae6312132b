"""The small language of `if` and `effects` in our story format, read with `ast` and a list of what is allowed.

Values are booleans, numbers and strings. There are names of variables, `visits("state")`, `and`, `or`, `not`,
comparisons, `+ - * //` and brackets; `true` and `false` are written as in YAML. Effects are `name = …`, `name += …`
and `name -= …`. Nothing is ever evaluated by Python itself.
"""

import ast
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from ..schemas.story import Scalar

BINARY: Mapping[type[ast.operator], Callable[[int | float, int | float], int | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
ORDERINGS: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
CONSTANTS: Mapping[str, bool] = {"true": True, "false": False, "True": True, "False": False}
LARGEST = 2**53
"""Beyond it a number is no longer exact in JSON."""


LONGEST = 500
"""Characters of an expression; nesting is bounded by it."""


class ExpressionError(ValueError):
    """An expression that cannot be read, or whose value makes no sense; one line."""


class Context(NamedTuple):
    """What an expression can see."""

    variables: Mapping[str, Scalar]
    visits: Mapping[str, int]


class Expression(NamedTuple):
    """A checked expression."""

    text: str
    node: ast.expr

    def value(self, context: Context) -> Scalar:
        """Raises `ExpressionError` where an operation does not fit its values."""
        try:
            return evaluate(self.node, context)
        except ExpressionError as error:
            raise ExpressionError(f"{self.text!r}: {error}") from None

    def holds(self, context: Context) -> bool:
        """Its truth: false, 0 and empty text are false."""
        return bool(self.value(context))

    def names(self) -> frozenset[str]:
        """The variables it reads."""
        found = (node.id for node in ast.walk(self.node) if isinstance(node, ast.Name))
        return frozenset(name for name in found if name not in CONSTANTS and name != "visits")

    def visited(self) -> frozenset[str]:
        """The states whose visits it counts."""
        calls = (node for node in ast.walk(self.node) if isinstance(node, ast.Call))
        return frozenset(str(arg.value) for call in calls for arg in call.args if isinstance(arg, ast.Constant))


class Effect(NamedTuple):
    """`variable = expression`; `+=` and `-=` are read as sums."""

    variable: str
    expression: Expression


def parse(text: str) -> Expression:
    """Raises `ExpressionError` for anything outside the language."""
    parsed = tree(text, "eval", "expression")
    if not isinstance(parsed, ast.Expression):
        raise ExpressionError(f"{text!r} is no expression")
    return checked(text, parsed.body)


def parse_effect(text: str) -> Effect:
    """Raises `ExpressionError` for what is no assignment to one variable."""
    match tree(text, "exec", "effect"):
        case ast.Module(body=[ast.Assign(targets=[ast.Name(id=name)], value=value)]):
            node: ast.expr = value
        case ast.Module(body=[ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() as sign, value=value)]):
            node = ast.BinOp(ast.Name(name, ast.Load()), sign, value)
        case _:
            raise ExpressionError(f"{text!r} is no effect; write name = value, name += value or name -= value")
    if name in CONSTANTS or name == "visits":
        raise ExpressionError(f"{text!r}: {name} is no variable")
    return Effect(name, checked(text, node))


def tree(text: str, mode: Literal["eval", "exec"], kind: str) -> ast.AST:
    if len(text) > LONGEST:
        raise ExpressionError(f"{text[:40]!r}… is longer than {LONGEST} characters")
    try:
        return ast.parse(text.strip(), mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"{text!r} is no {kind} ({getattr(error, 'msg', error)})") from None


def checked(text: str, node: ast.expr) -> Expression:
    for problem in problems(node):
        raise ExpressionError(f"{text!r}: {problem}")
    return Expression(text, node)


def problems(node: ast.expr) -> Iterator[str]:
    """What in an expression is not part of the language, outermost first."""
    match node:
        case ast.Constant(value=int() | float() as value) if not exact(value):
            yield f"{value} is too large"
        case ast.Constant(value=bool() | int() | float() | str()) | ast.Name():
            yield from ['visits needs a state: visits("state")'] if is_visits(node) else []
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield from problems(operand)
        case ast.BoolOp(values=values):
            yield from (problem for value in values for problem in problems(value))
        case ast.BinOp(left=left, op=sign, right=right):
            yield from [] if type(sign) in BINARY else [f"{type(sign).__name__} is not allowed; use + - * //"]
            yield from (problem for value in (left, right) for problem in problems(value))
        case ast.Compare(left=left, ops=signs, comparators=others):
            yield from [] if all(comparable(sign) for sign in signs) else ["use == != < <= > >="]
            yield from (problem for value in (left, *others) for problem in problems(value))
        case ast.Call(func=function, args=[ast.Constant(value=str())], keywords=[]) if is_visits(function):
            return
        case _:
            yield f"{type(node).__name__} is not allowed; see the expressions of the story format"


def is_visits(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "visits"


def comparable(sign: ast.cmpop) -> bool:
    return type(sign) in ORDERINGS or isinstance(sign, ast.Eq | ast.NotEq)


def evaluate(node: ast.expr, context: Context) -> Scalar:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return value
        case ast.Name(id=name):
            return CONSTANTS[name] if name in CONSTANTS else context.variables[name]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not evaluate(operand, context)
        case ast.UnaryOp(operand=operand):
            return -number(evaluate(operand, context))
        case ast.BoolOp(op=sign, values=values):
            results = (bool(evaluate(value, context)) for value in values)
            return all(results) if isinstance(sign, ast.And) else any(results)
        case ast.BinOp(left=left, op=sign, right=right):
            return binary(sign, evaluate(left, context), evaluate(right, context))
        case ast.Compare(left=left, ops=signs, comparators=others):
            found = [evaluate(value, context) for value in (left, *others)]
            pairs = zip(signs, itertools.pairwise(found), strict=True)
            return all(compare(sign, *pair) for sign, pair in pairs)
        case ast.Call(args=[ast.Constant(value=state)]):
            return context.visits.get(str(state), 0)
    raise ExpressionError(f"{type(node).__name__} is not allowed")


def binary(sign: ast.operator, left: Scalar, right: Scalar) -> Scalar:
    if isinstance(sign, ast.Add) and isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(sign, ast.FloorDiv) and not right:
        raise ExpressionError("division by zero")
    result = BINARY[type(sign)](number(left), number(right))
    if not exact(result):
        raise ExpressionError("the number grows too large")
    return result


def compare(sign: ast.cmpop, left: Scalar, right: Scalar) -> bool:
    if isinstance(sign, ast.Eq | ast.NotEq):
        return same(left, right) == isinstance(sign, ast.Eq)
    return ORDERINGS[type(sign)](number(left), number(right))


def same(left: Scalar, right: Scalar) -> bool:
    """Equality in which `true` is not 1."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def exact(value: int | float) -> bool:
    """Whether JSON holds the number as it is; not so for NaN and infinity."""
    return abs(value) <= LARGEST


def number(value: Scalar) -> int | float:
    if isinstance(value, bool | str):
        raise ExpressionError(f"{value!r} is no number")
    return value
