"""The interpreter of loops has the bits of the C, after every pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import kernel
from opc.interpret import function, loop
from opc.interpret.memory import FaultError
from tests.unit.common.ir_runs import TEXTS, after_passes, c_functions, function_of, inputs_for
from tests.unit.common.tolerance import assert_same_bits


@pytest.mark.sample(64)
@pytest.mark.parametrize("name", TEXTS)
def test_every_pass(name: str) -> None:
    count = exact = 0
    for stage, lowered in after_passes(TEXTS[name], "source", "loops"):
        if stage == "infer-shapes":
            inputs = inputs_for(name, lowered)
            result: Any = opc.compile(TEXTS[name])(*inputs)
            expected = list(result) if isinstance(result, tuple) else [result]
            expected = [] if result is None else expected
        count += stage == "lower-to-loops" or count > 0
        if count:
            found = loop.run(lowered, inputs, functions=c_functions())
            # What is not loops yet is computed with NumPy's functions.
            module = lowered.get_toplevel_object()
            is_loops = not any(isinstance(op, kernel.NestOp) for op in module.walk())
            exact += is_loops
            for k, (a, b) in enumerate(zip(found, expected, strict=True)):
                if is_loops:
                    assert_same_bits(a, b, f"{name}, result {k} after {stage}")
                else:
                    np.testing.assert_allclose(a, b, rtol=1e-4)
    assert count > 5 and exact > 1


def run(body: str, workspace: int = 0) -> np.ndarray:
    text = f"""func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %w: memref<?xi8>)
        attributes {{opc.outputs = 1 : i64, opc.workspace = #opc.index<{workspace}>}} {{
    {body}
    func.return
  }}"""
    (found,) = loop.run(function_of(text), [np.arange(4, dtype=np.float32)])
    return found


def faulty(body: str, message: str, workspace: int = 0) -> None:
    with pytest.raises(FaultError) as caught:
        run(body, workspace)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["nothing", "argument returned", "column sums", "run-time axes"])
def test_a_function_after_any_pass(name: str) -> None:
    results: list[list[np.ndarray]] = []
    for stage, found in after_passes(TEXTS[name], "source", "loops"):
        if stage == "infer-shapes":
            inputs = inputs_for(name, found)
        if results or stage == "infer-shapes":
            results.append(function.run(found, inputs))
    for result in results:
        for a, b in zip(result, results[0], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4)
    assert len(results) > 15


COPY = """loop.for %i = <0> to <{end}> step 1 {kind} {{
      %0 = loop.load {source}[{index}](%i) : f32
      loop.store %0 to {target}[{to}](%i)
    }}"""


def copy(source: str = "%x", target: str = "%y", **changes: Any) -> str:
    parts = {"end": 4, "kind": "serial", "index": "d0", "to": "d0"} | changes
    return COPY.format(source=source, target=target, **parts)


def test_a_copy() -> None:
    assert run(copy()).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("kind", ["serial", "vector"])
def test_rounds_that_wait_for_each_other_go_one_by_one(kind: str) -> None:
    shift = copy("%y", "%y", end=3, to="d0 + 1", kind=kind)
    assert run(f"{copy()}\n{shift}").tolist() == [0, 0, 0, 0]


def test_what_is_never_written() -> None:
    faulty(copy(end=3), "result 0: element 3 was never written")
    faulty(copy("%y"), "loop.load %y[d0](%i) : f32: element 0 was never written")
    one = copy(target="%a", end=3)
    use = f"%a = loop.slice %w[0] : memref<4xf32>\n{one}\n{copy('%a')}"
    faulty(use, "element 3 was never written", 64)


def test_what_is_outside() -> None:
    faulty(copy(end=5), "loop.load %x[d0](%i) : f32: element 4 is outside of 4 elements")
    faulty(copy(to="d0 - 1"), "element -1 is outside of 4 elements")
    use = f"%a = loop.slice %w[16] : memref<4xf32>\n{copy(target='%a')}"
    faulty(use, "element 3 is outside of 3 elements", 31)


def test_what_another_buffer_has_overwritten() -> None:
    slices = "%a = loop.slice %w[0] : memref<4xf32>\n%b = loop.slice %w[8] : memref<4xf32>"
    body = "\n".join([slices, copy(target="%a"), copy(target="%b"), copy("%a")])
    faulty(body, "element 2 was overwritten through another buffer", 24)


LOCAL = """%a = loop.local : memref<4xf32>
    {fill}
    %b = loop.local : memref<4xf32>
    loop.for %i = <0> to <4> step 1 vector {{
      %1 = loop.load %a[d0](%i) : f32
      %2 = scalar.apply neg(%1) : f32
      loop.store %2 to %b[d0](%i)
    }}
    {copy}"""


def test_locals_may_be_computed_with_as_long_as_nothing_comes_of_it() -> None:
    fill = copy(target="%a", end=3)
    faulty(LOCAL.format(fill=fill, copy=copy("%b")), "element 3 gets what was never written")
    last = copy(end=1, index="d0 + 3", to="d0 + 3")
    found = run(LOCAL.format(fill=fill, copy=f"{copy('%b', end=3)}\n{last}"))
    assert found.tolist() == [0, -1, -2, 3]


def test_lanes_that_were_never_filled() -> None:
    body = """%a = loop.local : memref<4xf32>
    %s = loop.combine sum %a : f32
    loop.store %s to %y[0]"""
    faulty(body, "loop.combine sum %a : f32: element 0 was never written")


def test_a_part_that_is_streamed_before_what_follows_is_there() -> None:
    body = f"""%a = loop.local : memref<4xf32>
    {copy(target="%a", end=2)}
    loop.non_temporal %a to %y[0, 0, 2, 4]"""
    faulty(body, "loop.non_temporal %a to %y[0, 0, 2, 4]: element 2 was never written")


@pytest.mark.parametrize("end", [0, 1, 2, 3, 4])
def test_choices(end: int) -> None:
    """Each round takes one of two blocks, or none."""
    body = f"""loop.for %i = <0> to <4> step 1 vector {{
      %1 = loop.load %x[d0](%i) : f32
      loop.if <atleast(d0, {end})>(%i) {{
        %2 = scalar.apply neg(%1) : f32
        loop.store %2 to %y[d0](%i)
      }} else {{
        loop.store %1 to %y[d0](%i)
      }}
      loop.if <1 - atleast(d0, 1)>(%i) {{
        %3 = scalar.constant 7.0 : f32
        loop.store %3 to %y[d0](%i)
      }}
    }}"""
    assert run(body).tolist() == [7, *(k if k < end else -k for k in range(1, 4))]


def test_what_a_choice_left_out_is_not_there() -> None:
    body = f"loop.if <atleast(4, 5)> {{\n{copy()}\n}} else {{\n{copy(end=3)}\n}}"
    faulty(body, "result 0: element 3 was never written")


@pytest.mark.sample(4)
@pytest.mark.parametrize("extent", [7, 16, 17, 40])
def test_what_is_left_of_a_column_is_not_filled_up(extent: int) -> None:
    """Values that lie apart are read one by one: a whole vector of them went beyond the last."""
    text = """
func.func @main(%x: tensor<?x2x?xf32, #opc.dims<N, 2, M>>) -> tensor<?x2xf32, #opc.dims<M, 2>> {
  %t = opc.transpose %x {permutation = [2, 1, 0]}
    : tensor<?x2x?xf32, #opc.dims<N, 2, M>> -> tensor<?x2x?xf32, #opc.dims<M, 2, N>>
  %e = opc.acosh %t
  %l = opc.log1p %e
  %r = opc.reduce_l2 %l {axes = [2]}
    : tensor<?x2x?xf32, #opc.dims<M, 2, N>> -> tensor<?x2xf32, #opc.dims<M, 2>>
  func.return %r : tensor<?x2xf32, #opc.dims<M, 2>>
}"""
    x = 1 + np.random.default_rng(extent).random((extent, 2, 3), np.float32)
    *_, (_, lowered) = after_passes(text, "source", "loops")
    (found,) = loop.run(lowered, [x], functions=c_functions())
    assert_same_bits(found, opc.compile(text)(x), "the sums")
