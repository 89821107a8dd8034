"""Contractions of small integers, several products in one step, and results that are narrow."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import opc
import opc.numpy as onp
from opc.dialects import schedule
from opc.dialects.element import BY_NAME
from opc.errors import InputError
from opc.schedule.legality import check
from opc.schedule.plan_contraction import plan
from opc.support.targets import target
from tests.unit.common.contraction_graphs import (
    bits,
    finished,
    oracle,
    random_tree,
    scheduled,
    text_of,
)

pytestmark = pytest.mark.sample(32)

NARROW = """
func.func @main(%a: tensor<{a}x{k}xui8>, %b: tensor<{k}x{b}xi8>, %z: tensor<{b}xi8>)
    -> tensor<{a}x{b}xi32> {{
  %c = opc.cast %a : tensor<{a}x{k}xui8> -> tensor<{a}x{k}xi32>
  %d = opc.cast %b : tensor<{k}x{b}xi8> -> tensor<{k}x{b}xi32>
  %e = opc.cast %z : tensor<{b}xi8> -> tensor<{b}xi32>
  %f = opc.sub %d, %e : tensor<{k}x{b}xi32>, tensor<{b}xi32> -> tensor<{k}x{b}xi32>
  %r = opc.matmul %c, %f
  func.return %r : tensor<{a}x{b}xi32>
}}
"""


@pytest.mark.parametrize("a, k, b", [(9, 31, 40), (1, 8, 5), (13, 4100, 1), (33, 1, 17)])
def test_pairs_of_narrow_integers(a: int, k: int, b: int) -> None:
    """Two products in a step have the sums of one, whatever the tiles; so has the planned one."""
    values = np.random.default_rng(a).integers
    x = values(0, 256, (a, k), dtype=np.uint8)
    y, z = values(-128, 128, (k, b), dtype=np.int8), values(-128, 128, b, dtype=np.int8)
    expected = x.astype(np.int32) @ (y.astype(np.int32) - z)
    text = NARROW.format(a=a, k=k, b=b)
    function, c = scheduled(text)
    assert plan(c, target("avx2")).group == (2 if k > 1 else 1)
    for seed in range(3):
        function, c = scheduled(text)
        c.nest.body.block.add_op(random_tree(c, Random(seed)))
        assert np.array_equal(finished(function)(x, y, z), expected)
    made = opc.compile(text, target="baseline")
    assert np.array_equal(made(x, y, z), expected)


BYTES = """
func.func @main(%x: tensor<{given}xi16>) -> tensor<{a}x{b}xi32> {{
  %w = opc.constant {w} : tensor<{known}x{type}>
  %c = opc.cast %x : tensor<{given}xi16> -> tensor<{given}xi32>
  %d = opc.cast %w : tensor<{known}x{type}> -> tensor<{known}xi32>
  %r = opc.matmul {factors}
  func.return %r : tensor<{a}x{b}xi32>
}}
"""


@pytest.mark.parametrize("type", ["i8", "ui8"])
@pytest.mark.parametrize("is_left", [False, True])
@pytest.mark.parametrize(
    "a, k, b", [(9, 31, 40), (1, 8, 5), (13, 300, 17), (33, 6, 2), (70, 9, 70)]
)
def test_constants_of_bytes_are_widened_in_steps_or_before(
    a: int, k: int, b: int, is_left: bool, type: str
) -> None:
    """Beside factors of 16 bits, with the greatest and the least numbers of both types."""
    rng, limits = np.random.default_rng(a), np.iinfo(BY_NAME[type].dtype)
    shapes = [(k, b), (a, k)] if is_left else [(a, k), (k, b)]
    x = rng.integers(-(2**15), 2**15, shapes[0]).astype(np.int16)
    w = rng.integers(limits.min, limits.max + 1, shapes[1]).astype(limits.dtype)
    x.flat[0], w.flat[0], w.flat[-1] = -(2**15), limits.min, limits.max
    given, known = ("x".join(map(str, shape)) for shape in shapes)
    values = {"w": f"dense<{w.tolist()}>", "factors": "%d, %c" if is_left else "%c, %d"}
    text = BYTES.format(given=given, known=known, type=type, a=a, b=b, **values)
    wide = [x.astype(np.int64), w.astype(np.int64)]
    expected = (wide[1] @ wide[0] if is_left else wide[0] @ wide[1]).astype(np.int32)
    for seed in range(4):
        function, c = scheduled(text)
        c.nest.body.block.add_op(random_tree(c, Random(seed)))
        assert np.array_equal(finished(function)(x), expected)
    for built in ("baseline", "avx2"):
        assert np.array_equal(opc.compile(text, target=built)(x), expected)


@pytest.mark.parametrize("rows", [0, 1, 9])
def test_groups_of_rows_of_which_a_run_knows_the_number(rows: int) -> None:
    """One row has a version of its own, which reads groups where they lie."""
    text = NARROW.format(a=7777, k=32, b=40).replace("tensor<7777x32xui8>", "{x}")
    text = text.replace("tensor<7777x32xi32>", "{c}").replace("tensor<7777x40xi32>", "{r}")
    for name, k, type in (("x", 32, "ui8"), ("c", 32, "i32"), ("r", 40, "i32")):
        text = text.replace(f"{{{name}}}", f"tensor<?x{k}x{type}, #opc.dims<N, {k}>>")
    values = np.random.default_rng(rows).integers
    x = values(0, 256, (rows, 32), dtype=np.uint8)
    y, z = values(-128, 128, (32, 40), dtype=np.int8), values(-128, 128, 40, dtype=np.int8)
    expected = x.astype(np.int32) @ (y.astype(np.int32) - z)
    for built in ("baseline", "avx2", "native"):
        assert np.array_equal(opc.compile(text, target=built)(x, y, z), expected)
    quantized = opc.function(
        lambda x: onp.matmul(x.astype(np.int32), y.astype(np.int32)), "ui8[N, 32]"
    )
    assert np.array_equal(quantized(x), x.astype(np.int32) @ y.astype(np.int32))


@pytest.mark.parametrize("built", ["baseline", "avx2", "native"])
@pytest.mark.parametrize("one, other", [("ui8", "i8"), ("i8", "ui8")])
@pytest.mark.parametrize("k", [4, 7, 30])
def test_fours_of_8_bits(k: int, one: str, other: str, built: str) -> None:
    """Four products in a step have the sums of one, with the instruction for it and without."""
    rng = np.random.default_rng(k)
    draw = {
        "ui8": lambda shape: rng.integers(0, 256, shape, dtype=np.uint8),
        "i8": lambda shape: rng.integers(-128, 128, shape, dtype=np.int8),
    }
    x, w = draw[one]((9, k)), draw[other]((k, 21))
    # The greatest and the least sums are among them: nothing saturates.
    x[0], w[:, 0] = np.iinfo(x.dtype).max, np.iinfo(w.dtype).max
    w[:, 1] = np.iinfo(w.dtype).min
    text = f"""
