"""The interpreter of kernels gives what that of graphs gives, after every pass."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from opc.interpret import kernel
from opc.interpret.graph import evaluate
from opc.interpret.memory import FaultError
from tests.unit.common.ir_runs import TEXTS, after_passes, function_of, inputs_for
from tests.unit.common.tolerance import assert_close, is_float

pytestmark = pytest.mark.smoke

KERNELS = (
    "form-kernels",
    "hoist-reductions",
    "fuse-kernels",
    "narrow-domains",
    "separate-windows",
    "unroll-windows",
    "sink-pads",
    "plan-buffers",
    "split-axes",
)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", TEXTS)
def test_every_pass(name: str) -> None:
    run: list[str] = []
    for stage, function in after_passes(TEXTS[name], "source", "loops"):
        if stage == "infer-shapes":
            inputs = inputs_for(name, function)
            expected = evaluate(function, inputs)
        if stage in KERNELS:
            found = kernel.run(function, inputs)
            for k, (a, b) in enumerate(zip(found, expected, strict=True)):
                compare(a, b, f"{name}, result {k} after {stage}")
            run.append(stage)
    assert tuple(run) == KERNELS


def compare(actual: np.ndarray, expected: np.ndarray, what: str) -> None:
    """Sums may be rounded in other places, and so may what is computed in f64 for integers."""
    if is_float(expected) and expected.size:
        with np.errstate(all="ignore"):
            size = np.abs(np.where(np.isfinite(expected), expected, 0).astype(np.longdouble))
        bound = 2.0 ** (-46 if expected.dtype.itemsize == 8 else -18) * size.max(initial=0)
        assert_close(actual, expected, 4, bound, zero_signs=False, what=what)
    elif expected.dtype.itemsize == 8 and expected.dtype.kind in "iu":
        error = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
        assert (error <= 2.0**-50 * np.abs(expected.astype(np.float64))).all(), what
    else:
        assert_close(actual, expected, what=what)


LOAD = "%0 = kernel.load %x[{index}] : f32\n      kernel.store %0 to 0[{to}]"


def nest(body: str, extents: str = "4") -> FuncOp:
    return function_of(
        f"""func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %y = kernel.nest [{extents}] {{
      {body}
    }} : tensor<4xf32>
    func.return %y : tensor<4xf32>
  }}"""
    )


def faulty(function: FuncOp, message: str, *inputs: np.ndarray) -> None:
    with pytest.raises(FaultError) as caught:
        kernel.run(function, inputs or [np.ones(4, np.float32)])
    assert message in str(caught.value)


def test_what_is_never_written() -> None:
    faulty(nest(LOAD.format(index="d0", to="d0"), "3"), "result 0: element 3 was never written")


def test_what_is_outside() -> None:
    faulty(nest(LOAD.format(index="d0 + 1", to="d0")), "index 4 is outside of the 4 of axis 0")
    faulty(nest(LOAD.format(index="d0", to="d0 - 1")), "kernel.store")


def test_points_that_write_the_same_element() -> None:
    message = "element 0 is that of another point, which writes it"
    faulty(nest(LOAD.format(index="d0", to="floordiv(d0, 2)")), message)


def test_what_another_point_writes() -> None:
    function = function_of(
        """func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %w: memref<?xi8>)
            attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>} {
    kernel.nest [4] into (%y) {
      %0 = kernel.load %x[d0] : f32
      kernel.store %0 to 0[d0]
    }
    kernel.nest [4] into (%y) {
      %0 = kernel.load %y[3 - d0] : f32
      kernel.store %0 to 0[d0]
    }
    func.return
  }"""
    )
    faulty(function, "kernel.load %y[-d0 + 3] : f32: element 3 is that of another point")


def test_what_another_buffer_has_overwritten() -> None:
    function = function_of(
        """func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %w: memref<?xi8>)
            attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<64>} {
    %a = loop.slice %w[0] : memref<4xf32>
    %b = loop.slice %w[8] : memref<4xf32>
    kernel.nest [4] into (%a, %b) {
      %0 = kernel.load %x[d0] : f32
      kernel.store %0 to 0[d0]
      kernel.store %0 to 1[d0]
    }
    kernel.nest [4] into (%y) {
      %0 = kernel.load %a[d0] : f32
      kernel.store %0 to 0[d0]
    }
    func.return
  }"""
    )
    faulty(function, "element 2 was overwritten through another buffer")
