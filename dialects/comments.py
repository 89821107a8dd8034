"""What a choice is about, in words for who reads schedules and C.

::

    loop.if <atleast(M*N*4, 9437184)> asks ["more than caches hold"] "past the caches" {
      ...
    } else "through the caches" {
      ...
    }

``asks`` has what each choice in the condition asks for, in their order there, and before each
version stands what it is for.  Both may be left out.  Who makes a choice says so; the C has nothing
else of this in its comments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .polynomial import Atom

Remarks = ArrayAttr[StringAttr]
"""What both versions are for, or what each choice asks for."""
_WORDS = re.compile(r"[A-Za-z0-9]+(,? [A-Za-z0-9]+)*\Z")


def remarks_of(texts: Sequence[str]) -> Remarks | None:
    """The attribute for some texts; None if nothing is said."""
    return ArrayAttr(list(map(StringAttr, texts))) if any(texts) else None


def asks_of(condition: ex.Expr, texts: Mapping[Atom, str]) -> Remarks | None:
    """The attribute for what choices ask for, of which some are in a condition."""
    return remarks_of([texts.get(atom, "") for atom in dict.fromkeys(condition.atoms())])


def asked(condition: ex.Expr, asks: Remarks | None) -> dict[Atom, str]:
    """What each choice in a condition asks for, as far as that is said."""
    texts = () if asks is None else (text.data for text in asks)
    return dict(zip(dict.fromkeys(condition.atoms()), texts, strict=False))


def check_remarks(
    name: str, condition: ex.Expr, names: Remarks | None, asks: Remarks | None
) -> None:
    """Raise VerifyException unless these are words, and as many as there are things."""
    choices = len(dict.fromkeys(condition.atoms()))
    for found, count in ((names, 2), (asks, choices)):
        if found is None:
            continue
        # remarks_c2: there are as many as there are versions, or choices.
        if len(found) != count:
            raise VerifyException(f"{name}: found {len(found)} remarks, expected {count}")
        for text in found:
            # remarks_c1: they are words, for they become comments in C.
            if text.data and _WORDS.match(text.data) is None:
                raise VerifyException(f"{name}: remark {text.data!r} is more than words")


def parse_asks(parser: Parser) -> Remarks | None:
    """Parse ``asks ["text", ...]``, if it is there."""
    if parser.parse_optional_keyword("asks") is None:
        return None
    square = parser.Delimiter.SQUARE
    return remarks_of(parser.parse_comma_separated_list(square, parser.parse_str_literal))


def parse_name(parser: Parser) -> str:
    """Parse what a version is for, if that is said."""
    return parser.parse_optional_str_literal() or ""


def print_asks(printer: Printer, asks: Remarks | None) -> None:
    """Print what :func:`parse_asks` parses."""
    if asks is not None:
        texts = [text.data for text in asks]
        printer.print_string(" asks [")
        printer.print_list(texts, printer.print_string_literal)
        printer.print_string("]")


def print_name(printer: Printer, names: Remarks | None, version: int) -> None:
    """Print what :func:`parse_name` parses."""
    if names is not None and names.data[version].data:
        printer.print_string(" ")
        printer.print_string_literal(names.data[version].data)
