"""The registry of ONNX operators against the schemas of the installed ``onnx`` package."""

from __future__ import annotations

from typing import Any

import pytest

onnx = pytest.importorskip("onnx")
from opc.frontend.onnx.ops import NEWEST, NEWEST_OF, SCHEMAS, qualified  # noqa: E402
from opc.frontend.onnx.ops.schema import ELEMENTS, FLOAT6, Schema  # noqa: E402

pytestmark = pytest.mark.smoke

OPERATORS = [
    "Abs",
    "Acos",
    "Acosh",
    "Add",
    "And",
    "ArgMax",
    "ArgMin",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "BitCast",
    "BitShift",
    "BitwiseAnd",
    "BitwiseNot",
    "BitwiseOr",
    "BitwiseXor",
    "Cast",
    "CastLike",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Cosh",
    "Div",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "Greater",
    "GreaterOrEqual",
    "HardSigmoid",
    "HardSwish",
    "Identity",
    "IsInf",
    "IsNaN",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "Max",
    "Mean",
    "Min",
    "Mish",
    "Mod",
    "Mul",
    "Neg",
    "Not",
    "Or",
    "PRelu",
    "Pow",
    "Reciprocal",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
    "Relu",
    "Round",
    "Selu",
    "Shrink",
    "Sigmoid",
    "Sign",
    "Sin",
    "Sinh",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Sub",
    "Sum",
    "Swish",
    "Tan",
    "Tanh",
    "ThresholdedRelu",
    "Where",
    "Xor",
]
VERSIONS = 261

PUBLISHED: dict[tuple[str, int], Any] = {
    (qualified(s.domain, s.name), s.since_version): s
    for s in onnx.defs.get_all_schemas_with_history()
    if qualified(s.domain, s.name) in SCHEMAS
}
OPTIONS = {"Single": "", "Optional": "?", "Variadic": "*"}
KNOWN = frozenset(ELEMENTS) | FLOAT6


def bare(type: str) -> str:
    return type.removeprefix("tensor(").removesuffix(")")


def values(formal: Any) -> list[tuple[str, str, str]]:
    return [(v.name, bare(v.type_str), OPTIONS[v.option.name]) for v in formal]


def default(attribute: Any) -> Any:
    if not attribute.default_value.name:
        return None
    value = onnx.helper.get_attribute_value(attribute.default_value)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return tuple(v.decode() if isinstance(v, bytes) else v for v in value)
    return value


def rows() -> list[Schema]:
    return [row for versions in SCHEMAS.values() for row in versions.values()]


@pytest.mark.parametrize("row", rows(), ids=str)
def test_row(row: Schema) -> None:
    schema = PUBLISHED.get((row.operator, row.since))
    if schema is None:
        pytest.skip("newer than the installed onnx")
    assert [(v.name, v.type, v.option) for v in row.inputs] == values(schema.inputs)
    assert [(v.name, v.type, v.option) for v in row.outputs] == values(schema.outputs)
    most = 2**31 - 1 if row.most is None else row.most
    assert (row.least, most) == (schema.min_input, schema.max_input)
    found = {(a.name, a.kind, a.required, a.default) for a in row.attributes}
    assert len(found) == len(row.attributes)
    assert found == {
        (a.name, a.type.name.lower(), a.required, default(a)) for a in schema.attributes.values()
    }
    constraints = schema.type_constraints
    allowed = {c.type_param_str: set(map(bare, c.allowed_type_strs)) for c in constraints}
    assert {k: set(v) for k, v in row.types.items()} == {
        name: types & KNOWN for name, types in allowed.items()
    }


def of_onnxruntime() -> dict[tuple[str, int], Any]:
    """The schemas of onnxruntime that ONNX does not have, by name and version."""
    state = pytest.importorskip("onnxruntime.capi.onnxruntime_pybind11_state")
    found = {
        (qualified(s.domain, s.name), s.since_version): s for s in state.get_all_operator_schema()
    }
    return {key: s for key, s in found.items() if key not in PUBLISHED}


def default_there(attribute: Any) -> Any:
    """The default of an attribute of onnxruntime, a serialized attribute itself."""
    made = onnx.AttributeProto()
    made.ParseFromString(attribute._default_value)
    value = onnx.helper.get_attribute_value(made) if made.name else None
    return value.decode() if isinstance(value, bytes) else value


def test_rows_of_onnxruntime() -> None:
    """Those of its own domain, and those that it adds to the domain of ONNX."""
    schemas, seen = of_onnxruntime(), 0
    for row in rows():
        schema = schemas.get((row.operator, row.since))
        if schema is None:
            assert not row.operator.startswith("com.microsoft::"), row
            continue
        seen += 1
        for ours, theirs in ((row.inputs, schema.inputs), (row.outputs, schema.outputs)):
            assert [(v.name, v.type, v.option) for v in ours] == [
                (v.name, bare(v.typeStr), OPTIONS[v.option.name]) for v in theirs
            ], row
        assert row.least == schema.min_input, row
        assert {(a.name, a.kind, a.required, a.default) for a in row.attributes} == {
            (name, a.type.name.lower(), a.required, default_there(a))
            for name, a in schema.attributes.items()
        }, row
        constraints = schema.type_constraints
        allowed = {c.type_param_str: set(map(bare, c.allowed_type_strs)) for c in constraints}
        assert {k: set(v) for k, v in row.types.items()} == {
            name: types & KNOWN for name, types in allowed.items()
        }, row
    assert seen >= 71


def test_what_is_left_out() -> None:
    """Strings, complex numbers and what is no tensor: nothing else that a schema allows."""
    left = {
        bare(t) for s in PUBLISHED.values() for c in s.type_constraints for t in c.allowed_type_strs
    } - KNOWN
    assert {t for t in left if not t.startswith(("seq(", "optional("))} <= {
        "string",
        "complex64",
        "complex128",
    }


def test_every_version_has_a_row() -> None:
    assert set(PUBLISHED) <= {(row.operator, row.since) for row in rows()}


def test_operators_of_the_issue() -> None:
    assert set(OPERATORS) <= set(SCHEMAS)
    assert sum(len(SCHEMAS[name]) for name in OPERATORS) == VERSIONS


def test_newest_opset() -> None:
    assert onnx.defs.onnx_opset_version() <= NEWEST
    for schema in onnx.defs.get_all_schemas():
        if schema.domain in NEWEST_OF:
            assert schema.since_version <= NEWEST_OF[schema.domain]
