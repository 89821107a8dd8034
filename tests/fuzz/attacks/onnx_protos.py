"""ONNX models to attack with, most of which are wrong in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from onnx import FunctionProto, GraphProto, TensorProto, helper

X = helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])
Y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)


def model(*nodes: Any, tensors: Any = (), inputs: Any = (X,), opset: int = 18) -> Any:
    """A model with one result, ``y``."""
    graph = helper.make_graph(list(nodes), "g", list(inputs), [Y], list(tensors))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def node(operator: str, inputs: str = "x", outputs: str = "y", **attributes: Any) -> Any:
    """A node; names are separated by blanks."""
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def sound() -> Any:
    """What most attacks start from."""
    return model(node("Exp"))


def changed(change: Callable[[Any], object], proto: Any = None) -> Any:
    """A model after a change to it."""
    proto = sound() if proto is None else proto
    change(proto)
    return proto


def tensor(**fields: Any) -> Any:
    """A tensor called ``w``, with just these fields."""
    dims = fields.pop("dims", [4])
    return TensorProto(name="w", dims=dims, **({"data_type": TensorProto.FLOAT} | fields))


def weights(**fields: Any) -> Any:
    """A model that adds a tensor."""
    return model(node("Add", "x w"), tensors=[tensor(**fields)])


def outside(location: str | None = "w.bin", **fields: str) -> Any:
    """A model whose tensor lies in a file."""
    found = tensor(data_location=TensorProto.EXTERNAL)
    given = {} if location is None else {"location": location}
    for key, value in (given | fields).items():
        found.external_data.add(key=key, value=value)
    return model(node("Add", "x w"), tensors=[found])


def typed(number: int) -> Any:
    """A model over an element type, by its number."""
    return model(node("Exp"), inputs=[helper.make_tensor_value_info("x", number, [4])])


def shaped(*dims: Any) -> Any:
    """A model over a shape."""
    return model(node("Exp"), inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)])


def named(name: str) -> Any:
    """A model whose values are called so."""
    proto = model(helper.make_node("Exp", [name], [name + "y"]))
    proto.graph.input[0].name = name
    proto.graph.output[0].name = name + "y"
    proto.graph.node[0].name = proto.graph.name = name
    return proto


def known(operator: str, **inputs: list[int]) -> Any:
    """A model that computes with integers that are known, and reshapes ``x`` by them."""
    scalar = operator == "Range"
    tensors = [
        helper.make_tensor(k, TensorProto.INT64, [] if scalar else [len(v)], v)
        for k, v in inputs.items()
    ]
    inner = helper.make_node(operator, list(inputs), ["s"])
    return model(inner, node("Expand", "x s"), tensors=tensors)


def calling(*functions: tuple[str, list[Any]]) -> Any:
    """A model with local functions, of which it calls the first one."""
    proto = model(helper.make_node(functions[0][0], ["x"], ["y"], domain="own"))
    proto.opset_import.add(domain="own", version=1)
    for name, nodes in functions:
        proto.functions.append(
            FunctionProto(
                name=name,
                domain="own",
                input=["x"],
                output=["y"],
                node=nodes,
                opset_import=proto.opset_import,
            )
        )
    return proto


def call(name: str, inputs: str = "x", outputs: str = "y") -> Any:
    """A call of a local function."""
    return helper.make_node(name, inputs.split(), outputs.split(), domain="own")


def doubling(levels: int) -> Any:
    """Functions that call the one before twice."""
    twice = [[call(f"f{k + 1}", "x", "t"), call(f"f{k + 1}", "t", "y")] for k in range(levels)]
    functions = [(f"f{k}", nodes) for k, nodes in enumerate(twice)]
    return calling(*functions, (f"f{levels}", [node("Exp")]))


def nested(depth: int) -> bytes:
    """Graphs in attributes of nodes of graphs, as bytes."""
    content = GraphProto(name="g").SerializeToString()

    def field(number: int, inner: bytes) -> bytes:
        size, length = len(inner), b""
        while size > 127:
            length += bytes([size & 127 | 128])
            size >>= 7
        return bytes([number << 3 | 2]) + length + bytes([size]) + inner

    for _ in range(depth):
        content = field(1, field(5, field(6, content)))
    return sound().SerializeToString() + field(7, content)


def set_opset(version: int) -> Callable[[Any], None]:
    """Change the imported version of ONNX."""

    def change(proto: Any) -> None:
        proto.opset_import[0].version = version

    return change


def mixed(proto: Any) -> None:
    """Say that an integer is a list of floats."""
    proto.graph.node[0].attribute.add(name="axes", type=6, i=3)


def referring(proto: Any) -> None:
    """Refer to an attribute of a function that is none."""
    proto.graph.node[0].attribute.add(name="alpha", ref_attr_name="beta", type=1)


def sparse_weights(proto: Any) -> None:
    """A sparse initializer."""
    proto.graph.sparse_initializer.add()
