"""Legalizes the nodes of one function; see ``legalize.py``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    StringAttr,
    TensorType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation

from opc.dialects.element import element_of
from opc.dialects.named import RESULT_NAMES
from opc.dialects.onnx import ORDINAL, NodeOp
from opc.dialects.shape import Tensor, element, tensor_of
from opc.dialects.walking import walk
from opc.frontend.legalizer import Legalizer, Outcome
from opc.frontend.models.containers import Held, Labelled, Nothing
from opc.frontend.models.kinds import Kinds
from opc.frontend.models.op_builder import Insert, Result
from opc.frontend.onnx.ops import SCHEMAS, Schema, element_named
from opc.frontend.onnx.ops.node import Node, kind_of, label, named
from opc.frontend.onnx.ops.schema import ELEMENTS, NAMES
from opc.frontend.onnx.ops.strings import moved
from opc.frontend.verify import shown
from opc.support.locations import location_of


class LegalizeOnnxFunction(Legalizer[NodeOp, Node]):
    """Legalizes one function."""

    written_as = NodeOp
    prefix = "k"

    def __init__(self, function: func.FuncOp, block: Block) -> None:
        super().__init__(function, block)
        # Nodes may move, and keep their numbers.
        for k, op in enumerate(o for o in block.ops if isinstance(o, NodeOp)):
            op.attributes.setdefault(ORDINAL, StringAttr(str(k)))

    def check_supported(self) -> None:
        """UnsupportedError that lists all operators without a schema, also in subgraphs."""
        kinds = Kinds()
        for k, op in enumerate(o for o in walk(self.block) if isinstance(o, NodeOp)):
            name, since = op.operator.data, op.since.data
            schemas = SCHEMAS.get(name, {})
            if since not in schemas:
                versions = ", ".join(map(str, sorted(schemas)))
                need = f"{shown(name)} of a version among {versions}" if schemas else shown(name)
                heading = "" if schemas else "operators"
                kinds.add(f"{shown(name)}-{since}", named(op, k), location_of(op), heading, need)
        kinds.check()

    def names_of(self, op: NodeOp) -> tuple[str, str, str]:
        """``Sub-6``, ``node 3 "name"`` and both."""
        ordinal = len(self.nodes)
        return f"{op.operator.data}-{op.since.data}", named(op, ordinal), label(op, ordinal)

    def call(self, op: NodeOp, insert: Insert) -> Node:
        """One node."""
        schema = SCHEMAS[op.operator.data][op.since.data]
        values = (None if v is None else self.held.get(v, v) for v in op.inputs)
        inputs = [None if isinstance(v, Nothing) else v for v in values]
        return Node(op, schema, inputs, len(self.nodes), insert, self)

    def outcome(self, call: Node) -> Outcome:
        """The results of a node."""
        check_attributes(call)
        result = moved(call)
        if result is not None:
            return result
        check_inputs(call)
        return call.schema.legalize(call.with_moved_attributes())

    def check_result(self, call: Node, number: int, declared: Attribute, result: Result) -> None:
        """InputError if a result's element type differs from the declared one.

        Declared shapes are ignored: exporters write wrong ones, and inferred shapes hold, as in
        onnxruntime.
        """
        type = result.type if isinstance(result, Held) else element(tensor_of(result))
        if not isinstance(declared, TensorType | UnrankedTensorType):
            return
        wanted = element_of(cast(Tensor, declared).element_type)
        if wanted is not type:
            raise call.error(f"output {number} has element type {type}, the model says {wanted}")


EMPTY = (ArrayAttr[Attribute]([]), DenseArrayBase.from_list(i64, []))
"""Empty lists, which are of any kind of list."""


def check_attributes(node: Node) -> None:
    """InputError for unknown attributes and attributes of the wrong kind."""
    known = {a.name: a.kind for a in node.schema.signature.attributes}
    for name in (*node.op.attributes, *node.op.graphs):
        if name not in known and "." not in name:
            allowed = ", ".join(sorted(known)) or "none"
            raise node.error(f"attribute {name!r} is not in this version; it has: {allowed}")
    for spec in node.schema.signature.attributes:
        name, attribute = spec.name, node.op.attributes.get(spec.name)
        kind = (
            "graph" if name in node.op.graphs else "" if attribute is None else kind_of(attribute)
        )
        if kind == "graph" and attribute is not None:
            raise node.error(f"attribute {name} is given twice")
        if not kind and spec.required:
            raise node.error(f"attribute {name} is missing")
        is_list = spec.kind.endswith("s") and attribute in EMPTY
        if kind not in ("", spec.kind, spec.kind.removeprefix("sparse_")) and not is_list:
            raise node.error(f"attribute {name} is of kind {kind}, expected {spec.kind}")


def check_inputs(node: Node) -> None:
    """InputError unless number and element types of the inputs match the schema."""
    schema, inputs = node.schema, node.inputs
    # Absent trailing inputs count if written: both inputs of a Loop may be absent.
    least, most = schema.signature.least, schema.signature.most
    if len(node.op.inputs) < least or (most is not None and len(inputs) > most):
        wanted = f"at least {least}" if most is None else f"{least} to {most}"
        wanted = str(least) if least == most else wanted
        raise node.error(f"found {len(inputs)} inputs, expected {wanted}")
    bound: dict[str, tuple[str, str]] = {}
    for k, value in enumerate([*inputs, *(None,) * (least - len(inputs))]):
        spec = schema.signature.input(k)
        if value is None:
            if spec.option == "?" or (spec.type in schema.held and any(node.op.inputs[k : k + 1])):
                continue
            raise node.error(f"input {spec.name} is missing")
        if isinstance(value, Held):
            if spec.type not in schema.held:
                what = f"input {spec.name} is {value.kind}"
                if isinstance(value, Labelled):
                    raise node.unsupported(f"{what}, which is not supported{_without(node.op)}")
                raise node.error(what)
            continue
        type_name = node.element(k).name
        name = NAMES.get(type_name, type_name)
        allowed = schema.signature.allowed(spec.type)
        if not allowed and spec.type in schema.held:
            continue
        if name not in allowed:
            raise node.error(
                f"input {spec.name} has element type {type_name}, "
                f"expected one of {described(schema, spec.type)}"
            )
        if spec.is_mixed:
            continue
        first = bound.setdefault(spec.type, (name, spec.name))
        if first[0] != name and spec.type in schema.signature.types:
            raise node.error(
                f"inputs {first[1]} and {spec.name} differ in element type: "
                f"{ELEMENTS[first[0]]} and {type_name}"
            )


def _without(op: Operation) -> str:
    """A hint: which function outputs need an operation, and which do not."""
    seen, waiting, needing = {op}, [op], list[str]()
    names: list[str] = []
    while waiting:
        current = waiting.pop()
        for use in [use for result in current.results for use in result.uses]:
            user, parent = use.operation, use.operation.parent_op()
            while parent is not None and not isinstance(parent, func.FuncOp):
                user, parent = parent, parent.parent_op()
            if isinstance(user, func.ReturnOp) and parent is not None:
                result_names = parent.attributes.get(RESULT_NAMES, ArrayAttr([]))
                names = [n.data for n in cast("Iterable[StringAttr]", result_names)]
                needing += names[use.index : use.index + 1]
            elif user not in seen:
                seen.add(user)
                waiting.append(user)
    if not needing:
        return ""
    others = [n for n in names if n not in needing]
    hint = f"; outputs={others} computes the others" if others else ""
    return f"; output {', '.join(map(repr, needing))} needs it{hint}"


def described(schema: Schema, type: str) -> str:
    """The supported element types of a type variable, as text."""
    types = (element_named(name) for name in sorted(schema.signature.allowed(type)))
    return " ".join(e.name for e in types if e is not None)
