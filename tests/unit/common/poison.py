"""Runs of a compiled function into outputs that hold something before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import opc

POISONS = (0xAA, 0x55)
"""Bytes that outputs are filled with: what depends on them was never written."""


def poisoned(f: opc.Function, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of a call, which are the same bits whatever the outputs held before."""
    found: list[list[np.ndarray]] = []
    shapes = [result.shape for result in _several(f(*inputs))]
    for poison in POISONS:
        out = [_filled(f.outputs[k].dtype, shape, poison) for k, shape in enumerate(shapes)]
        f(*inputs, out=tuple(out) if len(out) > 1 else out[0])
        found.append(out)
    for k, (a, b) in enumerate(zip(*found, strict=True)):
        differ = int((a.view(np.uint8) != b.view(np.uint8)).sum()) if a.size else 0
        assert differ == 0, f"result {k}: {differ} bytes depend on what the output held"
    return found[0]


def same_bits(text: str, inputs: Sequence[np.ndarray]) -> None:
    """Compile a graph fused and not, and compare all bits of the results."""
    fused, single = (
        poisoned(opc.compile(text, fuse=fuse, verify_each=True), inputs) for fuse in (True, False)
    )
    for k, (a, b) in enumerate(zip(fused, single, strict=True)):
        np.testing.assert_array_equal(
            np.atleast_1d(a).view(np.uint8), np.atleast_1d(b).view(np.uint8), f"result {k}"
        )


def _several(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


def _filled(dtype: Any, shape: tuple[int, ...], poison: int) -> np.ndarray:
    array = np.empty(shape, dtype)
    array.reshape(-1).view(np.uint8)[:] = poison
    return array
