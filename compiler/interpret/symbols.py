"""What operations that define symbolic extents mean: values of integer tensors become extents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import SplitAxesOp, SymbolSource
from opc.dialects.shape import MAX_SIZE
from opc.errors import ArgumentError

from .precision import Array
from .reduction import resolve_axes


def define(op: SymbolSource, values: Array, extents: Sequence[int]) -> dict[str, int]:
    """The value of every symbol that ``op`` defines, for a tensor of the given extents.

    Raises ArgumentError where the values do not fit it.
    """
    if isinstance(op, SplitAxesOp):
        return _split_axes(op, values, extents)
    assert isinstance(op, ReadExtentsOp)
    numbers = [int(v) for v in np.ravel(values)]
    results = read(op.rule.data, numbers, tuple(extents))
    return dict(zip(op.defined, results, strict=True))


def _split_axes(op: SplitAxesOp, axes: Array, extents: Sequence[int]) -> dict[str, int]:
    symbols: dict[str, int] = {}
    chosen = resolve_axes(axes, len(extents), "opc.split_axes")
    if not chosen and op.empty_is_all is not None:
        chosen = tuple(range(len(extents)))
    for axis, (outer, inner) in enumerate(zip(op.outer, op.inner, strict=True)):
        symbols[outer.data] = 1 if axis in chosen else extents[axis]
        symbols[inner.data] = extents[axis] if axis in chosen else 1
    kept = [extent for axis, extent in enumerate(extents) if axis not in chosen]
    # Under keepdims no axis is dropped.
    if op.kept.data and len(op.kept) != len(kept):
        raise ArgumentError(f"opc.split_axes: {len(kept)} axes stay, expected {len(op.kept)}")
    symbols.update({name.data: extent for name, extent in zip(op.kept, kept, strict=False)})
    return symbols


def read(rule: str, values: Sequence[int], extents: tuple[int, ...]) -> tuple[int, ...]:
    """The extents that a rule of ``opc.read_extents`` gives; ArgumentError if values do not fit."""
    what = f"{rule}: the values {list(values)} do not fit extents {list(extents)}"
    if rule in ("squeeze", "unsqueeze"):
        rank = len(extents) + (len(values) if rule == "unsqueeze" else 0)
        axes = resolve_axes(tuple(values), rank, rule)
        if rule == "unsqueeze":
            rest = iter(extents)
            return tuple(1 if k in axes else next(rest) for k in range(rank))
        if any(extents[axis] != 1 for axis in axes):
            raise ArgumentError(what)
        return tuple(e for k, e in enumerate(extents) if k not in axes)
    if rule == "expand":
        result = _expand(values, extents)
    elif rule == "plain":
        result = tuple(values)
    else:
        result = _reshape(values, extents, rule == "reshape")
    if result is None or _count(result) is None:
        raise ArgumentError(what)
    return result


def _expand(values: Sequence[int], extents: tuple[int, ...]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(tuple(values), extents)
    except ValueError:
        return None


def _reshape(
    values: Sequence[int], extents: tuple[int, ...], zero_copies: bool
) -> tuple[int, ...] | None:
    result = list(values)
    for k, value in enumerate(values):
        if value == 0 and zero_copies:
            if k >= len(extents):
                return None
            result[k] = extents[k]
    total = _count(extents)
    holes = [k for k, e in enumerate(result) if e == -1]
    known = _count([e for e in result if e != -1])
    if total is None or known is None or len(holes) > 1:
        return None
    if holes:
        # Beside an extent of 0 any number would fit.
        if known == 0 or total % known:
            return None
        result[holes[0]] = total // known
    elif known != total:
        return None
    return tuple(result)


def _count(extents: Sequence[int]) -> int | None:
    """The number of elements, None where extents are negative or too great."""
    total = 1
    for extent in extents:
        if not 0 <= extent <= MAX_SIZE:
            return None
        total *= extent
    return total if total <= MAX_SIZE else None
