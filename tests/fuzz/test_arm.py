"""The examples have the bits of this machine on 64-bit Arm; fuzzed graphs do in test_fuzz."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.common.samples import moderate
from tests.unit.common.tolerance import ELEMENT_OF
from tests.unit.project.test_examples import EXAMPLES, MEANING

from . import arm
from .build import Build, Program, link, program
from .compare import same
from .graph import Array

pytestmark = pytest.mark.fuzz

needs_arm = pytest.mark.skipif(bool(arm.MISSING), reason=f"not installed: {', '.join(arm.MISSING)}")
BACK = """
func.func @main(%x: tensor<65x{0}>, %k: tensor<1x{1}>)
    -> (tensor<65x{1}>, tensor<65x{0}>, tensor<65x{1}>) {{
  %a = opc.cast %x : tensor<65x{0}> -> tensor<65x{1}>
  %b = opc.cast %a : tensor<65x{1}> -> tensor<65x{0}>
  %c = opc.shift_left %k, %a
  func.return %a, %b, %c : tensor<65x{1}>, tensor<65x{0}>, tensor<65x{1}>
}}"""


@needs_arm
def test_an_integer_and_back_is_no_rounding() -> None:
    """gcc 12 makes an instruction of it that rounds -0.5 to -0."""
    pairs = [(f, i) for f in ("f32", "f64") for i in ("ui8", "ui32", "ui64", "i8", "i32", "i64")]
    programs = [program(BACK.format(*pair), f"g{k}") for k, pair in enumerate(pairs)]
    values = np.resize([-0.5, -0.0, 0.9, -1.0, 3.7, np.nan, -np.inf], 65)
    inputs = [
        [values.astype(x.dtype), np.ones(1, k.dtype)]
        for x, k in (made.interface.inputs for made in programs)
    ]
    library = link(programs, Build())
    wanted = [p.call(library, x) for p, x in zip(programs, inputs, strict=True)]
    for pair, found, expected in zip(
        pairs, arm.results(programs, inputs, wanted), wanted, strict=True
    ):
        assert found is not None, pair
        assert not np.signbit(expected[1][np.abs(values) < 1]).any(), pair
        for x, y in zip(found, expected, strict=True):
            same(x, y, str(pair))


@needs_arm
def test_sums_of_two_products() -> None:
    """gcc 12 ends with an internal error where these are added to one lane of a register."""
    text = """
func.func @main(%x: tensor<2x24xi8>, %y: tensor<24x2xi8>) -> tensor<2x2xi32> {
  %a = opc.cast %x : tensor<2x24xi8> -> tensor<2x24xi32>
  %b = opc.cast %y : tensor<24x2xi8> -> tensor<24x2xi32>
  %r = opc.matmul %a, %b
  func.return %r : tensor<2x2xi32>
}"""
    x = np.arange(48, dtype=np.int8).reshape(2, 24)
    y = x.reshape(24, 2) - np.int8(20)
    expected = x.astype(np.int32) @ y.astype(np.int32)
    found = arm.results([program(text, "g")], [[x, y]], [[expected]])
    assert found[0] is not None
    np.testing.assert_array_equal(found[0][0], expected)


@needs_arm
def test_examples() -> None:
    programs, inputs = list[Program](), list[list[Array]]()
    for k, (name, (shapes, _)) in enumerate(MEANING.items()):
        made = program((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), f"g{k}")
        pairs = zip(shapes, made.interface.inputs, strict=True)
        given = [moderate(ELEMENT_OF[spec.dtype], shape, k) for shape, spec in pairs]
        programs.append(made)
        # A variance is not negative.
        inputs.append([np.abs(x) if x.dtype.kind == "f" else x for x in given])
    library = link(programs, Build())
    wanted = [p.call(library, x) for p, x in zip(programs, inputs, strict=True)]
    results = arm.results(programs, inputs, wanted)
    for name, found, expected in zip(MEANING, results, wanted, strict=True):
        assert found is not None, name
        for x, y in zip(found, expected, strict=True):
            same(x, y, name)
