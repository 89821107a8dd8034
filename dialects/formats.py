"""Operations whose text is declared in xDSL's language of assembly formats."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias, TypeVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import IRDLOperation

from . import expr as ex
from .shape import IndexAttr

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from .format_reader import Program

Item = TypeVar("Item", SSAValue, Attribute)


class ByBases(ABCMeta):
    """Classes of which an object is an instance by its bases alone.

    xDSL's classes are abstract ones, which look into tables of registered classes each time.
    """

    __instancecheck__ = type.__instancecheck__


class Formatted(IRDLOperation, metaclass=ByBases):
    """An operation with the text that ``FORMAT`` declares.

    It differs from ``assembly_format`` in three things.  Operands without a type in the text have
    those of the values that they name, ``attr-dict`` is optional, and the format is read at its
    first use: most commands print and parse nothing.
    """

    FORMAT: ClassVar[str]

    @classmethod
    def new(
        cls,
        *operands: SSAValue | Sequence[SSAValue] | None,
        results: Sequence[Attribute | Sequence[Attribute]] = (),
        regions: Sequence[Region | Sequence[Block]] = (),
        **values: Value,
    ) -> Self:
        """The operation with Python values for its properties, as in :func:`stored`."""
        properties = stored(**values)
        if getattr(cls, "irdl_options", ()):
            # Of several lists of operands the lengths are a property.
            lists = [v if v is None or isinstance(v, SSAValue) else list(v) for v in operands]
            return cls(operands=lists, result_types=results, regions=regions, properties=properties)
        # Without the checks of the constructor, which take longer than all else.
        return cls.create(
            operands=[v for own in operands for v in _listed(own)],
            result_types=[type for own in results for type in _listed(own)],
            regions=[own if isinstance(own, Region) else Region(own) for own in regions],
            properties={name: v for name, v in properties.items() if v is not None},
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the declared text."""
        return _program(cls).parse(parser, cls)

    def print(self, printer: Printer) -> None:
        """Print the declared text."""
        _program(type(self)).print(printer, self)


def _listed(item: Item | Sequence[Item] | None) -> Sequence[Item]:
    """One item, several, or none, as a sequence."""
    if isinstance(item, Sequence):
        return item
    return () if item is None else (item,)


Value: TypeAlias = "Attribute | str | int | ex.Expr | tuple[ex.Expr, ...] | None"


def stored(**values: Value) -> dict[str, Attribute | None]:
    """The properties for Python values; numbers have 64 bits, and None and False are absent."""
    return {
        name: value if isinstance(value, Attribute) else _attribute(value)
        for name, value in values.items()
    }


@lru_cache(maxsize=1 << 12, typed=True)
def _attribute(value: Value) -> Attribute | None:
    match value:
        case bool():
            return UnitAttr() if value else None
        case int():
            return IntegerAttr(value, i64)
        case str():
            return StringAttr(value)
        case ex.Expr():
            return IndexAttr((value,))
        case tuple():
            return IndexAttr(value)
        case _:
            return value


@cache
def _program(op: type[Formatted]) -> Program:
    from .format_reader import Reader

    return Reader(op.FORMAT, op.get_irdl_definition()).read()
