"""Symbolic integers of PyTorch as extents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.errors import UnsupportedError

COMBINED: dict[str, Callable[[ex.Expr, ex.Expr], ex.Expr]] = {
    "Add": lambda a, b: a + b,
    "Mul": lambda a, b: a * b,
    "Max": ex.maximum,
    "Min": ex.minimum,
    "FloorDiv": ex.floordiv,
    "CleanDiv": ex.floordiv,
    "CeilDiv": lambda a, b: -ex.floordiv(-a, b),
    "Mod": ex.mod,
    "PythonMod": ex.mod,
}
"""Operation of SymPy, or of PyTorch's additions to it --> that of extents."""

DECIDED: dict[str, Callable[..., Any]] = {
    "StrictGreaterThan": onp.greater,
    "StrictLessThan": onp.less,
    "GreaterThan": onp.greater_equal,
    "LessThan": onp.less_equal,
    "Equality": onp.equal,
    "Unequality": onp.not_equal,
    "And": onp.logical_and,
    "Or": onp.logical_or,
    "Not": onp.logical_not,
}
"""Condition of SymPy --> that of arrays."""

EXACT = 1 << 16
"""Floats that are fractions of numbers up to it give exact products with extents."""


def extent_of(number: Any, symbols: Mapping[str, ex.Expr]) -> ex.Expr:
    """An int or ``SymInt`` as an extent; ``symbols`` replaces names that stand for others.

    Raises UnsupportedError for an expression that extents do not have.
    """
    return ex.const(number) if isinstance(number, int) else _of_sympy(number.node.expr, symbols)


def truth_of(
    condition: Any, symbols: Mapping[str, ex.Expr], number: Callable[[ex.Expr], Any]
) -> Any:
    """A ``SymBool`` as an i1 of rank 0; ``number`` is an extent as an array.

    Raises UnsupportedError for an expression that extents do not have.
    """

    def decided(e: Any) -> Any:
        function = DECIDED.get(type(e).__name__)
        if function is None:
            return number(_of_sympy(e, symbols))
        first, *rest = map(decided, e.args)
        return reduce(function, rest, first) if rest else function(first)

    return decided(condition.node.expr)


def _of_sympy(e: Any, symbols: Mapping[str, ex.Expr]) -> ex.Expr:
    if e.is_Integer:
        return ex.const(int(e))
    if e.is_Symbol:
        return symbols.get(e.name) or ex.sym(e.name)
    name = type(e).__name__
    if name in ("TruncToInt", "FloorToInt") and (scaled := _scaled(e.args[0], symbols)) is not None:
        return scaled
    parts = [_of_sympy(part, symbols) for part in e.args] if name != "Pow" else []
    if name in COMBINED and parts:
        return reduce(COMBINED[name], parts)
    if name in ("Pow", "PowByNatural") and e.args[1].is_Integer and e.args[1] > 0:
        return ex.product([_of_sympy(e.args[0], symbols)] * int(e.args[1]))
    raise UnsupportedError(f"an extent {str(e)[:80]}: {name} is not supported")


def _scaled(e: Any, symbols: Mapping[str, ex.Expr]) -> ex.Expr | None:
    """An extent times a float that is an exact fraction, rounded down; None for others."""
    floats = [part for part in e.args if part.is_Float]
    wholes = [part.args[0] for part in e.args if type(part).__name__ == "ToFloat"]
    if not e.is_Mul or len(floats) != 1 or len(wholes) != 1 or len(e.args) != 2:
        return None
    above, below = float(floats[0]).as_integer_ratio()
    if below > EXACT or not 0 < above <= EXACT:
        return None
    return ex.floordiv(_of_sympy(wholes[0], symbols) * above, below)
