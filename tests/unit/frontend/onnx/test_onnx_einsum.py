"""Einsum of ONNX against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import ArgumentError, InputError  # noqa: E402
from tests.unit.common.onnx_models import info, interpreted, model, node, run  # noqa: E402

EXTENTS = {"a": 2, "b": 3, "c": 4, "i": 3, "j": 5, "k": 4, "m": 2, "n": 3, "Z": 2}
EQUATIONS = [
    "ij->ji",
    "ij->",
    "ij->i",
    "ij,jk->ik",
    "ij,jk",
    "bij, bjk -> bik",
    "...ij,...jk->...ik",
    "...ii->...i",
    "ii->i",
    "ii",
    "ijj->ji",
    "iii->i",
    "iij,ij->j",
    "i,j->ij",
    "i,i",
    "i,j,k->kji",
    "ij,jk,km->im",
    "ab,cb,a->c",
    "ijk,ijk->k",
    "ijk,jik->",
    "bnik,bmjk->bnmij",
    "Za,aZ->aZ",
    "...,...->...",
    "i...->...",
    "...i,...i",
    ",ij->ij",
]


def operands(equation: str, rng: np.random.Generator, dtype: Any) -> list[np.ndarray]:
    texts = equation.replace(" ", "").partition("->")[0].split(",")
    shapes = [
        [*(EXTENTS[c] for c in text.replace("...", "")[: text.find("...")]), 2, 3]
        + [EXTENTS[c] for c in text[text.find("...") + 3 :]]
        if "..." in text
        else [EXTENTS[c] for c in text]
        for text in texts
    ]
    return [(rng.standard_normal(s) * 5).astype(dtype) for s in shapes]


def made(equation: str, arrays: list[np.ndarray], type: str, named: bool) -> Any:
    names = [f"x{k}" for k in range(len(arrays))]
    infos = [
        info(n, type, [f"{n}e{k}" for k in range(a.ndim)] if named else a.shape)
        for n, a in zip(names, arrays, strict=True)
    ]
    return model(node("Einsum", " ".join(names), equation=equation), infos)


@pytest.mark.parametrize("named", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("type", ["f32", "i32", "f16"])
@pytest.mark.parametrize("equation", EQUATIONS)
def test_einsum(equation: str, type: str, named: bool) -> None:
    dtype = {"f32": np.float32, "i32": np.int32, "f16": np.float16}[type]
    arrays = operands(equation, np.random.default_rng(0), dtype)
    wide = [a.astype(np.float64 if type != "i32" else dtype) for a in arrays]
    expected = np.einsum(equation, *wide)
    (found,) = interpreted(made(equation, arrays, type, named), *arrays)
    assert found.dtype == dtype and found.shape == expected.shape
    tolerance = {"f32": 1e-5, "i32": 0, "f16": 2e-3}[type]
    np.testing.assert_allclose(found, expected, tolerance, tolerance * 50)


@pytest.mark.parametrize("equation", ["iij,ij->j", "ij,jk,km->im"])
def test_einsum_in_c(equation: str) -> None:
    arrays = operands(equation, np.random.default_rng(1), np.float32)
    found = run(made(equation, arrays, "f32", True), *arrays)
    np.testing.assert_allclose(found, np.einsum(equation, *arrays), 1e-5, 1e-4)


def test_a_diagonal_keeps_signs_of_zeros() -> None:
    x = np.float32([[-0.0, 1], [2, np.nan]])
    (found,) = interpreted(made("ii->i", [x], "f32", False), x)
    assert np.signbit(found[0]) and np.isnan(found[1])


@pytest.mark.parametrize(
    "equation, message",
    [
        ("ij->ik", "is not an order of the axes"),
        ("i1->i", "other labels than letters"),
        ("ijk->i", "has 3 axes"),
        ("ij,jk->ik", "2 terms for 1 operands"),
        ("ii->i", "extents of the diagonal 'i' differ"),
    ],
)
def test_what_is_wrong(equation: str, message: str) -> None:
    proto = model(node("Einsum", "x", equation=equation), [info("x", shape=(2, 3))])
    with pytest.raises(InputError, match=message):
        interpreted(proto, np.zeros((2, 3), np.float32))


def test_unknown_extents_that_differ() -> None:
    proto = model(node("Einsum", "x", equation="ii"), [info("x", shape=("A", "B"))])
    with pytest.raises(ArgumentError, match="diagonal"):
        run(proto, np.zeros((2, 3), np.float32))
