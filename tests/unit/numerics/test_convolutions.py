"""Convolutions have the bits of their order: for every schedule, machine, compiler and thread."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

import opc
import opc.numpy as onp
from opc.api.driver import load
from opc.dialects import schedule
from opc.errors import ArgumentError, InputError, OpcError
from opc.frontend.mlir.reader import select_function
from opc.interpret.graph import evaluate
from opc.schedule.legality import check
from opc.schedule.plan_contraction import plan
from opc.support.targets import target
from tests.unit.common.contraction_graphs import (
    DTYPES,
    bits,
    check_bits_everywhere,
    finished,
    oracle,
    random_tree,
    scheduled,
    targets,
)

pytestmark = pytest.mark.sample(32)


class Case(NamedTuple):
    """Shapes of input and filters, and what is not 1 or 0."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    params: dict[str, Any]

    @property
    def result(self) -> tuple[int, ...]:
        rank = len(self.x) - 2
        pads = self.params.get("pads", [0] * (2 * rank))
        positions = [
            (n + pads[k] + pads[rank + k] - (size - 1) * self.param("dilations", k) - 1)
            // self.param("strides", k)
            + 1
            for k, (n, size) in enumerate(zip(self.x[2:], self.w[2:], strict=True))
        ]
        return (self.x[0], self.w[0], *positions)

    def param(self, name: str, k: int) -> int:
        return self.params[name][k] if name in self.params else 1


