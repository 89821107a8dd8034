"""Schemas: what one version of an operator takes and gives, and the function that computes it.

``openvino.txt`` has a line for each: ``MVN 6 | data:T axes:I? -> T | eps:float! | T=FLOAT; I=i64``.
``axes:I?`` is an optional input, ``data:T*`` any number of inputs and ``data:T?*`` any number or
none; T and I are type variables, and inputs of one variable have one element type.  The results
follow: type variables, element types, or the attributes that name these; ``T*`` for any number.
Attributes are ``keep_dims:bool=false mode:erf|tanh=erf eps:float!``: kind or words, then the
default, or ``!`` if there must be one.  Names in capitals are groups of element types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any, TypeAlias, TypeVar

from opc.dialects import element as el
from opc.dialects.shape import MAX_RANK
from opc.errors import UnsupportedError
from opc.frontend.openvino.net import element_named

Types: TypeAlias = "frozenset[el.ElementType]"
F = TypeVar("F", bound=Callable[..., Any])

GROUPS = {
    "ANY": el.ANY,
    "NUMERIC": el.NUMERIC,
    "INTEGER": el.INTEGER,
    "FLOAT": el.FLOAT,
    "BOOL": el.BOOL,
}
"""The groups of element types."""

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_REAL = r"[+-]?([0-9]{1,40}\.?[0-9]{0,80}|\.[0-9]{1,80})(e[+-]?[0-9]{1,5})?|[+-]?(inf|infinity|nan)"
_KINDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "bool": ("|".join(_BOOLEANS), _BOOLEANS.__getitem__),
    "int": (r"[+-]?[0-9]{1,18}", int),
    "float": (_REAL, float),
    "word": (r"[^\W\d]\w*", str),
}
"""Kind --> the form of a value, and what reads it; ``ints``, ``floats`` and ``words`` are lists."""


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

    def decode(self, text: str) -> Any:
        """The value of an attribute's text.  ValueError if it has none."""
        word, kind = text.strip().lower(), self.kind.removesuffix("s")
        if kind == "text":
            return text
        if kind == "type":
            try:
                return element_named(text, "")
            except UnsupportedError as error:
                raise ValueError(error.message) from None
        if "|" in self.kind and word in self.kind.split("|"):
            return word
        form, read = _KINDS.get(kind, ("", str))
        parts = [word] if kind == self.kind else [p.strip() for p in word.split(",") if word]
        if not all(form and re.fullmatch(form, p) for p in parts) or (
            self.kind == "ints" and len(parts) > MAX_RANK
        ):
            raise ValueError(f"expected {self.kind.replace('|', ' or ')}, found {text[:40]!r}")
        return read(word) if kind == self.kind else tuple(map(read, parts))


@dataclass(frozen=True)
class Schema:
    """One version of an operator: ``since`` is the first opset that has it.

    ``function`` takes the inputs and attributes that its parameters name (see ``layer.py``).
    """

    type: str
    since: int
    inputs: tuple[Input, ...]
    results: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    types: Mapping[str, Types]
    function: Callable[..., Any]

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
def _versions() -> dict[str, dict[int, str]]:
    """The line of each operator and version in the table."""
    text = files(__package__ or "").joinpath("openvino.txt").read_text(encoding="utf-8")
    lines: dict[str, dict[int, str]] = {}
    for line in text.splitlines()[1:]:
        version, _, fields = line.partition(" | ")
        type, since = version.split()
        lines.setdefault(type, {})[int(since)] = fields
    return lines


def _types(text: str) -> Types:
    sets = (GROUPS.get(name) or {el.BY_NAME[name]} for name in text.split())
    return frozenset[el.ElementType]().union(*sets)


def openvino(types: str, *since: int, **preset: Any) -> Callable[[F], F]:
    """Register the function of these versions of operators, by default of all.

    ``preset`` are keywords of the function that are no attributes.
    """

    def register(function: F) -> F:
        for type in types.split():
            for version in since or _versions()[type]:
                values, attributes, variables = _versions()[type][version].split(" | ")
                inputs, results = values.split("->")
                SCHEMAS.setdefault(type.lower(), {})[version] = Schema(
                    type,
                    version,
                    tuple(map(_input, inputs.split())),
                    tuple(results.split()),
                    tuple(map(_attribute, attributes.split() if attributes != "-" else ())),
                    {v: _types(t) for v, t in (x.split("=") for x in variables.split("; "))},
                    partial(function, **preset) if preset else function,
                )
        return function

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
