"""Reads ONNX models as modules of ``onnx.node``, which ``legalize.py`` gives their meaning.

Every node becomes one operation, with the operator version of the imported opset.  Initializers
become ``opc.constant``, also those that are inputs.  Local functions are inlined.  Symbolic extents
keep names that are identifiers.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from opc.dialects.budgets import BudgetExceeded, check
from opc.dialects.named import EXTENT_NAMES, INPUT_NAMES, RESULT_NAMES
from opc.dialects.onnx import NAME, ORDINAL, NodeOp, UnknownType, YieldOp
from opc.dialects.opc.movement import ConstantOp
from opc.errors import InputError, UnsupportedError
from opc.frontend.requested_outputs import check_names, dead_nodes, names_read, wanted
from opc.frontend.verify import shown, verify

from .attributes import GRAPH, attributes_of
from .embedded import Content
from .file import Model, binary_model, load_model
from .ops import SCHEMAS, find, newest, qualified
from .scan import canonical, check_operators
from .tensors import Tensors, Types, held, is_identifier, is_text, named_initializers, text_of

Inputs: TypeAlias = "Sequence[SSAValue | None]"
"""The inputs of a node; None for omitted ones."""
Scope: TypeAlias = "dict[str, SSAValue | None]"
"""Values by name; None for omitted inputs of a local function."""

MAX_DEPTH = 64
"""The depth limit of nested calls and subgraphs."""


def read(path: str | os.PathLike[str], content: Content | bytes | None = None) -> ModuleOp:
    """The module with the model in a file, ``.onnx`` or ``.onnxtxt``.

    ``content`` is the file's content if the caller has read or opened it.
    Raises InputError for an invalid model, UnsupportedError for what opc cannot
    compile, and UsageError if the package ``onnx`` is not installed.
    """
    return convert(load_model(path, content))


def from_proto(proto: Any) -> ModuleOp:
    """The module of a ``ModelProto``, without a folder for external data."""
    return convert(Model(proto, None, "model"))


def from_content(content: bytes) -> ModuleOp:
    """The module of a serialized ``ModelProto``."""
    return convert(binary_model(content, None, "model"))


def opsets_of(imports: Any, ir_version: int, place: str) -> dict[str, int]:
    """The version of each domain that a model or function imports."""
    versions: dict[str, int] = {}
    for item in imports:
        domain = canonical(item.domain)
        if versions.setdefault(domain, int(item.version)) != int(item.version):
            raise InputError(f"two versions of opset {domain!r} are imported", place)
    if not versions and ir_version < 3:
        versions[""] = 1
    if versions.get("", 1) < 1:
        raise InputError(f"opset {versions['']} is imported, expected 1 or more", place)
    for domain, known in newest().items():
        version = versions.get(domain, 1)
        if version > known:
            of = f" of {domain}" if domain else ""
            raise UnsupportedError(
                f"opset {version}{of} is newer than {known}, the newest that opc knows", place
            )
    return versions


def convert(model: Model) -> ModuleOp:
    """The module of a model, with one function, ``main``."""
    return Reader(model).run()


@dataclass
class Call:
    """The context of a graph or function body: names, opsets, attributes."""

    values: Scope
    opsets: Mapping[str, int]
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    prefix: str = ""
    depth: int = 0


class Reader:
    """Reads one model."""

    def __init__(self, model: Model) -> None:
        self.proto = model.proto
        self.graph = model.proto.graph
        self.place = model.name
        self.block = Block()
        self.types = Types(self.place)
        self.tensors = Tensors(model.folder, self.place, model.embedded)
        self.functions: dict[tuple[str, str, str], Any] = {}
        self.sizes: dict[int, int] = {}
        self.inlined = 0
        self.declared: dict[str, Any] = {}
        self.dead: set[int] = set()
        """Indices of nodes that no wanted output needs."""
        self.unread: set[str] = set()
        """Inputs that no live node reads, if only some outputs are wanted."""
        self.outputs = [info.name for info in self.graph.output]

    def run(self) -> ModuleOp:
        """The module."""
        self.check()
        values: Scope = {}
        opsets = opsets_of(self.proto.opset_import, self.proto.ir_version, self.place)
        self.check_wanted()
        check_operators(self.proto, self.called, self.place, self.dead)
        initializers = self.initializers()
        names: list[str] = []
        for info in self.graph.input:
            if info.name in initializers:
                continue
            try:
                type = self.types.input(info)
            except UnsupportedError:
                if info.name in self.unread:
                    continue
                raise
            argument = self.block.insert_arg(type, len(self.block.args))
            self.define(values, info.name, argument)
            names.append(info.name)
        for name, tensor in initializers.items():
            if name in values:
                raise InputError(f"value {shown(name)!r} is defined twice", self.place)
            what = f"initializer {shown(name)!r}"
            self.define(values, name, self.constant(tensor, name, what))
        self.declared = {i.name: i for i in (*self.graph.value_info, *self.graph.output)}
        self.nodes(self.graph.node, Call(values, opsets))
        results = [self.result(values, name) for name in self.outputs]
        self.block.add_op(ReturnOp(*results))
        module = ModuleOp([self.function(names, results)])
        verify(module)
        return module

    def check(self) -> None:
        """InputError for errors of the model outside of its nodes."""
        if self.proto.ir_version < 1:
            raise InputError("not an ONNX model: it has no IR version", self.place)
        if self.proto.ir_version >= 3 and not self.proto.opset_import:
            raise InputError("the model imports no opset", self.place)
        if not self.graph.output:
            raise InputError("the model has no outputs", self.place)
        names = Counter(info.name for info in self.graph.output)
        for name, times in names.items():
            if times > 1:
                raise InputError(f"output {shown(name)!r} is given {times} times", self.place)
        for function in self.proto.functions:
            key = (canonical(function.domain), function.name, getattr(function, "overload", ""))
            if key in self.functions:
                raise InputError(f"function {shown(function.name)} is defined twice", self.place)
            self.functions[key] = function

    def check_wanted(self) -> None:
        """Drop outputs that are not wanted, and nodes and inputs only they need."""
        names = wanted()
        if names is not None:
            check_names(names, self.outputs)
            self.outputs = list(names)
            self.dead = dead_nodes(self.graph.node, names)
            live = (n for k, n in enumerate(self.graph.node) if k not in self.dead)
            read = set(names).union(*map(names_read, live))
            self.unread = {i.name for i in self.graph.input} - read

    def initializers(self) -> dict[str, Any]:
        """The initializers by name."""
        tensors: dict[str, Any] = {}
        for name, tensor in named_initializers(self.graph):
            if not name:
                raise InputError("an initializer has no name", self.place)
            if name in tensors:
                raise InputError(f"initializer {shown(name)!r} is given twice", self.place)
            tensors[name] = tensor
        return tensors

    def function(self, names: Sequence[str], results: Sequence[SSAValue]) -> FuncOp:
        """The function of the block."""
        types = ([a.type for a in self.block.args], [r.type for r in results])
        function = FuncOp("main", types, Region(self.block))
        function.attributes[INPUT_NAMES] = ArrayAttr([StringAttr(n) for n in names])
        function.attributes[RESULT_NAMES] = ArrayAttr([StringAttr(n) for n in self.outputs])
        names_of_extents = self.types.extent_names(self.block.args)
        if names_of_extents:
            function.attributes[EXTENT_NAMES] = DictionaryAttr(
                {k: StringAttr(v) for k, v in names_of_extents.items()}
            )
        function.location = self.location("")
        return function

    def location(self, name: str) -> LocationAttr:
        """The location of a named value; line 0 means none."""
        place = FileLineColLoc(StringAttr(self.place), IntAttr(0), IntAttr(0))
        return NameLoc(StringAttr(name), place) if name else place

    def append(self, op: NodeOp | ConstantOp, name: str) -> None:
        """Append an operation."""
        op.location = self.location(name)
        self.block.add_op(op)

    def constant(self, tensor: Any, name: str, what: str) -> SSAValue:
        """The value of an initializer; a list of strings becomes a Constant node."""
        if is_text(tensor):
            op = text_of(tensor, what, self.place)
        else:
            op = ConstantOp(value=held(self.tensors, tensor, what))
        self.append(op, name)
        return op.results[0]

    def define(self, values: Scope, name: str, value: SSAValue, what: str = "") -> None:
        """Give a value its name."""
        if not name:
            raise InputError(f"{what or 'an input of the model'} has no name", self.place)
        if name in values:
            raise InputError(f"{what}value {shown(name)!r} is defined twice", self.place)
        values[name] = value
        if is_identifier(name):
            value.name_hint = name

    def result(self, values: Scope, name: str, what: str = "") -> SSAValue:
        """The value of an output of the model, a graph or a function."""
        value = values.get(name)
        if value is None:
            raise InputError(f"{what}output {shown(name)!r} is computed by no node", self.place)
        return value

    def nodes(self, nodes: Any, call: Call) -> None:
        """Read nodes in order and inline local functions."""
        for k, node in enumerate(nodes):
            if not call.prefix and k in self.dead:
                continue
            ordinal = f"{call.prefix}{k}"
            name = f' "{shown(node.name)}"' if node.name else ""
            what = f"node {ordinal}{name} ({shown(node.op_type)}): "
            inputs = [self.input(n, call, nodes, k, what) for n in node.input]
            function = self.called(node)
            if function is not None:
                self.inline(function, node, inputs, call, ordinal, what)
                continue
            self.node(node, inputs, call, ordinal, what)

    def input(self, name: str, call: Call, nodes: Any, at: int, what: str) -> SSAValue | None:
        """The value of a node input."""
        if not name:
            return None
        if name in call.values:
            return call.values[name]
        later = any(name in other.output for other in nodes[at:])
        raise InputError(
            f"{what}input {shown(name)!r} is "
            + ("computed by a later node, or by itself" if later else "defined nowhere"),
            self.place,
        )

    def node(self, node: Any, inputs: Inputs, call: Call, ordinal: str, what: str) -> None:
        """Read a node that calls no local function."""
        domain = canonical(node.domain)
        version = call.opsets.get(domain)
        if version is None and domain == "" and call.opsets:
            raise InputError(f"{what}the opset of ONNX is not imported", self.place)
        operator = qualified(domain, node.op_type)
        schema = find(operator, version or 1)
        if schema is None:
            raise InputError(
                f"{what}the operator exists since version {min(SCHEMAS[operator])}, "
                f"but the model imports opset {version}",
                self.place,
            )
        attributes = attributes_of(node, call.attributes, self.tensors, what)
        if node.name:
            attributes[NAME] = StringAttr(node.name)
        graphs = {
            a.name: self.region(a, call, ordinal, what) for a in node.attribute if a.type == GRAPH
        }
        if call.prefix or self.functions or self.dead:
            attributes[ORDINAL] = StringAttr(ordinal)
        outputs = list(node.output)
        while outputs and not outputs[-1]:
            outputs.pop()
        known = self.declared if not call.depth else {}
        types = [self.types.value(known[n]) if n in known else UnknownType() for n in outputs]
        op = NodeOp.of(operator, schema.since, inputs, attributes, types, graphs)
        self.append(op, node.name)
        for name, value in zip(outputs, op.outputs, strict=True):
            if name:
                self.define(call.values, name, value, what)

    def region(self, attribute: Any, call: Call, ordinal: str, what: str) -> Region:
        """Read a subgraph of a node, which sees the values around the node."""
        graph, name = attribute.g, shown(attribute.name)
        prefix, what = f"{ordinal}.{name}.", f"{what}{name}: "
        if call.depth >= MAX_DEPTH:
            raise InputError(f"{what}graphs are more than {MAX_DEPTH} deep", self.place)
        outer, self.block = self.block, Block()
        # Inner names may shadow outer ones.
        inputs = {info.name for info in graph.input}
        # Initializers of inputs are defaults, but nodes pass all inputs of subgraphs.
        tensors = [(name, value) for name, value in named_initializers(graph) if name not in inputs]
        own = inputs | {name for name, _ in tensors}
        own |= {name for node in graph.node for name in node.output}
        values = {name: value for name, value in call.values.items() if name not in own}
        inner = replace(call, values=values, prefix=prefix, depth=call.depth + 1)
        for info in graph.input:
            argument = self.block.insert_arg(self.types.value(info), len(self.block.args))
            self.define(values, info.name, argument, what)
        for name, tensor in tensors:
            value = self.constant(tensor, name, f"{what}{shown(name)!r}")
            self.define(values, name, value, what)
        self.nodes(graph.node, inner)
        results = [self.result(values, info.name, what) for info in graph.output]
        self.block.add_op(YieldOp(operands=[results]))
        block, self.block = self.block, outer
        return Region(block)

    def inline(
        self, function: Any, node: Any, inputs: Inputs, call: Call, ordinal: str, what: str
    ) -> None:
        """Inline the body of a local function."""
        if not call.depth:
            self.check_calls(function, what)
        if len(inputs) > len(function.input) or len(node.output) > len(function.output):
            raise InputError(
                f"{what}the function has {len(function.input)} inputs and "
                f"{len(function.output)} outputs",
                self.place,
            )
        bound: dict[str, Any] = {a.name: a for a in getattr(function, "attribute_proto", ())}
        for name, attribute in {a.name: a for a in node.attribute}.items():
            source = attribute.ref_attr_name
            if source and source not in call.attributes:
                continue
            bound[name] = call.attributes[source] if source else attribute
        values: Scope = dict(zip_longest(function.input, inputs))
        place = f"{self.place}: {what}"
        opsets = opsets_of(function.opset_import, self.proto.ir_version, place)
        self.nodes(function.node, Call(values, opsets, bound, f"{ordinal}.", call.depth + 1))
        for name, source in zip(node.output, function.output, strict=False):
            if name:
                self.define(call.values, name, self.result(values, source, what), what)

    def check_calls(self, function: Any, what: str) -> None:
        """Check a call and all nested calls before inlining."""
        try:
            self.inlined += 1 + self.size(function, [])
            check("calls of functions", "nodes", self.inlined)
        except BudgetExceeded as error:
            raise UnsupportedError(f"{what}{error}", self.place) from None
        except InputError as error:
            raise InputError(f"{what}{error.message}", self.place) from None

    def size(self, function: Any, callers: list[Any]) -> int:
        """The number of nodes that a call inlines, nested calls included."""
        if id(function) not in self.sizes:
            if any(function is caller for caller in callers):
                raise InputError(f"function {shown(function.name)} calls itself")
            if len(callers) >= MAX_DEPTH:
                raise InputError(f"calls of functions are more than {MAX_DEPTH} deep")
            called = (self.called(node) for node in function.node)
            sizes = [self.size(f, [*callers, function]) for f in called if f is not None]
            self.sizes[id(function)] = len(function.node) + sum(sizes)
        return self.sizes[id(function)]

    def called(self, node: Any) -> Any:
        """The local function that a node calls, or None."""
        key = (canonical(node.domain), node.op_type, getattr(node, "overload", ""))
        return self.functions.get(key)
