"""Element types of 8 bits and fewer: converted, moved, and refused by everything else."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import pytest

import opc
from opc.dialects import element as el
from opc.dialects import scalar
from opc.dialects.element import ElementType
from opc.errors import InputError
from tests.unit.common.graphs import oracle

pytestmark = pytest.mark.sample(32)

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

F8 = ("f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ")
SMALL = pytest.mark.parametrize("type", el.SMALL_ELEMENTS, ids=str)
INTEGERS = [e for e in el.ELEMENTS if e.is_integer]
POWER = el.BY_NAME["f8E8M0FNU"]


def codes(type: ElementType) -> Array:
    """Every value of a small type."""
    return np.arange(1 << type.bits, dtype=np.uint8).view(type.dtype)


def greatest(type: ElementType) -> np.float32:
    values = codes(type).astype(np.float32)
    return values[np.isfinite(values)].max()


def text(source: ElementType, target: ElementType, options: str = "", op: str = "cast") -> str:
    x, y = (f"tensor<?x{type}, #opc.dims<N>>" for type in (source, target))
    return f"""
    func.func @f(%x: {x}) -> {y} {{
      %y = opc.{op} %x {options} : {x} -> {y}
      return %y : {y}
    }}
    """


@cache
def compiled(text: str) -> Any:
    return opc.compile(text, verify_each=True)


def cast(x: Array, target: ElementType, options: str = "") -> Array:
    """The cast in C, after a check that its meaning in NumPy has the same bits."""
    source = next(e for e in el.BY_NAME.values() if e.dtype == x.dtype)
    graph = text(source, target, options)
    result = compiled(graph)(x)
    (expected,) = oracle(graph, [x])
    assert result.dtype == expected.dtype == target.dtype
    np.testing.assert_array_equal(raw(result), raw(expected))
    return result


def raw(x: Array) -> Array:
    return np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}")


def ways(saturate: bool = True, round_mode: str = "up") -> str:
    return f'{{saturate = {str(saturate).lower()}, round_mode = "{round_mode}"}}'


def floats(source: ElementType) -> Array:
    """All values of 16 bits; of wider types, those next to a tie of a small type."""
    if source.bits == 16:
        return np.arange(1 << 16, dtype=np.uint16).view(source.dtype)
    ties: list[float] = [0.0, 2.0**-127, 2.0**-128, 3e38, 1e-45, 449.0, 1e9, np.inf, np.nan]
    for name in (*F8, "f4E2M1FN", "f8E8M0FNU"):
        values = codes(el.BY_NAME[name]).astype(np.float64)
        values = np.sort(values[np.isfinite(values) & (values >= 0)])
        steps = np.append(values, 2 * values[-1] - values[-2])
        ties += [*values, *((steps[1:] + steps[:-1]) / 2)]
    near = np.array(ties).astype(source.dtype)
    near = np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)])
    return np.concatenate([near, -near]).astype(source.dtype)


FLOATS = pytest.mark.parametrize("source", [el.F16, el.BF16, el.F32, el.F64], ids=str)


@SMALL
@pytest.mark.parametrize("target", [*el.ELEMENTS, *el.SMALL_ELEMENTS], ids=str)
def test_from_every_code(type: ElementType, target: ElementType) -> None:
    x = codes(type)
    result = cast(x, target)
    if target is el.F32:
        exact = x.astype(np.float32)
        np.testing.assert_array_equal(result, exact)
        number = ~np.isnan(exact)
        np.testing.assert_array_equal(np.signbit(result)[number], np.signbit(exact)[number])


@pytest.mark.parametrize("type", [el.BY_NAME[name] for name in F8], ids=str)
@FLOATS
def test_to_float8(source: ElementType, type: ElementType) -> None:
    x = floats(source)
    # ml_dtypes goes from f64 to f32 first; what is then a tie need not have been one.
    with np.errstate(all="ignore"):
        exact = scalar.round_to_odd_f32(x) if source is el.F64 else x.astype(np.float32)
        exact = np.where(np.isnan(x.astype(np.float64)), x.astype(np.float32), exact)
        plain = exact.astype(type.dtype)
        top = greatest(type)
        clipped = np.clip(exact, -top, top).astype(type.dtype)
    np.testing.assert_array_equal(raw(cast(x, type, ways(saturate=False))), raw(plain))
    np.testing.assert_array_equal(raw(cast(x, type)), raw(clipped))


TABLE = [
    # x; for each of F8, saturated and not; the tables of ONNX's Cast.
    (0.0, "00 00", "00 00", "00 00", "00 00"),
    (-0.0, "80 80", "00 00", "80 80", "00 00"),
    (np.inf, "7e 7f", "7f 80", "7b 7c", "7f 80"),
    (-np.inf, "fe ff", "ff 80", "fb fc", "ff 80"),
    (1e6, "7e 7f", "7f 80", "7b 7c", "7f 80"),
    (-1e6, "fe ff", "ff 80", "fb fc", "ff 80"),
    (np.nan, "7f 7f", "80 80", "7e 7e", "80 80"),
    (464.0, "7e 7e", "7f 80", "5f 5f", "63 63"),
    (465.0, "7e 7f", "7f 80", "5f 5f", "63 63"),
    (248.0, "78 78", "7f 80", "5c 5c", "60 60"),
    (61440.0, "7e 7f", "7f 80", "7b 7c", "7f 80"),
    (61439.0, "7e 7f", "7f 80", "7b 7b", "7f 7f"),
]


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_table_of_float8(row: tuple[float, str, str, str, str]) -> None:
    x, *columns = row
    for name, wanted in zip(F8, columns, strict=True):
        for saturate, code in zip((True, False), wanted.split(), strict=True):
            result = cast(np.array([x]), el.BY_NAME[name], ways(saturate))
            assert f"{raw(result)[0]:02x}" == code, (name, saturate)


@FLOATS
def test_to_float4(source: ElementType) -> None:
    x = floats(source)
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64)
        once = np.where(np.isnan(exact), x.astype(np.float32), scalar.round_to_odd_f32(exact))
        # The sign of a NaN is not the same everywhere, so it does not show in what NaN becomes.
        wanted = np.abs(once, where=np.isnan(once), out=once).astype(ml_dtypes.float4_e2m1fn)
    np.testing.assert_array_equal(raw(cast(x, el.BY_NAME["f4E2M1FN"])), raw(wanted))


def power_code(x: float, round_mode: str, saturate: bool) -> int:
    """By its definition, in exact arithmetic of Python."""
    if x != x:
        return 255
    size = abs(x)
    if size < 2.0**-127:
        return 0 if saturate else 255
    code = next((k for k in range(256) if 2.0 ** (k - 127) > size), 256) - 1
    rest = size / 2.0 ** (code - 127) if code < 255 else 1.0
    code += {"up": rest > 1, "down": False, "nearest": rest >= 1.5}[round_mode]
    return code if code < 255 else 254 if saturate else 255


@pytest.mark.parametrize("round_mode", scalar.ROUND_MODES)
@pytest.mark.parametrize("saturate", [True, False])
@FLOATS
def test_to_powers(source: ElementType, round_mode: str, saturate: bool) -> None:
    x = floats(source)[:: 7 if source.bits == 16 else 1]
    with np.errstate(all="ignore"):
        wanted = [power_code(float(v), round_mode, saturate) for v in x.astype(np.float64)]
    result = cast(x, POWER, ways(saturate, round_mode))
    np.testing.assert_array_equal(raw(result), np.array(wanted, np.uint8))


def integers(type: ElementType) -> Array:
    info = np.iinfo(type.dtype)
    near = [s * (2**k + d) for k in range(64) for d in (-1, 0, 1) for s in (1, -1)]
    small = [*range(-600, 600), 2**30 + 2**29, 2**62 + 2**61 - 1, 2**62 + 2**61]
    return np.array([n for n in [*near, *small] if info.min <= n <= info.max], type.dtype)


@pytest.mark.parametrize("source", INTEGERS, ids=str)
@SMALL
def test_from_integers(source: ElementType, type: ElementType) -> None:
    x = integers(source)
    result = cast(x, type)
    if type.small != "float":
        np.testing.assert_array_equal(raw(result), (x & ((1 << type.bits) - 1)).astype(np.uint8))
    elif type is not POWER:
        with np.errstate(all="ignore"):
            top = greatest(type)
            wanted = np.clip(x.astype(np.float64), -top, top).astype(type.dtype)
        np.testing.assert_array_equal(raw(result), raw(wanted))


@pytest.mark.parametrize("round_mode", scalar.ROUND_MODES)
@pytest.mark.parametrize("source", ["i64", "ui64", "i32"])
def test_integers_to_powers(source: str, round_mode: str) -> None:
    x = integers(el.BY_NAME[source])
    wanted: list[int] = []
    for n in (abs(int(v)) for v in x):
        k = max(n.bit_length() - 1, 0)
        part = {"up": n > 1 << k, "down": False, "nearest": 2 * n >= 3 << k}[round_mode]
        wanted.append(k + part + 127 if n else 0)
    result = cast(x, POWER, ways(round_mode=round_mode))
    np.testing.assert_array_equal(raw(result), np.array(wanted, np.uint8))


@pytest.mark.parametrize("name", ["i4", "ui4", "i2", "ui2"])
@pytest.mark.parametrize("source", [el.F16, el.F32, el.F64], ids=str)
def test_floats_to_narrow_integers(source: ElementType, name: str) -> None:
    """Truncated, then wrapped, which is what the official tests of ONNX have."""
    type = el.BY_NAME[name]
    x = np.concatenate([np.arange(-40, 40, 0.25), [np.nan, 300.7, -1e4]]).astype(source.dtype)
    whole = np.where(np.isnan(x), 0, np.trunc(x)).astype(np.int64)
    wanted = (whole & ((1 << type.bits) - 1)).astype(np.uint8)
    np.testing.assert_array_equal(raw(cast(x, type)), wanted)


@SMALL
def test_booleans(type: ElementType) -> None:
    both = np.array([False, True])
    assert cast(both, type).astype(np.float32).tolist() == [2.0**-127 if type is POWER else 0, 1]
    x = codes(type)
    zero = x.astype(np.float32) == 0
    np.testing.assert_array_equal(cast(x, el.I1), ~zero)


@SMALL
def test_movement(type: ElementType) -> None:
    graph = f"""
    func.func @f(%x: tensor<2x3x{type}>, %c: tensor<3x1xi1>, %z: tensor<{type}>)
        -> (tensor<3x4x{type}>, tensor<6x{type}>) {{
      %i = opc.identity %x
      %t = opc.transpose %i {{permutation = [1, 0]}}
      %s = opc.reshape %t -> tensor<3x2x1x{type}>
      %b = opc.broadcast %s -> tensor<3x2x2x{type}>
      %r = opc.reshape %b -> tensor<3x4x{type}>
      %w = opc.where %c, %r, %z
      %k = opc.reshape %x -> tensor<6x{type}>
      return %w, %k : tensor<3x4x{type}>, tensor<6x{type}>
    }}
    """
    x = codes(type)[-6:] if type.bits > 2 else np.tile(codes(type), 2)[:6]
    inputs = [x.reshape(2, 3), np.array([[True], [False], [True]]), codes(type)[1].reshape(())]
    results = compiled(graph)(*inputs)
    for result, expected in zip(results, oracle(graph, inputs), strict=True):
        assert result.dtype == type.dtype
        np.testing.assert_array_equal(raw(result), raw(expected))
    np.testing.assert_array_equal(raw(results[1]), raw(x))


@SMALL
def test_short_rows_beside_one_that_repeats_itself(type: ElementType) -> None:
    """Rows of unknown extent go flat, where the one that all have in common can be laid out."""
    matrix = f"tensor<?x?x{type}, #opc.dims<M, N>>"
    graph = f"""
    func.func @f(%c: tensor<i1>, %x: tensor<?x{type}, #opc.dims<N>>, %y: {matrix}) -> {matrix} {{
      %r = opc.where %c, %x, %y
      return %r : {matrix}
    }}
    """
    row, rows = codes(type)[:4], codes(type)[-4:].repeat(3).reshape(3, 4)
    for c, expected in ((True, np.broadcast_to(row, (3, 4))), (False, rows)):
        np.testing.assert_array_equal(raw(compiled(graph)(np.array(c), row, rows)), raw(expected))


@SMALL
def test_bitcast(type: ElementType) -> None:
    x = codes(type)
    for target in el.BY_NAME.values():
        if target.bits == type.bits:
            result = compiled(text(type, target, op="bitcast"))(x)
            assert result.dtype == target.dtype
            np.testing.assert_array_equal(raw(result), raw(x))
            back = compiled(text(target, type, op="bitcast"))(result)
            np.testing.assert_array_equal(raw(back), raw(x))


def constant(values: Array, type: ElementType) -> str:
    from opc.dialects.opc.movement import ConstantOp

    shape = "x".join(map(str, values.shape))
    return f"""
    func.func @f() -> (tensor<{shape}x{type}>, tensor<{shape}xf32>, tensor<2x{type}>) {{
      {str(ConstantOp.of(values, type)).replace("%0", "%c")}
      %x = opc.cast %c -> tensor<{shape}xf32>
      %one = opc.constant dense<1.0> : tensor<2xf32>
      %y = opc.cast %one -> tensor<2x{type}>
      return %c, %x, %y : tensor<{shape}x{type}>, tensor<{shape}xf32>, tensor<2x{type}>
    }}
    """


@SMALL
@pytest.mark.parametrize("copies", [1, 64])
def test_constants(type: ElementType, copies: int) -> None:
    """In text, folded, inlined in C, or among the weights where there are many."""
    values = np.tile(codes(type), (256 * copies) >> type.bits)
    same, wide, one = compiled(constant(values, type))()
    np.testing.assert_array_equal(raw(same), raw(values))
    np.testing.assert_array_equal(wide, values.astype(np.float32))
    assert one.astype(np.float32).tolist() == [1, 1]


def test_integers_in_text_have_one_form() -> None:
    graph = """
    func.func @f() -> tensor<3xi4> {
      %c = opc.constant dense<[-1, 7, -8]> : tensor<3xi4>
      return %c : tensor<3xi4>
    }
    """
    assert raw(compiled(graph)()).tolist() == [15, 7, 8]


@SMALL
@pytest.mark.parametrize(
    "body",
    [
        "opc.add %x, %x",
        "opc.equal %x, %x",
        "opc.less %x, %x",
        "opc.neg %x",
        "opc.relu %x",
        "opc.max %x, %x",
        "opc.reduce_sum %x",
        "opc.reduce_max %x",
        "opc.argmax %x",
        "opc.exp %x",
        "opc.bitwise_and %x, %x",
        "opc.shift_left %x, %x",
        "opc.matmul %x, %x",
        "opc.is_nan %x",
        "opc.clip %x, %x, %x",
        "opc.not %x",
    ],
)
def test_no_arithmetic(type: ElementType, body: str) -> None:
    graph = f"func.func @f(%x: tensor<4x{type}>) {{\n  %y = {body}\n  return\n}}\n"
    with pytest.raises(InputError, match=f"element type {type} is not one of"):
        opc.compile(graph)


@SMALL
def test_nothing(type: ElementType) -> None:
    """What is read of a tensor without elements is a constant of its type, in IR text, too."""
    graph = f"""
