"""Tables of operator versions from packages: ``python -m tests.onnx_schemas`` writes them.

``onnx.txt`` has all versions that the package ``onnx`` knows.  ``onnxruntime.txt`` is written where
that package is installed, and has of the versions that only it knows those that opc legalizes.
``opc.frontend.onnx.ops.signatures`` reads both.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from opc.frontend.onnx.ops import SCHEMAS, qualified
from opc.frontend.onnx.ops.signatures import GROUPS

FOLDER = Path(__file__).parents[1] / "compiler/frontend/onnx/ops"
OPTIONS = {"Single": "", "Optional": "?"}
CONTAINERS = re.compile(r"((?:optional\(|seq\()*)tensor\((\w+)\)\)*")


def published() -> dict[tuple[str, int], Any]:
    """The schemas of the package ``onnx`` by operator and version."""
    return {
        (qualified(s.domain, s.name), s.since_version): s
        for s in onnx.defs.get_all_schemas_with_history()
    }


def published_by_onnxruntime() -> dict[tuple[str, int], Any]:
    """The schemas of onnxruntime that ONNX does not have.  ImportError without onnxruntime."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    schemas = {
        (qualified(s.domain, s.name), s.since_version): s for s in state.get_all_operator_schema()
    }
    return {key: schema for key, schema in schemas.items() if key not in published()}


def line(schema: Any) -> str:
    """The line of a table for a schema of either package."""
    sides = (_values(schema.inputs, schema.min_input), _values(schema.outputs, schema.min_output))
    attributes = " ".join(_attribute(name, a) for name, a in sorted(schema.attributes.items()))
    types = "; ".join(
        f"{c.type_param_str}={types_text(c.allowed_type_strs)}"
        for c in sorted(schema.type_constraints, key=lambda c: c.type_param_str)
    )
    values = " -> ".join(sides).strip()
    return f"{schema.since_version} | {values} | {attributes or '-'} | {types or '-'}"


def _values(formal: Any, least: int) -> str:
    texts: list[str] = []
    for k, value in enumerate(formal):
        is_variadic = value.option.name == "Variadic"
        option = "*+"[least > k] if is_variadic else OPTIONS[value.option.name]
        mixed = is_variadic and not _property(value, "is_homogeneous", "isHomogeneous")
        type = re.sub(r"^tensor\((\w+)\)$", r"\1", _property(value, "type_str", "typeStr"))
        texts.append(f"{value.name}{option}:{type}{'~' if mixed else ''}")
    return " ".join(texts)


def _property(value: Any, *names: str) -> Any:
    """A property that the packages name differently."""
    return next(getattr(value, name) for name in names if hasattr(value, name))


def _attribute(name: str, attribute: Any) -> str:
    default = _property(attribute, "default_value", "_default_value")
    if isinstance(default, bytes):
        default = onnx.AttributeProto.FromString(default)
    text = f"{name}:{attribute.type.name.lower()}"
    if attribute.required:
        return f"{text}!"
    return f"{text}={_default(onnx.helper.get_attribute_value(default))}" if default.name else text


def _default(value: Any) -> str:
    """A default in JSON, without spaces and bars."""
    if isinstance(value, float):
        return str(np.float32(value)).removesuffix(".0")
    plain = [_text(v) for v in value] if isinstance(value, list) else _text(value)
    text = json.dumps(plain, separators=(",", ":"))
    return text.replace(" ", "\\u0020").replace("|", "\\u007c")


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def types_text(types: Iterable[str]) -> str:
    """Types of ONNX with those in the same containers together, and in groups."""
    by_container, others = defaultdict[str, set[str]](set), list[str]()
    for type in types:
        match = CONTAINERS.fullmatch(type)
        if match is None:
            others.append(type.replace(" ", ""))
        else:
            by_container[match[1]].add(match[2])
    texts = [
        f"{container}{_grouped(elements)}{')' * container.count('(')}"
        for container, elements in sorted(by_container.items())
    ]
    return " ".join([*texts, *sorted(others)])


def _grouped(elements: set[str]) -> str:
    names: list[str] = []
    for group, members in GROUPS.items():
        if elements >= set(members.split()):
            names.append(group)
            elements = elements - set(members.split())
    return " ".join([*names, *sorted(elements)])


def versions_of(schemas: Mapping[tuple[str, int], Any]) -> str:
    """The blocks of a table, one for each operator."""
    blocks: list[str] = []
    for operator in sorted({operator for operator, _ in schemas}):
        versions = sorted(since for name, since in schemas if name == operator)
        blocks.append("\n".join([operator, *(line(schemas[operator, v]) for v in versions)]))
    return "\n\n".join(blocks) + "\n"


def write(name: str, source: Any, opsets: Mapping[str, int], schemas: Mapping[Any, Any]) -> None:
    """Write a table."""
    package = f"{source.__name__} {source.__version__}"
    head = f"# Written by `python -m tests.onnx_schemas` from {package}; do not edit.\n"
    domains = "".join(f"opset {domain} {newest}\n" for domain, newest in opsets.items())
    (FOLDER / name).write_text(f"{head}{domains}\n{versions_of(schemas)}", encoding="utf-8")


def main() -> None:
    """Write both tables, the second where onnxruntime is installed."""
    schemas = published()
    newest = onnx.defs.C.schema_version_map()
    domains = sorted({schema.domain for schema in schemas.values()})
    opsets = {domain or "ai.onnx": newest[domain][1] for domain in domains}
    write("onnx.txt", onnx, opsets, schemas)
    try:
        import onnxruntime
    except ImportError:
        print("onnxruntime is not installed: onnxruntime.txt stays as it is")
        return
    others = published_by_onnxruntime()
    legalized = {key: s for key, s in others.items() if key[1] in SCHEMAS.get(key[0], {})}
    write("onnxruntime.txt", onnxruntime, {"com.microsoft": 1}, legalized)


if __name__ == "__main__":
    main()
