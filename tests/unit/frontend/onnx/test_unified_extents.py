"""Extents that must be equal, in every mix of known and unknown ones: the bits of known extents.

What known extents give is compared with the reference of ONNX or with onnxruntime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

import opc  # noqa: E402
from opc.dialects import expr as ex  # noqa: E402
from opc.dialects.shape import Requirement  # noqa: E402
from opc.errors import ArgumentError, OpcError  # noqa: E402
from opc.interpret.graph import evaluate  # noqa: E402
from tests.unit.common.onnx_models import TYPES, graph_of, info, model, node  # noqa: E402
from tests.unit.common.tolerance import assert_same_bits  # noqa: E402

KINDS = {np.dtype(onnx.helper.tensor_dtype_to_np_dtype(t)): k for k, t in TYPES.items()}
RNG = np.random.default_rng(52)
MICROSOFT = "com.microsoft"


def floats(*shape: int, type: Any = np.float32) -> Any:
    return RNG.standard_normal(shape).astype(type)


def flags(*shape: int) -> Any:
    return RNG.random(shape) < 0.7


def integers(values: Any) -> Any:
    return np.array(values, np.int32)


@dataclass(frozen=True)
class Case:
    """A node and its inputs in order; None is an absent one."""

    operator: str
    arrays: tuple[Any, ...]
    outputs: str
    opset: int
    attributes: dict[str, Any]

    @property
    def inputs(self) -> dict[str, Any]:
        return {f"x{k}": a for k, a in enumerate(self.arrays) if a is not None}

    def model(self, is_unknown: Callable[[str, int], bool]) -> Any:
        """The model, where some axes of some inputs have unknown extents, all different ones."""
        names = " ".join("_" if a is None else f"x{k}" for k, a in enumerate(self.arrays))
        infos = [
            info(
                n,
                KINDS[a.dtype],
                [f"{n}_{k}" if is_unknown(n, k) else e for k, e in enumerate(a.shape)],
            )
            for n, a in self.inputs.items()
        ]
        made = model(node(self.operator, names, self.outputs, **self.attributes), infos, self.opset)
        made.ir_version = 11
        made.opset_import.append(onnx.helper.make_opsetid(MICROSOFT, 1))
        return made


def mixes(case: Case, count: int) -> Iterator[Callable[[str, int], bool]]:
    """All extents unknown, those of one input, those of one axis, and drawn ones."""
    yield lambda name, axis: True
    yield lambda name, axis: axis == 0
    yield lambda name, axis: axis != 0
    for name in case.inputs:
        yield lambda n, axis, name=name: n == name
    for _ in range(count):
        drawn = {(n, k): RNG.random() < 0.5 for n, a in case.inputs.items() for k in range(a.ndim)}
        yield lambda n, axis, drawn=drawn: drawn[n, axis]


def interpreted(proto: Any, arrays: dict[str, Any]) -> list[Any]:
    function = next(iter(graph_of(proto).body.block.ops))
    return list(evaluate(function, [np.asarray(a) for a in arrays.values()]))


def attention(opset: int, mask: str, past: int, mask_type: Any = np.float32, **how: Any) -> Case:
    """Attention of ONNX for two batches, with a mask of some form and so many keys before."""
    q, k, v = floats(2, 4, 3, 8), floats(2, 2, 5, 8), floats(2, 2, 5, 8)
    keys = 5 + max(past, 0)
    shape = {
        "none": None,
        "short": (3, keys - 2),
        "rows": (3, keys),
        "batches": (2, 1, 3, keys),
        "short of batches": (2, 1, 1, 3),
    }[mask]
    drawn = None if shape is None else flags(*shape) if mask_type is bool else floats(*shape)
    old = [floats(2, 2, past, 8), floats(2, 2, past, 8)] if past >= 0 else []
    arrays = (q, k, v, drawn, *old)
    return Case("Attention", arrays, "y pk pv" if old else "y", opset, how)


def linear(rule: str, past: bool, batch: int = 2, **how: Any) -> Case:
    """LinearAttention, of ONNX unless it says else; groups of two heads."""
    q, k, v = floats(batch, 5, 16), floats(batch, 5, 8) / 2, floats(batch, 5, 6)
    state = floats(batch, 2, 4, 3) if past else None
    decay = -np.abs(floats(batch, 5, 2)) if "gated" in rule else None
    rate = RNG.random((batch, 5, 1)).astype(np.float32) if "delta" in rule else None
    how |= {"q_num_heads": 4, "kv_num_heads": 2, "update_rule": rule}
    return Case("LinearAttention", (q, k, v, state, decay, rate), "y s", 27, how)


def causal(past: bool, length: int, activation: str, batch: int = 2) -> Case:
    """CausalConvWithState of ONNX, with filters of four places."""
    arrays = (floats(batch, 3, length), floats(3, 1, 4), floats(3) if past else None)
    state = (floats(batch, 3, 3),) if past else ()
    how = {"activation": activation}
    return Case("CausalConvWithState", (*arrays, *state), "y s", 27, how)


def packed(mask: str, past: int, **how: Any) -> Case:
    """Attention of com.microsoft for two batches."""
    drawn = {
        "none": None,
        "ends": integers([3, 4]),
        "ends and starts": integers([3, 4, 1, 0]),
        "rows": integers(RNG.random((2, 4 + max(past, 0))) < 0.8),
    }[mask]
    arrays = [floats(2, 4, 6), floats(6, 24), floats(24), drawn]
    arrays += [] if past < 0 else [floats(2, 2, 2, past, 4)]
    how |= {"num_heads": 2, "domain": MICROSOFT}
    return Case("Attention", tuple(arrays), "y" if past < 0 else "y p", 17, how)


def several(mask: str, **how: Any) -> Case:
    """MultiHeadAttention of com.microsoft for two batches."""
    drawn = integers([3, 5]) if mask == "ends" else integers(RNG.random((2, 5)) < 0.8)
    arrays = (floats(2, 4, 8), floats(2, 5, 8), floats(2, 5, 8), None, drawn)
    return Case("MultiHeadAttention", arrays, "y", 17, {"num_heads": 2, "domain": MICROSOFT, **how})


def grouped(new: int, past: int, totals: list[int], **how: Any) -> Case:
    """GroupQueryAttention of com.microsoft."""
    batch = len(totals)
    q, k, v = (floats(batch, new, n * 16) for n in (4, 2, 2))
    old = [floats(batch, 2, past, 16) for _ in range(2)] if past >= 0 else [None, None]
    total = np.array([max(totals, default=new + max(past, 0))], np.int32)
    tables = [floats(16, 8), floats(16, 8)] if how.get("do_rotary") else []
    how |= {"num_heads": 4, "kv_num_heads": 2, "domain": MICROSOFT}
    arrays = (q, k, v, *old, integers(totals).reshape(-1) - 1, total, *tables)
    return Case("GroupQueryAttention", arrays, "y pk pv", 17, how)


CASES = {
    "23 rows": attention(23, "rows", -1),
    "23 booleans, past": attention(23, "batches", 2, bool),
    "24 short": attention(24, "short", -1, is_causal=1),
    "24 short, booleans, past": attention(24, "short", 3, bool),
    "24 batches, no past keys": attention(24, "batches", 0),
    "25 short of batches": attention(25, "short of batches", 1, left_window_size=2),
    "23 none, softcap": attention(23, "none", 2, softcap=2.0, is_causal=1),
    "linear": linear("linear", False),
    "linear, state": linear("linear", True),
    "gated": linear("gated", True),
    "delta": linear("delta", False),
    "gated delta": linear("gated_delta", True, scale=0.5),
    "gated delta, no batch": linear("gated_delta", True, 0),
    "gated delta of com.microsoft": linear("gated_delta", True, domain=MICROSOFT),
    "linear of com.microsoft": linear("linear", False, domain=MICROSOFT),
    "causal": causal(False, 5, "silu"),
    "causal, state": causal(True, 1, "none"),
    "causal, no batch": causal(True, 4, "swish", 0),
    "packed": packed("none", -1),
    "packed, ends": packed("ends", -1, unidirectional=1),
    "packed, ends and starts": packed("ends and starts", -1),
    "packed, past": packed("rows", 3, unidirectional=1),
    "packed, past of none": packed("none", 0),
    "several, ends": several("ends"),
    "several, rows": several("rows"),
    "grouped": grouped(3, -1, [3, 3]),
    "grouped, past": grouped(1, 4, [5, 5], do_rotary=1),
    "grouped, past of none": grouped(3, 0, [3, 3], local_window_size=2),
    "grouped, no batch": grouped(3, 0, []),
}


def known(case: Case) -> list[Any]:
    """What known extents give, which is what the specification or onnxruntime says."""
    proto = case.model(lambda name, axis: False)
    found = interpreted(proto, case.inputs)
    if 0 in case.arrays[0].shape:
        assert found[0].shape[:2] == case.arrays[0].shape[:2]
        return found
    if case.attributes.get("domain"):
        onnxruntime = pytest.importorskip("onnxruntime")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(proto.SerializeToString(), options)
        wanted = session.run(None, case.inputs)
    else:
        wanted = ReferenceEvaluator(proto).run(None, case.inputs)
    for value, due in zip(found, wanted, strict=True):
        np.testing.assert_allclose(value, due, rtol=1e-4, atol=2e-5)
    return found


def check(case: Case, count: int) -> None:
    wanted = known(case)
    for is_unknown in mixes(case, count):
        found = interpreted(case.model(is_unknown), case.inputs)
        for value, due in zip(found, wanted, strict=True):
            assert_same_bits(value, due)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CASES)
def test_mixes_of_known_and_unknown_extents(name: str) -> None:
    check(CASES[name], 0)


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_more_mixes(name: str) -> None:
    check(CASES[name], 12)


CALLS: dict[str, list[Case]] = {
    "attention": [attention(24, "short of batches", past, is_causal=1) for past in (0, 2)],
    "linear": [linear("gated_delta", True, batch) for batch in (2, 0, 1)],
    "causal": [causal(True, length, "silu", batch) for length, batch in ((5, 2), (1, 1), (2, 0))],
    "packed": [packed(mask, past) for mask, past in (("ends", 3), ("ends and starts", 0))],
    "grouped": [grouped(*how, do_rotary=1) for how in ((1, 4, [3, 5]), (3, 0, [3, 3]), (3, 0, []))],
}
"""What one compiled function is called with, which knows no extent."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CALLS)
def test_one_function_for_all_extents(name: str) -> None:
    """What the interpreter gives, which knows the extents, but for the last bits of exp."""
    f = opc.compile(CALLS[name][0].model(lambda name, axis: True), target="baseline")
    for case in CALLS[name]:
        wanted = interpreted(case.model(lambda name, axis: False), case.inputs)
        for value, due in zip(f(*case.inputs.values()), wanted, strict=True):
            np.testing.assert_allclose(value, due, rtol=2e-5, atol=1e-5)


