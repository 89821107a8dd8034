"""The words, types and attributes of MLIR assembly, as Python values."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, FileLineColLoc, IntAttr, StringAttr, TensorType

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import MAX_RANK, MAX_SIZE, UNKNOWN, Tensor, shape_of, tensor_type
from opc.dialects.shape import element as element_of
from opc.errors import InputError, UnsupportedError
from opc.frontend.verify import shorten, shown

from .quantized import storage

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
T = TypeVar("T")
NestedType: TypeAlias = "Tensor | list[NestedType]"
"""The type of a tensor, or those of a tuple; a token is a tuple of nothing."""

MAX_DEPTH = 64
"""Lists in lists, and regions in regions."""

_BLANK = re.compile(r"(?:\s+|//[^\n]*)*+")
_WORD = re.compile(r"[A-Za-z_][\w$.]*")
_NAME = re.compile(r"[\w$.-]+")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*+)"')
_NUMBER = re.compile(r"-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)")
_DIMENSIONS = re.compile(r"((?:(?:\?|\d{1,18})x)*)(.*)", re.DOTALL)
_ELEMENTS = re.compile(r"[^\[\],\s]+")

REFUSED = {
    "complex<": "complex numbers are not supported",
    "!quant": "quantized types in blocks or with such numbers are not supported",
    "!stablehlo.future": "asynchronous operations are not supported",
}
"""How types begin that opc does not compile, and the message."""


@dataclass(frozen=True)
class Dense:
    """The elements of a ``dense`` attribute."""

    array: Array
    element: el.ElementType


def leaves(nested: Any) -> list[Any]:
    """The tensors in tuples, or their types."""
    if not isinstance(nested, list):
        return [nested]
    return [leaf for part in cast("list[Any]", nested) for leaf in leaves(part)]


class Text:
    """A text that is read from the front."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.pos = 0
        self.depth = 0
        self.type_of_dense = 0
        """Where the type of the last ``dense`` begins, at its colon."""
        self._lines = [0, *(m.end() for m in re.finditer("\n", text))]
        self.skip()

    def location(self, pos: int) -> FileLineColLoc:
        """The line and the column of a position."""
        line = bisect_right(self._lines, pos)
        column = pos - self._lines[line - 1] + 1
        return FileLineColLoc(StringAttr(self.name), IntAttr(line), IntAttr(column))

    def _place(self) -> str:
        where = self.location(min(self.pos, len(self.text)))
        return f"{where.filename.data}:{where.line.data}:{where.column.data}"

    def error(self, message: str) -> InputError:
        """An error at the current position."""
        return InputError(shorten(message), self._place())

    def unsupported(self, message: str) -> UnsupportedError:
        """An error at the current position, for what opc does not compile."""
        return UnsupportedError(shorten(message), self._place())

    def expected(self, what: str) -> InputError:
        """An error about what is here instead of something else."""
        here = self.text[self.pos : self.pos + 20].split("\n")[0]
        return self.error(f"expected {what}, found {shown(here) or 'the end'}")

    def skip(self) -> None:
        """Go past blanks, comments and ``loc(...)``."""
        blank = _BLANK.match(self.text, self.pos)
        self.pos = blank.end() if blank else self.pos
        if self.text.startswith("loc(", self.pos):
            self.pos += 3
            self.balanced("(", ")")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take what a pattern matches here."""
        matched = pattern.match(self.text, self.pos)
        if matched is not None:
            self.pos = matched.end()
            self.skip()
        return matched

    def sees(self, literal: str) -> bool:
        """Whether some text is next."""
        return self.text.startswith(literal, self.pos)

    def take(self, literal: str) -> bool:
        """Take some text if it is next."""
        matched = self.sees(literal)
        if matched:
            self.pos += len(literal)
            self.skip()
        return matched

    def need(self, literal: str) -> None:
        """Take some text.  InputError if it is not next."""
        if not self.take(literal):
            raise self.expected(f"'{literal}'")

    def word(self, what: str = "a word") -> str:
        """A word, as ``stablehlo.add``."""
        return self._taken(_WORD, what)[0]

    def _taken(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        matched = self.match(pattern)
        if matched is None:
            raise self.expected(what)
        return matched

    def sees_word(self) -> str:
        """The next word, or nothing."""
        matched = _WORD.match(self.text, self.pos)
        return matched[0] if matched else ""

    def string(self) -> str:
        """The text between quotes."""
        return self._taken(_STRING, "a string")[1]

    def name_behind(self, sign: str) -> str:
        """A name with a sign before it: ``%x``, ``@f`` or ``^bb0``."""
        if not self.sees(sign):
            raise self.expected(f"a name with {sign}")
        self.pos += 1
        return self.string() if self.sees('"') else self._taken(_NAME, f"a name behind {sign}")[0]

    def balanced(self, opening: str, closing: str) -> str:
        """The text between brackets, which may hold others and strings."""
        start, depth, pos = self.pos, 0, self.pos
        marks = re.compile(f'"(?:[^"\\\\\n]|\\\\.)*+"|->|[{re.escape(opening + closing)}]')
        while (mark := marks.search(self.text, pos)) is not None:
            pos = mark.end()
            depth += (mark[0] == opening) - (mark[0] == closing)
            if depth == 0:
                self.pos = pos
                self.skip()
                return self.text[start + 1 : mark.start()]
        raise self.error(f"this '{opening}' has no '{closing}'")

    def type(self) -> Tensor:
        """A tensor type.  UnsupportedError for another one."""
        start = self.pos
        for text, message in REFUSED.items():
            if self.sees(text):
                raise self.unsupported(message)
        if not self.take("tensor"):
            raise self.expected("a tensor type")
        inside = self.balanced("<", ">")
        matched = _DIMENSIONS.match(inside)
        assert matched is not None
        extents = [UNKNOWN if n == "?" else ex.const(int(n)) for n in matched[1].split("x")[:-1]]
        kind = matched[2].partition(",")[0].strip()
        end, self.pos = self.pos, start
        if len(extents) > MAX_RANK or any((e.constant or 0) > MAX_SIZE for e in extents):
            raise self.unsupported(f"a tensor of rank {len(extents)} with these extents")
        quantized = storage(matched[2].strip())
        if quantized is not None:
            self.pos = end
            known = [DYNAMIC_INDEX if e.constant is None else e.constant for e in extents]
            return TensorType(quantized[0].type, known, quantized[1])
        for text, message in REFUSED.items():
            if kind.startswith(text):
                raise self.unsupported(message)
        element = el.BY_NAME.get({"index": "i64"}.get(kind, kind.replace("si", "i")))
        if element is None:
            raise self.unsupported(f"element type {shown(kind)} is not supported")
        self.pos = end
        return tensor_type(element, extents)

    def nested_type(self) -> NestedType:
        """A tensor type, ``tuple<...>`` or ``!stablehlo.token``."""
        if self.take("!stablehlo.token"):
            return []
        if not self.take("tuple"):
            return self.type()
        if self.depth >= MAX_DEPTH:
            raise self.error(f"types are nested more than {MAX_DEPTH} deep")
        self.depth += 1
        types = self.listed("<", ">", self.nested_type)
        self.depth -= 1
        return types

    def types(self) -> list[NestedType]:
        """Types in parentheses, or types with commas between them."""
        if self.sees("("):
            return self.listed("(", ")", self._type_with_attributes)
        types = [self.nested_type()]
        while self.take(","):
            types.append(self.nested_type())
        return types

    def _type_with_attributes(self) -> NestedType:
        """A type; attributes behind it have no meaning here."""
        type = self.nested_type()
        if self.sees("{"):
            self.balanced("{", "}")
        return type

    def named_type(self) -> tuple[str, NestedType]:
        """``%x: T``."""
        name = self.name_behind("%")
        self.need(":")
        return name, self._type_with_attributes()

    def listed(self, opening: str, closing: str, item: Callable[[], T]) -> list[T]:
        """Items between brackets, with commas between them."""
        self.need(opening)
        items: list[T] = []
        while not self.take(closing):
            items.append(item())
            if not self.take(",") and not self.sees(closing):
                raise self.expected(f"',' or '{closing}'")
        return items

    def dense(self) -> Dense:
        """What stands behind the word ``dense``, and its type."""
        if not self.sees("<"):
            raise self.expected("'<'")
        literal = self.balanced("<", ">").strip()
        self.type_of_dense = self.pos
        self.need(":")
        start = self.pos
        type = self.type()
        element, shape = element_of(type), [e.constant for e in shape_of(type)]
        known = [n for n in shape if n is not None]
        count = int(np.prod(known, dtype=object))
        try:
            if len(known) != len(shape):
                raise ValueError("a constant has known extents")
            if literal.startswith('"'):
                array = _of_bytes(bytes.fromhex(literal.strip('"')[2:]), element, count)
            else:
                array = _of_words(_ELEMENTS.findall(literal), element)
            if array.size not in (1, count):
                raise ValueError(f"{array.size} elements, expected {count}")
        except (ValueError, OverflowError) as error:
            self.pos = start
            raise self.error(f"dense: {error}") from None
        if array.size == count:
            return Dense(array.reshape(known), element)
        return Dense(np.broadcast_to(array, known), element)

    def value(self, typed: bool = True) -> Any:
        """An attribute: a number, text, list, dict, or Dense; words and types are text.

        Where it is ``typed``, the type of a number follows it.
        """
        if self.depth >= MAX_DEPTH:
            raise self.error(f"attributes are nested more than {MAX_DEPTH} deep")
        self.depth += 1
        value = self._value(typed)
        self.depth -= 1
        return value

    def _value(self, typed: bool) -> Any:
        if self.sees('"'):
            return self.string()
        if self.sees("["):
            return self._lists()
        if self.sees("{"):
            return self.dictionary("{", "}")
        if self.sees("@"):
            name = self.name_behind("@")
            while self.take("::"):
                self.name_behind("@")
            return name
        if self.take("#") or self.sees("<"):
            if not self.sees("<"):
                self.word()
            return self._parameters() if self.sees("<") else ""
        if self.sees("!") or self.sees("tensor<"):
            return self._skipped_type()
        number = self.match(_NUMBER)
        if number is not None:
            if typed and self.take(":"):
                self._skipped_type()
            text = number[0]
            return int(text, 0) if re.fullmatch(r"-?(0x[0-9A-Fa-f]+|\d+)", text) else float(text)
        word = self.word("an attribute")
        if word == "dense":
            return self.dense()
        if word == "array" and self.sees("<"):
            words = self.balanced("<", ">").partition(":")[2].replace(",", " ").split()
            return [w == "true" if w in ("true", "false") else int(w) for w in words]
        if self.sees("<"):
            self.balanced("<", ">")
        return {"true": True, "false": False}.get(word, word)

    def _skipped_type(self) -> str:
        start = self.pos
        self.take("!")
        self.word("a type")
        if self.sees("<"):
            self.balanced("<", ">")
        return self.text[start : self.pos].strip()

    def _lists(self) -> Any:
        """A list, or several: ``[1] x [0]`` and ``[b, f]x[i, o]->[b, f]``."""
        lists = [self.listed("[", "]", self.value)]
        while re.match(r"(x|->)\s*\[", self.text[self.pos : self.pos + 40]):
            _ = self.take("x") or self.take("->")
            lists.append(self.listed("[", "]", self.value))
        return lists if len(lists) > 1 else lists[0]

    def _parameters(self) -> Any:
        """What is between the brackets of ``#stablehlo.gather<...>``: a dict, lists, or a word."""
        if self.sees("<("):
            return self.balanced("<", ">")
        if re.match(r"<\s*\w+\s*=", self.text[self.pos : self.pos + 200]):
            return self.dictionary("<", ">")
        self.need("<")
        value: Any = ""
        while not self.take(">"):
            value = self.value()
        return value

    def dictionary(self, opening: str, closing: str) -> dict[str, Any]:
        """``{a = 1, b}``; a name without a value is true."""
        return dict(self.listed(opening, closing, self._entry))

    def _entry(self) -> tuple[str, Any]:
        name = self.string() if self.sees('"') else self.word("the name of an attribute")
        return name, self.value() if self.take("=") else True


