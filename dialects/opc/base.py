"""The base of all operators of the ``opc`` dialect: attributes, syntax, type inference, checks.

A family is a subclass that declares the operands and infers the result type; an operator is a leaf
of a family, a few lines long.

Syntax, for every operator::

    %r = opc.name %a, %b {attribute = value, ...} : type of %a, type of %b -> type of %r

Types are optional; without them the result type is inferred.  Attributes at their default are not
printed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import new_class
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import ArrayAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.irdl import (
    AtLeast,
    AttrConstraint,
    IRDLOperation,
    OpDef,
    OperandDef,
    OptionalDef,
    RangeOf,
    VariadicDef,
    VerificationContext,
    get_accessors_from_op_def,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..formats import ByBases
from ..scalar import SCALARS
from ..shape import (
    MAX_RANK,
    MAX_SIZE,
    Requirement,
    Tensor,
    element,
    fits,
    shape_of,
    shape_text,
    tensor_of,
    type_text,
)
from .attributes import REQUIRED, Param, Params, params_of

MANY = 1 << 30
"""The most operands of an operator without a limit."""


@dataclass(frozen=True)
class StoredTensor(AttrConstraint[Tensor]):
    """Ranked tensors of the element types of opc."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """VerifyException for other types."""
        # op_c2: operands and results are ranked tensors of a supported element type.
        if not isinstance(attr, TensorType):
            raise VerifyException(f"expected ranked tensors, found {attr}")
        element(cast("Tensor", attr))

    def mapping_type_vars(self, type_var_mapping: Any) -> StoredTensor:
        """It depends on no type variable."""
        return self


TENSOR = StoredTensor()
SOME = RangeOf(TENSOR).of_length(AtLeast(1))
"""One or more of them."""

_FIELDS = tuple(type(field()) for field in (operand_def, result_def, prop_def))
"""The types of the declarations that a family may have."""


class OpcOp(IRDLOperation, metaclass=ByBases):
    """An operator on tensors with one result.

    A family declares operands and attributes as xDSL does.  A subclass with a name of its own is an
    operator; its IRDL definition has all declarations of its families.  The name and other text
    that only this class has may stand in its header: ``class ModOp(Binary, name="opc.mod")``.
    Without declarations of its own it is a :meth:`leaf`.
    """

    result = result_def(TENSOR)
    traits = traits_def(Pure())
    _declared: ClassVar[dict[str, Any]] = {"result": result}
    """The declarations of the class and its families."""
    _definition: ClassVar[OpDef]

    params: ClassVar[tuple[Param, ...]] = ()
    """The attributes."""
    operand_count: ClassVar[tuple[int, int]] = (0, 0)
    """The least and the greatest number of operands."""
    types: ClassVar[frozenset[el.ElementType]] = el.STORED
    """Element types of the operands; families say how they relate."""
    takes_result_type: ClassVar[bool] = False
    """Whether the declared result type, ``params["result_type"]``, gives the shape."""
    scalar: ClassVar[str | None] = None
    """The scalar function that is the operator's meaning; None if decompose expands it."""
    is_idempotent: ClassVar[bool] = False
    """Whether f(f(x)) has the bits of f(x)."""
    is_involution: ClassVar[bool] = False
    """Whether f(f(x)) has the bits of x."""

    def __init_subclass__(cls, **header: str) -> None:
        super().__init_subclass__()
        for key, value in header.items():
            setattr(cls, key, value)
        own: dict[str, Any] = {name: v for name, v in vars(cls).items() if isinstance(v, _FIELDS)}
        if own or "traits" in vars(cls) or not hasattr(cls, "_definition"):
            cls._declared = {**cls._declared, **own}
            cls._define()
        if "name" in vars(cls):
            cls._definition = replace(cls._definition, name=cls.name)

    @classmethod
    def leaf(cls, name: str, doc: str, **own: Any) -> type[Self]:
        """The operator ``opc.<name>`` of this family; ``own`` are class variables that differ.

        Its scalar function is the row with the name of the operator, if there is one.
        """
        body = {"scalar": name if name in SCALARS else None, **own, "__doc__": doc}
        words = "".join(word.capitalize() for word in name.split("_"))
        caller = sys._getframe(1)  # pyright: ignore[reportPrivateUsage] # as namedtuple does
        body["__module__"] = caller.f_globals["__name__"]
        return new_class(f"{words}Op", (cls,), {"name": f"opc.{name}"}, lambda ns: ns.update(body))

    @classmethod
    def _define(cls) -> None:
        """Make the definition of all declarations, and the accessors, as irdl_op_definition does.

        That function would take class variables for fields, and repeat this for each operator.
        """
        body: dict[str, Any] = {
            "name": "",
            "traits": cls.traits,
            "__annotations__": {},
            **cls._declared,
        }
        cls._definition = OpDef.from_pyrdl(type(cls.__name__, (IRDLOperation,), body))
        for name, accessor in get_accessors_from_op_def(cls._definition, None).items():
            if name in cls._declared:
                setattr(cls, name, accessor)
        cls.params = params_of(cls._definition)
        counts = [_count(kind) for _, kind in cls._definition.operands]
        cls.operand_count = sum(n for n, _ in counts), min(MANY, sum(n for _, n in counts))

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        """Operands, result, properties and traits."""
        return cls._definition

    def __init__(
        self, *inputs: SSAValue | Operation, result_type: Tensor | None = None, **params: Any
    ) -> None:
        values = [SSAValue.get(v) for v in inputs]
        if result_type is None:
            if self.takes_result_type:
                raise TypeError(f"{self.name} needs its result_type")
            self.check_operands(len(values))
            filled = {p.name: p.default for p in self.params if p.default is not REQUIRED} | params
            result_type = self.infer([tensor_of(v) for v in values], filled)
        known = {p.name: p for p in self.params}
        properties = {n: known[n].encode(v) for n, v in params.items() if v is not None}
        # IRDLOperation.__init__ would flatten operands, which are flat already.
        Operation.__init__(self, operands=values, result_types=[result_type], properties=properties)

    @classmethod
    def check_operands(cls, count: int) -> None:
        """VerifyException unless the operator can have this number of operands."""
        # op_c5: the number of operands is within the operator's.
        least, most = cls.operand_count
        if not least <= count <= most:
            wanted = f"at least {least}" if most == MANY else f"{least} to {most}"
            wanted = str(least) if least == most else wanted
            raise VerifyException(f"expected {wanted} operands, found {count}")

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The result type; VerifyException if operands or attributes do not fit the operator."""
        raise NotImplementedError

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """The relations of extents that must hold."""
        return ()

    @classmethod
    def requirements(cls, types: Sequence[Tensor], params: Params) -> list[Requirement]:
        """Those of them that are not certain, so that they are checked at run time."""
        return [need for need in cls.needs(types, params) if need.decided() is not True]

    def values(self) -> dict[str, Any]:
        """All attributes as Python values, defaults included."""
        result: dict[str, Any] = {"result_type": self.type} if self.takes_result_type else {}
        for p in self.params:
            attr = self.properties.get(p.name)
            if attr is None and p.default is REQUIRED:
                raise VerifyException(f"attribute {p.name} is missing")
            try:
                result[p.name] = p.default if attr is None else p.decode(attr)
            except VerifyException as e:
                raise VerifyException(f"attribute {p.name}: {e}") from None
        return result

    @property
    def function(self) -> str | None:
        """The scalar function that the operator applies, if it is one."""
        return self.scalar

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
        for name in self.attributes:
            # op_c1: attributes are the operator's, or discardable (with a dot in their name).
            if "." not in name:
                known = ", ".join(sorted(p.name for p in self.params))
                raise VerifyException(f"unknown attribute {name}; it has {known or 'none'}")
        self.check_operands(len(self.operands))
        params = self.values()
        try:
            self.get_irdl_definition().verify(self)
        except VerifyException as e:
            # xDSL's prefix is the position of an operand, which the types show.
            raise VerifyException(str(e.__cause__ or e)) from None
        inferred = self.infer(self.tensor_types, params)
        # op_c3: the declared result type is the inferred one, symbolic extents aside.
        if self.type.element_type != inferred.element_type or not fits(
            shape_of(self.type), shape_of(inferred)
        ):
            raise VerifyException(
                f"result type is {type_text(inferred)}, declared {type_text(self.type)}"
            )
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
        return cls.parsed(values, result, attributes)

    @classmethod
    def parsed(
        cls, values: Sequence[SSAValue], result: Attribute, attributes: dict[str, Attribute]
    ) -> Self:
        """The operator with parsed attributes: its own ones, and discardable ones."""
        names = {p.name for p in cls.params}
        own = {name: attr for name, attr in attributes.items() if name in names}
        rest = {name: attr for name, attr in attributes.items() if name not in names}
        return cls.create(operands=values, result_types=[result], properties=own, attributes=rest)

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
        probe = cls.parsed(values, el.I1.type, attributes)
        try:
            cls.check_operands(len(values))
            return cls.infer([tensor_of(v) for v in values], probe.values())
        except VerifyException as e:
            parser.raise_error(f"{cls.name}: {e}", pos)
        finally:
            probe.drop_all_references()

    @classmethod
    def parse_attributes(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse the attribute dictionary; operators with another syntax override this."""
        attributes = parser.parse_optional_attr_dict()
        for p in cls.params:
            # Lists of integers have one stored form, so that equal operators compare equal.
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
        for name, attr in self.properties.items():
            spec = specs[name]
            value = spec.decode(attr)
            if value != spec.default:
                shown.append((name, attr if spec.show is None else spec.show(value)))
        shown += self.attributes.items()
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


