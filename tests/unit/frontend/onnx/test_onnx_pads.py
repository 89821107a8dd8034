"""Pad of ONNX: modes, signs of the pads, pads wider than the axis, known and given to the run."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import numpy_helper  # noqa: E402

from opc.errors import ArgumentError, InputError, OpcError  # noqa: E402
from tests.unit.common.onnx_models import function, info, interpreted, model, node  # noqa: E402

MODES = ("constant", "edge", "reflect", "wrap")
OPSETS = (1, 2, 11, 13, 18, 19, 21, 23, 24, 25)
SIGNS = [(2, 3), (-2, 3), (2, -2), (-1, -2), (-4, 4), (4, -4), (12, 11), (0, 9), (-5, 0), (-3, -2)]
MOVED = [e for e in SIGNS if sum(e) > -5]


def expected(x: np.ndarray, pads: Any, mode: str, value: Any = 0) -> np.ndarray | None:
    """What NumPy makes of each axis: a value goes around before the cut, elements after it.

    None where an axis has no element to continue, or a negative extent.
    """
    for axis, (before, after) in enumerate(pads):
        width = [(0, 0)] * x.ndim
        width[axis] = max(before, 0), max(after, 0)
        cut = [slice(None)] * x.ndim
        if mode == "constant":
            x = np.pad(x, width, constant_values=value)
            if max(-before, 0) + max(-after, 0) > x.shape[axis]:
                return None
        elif before + after < -x.shape[axis]:
            return None
        cut[axis] = slice(max(-before, 0), max(x.shape[axis] - max(-after, 0), 0))
        x = x[tuple(cut)]
        if mode != "constant" and any(width[axis]):
            if not x.shape[axis]:
                return None
            x = np.pad(x, width, mode=mode)  # pyright: ignore[reportCallIssue, reportArgumentType]
    return x


def several(pads: list[Any], mode: str, shape: Any, type: str = "f32", opset: int = 21) -> Any:
    """A model with a Pad for each of some pads of all axes, known when compiling."""
    nodes, lists = [], []
    for k, each in enumerate(pads):
        flat = [e[0] for e in each] + [e[1] for e in each]
        if opset < 11:
            name = "paddings" if opset == 1 else "pads"
            nodes.append(node("Pad", "x", f"y{k}", mode=mode, **{name: flat}))
        else:
            nodes.append(node("Pad", f"x p{k}", f"y{k}", mode=mode))
            lists.append(numpy_helper.from_array(np.array(flat, np.int64), f"p{k}"))
    outputs = [onnx.ValueInfoProto(name=f"y{k}") for k in range(len(pads))]
    return model(nodes, [info("x", type, shape)], opset, outputs, lists)


def check(results: Any, x: np.ndarray, pads: list[Any], mode: str) -> None:
    for found, each in zip(results, pads, strict=True):
        np.testing.assert_array_equal(found, expected(x, each, mode), strict=True, err_msg=each)


@pytest.mark.parametrize("shape", [(5,), ("N",)], ids=["known", "unknown"])
@pytest.mark.parametrize("mode", MODES)
def test_signs_of_known_pads(mode: str, shape: Any) -> None:
    x = np.arange(1, 6, dtype=np.float32)
    pads = [[e] for e in (SIGNS if mode == "constant" else MOVED)]
    check(function(several(pads, mode, shape))(x), x, pads, mode)


@pytest.mark.parametrize("mode", MODES)
def test_extents_that_only_a_run_knows(mode: str) -> None:
    """One compiled function for axes of one element, of few and of many."""
    pads = [[(2, 3), (0, 1)], [(7, -1), (-1, 4)], [(-1, 9), (0, 0)]]
    compiled = function(several(pads, mode, ("N", "M")))
    for n, m in ((2, 2), (3, 5), (17, 2), (40, 30)):
        x = np.arange(n * m, dtype=np.float32).reshape(n, m)
        check(compiled(x), x, pads, mode)


@pytest.mark.parametrize("shape", [(5,), ("N",)], ids=["known", "unknown"])
@pytest.mark.parametrize("mode", MODES)
def test_signs_of_pads_that_are_given(mode: str, shape: Any) -> None:
    inputs = [info("x", shape=shape), info("p", "i64", (2,))]
    compiled = function(model(node("Pad", "x p", mode=mode), inputs, 21))
    x, refused = np.arange(1, 6, dtype=np.float32), 0
    for pads in itertools.product((-9, -5, -4, -1, 0, 1, 4, 9), repeat=2):
        wanted = expected(x, [pads], mode)
        if wanted is None:
            refused += 1
            with pytest.raises(ArgumentError, match="values of an input are no extents"):
                compiled(x, np.array(pads))
        else:
            np.testing.assert_array_equal(compiled(x, np.array(pads)), wanted, strict=True)
    assert refused >= 9


@pytest.mark.parametrize("mode", MODES)
def test_far_pads_are_refused(mode: str) -> None:
    inputs = [info("x", shape=("N",)), info("p", "i64", (2,))]
    compiled, far = function(model(node("Pad", "x p", mode=mode), inputs, 21)), 2**63 - 1
    for pads in ((far, far), (far, -far), (-far - 1, far), (far, 5), (2**62, 2**62)):
        with pytest.raises(ArgumentError):
            compiled(np.ones(4, np.float32), np.array(pads))


@pytest.mark.parametrize("mode", MODES)
def test_types(mode: str) -> None:
    pads = [[(-1, 2), (3, -1)]]
    for type, dtype in (("i1", np.bool_), ("i8", np.int8), ("ui64", np.uint64), ("f16", "f2")):
        x = np.arange(12).reshape(4, 3).astype(dtype)
        found = interpreted(several(pads, mode, ("N", "M"), type), x)
        check(found, x, pads, mode)


@pytest.mark.parametrize("opset", OPSETS)
def test_versions(opset: int) -> None:
    """Every version gives the same; wrap came with 18."""
    x = np.arange(15, dtype=np.float32).reshape(3, 5)
    pads = [[(0, 4), (-2, 3)], [(-1, 0), (1, -4)], [(3, -1), (7, 0)]]
    for mode in MODES if opset >= 18 else MODES[:-1]:
        check(interpreted(several(pads, mode, ("N", 5), opset=opset), x), x, pads, mode)


@pytest.mark.parametrize("mode", MODES)
def test_axes(mode: str) -> None:
    """Axes in any order, counted from either end, known and given."""
    x = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    for axes in ([2], [-2], [2, 0], [-1, 1]):
        width = [(0, 0)] * 3
        for k, axis in enumerate(axes):
            width[axis] = (-k - 1, k + 3)
        flat = np.array([width[a][0] for a in axes] + [width[a][1] for a in axes])
        lists = [numpy_helper.from_array(flat, "p"), numpy_helper.from_array(np.array(axes), "a")]
        made = node("Pad", "x p _ a", mode=mode)
        proto = model(made, [info("x", shape=("A", "B", "C"))], 21, (), lists)
        check(interpreted(proto, x), x, [width], mode)
        inputs = [info("x", shape=x.shape), info("a", "i64", (len(axes),))]
        proto = model(made, inputs, 21, (), lists[:1])
        check(interpreted(proto, x, np.array(axes)), x, [width], mode)


@pytest.mark.parametrize("mode", MODES)
def test_pads_that_are_extents(mode: str) -> None:
    """As many as another tensor has: known to be no fewer than none."""
    nodes = [node("Shape", "r", "s"), node("Concat", "s z", "p", axis=0)]
    nodes.append(node("Pad", "x p", mode=mode))
    zero = numpy_helper.from_array(np.array([1]), "z")
    inputs = [info("x", shape=("N",)), info("r", shape=("M",))]
    compiled = function(model(nodes, inputs, 21, initializers=[zero]))
    x = np.arange(1, 4, dtype=np.float32)
    for count in (0, 1, 2, 11):
        found = compiled(x, np.zeros(count, np.float32))
        np.testing.assert_array_equal(found, expected(x, [(count, 1)], mode), strict=True)


@pytest.mark.parametrize("mode", MODES[1:])
def test_nothing_to_continue(mode: str) -> None:
    for pads in ([(-5, 1)], [(1, -5)], [(-3, -4)]):
        with pytest.raises(InputError, match=r"has no element|cut off"):
            function(several([pads], mode, (5,)))
        with pytest.raises(OpcError, match=r"has no element|cut off"):
            function(several([pads], mode, ("N",)))(np.ones(5, np.float32))
    empty = function(several([[(-2, -3)], [(0, 0)]], mode, ("N",)))(np.ones(5, np.float32))
    assert [len(y) for y in empty] == [0, 5]
    assert expected(np.ones(5), [(-5, 1)], mode) is None


def test_onnxruntime_cuts_first() -> None:
    """Where it takes the pads at all: it refuses to mirror an axis more than once."""
    onnxruntime = pytest.importorskip("onnxruntime")
    x, compared = np.arange(1, 6, dtype=np.float32), 0
    for mode in MODES:
        pads = [[e] for e in (SIGNS if mode == "constant" else MOVED)]
        ours = function(several(pads, mode, ("N",)))(x)
        for found, each in zip(ours, pads, strict=True):
            session = onnxruntime.InferenceSession(
                several([each], mode, ("N",)).SerializeToString(),
                providers=["CPUExecutionProvider"],
            )
            try:
                (theirs,) = session.run(None, {"x": x})
            except Exception as refusal:  # of no base class of its own
                assert mode != "constant" and "Pad" in str(refusal), (mode, each)
                continue
            compared += 1
            np.testing.assert_array_equal(found, theirs, err_msg=f"{mode} {each}")
    assert compared > 25
