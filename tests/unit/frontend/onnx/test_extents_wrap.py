"""Arithmetic of models on extents, in types that do not hold the results: as NumPy, or refused.

What is multiplied and added up wraps as the type does.  What is divided, compared, converted to a
wider type or used as an extent is the number that the type holds, or the call says that it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import numpy_helper  # noqa: E402

from opc.errors import ArgumentError  # noqa: E402
from tests.unit.common.onnx_models import TYPES, function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(6)

Nodes = list[Any]
EXTENTS = [(3, 5), (65536, 65537), (46341, 46341), (1 << 31, 1), ((1 << 31) - 1, 1), (1 << 40, 3)]
EXTENTS += [(1 << 40, 1 << 40), (3037000500, 3037000500)]
EXACT = ("product", "negative", "sum", "hash", "far", "quotient of a hash", "several", "all")
"""What is never refused: it is multiplied and added up, or left to the call."""


def divided(a: Any, b: Any) -> Any:
    """The quotient, toward zero."""
    return np.sign(a) * (np.abs(a.astype(object)) // b).astype(a.dtype)


FORMULAS: dict[str, tuple[Nodes, Callable[..., Any]]] = {
    "product": ([node("Mul", "n m", "y")], lambda n, m, _: n * m),
    "negative": ([node("Mul", "n m", "a"), node("Neg", "a", "y")], lambda n, m, _: -(n * m)),
    "sum": ([node("Mul", "n k", "a"), node("Add", "a m", "y")], lambda n, m, k: n * k + m),
    "hash": ([node("Mul", "n most", "y")], lambda n, m, _: n * np.iinfo(n.dtype).max),
    "far": ([node("Sub", "n most", "y")], lambda n, m, _: n - np.iinfo(n.dtype).max),
    "far below": (
        [node("Sub", "n most", "a"), node("Less", "a m", "y")],
        lambda n, m, _: n - np.iinfo(n.dtype).max < m,
    ),
    "quotient": (
        [node("Mul", "n m", "a"), node("Div", "a k", "y")],
        lambda n, m, k: divided(n * m, k),
    ),
    "quotient of a hash": (
        [node("Mul", "n most", "a"), node("Div", "a most", "y")],
        lambda n, m, _: divided(n * np.iinfo(n.dtype).max, np.iinfo(n.dtype).max),
    ),
    "remainder": ([node("Mul", "n m", "a"), node("Mod", "a k", "y")], lambda n, m, k: n * m % k),
    "greatest": (
        [node("Mul", "n m", "a"), node("Max", "a k", "y")],
        lambda n, m, k: np.maximum(n * m, k),
    ),
    "least": (
        [node("Add", "n m", "a"), node("Min", "a n", "y")],
        lambda n, m, _: np.minimum(n + m, n),
    ),
    "equal": ([node("Mul", "n m", "a"), node("Equal", "a zero", "y")], lambda n, m, _: n * m == 0),
    "less": ([node("Mul", "n m", "a"), node("Less", "a n", "y")], lambda n, m, _: n * m < n),
    "wide": (
        [node("Mul", "n m", "a"), node("Cast", "a", "y", to=TYPES["i64"])],
        lambda n, m, _: (n * m).astype(np.int64),
    ),
    "narrow and wide": (
        [node("Cast", "n", "a", to=TYPES["i32"]), node("Cast", "a", "y", to=TYPES["i64"])],
        lambda n, m, _: n.astype(np.int32).astype(np.int64),
    ),
    "several": (
        [node("Concat", "n m k", "a", axis=0), node("Mul", "a n", "y")],
        lambda n, m, k: np.concatenate([n, m, k]) * n,
    ),
    "all": (
        [node("Concat", "n m k", "a", axis=0), node("ReduceProd", "a", "y", keepdims=0)],
        lambda n, m, k: n[0] * m[0] * k[0],
    ),
    "extent": (
        [
            node("Mul", "n m", "a"),
            node("Mod", "a k", "b"),
            node("Cast", "b", "c", to=TYPES["i64"]),
            node("ConstantOfShape", "c", "d"),
            node("Shape", "d", "y"),
        ],
        lambda n, m, k: (n * m % k).astype(np.int64),
    ),
}


def proto_of(name: str, type: str) -> tuple[Any, Callable[..., Any]]:
    """The model, and the formula in NumPy."""
    nodes, formula = FORMULAS[name]
    dtype = np.dtype({"i32": "int32", "i64": "int64"}[type])
    shapes = [
        node("Shape", "x", "n64", start=0, end=1),
        node("Shape", "z", "m64", start=0, end=1),
        node("Cast", "n64", "n", to=TYPES[type]),
        node("Cast", "m64", "m", to=TYPES[type]),
    ]
    numbers = {"k": 1000, "zero": 0, "most": np.iinfo(dtype).max}
    constants = [numpy_helper.from_array(np.array([v], dtype), k) for k, v in numbers.items()]
    inputs = [info("x", shape=["N", 0]), info("z", shape=["M", 0])]
    return model([*shapes, *nodes], inputs, 18, initializers=constants), formula


@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize("name", FORMULAS)
def test_as_numpy_or_refused(name: str, type: str) -> None:
    proto, formula = proto_of(name, type)
    compiled = function(proto)
    dtype = np.dtype({"i32": "int32", "i64": "int64"}[type])
    for n, m in EXTENTS:
        arrays = (np.zeros((n, 0), np.float32), np.zeros((m, 0), np.float32))
        with np.errstate(over="ignore"):
            given = (np.array([v]).astype(dtype) for v in (n, m, 1000))
            expected = np.asarray(formula(*given))
        try:
            found = np.asarray(compiled(*arrays))
        except ArgumentError:
            highest = (1 << 60) if type == "i64" and name != "narrow and wide" else (1 << 31) - 1
            assert name not in EXACT and max(n * m, n + m) > highest, "refused for nothing"
            continue
        assert found.dtype == expected.dtype and np.array_equal(found, expected), (n, m)
