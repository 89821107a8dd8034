"""Functions of StableHLO as text, beside what they give."""

from __future__ import annotations

from typing import Any

import numpy as np

import opc

F = np.float32
X = np.array([[1.5, -2.0, 0.25], [-0.5, 3.0, -1.25]], F)
Y = np.array([[0.5, 2.0, -4.0], [1.0, -3.0, 0.75]], F)
N = np.array([[7, -5, 0], [3, -128, 100]], np.int32)
M = np.array([[2, 3, 0], [-2, 33, -7]], np.int32)
B = np.array([[True, False, True], [False, False, True]])
C = np.array([[True, True, False], [False, True, True]])
NAMES = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "bool": "i1"}
NAMES |= {"uint32": "ui32", "uint8": "ui8", "int8": "i8", "uint64": "ui64", "float16": "f16"}


def type_of(array: Any) -> str:
    a = np.asarray(array)
    return f"tensor<{''.join(f'{n}x' for n in a.shape)}{NAMES[a.dtype.name]}>"


def module(body: str, inputs: list[Any], results: list[Any], others: str = "") -> str:
    """A function whose body names its inputs %0, %1, ... and its results %r, %r1."""
    arguments = ", ".join(f"%{k}: {type_of(a)}" for k, a in enumerate(inputs))
    names = ", ".join(["%r", *(f"%r{k}" for k in range(1, len(results)))])
    types = ", ".join(map(type_of, results))
    head = f"func.func @main({arguments}) -> ({types}) {{"
    return f"{head}\n{body}\nreturn {names} : {types}\n}}\n{others}"


def check(body: str, inputs: list[Any], *wanted: Any, others: str = "", close: float = 0) -> None:
    results = opc.compile(module(body, inputs, list(wanted), others))(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    for result, array in zip(results, wanted, strict=True):
        assert np.asarray(result).dtype == np.asarray(array).dtype
        if close:
            np.testing.assert_allclose(result, array, rtol=close, atol=close)
        else:
            np.testing.assert_array_equal(result, array)


def elementwise(name: str, *inputs: Any, close: float = 0, wanted: Any) -> None:
    operands = ", ".join(f"%{k}" for k in range(len(inputs)))
    types = f"({', '.join(map(type_of, inputs))}) -> {type_of(wanted)}"
    name = name if "." in name else f"stablehlo.{name}"
    check(f"%r = {name} {operands} : {types}", list(inputs), wanted, close=close)
