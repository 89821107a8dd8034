"""What ONNX and onnxruntime say of each operator version, read from the tables beside this file.

``python -m tests.onnx_schemas`` writes the tables.  An operator has a line for each version:
``10 | X:T K:int64 -> Values:T Indices:I | axis:int=-1 | I=int64; T=FLOAT``.

After the name of a value, ``?`` says that it is optional, ``*`` any number of values, ``+`` at
least one; ``~`` after their type, that each may have its own.  An attribute has a kind, then a
default, or ``!`` if it is required.  Names in capitals are groups of element types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np

Types: TypeAlias = "frozenset[str]"

TABLES = ("onnx.txt", "onnxruntime.txt")
GROUPS = {
    "FLOAT": "float16 float double",
    "INT": "int8 int16 int32 int64",
    "UINT": "uint8 uint16 uint32 uint64",
    "COMPLEX": "complex64 complex128",
    "FLOAT8": "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz",
    "FLOAT6": "float6e2m3 float6e3m2",
    "INT4": "int4 uint4",
    "INT2": "int2 uint2",
}
"""The groups of element types."""
_VALUE = re.compile(r"(.+?)([?*+]?):(.+?)(~?)")
_CONTAINER = re.compile(r" ?\w+\((?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True)
class Value:
    """An input or output: its name, type variable or element type, and ``?``, ``*`` or ``+``."""

    name: str
    type: str
    option: str = ""
    is_mixed: bool = False
    """Whether values of any number may differ in type."""

    @property
    def is_variadic(self) -> bool:
        """Whether it stands for any number of values."""
        return self.option in ("*", "+")


@dataclass(frozen=True)
class Attribute:
    """An attribute: its kind as in ``int``, ``floats``, ``tensor``, and its default."""

    name: str
    kind: str
    default: Any = None
    required: bool = False


@dataclass(frozen=True)
class Signature:
    """One version of an operator as its specification has it."""

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    attributes: tuple[Attribute, ...]
    types: Mapping[str, Types]
    """The element types of tensors by type variable."""
    containers: Types
    """The type variables that may also be sequences, optional values or maps."""

    @property
    def least(self) -> int:
        """The least number of inputs."""
        needed = (k + (v.option != "*") for k, v in enumerate(self.inputs) if v.option != "?")
        return max(needed, default=0)

    @property
    def most(self) -> int | None:
        """The greatest number of inputs, or None."""
        return None if self.inputs and self.inputs[-1].is_variadic else len(self.inputs)

    def input(self, position: int) -> Value:
        """The input at a position."""
        return self.inputs[min(position, len(self.inputs) - 1)]

    def allowed(self, type: str) -> Types:
        """The element types of a type variable; an element type stands for itself."""
        return self.types.get(type, frozenset({type}))

    def has(self, attribute: str) -> bool:
        """Whether this version has an attribute of that name."""
        return any(a.name == attribute for a in self.attributes)


@cache
def _tables() -> tuple[dict[str, int], dict[tuple[str, int], str]]:
    """The newest opset of each domain, and the line of each operator and version."""
    opsets, lines = dict[str, int](), dict[tuple[str, int], str]()
    for table in TABLES:
        text = files(__package__ or "").joinpath(table).read_text(encoding="utf-8")
        head, *operators = text.rstrip("\n").split("\n\n")
        for line in head.splitlines()[1:]:
            domain, opset = line.removeprefix("opset ").split()
            opsets["" if domain == "ai.onnx" else domain] = int(opset)
        for block in operators:
            operator, *rows = block.splitlines()
            for line in rows:
                since, _, fields = line.partition(" | ")
                lines[operator, int(since)] = fields
    return opsets, lines


def newest() -> dict[str, int]:
    """The newest opset of each domain that the tables have."""
    return _tables()[0]


def versions() -> list[tuple[str, int]]:
    """All operators and versions."""
    return list(_tables()[1])


def signature(operator: str, since: int) -> Signature:
    """The signature of a version.  KeyError if there is none."""
    return _parsed(_tables()[1][operator, since])


@cache
def _parsed(fields: str) -> Signature:
    """The signature that a line of a table states."""
    values, attributes, types = fields.split(" | ")
    inputs, outputs = (tuple(map(_value, side.split())) for side in values.split("->"))
    sets = dict(entry.split("=") for entry in types.split("; ") if entry != "-")
    return Signature(
        inputs,
        outputs,
        tuple(map(_attribute, attributes.split())) if attributes != "-" else (),
        {variable: _tensors(text) for variable, text in sets.items()},
        frozenset(variable for variable, text in sets.items() if "(" in text),
    )


def _value(text: str) -> Value:
    match = _VALUE.fullmatch(text)
    assert match is not None, text
    name, option, type, mixed = match.groups()
    return Value(name, type, option, bool(mixed))


def _attribute(text: str) -> Attribute:
    name, _, kind = text.partition(":")
    kind, _, default = kind.partition("=")
    value: Any = None
    if kind == "float" and default:
        value = float(np.float32(default))
    elif default:
        value = json.loads(default)
    if kind in ("ints", "floats", "strings") and default:
        value = tuple(value)
    return Attribute(name, kind.removesuffix("!"), value, kind.endswith("!"))


def _tensors(text: str) -> Types:
    names = _CONTAINER.sub("", text).split()
    return frozenset(name for group in names for name in GROUPS.get(group, group).split())