func.func @main(%x: tensor<6x4x{type}>) -> (tensor<6x0x2x{type}>, tensor<0x6xf32>) {{
  %a = opc.slice %x {{starts = [0, 4], stops = [6, 9], steps = [1, 1]}}
  %b = opc.windows %x {{sizes = [7], strides = [1], dilations = [1]}}
    : tensor<6x4x{type}> -> tensor<6x0x7x{type}>
  %c = opc.slice %b {{starts = [0, 0, 1], stops = [6, 0, 3], steps = [1, 1, 1]}}
  %d = opc.cast %a : tensor<6x0x{type}> -> tensor<6x0xf32>
  %e = opc.transpose %d {{permutation = [1, 0]}}
  func.return %c, %e : tensor<6x0x2x{type}>, tensor<0x6xf32>
}}"""
    x = codes(type)[np.arange(24).reshape(6, 4) % (1 << type.bits)]
    f = opc.compile(graph, verify_each=True)
    again = opc.compile(f.ir("kernels"))
    for found in (f(x), again(x)):
        assert [y.shape for y in found] == [(6, 0, 2), (0, 6)]
        assert [y.dtype for y in found] == [type.dtype, np.float32]


def test_windows_of_small_floats() -> None:
    """A window is laid out as what a product computes with, whose zeros are no small floats."""
    type = el.BY_NAME["f8E4M3FNUZ"]
    graph = f"""
