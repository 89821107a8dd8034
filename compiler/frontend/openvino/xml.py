"""Parser for the XML of untrusted models: elements, attributes, text and line numbers.

There are no document types and no entities, so nothing expands; nesting and size are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from opc.errors import InputError
from opc.frontend.verify import shorten

MAX_DEPTH = 64
"""Elements inside elements; a model without sub-graphs has seven."""
MAX_ELEMENTS = 1 << 21
"""A layer has about twenty; this number takes a gigabyte."""
MAX_DIGITS = 18
_NUMBER = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}\Z")


@dataclass(slots=True)
class Element:
    """An element with the line and column that it starts at."""

    tag: str
    attributes: dict[str, str]
    place: str
    children: list[Element] = field(default_factory=list["Element"])
    text: str = ""

    def all(self, tag: str) -> Iterator[Element]:
        """The children of a tag."""
        return (child for child in self.children if child.tag == tag)

    def only(self, tag: str) -> Element | None:
        """The child with a tag, or None.  InputError if there are several."""
        children = list(self.all(tag))
        if len(children) > 1:
            raise InputError(
                f"<{self.tag}> has {len(children)} <{tag}>, expected one", children[1].place
            )
        return children[0] if children else None

    def attribute(self, name: str) -> str:
        """The text of an attribute.  InputError if it is missing."""
        text = self.attributes.get(name)
        if text is None:
            raise InputError(f"<{self.tag}> has no {name}", self.place)
        return text

    def number(self, name: str) -> int:
        """An attribute that is a number >= 0."""
        return number(self.attribute(name), f"<{self.tag}> {name}", self.place, 0)


def number(text: str, what: str, place: str, least: int) -> int:
    """An integer of at most 18 digits, not below ``least``.  InputError otherwise."""
    text = text.strip()
    if not _NUMBER.match(text) or int(text) < least:
        raise InputError(f"{what}: {shorten(text[:40])!r} is not a number >= {least}", place)
    return int(text)


def parse(content: bytes, name: str) -> Element:
    """The root element of a document; InputError with file, line and column where it is none."""
    return _Builder(name).parse(content)


class _Builder:
    def __init__(self, name: str) -> None:
        self.name = name
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse
        self.parser.ExternalEntityRefHandler = self.refuse
        self.parser.SkippedEntityHandler = self.refuse

    def parse(self, content: bytes) -> Element:
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            place = f"{self.name}:{error.lineno}:{error.offset + 1}"
            raise InputError(f"not XML: {expat.ErrorString(error.code)}", place) from None
        except (UnicodeError, LookupError, ValueError) as error:
            # An encoding that Python knows and expat does not.
            raise InputError(f"not XML: {shorten(str(error))}", f"{self.name}:1:1") from None
        if self.root is None:
            raise InputError("not XML: there is no element", self.name)
        return self.root

    def place(self) -> str:
        return f"{self.name}:{self.parser.CurrentLineNumber}:{self.parser.CurrentColumnNumber + 1}"

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise InputError(f"elements are nested more than {MAX_DEPTH} deep", self.place())
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise InputError(f"more than {MAX_ELEMENTS} elements", self.place())
        element = Element(tag, attributes, self.place())
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        # Only extents are text; text between elements is layout.
        if not self.open[-1].children:
            self.open[-1].text += text

    def refuse(self, *_: object) -> NoReturn:
        raise InputError("a document type or an entity: a model has none", self.place())
