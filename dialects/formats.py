"""Operations whose text is declared in xDSL's language of assembly formats."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.irdl import IRDLOperation

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from .format_reader import Program


class Formatted(IRDLOperation):
    """An operation with the text that ``FORMAT`` declares.

    It differs from ``assembly_format`` in three things.  Operands without a type in the text have
    those of the values that they name, ``attr-dict`` is optional, and the format is read at its
    first use: most commands print and parse nothing.
    """

    FORMAT: ClassVar[str]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the declared text."""
        return _program(cls).parse(parser, cls)

    def print(self, printer: Printer) -> None:
        """Print the declared text."""
        _program(type(self)).print(printer, self)


@cache
def _program(op: type[Formatted]) -> Program:
    from .format_reader import Reader

    return Reader(op.FORMAT, op.get_irdl_definition()).read()
