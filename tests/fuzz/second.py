"""ONNX's reference implementation and onnxruntime, as oracles for the interpreter itself.

Every operator that ONNX has too is evaluated alone, on what the graph computes before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import PReluOp, SumOp
from opc.dialects.opc.contraction import ContractOp, ConvOp, ConvTransposeOp, MatmulOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.cumulative import Cumulative
from opc.dialects.opc.indexing import GatherOp, ScatterElementsOp
from opc.dialects.opc.movement import BroadcastOp, ReshapeOp, TransposeOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import element
from opc.interpret import bounds, control
from opc.interpret.bounds import Bounded
from opc.interpret.precision import Array, is_float
from opc.interpret.tolerance import (
    greatest_of,
)
from tests.unit.common.tolerance import (
    contract_bound,
    conv_bound,
    conv_transpose_bound,
    matmul_bound,
)

from .compare import within
from .graph import Graph
from .inexact import is_inexact

OPSET = 20
NAMES = {
    "opc.is_nan": "IsNaN", "opc.is_inf": "IsInf", "opc.prelu": "PRelu", "opc.matmul": "MatMul",
    "opc.contract": "Einsum",
    "opc.less_equal": "LessOrEqual", "opc.greater_equal": "GreaterOrEqual",
    "opc.argmax": "ArgMax", "opc.argmin": "ArgMin", "opc.broadcast": "Expand",
}  # fmt: skip
"""Names of ONNX that are not those of opc in another spelling."""
ATTRIBUTES = {
    "permutation": "perm",
    "groups": "group",
    "positive": "detect_positive",
    "negative": "detect_negative",
}
OPEN = {"Div", "Mod", "Pow", "Shrink"}
"""What ONNX leaves open for integers: division by zero and overflow."""
EXTREMES = {"Max", "Min", "Clip", "ArgMax", "ArgMin", "ReduceMax", "ReduceMin", "Relu", "Sign"}
"""What ONNX leaves open for NaN."""
SKIPPED = {
    "Gelu": "both compute it by a formula that cancels, one of them in f16",
    "Mean": "both multiply by a reciprocal, or add in f16",
    "ThresholdedRelu": "the threshold is rounded to f32, and so decides otherwise",
    "ReduceLogSumExp": "neither gives what the formula does for infinities and NaN",
}
"""Operators of ONNX whose implementations differ from each other, and why."""


MISSING = [name for name in ("onnx", "onnxruntime") if find_spec(name) is None]


def check(graph: Graph) -> Counter[str]:
    """Difference if an operator is further off than the bounds of both sides together.

    How many operators each of them was asked for.
    """
    counts = Counter[str]()
    arrays = dict(zip(graph.function.body.block.args, graph.inputs, strict=True))
    for op in graph.function.body.block.ops:
        if isinstance(op, OpcOp):
            operands = [arrays[v] for v in op.operands]
            wanted = bounds.apply(op, [Bounded.exact(a) for a in operands], graph.symbols)
            arrays[op.result] = wanted.value
            compare(op, operands, wanted, counts)
        elif isinstance(op, ControlOp):
            found = control.run(op, [arrays[v] for v in op.operands], graph.symbols)
            arrays.update(zip(op.results, found, strict=True))
    return counts


def compare(op: OpcOp, operands: Sequence[Array], wanted: Bounded, counts: Counter[str]) -> None:
    """The same for one operator."""
    model = one_node(op, operands, wanted.value)
    if model is None:
        return
    feeds = {f"x{k}": a for k, a in enumerate(operands)}
    error = 3 * wanted.error
    if isinstance(op, Reduction):
        # Where memory is not in order they add one value after the other, not in pairs.
        error = error * max(1, operands[0].size // wanted.value.size)
    if is_inexact(op, operands):
        # Both have attributes in f32, and compute in f16 what is f16: it is the meaning that is
        # compared.
        unit = 2.0**-8 if wanted.value.itemsize == 2 else 2.0**-14
        error = error + unit * (1 + _size(operands[0]) + _size(wanted.value))
    if isinstance(op, SumOp) and wanted.value.itemsize == 2 and is_float(wanted.value):
        # They round every step to the type of the operands.
        error = error + 2.0**-8 * len(operands) * sum(map(_size, operands))
    if isinstance(op, PReluOp):
        # The reference multiplies 0, too, by the slope, which gives NaN where that is not finite.
        x, slope = np.broadcast_arrays(*map(bounds.numeric, operands))
        error = np.where((x == 0) & ~np.isfinite(slope), np.inf, error)
    if isinstance(op, ContractOp | MatmulOp | ConvOp | ConvTransposeOp) and is_float(wanted.value):
        # They add in an order of their own, and may round f16 with every step.
        type = element(op.type)
        steps = 2.0**13 if type.is_small_float else 1.0
        if isinstance(op, ContractOp):
            bound = contract_bound(operands, type, op.values()["equation"])
        elif isinstance(op, MatmulOp):
            bound = matmul_bound(operands[0], operands[1], type)
        else:
            bound_of = conv_bound if isinstance(op, ConvOp) else conv_transpose_bound
            bound = bound_of(operands[0], operands[1], type, op.values())
        error = error + 3 * steps * bound
        # Partial sums may overflow in one order, and not in another one.
        most = bounds.most_of(op)(*(np.abs(bounds.numeric(a)) for a in operands))
        error = np.where(most > greatest_of(wanted.value), np.inf, error)
    for name, run in (("reference of ONNX", _reference), ("onnxruntime", _onnxruntime)):
        found = run(model, feeds)
        if found is not None:
            counts[name] += 1
            within(found, Bounded(wanted.value, error), f"{name}, {op.name}")


def _size(x: Array) -> Array:
    return np.abs(np.where(np.isfinite(bounds.numeric(x)), bounds.numeric(x), 0))


def one_node(op: OpcOp, operands: Sequence[Array], result: Array) -> Any:
    """A model of the operator alone; None if ONNX has none, or leaves open what it gives."""
    import onnx
    from onnx import helper

    name = NAMES.get(op.name) or "".join(w.capitalize() for w in op.name[4:].split("_"))
    if not onnx.defs.has(name, OPSET) or name in SKIPPED or _is_open(name, op, operands, result):
        return None
    schema = onnx.defs.get_schema(name, OPSET)
    if isinstance(op, TransposeOp) and result.ndim == 0:
        return None
    params = {ATTRIBUTES.get(k, k): v for k, v in op.values().items() if v is not None}
    more: list[Array] = []
    if isinstance(op, Reduction):
        if len(operands) == 2 or params.get("axes") == ():
            return None
        if "axes" in params and "axes" not in schema.attributes:
            more = [np.asarray(params["axes"], np.int64)]
    if isinstance(op, Cumulative):
        more = [np.asarray(params["axis"], np.int64)]
    if isinstance(op, ReshapeOp | BroadcastOp):
        more = [np.asarray(result.shape, np.int64)]
    if isinstance(op, GatherOp):
        if len(params["axes"]) > 1 or params["batch"]:
            return None
        (params["axis"],) = params["axes"]
    if isinstance(op, CastOp):
        params["to"] = helper.np_dtype_to_tensor_dtype(result.dtype)
    allowed = {k: v for k, v in params.items() if k in schema.attributes}
    given = {k: int(v) if isinstance(v, bool) else v for k, v in allowed.items()}
    names = [f"x{k}" for k in range(len(operands))]
    if isinstance(op, ScatterElementsOp):
        names[1:] = names[:0:-1]  # indices come before updates there
    fixed = [helper.make_tensor(f"c{k}", 7, a.shape, a) for k, a in enumerate(more)]
    node = helper.make_node(name, [*names, *(f.name for f in fixed)], ["y"], **given)
    ins = [_info(f"x{k}", a) for k, a in enumerate(operands)]
    made = helper.make_graph([node], "node", ins, [_info("y", result)], fixed)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception:
        # A type that the operator of ONNX does not take.
        return None
    return model


def _info(name: str, array: Array) -> Any:
    from onnx import helper

    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, kind, array.shape)


def _is_open(name: str, op: OpcOp, operands: Sequence[Array], result: Array) -> bool:
    if not operands or any(a.dtype.kind == "V" for a in (*operands, result)):
        return True
    first = operands[0]
    floats = [a for a in operands if is_float(a)]
    is_sum = name == "Einsum" or name.startswith("Reduce")
    if (name in OPEN or is_sum) and not floats:
        # Of integers, one of them goes through f64 in sums.
        return True
    if isinstance(op, CastOp):
        # Out of range is open, and one of them rounds twice on the way from f64 to f16.
        return is_float(first) != is_float(result) or result.itemsize == 2
    if isinstance(op, Reduction | Cumulative | ContractOp) and result.itemsize == 2:
        # Both add up in f16.
        return True
    if isinstance(op, ContractOp) and len(operands) > 2:
        # They choose what they multiply first, which may overflow or vanish.
        return True
    if first.size == 0 or result.size == 0:
        return True
    if isinstance(op, ConvOp) and any(d != 1 for d in op.values()["dilations"]):
        # The reference puts zeros between the weights, which infinities make NaN.
        return not np.isfinite(bounds.numeric(first)).all()
    is_extreme = name in EXTREMES
    if isinstance(op, ScatterElementsOp):
        # Both take the greater by a comparison, so that a NaN stays or goes with the order.
        is_extreme = op.values()["reduction"] in ("max", "min")
    return is_extreme and any(np.isnan(a.astype(np.float64)).any() for a in floats)


def _reference(model: Any, feeds: dict[str, Array]) -> Array | None:
    from onnx.reference import ReferenceEvaluator

    try:
        with np.errstate(all="ignore"):
            found = np.asarray(ReferenceEvaluator(model).run(None, feeds)[0])
    except Exception:
        # Some operators of it fail for rank 0, or for a type.
        return None
    kind = model.graph.output[0].type.tensor_type.elem_type
    from onnx import helper

    return found if helper.np_dtype_to_tensor_dtype(found.dtype) == kind else None


def _onnxruntime(model: Any, feeds: dict[str, Array]) -> Array | None:
    import onnxruntime as ort

    if any(a.dtype.kind == "V" or a.dtype.name == "bfloat16" for a in feeds.values()):
        return None
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = ort.InferenceSession(model.SerializeToString(), options)
        return np.asarray(session.run(None, feeds)[0])
    except Exception:
        # There is no kernel for the type, or it fails for an empty list.
        return None
