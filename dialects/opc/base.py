"""What all operators of the ``opc`` dialect share: attributes, syntax, type inference, checks.

A family is a subclass that says how many operands there are and how the result type follows; an
operator is a leaf of a family, a few lines long.

Syntax, for every operator::

    %r = opc.name %a, %b {attribute = value, ...} : type of %a, type of %b -> type of %r

Types may be left out; the result type is then inferred.  Attributes at their default are not
printed.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, TypeAttribute
from xdsl.irdl import traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..shape import MAX_RANK, Requirement, Tensor, element, fits, shape_of, shape_text, tensor_of

Params: TypeAlias = "Mapping[str, Any]"
REQUIRED = object()


@dataclass(frozen=True)
class Param:
    """An attribute of an operator: name, default, and its form in IR and in Python."""

    name: str
    default: Any
    decode: Callable[[Attribute], Any]
    encode: Callable[[Any], Attribute]
    show: Callable[[Any], str] | None
    meaning: str


def _bad(expected: str, attr: Attribute) -> VerifyException:
    return VerifyException(f"expected {expected}, found {attr}")


def decode_ints(attr: Attribute) -> tuple[int, ...]:
    """The integers of an attribute.  VerifyException if it is no list of them."""
    if isinstance(attr, DenseArrayBase):
        return tuple(int(v) for v in cast("DenseArrayBase[IntegerType]", attr).get_values())
    if isinstance(attr, ArrayAttr):
        return tuple(_decode_int(a) for a in cast("ArrayAttr[Attribute]", attr))
    raise _bad("a list of integers", attr)


def _number(attr: Attribute) -> tuple[int, Attribute] | None:
    """The value and the type of an integer attribute."""
    if not isinstance(attr, IntegerAttr):
        return None
    known = cast("IntegerAttr[IntegerType]", attr)
    return known.value.data, known.type


def _decode_int(attr: Attribute) -> int:
    found = _number(attr)
    if found is not None and found[1] != el.I1.type:
        return found[0]
    raise _bad("an integer", attr)


def _decode_bool(attr: Attribute) -> bool:
    found = _number(attr)
    if found is not None and found[1] == el.I1.type:
        return bool(found[0])
    raise _bad("true or false", attr)


def _decode_float(attr: Attribute) -> float:
    if isinstance(attr, FloatAttr):
        return float(cast("FloatAttr[AnyFloat]", attr).value.data)
    found = _number(attr)
    if found is not None and found[1] == i64:
        return float(found[0])
    raise _bad("a number", attr)


def _show_float(value: float) -> str:
    if math.isfinite(value):
        text = repr(float(value))
        mantissa, e, exponent = text.partition("e")
        return text if not e or "." in mantissa else f"{mantissa}.0e{exponent}"
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X} : f64"


def ints(name: str, default: Any = REQUIRED, meaning: str = "") -> Param:
    """A list of integers, such as axes."""
    return Param(
        name,
        default,
        decode_ints,
        lambda v: DenseArrayBase.from_list(i64, list(v)),
        lambda v: f"[{', '.join(map(str, v))}]",
        meaning,
    )


def integer(name: str, default: Any = REQUIRED, meaning: str = "") -> Param:
    """One integer."""
    return Param(name, default, _decode_int, lambda v: IntegerAttr(v, i64), str, meaning)


def boolean(name: str, default: Any = REQUIRED, meaning: str = "") -> Param:
    """True or false."""
    return Param(
        name,
        default,
        _decode_bool,
        lambda v: IntegerAttr(int(v), i1),
        lambda v: "true" if v else "false",
        meaning,
    )


def number(name: str, default: Any = REQUIRED, meaning: str = "") -> Param:
    """A double-precision number; operators round it to the element type they compute in."""
    return Param(
        name,
        default,
        _decode_float,
        lambda v: FloatAttr(float(v), Float64Type()),
        _show_float,
        meaning,
    )


def choice(name: str, options: Sequence[str], default: Any = REQUIRED, meaning: str = "") -> Param:
    """One of some words."""

    def decode(attr: Attribute) -> str:
        if isinstance(attr, StringAttr) and attr.data in options:
            return attr.data
        raise _bad("one of " + ", ".join(f'"{o}"' for o in options), attr)

    return Param(name, default, decode, StringAttr, lambda v: f'"{v}"', meaning)


def attribute(name: str, meaning: str = "") -> Param:
    """Any attribute, kept as it is."""
    return Param(name, REQUIRED, lambda a: a, lambda a: a, None, meaning)


class OpcOp(Operation):
    """An operator on tensors with one result.

    All operators have the same outline, so the families declare what differs as class variables
    and nothing is left for an IRDL definition to say.
    """

    traits = traits_def(Pure())

    params: ClassVar[tuple[Param, ...]] = ()
    types: ClassVar[frozenset[el.ElementType]] = el.STORED
    """Element types of the operands; families say how they relate."""
    takes_result_type: ClassVar[bool] = False
    """Whether the shape is given by the declared result type, as ``params["result_type"]``."""
    scalar: ClassVar[str | None] = None
    """The scalar function that is the whole meaning; None where decompose gives it."""
    is_idempotent: ClassVar[bool] = False
    """Whether f(f(x)) has the bits of f(x)."""
    is_involution: ClassVar[bool] = False
    """Whether f(f(x)) has the bits of x."""

    def __init__(
        self, *inputs: SSAValue | Operation, result_type: Tensor | None = None, **params: Any
    ) -> None:
        values = [SSAValue.get(v) for v in inputs]
        if result_type is None:
            filled = {p.name: p.default for p in self.params if p.default is not REQUIRED} | params
            if self.takes_result_type:
                raise TypeError(f"{self.name} needs its result_type")
            result_type = self.infer([tensor_of(v) for v in values], filled)
        known = {p.name: p for p in self.params}
        attributes = {n: known[n].encode(v) for n, v in params.items() if v is not None}
        super().__init__(operands=values, result_types=[result_type], attributes=attributes)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The result type; VerifyException if operands or attributes do not fit the operator."""
        raise NotImplementedError

    @classmethod
    def requirements(cls, types: Sequence[Tensor], params: Params) -> list[Requirement]:
        """What must hold at run time where symbolic extents meet."""
        return []

    def values(self) -> dict[str, Any]:
        """Every attribute of the operator as a Python value, defaults included."""
        result: dict[str, Any] = {"result_type": self.type} if self.takes_result_type else {}
        for p in self.params:
            attr = self.attributes.get(p.name)
            if attr is None:
                if p.default is REQUIRED:
                    raise VerifyException(f"attribute {p.name} is missing")
                result[p.name] = p.default
            else:
                try:
                    result[p.name] = p.decode(attr)
                except VerifyException as e:
                    raise VerifyException(f"attribute {p.name}: {e}") from None
        return result

    @property
    def function(self) -> str | None:
        """The scalar function that this operator applies, if it is one."""
        return self.scalar

    @property
    def result(self) -> OpResult:
        """The only result."""
        return self.results[0]

    @property
    def tensor_types(self) -> list[Tensor]:
        """The types of the operands."""
        return [tensor_of(v) for v in self.operands]

    @property
    def type(self) -> Tensor:
        """The type of the result."""
        return tensor_of(self.result)

    def verify_(self) -> None:
        """Check attributes, operands and result; messages name the operator."""
        try:
            self._verify()
        except VerifyException as e:
            message = str(e)
            prefix = f"{self.name}: "
            raise VerifyException(
                message if message.startswith(prefix) else prefix + message
            ) from None

    def _verify(self) -> None:
        known = {p.name for p in self.params}
        if len(self.results) != 1 or self.regions or self.successors or self.properties:
            raise VerifyException("expected one result and no regions, successors or properties")
        for name in self.attributes:
            # op_c1: attributes are those of the operator, or discardable (with a dot).
            if name not in known and "." not in name:
                raise VerifyException(
                    f"unknown attribute {name}; it has {', '.join(sorted(known)) or 'none'}"
                )
        for value in (*self.operands, *self.results):
            # op_c2: operands and results are ranked tensors of a supported element type.
            if not isinstance(value.type, TensorType):
                raise VerifyException(f"expected ranked tensors, found {value.type}")
            element(tensor_of(value))
        inferred = self.infer(self.tensor_types, self.values())
        # op_c3: the declared result type is the inferred one, as far as extents are known.
        if self.type.element_type != inferred.element_type or not fits(
            shape_of(self.type), shape_of(inferred)
        ):
            raise VerifyException(f"result type is {inferred}, declared {self.type}")
        check_size(inferred)

    @classmethod
    def parse(cls, parser: Parser) -> OpcOp:
        """Parse the common syntax."""
        pos = parser.pos
        operands = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes = cls.parse_attributes(parser)
        types: list[TypeAttribute] | None = None
        result: Attribute | None = None
        if parser.parse_optional_punctuation(":") is not None:
            # `: R` alone, on an operator without operands, is the result type.
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            if not operands:
                (result,) = types or (None,)
                types = []
        if parser.parse_optional_punctuation("->") is not None:
            result = parser.parse_type()
        unresolved = operands or []
        if types is None:
            values: list[SSAValue] = [
                parser.resolve_operand(o, _type_of(parser, o)) for o in unresolved
            ]
        else:
            values = list(parser.resolve_operands(unresolved, types, pos))
        if result is None:
            result = cls._inferred(parser, pos, values, attributes)
        return cls.create(operands=values, result_types=[result], attributes=attributes)

    @classmethod
    def _inferred(
        cls, parser: Parser, pos: int, values: list[SSAValue], attributes: dict[str, Attribute]
    ) -> Tensor:
        for v in values:
            if not isinstance(v.type, TensorType):
                parser.raise_error(f"{cls.name}: expected ranked tensors, found {v.type}", pos)
        if cls.takes_result_type:
            parser.raise_error(
                f"{cls.name}: needs its result type, as in `-> tensor<4x1xf32>`", pos
            )
        probe = cls.create(operands=values, result_types=[el.I1.type], attributes=attributes)
        try:
            return cls.infer([tensor_of(v) for v in values], probe.values())
        except VerifyException as e:
            parser.raise_error(f"{cls.name}: {e}", pos)
        finally:
            probe.drop_all_references()

    @classmethod
    def parse_attributes(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse the attribute dictionary; operators with a literal in front override this."""
        attributes = parser.parse_optional_attr_dict()
        for p in cls.params:
            # Lists of integers have one stored form, so that equal operators are equal objects.
            if isinstance(attributes.get(p.name), ArrayAttr):
                try:
                    attributes[p.name] = p.encode(p.decode(attributes[p.name]))
                except VerifyException as e:
                    parser.raise_error(f"{cls.name}: attribute {p.name}: {e}")
        return attributes

    def print(self, printer: Printer) -> None:
        """Print the common syntax."""
        if self.operands:
            printer.print_string(" ")
            printer.print_list(self.operands, printer.print_ssa_value)
        self.print_attributes(printer)
        printer.print_string(" : ")
        if self.operands:
            printer.print_list(self.operands, lambda v: printer.print_attribute(v.type))
            printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def print_attributes(self, printer: Printer) -> None:
        """Print the attributes that differ from their defaults."""
        specs = {p.name: p for p in self.params}
        shown: list[tuple[str, str | Attribute]] = []
        for name, attr in self.attributes.items():
            spec = specs.get(name)
            if spec is None or spec.show is None:
                shown.append((name, attr))
                continue
            value = spec.decode(attr)
            if value != spec.default:
                shown.append((name, spec.show(value)))
        if not shown:
            return
        printer.print_string(" {")
        for k, (name, value) in enumerate(shown):
            printer.print_string(f"{', ' if k else ''}{name} = ")
            if isinstance(value, str):
                printer.print_string(value)
            else:
                printer.print_attribute(value)
        printer.print_string("}")


def _type_of(parser: Parser, operand: UnresolvedOperand) -> TypeAttribute:
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        parser.raise_error(
            f"%{operand.operand_name} is used before its definition", operand.span.start
        )
    return cast("TypeAttribute", values[operand.index].type)


def check_size(type: Tensor) -> None:
    """VerifyException if the rank is over 16 or the static extents give over 2^48 bytes.

    An extent of 0 changes nothing of that: no array has such other extents beside it, either.
    """
    # op_c4: rank and size are within limits.
    shape = shape_of(type)
    if len(shape) > MAX_RANK:
        raise VerifyException(f"rank {len(shape)} exceeds {MAX_RANK}")
    if math.prod(e.constant or 1 for e in shape) * element(type).bytes > 1 << 48:
        raise VerifyException(f"shape {shape_text(shape)} needs more than 2^48 bytes")


def same_element(types: Sequence[Tensor], allowed: frozenset[el.ElementType]) -> el.ElementType:
    """The element type that all share and that is allowed."""
    found = element(types[0])
    for t in types[1:]:
        # types_c1: operands have one element type.
        if element(t) is not found:
            raise VerifyException(f"element types differ: {found} and {element(t)}")
    # types_c2: the operator admits the element type.
    if found not in allowed:
        raise VerifyException(f"element type {found} is not one of {el.names(allowed)}")
    return found


def expect_operands(types: Sequence[Tensor], least: int, most: int | None = None) -> None:
    """Check the number of operands."""
    # op_c5: the number of operands is right.
    most = least if most is None else most
    if not least <= len(types) <= most:
        wanted = (
            str(least)
            if least == most
            else (f"at least {least}" if most >= 1 << 30 else f"{least} to {most}")
        )
        raise VerifyException(f"expected {wanted} operands, found {len(types)}")
