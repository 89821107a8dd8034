"""The bits of results, across releases: digests of what small graphs of every family give.

A digest that changes is a promised bit that moved (docs/numerics.md, "Versions").  If that was not
meant, mend the change that moved it.  If it was, "Changing the numerical contract" in
CONTRIBUTING.md says how that is proposed; then, in one commit, count
``opc.support.interface.CONTRACT`` up, put the digests that the failure shows under ``-vv`` into
``PINNED``, with their ``PINNED_VERSION``, and add a line to CHANGELOG.md under Results.  A result
that was wrong by its specification was never promised: its digest changes without the version, with
the same line.  A new case gets a digest; none is taken away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tests.unit.common.graphs import oracle

pytest.importorskip("onnx")
import opc
from opc.interpret.function import run
from opc.support.interface import CONTRACT
from tests.unit.common.onnx_models import interpreted
from tests.unit.common.pinned_graphs import (
    ELEMENTARY,
    ELEMENTWISE,
    MODELS,
    ORDERED,
    Cases,
    onnx_model,
    operands,
    text_of,
    values,
)

pytestmark = pytest.mark.level("-O1")

PINNED_VERSION = 1
PINNED = {
    "quotients f64": "eac94dd5e313e6ba",
    "exponentials f64": "9ce50d2661c21b10",
    "circular f64": "5b6a0641b1676c75",
    "hyperbolic f64": "bb7e9b0364eec621",
    "powers f64": "dd62db113d4c9937",
    "activations f64": "c761730fa7d95275",
    "quotients f32": "d59242e5fbbd1789",
    "exponentials f32": "0c238d3e2761072e",
    "circular f32": "f86960eaaba93923",
    "hyperbolic f32": "91949e27f39d091d",
    "powers f32": "54a5ed4e7ad8932b",
    "activations f32": "0cab6317e2d67210",
    "quotients f16": "56c2ab05fb6ad00c",
    "exponentials f16": "780cecd6eea4fa6d",
    "circular f16": "b6f7d7ae1444f1ed",
    "hyperbolic f16": "b3598a60c10f0c58",
    "powers f16": "186b6c88c3ff3687",
    "activations f16": "59f2663611e15676",
    "quotients bf16": "6fb6d0c6613c18b3",
    "exponentials bf16": "87e48e04b7e10962",
    "circular bf16": "251451dfb5c5bd3c",
    "hyperbolic bf16": "1579e0f41b05ef88",
    "powers bf16": "72372d6d10b993b1",
    "activations bf16": "da52763efe7e67ce",
    "integers i8": "8a7cb2a960f21e12",
    "integers i32": "735023fdd32014e7",
    "integers i64": "5024bf1dae84fba7",
    "integers ui64": "0a33e95dc0b05072",
    "casts of f64": "c4ecf1bbcd36fcc3",
    "casts of f32": "7b1fcb522f8445cd",
    "casts of i64": "d8fcc50ca45831eb",
    "sums of rows": "592a4ecb4d3c464e",
    "sums of columns": "c137305fbcf43725",
    "sums of runs": "c84eee01fe04c131",
    "sums of symbolic extents": "33cb4fde3e76a4ee",
    "sums f64": "d00f6e769b586b6f",
    "sums f16": "fcf986d37f95ee3b",
    "sums bf16": "8a4bff964c3b5595",
    "sums i32": "a7a6a2a32d8a3be3",
    "products": "fd9e13ff249ef3c1",
    "means": "c08e98a0d14e6424",
    "norms": "b750272abaf9c8b5",
    "logarithms of sums": "a329e1df2f1c20ee",
    "extremes": "4b8d2f965e4260f6",
    "cumulative": "d516845eda7da40c",
    "matrix products": "a7a1a67b7ebfa8c4",
    "matrix products f64": "0fc1e432f15ae492",
    "matrix products f16": "0184536bc2f5e4e8",
    "matrix products bf16": "6255094048bd38b4",
    "matrix products i8": "0178ab47a70dc3b4",
    "contractions": "206a2b3152d27ac6",
    "convolutions": "8df358c415c508b6",
    "transposed convolutions": "8553df010816caf4",
    "softmax": "3e9592372785ca58",
    "layer norms": "5a8f27449bf15520",
    "other norms": "ac198450f8f489c7",
    "local norms": "902ea96531f554b0",
    "attention": "fcdd19e57d01863a",
    "recurrent": "41bdaf9ca1dc82ba",
    "resize": "3d33f3099bff8399",
    "pooling": "29550d5603264aca",
    "quantize": "5fcd9e7126ae8836",
    "quantized products": "f5b5ef8dc52e9ab1",
    "powers by constants": "e1f33cc2779abd7e",
    "sampling": "91daf546cc66293b",
    "random": "29f8177c7fb91f97",
    "normal random": "b309e895e5ec8791",
    "random of a seed": "beea53353a9486e2",
    "windows": "8f3357f417db417d",
    "transforms": "53d9361a34a02e7a",
    "mel filters": "6d94949ad39cb63f",
}
ROUNDED = {
    "matrix products": "3e18c0a20ae530c0",
    "matrix products f64": "6679774c81e6c4e7",
    "contractions": "a26a105797b111d2",
    "convolutions": "ce727507ead8d254",
    "transposed convolutions": "fe29a196660f117e",
}
"""The same cases with products="rounded"."""
SEED = np.uint64(0x0123456789ABCDEF)
OF_OPC = pytest.mark.parametrize("cases", [ELEMENTWISE, ORDERED], ids=["elementwise", "ordered"])


def digests(cases: Cases, results: Sequence[Any]) -> dict[str, str]:
    """Of types, shapes and bits of the results of each case, which hold no NaN."""
    remaining = iter(results)
    by_name: dict[str, str] = {}
    for name, rows in cases.items():
        digest = hashlib.sha256()
        for _ in range(sum(row.results for row in rows)):
            array = np.ascontiguousarray(next(remaining))
            assert not (array != array).any(), f"NaN in {name}"
            digest.update(f"{array.dtype} {array.shape}".encode())
            bits = array.view(f"u{array.itemsize}")
            digest.update(bits.astype(bits.dtype.newbyteorder("<")).tobytes())
        by_name[name] = digest.hexdigest()[:16]
    assert not list(remaining)
    return by_name


def check(cases: Cases, results: Sequence[Any]) -> None:
    assert digests(cases, results) == {name: PINNED.get(name) for name in cases}


def exact(cases: Cases) -> Cases:
    return {name: rows for name, rows in cases.items() if not name.startswith(ELEMENTARY)}


def test_the_digests_are_of_this_version() -> None:
    assert CONTRACT == PINNED_VERSION
    assert set(PINNED) == {*ELEMENTWISE, *ORDERED, *MODELS}


@OF_OPC
def test_compiled(cases: Cases) -> None:
    check(cases, opc.compile(text_of(cases))(*map(values, operands(cases))))


@OF_OPC
def test_interpreted(cases: Cases) -> None:
    cases = exact(cases)
    check(cases, oracle(text_of(cases), list(map(values, operands(cases)))))


def test_rounded_products() -> None:
    """Compiled, and interpreted by what the function says of itself."""
    cases = {name: ORDERED[name] for name in ROUNDED}
    inputs = list(map(values, operands(cases)))
    function = opc.compile(text_of(cases), products="rounded")
    assert digests(cases, function(*inputs)) == ROUNDED
    source = function.lowered.read().body.block.first_op
    assert isinstance(source, FuncOp)
    assert digests(cases, run(source, inputs)) == ROUNDED
    assert not set(ROUNDED.values()) & set(PINNED.values())


def test_compiled_models() -> None:
    check(MODELS, opc.compile(onnx_model(MODELS))(*map(values, operands(MODELS)), SEED))


def test_interpreted_models() -> None:
    cases = exact(MODELS)
    check(cases, interpreted(onnx_model(cases), *map(values, operands(cases)), SEED))
