"""Small ONNX models for tests, and what they compute with opc."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import opc
from opc.api.driver import Function

TYPES = {
    "f32": TensorProto.FLOAT,
    "f64": TensorProto.DOUBLE,
    "f16": TensorProto.FLOAT16,
    "bf16": TensorProto.BFLOAT16,
    "i64": TensorProto.INT64,
    "i32": TensorProto.INT32,
    "i8": TensorProto.INT8,
    "ui8": TensorProto.UINT8,
    "ui64": TensorProto.UINT64,
    "i1": TensorProto.BOOL,
}


def info(name: str, type: str = "f32", shape: Sequence[Any] | None = None) -> Any:
    return helper.make_tensor_value_info(name, TYPES[type], shape)


def node(operator: str, inputs: str, outputs: str = "y", **attributes: Any) -> Any:
    """A node; names are separated by blanks, and ``_`` is an absent input or output."""
    names, results = ([n if n != "_" else "" for n in t.split()] for t in (inputs, outputs))
    return helper.make_node(operator, names, results, **attributes)


def model(
    nodes: Any,
    inputs: Sequence[Any],
    opset: int = 22,
    outputs: Sequence[Any] = (),
    initializers: Sequence[Any] = (),
    **keywords: Any,
) -> Any:
    """A model; by default its outputs are those of the last node, of unknown type."""
    nodes = nodes if isinstance(nodes, list) else [nodes]
    given = outputs or [onnx.ValueInfoProto(name=n) for n in nodes[-1].output if n]
    graph = helper.make_graph(nodes, "graph", list(inputs), list(given), list(initializers))
    keywords.setdefault("ir_version", 8)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], **keywords)


def function(proto: Any) -> Function:
    return opc.compile(proto, target="baseline")


def run(proto: Any, *arrays: Any) -> Any:
    return function(proto)(*map(np.asarray, arrays))


def graph_of(proto: Any) -> ModuleOp:
    """The module after legalization."""
    from opc.api.driver import load
    from opc.dialects.registry import context
    from opc.passes import pipeline

    module = load(proto)
    pipeline.run(module, context(), pipeline.passes("graph"), verify_each=True)
    return module


def graph_text(proto: Any) -> str:
    """The IR after legalization."""
    return str(graph_of(proto))


def interpreted(proto: Any, *arrays: Any) -> list[np.ndarray]:
    """What the graph computes, by its interpreter: no compiler of C is asked."""
    from opc.interpret.function import run as interpret

    main = next(op for op in graph_of(proto).ops if isinstance(op, FuncOp))
    return interpret(main, [np.asarray(a) for a in arrays])


def saved(proto: Any, folder: Path, name: str = "model.onnx") -> Path:
    path = folder / name
    path.write_bytes(proto.SerializeToString())
    return path
