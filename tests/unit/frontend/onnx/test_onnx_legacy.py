"""What operators meant before the versions that runtimes know: broadcasting, axes, attributes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
import onnx

from opc.errors import ArgumentError, InputError, UnsupportedError
from tests.unit.common.onnx_models import graph_text, info, model, node, run

LEFT = (2, 3, 4, 5)
FORMS: dict[str, tuple[tuple[int, ...], int | None, tuple[int, ...]]] = {
    "equal": ((2, 3, 4, 5), None, (2, 3, 4, 5)),
    "scalar": ((), None, ()),
    "one element": ((1, 1), None, (1, 1)),
    "last axis": ((5,), None, (5,)),
    "last axes": ((4, 5), None, (4, 5)),
    "middle axes": ((3, 4), 1, (1, 3, 4, 1)),
    "first axis": ((2,), 0, (2, 1, 1, 1)),
    "first axes": ((2, 3), 0, (2, 3, 1, 1)),
}
"""Shape of the right operand, axis, and the shape that NumPy broadcasts alike."""

OPERATORS = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}


def numbers(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.5, 2, shape).astype(np.float32)


def binary(
    operator: str, left: Any, right: Any, opset: int, type: str = "f32", **attributes: Any
) -> Any:
    return model(
        node(operator, "a b", **attributes), [info("a", type, left), info("b", type, right)], opset
    )


@pytest.mark.sample(4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("opset", [1, 6])
@pytest.mark.parametrize("operator", OPERATORS)
def test_broadcast(operator: str, opset: int, form: str) -> None:
    shape, axis, numpy_shape = FORMS[form]
    a, b = numbers(LEFT), numbers(shape, 1)
    attributes = {} if axis is None else {"axis": axis}
    found = run(binary(operator, LEFT, shape, opset, broadcast=1, **attributes), a, b)
    np.testing.assert_array_equal(found, OPERATORS[operator](a, b.reshape(numpy_shape)))


@pytest.mark.parametrize("operator", ["And", "Or", "Xor", "Equal", "Greater", "Less", "Pow"])
def test_broadcast_of_other_operators(operator: str) -> None:
    type = {"Greater": "f32", "Less": "f32", "Pow": "f32", "Equal": "i32"}.get(operator, "i1")
    dtype = {"f32": np.float32, "i32": np.int32, "i1": bool}[type]
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 2, s).astype(dtype) for s in (LEFT, (3, 4)))
    found = run(binary(operator, LEFT, (3, 4), 1, type, broadcast=1, axis=1), a, b)
    names = {"And": "logical_and", "Or": "logical_or", "Xor": "logical_xor", "Pow": "power"}
    expected = getattr(np, names.get(operator, operator.lower()))(a, b[:, :, None])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("opset", [1, 6])
@pytest.mark.parametrize(
    "left, right, attributes, message",
    [
        (LEFT, (5,), {}, "broadcast is not set"),
        (LEFT, (3, 4), {"axis": 1}, "broadcast is not set"),
        (LEFT, (3, 4), {"broadcast": 1}, "is not a run of extents"),
        (LEFT, (4, 5), {"broadcast": 1, "axis": 1}, "is not a run of extents"),
        (LEFT, (5,), {"broadcast": 1, "axis": 4}, "leaves no room"),
        (LEFT, (4, 5), {"broadcast": 1, "axis": -2}, "leaves no room"),
        ((5,), (4, 5), {"broadcast": 1}, "more axes"),
        ((4, 1), (4, 5), {"broadcast": 1}, "is not a run of extents"),
    ],
)
def test_broadcast_that_is_none(
    left: Any, right: Any, attributes: dict[str, int], message: str, opset: int
) -> None:
    with pytest.raises(InputError, match=message):
        graph_text(binary("Sub", left, right, opset, **attributes))


def test_broadcast_of_symbols() -> None:
    """Extents that are only known at run time are compared then."""
    proto = binary("Sub", ("N", "M"), ("K",), 6, broadcast=1)
    a, b = numbers((3, 4)), numbers((4,), 1)
    np.testing.assert_array_equal(run(proto, a, b), a - b)
    with pytest.raises(ArgumentError, match="not a run"):
        run(proto, a, numbers((3,)))
    with pytest.raises(ArgumentError, match="broadcast is not set"):
        run(binary("Sub", ("N", 4), ("K", 4), 6), numbers((3, 4)), numbers((1, 4)))


REDUCTIONS = {
    "ReduceL1": lambda x, **k: np.abs(x).sum(**k),
    "ReduceL2": lambda x, **k: np.sqrt((x * x).sum(**k)),
    "ReduceLogSum": lambda x, **k: np.log(x.sum(**k)),
    "ReduceLogSumExp": lambda x, **k: np.log(np.exp(x).sum(**k)),
    "ReduceMax": np.max,
    "ReduceMean": np.mean,
    "ReduceMin": np.min,
    "ReduceProd": np.prod,
    "ReduceSum": np.sum,
    "ReduceSumSquare": lambda x, **k: (x * x).sum(**k),
}
AXES: dict[str, tuple[int, ...] | None] = {
    "one": (1,),
    "negative": (-1,),
    "several": (0, 2),
    "absent": None,
}


def combinations() -> list[Any]:
    """Every reduction at opsets 1 to 18, with axes, keepdims and noop where it has them."""
    found: list[Any] = []
    for operator, opset, axes, keepdims in itertools.product(
        REDUCTIONS, (1, 11, 13, 18), AXES, (0, 1)
    ):
        by_input = opset >= (13 if operator == "ReduceSum" else 18)
        noops = (0, 1) if by_input and axes == "absent" else (0,)
        found += [(operator, opset, axes, keepdims, noop) for noop in noops]
    return found


COMBINATIONS = combinations()


def test_number_of_combinations() -> None:
    # 10 reductions, each 8 forms at 4 opsets; noop at 18, which ReduceSum has at 13 already.
    assert len(COMBINATIONS) == 10 * 4 * 8 + 10 * 2 + 2


@pytest.mark.parametrize("opset", [1, 11, 13, 18])
@pytest.mark.parametrize("operator", REDUCTIONS)
def test_reduction(operator: str, opset: int) -> None:
    """All forms of one version are nodes of one model."""
    x = numbers((2, 3, 4)).astype(np.float64)
    inputs, arrays, nodes = [info("x", "f64", x.shape)], [x], list[Any]()
    forms = [c[2:] for c in COMBINATIONS if c[:2] == (operator, opset)]
    for k, (axes_name, keepdims, noop) in enumerate(forms):
        axes = AXES[axes_name]
        by_input = opset >= (13 if operator == "ReduceSum" else 18)
        attributes: dict[str, Any] = {"keepdims": keepdims}
        names = "x"
        if by_input:
            attributes["noop_with_empty_axes"] = noop
            if axes is not None:
                names = f"x axes{k}"
                inputs.append(info(f"axes{k}", "i64", (len(axes),)))
                arrays.append(np.array(axes))
        elif axes is not None:
            attributes["axes"] = axes
        nodes.append(node(operator, names, f"y{k}", **attributes))
    outputs = [onnx.ValueInfoProto(name=f"y{k}") for k in range(len(forms))]
    every = run(model(nodes, inputs, opset, outputs), *arrays)
    for found, (axes_name, keepdims, noop) in zip(every, forms, strict=True):
        over: Any = () if noop else AXES[axes_name]
        expected = REDUCTIONS[operator](x, axis=over, keepdims=bool(keepdims))
        what = f"{operator}-{opset} axes {axes_name} keepdims {keepdims} noop {noop}"
        np.testing.assert_allclose(found, expected, 1e-14, err_msg=what)
        assert found.shape == np.shape(expected), what


@pytest.mark.parametrize("opset", [4, 9])
def test_negative_axes_before_opset_11(opset: int) -> None:
    """Specifications do not speak of them; exporters wrote them, and runtimes take them."""
    x = numbers((2, 3, 4))
    forms: dict[str, tuple[Any, np.ndarray]] = {
        "Concat": (node("Concat", "x x", axis=-2), np.concatenate([x, x], -2)),
        "ArgMax": (node("ArgMax", "x", axis=-1), x.argmax(-1)[..., None]),
        "Squeeze": (node("Squeeze", "part", axes=[-1]), x[..., 1]),
        "Unsqueeze": (node("Unsqueeze", "x", axes=[-1]), x[..., None]),
        "Slice": (node("Slice", "x", axes=[-1], starts=[1], ends=[3]), x[..., 1:3]),
        "Gather": (node("Gather", "x i", axis=-1), x[..., [-1, 0]]),
    }
    before = node("Slice", "x", "part", axes=[2], starts=[1], ends=[2])
    for name, (tested, expected) in forms.items():
        nodes = [before, tested] if name == "Squeeze" else [tested]
        inputs, arrays = [info("x", shape=x.shape)], [x]
        if name == "Gather":
            inputs.append(info("i", "i64", (2,)))
            arrays.append(np.array([-1, 0]))
        np.testing.assert_array_equal(run(model(nodes, inputs, opset), *arrays), expected, name)
    with pytest.raises(InputError, match=r"-4 is outside \[-3, 2\]"):
        graph_text(model(node("Concat", "x x", axis=-4), [info("x", shape=x.shape)], opset))


@pytest.mark.parametrize("operator", REDUCTIONS)
@pytest.mark.parametrize("axes", [(), (1,), (0, -1)])
def test_axes_of_unknown_number(operator: str, axes: tuple[int, ...]) -> None:
    """Whether a list of axes is empty is decided at run time, and with it what noop means."""
    opset = 18
    x = numbers((2, 3, 4)).astype(np.float64)
    inputs = [info("x", "f64", (2, 3, 4)), info("axes", "i64", ("K",))]
    for noop in (0, 1):
        proto = model(node(operator, "x axes", noop_with_empty_axes=noop), inputs, opset)
        over: Any = axes if axes or noop else None
        expected = REDUCTIONS[operator](x, axis=over, keepdims=True)
        found = run(proto, x, np.array(axes, np.int64))
        np.testing.assert_allclose(found, expected, 1e-14)


def test_axes_without_keepdims() -> None:
    proto = model(
        node("ReduceSum", "x axes", keepdims=0),
        [info("x", shape=("N", 3, 4)), info("axes", "i64", (2,))],
        13,
    )
    x = numbers((2, 3, 4))
    np.testing.assert_allclose(run(proto, x, np.array([-1, 0])), x.sum(axis=(0, 2)), 1e-6)


def softmax(x: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def test_softmax_before_and_since_13() -> None:
    x = numbers((2, 3, 4))
    for opset, axis, over in ((1, 1, (1, 2)), (11, -1, 2), (11, 0, (0, 1, 2)), (13, 1, 1)):
        proto = model(node("Softmax", "x", axis=axis), [info("x", shape=("N", 3, 4))], opset)
        np.testing.assert_allclose(run(proto, x), softmax(x, over), 1e-6)
        proto = model(node("LogSoftmax", "x", axis=axis), [info("x", shape=("N", 3, 4))], opset)
        np.testing.assert_allclose(run(proto, x), np.log(softmax(x, over)), 1e-5, 1e-6)


def test_hardmax_before_and_since_13() -> None:
    x = np.array([[[1, 3], [3, 2]], [[0, 0], [0, 0]]], np.float32)
    old = run(model(node("Hardmax", "x"), [info("x", shape=("N", 2, 2))], 11), x)
    np.testing.assert_array_equal(old, [[[0, 1], [0, 0]], [[1, 0], [0, 0]]])
    new = run(model(node("Hardmax", "x"), [info("x", shape=("N", 2, 2))], 13), x)
    np.testing.assert_array_equal(new, [[[0, 1], [1, 0]], [[1, 0], [1, 0]]])


def test_cast_by_name() -> None:
    proto = model(node("Cast", "x", to="INT32"), [info("x", shape=(3,))], 1)
    found = run(proto, np.array([1.9, -1.9, 2], np.float32))
    assert found.dtype == np.int32 and found.tolist() == [1, -1, 2]
    with pytest.raises(InputError, match="kind int, expected string"):
        graph_text(model(node("Cast", "x", to=6), [info("x", shape=(3,))], 1))
    with pytest.raises(InputError, match="kind string, expected int"):
        graph_text(model(node("Cast", "x", to="INT32"), [info("x", shape=(3,))], 6))


def test_clip() -> None:
    x = np.array([-9, -1, 0.5, 9, np.nan, np.inf], np.float32)
    for opset, proto in (
        (1, model(node("Clip", "x", min=-1.0, max=1.0), [info("x", shape=(6,))], 1)),
        (6, model(node("Clip", "x", min=-1.0, max=1.0), [info("x", shape=(6,))], 6)),
        (
            11,
            model(
                [
                    node("Constant", "", "a", value_float=-1.0),
                    node("Constant", "", "b", value_float=1.0),
                    node("Clip", "x a b"),
                ],
                [info("x", shape=(6,))],
                12,
            ),
        ),
    ):
        np.testing.assert_array_equal(run(proto, x), np.clip(x, -1, 1), str(opset))
    proto = model(node("Clip", "x _ h"), [info("x", shape=(6,)), info("h", shape=())], 11)
    np.testing.assert_array_equal(run(proto, x, np.float32(2)), np.minimum(x, 2))
    # The default of version 6 is the largest finite number; version 1 has none.
    largest = np.finfo(np.float32).max
    assert run(model(node("Clip", "x"), [info("x", shape=(6,))], 6), x)[-1] == largest
    assert run(model(node("Clip", "x"), [info("x", shape=(6,))], 1), x)[-1] == np.inf


@pytest.mark.parametrize("opset", [1, 6])
def test_prelu_by_channel(opset: int) -> None:
    x = numbers((2, 3, 4)) - 1
    for shape, numpy_shape in (((3,), (3, 1)), ((1,), ()), ((2, 3, 4), (2, 3, 4))):
        slope = numbers(shape, 1)
        proto = model(
            node("PRelu", "x s"), [info("x", shape=(2, 3, 4)), info("s", shape=shape)], opset
        )
        expected = np.where(x < 0, x * slope.reshape(numpy_shape), x)
        np.testing.assert_array_equal(run(proto, x, slope), expected)


def test_prelu_does_not_stretch_its_input() -> None:
    with pytest.raises(InputError, match="slope"):
        graph_text(
            model(node("PRelu", "x s"), [info("x", shape=(1, 4)), info("s", shape=(3, 4))], 9)
        )


@pytest.mark.parametrize("operator", ["Max", "Min", "Sum", "Mean"])
def test_variadic_before_opset_8(operator: str) -> None:
    inputs = [info("a", shape=(2, 3)), info("b", shape=(3,))]
    with pytest.raises(InputError, match="shapes differ"):
        graph_text(model(node(operator, "a b"), inputs, 6))
    a, b = numbers((2, 3)), numbers((3,), 1)
    expected = {
        "Max": np.maximum(a, b),
        "Min": np.minimum(a, b),
        "Sum": a + b,
        "Mean": (a + b) / np.float32(2),
    }
    found = run(model(node(operator, "a b"), inputs, 8), a, b)
    np.testing.assert_array_equal(found, expected[operator])


def test_consumed_inputs_are_ignored() -> None:
    x = numbers((3,))
    proto = model(node("Relu", "x", consumed_inputs=[1]), [info("x", shape=(3,))], 1)
    np.testing.assert_array_equal(run(proto, x), x)
    with pytest.raises(InputError, match="consumed_inputs"):
        graph_text(model(node("Relu", "x", consumed_inputs=[1]), [info("x", shape=(3,))], 6))


@pytest.mark.parametrize(
    "opset, attributes, ok",
    [
        (1, {"is_test": 1}, True),
        (6, {"is_test": 1}, True),
        (6, {}, False),
        (7, {}, True),
        (10, {}, True),
        (12, {}, True),
    ],
)
def test_dropout(opset: int, attributes: dict[str, int], ok: bool) -> None:
    proto = model(node("Dropout", "x", "y mask", **attributes), [info("x", shape=(3,))], opset)
    if not ok:
        with pytest.raises(UnsupportedError, match="is_test = 1"):
            graph_text(proto)
        return
    x = numbers((3,))
    y, mask = run(proto, x)
    np.testing.assert_array_equal(y, x)
    assert mask.dtype == (bool if opset >= 10 else np.float32) and mask.all()


def test_batch_normalization_of_versions() -> None:
    x = numbers((2, 3, 4))
    for opset, attributes, shape, numpy_shape in (
        (6, {"is_test": 1}, (3,), (3, 1)),
        (6, {"is_test": 1, "spatial": 0}, (3, 4), (3, 4)),
        (7, {"spatial": 0}, (3, 4), (3, 4)),
        (9, {}, (3,), (3, 1)),
        (15, {}, (3,), (3, 1)),
    ):
        scale, bias, mean, var = (numbers(shape, k) for k in range(4))
        inputs = [info("x", shape=(2, 3, 4)), *(info(n, shape=shape) for n in "abcd")]
        proto = model(node("BatchNormalization", "x a b c d", **attributes), inputs, opset)
        s, b, m, v = (a.reshape(numpy_shape) for a in (scale, bias, mean, var))
        expected = (x - m) / np.sqrt(v + np.float32(1e-5)) * s + b
        np.testing.assert_allclose(run(proto, x, scale, bias, mean, var), expected, 1e-5)


def test_squeeze_and_unsqueeze_of_versions() -> None:
    x = numbers((2, 1, 3))
    for opset in (1, 11):
        axes = [1] if opset == 1 else [-2]
        proto = model(
            [node("Squeeze", "x", "s", axes=axes), node("Unsqueeze", "s", axes=[0, 3])],
            [info("x", shape=("N", 1, 3))],
            opset,
        )
        assert run(proto, x).shape == (1, 2, 3, 1)
    proto = model(
        [node("Squeeze", "x a", "s"), node("Unsqueeze", "s b")],
        [info("x", shape=(2, 1, 3)), info("a", "i64", (1,)), info("b", "i64", (2,))],
        13,
    )
    found = run(proto, x, np.array([1]), np.array([-1, 0]))
    np.testing.assert_array_equal(found, x.reshape(1, 2, 3, 1))


def test_mod_of_floats_needs_fmod_before_28() -> None:
    inputs = [info("a", shape=(2,)), info("b", shape=(2,))]
    with pytest.raises(InputError, match="fmod must be 1"):
        graph_text(model(node("Mod", "a b"), inputs, 13))
    a, b = np.float32([-5, 5]), np.float32([3, -3])
    np.testing.assert_array_equal(
        run(model(node("Mod", "a b", fmod=1), inputs, 13), a, b), np.fmod(a, b)
    )
    np.testing.assert_array_equal(run(model(node("Mod", "a b"), inputs, 28), a, b), np.mod(a, b))
