"""Schemas: inputs and attributes of one operator version, and the function that legalizes it.

``openvino.txt`` has a line for each: ``MVN 6 | data:T axes:I? | eps:float! | T=FLOAT; I=i64``.
``axes:I?`` is an optional input, ``data:T*`` any number of inputs and ``data:T?*`` any number or
none; T and I are type variables, and inputs of one variable have one element type.  Attributes are
``keep_dims:bool=false mode:erf|tanh=erf eps:float!``: kind or words, then the default, or ``!`` if
there must be one.  Names in capitals are groups of element types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from opc.dialects import element as el
from opc.errors import UnsupportedError
from opc.frontend.openvino.net import element_named

if TYPE_CHECKING:
    from opc.frontend.models.op_builder import Value

    from .layer import Layer

Result: TypeAlias = "Value"
Legalize: TypeAlias = "Callable[[Layer], Result | tuple[Result | None, ...]]"
Types: TypeAlias = "frozenset[el.ElementType]"
F = TypeVar("F", bound="Legalize")

GROUPS = {
    "ANY": el.ANY,
    "NUMERIC": el.NUMERIC,
    "INTEGER": el.INTEGER,
    "FLOAT": el.FLOAT,
    "BOOL": el.BOOL,
}
"""The groups of element types."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}\Z")
_INTEGERS = re.compile(r"[+-]?[0-9]{1,18}( *, *[+-]?[0-9]{1,18}){0,15}\Z")
_FLOAT = re.compile(
    r"[+-]?([0-9]{1,40}\.?[0-9]{0,80}|\.[0-9]{1,80})(e[+-]?[0-9]{1,5})?\Z|"
    r"[+-]?(inf|infinity|nan)\Z"
)
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


@dataclass(frozen=True)
class Input:
    """An input: its name, its type variable, and whether it may be absent."""

    name: str
    type: str
    optional: bool = False
    many: bool = False


@dataclass(frozen=True)
class Attribute:
    """An attribute: bool, int, ints, float, type, text, or words with ``|`` between them."""

    name: str
    kind: str
    default: str | None = None

    @property
    def required(self) -> bool:
        """Whether a layer must have it."""
        return self.default is None

    def decode(self, text: str) -> Any:
        """The value of an attribute's text.  ValueError if it has none."""
        word = text.strip().lower()
        if self.kind == "bool" and word in _BOOLEANS:
            return _BOOLEANS[word]
        if self.kind == "int" and _INTEGER.match(word):
            return int(word)
        if self.kind == "ints" and (not word or _INTEGERS.match(word)):
            return tuple(map(int, word.split(","))) if word else ()
        if self.kind == "float" and _FLOAT.match(word):
            return float(word)
        if self.kind == "floats" and (not word or all(map(_FLOAT.match, _split(word)))):
            return tuple(map(float, _split(word))) if word else ()
        if self.kind == "text":
            return text
        if self.kind == "words" and all(part.isidentifier() for part in _split(word)):
            return _split(word)
        if self.kind == "type":
            try:
                return element_named(text, "")
            except UnsupportedError as error:
                raise ValueError(error.message) from None
        if "|" in self.kind and word in self.kind.split("|"):
            return word
        raise ValueError(f"expected {self.kind.replace('|', ' or ')}, found {text[:40]!r}")


@dataclass(frozen=True)
class Schema:
    """One version of an operator: ``since`` is the first opset that has it."""

    type: str
    since: int
    inputs: tuple[Input, ...]
    attributes: tuple[Attribute, ...]
    types: Mapping[str, Types]
    legalize: Legalize

    @property
    def least(self) -> int:
        """The least number of inputs."""
        return sum(not i.optional for i in self.inputs)

    @property
    def most(self) -> int | None:
        """The greatest number of inputs, None if there is none."""
        return None if self.inputs and self.inputs[-1].many else len(self.inputs)

    def input(self, position: int) -> Input:
        """The input at a position."""
        return self.inputs[min(position, len(self.inputs) - 1)]

    def has(self, attribute: str) -> bool:
        """Whether this version has an attribute of that name."""
        return any(a.name == attribute for a in self.attributes)

    def __str__(self) -> str:
        return f"{self.type}-{self.since}"


SCHEMAS: dict[str, dict[int, Schema]] = {}
"""Every schema, by the type of the layer in lower case and by version."""


def _input(text: str) -> Input:
    name, _, type = text.partition(":")
    return Input(name, type.rstrip("?*"), "?" in type, type.endswith("*"))


def _attribute(text: str) -> Attribute:
    name, _, kind = text.partition(":")
    kind, equals, default = kind.partition("=")
    return Attribute(name, kind.removesuffix("!"), default if equals else None)


@cache
def _versions() -> dict[tuple[str, int], str]:
    """The line of each operator and version in the table."""
    text = files(__package__ or "").joinpath("openvino.txt").read_text(encoding="utf-8")
    lines: dict[tuple[str, int], str] = {}
    for line in text.splitlines()[1:]:
        version, _, fields = line.partition(" | ")
        type, since = version.split()
        lines[type, int(since)] = fields
    return lines


def _types(text: str) -> Types:
    sets = (GROUPS.get(name) or {el.BY_NAME[name]} for name in text.split())
    return frozenset[el.ElementType]().union(*sets)


def openvino(type: str, *since: int) -> Callable[[F], F]:
    """Register the function that legalizes these versions of an operator, by default all."""
    versions = since or [version for name, version in _versions() if name == type]

    def register(legalize: F) -> F:
        for version in versions:
            fields = _versions()[type, version].split(" | ")
            inputs, attributes, types = ("" if text == "-" else text for text in fields)
            SCHEMAS.setdefault(type.lower(), {})[version] = Schema(
                type,
                version,
                tuple(map(_input, inputs.split())),
                tuple(map(_attribute, attributes.split())),
                {v: _types(t) for v, t in (x.split("=") for x in types.split("; ") if x)},
                legalize,
            )
        return legalize

    return register


def canonical(key: str) -> str:
    """The name of an attribute: ``auto_broadcast.auto_broadcast_axis`` is ``axis``."""
    last = key.rpartition(".")[2]
    return "axis" if last == "auto_broadcast_axis" else last


def find(type: str, opset: int) -> Schema | None:
    """The schema of the newest version in an opset, or None.

    Types are compared without regard to case, as OpenVINO does: its writer says ``ReLU`` where
    its interface says ``Relu``.
    """
    versions = SCHEMAS.get(type.lower(), {})
    since = max((v for v in versions if v <= opset), default=None)
    return None if since is None else versions[since]
