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
from .schema import (
    BF16,
    BOOL,
    CLASSIC,
    FLOAT,
    FLOAT8,
    INTEGER,
    NUMERIC,
    SIGNED,
    SINGLE,
    Legalize,
    Types,
    add,
    everything,
)

ONE = "X:T -> Y:T"
INPUT = "input:T -> output:T"
CONSUMED = "consumed_inputs:ints"


def plain(op: type[OpcOp], *attributes: str) -> Legalize:
    """Op(x) --> opc.op x, with attributes of the same names."""
    return lambda node: node.add(op(node[0], **{a: node.attr(a) for a in attributes}))


def versions(
    operator: str, op: type[OpcOp], signature: str, *rows: tuple[int, Types], attributes: str = ""
) -> None:
    """Schemas of one meaning; version 1 has ``consumed_inputs`` if version 6 follows."""
    names = [a.partition(":")[0] for a in attributes.split()]
    for since, types in rows:
        spec = attributes
        if since == 1 and any(later == 6 for later, _ in rows):
            spec = f"{CONSUMED} {attributes}"
        add(operator, since, signature, types, plain(op, *names), spec)


FLOAT_ONLY = ((1, FLOAT), (6, FLOAT), (13, FLOAT | BF16))
SINCE_22 = (22, FLOAT | BF16)

for _name, _op in (
    ("Acos", unary.AcosOp),
    ("Asin", unary.AsinOp),
    ("Atan", unary.AtanOp),
    ("Cos", unary.CosOp),
    ("Sin", unary.SinOp),
    ("Tan", unary.TanOp),
):
    versions(_name, _op, INPUT, (7, FLOAT), SINCE_22)
for _name, _op in (
    ("Acosh", unary.AcoshOp),
    ("Asinh", unary.AsinhOp),
    ("Atanh", unary.AtanhOp),
    ("Cosh", unary.CoshOp),
    ("Sinh", unary.SinhOp),
):
    versions(_name, _op, INPUT, (9, FLOAT), SINCE_22)
for _name, _op in (
    ("Ceil", unary.CeilOp),
    ("Floor", unary.FloorOp),
    ("Sqrt", unary.SqrtOp),
    ("Reciprocal", unary.ReciprocalOp),
    ("Sigmoid", unary.SigmoidOp),
):
    versions(_name, _op, ONE, *FLOAT_ONLY)
for _name, _op in (("Exp", unary.ExpOp), ("Log", unary.LogOp), ("Tanh", unary.TanhOp)):
    versions(_name, _op, INPUT, *FLOAT_ONLY)

versions("Abs", unary.AbsOp, ONE, (1, FLOAT), (6, NUMERIC), (13, NUMERIC | BF16))
versions("Neg", unary.NegOp, ONE, (1, FLOAT), (6, FLOAT | SIGNED), (13, FLOAT | SIGNED | BF16))
versions("Sign", unary.SignOp, INPUT, (9, NUMERIC), (13, NUMERIC | BF16))
versions("Round", unary.RoundOp, ONE, (11, FLOAT), SINCE_22)
versions("Not", unary.NotOp, ONE, (1, BOOL))
versions("BitwiseNot", unary.BitwiseNotOp, ONE, (18, INTEGER))
versions("Softplus", unary.SoftplusOp, ONE, (1, FLOAT), SINCE_22)
versions("Softsign", unary.SoftsignOp, INPUT, (1, FLOAT), SINCE_22)
versions("Mish", unary.MishOp, ONE, (18, FLOAT), SINCE_22)
versions("HardSwish", unary.HardSwishOp, ONE, (14, FLOAT), SINCE_22)
versions("Relu", unary.ReluOp, ONE, *FLOAT_ONLY, (14, FLOAT | SIGNED | BF16))

versions("Elu", unary.EluOp, ONE, (1, FLOAT), (6, FLOAT), SINCE_22, attributes="alpha:float=1")
versions(
    "LeakyRelu",
    unary.LeakyReluOp,
    ONE,
    (1, FLOAT),
    (6, FLOAT),
    (16, FLOAT | BF16),
    attributes="alpha:float=0.01",
)
versions(
    "HardSigmoid",
    unary.HardSigmoidOp,
    ONE,
    (1, FLOAT),
    (6, FLOAT),
    SINCE_22,
    attributes="alpha:float=0.2 beta:float=0.5",
)
versions(
    "ThresholdedRelu",
    unary.ThresholdedReluOp,
    ONE,
    (10, FLOAT),
    SINCE_22,
    attributes="alpha:float=1",
)
versions(
    "Celu",
    unary.CeluOp,
    ONE,
    (12, SINGLE),
    (28, FLOAT | BF16),
    attributes="alpha:float=1",
)
versions("Shrink", unary.ShrinkOp, INPUT, (9, NUMERIC), attributes="bias:float=0 lambd:float=0.5")
versions("Swish", unary.SiluOp, ONE, (24, FLOAT | BF16), attributes="alpha:float=1")