def _count(kind: OperandDef) -> tuple[int, int]:
    """The least and the greatest number of operands of a declaration."""
    if isinstance(kind, OptionalDef):
        return 0, 1
    return (int(kind.constr == SOME), MANY) if isinstance(kind, VariadicDef) else (1, 1)


def _type_of(parser: Parser, operand: UnresolvedOperand) -> TypeAttribute:
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        parser.raise_error(
            f"%{operand.operand_name} is used before its definition", operand.span.start
        )
    return cast("TypeAttribute", values[operand.index].type)


def check_size(type: Tensor) -> None:
    """VerifyException if the rank is over 16 or the static extents give over 2^48 bytes.

    Extents of 0 count as 1: the other extents are limited all the same.
    """
    # op_c4: rank and size are within limits.
    shape = shape_of(type)
    if len(shape) > MAX_RANK:
        raise VerifyException(f"rank {len(shape)} exceeds {MAX_RANK}")
    if math.prod(e.constant or 1 for e in shape) * element(type).bytes > MAX_SIZE:
        raise VerifyException(f"shape {shape_text(shape)} needs more than 2^48 bytes")


def same_element(types: Sequence[Tensor], allowed: frozenset[el.ElementType]) -> el.ElementType:
    """The element type of all operands.  VerifyException if they differ or it is not allowed."""
    common = element(types[0])
    for t in types[1:]:
        # types_c1: operands have one element type.
        if element(t) is not common:
            raise VerifyException(f"element types differ: {common} and {element(t)}")
    # types_c2: the operator admits the element type.
    if common not in allowed:
        raise VerifyException(f"element type {common} is not one of {el.names(allowed)}")
    return common


def print_discardable(printer: Printer, op: Operation) -> None:
    """Print the attributes that are not the operator's own."""
    if op.attributes:
        printer.print_string(" ")
        printer.print_attr_dict(op.attributes)
