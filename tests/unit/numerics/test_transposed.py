"""opc.conv_transpose against the order of its sums, and against results that are scattered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import opc
import opc.numpy as onp
from opc.api.driver import load
from opc.dialects import element as el
from opc.errors import ArgumentError, OpcError, UnsupportedError
from opc.frontend.mlir.reader import select_function
from opc.interpret.graph import evaluate
from opc.interpret.tolerance import numeric
from tests.unit.common.contraction_graphs import bits, oracle
from tests.unit.common.scattering import scattered
from tests.unit.common.tolerance import conv_transpose_bound

pytestmark = pytest.mark.sample(4)

TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
    "ui8": np.uint8,
}


class Case(NamedTuple):
    """Shapes of input and filters, and the attributes."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    params: dict[str, Any]

    @property
    def sizes(self) -> list[int]:
        rank, given = len(self.x) - 2, self.params
        return [
            (n - 1) * given["strides"][k]
            + (self.w[2 + k] - 1) * given["dilations"][k]
            + 1
            + given["output_padding"][k]
            - given["pads"][k]
            - given["pads"][rank + k]
            for k, n in enumerate(self.x[2:])
        ]

    @property
    def result(self) -> tuple[int, ...]:
        return (self.x[0], self.w[1] * self.params["groups"], *self.sizes)

    def line(self, number: int) -> str:
        params = ", ".join(f"{name} = {value}" for name, value in self.params.items())
        return f"  %r{number} = opc.conv_transpose %x{number}, %w{number} {{{params}}}"


def drawn(rng: Random, largest: int = 6) -> Case:
    """Any axes, also such of which less than nothing would be left without output_padding."""
    rank = rng.choice((1, 2, 2, 2, 3))
    groups = rng.choice((1, 1, 2, 3))
    x = (rng.choice((1, 1, 2, 0)), groups * rng.choice((1, 2, 3)))
    kernel = [rng.choice((1, 2, 3, 3, 4, 5)) for _ in range(rank)]
    strides = [rng.choice((1, 2, 2, 3, 4)) for _ in range(rank)]
    dilations = [rng.choice((1, 1, 2, 3, 9)) for _ in range(rank)]
    pads = [rng.choice((0, 0, 1, 1, 2, 3, 8)) for _ in range(2 * rank)]
    more = [rng.choice((0, 0, 1, 3, 9)) for _ in range(rank)]
    extents = [rng.choice((1, rng.randint(1, largest), 0, 24)) for _ in range(rank)]
    if rank == 3:
        extents = [n % 7 for n in extents]
    for k, n in enumerate(extents):
        whole = (n - 1) * strides[k] + (kernel[k] - 1) * dilations[k] + 1
        more[k] = max(more[k], pads[k] + pads[rank + k] - whole)
    params = {"strides": strides, "dilations": dilations, "pads": pads}
    params |= {"output_padding": more, "groups": groups}
    each = rng.choice((1, 2, 3, 17))
    return Case((*x, *extents), (x[1], each, *kernel), params)


def tensor(shape: Sequence[int | str], type: str) -> str:
    if all(isinstance(e, int) for e in shape):
        return f"tensor<{''.join(f'{n}x' for n in shape)}{type}>"
    extents = "".join(f"{e}x" if isinstance(e, int) else "?x" for e in shape)
    return f"tensor<{extents}{type}, #opc.dims<{', '.join(map(str, shape))}>>"


def text_of(cases: Sequence[Case], type: str, known: bool = True) -> str:
    """A function of several of them; extents that are not known are N0, A0, ..."""
    args, lines, types = list[str](), list[str](), list[str]()
    for number, case in enumerate(cases):
        x, result = list[int | str](case.x), list[int | str](case.result)
        for k in (0, *range(2, len(x))) if not known else ():
            step = case.params["strides"][k - 2] if k else 1
            more = case.result[k] - case.x[k] * step
            x[k] = f"{'NCABD'[k]}{number}"
            result[k] = f"{x[k]}*{step} {'-' if more < 0 else '+'} {abs(more)}"
        args += [f"%x{number}: {tensor(x, type)}", f"%w{number}: {tensor(case.w, type)}"]
        lines.append(case.line(number))
        types.append(tensor(result, type))
    listed = ", ".join(types)
    results = ", ".join(f"%r{k}" for k in range(len(cases)))
    return f"""func.func @main({", ".join(args)}) -> ({listed}) {{
{chr(10).join(lines)}
  func.return {results} : {listed}
}}"""