CASES = {
    "same": Case((2, 5, 9, 9), (20, 5, 3, 3), {"pads": [1, 1, 1, 1]}),
    "single values apart": Case((2, 5, 9, 14), (20, 5, 1, 1), {"strides": [2, 2]}),
    "single values apart, 3-D": Case((1, 3, 5, 4, 9), (18, 3, 1, 1, 1), {"strides": [2, 1, 3]}),
    "no padding": Case((1, 4, 9, 7), (33, 4, 3, 2), {}),
    "one value": Case((1, 1, 1, 1), (1, 1, 1, 1), {}),
    "points": Case((2, 9, 5, 7), (17, 9, 1, 1), {}),
    "points, strided": Case((1, 9, 5, 7), (17, 9, 1, 1), {"strides": [2, 3]}),
    "strided": Case((1, 3, 17, 16), (16, 3, 7, 7), {"strides": [2, 2], "pads": [3, 3, 3, 3]}),
    "patches": Case((2, 3, 16, 16), (10, 3, 4, 4), {"strides": [4, 4]}),
    "apart": Case((1, 2, 9, 9), (3, 2, 2, 2), {"strides": [4, 3]}),
    "dilated": Case((1, 3, 12, 12), (4, 3, 3, 3), {"dilations": [3, 2], "pads": [0, 2, 1, 0]}),
    "uneven pads": Case((1, 3, 8, 8), (4, 3, 3, 3), {"pads": [0, 2, 1, 0], "strides": [2, 1]}),
    "pads beyond the filter": Case((1, 2, 3, 3), (3, 2, 2, 2), {"pads": [5, 4, 3, 6]}),
    "only padding": Case((1, 2, 0, 3), (3, 2, 2, 2), {"pads": [1, 1, 1, 1]}),
    "no images of one filter": Case((0, 17, 2), (1, 17, 3), {"pads": [1, 0]}),
    "one axis": Case((2, 6, 30), (8, 6, 5), {"pads": [2, 2]}),
    "three axes": Case((1, 3, 5, 6, 7), (4, 3, 2, 3, 1), {"pads": [1, 0, 0, 0, 2, 1]}),
    "filter of a whole row": Case((2, 1, 9, 9), (5, 1, 3, 9), {"pads": [1, 0, 1, 0]}),
    "groups": Case((2, 8, 7, 7), (12, 4, 3, 3), {"groups": 2, "pads": [1, 1, 1, 1]}),
    "groups of points": Case((2, 8, 7, 7), (12, 4, 1, 1), {"groups": 2}),
    "each channel": Case((2, 8, 9, 30), (8, 1, 3, 3), {"groups": 8, "pads": [1, 1, 1, 1]}),
    "each channel, no padding": Case((1, 6, 9, 9), (6, 1, 3, 3), {"groups": 6}),
    "each channel, strided": Case(
        (1, 6, 9, 9), (6, 1, 3, 3), {"groups": 6, "strides": [2, 2], "pads": [1, 1, 1, 1]}
    ),
    "each channel twice": Case((1, 6, 9, 9), (12, 1, 5, 5), {"groups": 6, "pads": [2, 2, 2, 2]}),
    "each channel, points": Case((1, 6, 5, 5), (6, 1, 1, 1), {"groups": 6}),
    "each channel, some rows at a time": Case(
        (1, 3, 61, 70), (3, 1, 3, 3), {"groups": 3, "pads": [1, 1, 1, 1]}
    ),
    "each channel, some rows apart": Case(
        (1, 2, 131, 70), (2, 1, 5, 3), {"groups": 2, "strides": [2, 2], "pads": [0, 1, 2, 3]}
    ),
    "each channel, far apart": Case(
        (2, 5, 11, 40), (5, 1, 3, 4), {"groups": 5, "strides": [1, 3], "pads": [1, 4, 1, 0]}
    ),
    "each channel, wide strides": Case(
        (1, 3, 9, 47), (3, 1, 2, 3), {"groups": 3, "strides": [2, 5], "pads": [0, 2, 0, 2]}
    ),
    "each channel, dilated": Case(
        (1, 4, 13, 21), (4, 1, 3, 3), {"groups": 4, "dilations": [2, 3], "pads": [2, 3, 2, 3]}
    ),
    "each channel, pads beyond the filter": Case(
        (1, 2, 3, 3), (2, 1, 2, 2), {"groups": 2, "pads": [5, 4, 3, 6]}
    ),
    "each channel, two apart, pads beyond": Case(
        (1, 2, 3, 3), (2, 1, 2, 2), {"groups": 2, "strides": [2, 2], "pads": [5, 4, 3, 6]}
    ),
    "each channel, three axes": Case(
        (1, 3, 5, 6, 20), (3, 1, 2, 3, 3), {"groups": 3, "pads": [1, 1, 1, 0, 1, 1]}
    ),
    "each channel, one axis": Case((2, 6, 40), (6, 1, 5), {"groups": 6, "pads": [2, 2]}),
    "rows that collide in a cache": Case((1, 256, 4, 9), (17, 256, 3, 3), {"pads": [1, 1, 1, 1]}),
    "filters in another order": Case((1, 37, 4, 5), (40, 37, 2, 3), {"pads": [1, 0, 0, 1]}),
    "columns along the window": Case(
        (2, 3, 40, 41), (9, 3, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1]}
    ),
    "several blocks": Case((1, 460, 3, 3), (3, 460, 3, 3), {"pads": [1, 1, 1, 1]}),
    "nothing added": Case((1, 0, 4, 4), (3, 0, 3, 3), {"pads": [1, 1, 1, 1]}),
    "no batch": Case((0, 3, 4, 4), (3, 3, 3, 3), {}),
    "no filters": Case((1, 3, 4, 4), (0, 3, 3, 3), {}),
}
EPILOGUE = """
  %1 = opc.add %0, %b
  %r = opc.relu %1"""


def tensor(shape: Sequence[int], type: str) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{type}>"


def text_of(case: Case, type: str, epilogue: str = EPILOGUE) -> str:
    result = tensor(case.result, type)
    bias = tensor((case.w[0], *[1] * (len(case.x) - 2)), type)
    params = ", ".join(f"{name} = {value}" for name, value in case.params.items())
    x, w = (tensor(shape, type) for shape in (case.x, case.w))
    return f"""
func.func @main(%x: {x}, %w: {w}, %b: {bias}) -> ({result}, {result}) {{
  %0 = opc.conv %x, %w {{{params}}}
  {epilogue}
  func.return %0, %r : {result}, {result}
}}"""


def values(case: Case, type: str, seed: int = 1) -> list[np.ndarray[Any, Any]]:
    rng, bias = np.random.default_rng(seed), (case.w[0], *[1] * (len(case.x) - 2))
    return [rng.standard_normal(s).astype(DTYPES[type]) for s in (case.x, case.w, bias)]


