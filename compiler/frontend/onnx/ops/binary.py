"""Elementwise operators of two or more inputs, with the legacy broadcasting of opsets 1 to 6."""

from __future__ import annotations

from functools import reduce

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc import binary
from opc.dialects.opc.base import OpcOp
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models.op_builder import Result

from .legacy import broadcast_to_left, equal_shapes, slope_of_channels
from .node import Node
from .schema import (
    BF16,
    BOOL,
    CLASSIC,
    FLOAT,
    HIGH,
    INTEGER,
    NUMERIC,
    UNSIGNED,
    Legalize,
    Types,
    add,
    everything,
)
from .unary import CONSUMED

ARITHMETIC = "A:T B:T -> C:T"
COMPARISON = "A:T B:T -> C:T1"
LEGACY = "axis:int broadcast:int=0"


def numpy(op: type[OpcOp]) -> Legalize:
    """Op(a, b) --> opc.op a, b, broadcast as in NumPy."""
    return lambda node: node.add(op(node[0], node[1]))


def limited(op: type[OpcOp]) -> Legalize:
    """Op(a, b) {axis, broadcast} --> opc.op a, reshape b: opset 1 to 6."""
    return lambda node: node.add(op(node[0], broadcast_to_left(node)))


for _name, _op in (
    ("Add", binary.AddOp),
    ("Sub", binary.SubOp),
    ("Mul", binary.MulOp),
    ("Div", binary.DivOp),
):
    add(_name, 1, ARITHMETIC, FLOAT, limited(_op), f"{LEGACY} {CONSUMED}")
    add(_name, 6, ARITHMETIC, HIGH, limited(_op), LEGACY)
    add(_name, 7, ARITHMETIC, HIGH, numpy(_op))
    add(_name, 13, ARITHMETIC, HIGH | BF16, numpy(_op))
    add(_name, 14, ARITHMETIC, NUMERIC | BF16, numpy(_op))


def comparison(operator: str, op: type[OpcOp], *rows: tuple[int, Types]) -> None:
    """Schemas of an operator with a boolean result."""
    for since, types in rows:
        old = since < 7
        add(
            operator,
            since,
            COMPARISON,
            {"T": types, "T1": BOOL},
            limited(op) if old else numpy(op),
            LEGACY if old else "",
        )


for _name, _op in (("And", binary.AndOp), ("Or", binary.OrOp), ("Xor", binary.XorOp)):
    comparison(_name, _op, (1, BOOL), (7, BOOL))
for _name, _op in (("Greater", binary.GreaterOp), ("Less", binary.LessOp)):
    comparison(_name, _op, (1, FLOAT), (7, FLOAT), (9, NUMERIC), (13, NUMERIC | BF16))
for _name, _op in (("GreaterOrEqual", binary.GreaterEqualOp), ("LessOrEqual", binary.LessEqualOp)):
    comparison(_name, _op, (12, NUMERIC), (16, NUMERIC | BF16))
FEW = frozenset({"bool", "int32", "int64"})
comparison(
    "Equal",
    binary.EqualOp,
    (1, FEW),
    (7, FEW),
    (11, CLASSIC),
    (13, CLASSIC | BF16),
    (19, CLASSIC | BF16),
)

for _name, _op in (
    ("BitwiseAnd", binary.BitwiseAndOp),
    ("BitwiseOr", binary.BitwiseOrOp),
    ("BitwiseXor", binary.BitwiseXorOp),
):
    add(_name, 18, ARITHMETIC, INTEGER, numpy(_op))


def bit_shift(node: Node) -> Result:
    """BitShift(x, y) {direction} --> opc.shift_left x, y or opc.shift_right x, y."""
    ops = {"LEFT": binary.ShiftLeftOp, "RIGHT": binary.ShiftRightOp}
    direction = node.attr("direction")
    if direction not in ops:
        raise node.error(f'attribute direction is "{direction}", expected "LEFT" or "RIGHT"')
    return node.add(ops[direction](node[0], node[1]))


for _since, _types in ((11, UNSIGNED), (28, INTEGER)):
    add("BitShift", _since, "X:T Y:T -> Z:T", _types, bit_shift, "direction:string!")


def mod(node: Node) -> Result:
    """Mod(a, b) {fmod} --> opc.mod a, b {fmod}; floats need fmod = 1 before version 28."""
    fmod = node.attr("fmod")
    if fmod not in (0, 1):
        raise node.error(f"attribute fmod is {fmod}, expected 0 or 1")
    if node.element().is_float and not fmod and node.since < 28:
        raise node.error(f"attribute fmod must be 1 for {node.element()} before version 28")
    return node.add(binary.ModOp(node[0], node[1], fmod=bool(fmod)))


for _since, _types in ((10, NUMERIC), (13, NUMERIC | BF16), (28, NUMERIC | BF16)):
    add("Mod", _since, ARITHMETIC, _types, mod, "fmod:int=0")


