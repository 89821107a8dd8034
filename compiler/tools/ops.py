"""``opc ops``: the operators, as the registries have them."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
import textwrap
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opc.dialects.opc.base import OpcOp, Param

CLASSES = ("stored", "any", "numeric", "float", "integer", "signed", "bool")
"""Sets of element types that have a name."""


@dataclass(frozen=True)
class Attribute:
    """An attribute of an operator; ``default`` is text, or None if it must be given."""

    name: str
    default: str | None
    meaning: str


@dataclass(frozen=True)
class Operator:
    """A row of the table."""

    name: str
    family: str
    operands: str
    attributes: tuple[Attribute, ...]
    types: tuple[str, ...]
    formats: tuple[str, ...]
    meaning: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Lists the operators, their element types and the formats that reach them."
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything, for programs")
    form.add_argument("--irdl", action="store_true", help="the operations of all dialects in IRDL")
    form.add_argument("--markdown", action="store_true", help="the text of docs/operators.md")


def run(args: argparse.Namespace) -> int:
    """Print the table; returns the exit code."""
    if args.irdl:
        from . import irdl

        sys.stdout.write(irdl.text())
        return 0
    rows = operators()
    if args.json:
        text = json.dumps([asdict(row) for row in rows], indent=2) + "\n"
    else:
        text = markdown(rows) if args.markdown else table(rows)
    sys.stdout.write(text)
    return 0


def operators() -> list[Operator]:
    """A row for every operator of the ``opc`` dialect, by family and name."""
    from opc.dialects.element import BY_NAME
    from opc.dialects.opc import OPERATORS

    from .reached import REACHED

    return [
        Operator(
            name=op.name,
            family=op.__module__.rpartition(".")[2],
            operands=_operand_count(op),
            attributes=tuple(_attribute(p) for p in op.params),
            types=tuple(e.name for e in BY_NAME.values() if e in op.types),
            formats=("mlir", *(form for form, known in REACHED.items() if op.name in known)),
            meaning=inspect.getdoc(op) or "",
        )
        for op in OPERATORS
    ]


def _operand_count(op: type[OpcOp]) -> str:
    """How many operands there are."""
    from opc.dialects.opc.base import MANY

    least, most = op.operand_count
    if least == most:
        return str(least)
    return f"at least {least}" if most == MANY else f"{least} or {most}"


def _attribute(param: Param) -> Attribute:
    from opc.dialects.opc.base import REQUIRED

    default: Any = param.default
    if default is REQUIRED:
        text = None
    elif default is None:
        text = "absent"
    else:
        text = param.show(default) if param.show is not None else str(default)
    return Attribute(param.name, text, param.meaning)


def _types(row: Operator) -> str:
    """The name of the class that the element types are, or all of them."""
    from opc.dialects import element as el

    own = frozenset(el.BY_NAME[name] for name in row.types)
    classes: dict[str, frozenset[el.ElementType]] = {
        **{name: vars(el)[name.upper()] for name in CLASSES},
        "float or signed": el.FLOAT | el.SIGNED,
    }
    named = (name for name, members in classes.items() if members == own)
    return next(named, " ".join(row.types))


def table(rows: list[Operator]) -> str:
    """The table for a terminal."""
    lines = [("operator", "operands", "types", "formats", "attributes")]
    for row in rows:
        attributes = ", ".join(
            a.name if a.default is None else f"{a.name}={a.default}" for a in row.attributes
        )
        lines.append((row.name, row.operands, _types(row), " ".join(row.formats), attributes))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        + "\n"
        for line in lines
    )


def markdown(rows: list[Operator]) -> str:
    """The page of the documentation."""
    parts = [
        "# Operators\n\n"
        "Made by `opc ops --markdown`; do not edit.\n\n"
        "Element types: *float* is f64 f32 f16 bf16, *signed* i8 i16 i32 i64, *integer* those and "
        "ui8 ui16 ui32 ui64, *numeric* float and integer, *bool* i1, *any* all of them; "
        "*stored* also f8E4M3FN f8E4M3FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU f4E2M1FN i4 i2 ui4 ui2, "
        "which are moved and converted only. An attribute with a value may be left out and then "
        "has it. Formats are those in which models have a node or layer that becomes the operator: "
        "recorded, by legalizing samples (`python -m tests.reached`).\n"
    ]
    for family in dict.fromkeys(row.family for row in rows):
        examples: list[str] = []
        parts.append(
            f"\n## {family.capitalize()}\n\n"
            "| operator | operands | types | attributes | formats | meaning |\n"
            "|---|---|---|---|---|---|\n"
        )
        for row in rows:
            if row.family == family:
                # Blocks of code, which do not fit in a cell, stand behind the table.
                texts = re.split(r"\s*::\n\n((?: .*(?:\n|$)|\n)+)", row.meaning)
                examples += [textwrap.dedent(block).strip() + "\n" for block in texts[1::2]]
                meaning = " ".join(f"{text.rstrip('.')}." for text in texts[::2] if text)
                cells = (
                    f"`{row.name}`",
                    row.operands,
                    _types(row),
                    "<br>".join(map(_described, row.attributes)),
                    " ".join(row.formats),
                    " ".join(meaning.split()).replace("``", "`"),
                )
                parts.append(f"| {' | '.join(c.replace('|', chr(92) + '|') for c in cells)} |\n")
        if examples:
            parts.append(f"\n```mlir\n{''.join(examples)}```\n")
    return "".join([*parts, *_models()])


def _models() -> list[str]:
    """Sections with the operators of the formats of models, as the registries have them."""
    from opc.frontend.onnx import ops as onnx_ops
    from opc.frontend.openvino import ops as openvino_ops
    from opc.frontend.openvino.ops.missing import MISSING

    parts = [
        "\n## Operators of ONNX\n\n"
        "With the versions that differ. RotaryEmbedding and SwiGLU are written out as the "
        "specification defines them.\n\n"
        "| operator | versions |\n|---|---|\n"
    ]
    for name, rows in sorted(onnx_ops.SCHEMAS.items()):
        parts.append(f"| {name} | {', '.join(map(str, sorted(rows)))} |\n")
    parts.append(
        "\n## Operators of OpenVINO\n\n"
        "With the opsets that brought their versions.\n\n| operator | opsets |\n|---|---|\n"
    )
    for rows in sorted(openvino_ops.SCHEMAS.values(), key=lambda rows: rows[max(rows)].type):
        parts.append(f"| {rows[max(rows)].type} | {', '.join(map(str, sorted(rows)))} |\n")
    parts.append(
        "\nParameter, Const, Result, ReadValue and Assign become inputs, constants and results of "
        "the function. What is not there:\n\n| operator | why |\n|---|---|\n"
    )
    parts += [f"| {type} | {reason} |\n" for type, reason in sorted(MISSING.items())]
    return parts


def _described(attribute: Attribute) -> str:
    value = "" if attribute.default in (None, "absent") else f" = {attribute.default}"
    return f"`{attribute.name}{value}`: {attribute.meaning}"