def changed(case: Case, position: int, axis: int) -> Case:
    """One input with another extent: one more along an axis."""
    arrays = list(case.arrays)
    arrays[position] = np.concatenate([arrays[position], arrays[position].take([0], axis)], axis)
    return replace(case, arrays=tuple(arrays))


WRONG = {
    "heads of keys and values": (attention(24, "rows", 2), 2, 1),
    "a mask longer than the keys": (attention(24, "rows", -1), 3, 1),
    "the batch of a state": (linear("linear", True), 3, 0),
    "the size of a state": (linear("delta", True), 3, 2),
    "the length of decays": (linear("gated", True), 4, 1),
    "channels of filters": (causal(True, 4, "none"), 1, 0),
    "places of a state": (causal(True, 4, "none"), 3, 2),
    "a bias": (causal(True, 4, "none"), 2, 0),
    "ends": (packed("ends", -1), 3, 0),
    "a past of three": (packed("none", 2), 4, 0),
    "the batch of a past": (packed("none", 2), 4, 1),
    "the total of all": (grouped(1, 4, [3, 5]), 6, 0),
}
"""A case, an input, and the axis along which it has one element too many."""


@pytest.mark.parametrize("name", WRONG)
def test_extents_that_differ_are_errors(name: str) -> None:
    """When compiling if they are known, and else in the call, with what differs."""
    case = changed(*WRONG[name])
    with pytest.raises(OpcError, match=r"\d"):
        opc.compile(case.model(lambda name, axis: False))
    with pytest.raises(ArgumentError, match=r"\d+ and \d+"):
        interpreted(case.model(lambda name, axis: True), case.inputs)


