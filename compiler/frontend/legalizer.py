"""Legalize the nodes of a function one by one, for all model formats.

``legalize_onnx`` and ``legalize_openvino`` show the rewrites.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import count
from typing import Generic, TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, FunctionType, StringAttr, TensorType, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded, check
from opc.dialects.extent_text import shown_as
from opc.dialects.named import NOTES, RESULT_KEYS, RESULT_LABELS
from opc.dialects.onnx import NodeOp
from opc.dialects.opc.base import check_size
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.openvino import LayerOp
from opc.dialects.shape import UNKNOWN, Shape, Tensor, shape_of, tensor_of, tensor_type
from opc.dialects.walking import walk
from opc.errors import UnsupportedError
from opc.frontend.models.bodies import RankError
from opc.frontend.models.call import Call
from opc.frontend.models.containers import Held, Labelled, Labels, Maps, listed
from opc.frontend.models.extent_facts import Capacities, Ones
from opc.frontend.models.kinds import Kinds
from opc.frontend.models.known import Known
from opc.frontend.models.op_builder import Builder, Insert, Result, Value
from opc.frontend.python.array import Array
from opc.graph.extent_names import UNNAMED, shown_names
from opc.graph.fold_constants import at_once
from opc.graph.rewriting import erase, remove_unused, set_type

from .seeds import Streams

N = TypeVar("N", bound=Operation)
C = TypeVar("C", bound=Call)
Outcome: TypeAlias = "Value | tuple[Value | None, ...]"


class Written:
    """The number of nodes inlined from graphs, in all functions of a model."""

    def __init__(self) -> None:
        self.nodes = 0

    def count(self, graph: Region | Block) -> None:
        """Add the nodes of a graph; BudgetExceeded if there are too many."""
        self.nodes += sum(isinstance(inner, NodeOp | LayerOp) for inner in walk(graph))
        check("graphs that are written out", "nodes", self.nodes)


class Legalizer(ABC, Generic[N, C]):
    """Legalizes one function."""

    written_as: type[N]
    """The operation class of nodes."""
    prefix = "v"
    """The beginning of new symbols."""

    def __init__(self, function: FuncOp, block: Block) -> None:
        self.function = function
        self.block = block
        self.held: dict[SSAValue, Held] = {}
        """Node results that are containers, which have no operators."""
        self.names = {name for e in self._extents() for name in e.symbols()}
        self.capacities = Capacities(block, self.fresh)
        self.ones = Ones(block)
        self.streams = Streams(function, block)
        self.read: dict[object, Shape] = {}
        """The extents that were read of inputs of the function, so that nodes share symbols."""
        self.stated: set[tuple[Attribute, Attribute]] = set()
        """The requirements at the start of the function."""
        self.written = Written()
        self.kept: list[Block] = []
        """Blocks whose arguments are containers."""
        self.nodes: dict[N, None] = {}
        """Nodes to erase at the end."""
        self.done: set[Operation] = set()
        """Nodes that are legalized already, before their turn or with another node."""
        self.extended: list[Operation] = []
        """Choices whose tails are being determined."""
        self.because = ""
        """Why a branch replaces a choice, while its nodes are legalized."""
        self.ranks: Sequence[int | None] | None = None
        """The required ranks of a body's results, if known."""

    @abstractmethod
    def check_supported(self) -> None:
        """Raise UnsupportedError that lists every operator without a schema, with its count."""

    @abstractmethod
    def call(self, op: N, insert: Insert) -> C:
        """A node with its inputs as they are legalized, and what inserts operators before it."""

    @abstractmethod
    def outcome(self, call: C) -> Outcome:
        """The results of a node.  InputError for invalid, UnsupportedError for unsupported ones."""

    @abstractmethod
    def check_result(self, call: C, number: int, declared: Attribute, result: Result) -> None:
        """InputError if a result is not as the model declares it."""

    @abstractmethod
    def names_of(self, op: N) -> tuple[str, str, str]:
        """The name of a node's operator, of the node, and of the node in its own errors."""

    def run(self) -> None:
        """Rewrite the function.  Raises InputError or UnsupportedError at the first bad node."""
        self.check_supported()
        self.name_arguments()
        kinds = Kinds()
        names = shown_names(self.function)
        for op in list(self.block.ops):
            if not isinstance(op, self.written_as):
                self.materialize(op)
                continue
            if op in self.done:
                continue
            try:
                # An error of a node only hides errors of nodes that need its results.
                if not any(self.waits(v) for inner in walk(op) for v in inner.operands):
                    with shown_as(names):
                        self.legalize(op)
            except UnsupportedError as error:
                if isinstance(error, RankError):
                    raise
                operator, node, label = self.names_of(op)
                text = error.message.removeprefix(f"{label}: ")
                kinds.add_error(f"{operator} ({text})", node, error)
            self.finish(op)
        kinds.check()
        for op in reversed(self.nodes):
            erase(op)
        end = self.block.last_op
        assert end is not None
        self.function.function_type = FunctionType.from_lists(
            [a.type for a in self.block.args], [v.type for v in end.operands]
        )
        remove_unused(self.block)

    def legalize(self, op: N) -> None:
        """Insert operators before a node, and replace its results by theirs."""
        inserted: list[Operation] = []

        def insert(new: Operation) -> None:
            new.location = op.location
            self.block.insert_op_before(new, op)
            inserted.append(new)

        call = self.call(op, insert)
        try:
            outcome = self.outcome(call)
            results = outcome if isinstance(outcome, tuple) else (outcome,)
            results = [r.value if isinstance(r, Array) else r for r in results]
            if len(op.results) > len(results):
                raise call.unsupported(f"output {len(results)} is not supported")
            constants = at_once(inserted)
            for k, (old, result) in enumerate(zip(op.results, results, strict=False)):
                if isinstance(result, SSAValue):
                    result = call.settled(constants.get(result, result))
                elif isinstance(result, Known):
                    result = call.tensor(result)
                self.replace(call, k, old, result)
        except BudgetExceeded as error:
            raise call.unsupported(str(error)) from None
        except VerifyException as error:
            raise call.error(str(error)) from None

    def replace(self, call: C, number: int, old: SSAValue, result: Result | None) -> None:
        """Use a result for an output of a node."""
        if result is None:
            if old.first_use is not None:
                raise call.unsupported(f"output {number} is not supported")
            return
        if isinstance(result, SSAValue):
            check_size(tensor_of(result))
        self.check_result(call, number, old.type, result)
        if isinstance(result, Held):
            self.held[old] = result
            return
        hint = result.name_hint
        old.replace_all_uses_with(result)
        result.name_hint = hint or old.name_hint

    def finish(self, op: N) -> None:
        """Mark a node as legalized, to be erased at the end."""
        self.nodes[op] = None
        self.done.add(op)

    def waits(self, value: SSAValue) -> bool:
        """Whether a value is the result of a node that is not legalized yet."""
        owner = value.owner
        is_node = isinstance(owner, self.written_as) and owner.parent is self.block
        return is_node and value not in self.held

    def rank(self, result: int) -> int | None:
        """The required rank of a result of the function, if known."""
        if self.ranks is not None:
            return self.ranks[result] if result < len(self.ranks) else None
        declared = self.function.function_type.outputs.data[result]
        return len(shape_of(cast(Tensor, declared))) if isinstance(declared, TensorType) else None

    def _extents(self) -> list[ex.Expr]:
        """All extents in the function."""
        values = [*self.block.args, *(v for op in self.block.ops for v in op.results)]
        tensors = [tensor_of(v) for v in values if isinstance(v.type, TensorType)]
        sources = [op for op in self.block.ops if isinstance(op, SymbolSource)]
        names = [name for op in sources for name in op.defined]
        return [*(e for t in tensors for e in shape_of(t)), *map(ex.sym, names)]

    def fresh(self, prefix: str) -> str:
        """A new symbol."""
        name = next(n for n in (f"{prefix}{k}" for k in count()) if n not in self.names)
        self.names.add(name)
        return name

    def symbol(self) -> str:
        """A new symbol of an extent."""
        return self.fresh(self.prefix)

    def state(self, op: RequireOp) -> None:
        """Insert a requirement at the start of the function."""
        first = self.block.first_op
        assert first is not None
        if (op.relation, op.sides) not in self.stated:
            self.stated.add((op.relation, op.sides))
            if self.because:
                op.message = StringAttr(f"{self.because}: {op.message.data}")
            self.block.insert_op_before(op, first)

    def note(self, text: str) -> None:
        """Attach a note for the user to the function."""
        known = self.function.attributes.get(NOTES)
        notes = cast("ArrayAttr[StringAttr]", known).data if isinstance(known, ArrayAttr) else ()
        self.function.attributes[NOTES] = ArrayAttr([*notes, StringAttr(text)])

    def name_arguments(self) -> None:
        """``tensor<?x4xf32> --> tensor<?x4xf32, #opc.dims<s0, 4>>``, as infer-shapes does."""
        for arg in self.block.args:
            shape = shape_of(tensor_of(arg)) if isinstance(arg.type, TensorType) else ()
            if UNKNOWN in shape:
                named = [ex.sym(self.fresh(UNNAMED)) if e == UNKNOWN else e for e in shape]
                set_type(arg, tensor_type(tensor_of(arg).element_type, named))

    def materialize(self, op: Operation) -> None:
        """Replace the containers among the operands of an operation that is not a node.

        A body of control flow returns the values of a sequence one by one.
        """
        builder = Builder(lambda new: self.block.insert_op_before(new, op))
        operands: list[SSAValue] = []
        for value in op.operands:
            held = self.held.get(value)
            is_inside = self.capacities.outer is not None and isinstance(op, ReturnOp)
            if isinstance(held, Labelled) and isinstance(op, ReturnOp) and not is_inside:
                operands.append(held.tensor)
                continue
            sequence = listed(held) if is_inside else None
            if sequence is not None:
                operands += [builder.tensor(v) for v in sequence.items if v is not None]
            else:
                operands.append(builder.tensor(held or value))
        if isinstance(op, ReturnOp):
            self._name_results([self.held.get(value) for value in op.operands])
        op.operands = operands

    def _name_results(self, results: list[Held | None]) -> None:
        """Set the label tables of results that are strings or dictionaries as attributes."""
        for name, kind in ((RESULT_LABELS, Labels), (RESULT_KEYS, Maps)):
            tables = [r.attribute() if isinstance(r, kind) else UnitAttr() for r in results]
            if any(not isinstance(table, UnitAttr) for table in tables):
                self.function.attributes[name] = ArrayAttr(tables)
