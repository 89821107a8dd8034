"""Elementwise operators of one input."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.element import F32, F64
from opc.dialects.opc import unary
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import ClipOp, MaxOp, MinOp
from opc.dialects.shape import type_text
from opc.frontend.models.known import Nothing
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import Legalize, onnx


def plain(op: type[OpcOp]) -> Legalize:
    """Op(x) --> opc.op x, with attributes of the same names."""
    names = {p.name for p in op.params}

    def legalize(node: Node) -> Result:
        shared = [a.name for a in node.schema.attributes if a.name in names]
        return node.add(op(node[0], **{name: node.attr(name) for name in shared}))

    return legalize


PLAIN: dict[str, tuple[type[OpcOp], tuple[int, ...]]] = {
    "Abs": (unary.AbsOp, (1, 6, 13)),
    "Acos": (unary.AcosOp, (7, 22)),
    "Acosh": (unary.AcoshOp, (9, 22)),
    "Asin": (unary.AsinOp, (7, 22)),
    "Asinh": (unary.AsinhOp, (9, 22)),
    "Atan": (unary.AtanOp, (7, 22)),
    "Atanh": (unary.AtanhOp, (9, 22)),
    "BitwiseNot": (unary.BitwiseNotOp, (18,)),
    "Ceil": (unary.CeilOp, (1, 6, 13)),
    "Celu": (unary.CeluOp, (12, 28)),
    "Cos": (unary.CosOp, (7, 22)),
    "Cosh": (unary.CoshOp, (9, 22)),
    "Elu": (unary.EluOp, (1, 6, 22)),
    "Exp": (unary.ExpOp, (1, 6, 13)),
    "Floor": (unary.FloorOp, (1, 6, 13)),
    "HardSigmoid": (unary.HardSigmoidOp, (1, 6, 22)),
    "HardSwish": (unary.HardSwishOp, (14, 22)),
    "LeakyRelu": (unary.LeakyReluOp, (1, 6, 16)),
    "Log": (unary.LogOp, (1, 6, 13)),
    "Mish": (unary.MishOp, (18, 22)),
    "Neg": (unary.NegOp, (1, 6, 13)),
    "Not": (unary.NotOp, (1,)),
    "Reciprocal": (unary.ReciprocalOp, (1, 6, 13)),
    "Relu": (unary.ReluOp, (1, 6, 13, 14)),
    "Round": (unary.RoundOp, (11, 22)),
    "Selu": (unary.SeluOp, (1, 6, 22)),
    "Shrink": (unary.ShrinkOp, (9,)),
    "Sigmoid": (unary.SigmoidOp, (1, 6, 13)),
    "Sign": (unary.SignOp, (9, 13)),
    "Sin": (unary.SinOp, (7, 22)),
    "Sinh": (unary.SinhOp, (9, 22)),
    "Softplus": (unary.SoftplusOp, (1, 22)),
    "Softsign": (unary.SoftsignOp, (1, 22)),
    "Sqrt": (unary.SqrtOp, (1, 6, 13)),
    "Swish": (unary.SiluOp, (24,)),
    "Tan": (unary.TanOp, (7, 22)),
    "Tanh": (unary.TanhOp, (1, 6, 13)),
    "ThresholdedRelu": (unary.ThresholdedReluOp, (10, 22)),
}
"""Operators of one input that mean the same in all versions, and the versions."""
for _name, (_op, _since) in PLAIN.items():
    onnx(_name, *_since)(plain(_op))


@onnx("Erf", 9, 13)
def erf(node: Node) -> Result:
    """Erf(x) --> opc.erf x; integers are computed in f64."""
    type = node.element()
    if type.is_float:
        return node.add(unary.ErfOp(node[0]))
    wide = node.cast(node[0], F64)
    return node.cast(node.add(unary.ErfOp(wide)), type)


@onnx("Gelu", 20)
def gelu(node: Node) -> Result:
    """Gelu(x) --> opc.gelu x."""
    form = node.attr("approximate")
    if form not in ("none", "tanh"):
        raise node.error(f'attribute approximate is "{form}", expected "none" or "tanh"')
    return node.add(unary.GeluOp(node[0], approximate=form))


@onnx("Identity", 1, 13, 14, 16, 19, 21, 23, 24, 25)
def identity(node: Node) -> Result:
    """Identity(x) --> x, which may be an empty optional."""
    return node.value(0) if node.has(0) else Nothing()


def _predicate_operand(node: Node) -> SSAValue:
    # Types without arithmetic are exact in f32.
    return node.cast(node[0], F32) if node.element().bits < 16 else node[0]


@onnx("IsNaN", 9, 13, 20)
def is_nan(node: Node) -> Result:
    """IsNaN(x) --> opc.is_nan x."""
    return node.add(unary.IsNanOp(_predicate_operand(node)))


@onnx("IsInf", 10, 20)
def is_inf(node: Node) -> Result:
    """IsInf(x) --> opc.is_inf x, for the chosen signs."""
    return node.add(
        unary.IsInfOp(
            _predicate_operand(node),
            positive=bool(node.attr("detect_positive")),
            negative=bool(node.attr("detect_negative")),
        )
    )


@onnx("Clip", 1, 6)
def clip_by_attributes(node: Node) -> Result:
    """Clip(x) {min, max} --> opc.clip x, min, max; either may be absent."""
    return _clip(
        node,
        *(
            None if (bound := node.attr(name)) is None else node.constant(bound, node.element())
            for name in ("min", "max")
        ),
    )


@onnx("Clip", 11, 12, 13)
def clip_by_inputs(node: Node) -> Result:
    """Clip(x, min, max) --> opc.clip x, min, max; either may be absent."""
    bounds: list[SSAValue | None] = []
    for k, name in ((1, "min"), (2, "max")):
        if not node.has(k):
            bounds.append(None)
            continue
        if any(e != 1 for e in node.shape(k)):
            raise node.error(f"{name} must be a scalar, found {type_text(node[k].type)}")
        bounds.append(node.reshape(node[k], ()))
    return _clip(node, *bounds)


def _clip(node: Node, low: SSAValue | None, high: SSAValue | None) -> SSAValue:
    x = node[0]
    if low is not None and high is not None:
        return node.add(ClipOp(x, low, high))
    if low is not None:
        return node.add(MaxOp(x, low))
    return x if high is None else node.add(MinOp(x, high))
