"""Places in memory that the outcome of a comparison decides, at the level that users get."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx.helper as oh
import pytest

import opc
from tests.unit.frontend.onnx.test_onnx_trees import MODES, attributes, grown, inputs, model, sums

pytestmark = pytest.mark.level("-O3")


@pytest.mark.parametrize("type", ["f32", "f64", "i64"])
@pytest.mark.parametrize("count, depth", [(1, 1), (1, 2), (1, 3), (2, 1), (2, 3), (3, 2), (3, 3)])
def test_few_small_trees(count: int, depth: int, type: str) -> None:
    """The first step is from a root that is known: to the place behind one, or to the next."""
    rng = np.random.default_rng(9 * count + depth)
    modes = tuple(MODES)[: 1 + 5 * (depth == 3)]
    trees: list[Any] = []
    while len(trees) < count:
        tree = grown(rng, modes, 1, most=depth)
        trees += [tree] if len(tree) > 2 * depth else []
    x = inputs(rng, type, 40)
    out = [oh.make_tensor_value_info("y", 1, ["N", 1])]
    proto = model("TreeEnsembleRegressor", type, out, n_targets=1, **attributes(trees, "target"))
    wanted = [[sum(v) for v in row] for row in sums(trees, x, 1)]
    np.testing.assert_allclose(opc.compile(proto)(x), wanted, 1e-5, 1e-5)