SELU = plain(unary.SeluOp, "alpha", "gamma")
add("Selu", 1, ONE, FLOAT, SELU, f"{CONSUMED} alpha:float=1.6732 gamma:float=1.0507")
for _since, _types in ((6, FLOAT), SINCE_22):
    add(
        "Selu",
        _since,
        ONE,
        _types,
        SELU,
        "alpha:float=1.6732632423543772 gamma:float=1.0507009873554805",
    )


def erf(node: Node) -> Result:
    """Erf(x) --> opc.erf x; integers are computed in f64."""
    type = node.element()
    if type.is_float:
        return node.add(unary.ErfOp(node[0]))
    wide = node.cast(node[0], F64)
    return node.cast(node.add(unary.ErfOp(wide)), type)


add("Erf", 9, INPUT, NUMERIC, erf)
add("Erf", 13, INPUT, FLOAT | BF16, erf)


def gelu(node: Node) -> Result:
    """Gelu(x) --> opc.gelu x."""
    form = node.attr("approximate")
    if form not in ("none", "tanh"):
        raise node.error(f'attribute approximate is "{form}", expected "none" or "tanh"')
    return node.add(unary.GeluOp(node[0], approximate=form))


add("Gelu", 20, ONE, FLOAT | BF16, gelu, "approximate:string=none")


def identity(node: Node) -> Result:
    """Identity(x) --> x, which may be an empty optional."""
    return node.value(0) if node.has(0) else Nothing()


OLD = CLASSIC
for _since in (1, 13):
    add("Identity", _since, INPUT, everything(_since, OLD | BF16 if _since > 1 else OLD), identity)
for _since in (14, 16, 19, 21, 23, 24, 25):
    _types = {"V": everything(_since)}
    add("Identity", _since, "input:V -> output:V", _types, identity, held="V")


def _predicate_operand(node: Node) -> SSAValue:
    # Types without arithmetic are exact in f32.
    return node.cast(node[0], F32) if node.element().bits < 16 else node[0]


def is_nan(node: Node) -> Result:
    """IsNaN(x) --> opc.is_nan x."""
    return node.add(unary.IsNanOp(_predicate_operand(node)))


def is_inf(node: Node) -> Result:
    """IsInf(x) --> opc.is_inf x, for the chosen signs."""
    return node.add(
        unary.IsInfOp(
            _predicate_operand(node),
            positive=bool(node.attr("detect_positive")),
            negative=bool(node.attr("detect_negative")),
        )
    )


TEST = "X:T1 -> Y:T2"
for _since, _types in ((9, FLOAT), (13, FLOAT | BF16), (20, FLOAT | BF16 | FLOAT8)):
    add("IsNaN", _since, TEST, {"T1": _types, "T2": BOOL}, is_nan)
for _since, _types in ((10, frozenset({"float", "double"})), (20, FLOAT | BF16 | FLOAT8)):
    add(
        "IsInf",
        _since,
        TEST,
        {"T1": _types, "T2": BOOL},
        is_inf,
        "detect_negative:int=1 detect_positive:int=1",
    )


def clip_by_attributes(node: Node) -> Result:
    """Clip(x) {min, max} --> opc.clip x, min, max; either may be absent."""
    return _clip(
        node,
        *(
            None if (bound := node.attr(name)) is None else node.constant(bound, node.element())
            for name in ("min", "max")
        ),
    )


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


LARGEST = "3.4028234663852886e38"
add("Clip", 1, INPUT, FLOAT, clip_by_attributes, f"{CONSUMED} min:float max:float")
add("Clip", 6, INPUT, FLOAT, clip_by_attributes, f"min:float=-{LARGEST} max:float={LARGEST}")
for _since, _types in ((11, FLOAT), (12, NUMERIC), (13, NUMERIC | BF16)):
    add("Clip", _since, "input:T min?:T max?:T -> output:T", _types, clip_by_inputs)