def prelu(node: Node) -> Result:
    """PRelu(x, slope) --> opc.prelu x, slope; only the slope broadcasts."""
    x, slope = shape_of(tensor_of(node[0])), shape_of(tensor_of(node[1]))
    if len(slope) > len(x):
        raise node.error(f"slope {shape_text(slope)} has more axes than the input {shape_text(x)}")
    for a, b in zip(slope[::-1], x[::-1], strict=False):
        node.require("stretch", a, b, "extents of the slope do not fit the input")
    return node.add(binary.PReluOp(node[0], node[1]))


def prelu_by_channel(node: Node) -> Result:
    """PRelu(x, slope) --> opc.prelu x, reshape slope: one slope for each channel, or for all."""
    return node.add(binary.PReluOp(node[0], slope_of_channels(node)))


PRELU = "X:T slope:T -> Y:T"
add("PRelu", 1, PRELU, FLOAT, prelu_by_channel, CONSUMED)
add("PRelu", 6, PRELU, FLOAT, prelu_by_channel)
for _since, _types in ((7, FLOAT), (9, HIGH), (16, HIGH | BF16)):
    add("PRelu", _since, PRELU, _types, prelu)


def where(node: Node) -> Result:
    """Where(condition, x, y) --> opc.where condition, x, y."""
    return node.add(binary.WhereOp(*node.tensors()))


for _since in (9, 16):
    add(
        "Where",
        _since,
        "condition:B X:T Y:T -> output:T",
        {"B": BOOL, "T": CLASSIC if _since < 16 else everything(_since)},
        where,
    )


def power(node: Node) -> Result:
    """Pow(x, y) --> opc.pow x, y, in a type that holds both, cast back to that of x."""
    base, exponent = node.element(0), node.element(1)
    if base is exponent:
        return node.add(binary.PowOp(node[0], node[1]))
    wide = _power_type(base, exponent)
    y = _fold_exponent(node, node[1]) if exponent.name == "ui64" and wide is el.I64 else node[1]
    raised = node.add(binary.PowOp(node.cast(node[0], wide), node.cast(y, wide)))
    return node.cast(raised, base)


def _power_type(base: el.ElementType, exponent: el.ElementType) -> el.ElementType:
    if base.is_integer and exponent.is_integer:
        # Integer powers wrap: their low bits are exact.
        return (
            base
            if exponent.bits < base.bits
            or (exponent.bits == base.bits and exponent.kind == base.kind)
            else el.I64
        )
    small = {type for type in (base, exponent) if type.is_small_float or type is el.F32}
    integers = [type for type in (base, exponent) if type.is_integer]
    exact = all(type.bits <= 16 for type in integers)
    return el.F32 if exact and len(small) + len(integers) == 2 else el.F64


def _fold_exponent(node: Node, y: SSAValue) -> SSAValue:
    """A 64-bit exponent below 2^63 that gives the same power modulo 2^64.

    Powers of an odd number repeat after 2^62; those of an even one are 0 from exponent 64 on.
    """
    low = node.add(binary.BitwiseAndOp(y, node.constant(2**63 - 1, element(tensor_of(y)))))
    folded = node.add(binary.BitwiseOrOp(low, node.constant(2**62, element(tensor_of(y)))))
    large = node.add(binary.GreaterOp(y, low))
    return node.add(binary.WhereOp(large, folded, y))


add("Pow", 1, "X:T Y:T -> Z:T", FLOAT, limited(binary.PowOp), LEGACY)
add("Pow", 7, "X:T Y:T -> Z:T", FLOAT, power)
BASES = FLOAT | {"int32", "int64"}
for _since, _types, _exponents in (
    (12, BASES, NUMERIC),
    (13, BASES | BF16, NUMERIC),
    (15, BASES | BF16, NUMERIC | BF16),
):
    add("Pow", _since, "X:T Y:T1 -> Z:T", {"T": _types, "T1": _exponents}, power)


def variadic(op: type[OpcOp]) -> Legalize:
    """Op(a, b, c) --> opc.op a, b, c; before version 8 the shapes are equal."""

    def legalize(node: Node) -> Result:
        if node.since < 8:
            reduce(lambda a, b: equal_shapes(node, a, b), node.tensors())
        return node.add(op(*node.tensors()))

    return legalize


for _name, _op in (
    ("Max", binary.MaxOp),
    ("Min", binary.MinOp),
    ("Sum", binary.SumOp),
    ("Mean", binary.MeanOp),
):
    _signature = f"data_0*:T -> {_name.lower()}:T"
    add(_name, 1, _signature, FLOAT, variadic(_op), CONSUMED)
    for _since in (6, 8):
        add(_name, _since, _signature, FLOAT, variadic(_op))
    if _name in ("Max", "Min"):
        add(_name, 12, _signature, NUMERIC, variadic(_op))
        add(_name, 13, _signature, NUMERIC | BF16, variadic(_op))
    else:
        add(_name, 13, _signature, FLOAT | BF16, variadic(_op))
