"""The registry of ONNX operators, and the tables of their versions against installed packages."""

from __future__ import annotations

from typing import Any

import pytest

onnx = pytest.importorskip("onnx")
from opc.frontend.onnx.ops import SCHEMAS, newest  # noqa: E402
from opc.frontend.onnx.ops.signatures import GROUPS, TABLES, signature, versions  # noqa: E402
from tests import onnx_schemas  # noqa: E402

pytestmark = pytest.mark.smoke

PUBLISHED = onnx_schemas.published()
WITHOUT_ROWS = {
    "ImageDecoder": "decodes files of images",
    "RegexFullMatch": "strings",
    "StringConcat": "strings",
    "StringNormalizer": "strings",
    "StringSplit": "strings",
    "ai.onnx.ml::CastMap": "maps",
    "ai.onnx.ml::CategoryMapper": "strings",
    "ai.onnx.ml::DictVectorizer": "maps",
    "ai.onnx.preview.training::Gradient": "differentiates a graph",
}
"""Operators that opc has not, and what they would need."""


def table(name: str) -> str:
    return (onnx_schemas.FOLDER / name).read_text(encoding="utf-8")


def lines() -> dict[tuple[str, int], str]:
    """The line of each operator and version, from the text of the tables."""
    found: dict[tuple[str, int], str] = {}
    for name in TABLES:
        for block in table(name).rstrip().split("\n\n")[1:]:
            operator, *rows = block.split("\n")
            for row in rows:
                key = operator, int(row.partition(" | ")[0])
                assert key not in found
                found[key] = row
    return found


def test_the_table_is_what_the_package_says() -> None:
    """Exactly, for all versions that both know."""
    written = lines()
    common = [key for key in PUBLISHED if key in written]
    assert len(common) > 500
    assert [written[key] for key in common] == [onnx_schemas.line(PUBLISHED[key]) for key in common]


def test_the_table_has_every_version() -> None:
    assert set(PUBLISHED) <= set(versions())
    head = f"from onnx {onnx.__version__};"
    if head in table("onnx.txt").partition("\n")[0]:
        assert table("onnx.txt").partition("\n\n")[2] == onnx_schemas.versions_of(PUBLISHED)


def test_the_table_of_onnxruntime() -> None:
    pytest.importorskip("onnxruntime")
    written, schemas = lines(), onnx_schemas.published_by_onnxruntime()
    own = [key for key in written if key not in PUBLISHED and key in schemas]
    assert len(own) >= 71
    assert [written[key] for key in own] == [onnx_schemas.line(schemas[key]) for key in own]


def test_every_version_has_a_row() -> None:
    rows = {(operator, since) for operator, versions in SCHEMAS.items() for since in versions}
    assert rows <= set(versions())
    assert {operator for operator, _ in set(versions()) - rows} == set(WITHOUT_ROWS)


def bare(type: str) -> str:
    return type.removeprefix("tensor(").removesuffix(")") if type.startswith("tensor(") else type


def default(attribute: Any) -> Any:
    value = attribute.default_value
    value = onnx.helper.get_attribute_value(value) if value.name else None
    if isinstance(value, list):
        return tuple(v.decode() if isinstance(v, bytes) else v for v in value)
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize("operator", sorted({operator for operator, _ in PUBLISHED}))
def test_what_is_read(operator: str) -> None:
    """The lines of an operator are read as the package means them."""
    for since in (since for name, since in PUBLISHED if name == operator):
        schema, found = PUBLISHED[operator, since], signature(operator, since)
        for own, formal in ((found.inputs, schema.inputs), (found.outputs, schema.outputs)):
            assert [(v.name, v.type, v.is_mixed) for v in own] == [
                (v.name, bare(v.type_str), not v.is_homogeneous) for v in formal
            ]
            assert [v.option == "?" for v in own] == [v.option.name == "Optional" for v in formal]
            assert [v.is_variadic for v in own] == [v.option.name == "Variadic" for v in formal]
        # As text, in which -0.0 and 1 are not 0.0 and 1.0.
        assert {(a.name, a.kind, a.required, repr(a.default)) for a in found.attributes} == {
            (a.name, a.type.name.lower(), a.required, repr(default(a)))
            for a in schema.attributes.values()
        }
        allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
        assert found.types == {
            name: {bare(t) for t in types if t.startswith("tensor(")}
            for name, types in allowed.items()
        }
        assert found.containers == {
            name
            for name, types in allowed.items()
            if not all(t.startswith("tensor(") for t in types)
        }


def test_numbers_of_inputs() -> None:
    for (operator, since), schema in PUBLISHED.items():
        row = SCHEMAS.get(operator, {}).get(since)
        if row is not None:
            least, most = row.signature.least, row.signature.most
            most = 2**31 - 1 if most is None else most
            assert (least, most) == (schema.min_input, schema.max_input), row


def test_groups_are_apart() -> None:
    members = [type for group in GROUPS.values() for type in group.split()]
    assert len(members) == len(set(members))


def test_newest_opset() -> None:
    assert onnx.defs.onnx_opset_version() <= newest()[""]
    for schema in PUBLISHED.values():
        assert schema.since_version <= newest()[schema.domain]
