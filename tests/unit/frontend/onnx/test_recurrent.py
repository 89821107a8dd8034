"""RNN, GRU and LSTM against onnxruntime and torch, over what their attributes and inputs allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
from opc.errors import InputError, OpcError
from tests.unit.common.onnx_models import function, info, model, node, run

pytestmark = [pytest.mark.level("-O0"), pytest.mark.sample(4)]

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
STEPS, BATCH, INPUTS, HIDDEN = 5, 3, 4, 6


def reference(proto: Any, *arrays: Any) -> list[Any]:
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    names = [i.name for i in session.get_inputs()]
    return session.run(None, dict(zip(names, arrays, strict=True)))


def case(
    kind: str,
    seed: int = 0,
    given: str = "BLH",
    type: str = "f32",
    steps: Any = STEPS,
    batch: Any = BATCH,
    opset: int = 14,
    **attributes: Any,
) -> tuple[Any, list[Any]]:
    """A model of one node; ``given``: Bias, Lengths, initial H, initial C, Peepholes."""
    draw = np.random.default_rng(seed)
    ways = 2 if attributes.get("direction") == "bidirectional" else 1
    gates = GATES[kind]
    shapes: list[tuple[str, Any, bool]] = [
        ("X", (steps, batch, INPUTS), True),
        ("W", (ways, gates * HIDDEN, INPUTS), True),
        ("R", (ways, gates * HIDDEN, HIDDEN), True),
        ("B", (ways, 2 * gates * HIDDEN), "B" in given),
        ("L", (batch,), "L" in given),
        ("H", (ways, batch, HIDDEN), "H" in given),
        ("C", (ways, batch, HIDDEN), "C" in given),
        ("P", (ways, 3 * HIDDEN), "P" in given),
    ]
    shapes = shapes[: 8 if kind == "LSTM" else 6]
    infos, arrays, names = [], [], []
    for name, shape, is_given in shapes:
        names.append(name if is_given else "_")
        if is_given:
            infos.append(info(name, "i32" if name == "L" else type, shape))
            known = [{"T": STEPS, "N": BATCH}.get(n, n) for n in shape]
            value = draw.normal(size=known).astype({"f64": "d", "f16": np.float16}.get(type, "f"))
            if name == "L":
                value = np.array([STEPS, 2, 3], np.int32)
            arrays.append(value)
    while names[-1] == "_":
        names.pop()
    outputs = "Y Y_h Y_c" if kind == "LSTM" else "Y Y_h"
    made = node(kind, " ".join(names), outputs, hidden_size=HIDDEN, **attributes)
    found = [info(n, type, None) for n in outputs.split()]
    return model(made, infos, opset, found), arrays


def check(proto: Any, arrays: list[Any], tolerance: float = 2e-6) -> None:
    wanted = reference(proto, *arrays)
    for found, right in zip(run(proto, *arrays), wanted, strict=True):
        np.testing.assert_allclose(found, right, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("given", ["", "BLHCP"])
@pytest.mark.parametrize("kind", list(GATES))
def test_directions(kind: str, given: str, direction: str) -> None:
    check(*case(kind, given=given, direction=direction))


@pytest.mark.parametrize("kind", list(GATES))
def test_symbolic_extents(kind: str) -> None:
    check(*case(kind, steps="T", batch="N", direction="bidirectional"))


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [
        ("GRU", {"linear_before_reset": 1}),
        ("GRU", {"linear_before_reset": 1, "clip": 0.5}),
        ("GRU", {"clip": 0.5, "activations": ["HardSigmoid", "Relu"]}),
        ("LSTM", {"clip": 0.5}),
        ("LSTM", {"activations": ["Sigmoid", "Softsign", "Relu"]}),
        ("LSTM", {"activations": ["HardSigmoid", "Tanh", "Tanh"], "activation_alpha": [0.3]}),
        ("RNN", {"activations": ["Relu"], "clip": 0.7}),
        ("RNN", {"activations": ["Affine"], "activation_alpha": [0.5], "activation_beta": [0.1]}),
        ("RNN", {"activations": ["LeakyRelu"], "activation_alpha": [0.2]}),
        (
            "RNN",
            {"activations": ["ScaledTanh"], "activation_alpha": [1.5], "activation_beta": [2.0]},
        ),
        ("RNN", {"activations": ["Elu"], "activation_alpha": [1.5]}),
        ("RNN", {"activations": ["ThresholdedRelu"], "activation_alpha": [0.2]}),
        ("RNN", {"activations": ["Softplus"]}),
    ],
)
def test_attributes(kind: str, attributes: dict[str, Any]) -> None:
    check(*case(kind, given="BH", **attributes))


def test_without_bias_before_reset() -> None:
    check(*case("GRU", given="H", linear_before_reset=1))


@pytest.mark.parametrize("kind", list(GATES))
def test_no_steps(kind: str) -> None:
    """Of no steps, the last states are the first ones."""
    proto, arrays = case(kind, given="HC", steps="T")
    arrays[0] = arrays[0][:0]
    y, *last = run(proto, *arrays)
    assert y.shape == (0, 1, BATCH, HIDDEN)
    for found, first in zip(last, arrays[3:], strict=True):
        np.testing.assert_array_equal(found, first)


@pytest.mark.parametrize("kind", list(GATES))
def test_element_types(kind: str) -> None:
    """f64 is computed in f64, and f16 in f32, against f32."""
    proto, arrays = case(kind, given="BH")
    wanted = run(proto, *arrays)
    for type, dtype, tolerance in (("f64", np.float64, 1e-5), ("f16", np.float16, 2e-2)):
        other, _ = case(kind, given="BH", type=type)
        found = run(other, *(a.astype(dtype) for a in arrays))
        for a, b in zip(found, wanted, strict=True):
            assert a.dtype == dtype
            np.testing.assert_allclose(a, b, atol=tolerance)


@pytest.mark.parametrize("opset", [1, 7, 22])
@pytest.mark.parametrize("kind", list(GATES))
def test_versions(kind: str, opset: int) -> None:
    right = run(*(lambda p, a: (p, *a))(*case(kind)))
    found = run(*(lambda p, a: (p, *a))(*case(kind, opset=opset)))
    for a, b in zip(found, right, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("kind", list(GATES))
def test_layout(kind: str) -> None:
    proto, arrays = case(kind, given="BLHC", direction="bidirectional")
    wanted = run(proto, *arrays)
    other, _ = case(kind, given="BLHC", direction="bidirectional", layout=1)
    shapes = {i.name: i for i in other.graph.input}
    turned = []
    for name, array in zip(shapes, arrays, strict=True):
        turned.append(array.swapaxes(0, 1) if name in ("X", "H", "C") else array)
        for axis, extent in enumerate(turned[-1].shape):
            shapes[name].type.tensor_type.shape.dim[axis].dim_value = extent
    y, *last = run(other, *turned)
    np.testing.assert_array_equal(y, wanted[0].transpose(2, 0, 1, 3))
    for a, b in zip(last, wanted[1:], strict=True):
        np.testing.assert_array_equal(a, b.swapaxes(0, 1))


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    module = torch.nn.LSTM(INPUTS, HIDDEN)
    w, r, b, c = (getattr(module, f"{n}_l0").detach().numpy() for n in _NAMES)

    def iofc(x: Any) -> Any:
        i, f, g, o = np.split(x, 4)
        return np.concatenate([i, o, f, g])

    x = np.random.default_rng(1).normal(size=(STEPS, BATCH, INPUTS)).astype("f")
    proto, _ = case("LSTM", given="B")
    bias = np.concatenate([iofc(b), iofc(c)])
    found = run(proto, x, iofc(w)[None], iofc(r)[None], bias[None])
    y, (h, cell) = module(torch.from_numpy(x))
    for a, wanted in zip(found, (y[:, None], h, cell), strict=True):
        np.testing.assert_allclose(a, wanted.detach().numpy(), atol=1e-6)


_NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"direction": "both"}, "direction"),
        ({"activations": ["Tanh", "Tanh", "Tanh"]}, "found 3 activations, expected 1"),
        ({"activations": ["Sin"]}, 'activation "Sin"'),
    ],
)
def test_refused(attributes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        function(case("RNN", **attributes)[0])


def test_shapes_that_do_not_fit() -> None:
    proto, _ = case("RNN", given="B")
    proto.graph.input[3].type.tensor_type.shape.dim[1].dim_value = 5
    with pytest.raises(OpcError, match="an extent of B does not fit"):
        function(proto)