@pytest.mark.sample(64)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("type", DTYPES)
def test_bits_of_the_order(name: str, type: str) -> None:
    case = CASES[name]
    if type == "f64" and math.prod(case.result) * math.prod(case.w[1:]) > 40_000:
        # Exact f64 is slow to interpret.
        case = case._replace(x=(1, *case.x[1:]), w=(case.params.get("groups", 2), *case.w[1:]))
    check_bits_everywhere(text_of(case, type), values(case, type))


def test_the_interpreter_of_kernels_agrees() -> None:
    from xdsl.dialects.func import FuncOp

    from opc.api.driver import load
    from opc.dialects.registry import context
    from opc.interpret.kernel import run
    from opc.passes import pipeline

    for name in (
        "uneven pads",
        "groups",
        "each channel, strided",
        "several blocks",
        "only padding",
    ):
        text, arrays = text_of(CASES[name], "f32"), values(CASES[name], "f32")
        module = load(text).clone()
        pipeline.run(module, context(), pipeline.passes("kernels"))
        (function,) = module.body.block.ops
        assert isinstance(function, FuncOp)
        assert bits(run(function, arrays)) == oracle(text, arrays), name


SYMBOLIC = """
func.func @main(%x: tensor<?x?x?x?xf32, #opc.dims<N, C, H, W>>,
                %w: tensor<?x?x3x3xf32, #opc.dims<F, C, 3, 3>>) -> {result} {{
  %0 = opc.conv %x, %w {{{params}}}
  %1 = opc.relu %0
  func.return %1 : {result}
}}"""


def symbolic(params: str, height: str, width: str) -> str:
    result = f"tensor<?x?x?x?xf32, #opc.dims<N, F, {height}, {width}>>"
    return SYMBOLIC.format(params=params, result=result)


@pytest.mark.parametrize("n, h, w", [(1, 1, 1), (2, 5, 33), (0, 4, 4), (3, 16, 7)])
@pytest.mark.parametrize(
    "params, height, width, filters",
    [
        ("pads = [1, 1, 1, 1]", "H", "W", 5),
        (
            "pads = [1, 2, 1, 2], strides = [2, 3]",
            "floordiv(H - 1, 2) + 1",
            "floordiv(W + 1, 3) + 1",
            18,
        ),
    ],
)
def test_unknown_extents(
    n: int, h: int, w: int, params: str, height: str, width: str, filters: int
) -> None:
    text, rng = symbolic(params, height, width), np.random.default_rng(n)
    x = rng.standard_normal((n, 4, h, w)).astype(np.float32)
    seen = rng.standard_normal((filters, 4, 3, 3)).astype(np.float32)
    assert bits([opc.compile(text)(x, seen)]) == oracle(text, [x, seen])


def test_a_filter_must_fit_when_it_runs() -> None:
    text = symbolic("", "H - 2", "W - 2")
    made, module = opc.compile(text), load(text)
    x, w = np.ones((1, 2, 3, 2), "f"), np.ones((1, 2, 3, 3), "f")
    with pytest.raises(ArgumentError, match="a filter is larger than the padded input"):
        made(x, w)
    with pytest.raises(ArgumentError, match="a filter covers 3 values of 2"):
        evaluate(select_function(module, None), [x, w])
    with pytest.raises(OpcError, match=r"\bC\b|channels"):
        made(np.ones((1, 3, 3, 3), "f"), w)
    # Also where nothing is computed.
    apart = load(text.replace("<F, C, 3, 3>", "<F, D, 3, 3>"))
    with pytest.raises(ArgumentError, match="filters see 2 channels of 3"):
        evaluate(select_function(apart, None), [np.ones((0, 3, 3, 3), "f"), w])


def test_padding_is_multiplied() -> None:
    """So an infinite weight over it gives NaN, as over any other zero."""
    case = Case((1, 1, 2, 2), (1, 1, 2, 2), {"pads": [1, 0, 0, 0]})
    text, (x, w, b) = text_of(case, "f32"), values(case, "f32")
    w[0, 0, 0, 0] = np.inf
    expected = oracle(text, [x, w, b])
    assert np.isnan(np.frombuffer(expected[0], np.float32)).tolist() == [True, False]
    for machine in targets():
        found, _ = opc.compile(text, target=machine)(x, w, b)
        assert np.isnan(found).ravel().tolist() == [True, False]


