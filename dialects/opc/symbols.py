"""Operators about symbolic extents: what must hold, and extents that are read from data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import prod
from typing import ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import expr as ex
from ..element import element_of
from ..shape import MAX_RANK, Buffer, DimsAttr, Requirement, Shape, Tensor

Names: TypeAlias = "ArrayAttr[StringAttr]"

RELATIONS = ("equal", "broadcast", "stretch", "divides")


@irdl_op_definition
class RequireOp(IRDLOperation):
    """A condition on symbolic extents, checked before the function computes anything.

    ``equal`` a == b; ``broadcast`` a == b, or one of them is 1; ``stretch`` a == b, or a is 1;
    ``divides`` a is a multiple of b::

        opc.require broadcast<N, M> "opc.add: extents do not broadcast"
    """

    name = "opc.require"
    relation = prop_def(StringAttr)
    sides = prop_def(DimsAttr)
    message = prop_def(StringAttr)

    @staticmethod
    def of(need: Requirement) -> RequireOp:
        """The operator that states a requirement."""
        return RequireOp(
            properties={
                "relation": StringAttr(need.relation),
                "sides": DimsAttr((need.left, need.right)),
                "message": StringAttr(need.what),
            }
        )

    def verify_(self) -> None:
        """Check relation and sides."""
        # require_c1: the relation is known, and it has two sides.
        if self.relation.data not in RELATIONS or len(self.sides.data) != 2:
            listed = ", ".join(RELATIONS)
            raise VerifyException(f"opc.require: expected one of {listed} of two extents")

    @classmethod
    def parse(cls, parser: Parser) -> RequireOp:
        """Parse ``relation<a, b> "message"``."""
        relation = parser.parse_identifier(" of extents")
        return RequireOp(
            properties={
                "relation": StringAttr(relation),
                "sides": DimsAttr(DimsAttr.parse_parameter(parser)),
                "message": StringAttr(parser.parse_str_literal()),
            }
        )

    def print(self, printer: Printer) -> None:
        """Print ``relation<a, b> "message"``."""
        printer.print_string(f" {self.relation.data}")
        self.sides.print_parameter(printer)
        printer.print_string(" ")
        printer.print_string_literal(self.message.data)


class SymbolSource(IRDLOperation):
    """Defines symbolic extents by what an integer tensor holds when the function runs.

    The tensor is the only operand; ``extents`` are those of the tensor that the values are about.
    """

    extents = prop_def(DimsAttr)

    @property
    def source(self) -> SSAValue:
        """The integer tensor."""
        return self.operands[0]

    @property
    @abstractmethod
    def defined(self) -> tuple[str, ...]:
        """The symbols, in order."""

    @property
    @abstractmethod
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """Lists of extents that have equal products whatever the values are."""

    def check_symbols(self) -> None:
        """VerifyException unless the symbols can be told apart and written in an extent."""
        # symbols_c1: what is defined are different symbols.
        for name in self.defined:
            if not ex.SYMBOL.match(name) or ex.DIM.match(name) or name in ex.FUNCTIONS:
                raise VerifyException(f"{self.name}: {name!r} cannot be a symbol")
        if len(set(self.defined)) != len(self.defined):
            raise VerifyException(f"{self.name}: a symbol is defined twice")


def _names(names: Sequence[str]) -> Names:
    return ArrayAttr([StringAttr(n) for n in names])


def _texts(names: Names) -> tuple[str, ...]:
    return tuple(n.data for n in names)


def _parse_names(parser: Parser) -> list[str]:
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_str_literal)


def _print_names(printer: Printer, names: Sequence[str]) -> None:
    quoted = ", ".join(f'"{n}"' for n in names)
    printer.print_string(f"[{quoted}]")


@irdl_op_definition
class SplitAxesOp(SymbolSource):
    """Defines extents from axes that are only known at run time.

    For a tensor of the given ``extents`` and an integer tensor of axes, symbol ``outer[k]`` is 1
    where axis k is listed and its extent elsewhere; ``inner[k]`` is the extent where it is listed
    and 1 elsewhere; ``kept`` are the extents of the axes that are not listed, in order.  Reducing
    the run-time axes is then: split each axis k into (outer[k], inner[k]), reduce every inner
    one.  An axis that is outside or listed twice makes the function fail::

        opc.split_axes %axes of <N, 4> outer ["e0", "e1"] inner ["r0", "r1"] kept ["k0"] all
            : tensor<1xi64>

    ``all`` is there if an empty list means all axes.
    """

    name = "opc.split_axes"
    axes = operand_def()
    outer = prop_def(ArrayAttr[StringAttr])
    inner = prop_def(ArrayAttr[StringAttr])
    kept = prop_def(ArrayAttr[StringAttr])
    empty_is_all = prop_def(IntegerAttr)
    LISTS: ClassVar[tuple[str, ...]] = ("outer", "inner", "kept")

    @staticmethod
    def of(
        axes: SSAValue, extents: DimsAttr, names: Sequence[Sequence[str]], empty_is_all: bool
    ) -> SplitAxesOp:
        """Build it; ``names`` are those of outer, inner and kept."""
        lists = map(_names, names)
        return SplitAxesOp(
            operands=[axes],
            properties={
                "extents": extents,
                **dict(zip(SplitAxesOp.LISTS, lists, strict=True)),
                "empty_is_all": IntegerAttr(int(empty_is_all), i64),
            },
        )

    @property
    def defined(self) -> tuple[str, ...]:
        """Outer, then inner, then kept ones."""
        return (*_texts(self.outer), *_texts(self.inner), *_texts(self.kept))

    @property
    def split(self) -> tuple[Shape, Shape, Shape]:
        """Outer, inner and kept extents; an axis of extent 1 needs no symbols."""
        outer, inner = (
            tuple(
                ex.const(1) if e == 1 else ex.sym(n)
                for e, n in zip(self.extents.data, _texts(names), strict=True)
            )
            for names in (self.outer, self.inner)
        )
        return outer, inner, tuple(map(ex.sym, _texts(self.kept)))

    @property
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """What stays is all that is outer; each axis is split in two."""
        outer, inner, kept = self.split
        parts = zip(outer, inner, self.extents.data, strict=True)
        return [(kept, outer), *(((a, b), (e,)) for a, b, e in parts)]

    def verify_(self) -> None:
        """Check the number of symbols."""
        self.check_symbols()
        rank = len(self.extents.data)
        # split_axes_c1: each axis has two symbols.
        if len(self.outer) != rank or len(self.inner) != rank or len(self.kept) > rank:
            raise VerifyException(f"opc.split_axes: expected {rank} outer and inner symbols")

    @classmethod
    def parse(cls, parser: Parser) -> SplitAxesOp:
        """Parse the form shown above."""
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("of")
        extents = DimsAttr(DimsAttr.parse_parameter(parser))
        lists: list[list[str]] = []
        for word in cls.LISTS:
            parser.parse_keyword(word)
            lists.append(_parse_names(parser))
        all_axes = parser.parse_optional_keyword("all") is not None
        parser.parse_punctuation(":")
        axes = parser.resolve_operand(operand, parser.parse_type())
        return cls.of(axes, extents, lists, all_axes)

    def print(self, printer: Printer) -> None:
        """Print the form shown above."""
        printer.print_string(" ")
        printer.print_ssa_value(self.axes)
        printer.print_string(" of ")
        self.extents.print_parameter(printer)
        for word, names in zip(self.LISTS, (self.outer, self.inner, self.kept), strict=True):
            printer.print_string(f" {word} ")
            _print_names(printer, _texts(names))
        printer.print_string((" all" if self.empty_is_all.value.data else "") + " : ")
        printer.print_attribute(self.axes.type)


@irdl_op_definition
class ReadExtentsOp(SymbolSource):
    """Defines the extents of a shape that is only known at run time.

    ``values`` are extents, or axes, for a tensor that has the extents after ``of``, in row-major
    order; the rule says which extents they give.  Where the values do not fit, the function fails::

        opc.read_extents reshape %values of <N, 4> -> ["s0", "s1"] : tensor<2xi64>

    ===================== =======================================================================
    ``plain``             the values themselves
    ``reshape``           those of a tensor with the same elements: 0 is the extent at that place
                          of ``of``, one -1 is inferred
    ``reshape_allowzero`` the same, but 0 is an extent
    ``expand``            those of ``of`` and of the values, broadcast against each other
    ``squeeze``           those of ``of`` without the axes that the values list, which must be 1
    ``unsqueeze``         those of ``of`` with 1 put in; the values are axes of the result
    ===================== =======================================================================
    """

    name = "opc.read_extents"
    values = operand_def()
    rule = prop_def(StringAttr)
    symbols = prop_def(ArrayAttr[StringAttr])
    RULES: ClassVar[tuple[str, ...]] = (
        "plain",
        "reshape",
        "reshape_allowzero",
        "expand",
        "squeeze",
        "unsqueeze",
    )

    @staticmethod
    def of(rule: str, values: SSAValue, extents: Shape, symbols: Sequence[str]) -> ReadExtentsOp:
        """Build it; ``extents`` are empty for ``plain``."""
        return ReadExtentsOp(
            operands=[values],
            properties={
                "rule": StringAttr(rule),
                "extents": DimsAttr(extents),
                "symbols": _names(symbols),
            },
        )

    @property
    def defined(self) -> tuple[str, ...]:
        """One symbol for each axis of the shape."""
        return _texts(self.symbols)

    @property
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """A reshape keeps the number of elements."""
        if self.rule.data in ("plain", "expand"):
            return []
        return [(tuple(map(ex.sym, self.defined)), self.extents.data)]

    @property
    def count(self) -> int | None:
        """How many values there are, if that is known when compiling."""
        shape = cast("Tensor | Buffer", self.values.type).get_shape()
        return None if DYNAMIC_INDEX in shape else prod(shape)

    @staticmethod
    def rank(rule: str, count: int, rank: int) -> int:
        """The rank that so many values give for a tensor of a rank."""
        if rule == "expand":
            return max(count, rank)
        return {"squeeze": rank - count, "unsqueeze": rank + count}.get(rule, count)

    def verify_(self) -> None:
        """Check rule, values and the number of symbols."""
        # read_extents_c1: the rule is known.
        if self.rule.data not in self.RULES:
            raise VerifyException(f"opc.read_extents: expected one of {', '.join(self.RULES)}")
        # read_extents_c2: the values are an integer tensor.
        shaped = isinstance(self.values.type, TensorType | MemRefType)
        type = cast("Tensor | Buffer", self.values.type)
        found = element_of(type.element_type) if shaped else None
        if found is None or not found.is_integer:
            raise VerifyException(f"opc.read_extents: values must be integers, found {type}")
        # read_extents_c3: their number is known.
        if self.count is None:
            raise VerifyException("opc.read_extents: the number of values is unknown")
        self.check_symbols()
        # read_extents_c4: there is a symbol for each axis of the shape.
        rank = self.rank(self.rule.data, self.count, len(self.extents.data))
        if rank != len(self.symbols):
            raise VerifyException(
                f"opc.read_extents: {len(self.symbols)} symbols for a shape of rank {rank}"
            )
        # read_extents_c5: the rank is within limits.
        if max(rank, len(self.extents.data)) > MAX_RANK:
            raise VerifyException(f"opc.read_extents: rank {rank} exceeds {MAX_RANK}")

    @classmethod
    def parse(cls, parser: Parser) -> ReadExtentsOp:
        """Parse the form shown above; ``of`` is left out for a tensor of rank 0."""
        rule = parser.parse_identifier(" of extents")
        operand = parser.parse_unresolved_operand()
        extents: Shape = ()
        if parser.parse_optional_keyword("of") is not None:
            extents = DimsAttr.parse_parameter(parser)
        parser.parse_punctuation("->")
        symbols = _parse_names(parser)
        parser.parse_punctuation(":")
        return cls.of(rule, parser.resolve_operand(operand, parser.parse_type()), extents, symbols)

    def print(self, printer: Printer) -> None:
        """Print the form shown above."""
        printer.print_string(f" {self.rule.data} ")
        printer.print_ssa_value(self.values)
        if self.extents.data:
            printer.print_string(" of ")
            self.extents.print_parameter(printer)
        printer.print_string(" -> ")
        _print_names(printer, self.defined)
        printer.print_string(" : ")
        printer.print_attribute(self.values.type)
