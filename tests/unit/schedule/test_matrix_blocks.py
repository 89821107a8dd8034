"""Blocks of bytes with a scale each in matrix registers: the bits of every other schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper, numpy_helper

import opc
from opc.dialects.matrix_ops import ROWS
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from tests.unit.common.contraction_graphs import targets
from tests.unit.numerics.test_activations import asking, drawn, expected

pytestmark = pytest.mark.sample(16)

BUILDS = ("baseline", "native")
"""Without matrix registers, and with them if this processor has some."""
MATRICES = [
    (96, 64, 8, 32, True),
    (128, 70, 8, 64, True),
    (256, 200, 8, 128, False),
    (100, 40, 8, 16, False),
    (128, 192, 4, 32, True),
    (256, 70, 4, 128, False),
    (128, 64, 2, 64, True),
]
"""Products, columns, bits, values of a block, and whether there are zero points."""


def names_of(proto: Any, **how: Any) -> set[str]:
    """The C functions on matrix registers that a model calls on a machine that has them."""
    source = opc.lower(proto, activations="int8", target="amx", **how).emitted.source
    return {name for name in ("begin", "clear", "store") if f"opc_matrix_{name}_" in source}


def run(proto: Any, built: str, *arrays: Any) -> Any:
    """The result of the C for matrix registers, built for a machine."""
    lowered = opc.lower(proto, activations="int8", target="amx")
    source = lowered.emitted.source
    library = caching.build(source, cc=None, target=built, threads=1, cache=None)
    return CompiledFunction(lowered.interface, library, lowered.weights, 1)(*arrays)


@pytest.mark.parametrize("built", BUILDS)
@pytest.mark.parametrize("rows", ["m", ROWS, 70])
@pytest.mark.parametrize("sizes", MATRICES)
def test_blocks_are_the_formula(sizes: tuple[Any, ...], rows: Any, built: str) -> None:
    """Of one row, of few and of many, where their number is unknown; of steps that are not full."""
    proto, integers, scales, _ = asking(*sizes, rows)
    assert names_of(proto) == {"begin", "clear", "store"}
    for count in (1, 5, ROWS, 70) if rows == "m" else (rows,):
        x = drawn(count, sizes[0])
        assert run(proto, built, x).tobytes() == expected(x, integers, scales).tobytes(), count


@pytest.mark.parametrize("sizes", [(512, 3, 4, 32), (512, 8, 8, 32), (17, 256, 8, 16)])
def test_registers_need_panels_of_their_columns(sizes: tuple[Any, ...]) -> None:
    """Versions for one row and for more share panels: of 4, 8 and 128 columns, no registers do."""
    proto, integers, scales, _ = asking(*sizes, False, "m")
    assert not names_of(proto)
    for count in (1, ROWS, 70):
        x = drawn(count, sizes[0])
        assert run(proto, "baseline", x).tobytes() == expected(x, integers, scales).tobytes()


@pytest.mark.parametrize("rows", [1, ROWS - 1])
def test_few_rows_stay_in_vectors(rows: int) -> None:
    """The sums of whole registers would go through memory for each block."""
    assert not names_of(asking(96, 64, 8, 32, True, rows)[0])


def test_a_short_block_is_one_step() -> None:
    """Its registers have as many products, and leave room for more sums."""
    proto, *_ = asking(256, 192, 8, 32, True, 64)
    source = opc.lower(proto, activations="int8", target="amx").emitted.source
    assert "opc_matrix_i8_u8_16x96_by32(" in source
    assert "_full(" not in source


def in_uneven_blocks(rows: int, block: int) -> Any:
    """A model with a scale for each ``block`` values along the chain, dequantized as ONNX says."""
    rng, inner, columns = np.random.default_rng(block), 4 * block, 48
    w = rng.integers(-127, 128, (inner, columns), dtype=np.int8)
    s = (rng.random((4, columns)) * 1e-3 + 1e-4).astype(np.float32)
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["v"], axis=0, block_size=block),
        helper.make_node("MatMul", ["x", "v"], ["y"]),
    ]
    ends = [
        helper.make_tensor_value_info(n, 1, [rows, k]) for n, k in (("x", inner), ("y", columns))
    ]
    constants = [numpy_helper.from_array(a, n) for a, n in ((w, "w"), (s, "s"))]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], constants)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    return proto, np.moveaxis(w.reshape(4, block, columns), 2, 0).astype(np.int32), s.T


@pytest.mark.parametrize("rows", [1, 40])
@pytest.mark.parametrize("block", [9, 18, 20, 30, 36, 68, 72])
def test_no_step_takes_products_of_the_next_block(block: int, rows: int) -> None:
    """Steps of 2, 4 and 64 products are taken where fours of them end with a block."""
    proto, integers, scales = in_uneven_blocks(rows, block)
    assert bool(names_of(proto)) == (rows >= ROWS and block % 4 == 0)
    x = drawn(rows, 4 * block)
    for machine in targets():
        y = opc.compile(proto, activations="int8", target=machine)(x)
        assert y.tobytes() == expected(x, integers, scales).tobytes(), machine


@pytest.mark.parametrize("rows", ["m", 64])
def test_small_weights_are_unpacked_once_for_all_rows(rows: Any) -> None:
    """The file keeps 4 bits; a panel of bytes is written in front of the tiles that read it."""
    proto, *_ = asking(256, 192, 4, 32, True, rows)
    lowered = opc.lower(proto, activations="int8", target="amx")
    assert lowered.weights is not None
    assert lowered.weights.nbytes < 256 * 192
    (tiles,) = (
        text
        for text in lowered.emitted.source.split("\n}\n")
        if "for (int64_t" in text and "  opc_matrix_clear_" in text
    )
    before, behind = tiles.split("  opc_matrix_clear_")
    assert "opc_shr_u8(" in before
    assert "opc_shr_u8(" not in behind
