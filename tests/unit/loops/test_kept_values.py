"""Values that a nest keeps in its outputs: several outputs, and exponentials that leave as well."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from tests.unit.common.poison import same_bits

pytestmark = pytest.mark.sample(32)

GRAPH = """
func.func @main(%x: tensor<{t}xf32>) -> ({results}) {{
  %m = opc.reduce_max %x {{axes = [{axis}], keepdims = true}}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {{axes = [{axis}], keepdims = true}}
  %l = opc.log %s
  %log = opc.sub %d, %l
  %soft = opc.div %e, %s
  %again = opc.mul %e, %soft
  func.return {values} : {results}
}}"""


@pytest.mark.parametrize(
    "names", ["soft", "log soft", "soft log", "soft e", "e soft", "again soft"]
)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(3, 10), (40, 9000), (3, 20000)])
def test_softmax(shape: tuple[int, int], axis: int, names: str) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    d = x - x.max(axis, keepdims=True)
    e = np.exp(d.astype(np.float64))
    s = e.sum(axis, keepdims=True)
    wanted = {"e": e, "soft": e / s, "log": d - np.log(s), "again": e * e / s}
    for extents in ("x".join(map(str, shape)), "?x?"):
        text = GRAPH.format(
            t=extents,
            axis=axis,
            results=", ".join(f"tensor<{extents}xf32>" for _ in names.split()),
            values=", ".join(f"%{name}" for name in names.split()),
        )
        got = opc.compile(text)(x)
        for name, value in zip(names.split(), got if " " in names else [got], strict=True):
            np.testing.assert_allclose(value, wanted[name], 4e-6, 4e-6, err_msg=f"{extents} {name}")


@pytest.mark.parametrize("extents", ["2x?", "4x9000"])
def test_position_in_a_sweep_that_overwrites(extents: str) -> None:
    f = opc.compile(f"""
func.func @main(%x: tensor<{extents}xf32>) -> (tensor<{extents}xf32>, tensor<{extents[0]}xi64>) {{
  %e = opc.exp %x
  %s = opc.reduce_sum %e {{axes = [1], keepdims = true}}
  %y = opc.div %e, %s
  %a = opc.argmax %y {{axis = 1}}
  func.return %y, %a : tensor<{extents}xf32>, tensor<{extents[0]}xi64>
}}""")
    shape = int(extents[0]), 9000 if "9000" in extents else 33
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    y, a = f(x)
    e = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(y, e / e.sum(1, keepdims=True), 4e-6)
    np.testing.assert_array_equal(a, x.argmax(1))


def test_many_sums_of_columns_fit_on_the_stack() -> None:
    """At -O0, where frames are the largest; gcc takes more than a minute for it at -O3."""
    count = 60
    lines = [f"  %p{k} = opc.mul %x, %c{k}" for k in range(count)]
    lines += [f"  %s{k} = opc.reduce_sum %p{k} {{axes = [0]}}" for k in range(count)]
    constants = [f"  %c{k} = opc.constant dense<{k}.0> : tensor<f32>" for k in range(count)]
    types = ", ".join("tensor<?xf32>" for _ in range(count))
    values = ", ".join(f"%s{k}" for k in range(count))
    body = "\n".join([*constants, *lines])
    text = f"""
func.func @main(%x: tensor<?x?xf32>) -> ({types}) {{
{body}
  func.return {values} : {types}
}}"""
    f = opc.compile(text, cc="gcc -O0")
    x = np.ones((300, 1500), np.float32)
    for k, found in enumerate(f(x)):
        np.testing.assert_array_equal(found, np.full(1500, 300 * k, np.float32))


@pytest.mark.parametrize("extents", ["?x?", "5x20000"])
def test_two_values_in_two_outputs(extents: str) -> None:
    """Both are kept until the last sweep, each in an output of its own."""
    type = f"tensor<{extents}xf32>" if extents != "?x?" else "tensor<?x?xf32, #opc.dims<M, N>>"
    f = opc.compile(f"""
  func.func @main(%x: {type}) -> ({type}, {type}, {type}) {{
    %a = opc.mish %x
    %t = opc.tanh %a
    %m = opc.reduce_min %a {{axes = [1], keepdims = true}}
    %p = opc.mul %a, %m
    %q = opc.div %p, %t
    %l = opc.exp %t
    func.return %p, %q, %l : {type}, {type}, {type}
  }}""")
    x = np.random.default_rng(0).uniform(0.5, 2, (5, 20000)).astype(np.float32)
    a = x * np.tanh(np.log1p(np.exp(x.astype(np.float64))))
    p = a * a.min(1, keepdims=True)
    for found, wanted in zip(f(x), (p, p / np.tanh(a), np.exp(np.tanh(a))), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=3e-6)


def test_read_outside_of_the_sweep_that_writes_it() -> None:
    f = opc.compile("""