def loop(operator: str, step: str) -> Any:
    """A state of unknown extents to which an iteration does a step with another value."""
    state, value = info("h", shape=None), info("v", shape=None)
    nodes = [node(step, "h v", "g", **({"axis": 0} if step == "Concat" else {}))]
    if operator == "Scan":
        body = onnx.helper.make_graph(nodes, "body", [state, value], [info("g", shape=None)])
        inputs = [info("s", shape=("N", 3)), info("x", shape=("T", "M", "K"))]
        return model(node("Scan", "s x", "y", body=body, num_scan_inputs=1), inputs, 17)
    given = [info("i", "i64", ()), info("c", "i1", ()), state]
    nodes = [node("Identity", "c", "d"), node("Identity", "x", "v"), *nodes]
    results = [info("d", "i1", ()), info("g", shape=None)]
    body = onnx.helper.make_graph(nodes, "body", given, results)
    inputs = [info("n", "i64", ()), info("s", shape=("N", 3)), info("x", shape=("M", "K"))]
    return model(node("Loop", "n _ s", "y", body=body), inputs, 17)


@pytest.mark.parametrize("extents", [(2, 3), (2, 1), (1, 3), (0, 3)], ids=str)
def test_a_state_of_scan_keeps_its_extents(extents: tuple[int, int]) -> None:
    """What is added may be stretched, and the state may not."""
    rows, columns = extents
    proto, arrays = loop("Scan", "Add"), {"s": floats(rows, 3), "x": floats(4, rows, columns)}
    (found,) = interpreted(proto, arrays)
    np.testing.assert_allclose(found, arrays["s"] + arrays["x"].sum(0), rtol=1e-5, atol=1e-6)
    with pytest.raises(ArgumentError, match="state changes its shape"):
        interpreted(proto, {"s": floats(5, 3), "x": floats(4, 6, 3)})