def values(case: Case, type: str, rng: np.random.Generator) -> list[Any]:
    if el.BY_NAME[type].is_integer:
        low = 0 if type.startswith("u") else -100
        return [rng.integers(low, 100, s).astype(TYPES[type]) for s in (case.x, case.w)]
    return [rng.standard_normal(s).astype(TYPES[type]) for s in (case.x, case.w)]


def in_f64(case: Case, x: Any, w: Any) -> Any:
    given = case.params
    rank = len(case.x) - 2
    return scattered(
        numeric(x),
        numeric(w),
        given["strides"],
        given["dilations"],
        given["groups"],
        given["pads"][:rank],
        case.sizes,
    )


@pytest.mark.sample(80)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("seed", range(2))
def test_drawn_ones(seed: int, type: str, known: bool) -> None:
    rng = Random(f"{seed} {type}")
    numbers = np.random.default_rng(seed)
    cases = [drawn(rng, 3 if type == "f64" else 6) for _ in range(5)]
    arrays = [values(case, type, numbers) for case in cases]
    given = [array for pair in arrays for array in pair]
    text = text_of(cases, type, known)
    expected = evaluate(select_function(load(text), None), given)
    found = opc.compile(text)(*given)
    assert bits(found) == bits(expected)
    for case, (x, w), result in zip(cases, arrays, expected, strict=True):
        assert result.shape == case.result
        exact = in_f64(case, x, w)
        if el.BY_NAME[type].is_integer:
            np.testing.assert_array_equal(result, exact.astype(np.int64).astype(result.dtype))
            continue
        bound = conv_transpose_bound(x, w, el.BY_NAME[type], case.params)
        if result.itemsize == 2:
            bound = bound + np.abs(exact) * (2.0**-10 if type == "f16" else 2.0**-8) + 2.0**-24
        assert (np.abs(numeric(result) - exact) <= bound).all()


@pytest.mark.parametrize("extent", range(7))
def test_short_inputs_of_unknown_extents(extent: int) -> None:
    """Also such as are shorter than what pads leave out of a long one."""
    x = np.arange(2 * extent, dtype=np.float32).reshape(1, 2, extent) + 1
    rng = np.random.default_rng(extent)
    for taps, stride, dilation, pads, more in [
        (1, 1, 1, (3, 0), 5),
        (2, 2, 9, (0, 8), 0),
        (3, 2, 3, (4, 5), 4),
        (2, 3, 1, (7, 2), 12),
        (4, 3, 5, (2, 9), 1),
    ]:
        params = {"strides": [stride], "dilations": [dilation], "pads": list(pads)}
        params |= {"output_padding": [more], "groups": 1}
        case = Case(x.shape, (2, 3, taps), params)
        text = text_of([case], "f32", known=False)
        w = rng.standard_normal(case.w).astype(np.float32)
        made = opc.compile(text)
        if min(case.sizes) < 0:
            with pytest.raises(ArgumentError, match="pads are longer than the result"):
                made(x, w)
            with pytest.raises(ArgumentError, match="the result would have the extents"):
                evaluate(select_function(load(text), None), [x, w])
        else:
            assert bits([made(x, w)]) == oracle(text, [x, w])


def test_padding_is_multiplied() -> None:
    """Zeros around the input are values like any other; where nothing meets a result, it is 0."""
    params = {"strides": [3], "dilations": [1], "pads": [0, 0], "output_padding": [2], "groups": 1}
    case = Case((1, 1, 2), (1, 1, 2), params)
    text = text_of([case], "f32")
    x, w = np.float32([[[1, np.inf]]]), np.float32([[[np.inf, 2]]])
    expected = oracle(text, [x, w])
    found = opc.compile(text)(x, w)
    np.testing.assert_array_equal(found, np.float32([[[np.inf, 2, 0, np.inf, np.inf, 0, np.nan]]]))
    assert bits([found]) == expected


def test_in_python() -> None:
    rng = np.random.default_rng(3)
    x, w = (rng.standard_normal(s).astype(np.float32) for s in ((1, 4, 6, 5), (4, 3, 3, 3)))

    def layer(x: Any) -> Any:
        return onp.conv_transpose(x, w, strides=2, pads=(1, 0, 1, 2), output_padding=1, groups=2)

    params = {"strides": [2, 2], "dilations": [1, 1], "pads": [1, 0, 1, 2]}
    case = Case(x.shape, w.shape, params | {"output_padding": [1, 1], "groups": 2})
    assert bits([opc.function(layer)(x)]) == oracle(text_of([case], "f32"), [x, w])


