"""One operator on values written by hand, through the interpreter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from opc.dialects.element import BY_NAME
from tests.unit.common.graphs import oracle
from tests.unit.common.tolerance import assert_close

INF, NAN = math.inf, math.nan


def array(values: Any, type: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(BY_NAME[type].dtype)


def run(body: str, result: str, *inputs: tuple[Any, str]) -> np.ndarray:
    """The value of ``body`` over arguments %0, %1, ...; ``result`` is its type."""
    arrays = [array(values, type) for values, type in inputs]
    types = ["x".join([*map(str, x.shape), t]) for x, (_, t) in zip(arrays, inputs, strict=True)]
    arguments = ", ".join(f"%{k} : tensor<{t}>" for k, t in enumerate(types))
    text = (
        f"func.func @main({arguments}) -> tensor<{result}> {{\n"
        f"  %r = {body}\n  func.return %r : tensor<{result}>\n}}"
    )
    return oracle(text, arrays)[0]


def unary(body: str, values: list[Any], type: str, expected: list[Any], to: str = "") -> None:
    to = to or type
    arrow = f" : tensor<{len(values)}x{type}> -> tensor<{len(values)}x{to}>"
    found = run(f"{body}{arrow}", f"{len(values)}x{to}", (values, type))
    assert_close(found, array(expected, to), what=body)


def binary(
    op: str, a: list[Any], b: list[Any], type: str, expected: list[Any], to: str = ""
) -> None:
    found = run(op, f"{len(a)}x{to or type}", (a, type), (b, type))
    assert_close(found, array(expected, to or type), what=op)


def reduced(op: str, x: Any, type: str, expected: Any, result: str) -> None:
    assert_close(run(op, result, (x, type)), array(expected, result.split("x")[-1]), what=op)
