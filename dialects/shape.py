"""Tensor types with symbolic extents, and the shape rules that operator families share.

A static extent is in the tensor type.  The expression of a ``?`` is in the encoding:
``tensor<?x128xf32, #opc.dims<N, 128>>``.  A ``?`` without an encoding, as users write it, is the
symbol ``?``, which fits everything, until infer-shapes names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr, TensorType
from xdsl.ir import Attribute, Data, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .element import ElementType, element_of
from .extent_text import extent_text
from .extent_text import shape_text as shape_text

Shape: TypeAlias = "tuple[ex.Expr, ...]"
Tensor: TypeAlias = "TensorType[Attribute]"

Buffer: TypeAlias = "MemRefType[Attribute]"

MAX_RANK = 16
MAX_SIZE = 1 << 48
"""No extent exceeds this, nor do the bytes of a tensor with static extents.

More is not addressable.  Products of it with small numbers fit in 64 bits.
"""
MOST = 2**63 - 1
"""No number in an extent exceeds this."""
UNKNOWN = ex.sym("?")


def parse_expr(parser: AttrParser) -> ex.Expr:
    """``sum ::= ['-'] product (('+' | '-') product)*``; ``product ::= factor ('*' factor)*``."""
    negative = parser.parse_optional_punctuation("-") is not None
    first = _product(parser)
    parts = [-first if negative else first]
    while True:
        if parser.parse_optional_punctuation("+") is not None:
            parts.append(_product(parser))
        elif parser.parse_optional_punctuation("-") is not None:
            parts.append(-_product(parser))
        else:
            return ex.total_of(parts)


def _product(parser: AttrParser) -> ex.Expr:
    total = _factor(parser)
    while parser.parse_optional_punctuation("*") is not None:
        total = total * _factor(parser)
    return total


def _factor(parser: AttrParser) -> ex.Expr:
    if parser.parse_optional_punctuation("(") is not None:
        inner = parse_expr(parser)
        parser.parse_punctuation(")")
        return inner
    if parser.parse_optional_punctuation("?") is not None:
        return UNKNOWN
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is not None:
        if number > MOST:
            parser.raise_error(f"found {number}, expected a number of 64 bits")
        return ex.const(number)
    name = parser.parse_identifier(" of an extent")
    if name in ex.FUNCTIONS:
        args = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_expr(parser))
        if len(args) != {"nonunit": 1, "pow2": 1}.get(name, 2):
            parser.raise_error(f"{name} does not take {len(args)} arguments")
        divisor = args[1].constant if name in ("floordiv", "mod") else None
        if divisor is not None and divisor < 1:
            parser.raise_error(f"found {name} by {divisor}, expected by 1 or more")
        return ex.CALL[name](*args)
    if ex.DIM.match(name):
        return ex.dim(int(name[1:]))
    if not ex.SYMBOL.match(name):
        parser.raise_error(f"{name!r} is no extent: use a letter, then letters, digits or _")
    return ex.sym(name)


class ExprsData(Data[tuple[ex.Expr, ...]]):
    """A list of expressions in angle brackets."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[ex.Expr, ...]:
        """Parse ``<a, b>``."""
        return tuple(
            parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: parse_expr(parser))
        )

    def print_parameter(self, printer: Printer) -> None:
        """Print ``<a, b>``."""
        printer.print_string(f"<{', '.join(map(str, self.data))}>")


@irdl_attr_definition
class DimsAttr(ExprsData):
    """The extents of a tensor: an expression for each axis."""

    name = "opc.dims"


@irdl_attr_definition
class IndexAttr(ExprsData):
    """An index: an expression over loop dimensions and symbols for each axis."""

    name = "opc.index"


def shape_of(type: Attribute) -> Shape:
    """The extents of a tensor or buffer type."""
    assert isinstance(type, TensorType | MemRefType)
    encoding = type.encoding if isinstance(type, TensorType) else type.memory_space
    named = encoding.data if isinstance(encoding, DimsAttr) else None
    return tuple(
        ex.const(n) if n != DYNAMIC_INDEX else (named[k] if named else UNKNOWN)
        for k, n in enumerate(type.get_shape())
    )


def tensor_type(element: Attribute | ElementType, shape: Sequence[ex.Expr | int]) -> Tensor:
    """The tensor type of these extents; it has an encoding if a symbolic extent is known."""
    extents = [ex.Expr.of(e) for e in shape]
    static = [DYNAMIC_INDEX if e.constant is None else e.constant for e in extents]
    known = [UNKNOWN if "?" in e.symbols() else e for e in extents]
    named = any(e.constant is None and e != UNKNOWN for e in known)
    type = element.type if isinstance(element, ElementType) else element
    return TensorType(type, static, DimsAttr(tuple(known)) if named else NoneAttr())


