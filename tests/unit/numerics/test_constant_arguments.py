"""Limits, quotients and remainders by constants have the bits of those by arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import element as el

pytestmark = pytest.mark.sample(16)

SPECIAL = [0.0, -0.0, 1.5, -1.0, 0.1, float("inf"), -float("inf"), float("nan")]
COUNT = 203


def both(operator: str, type: str, constants: list[Any], attributes: str = "") -> tuple[Any, Any]:
    """The operator by each of several constants, and by an argument, compiled."""
    dtype = el.BY_NAME[type].dtype
    tensor = f"tensor<{COUNT}x{type}>"
    lines: list[str] = []
    for k, constant in enumerate(constants):
        data = np.asarray([constant]).astype(dtype).tobytes().hex().upper()
        lines.append(f'%c{k} = opc.constant dense<"0x{data}"> : tensor<1x{type}>')
        lines.append(f"%r{k} = opc.{operator} %x, %c{k} {attributes}")
    names = ", ".join(f"%r{k}" for k in range(len(constants)))
    types = ", ".join(tensor for _ in constants)
    body = "\n".join(lines)
    fixed = f"func.func @main(%x: {tensor}) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"
    given = f"""func.func @main(%x: {tensor}, %c: tensor<1x{type}>) -> {tensor} {{
      %r = opc.{operator} %x, %c {attributes}
      return %r : {tensor}
    }}"""
    return opc.compile(fixed), opc.compile(given)


@pytest.mark.parametrize("type", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("operator", ["max", "min"])
def test_limits(operator: str, type: str) -> None:
    dtype = el.BY_NAME[type].dtype
    rng = np.random.default_rng(0)
    x = np.concatenate([SPECIAL, rng.standard_normal(COUNT - len(SPECIAL))]).astype(dtype)
    ordinary = [c for c in SPECIAL if not np.isnan(c)]
    lesser = -0.0 if operator == "max" else 0.0
    ordinary = [c for c in ordinary if c != 0 or np.signbit(c) != np.signbit(lesser)]
    rest = [lesser, float("nan")]
    for constants, is_general in ((ordinary, False), (rest, True)):
        fixed, given = both(operator, type, constants)
        assert (f"opc_{operator}_f" in fixed.c_source) == is_general
        for constant, found in zip(constants, fixed(x), strict=True):
            c = np.asarray([constant]).astype(dtype)
            assert found.tobytes() == given(x, c).tobytes(), constant


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"])
@pytest.mark.parametrize(
    "operator, attributes", [("div", ""), ("mod", ""), ("mod", "{fmod = true}")]
)
def test_quotients(operator: str, attributes: str, type: str) -> None:
    dtype = el.BY_NAME[type].dtype
    info = np.iinfo(dtype)
    edges = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3]
    rng = np.random.default_rng(1)
    rest = rng.integers(info.min, info.max, COUNT - len(edges), dtype, endpoint=True)
    x = np.concatenate([np.array(edges, dtype), rest])
    divisors = {0, 1, 3, 7, 10, info.max, info.max // 2 + 1, info.min}
    divisors |= {-1, -3} if info.min else set()
    fixed, given = both(operator, type, sorted(divisors), attributes)
    for divisor, found in zip(sorted(divisors), fixed(x), strict=True):
        assert found.tobytes() == given(x, np.array([divisor], dtype)).tobytes(), divisor
        for a, q in zip(x.tolist(), found.tolist(), strict=True):
            assert q == expected(operator, bool(attributes), a, divisor, info), (a, divisor)


def expected(operator: str, fmod: bool, a: int, b: int, info: Any) -> int:
    """Of unbounded integers, wrapped."""
    if b == 0:
        return 0
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    value = quotient if operator == "div" else a - quotient * b if fmod else a % b
    span = int(info.max) - int(info.min) + 1
    return (value - int(info.min)) % span + int(info.min)


@pytest.mark.filterwarnings("error")
def test_limits_beyond_the_type_that_is_rounded_to() -> None:
    wide, narrow = f"tensor<{COUNT}xf64>", f"tensor<{COUNT}xf32>"
    function = opc.compile(
        f"""func.func @main(%x: {wide}) -> {narrow} {{
      %c = opc.constant dense<1.0e300> : tensor<f64>
      %m = opc.min %x, %c
      %r = opc.cast %m : {wide} -> {narrow}
      return %r : {narrow}
    }}""",
        cache=None,
    )
    x = np.linspace(-1, 1, COUNT)
    x[:2] = [1e301, 1e39]
    found = function(x)
    np.testing.assert_array_equal(found[:2], np.float32([np.inf, np.inf]))
    np.testing.assert_array_equal(found[2:], x[2:].astype(np.float32))


@pytest.mark.parametrize("type", ["f16", "bf16"])
def test_rounded_once_after_limits(type: str) -> None:
    tensor = f"tensor<{COUNT}x{type}>"
    text = f"""func.func @main(%x: {tensor}, %y: {tensor}) -> ({tensor}, {tensor}) {{
      %low = opc.constant dense<-0.75> : tensor<{type}>
      %high = opc.constant dense<0.5> : tensor<{type}>
      %s = opc.sub %x, %y
      %a = opc.relu %s
      %m = opc.mul %x, %y
      %b = opc.clip %m, %low, %high
      return %a, %b : {tensor}, {tensor}
    }}"""
    dtype = el.BY_NAME[type].dtype
    rng = np.random.default_rng(2)
    x, y = ((rng.standard_normal(COUNT) * 10.0 ** rng.integers(-7, 2, COUNT)) for _ in range(2))
    x[:6], y[:6] = [0.0, -0.0, np.nan, np.inf, 1e-7, -1e-7], [0.0, 0.0, 1.0, np.inf, 0.0, 0.0]
    x, y = x.astype(dtype), y.astype(dtype)
    a, b = opc.compile(text)(x, y)
    with np.errstate(all="ignore"):
        s = (x.astype(np.float32) - y.astype(np.float32)).astype(dtype)
        m = (x.astype(np.float32) * y.astype(np.float32)).astype(dtype)
    a, b, s, m = (array.astype(np.float32) for array in (a, b, s, m))
    np.testing.assert_array_equal(a, np.maximum(s, 0))
    assert not np.signbit(a[~np.isnan(a)]).any()
    np.testing.assert_array_equal(b, np.clip(m, -0.75, 0.5))