def test_weights_are_laid_out_when_compiling() -> None:
    rng = np.random.default_rng(3)
    x, w = (rng.standard_normal(s).astype(np.float32) for s in ((1, 24, 8, 8), (24, 40, 4, 4)))

    def layer(x: Any, w: Any) -> Any:
        return onp.conv_transpose(x, w, strides=2, pads=1)

    given = opc.function(layer, specialize=True)
    known = opc.function(lambda x: layer(x, w), specialize=True)
    assert bits([known(x)]) == bits([given(x, w)])
    for made, count in ((known, 4), (given, 0)):
        panels = re.findall(r"opc\.constant dense<.*> : tensor<40x24x2x2xf32>", made.ir("kernels"))
        assert len(panels) == count


def test_filters_must_be_known() -> None:
    @opc.function
    def layer(
        x: Annotated[np.ndarray, "f32[1, 2, N]"], w: Annotated[np.ndarray, "f32[2, 3, K]"]
    ) -> Any:
        return onp.conv_transpose(x, w)

    with pytest.raises(OpcError, match="filter extents must be known"):
        layer(np.ones((1, 2, 4), "f"), np.ones((2, 3, 2), "f"))


def test_channels_must_agree_when_it_runs() -> None:
    text = """
func.func @main(
    %x: tensor<?x?x?xf32, #opc.dims<N, C, L>>, %w: tensor<?x3x2xf32, #opc.dims<D, 3, 2>>
) -> tensor<?x6x?xf32, #opc.dims<N, 6, 2*L>> {
  %r = opc.conv_transpose %x, %w {strides = [2], groups = 2}
  func.return %r : tensor<?x6x?xf32, #opc.dims<N, 6, 2*L>>
}"""
    made = opc.compile(text)
    x, w = np.ones((1, 4, 3), "f"), np.ones((4, 3, 2), "f")
    assert bits([made(x, w)]) == oracle(text, [x, w])
    with pytest.raises(ArgumentError, match="channels of the input and of the filters differ"):
        made(x, w[:2])
    with pytest.raises(ArgumentError, match="groups divide the channels"):
        made(x[:, :3], w[:3])


def test_a_stride_of_too_many_phases() -> None:
    text = """
func.func @main(%x: tensor<1x1x2xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x10001xf32> {
  %r = opc.conv_transpose %x, %w {strides = [10000]}
  func.return %r : tensor<1x1x10001xf32>
}"""
    with pytest.raises(UnsupportedError, match=r"opc\.conv_transpose: the phases of a stride"):
        opc.compile(text)


@pytest.mark.parametrize("built", ["baseline", "native"])
@pytest.mark.parametrize("groups", [1, 2])
def test_of_dequantized_values(groups: int, built: str) -> None:
    """The sum of integers is exact, and rounded when it is scaled."""
    params = {"strides": [2, 1], "dilations": [1, 2], "pads": [1, 0, 0, 2]}
    case = Case((2, 8, 5, 6), (8, 3, 4, 3), params | {"output_padding": [1, 0], "groups": groups})
    x, w, y = (tensor(shape, "f32") for shape in (case.x, case.w, case.result))
    scales = "[[[[0.015]], [[0.3]], [[0.0021]]]]"
    text = f"""
func.func @main(%a: {x.replace("f32", "ui8")}, %b: {w.replace("f32", "i8")}) -> {y} {{
  %z = opc.constant dense<131> : tensor<ui8>
  %sa = opc.constant dense<0.017> : tensor<f32>
  %sb = opc.constant dense<{scales}> : tensor<1x3x1x1xf32>
  %0 = opc.cast %a : {x.replace("f32", "ui8")} -> {x}
  %1 = opc.cast %z : tensor<ui8> -> tensor<f32>
  %2 = opc.sub %0, %1
  %x0 = opc.mul %2, %sa
  %3 = opc.cast %b : {w.replace("f32", "i8")} -> {w}
  %w0 = opc.mul %3, %sb
{case.line(0)}
  func.return %r0 : {y}
}}"""
    rng = np.random.default_rng(groups)
    a = rng.integers(0, 256, case.x).astype(np.uint8)
    b = rng.integers(-128, 128, case.w).astype(np.int8)
    total = in_f64(case, a.astype(np.int64) - 131, b).astype(np.float32)
    scale = np.tile(np.float32([0.015, 0.3, 0.0021]), groups) * np.float32(0.017)
    expected = total * scale[:, None, None]
    np.testing.assert_array_equal(opc.compile(text, target=built)(a, b), expected, strict=True)