def test_a_state_that_cannot_keep_its_extents_is_refused() -> None:
    with pytest.raises(OpcError, match="at first and"):
        graph_of(loop_of_known("Scan"))


def loop_of_known(operator: str) -> Any:
    """A state of three rows, which becomes one of four."""
    proto = loop(operator, "Concat")
    for value, shape in zip(proto.graph.input[-2:], ((3, 3), (2, 1, 3)), strict=True):
        value.CopyFrom(info(value.name, shape=shape))
    return proto


def test_a_carried_value_of_loop_may_be_unified() -> None:
    proto = loop("Loop", "Add")
    for rows in (2, 0):
        arrays = {"n": np.int64(3), "s": floats(rows, 3), "x": floats(rows, 3)}
        (found,) = interpreted(proto, arrays)
        np.testing.assert_allclose(found, arrays["s"] + 3 * arrays["x"], rtol=1e-5, atol=1e-6)


N = ex.sym("N")


@pytest.mark.parametrize(
    ("left", "right", "decided"),
    [
        (N, N, True),
        (N, N + 1, False),
        (N * 2 + 3, N * 2, False),
        (ex.const(3), ex.const(4), False),
        (N, N * 2, None),
        (N, ex.sym("M") + 1, None),
        (ex.broadcast(N, ex.sym("M")), N, None),
    ],
    ids=str,
)
def test_where_it_is_decided(left: ex.Expr, right: ex.Expr, decided: bool | None) -> None:
    """Equal extents, those that no call can make equal, and those that a call decides."""
    assert Requirement("equal", left, right, "rows").decided() is decided
    assert Requirement("equal", right, left, "rows").decided() is decided
