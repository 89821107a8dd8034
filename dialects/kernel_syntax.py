"""Parsers and printers for the parts of ``kernel.nest`` and ``kernel.sweep``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from . import expr as ex
from .body import parse_index
from .shape import DimsAttr, IndexAttr, Shape


def parse_extents(parser: Parser) -> DimsAttr:
    """Parse ``[4, 8]``."""
    return DimsAttr(parse_index(parser, parser.Delimiter.SQUARE).data)


def print_extents(printer: Printer, extents: Shape) -> None:
    """Print the parsed form."""
    printer.print_string(f" [{', '.join(map(str, extents))}]")


def parse_types(parser: Parser) -> list[Attribute]:
    """Parse ``: f32, tensor<4xf32>``, or nothing."""
    if parser.parse_optional_punctuation(":") is None:
        return []
    return list(parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type))


def print_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """Print the parsed form."""
    if types:
        printer.print_string(" : ")
        printer.print_list(types, printer.print_attribute)


def parse_kinds(parser: Parser) -> tuple[list[StringAttr], list[IndexAttr]]:
    """Parse ``(keep to 0[d0, d1], sum)``: the kinds, and for each its place, empty if absent."""

    def parse_kind() -> tuple[StringAttr, IndexAttr]:
        kind = StringAttr(parser.parse_identifier(" of a reduction"))
        if parser.parse_optional_keyword("to") is None:
            return kind, IndexAttr(())
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
        index = parse_index(parser, parser.Delimiter.SQUARE).data
        return kind, IndexAttr((ex.const(number), *index))

    pairs = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parse_kind) or []
    return [kind for kind, _ in pairs], [place for _, place in pairs]


def print_kinds(
    printer: Printer, kinds: Sequence[StringAttr], places: Iterable[IndexAttr] | None
) -> None:
    """Print the parsed form."""
    if not kinds:
        return
    texts = [kind.data for kind in kinds]
    for k, place in enumerate(places or ()):
        if place.data:
            number, *index = place.data
            texts[k] += f" to {number}[{', '.join(map(str, index))}]"
    printer.print_string(f" ({', '.join(texts)})")