func.func @main(%x: tensor<2xi64>) -> (tensor<2x1x1x1x1x1xi64>, tensor<1x1x1x2x1x1xi64>) {
  %low = opc.constant dense<-9> : tensor<i64>
  %high = opc.constant dense<9> : tensor<i64>
  %c = opc.clip %x, %low, %high
  %a = opc.reshape %c : tensor<2xi64> -> tensor<1x2x1xi64>
  %m = opc.max %a, %a
  %b = opc.reshape %m : tensor<1x2x1xi64> -> tensor<1x1x2x1xi64>
  %d = opc.reshape %b : tensor<1x1x2x1xi64> -> tensor<1x1x1x2x1x1xi64>
  %t = opc.transpose %d {permutation = [3, 4, 2, 5, 0, 1]}
  func.return %t, %d : tensor<2x1x1x1x1x1xi64>, tensor<1x1x1x2x1x1xi64>
}""")
    out = (np.full((2, 1, 1, 1, 1, 1), 777), np.full((1, 1, 1, 2, 1, 1), 888))
    f(np.array([3, -20]), out=out)
    assert [array.ravel().tolist() for array in out] == [[3, -9], [3, -9]]


@pytest.mark.parametrize("extents", ["2x3x1x{}x2x1", "9x9x3x{}x2x1", "9x9x1x{}x2x1"])
def test_element_of_another_row(extents: str) -> None:
    """A kept value is read transposed: at another index than it was kept at."""
    rows = int(extents[2]) if extents[0] == "2" else 9
    one, many = extents.format(1), extents.format(rows)
    text = f"""
func.func @main(%x: tensor<{one}xf16>, %b: tensor<{one}xi1>)
    -> (tensor<{one}xi1>, tensor<2xi1>, tensor<{one}xi1>, tensor<{many}xi1>) {{
  %0 = opc.not_equal %x, %x
  %1 = opc.not %0
  %3 = opc.reduce_any %0 {{axes = [0, 1, 2, 3, 5]}}
  %4 = opc.or %1, %b
  %5 = opc.transpose %4 {{permutation = [0, 3, 2, 1, 4, 5]}}
  %6 = opc.less %b, %4
  %7 = opc.greater %6, %5
  func.return %0, %3, %4, %7
    : tensor<{one}xi1>, tensor<2xi1>, tensor<{one}xi1>, tensor<{many}xi1>
}}"""
    rng, shape = np.random.default_rng(0), tuple(map(int, one.split("x")))
    x = np.where(rng.random(shape) < 1 / 3, np.nan, 1).astype(np.float16)
    same_bits(text, [x, rng.random(shape) < 0.5])


@pytest.mark.parametrize("to", ["1x{m}x200x1", "{m}x1x200x1", "1x1x{m}x200x1"])
@pytest.mark.parametrize("m", ["2", "9", "?"])
def test_sweep_of_higher_rank_overwrites(to: str, m: str) -> None:
    """The sweep that writes over kept values numbers its dimensions otherwise."""
    a, b = f"{m}x200x1x{{}}", to.format(m=m) + "x{}"
    if m == "?":
        a += ", #opc.dims<M, 200, 1>"
        b += f", #opc.dims<{to.format(m='M').replace('x', ', ')}>"
    text = f"""
func.func @main(%x: tensor<{a.format("f32")}>, %c: tensor<{b.format("i1")}>)
    -> (tensor<{b.format("f32")}>, tensor<200xf32>) {{
  %0 = opc.acosh %x
  %1 = opc.max %0, %x
  %2 = opc.reshape %1 : tensor<{a.format("f32")}> -> tensor<{b.format("f32")}>
  %3 = opc.reshape %x : tensor<{a.format("f32")}> -> tensor<{b.format("f32")}>
  %4 = opc.where %c, %2, %3
  %5 = opc.reduce_max %1 {{axes = [0, 2]}}
  func.return %4, %5 : tensor<{b.format("f32")}>, tensor<200xf32>
}}"""
    rng = np.random.default_rng(0)
    m = "5" if m == "?" else m
    shape = tuple(map(int, to.format(m=m).split("x")))
    x = rng.uniform(1, 3, (int(m), 200, 1)).astype(np.float32)
    same_bits(text, [x, rng.random(shape) < 0.5])


def test_broadcast_to_a_higher_rank_overwrites() -> None:
    text = """