def _of_bytes(data: bytes, type: el.ElementType, count: int) -> Array:
    """The elements of bytes in memory order; those of i1 may be packed bits."""
    if type is el.I1:
        bits = np.frombuffer(data, np.uint8)
        if len(data) == 1 and data[0] in (0, 255):
            return np.array([data[0] == 255])
        if len(data) == -(-count // 8) and len(data) != count:
            bits = np.unpackbits(bits, count=count, bitorder="little")
        return bits != 0
    return np.frombuffer(data, type.dtype)


def _of_words(words: list[str], type: el.ElementType) -> Array:
    """The elements of text; for floats, ``0x...`` are the bits."""
    if type is el.I1:
        return np.array([{"true": True, "false": False}.get(w, w == "1") for w in words], bool)
    if type.is_float or type.small == "float":
        bits = np.dtype(f"uint{8 * type.bytes}")
        return np.array(
            [
                np.array(int(w, 16), bits).view(type.dtype) if w[:2] == "0x" else float(w)
                for w in words
            ],
            type.dtype,
        )
    numbers = [int(w, 0) for w in words]
    for n in numbers:
        if not type.lowest <= n <= type.highest and not type.is_small:
            raise ValueError(f"{n} is outside {type}")
    return np.array(numbers, object).astype(type.dtype)
