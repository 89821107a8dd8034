"""Results bit for bit, and within an error."""

from __future__ import annotations

import numpy as np

from opc.interpret import bounds
from opc.interpret.bounds import Bounded
from opc.interpret.precision import Array


class Difference(Exception):
    """Something that must agree does not."""


def differing(a: Array, b: Array) -> Array:
    """The elements in memory order that differ in bits, but for which NaN it is."""
    if a.dtype != b.dtype or a.shape != b.shape:
        raise Difference(f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}")
    if a.tobytes() == b.tobytes():
        return np.zeros(a.size, bool)
    x, y = np.ascontiguousarray(a).reshape(-1), np.ascontiguousarray(b).reshape(-1)
    bits = f"u{a.itemsize}"
    return (x.view(bits) != y.view(bits)) & ~(_is_nan(x) & _is_nan(y))


def _is_nan(x: Array) -> Array:
    if x.dtype.kind in "iub":
        return np.zeros(x.shape, bool)
    with np.errstate(all="ignore"):
        return np.isnan(x if x.dtype.kind == "f" else x.astype(np.float32))


def same(found: Array, wanted: Array, what: str) -> None:
    """Difference unless all bits are equal."""
    wrong = differing(found, wanted)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        x, y = found.reshape(-1)[k], wanted.reshape(-1)[k]
        raise Difference(
            f"{what}: {wrong.sum()} of {wrong.size} values differ, number {k} is {x!r} for {y!r}"
        )


def within(found: Array, wanted: Bounded, what: str) -> None:
    """Difference unless a result is as near to another one as that says."""
    if found.dtype != wanted.value.dtype or found.shape != wanted.value.shape:
        same(found, wanted.value, what)
    off = np.asarray(bounds.difference(found, wanted.value) > wanted.error).reshape(-1)
    if off.any():
        k = int(np.flatnonzero(off)[0])
        x, y, error = (z.reshape(-1)[k] for z in (found, wanted.value, wanted.error))
        raise Difference(
            f"{what}: {off.sum()} of {off.size} values are beyond their bound, number {k} is {x!r} "
            f"for {y!r} within {float(error):.3g}"
        )