func.func @main(%x: tensor<2x200x1xf32>, %c: tensor<2x200x1xi1>)
    -> (tensor<1x2x200x1xf32>, tensor<200xf32>) {
  %0 = opc.acosh %x
  %1 = opc.broadcast %x : tensor<2x200x1xf32> -> tensor<1x2x200x1xf32>
  %2 = opc.max %0, %x
  %3 = opc.where %c, %2, %1
  %4 = opc.reduce_max %2 {axes = [0, 2]}
  func.return %3, %4 : tensor<1x2x200x1xf32>, tensor<200xf32>
}"""
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 3, (2, 200, 1)).astype(np.float32)
    same_bits(text, [x, rng.random(x.shape) < 0.5])


@pytest.mark.parametrize("columns", [2, 3, 7, "?"])
@pytest.mark.parametrize("rows", [(8, 16), (64, 9), (9, 64)])
def test_rows_side_by_side_are_kept_transposed(rows: tuple[int, int], columns: int | str) -> None:
    """The rows that go side by side do not follow one another where their values are kept."""
    a, b = rows
    dims = f", #opc.dims<{{}}, {{}}, {'N' if columns == '?' else columns}, 1>"
    x, y = (f"tensor<{i}x{j}x{columns}x1xf32{dims.format(i, j)}>" for i, j in ((a, b), (b, a)))
    text = f"""
func.func @main(%x: {x}) -> {y} {{
  %e = opc.exp %x
  %m = opc.reduce_max %e {{axes = [0, 1, 3], keepdims = true}}
  %t = opc.transpose %e {{permutation = [1, 0, 2, 3]}}
  %y = opc.div %t, %m
  func.return %y : {y}
}}"""
    shape = a, b, 5 if columns == "?" else int(columns), 1
    same_bits(text, [np.random.default_rng(0).standard_normal(shape).astype(np.float32)])


@pytest.mark.parametrize("m", ["5", "?", "70000"])
def test_what_reads_a_kept_value_is_computed_again(m: str) -> None:
    """A cheap value is not kept, so a sweep that needs it loads what that is computed from."""
    a, b = (f"{to}{m}x3xf32" for to in ("", "2x"))
    if m == "?":
        a, b = a + ", #opc.dims<M, 3>", b + ", #opc.dims<2, M, 3>"
    text = f"""
func.func @main(%x: tensor<{a}>) -> (tensor<{b}>, tensor<{a}>) {{
  %e = opc.exp %x
  %s = opc.reduce_max %e {{axes = [0], keepdims = true}}
  %d = opc.sub %e, %s
  %b = opc.broadcast %d : tensor<{a}> -> tensor<{b}>
  func.return %b, %d : tensor<{b}>, tensor<{a}>
}}"""
    shape = 9 if m == "?" else int(m), 3
    same_bits(text, [np.random.default_rng(0).standard_normal(shape).astype(np.float32)])


def test_local_array_of_a_nest_that_keeps_in_outputs_too() -> None:
    """Threads share a row in parts, but not where a local array must be there after them."""
    same_bits(
        """
func.func @main(%x: tensor<2x16384xf64>) -> (tensor<2x16384xf64>, tensor<2x16384xf32>) {
  %a = opc.exp %x
  %s = opc.reduce_max %a {axes = [1], keepdims = true}
  %b = opc.div %a, %s
  %c = opc.cast %b : tensor<2x16384xf64> -> tensor<2x16384xf32>
  %y = opc.exp %c
  %m = opc.reduce_max %y {axes = [1], keepdims = true}
  %z = opc.div %y, %m
  func.return %b, %z : tensor<2x16384xf64>, tensor<2x16384xf32>
}""",
        [np.random.default_rng(0).standard_normal((2, 16384))],
    )


@pytest.mark.parametrize("extents", ["?x9", "40x9", "?x80", "90000x80"])
def test_rows_that_go_together_read_what_is_kept(extents: str) -> None:
    rows, columns = extents.split("x")
    type = f"tensor<{extents}xf32{', #opc.dims<M, ' + columns + '>' if rows == '?' else ''}>"
    text = f"""
func.func @main(%x: {type}) -> ({type}, tensor<1x{columns}xf32>) {{
  %e = opc.exp %x
  %m = opc.reduce_max %e {{axes = [0], keepdims = true}}
  %d = opc.sub %e, %m
  %s = opc.reduce_min %d {{axes = [0], keepdims = true}}
  func.return %e, %s : {type}, tensor<1x{columns}xf32>
}}"""
    shape = 300 if rows == "?" else int(rows), int(columns)
    same_bits(text, [np.random.default_rng(0).standard_normal(shape).astype(np.float32)])
