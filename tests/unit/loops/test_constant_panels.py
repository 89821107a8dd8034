"""Packed weights: one copy for each layout, however many products read it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

pytest.importorskip("onnx")

from onnx import ModelProto, TensorProto, helper, numpy_helper

from opc.api.driver import lower
from opc.dialects import expr as ex
from opc.loops.constant_panels import loaded

SIZE = 192
WEIGHT = SIZE * SIZE * 4
LAYOUT = WEIGHT * 9 // 8
"""Bytes of a layout at most: panels are filled up."""


def products(
    weights: Sequence[str], rows: Sequence[int], *, transposed: bool = False
) -> ModelProto:
    """A product with a weight for each name and number of rows, one after the other."""
    values = np.random.default_rng(0).normal(0, 0.1, (SIZE, SIZE)).astype(np.float32)
    nodes, inputs, outputs = [], [], []
    for k, (weight, count) in enumerate(zip(weights, rows, strict=True)):
        if transposed:
            nodes.append(helper.make_node("Transpose", [weight], [f"t{k}"], perm=[1, 0]))
        nodes.append(
            helper.make_node("MatMul", [f"x{k}", f"t{k}" if transposed else weight], [f"y{k}"])
        )
        shape = [count, SIZE]
        inputs.append(helper.make_tensor_value_info(f"x{k}", TensorProto.FLOAT, shape))
        outputs.append(helper.make_tensor_value_info(f"y{k}", TensorProto.FLOAT, shape))
    constants = [numpy_helper.from_array(values, name) for name in dict.fromkeys(weights)]
    graph = helper.make_graph(nodes, "products", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def weight_bytes(model: ModelProto) -> int:
    weights = lower(model, cache=None, target="baseline").weights
    assert weights is not None
    return weights.nbytes


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("names", ["wwwww", "abcde"], ids=["one weight", "equal weights"])
def test_products_of_one_shape_share_the_panels(names: str, transposed: bool) -> None:
    """Weights that are equal are one weight, under whatever names."""
    one = weight_bytes(products(names[:1], [40], transposed=transposed))
    assert WEIGHT <= one <= LAYOUT
    assert weight_bytes(products(names, [40] * 5, transposed=transposed)) == one


def test_products_of_other_shapes_share_what_has_one_layout() -> None:
    rows = [40, 64, 1, 40, 1, 64]
    layouts = {weight_bytes(products("w", [count])) for count in rows}
    alone = sum(weight_bytes(products("w", [count])) for count in sorted(set(rows)))
    together = weight_bytes(products("wwwwww", rows))
    assert max(layouts) <= together <= min(alone, 3 * LAYOUT)


def test_other_values_are_other_panels() -> None:
    """The content counts, not the shape."""
    model = products("ab", [40, 40])
    other = numpy_helper.to_array(model.graph.initializer[1]).copy()
    other[-1, -1] += 1
    model.graph.initializer[1].CopyFrom(numpy_helper.from_array(other, "b"))
    assert weight_bytes(model) == 2 * weight_bytes(products("a", [40]))


def test_panels_have_the_columns_in_order_and_repeat_the_last() -> None:
    """Elements at linear offsets are read in place, others by their indices."""
    array = np.arange(3 * 10, dtype=np.float32)
    grid, start = [(1, 4, 2), (0, 1, 3), (1, 1, 4)], {1: 1}
    linear = ex.dim(0) * 10 + ex.dim(1)
    rows, lanes = np.arange(3)[:, None], np.arange(4)
    expected = [rows * 10 + 4 * panel + lanes + 1 for panel in range(2)]
    view = loaded(array, linear, grid, start)
    assert np.shares_memory(view, array) and (view == expected).all()
    halves = loaded(array, ex.floordiv(linear, 2), grid, start)
    assert (halves == np.array(expected) // 2).all()
    backwards = loaded(array, 29 - linear, grid, start)
    assert (backwards == 29 - np.array(expected)).all()
    with pytest.raises(IndexError):
        loaded(array, linear + 20, grid, start)