func.func @main(%x: tensor<9x{k}x{one}>, %w: tensor<{k}x21x{other}>) -> tensor<9x21xi32> {{
  %a = opc.cast %x : tensor<9x{k}x{one}> -> tensor<9x{k}xi32>
  %b = opc.cast %w : tensor<{k}x21x{other}> -> tensor<{k}x21xi32>
  %r = opc.matmul %a, %b
  func.return %r : tensor<9x21xi32>
}}
"""
    function, c = scheduled(text)
    tree = plan(c, replace(target("avx512"), groups=(2, 4)))
    assert tree.group == 4
    check(c, tree)
    c.nest.body.block.add_op(tree)
    expected = x.astype(np.int32) @ w.astype(np.int32)
    assert np.array_equal(finished(function, built)(x, w), expected)


@pytest.mark.parametrize("type", ["i32", "i16", "f32"])
def test_factors_that_do_not_fit_are_no_groups(type: str) -> None:
    _, c = scheduled(text_of("9x31", "31x40", type))
    tree = plan(c, target("baseline"))
    check(c, tree)
    pack = schedule.PackOp.of("left", 4, group=2)
    tree.body.block.insert_op_before(pack, tree.body.block.first_op)
    with pytest.raises(InputError, match="found groups of 2, expected packs of small integers"):
        check(c, tree)


@pytest.mark.parametrize("columns", [5, 47, 127])
def test_narrow_results_are_computed_before_they_are_stored(columns: int) -> None:
    """Along the columns of a whole tile, in a stage of its own."""
    text = f"""
