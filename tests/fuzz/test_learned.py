"""Models of trees and of dynamic quantization, as their kernels and loops compute them."""

from __future__ import annotations

import numpy as np
import pytest

import opc

from .learned import MODES, NAMES, Learned, check, draw
from .test_models import MODELS, SEED

pytestmark = pytest.mark.fuzz


def test_models_are_computed_as_numpy_does() -> None:
    assert not [what for number in range(MODELS) if (what := check(SEED, number))]


@pytest.mark.long
def test_many_models_are_computed_as_numpy_does() -> None:
    assert not [what for number in range(5000) if (what := check(SEED + 1, number))]


def modes_of(drawn: Learned) -> set[str]:
    lists = [a.strings for n in drawn.nodes for a in n.attribute if a.name == "nodes_modes"]
    return {mode.decode() for modes in lists for mode in modes}


def test_everything_is_drawn() -> None:
    models = [draw(SEED, number) for number in range(MODELS)]
    kinds = {node.op_type for drawn in models for node in drawn.nodes}
    assert kinds >= {
        *("TreeEnsembleRegressor", "TreeEnsembleClassifier", "ZipMap"),
        *("DynamicQuantizeLinear", "MatMulInteger", "ConvInteger"),
    }
    assert set[str]().union(*map(modes_of, models)) == {"LEAF", *MODES}


@pytest.mark.parametrize(
    "kind", ["TreeEnsembleRegressor", "ZipMap", "MatMulInteger", "ConvInteger"]
)
def test_one_of_each_is_compiled(kind: str) -> None:
    numbers = (k for k in range(MODELS) if kind in {n.op_type for n in draw(SEED, k).nodes})
    drawn = draw(SEED, next(numbers))
    f = opc.compile(drawn.model())
    found = f(drawn.x)
    for name, array in zip(
        drawn.results, found if len(drawn.results) > 1 else [found], strict=True
    ):
        wanted = drawn.results[name]
        if name == "label":
            assert array.tolist() == [NAMES[k] for k in wanted]
        elif name == "map":
            assert array == [dict(zip(NAMES, row, strict=True)) for row in wanted.tolist()]
        else:
            np.testing.assert_array_equal(array, wanted)