def test_weights_are_packed_when_compiling() -> None:
    case = CASES["same"]
    x, w, b = values(case, "f32")
    given = opc.compile(text_of(case, "f32"))(x, w, b)

    def layer(x: Any) -> Any:
        return onp.relu(onp.conv(x, w, pads=1) + b)

    known = opc.function(layer)
    assert bits([known(x)]) == bits(given[1:])
    assert "buffer1" not in known.c_source


def test_results_along_rows_are_turned_around() -> None:
    rng = np.random.default_rng(7)
    shapes = (1, 16, 9, 19), (40, 16, 3, 3), (40, 1, 1), (1, 40, 9, 19)
    arrays = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]

    def layer(x: Any, w: Any, b: Any, r: Any) -> Any:
        y = onp.conv(x, w, pads=1)
        return y, onp.relu(y + b), onp.relu(y + b + r)

    found = opc.function(layer, target="avx2")
    results = found(*arrays)
    assert bits(results) == bits(opc.function(layer, fuse=False, target="avx2")(*arrays))
    assert "opc_transpose_32_apart(out0 + " in found.c_source


def test_what_reads_other_operands_is_computed_behind_a_transposition() -> None:
    graph = """func.func @f(%x: tensor<1x16x9x19xf32>, %w: tensor<40x16x3x3xf32>,
        %r: tensor<1x40x9x19xf32>) -> tensor<1x40x9x19xf32> {
      %y = opc.conv %x, %w {pads = [1, 1, 1, 1]}
      %s = opc.add %y, %r
      %z = opc.relu %s
      func.return %z : tensor<1x40x9x19xf32>
    }"""
    written = opc.lower(graph, target="avx512").c_source
    assert re.search(r"opc_transpose_32\(tile\d+, 19, tile", written)


def test_filters_of_groups_are_packed_while_compiling() -> None:
    filters = np.random.default_rng(7).standard_normal((128, 32, 3, 3)).astype(np.float32)

    def layer(x: Annotated[np.ndarray, "f32[1, 128, 7, 7]"]) -> Any:
        return onp.conv(x, filters, pads=1, groups=4)

    function = opc.function(layer, target="avx2")
    image = np.random.default_rng(8).standard_normal((1, 128, 7, 7)).astype(np.float32)
    assert bits(function(image)) == bits(opc.function(layer, fuse=False, target="avx2")(image))
    assert "weight0 +" in re.findall(r"fma_f32v8\(&sums.*?;", function.c_source, re.DOTALL)[0]


def test_chains_of_layers() -> None:
    x, w, b = values(CASES["same"], "f32")
    v = np.random.default_rng(5).standard_normal((4, 20, 3, 3)).astype(np.float32)

    def layers(x: Any, w: Any, b: Any, v: Any) -> Any:
        y = onp.relu(onp.conv(x, w, pads=1) + b)
        z = onp.tanh(onp.transpose(onp.conv(y, v, strides=2, pads=(0, 1, 1, 0)), (0, 2, 3, 1)))
        return z, onp.conv(onp.reshape(y * 2, (2, 20, 81)), onp.reshape(v, (4, 20, 9)), pads=3)

    fused = opc.function(layers)(x, w, b, v)
    assert bits(fused) == bits(opc.function(layers, fuse=False)(x, w, b, v))


@pytest.mark.parametrize("seed", range(10))
def test_every_legal_schedule_has_the_same_bits(seed: int) -> None:
    rng = Random(seed)
    names = (
        "same",
        "strided",
        "groups",
        "each channel",
        "several blocks",
        "three axes",
        "one axis",
        "single values apart",
    )
    case = CASES[names[seed % len(names)]]
    text, arrays = text_of(case, "f32"), values(case, "f32", seed)
    expected = oracle(text, arrays)
    for _ in range(2):
        function, c = scheduled(text)
        tree = random_tree(c, rng)
        c.nest.body.block.add_op(tree)
        assert bits(finished(function)(*arrays)) == expected, f"{case}\n{tree}"