func.func @main(%a: tensor<7x9xf32>, %b: tensor<9x{columns}xf32>) -> tensor<7x{columns}xui8> {{
  %s = opc.constant dense<0.03> : tensor<f32>
  %0 = opc.matmul %a, %b
  %m = opc.add %0, %s : tensor<7x{columns}xf32>, tensor<f32> -> tensor<7x{columns}xf32>
  %1 = opc.relu %m
  %2 = opc.div %1, %s : tensor<7x{columns}xf32>, tensor<f32> -> tensor<7x{columns}xf32>
  %3 = opc.round %2
  %r = opc.cast %3 : tensor<7x{columns}xf32> -> tensor<7x{columns}xui8>
  func.return %r : tensor<7x{columns}xui8>
}}"""
    rng = np.random.default_rng(columns)
    arrays = [rng.standard_normal(s).astype(np.float32) for s in ((7, 9), (9, columns))]
    function, c = scheduled(text)
    tree = plan(c, target("avx512"))
    stages = [op.stage.data for op in tree.walk() if isinstance(op, schedule.RunOp)]
    assert stages == ["init", "step", "finish", "apply", "out"]
    check(c, tree)
    c.nest.body.block.add_op(tree)
    assert bits([finished(function)(*arrays)]) == oracle(text, arrays)


SIGNED = """
func.func @main({given}) -> tensor<2x{m}x{n}xi32> {{
{constant}  %c = opc.cast %a : tensor<2x{m}x{k}xi8> -> tensor<2x{m}x{k}xi32>
  %d = opc.cast %b : tensor<2x{k}x{n}xi8> -> tensor<2x{k}x{n}xi32>
  %r = opc.matmul %c, %d
  func.return %r : tensor<2x{m}x{n}xi32>
}}
"""


@pytest.mark.parametrize("known", ["", "a", "b"])
@pytest.mark.parametrize("m, k, n", [(7, 33, 40), (1, 64, 5), (9, 8, 2), (5, 12, 1), (3, 1, 3)])
def test_signed_factors_are_shifted(m: int, k: int, n: int, known: str) -> None:
    """Both are given, or one is a constant; the least numbers of all have the greatest sums."""
    values = np.random.default_rng(k).integers
    arrays = {"a": values(-128, 128, (2, m, k)), "b": values(-128, 128, (2, k, n))}
    arrays["a"][0], arrays["b"][0] = -128, -128
    types = {name: f"tensor<{'x'.join(map(str, x.shape))}xi8>" for name, x in arrays.items()}
    given = ", ".join(f"%{name}: {type}" for name, type in types.items() if name != known)
    constant = ""
    if known:
        constant = f"  %{known} = opc.constant dense<{arrays[known].tolist()}> : {types[known]}\n"
    text = SIGNED.format(given=given, constant=constant, m=m, k=k, n=n)
    inputs = [x.astype(np.int8) for name, x in arrays.items() if name != known]
    expected = (arrays["a"] @ arrays["b"]).astype(np.int32)
    for options in ({}, {"target": "baseline"}, {"cc": "clang"}):
        assert np.array_equal(opc.compile(text, **options)(*inputs), expected)


def test_a_matrix_times_itself_is_shifted_once() -> None:
    """Or stored shifted where a constant multiplies it, too."""
    text = """
func.func @main(%x: tensor<8x8xi8>) -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8xi32>) {
  %w = opc.constant dense<-3> : tensor<8x8xi8>
  %n = opc.neg %x
  %a = opc.cast %n : tensor<8x8xi8> -> tensor<8x8xi32>
  %b = opc.cast %w : tensor<8x8xi8> -> tensor<8x8xi32>
  %r = opc.matmul %a, %a
  %s = opc.matmul %a, %b
  %c = opc.cast %x : tensor<8x8xi8> -> tensor<8x8xi32>
  %d = opc.contract %c, %c {equation = "ij,ij->i"}
  func.return %r, %s, %d : tensor<8x8xi32>, tensor<8x8xi32>, tensor<8xi32>
}
"""
    x = np.random.default_rng(8).integers(-128, 128, (8, 8), dtype=np.int8)
    a, c = (-x).astype(np.int32), x.astype(np.int32)
    expected = a @ a, a @ np.full((8, 8), -3, np.int32), (c * c).sum(1)
    found = opc.compile(text)(x)
    assert all(np.array_equal(f, e) for f, e in zip(found, expected, strict=True))
