"""ONNX models to ``onnx.node``: mechanical, what a node means is none of its business.

Every node becomes one operation, with the version of its operator that the imported opset has.
Initializers become ``opc.constant``; those that are also inputs stay constants, as nobody can give
another value.  Local functions are put in where they are called.  Symbolic extents keep their
names where these are identifiers.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from opc.frontend.onnx.ops.functions import schema_in
from opc.frontend.verify import shown, verify
from opc.frontend.wanted import check_names, dead_nodes, names_read, wanted

from .absent import without
from .attributes import GRAPH, attributes_of
from .embedded import Content
from .file import Model, binary_model, load_model
from .ops import NEWEST, NEWEST_OF, SCHEMAS, qualified
from .scan import canonical, check_operators
from .sparse import held, named_initializers
from .strings import is_text, text_of
from .tensors import Tensors
from .types import Types, is_identifier

Scope: TypeAlias = "dict[str, SSAValue]"

MAX_DEPTH = 64
"""Calls of local functions inside each other."""


def read(path: str | os.PathLike[str], content: Content | bytes | None = None) -> ModuleOp:
    """The module with the model in a file, ``.onnx`` or ``.onnxtxt``.

    ``content`` is that of the file, if it was read or opened already.
    Raises InputError for a file that is no sound model, UnsupportedError for what opc cannot
    compile, and UsageError if the package ``onnx`` is not installed.
    """
    return convert(load_model(path, content))


def from_proto(proto: Any) -> ModuleOp:
    """The module with a ``ModelProto``; the folder of its external data is not known."""
    return convert(Model(proto, None, "model"))


def from_content(content: bytes) -> ModuleOp:
    """The module with the bytes of a ``ModelProto``."""
    return convert(binary_model(content, None, "model"))


@dataclass
class Opsets:
    """The imported version of each domain."""

    versions: Mapping[str, int]

    @staticmethod
    def of(imports: Any, ir_version: int, place: str) -> Opsets:
        """From the imports of a model or a function."""
        versions: dict[str, int] = {}
        for item in imports:
            domain = canonical(item.domain)
            if versions.setdefault(domain, int(item.version)) != int(item.version):
                raise InputError(f"two versions of opset {domain!r} are imported", place)
        if not versions and ir_version < 3:
            versions[""] = 1
        version = versions.get("", 1)
        if version < 1:
            raise InputError(f"opset {version} is imported, expected 1 or more", place)
        if version > NEWEST:
            raise UnsupportedError(
                f"opset {version} is newer than {NEWEST}, the newest that opc knows", place
            )
        for domain, newest in NEWEST_OF.items():
            if versions.get(domain, 1) > newest:
                raise UnsupportedError(
                    f"opset {versions[domain]} of {domain} is newer than {newest}, the newest "
                    "that opc knows",
                    place,
                )
        return Opsets(versions)


def convert(model: Model) -> ModuleOp:
    """The module of a model: one function, ``main``."""
    return Reader(model).run()


@dataclass
class Call:
    """Where the nodes of a graph or function body are read: names, opsets, attributes."""

    values: Scope
    opsets: Opsets
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
        """The nodes of the graph that no output needs that is wanted."""
        self.unread: set[str] = set()
        """The inputs that none of the other nodes reads, where some outputs are wanted."""
        self.outputs = [info.name for info in self.graph.output]

    def run(self) -> ModuleOp:
        """The module."""
        self.check()
        values: Scope = {}
        opsets = Opsets.of(self.proto.opset_import, self.proto.ir_version, self.place)
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
        """What is wrong with the model before any of its nodes."""
        if self.proto.ir_version < 1:
            raise InputError("this is no ONNX model: it has no IR version", self.place)
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
        """Leave out what is only needed by outputs that nobody wants."""
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
        found: dict[str, Any] = {}
        for name, tensor in named_initializers(self.graph):
            if not name:
                raise InputError("an initializer has no name", self.place)
            if name in found:
                raise InputError(f"initializer {shown(name)!r} is given twice", self.place)
            found[name] = tensor
        return found

    def function(self, names: Sequence[str], results: Sequence[SSAValue]) -> FuncOp:
        """The function around the block."""
        function = FuncOp(
            "main",
            ([a.type for a in self.block.args], [r.type for r in results]),
            Region(self.block),
        )
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
        """The place of the model; line 0 stands for none."""
        place = FileLineColLoc(StringAttr(self.place), IntAttr(0), IntAttr(0))
        return NameLoc(StringAttr(name), place) if name else place

    def append(self, op: NodeOp | ConstantOp, name: str) -> None:
        """Add an operation at the end."""
        op.location = self.location(name)
        self.block.add_op(op)

    def constant(self, tensor: Any, name: str, what: str) -> SSAValue:
        """The value of an initializer; a list of strings is a node that is called Constant."""
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

    def result(self, values: Scope, name: str) -> SSAValue:
        """A value that the model returns."""
        if name not in values:
            raise InputError(f"output {shown(name)!r} is computed by no node", self.place)
        return values[name]

    def nodes(self, nodes: Any, call: Call) -> None:
        """Read nodes, in order; local functions in place."""
        for k, node in enumerate(nodes):
            if not call.prefix and k in self.dead:
                continue
            ordinal = f"{call.prefix}{k}"
            name = f' "{shown(node.name)}"' if node.name else ""
            what = f"node {ordinal}{name} ({shown(node.op_type)}): "
            domain = canonical(node.domain)
            inputs = [self.input(n, call, nodes, k, what) for n in node.input]
            function = self.called(node)
            if function is not None:
                self.inline(function, node, inputs, call, ordinal, what)
                continue
            self.node(node, domain, inputs, call, ordinal, what)

    def input(self, name: str, call: Call, nodes: Any, at: int, what: str) -> SSAValue | None:
        """The value that a node reads."""
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

    def node(
        self,
        node: Any,
        domain: str,
        inputs: Sequence[SSAValue | None],
        call: Call,
        ordinal: str,
        what: str,
    ) -> None:
        """Read a node that is no call of a local function."""
        version = call.opsets.versions.get(domain)
        if version is None and domain == "" and call.opsets.versions:
            raise InputError(f"{what}the opset of ONNX is not imported", self.place)
        operator = qualified(domain, node.op_type)
        schema = schema_in(operator, version or 1)
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
            a.name: self.region(
                a.g, call, f"{ordinal}.{shown(a.name)}.", f"{what}{shown(a.name)}: "
            )
            for a in node.attribute
            if a.type == GRAPH
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

    def region(self, graph: Any, call: Call, prefix: str, what: str) -> Region:
        """Read a graph that is an attribute; it sees the values around the node."""
        if call.depth >= MAX_DEPTH:
            raise InputError(f"{what}graphs are more than {MAX_DEPTH} deep", self.place)
        outer, self.block = self.block, Block()
        # Names inside may hide those around the node.
        inputs = {info.name for info in graph.input}
        # Of an input it is the default value, and a node gives all inputs of its graphs.
        listed = [(name, value) for name, value in named_initializers(graph) if name not in inputs]
        own = inputs | {name for name, _ in listed}
        own |= {name for node in graph.node for name in node.output}
        values = {name: value for name, value in call.values.items() if name not in own}
        inner = Call(values, call.opsets, call.attributes, prefix, call.depth + 1)
        for info in graph.input:
            argument = self.block.insert_arg(self.types.value(info), len(self.block.args))
            self.define(values, info.name, argument, what)
        for name, tensor in listed:
            value = self.constant(tensor, name, f"{what}{shown(name)!r}")
            self.define(values, name, value, what)
        self.nodes(graph.node, inner)
        for info in graph.output:
            if info.name not in values:
                raise InputError(f"{what}output {shown(info.name)!r} is not computed", self.place)
        end = YieldOp(operands=[[values[info.name] for info in graph.output]])
        self.block.add_op(end)
        block, self.block = self.block, outer
        return Region(block)

    def inline(
        self,
        function: Any,
        node: Any,
        inputs: Sequence[SSAValue | None],
        call: Call,
        ordinal: str,
        what: str,
    ) -> None:
        """Read the body of a local function in place of a call."""
        if not call.depth:
            self.check_calls(function, what)
        if len(inputs) > len(function.input) or len(node.output) > len(function.output):
            raise InputError(
                f"{what}the function has {len(function.input)} inputs and "
                f"{len(function.output)} outputs",
                self.place,
            )
        given = {a.name: a for a in node.attribute}
        bound: dict[str, Any] = {a.name: a for a in getattr(function, "attribute_proto", ())}
        for name, attribute in given.items():
            source = attribute.ref_attr_name
            if source and source not in call.attributes:
                continue
            bound[name] = call.attributes[source] if source else attribute
        values: Scope = {
            name: value
            for name, value in zip(function.input, inputs, strict=False)
            if value is not None
        }
        absent = [n for n in function.input if n not in values]
        place = f"{self.place}: {what}"
        inner = Call(
            values,
            Opsets.of(function.opset_import, self.proto.ir_version, place),
            bound,
            f"{ordinal}.",
            call.depth + 1,
        )
        self.nodes(without(function.node, set(absent)), inner)
        for name, source in zip(node.output, function.output, strict=False):
            if name:
                if source not in values:
                    raise InputError(f"{what}output {shown(source)!r} is not computed", self.place)
                self.define(call.values, name, values[source], what)

    def check_calls(self, function: Any, what: str) -> None:
        """What is wrong with a call, and all calls in it, before any of them is put in place."""
        try:
            self.inlined += 1 + self.size(function, [])
            check("calls of functions", "nodes", self.inlined)
        except BudgetExceeded as error:
            raise UnsupportedError(f"{what}{error}", self.place) from None
        except InputError as error:
            raise InputError(f"{what}{error.message}", self.place) from None

    def size(self, function: Any, callers: list[Any]) -> int:
        """The nodes that a call of a function stands for, those of functions it calls too."""
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
        """The local function that a node calls, None if it calls none."""
        key = (canonical(node.domain), node.op_type, getattr(node, "overload", ""))
        return self.functions.get(key)