func.func @main(%x: tensor<16x{type}>, %w: tensor<5x16xf32>) -> tensor<4x16xf32> {{
  %a = opc.windows %x {{sizes = [5], strides = [3], dilations = [1]}}
  %b = opc.cast %a : tensor<4x5x{type}> -> tensor<4x5xf32>
  %c = opc.matmul %b, %w
  func.return %c : tensor<4x16xf32>
}}"""
    x = (np.arange(16) - 8).astype(type.dtype)
    w = np.arange(80, dtype=np.float32).reshape(5, 16)
    seen = np.lib.stride_tricks.sliding_window_view(x.astype(np.float32), 5)[::3]
    np.testing.assert_array_equal(opc.compile(graph, cache=None)(x, w), seen @ w)


def test_casts_name_what_they_do() -> None:
    assert len(set(scalar.CASTS.values())) == 6
    assert scalar.cast_name(el.F32, "down", False) == "cast"
    assert scalar.cast_name(el.BY_NAME["i4"], "down", False) == "cast"
    assert scalar.cast_name(el.BY_NAME["f4E2M1FN"], "down", False) == "cast"
    assert scalar.cast_name(el.BY_NAME["f8E5M2"], "down", False) == "cast_unsaturated"
    assert scalar.cast_name(POWER, "down", False) == "cast_down_unsaturated"


def test_lists_are_refused() -> None:
    with pytest.raises(opc.OpcError, match="float8_e5m2"):
        compiled(text(el.BY_NAME["f8E5M2"], el.F32))([1.0])


def test_what_is_scattered_into_keeps_its_bits() -> None:
    """The factor begins as numbers of 8 bits, and has larger ones when it is multiplied."""
    text = """func.func @main(%q: tensor<3x1xui8>, %u: tensor<8x1xi32>, %n: tensor<8xi64>,
                              %w: tensor<1x3xi32>) -> tensor<3x3xi32> {
      %i = opc.cast %q : tensor<3x1xui8> -> tensor<3x1xi32>
      %s = opc.scatter %i, %u, %n {reduction = "add", axes = [0]}
      %m = opc.matmul %s, %w
      func.return %m : tensor<3x3xi32>
    }"""
    rng = np.random.default_rng(11)
    q, n = rng.integers(0, 256, (3, 1)).astype(np.uint8), rng.integers(0, 3, 8)
    u, w = (rng.integers(-9999, 9999, s).astype(np.int32) for s in ((8, 1), (1, 3)))
    wanted = q.astype(np.int32)
    np.add.at(wanted, n, u)
    np.testing.assert_array_equal(opc.compile(text)(q, u, n, w), wanted @ w)