def buffer_type(type: Tensor) -> Buffer:
    """The buffer for a tensor, with the extents as its memory space."""
    return MemRefType(type.element_type, type.get_shape(), memory_space=type.encoding)


def tensor_of(value: SSAValue) -> Tensor:
    """The tensor type of a value."""
    type = cast("Tensor", value.type)
    assert isinstance(type, TensorType)
    return type


def element(type: Tensor) -> ElementType:
    """The element type.  VerifyException if opc does not have it."""
    known = element_of(type.element_type)
    if known is None:
        raise VerifyException(f"element type {type.element_type} is not supported")
    return known


def require_integers(name: str, values: SSAValue) -> None:
    """VerifyException for operation ``name`` unless the value is a tensor or buffer of integers."""
    shaped = isinstance(values.type, TensorType | MemRefType)
    known = element_of(cast("Tensor | Buffer", values.type).element_type) if shaped else None
    if known is None or not known.is_integer:
        raise VerifyException(f"{name}: values must be integers, found {values.type}")


def broadcast_shapes(shapes: Iterable[Shape]) -> Shape:
    """NumPy's rule: align at the last axis, 1 stretches.  Raises VerifyException if impossible."""
    shapes = list(shapes)
    rank = max(map(len, shapes), default=0)
    result: list[ex.Expr] = []
    for axis in range(rank):
        extent = ex.const(1)
        for shape in shapes:
            k = axis - rank + len(shape)
            if k < 0:
                continue
            a, b = extent.constant, shape[k].constant
            if a is not None and b is not None and a != b and 1 not in (a, b):
                raise VerifyException(
                    f"shapes {' and '.join(shape_text(s) for s in shapes)} cannot be broadcast: "
                    f"extents {a} and {b} differ at result axis {axis}"
                )
            extent = ex.broadcast(extent, shape[k])
        result.append(extent)
    return tuple(result)


def type_text(type: Attribute) -> str:
    """A tensor type for a message: ``tensor<4x?xf32, #opc.dims<4, N>>``.

    It is ``f32[4, N]`` if an extent is shown in other words than in IR.
    """
    if not isinstance(type, TensorType):
        return str(type)
    tensor = cast(Tensor, type)
    shape = shape_of(tensor)
    if all(extent_text(e) == str(e) for e in shape):
        return str(tensor)
    return f"{tensor.element_type}{shape_text(shape)}"


def normalize_axis(axis: int, rank: int) -> int:
    """An axis counted from the front.  Raises VerifyException outside [-rank, rank - 1]."""
    if not -rank <= axis < rank:
        raise VerifyException(
            f"axis {axis} is outside [{-rank}, {rank - 1}] for rank {rank}"
            if rank
            else f"axis {axis} given for a tensor of rank 0"
        )
    return axis % rank


def fits(declared: Shape, inferred: Shape) -> bool:
    """Whether a declared shape can be the inferred one: symbolic extents fit anything."""
    if len(declared) != len(inferred):
        return False
    for a, b in zip(declared, inferred, strict=True):
        if a.constant is not None and b.constant is not None and a.constant != b.constant:
            return False
    return True


@dataclass(frozen=True)
class Requirement:
    """A relation of extents that must hold at run time; ``opc.require`` lists the relations."""

    relation: str
    left: ex.Expr
    right: ex.Expr
    message: str

    def decided(self) -> bool | None:
        """True or False if it is certain at compile time, else None."""
        if self.left == self.right:
            return True
        a, b = self.left.constant, self.right.constant
        if a == 1 and self.relation in ("broadcast", "stretch"):
            return True
        if b == 1 and self.relation in ("broadcast", "divides"):
            return True
        if a is None and b is None and self.relation in ("broadcast", "stretch"):
            fitting = [*ex.parts(self.left, "bcast"), *ex.parts(self.right, "bcast")]
            if any(ex.is_cut(x, y) for x in fitting for y in fitting):
                return None
            # N fits bcast(M, N), which required that M and N fit.
            both = ex.broadcast(self.left, self.right)
            return (
                True
                if both == self.right or (both == self.left and self.relation == "broadcast")
                else None
            )
        if self.relation == "divides" and a != 0 and b != 0 and ex.mod(self.left, self.right) == 0:
            return True  # N divides M*N, also if N is 0.
        if self.relation == "equal" and (self.left - self.right).constant is not None:
            return False  # such as N and N + 1: a constant difference other than 0
        if a is None or b is None:
            return None
        if self.relation == "within":
            return -b - 1 <= a <= b
        return b != 0 and a % b == 0 if self.relation == "divides" else False
