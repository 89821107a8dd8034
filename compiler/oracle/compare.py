"""Compares results with those of the interpreter: our own, and those of other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from opc.interpret.bounds import Bounded, difference
from opc.interpret.precision import Array, is_float
from opc.interpret.tolerance import PEER_FACTOR, PEER_ULP, spacing, ulp_distance
from opc.support.interface import Interface
from opc.tools.peers import PEERS, peer_model


@dataclass(frozen=True)
class Mismatch:
    """How a result differs, and the first position where it does."""

    text: str
    index: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Comparison:
    """The largest error in ULP (of integers: in units), and what is beyond the tolerance.

    ``share`` is the largest error as a part of the tolerance there.
    """

    error: float
    mismatch: Mismatch | None
    share: float = 0.0


def compare(actual: Array, expected: Bounded) -> Comparison:
    """Compare a result; bits must be equal where they are prescribed, but not those of a NaN."""
    value = expected.value
    if (actual.dtype, actual.shape) != (value.dtype, value.shape):
        text = (
            f"found {actual.dtype}{list(actual.shape)}, expected {value.dtype}{list(value.shape)}"
        )
        return Comparison(np.inf, Mismatch(text), np.inf)
    if not value.size:
        return Comparison(0, None)
    apart = difference(actual, value)
    wrong = ~(apart <= expected.error)
    if is_float(value):
        with np.errstate(all="ignore"):
            zeros = (actual == 0) & (value == 0) & (np.signbit(actual) != np.signbit(value))
            wrong = wrong | (zeros & (expected.error == 0))
            ulp = np.where(np.isnan(actual) | np.isnan(value), apart, ulp_distance(actual, value))
    else:
        ulp = apart.astype(np.float64)
    # An infinite error allows any value.
    known = np.where(np.isinf(expected.error), 0, ulp)
    largest = float(known.max())
    with np.errstate(all="ignore"):
        shares = np.where(apart == 0, 0, apart / expected.error)
    share = float(np.where(np.isinf(expected.error), 0, shares).max())
    if not wrong.any():
        return Comparison(largest, None, share)
    index = tuple(int(k) for k in np.argwhere(wrong)[0])
    where = f"at [{', '.join(map(str, index))}] " if index else ""
    count = int(wrong.sum())
    others = f"; {count} of {wrong.size} differ" if wrong.size > 1 else ""
    text = f"differs {where}first: found {actual[index]}, expected {value[index]}{others}"
    return Comparison(largest, Mismatch(text, index), share)


READS = {".onnx": "onnxruntime", ".onnxtxt": "onnxruntime", ".xml": "openvino"}
"""The library whose own format a file has, by its suffix."""


def peer_of(path: str) -> str | None:
    """The name of the installed library that a model is made for, if there is one."""
    name = READS.get(Path(path).suffix.lower())
    return name if name is not None and find_spec(name) is not None else None


def beside(
    name: str,
    path: str,
    interface: Interface,
    inputs: Sequence[Array],
    expected: Sequence[Bounded],
) -> list[Comparison]:
    """The comparison of the interpreter with a library; raises what the library raises."""
    results = [np.zeros(x.value.shape, x.value.dtype) for x in expected]
    call = PEERS[name](
        peer_model(path, name),
        {spec.name: x for spec, x in zip(interface.inputs, inputs, strict=True)},
        {spec.name: x for spec, x in zip(interface.outputs, results, strict=True)},
        1,
    )
    call()
    return [compare(a, _wider(b)) for a, b in zip(results, expected, strict=True)]


def _wider(x: Bounded) -> Bounded:
    """A comparison with the tolerance of another library."""
    error = x.error * PEER_FACTOR
    if is_float(x.value):
        # Where large terms cancel, their order matters more than a result shows by its own size.
        size = np.abs(np.where(np.isfinite(x.value), x.value, 0)).max(initial=0)
        greatest = np.full_like(x.value, size)
        error = error + PEER_ULP * spacing(x.value) + PEER_FACTOR * spacing(greatest)
    return Bounded(x.value, error)