@pytest.mark.parametrize("built", ["baseline", "native"])
@pytest.mark.parametrize("one, other", [("ui8", "i8"), ("i8", "ui8"), ("i8", "i8")])
@pytest.mark.parametrize(
    "name", ["same", "strided", "dilated", "three axes", "groups", "each channel"]
)
def test_windows_of_8_bits(name: str, one: str, other: str, built: str) -> None:
    """Sums of 8-bit integers are exact, however many products a step takes."""
    case, rng = CASES[name], Random(name)
    params = ", ".join(f"{key} = {value}" for key, value in case.params.items())
    result = tensor(case.result, "i32")
    text = f"""
func.func @main(%x: {tensor(case.x, one)}, %w: {tensor(case.w, other)}) -> {result} {{
  %a = opc.cast %x : {tensor(case.x, one)} -> {tensor(case.x, "i32")}
  %b = opc.cast %w : {tensor(case.w, other)} -> {tensor(case.w, "i32")}
  %r = opc.conv %a, %b {{{params}}}
  func.return %r : {result}
}}"""
    draw = np.random.default_rng(1).integers
    limits = {"ui8": (0, 256, np.uint8), "i8": (-128, 128, np.int8)}
    x, w = (
        draw(least, end, shape, dtype=dtype)
        for shape, (least, end, dtype) in ((case.x, limits[one]), (case.w, limits[other]))
    )
    expected = oracle(text, [x, w])
    function, c = scheduled(text)
    fours = replace(target("avx512"), groups=(2, 4))
    wanted = 1 if name == "each channel" else 2 if one == other else 4
    assert plan(c, fours).group == wanted
    trees = [plan(c, fours), *(random_tree(c, rng) for _ in range(2))]
    for tree in trees:
        function, c = scheduled(text)
        check(c, tree)
        c.nest.body.block.add_op(tree)
        assert bits([finished(function, built)(x, w)]) == expected, f"{tree}"


def test_only_windows_are_padded() -> None:
    _, c = scheduled(text_of(CASES["same"], "f32"))
    tree = plan(c, target("avx512"))
    check(c, tree)
    laid_out = {op.operand.data: op for op in tree.walk() if isinstance(op, schedule.PackOp)}
    pad = next(op for op in tree.walk() if isinstance(op, schedule.PadOp))
    other = "left" if pad.operand.data == "right" else "right"
    tree.body.block.insert_op_before(schedule.PadOp.of(other), pad)
    if other in laid_out:
        laid_out[other].detach()
    with pytest.raises(InputError, match=f"found schedule.pad {other}, expected schedule.pack"):
        check(c, tree)
    _, c = scheduled(text_of(CASES["each channel"], "f32"))
    # A tile of rows: a rotating loop needs the pad for another reason, too.
    rng = Random(0)
    tree = next(t for _ in range(50) if "rotating" not in str(t := random_tree(c, rng)))
    check(c, tree)
    pad = next(op for op in tree.walk() if isinstance(op, schedule.PadOp))
    vector = max(op.step for op in tree.walk() if isinstance(op, schedule.ForOp))
    around = pad.parent
    assert around is not None
    around.insert_op_before(schedule.PackOp.of("right", vector), pad)
    pad.detach()
    with pytest.raises(InputError, match=r"found schedule\.pack right, expected"):
        check(c, tree)


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"strides": 0}, "strides must be 2 integers from 1"),
        ({"pads": (1, 2, 3)}, "pads must be 4 integers from 0"),
        ({"groups": 2}, "3 filters cannot be divided into 2 groups"),
        ({"dilations": 9}, "a filter is larger than the padded input"),
    ],
)
def test_what_does_not_fit(keywords: dict[str, Any], message: str) -> None:
    w = np.ones((3, 3, 3, 3), "f")
    with pytest.raises(OpcError, match=message):
        opc.function(lambda x: onp.conv(x, w, **keywords))(np.ones((1, 3, 4, 4), "f"))


def test_large_weights_begin_at_a_cache_line() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 64, 14, 14)).astype(np.float32)
    w = rng.standard_normal((1100, 64, 1, 1)).astype(np.float32)

    def layer(x: Annotated[Any, "f32[1, 64, 14, 14]"]) -> Any:
        return onp.conv(x, w)

    found = opc.function(layer, cache=None)
    expected = np.einsum("nqhw,fq->nfhw", x, w[:, :, 0, 0])
    np.testing.assert_allclose(found(x), expected, 1e-3, 1e-3)
    weights = found.compiled._native.weights  # pyright: ignore[reportPrivateUsage]
    assert weights is not None and weights.ctypes.data % 64 == 0
