"""Gives each tensor a buffer: an input, an output, a constant, or a part of the workspace.

``func @f(%x: tensor) -> tensor  -->  func @f(%x: memref, %out: memref, %workspace: memref<?xi8>)``

Returned tensors are computed in the outputs.  All others share the workspace, where two may overlap
if their lifetimes do not.  A result that overwrites an operand of its kernel shares its buffer
(``in_place``), and so does a part of a concatenation; a sweep that would copy elements onto
themselves is dropped.  A reshape is a view.  A donated input is its result's buffer from the start:
where it cannot be overwritten, it is copied first.  Data-dependent extents (``opc.data_extent``)
count as their upper bounds.  Needs form-kernels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.bounds import at_most
from opc.dialects.buffer import OUTPUTS, WORKSPACE
from opc.dialects.named import donations
from opc.dialects.opc import movement
from opc.dialects.opc.control import ControlOp, IfOp, typed
from opc.dialects.opc.data_extent import data_bounds, data_extents
from opc.dialects.opc.scan import ScanOp
from opc.dialects.opc.symbols import SymbolSource
from opc.dialects.shape import (
    Buffer,
    IndexAttr,
    buffer_type,
    shape_of,
    tensor_of,
    type_text,
)
from opc.errors import UnsupportedError
from opc.graph.rewriting import set_type
from opc.passes.function_pass import FunctionPass
from opc.support.locations import location_of
from opc.support.workspace import Slot, bytes_of, place

from .data_dependent_symbols import symbols_of
from .in_place import Part, parts_in_place, written_over
from .kernel_forms import identity, load, unshaped


class Planner:
    """Plans the buffers of one function."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.block = function.body.block
        last = self.block.last_op
        assert isinstance(last, ReturnOp)
        self.end = last
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.scratch: dict[ScanOp, list[SSAValue]] = {}
        """Placeholders for the second buffers of carried values."""
        self.owners: dict[SSAValue, SSAValue] = {}
        """For each tensor in the buffer of another one, that one."""
        self.over: dict[SSAValue, SSAValue] = {}
        """For each tensor, the result that overwrites it."""
        self.parts: dict[SSAValue, Part] = {}
        """For each tensor that is a part of another one, its position."""
        self.from_data = {op.defined: op for op in data_extents(self.block)}
        self.bounds = data_bounds(self.from_data.values())

    def run(self) -> None:
        """Plan and rewrite."""
        inputs = len(self.block.args)
        returned = self._returned()
        outs: dict[SSAValue, SSAValue] = {}
        for k, value in enumerate(returned):
            out = self.block.insert_arg(buffer_type(tensor_of(self.end.operands[k])), inputs + k)
            out.name_hint = f"out{k}"
            outs[value] = out
            self.buffers[value] = self._seen_as(out, buffer_type(tensor_of(value)))
        workspace = self.block.insert_arg(
            MemRefType(IntegerType(8), [DYNAMIC_INDEX]), inputs + len(returned)
        )
        workspace.name_hint = "workspace"
        donated = self._donated(inputs, returned)
        kept = dict(donated)
        self._place_over(kept)
        while copied := [arg for arg in kept if _is_read(arg) and arg not in self.over]:
            for arg in copied:
                self._copy_first(arg)
                del kept[arg]
            self._place_over(kept)
        self._drop_early(donated)
        for arg in self.block.args[:inputs]:
            set_type(arg, buffer_type(tensor_of(arg)))
        for arg in donated:
            self.over.pop(arg, None)
            out = outs[donated[arg]]
            arg.replace_uses_with_if(out, lambda use: not isinstance(use.operation, SymbolSource))
        places = {v: self._lies_in(v) for v in (*self.over, *self.parts) if v not in self.buffers}
        self.owners = {value: owner for value, (owner, _) in places.items()}
        offsets, total = place(self._slots())
        first = self.block.first_op
        assert first is not None
        for value, offset in offsets.items():
            slice_ = loop.SliceOp.of(workspace, offset, buffer_type(tensor_of(value)))
            self._insert_early(slice_, first)
            self.buffers[value] = slice_.result
        buffers = dict(self.buffers)
        for value, (owner, start) in places.items():
            buffer = buffers[owner]
            self.buffers[value] = buffer if start is None else self._part(value, buffer, start)
        for part in self.parts.values():
            Rewriter.erase_op(part.sweep)
        for op in list(self.block.ops):
            self._rewrite(op)
        self.end.operands = []
        self.function.function_type = FunctionType.from_lists([a.type for a in self.block.args], [])
        self.function.attributes[OUTPUTS] = IntegerAttr(len(returned), i64)
        self.function.attributes[WORKSPACE] = IndexAttr((total,))

    def _place_over(self, donated: Mapping[SSAValue, SSAValue]) -> None:
        """Find the tensors that lie in others, and the donated inputs that are overwritten."""
        nests = [op for op in self.block.ops if isinstance(op, kernel.NestOp)]
        self.parts = parts_in_place(nests, lambda value: value not in self.buffers)
        over = written_over(nests, self.parts, donated)
        self.over = {value: over[value] for value in over if value not in self.parts}

    def _drop_early(self, donated: Mapping[SSAValue, SSAValue]) -> None:
        """Let no tensor lie in a buffer before all have read what is in it until then.

        That is what the caller left in a donated one, or a tensor that a concatenation overwrites,
        in which parts lie.  The kernel that overwrites a tensor reads it in time.
        """
        order = {op: k for k, op in enumerate(self.block.ops)}
        placed = {*self.over, *self.parts} - donated.keys()
        early: list[SSAValue] = []
        for arg, root in donated.items():
            if arg not in self.over:
                last = max(_last_use(arg, order), default=-1)
                inside = (value for value in placed if self._lies_in(value)[0] is root)
                early += [value for value in inside if _position(value, order) <= last]
        parents = {part.parent for part in self.parts.values()}
        for before, result in self.over.items():
            if result in parents:
                used = {-1, *_last_use(before, order)}
                if before not in donated:
                    used.add(_position(before, order))
                last = max(used - {_position(result, order)})
                inside = (value for value in placed if self._is_in_part(value, result))
                early += [value for value in inside if _position(value, order) <= last]
        for value in early:
            self.over.pop(value, None)
            self.parts.pop(value, None)

    def _is_in_part(self, value: SSAValue, result: SSAValue) -> bool:
        """Whether a tensor lies in a part of a result."""
        while value in self.over or value in self.parts:
            if value in self.over:
                value = self.over[value]
            elif self.parts[value].parent is result:
                return True
            else:
                value = self.parts[value].parent
        return False

    def _donated(self, inputs: int, returned: Sequence[SSAValue]) -> dict[SSAValue, SSAValue]:
        """For each donated input the tensor that is returned in it."""
        donated: dict[SSAValue, SSAValue] = {}
        for number, result in donations(self.function).items():
            arg, out = self.block.args[number], self.end.operands[result]
            if arg.type != out.type:
                shapes = [type_text(tensor_of(value)) for value in (arg, out)]
                raise UnsupportedError(
                    f"donate: found input {number} of {shapes[0]} for output {result} of "
                    f"{shapes[1]}, expected the same type",
                    location_of(self.function),
                )
            donated[arg] = returned[result]
        return donated

    def _copy_first(self, arg: SSAValue) -> None:
        """Let all that reads an input read a copy, made before anything is written."""
        copy = self._copy(arg)
        nest = copy.owner
        assert isinstance(nest, Operation) and self.block.first_op is not None
        nest.detach()
        self.block.insert_op_before(nest, self.block.first_op)
        arg.replace_uses_with_if(
            copy,
            lambda use: (
                use.operation.parent_op() is not nest
                and not isinstance(use.operation, SymbolSource)
            ),
        )

    def _seen_as(self, buffer: SSAValue, type: Buffer) -> SSAValue:
        """The buffer, or a view of it if its type differs."""
        if buffer.type == type:
            return buffer
        view = loop.ViewOp.of(buffer, type)
        first = self.block.first_op
        assert first is not None
        self._insert_early(view, first)
        return view.result

    def _lies_in(self, value: SSAValue) -> tuple[SSAValue, int | None]:
        """The tensor in whose buffer another one lies, and the first element if it is a part.

        It is the last of a series of overwriting results, or the outermost concatenation.
        """
        start: int | None = None
        while value not in self.buffers:
            if value in self.over:
                value = self.over[value]
            elif value in self.parts:
                part = self.parts[value]
                value, start = part.parent, part.start + (start or 0)
            else:
                break
        return value, start

    def _part(self, value: SSAValue, buffer: SSAValue, start: int) -> SSAValue:
        """A view of the piece of a buffer in which a tensor lies."""
        view = loop.ViewOp.of(buffer, buffer_type(tensor_of(value)), ex.const(start))
        owner, first = buffer.owner, self.block.first_op
        assert first is not None
        if isinstance(owner, Operation):
            self.block.insert_op_after(view, owner)
        else:
            self.block.insert_op_before(view, first)
        return view.result

    def _insert_early(self, op: Operation, first: Operation) -> None:
        """Insert a buffer before an operation, or where its data-dependent extents are defined."""
        needed = [self.from_data[n] for n in symbols_of(op.results[0]) & self.from_data.keys()]
        if not needed:
            self.block.insert_op_before(op, first)
            return
        order = {o: k for k, o in enumerate(self.block.ops)}
        self.block.insert_op_after(op, max(needed, key=order.__getitem__))

    def _bytes(self, value: SSAValue) -> ex.Expr:
        return at_most(bytes_of(tensor_of(value)), self.bounds)

    def _returned(self) -> list[SSAValue]:
        """The returned tensors, each a result of its own kernel; a kernel copies others."""
        result: list[SSAValue] = []
        seen = set[SSAValue]()
        for k, value in enumerate(self.end.operands):
            root = unshaped(value)
            is_own = isinstance(root.owner, kernel.NestOp | ControlOp) and root not in seen
            if not is_own or self._is_early(root, value):
                value = root = self._copy(value)
                self.end.operands[k] = value
            result.append(root)
            seen.add(root)
        return result

    def _is_early(self, root: SSAValue, value: SSAValue) -> bool:
        """Whether a tensor is computed before data-dependent extents of the output are defined."""
        needed = [self.from_data[n] for n in symbols_of(value) & self.from_data.keys()]
        owner = root.owner
        return isinstance(owner, Operation) and any(owner.is_before_in_block(op) for op in needed)

    def _copy(self, value: SSAValue) -> SSAValue:
        block = Block()
        index = identity(len(shape_of(value.type)))
        block.add_op(kernel.StoreOp.of(load(block, value, index), 0, index))
        nest = kernel.NestOp.of(shape_of(value.type), block, [value.type])
        nest.location = self.end.location
        self.block.insert_op_before(nest, self.end)
        return nest.outputs[0]

    def _slots(self) -> list[Slot]:
        """The results of kernels that are no outputs, with their lifetimes."""
        order = {op: k for k, op in enumerate(self.block.ops)}
        slots: list[Slot] = []
        starts: dict[SSAValue, int] = {}
        ends: dict[SSAValue, int] = {}
        for value, owner in self.owners.items():
            ends[owner] = max((ends.get(owner, 0), *_last_use(value, order)))
        for op, at in order.items():
            if isinstance(op, ScanOp):
                self.scratch[op] = list(Block(arg_types=[typed(v.type) for v in op.carried]).args)
                for value in self.scratch[op]:
                    slots.append(Slot(value, self._bytes(value), at, at))
            if isinstance(op, kernel.NestOp | ControlOp):
                for value in op.results:
                    owner = self.owners.get(value, value)
                    start = starts.setdefault(owner, at)
                    if owner is value and value not in self.buffers:
                        last = max((ends.get(value, at), *_last_use(value, order)))
                        slots.append(Slot(value, self._bytes(value), start, last))
        return slots

    def _rewrite(self, op: Operation) -> None:
        if isinstance(op, kernel.NestOp):
            into = [self.buffers[v] for v in op.outputs]
            if op.body.block.is_empty:  # all parts are in place
                Rewriter.replace_op(op, [], into)
                return
            new = kernel.NestOp(
                operands=[into],
                properties={"extents": op.extents},
                regions=[op.detach_region(op.body)],
                result_types=[[]],
            )
            self._replace(op, new, into)
            _drop_copies(new)
        elif isinstance(op, ControlOp):
            self._fill(op)
        elif isinstance(op, movement.ReshapeOp):
            # Both have the same row-major offsets.
            view = loop.ViewOp.of(op.operands[0], buffer_type(op.type))
            self._replace(op, view, view.results)
        elif isinstance(op, movement.ConstantOp):
            new = loop.ConstantOp(
                properties={"value": op.value}, result_types=[buffer_type(op.type)]
            )
            self._replace(op, new, new.results)

    def _fill(self, op: ControlOp) -> None:
        """Give control flow the buffers that it fills."""
        into = [self.buffers[v] for v in op.results]
        segments: list[list[SSAValue]]
        if isinstance(op, ScanOp):
            trip = [op.trip] if op.trip is not None else []
            scratch = [self.buffers[v] for v in self.scratch[op]]
            segments = [*map(list, (op.carried, op.scanned, op.captured)), trip, into, scratch]
        else:
            assert isinstance(op, IfOp)
            segments = [[op.condition], *map(list, (op.then_captured, op.else_captured)), into]
        properties = {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"}
        new = type(op)(operands=segments, properties=properties, result_types=[[]])
        self._replace(op, new, into)

    def _replace(self, op: Operation, new: Operation, values: Sequence[SSAValue]) -> None:
        """Put an operation in the place of another one, and values in those of its results."""
        new.location = op.location
        Rewriter.replace_op(op, new, values)


def _drop_copies(nest: kernel.NestOp) -> None:
    """Erase sweeps that copy elements of a buffer onto themselves, and a nest that is one."""
    body = nest.body.block
    for sweep in nest.sweeps:
        if _copies_onto_itself(nest, list(sweep.body.block.ops)[:-1]):
            Rewriter.erase_op(sweep)
    if body.is_empty or _copies_onto_itself(nest, list(body.ops)):
        Rewriter.erase_op(nest)


def _copies_onto_itself(nest: kernel.NestOp, ops: Sequence[Operation]) -> bool:
    match ops:
        case [kernel.LoadOp() as load, kernel.StoreOp() as store]:
            is_same = load.source is nest.targets[store.number] and load.index == store.index
            return is_same and load.default is None and store.value is load.result
        case _:
            return False


def _is_read(arg: SSAValue) -> bool:
    """Whether more than sizes are taken from an input."""
    return any(not isinstance(use.operation, SymbolSource) for use in arg.uses)


def _last_use(value: SSAValue, order: dict[Operation, int]) -> list[int]:
    """The positions of the operations that use a tensor, through reshapes too."""
    positions: list[int] = []
    for use in value.uses:
        op = use.operation
        if isinstance(op, movement.ReshapeOp):
            positions += _last_use(op.result, order)
        top = use.operation.parent_op() if op not in order else op
        while top is not None and top not in order:
            top = top.parent_op()
        if top is not None:
            positions.append(order[top])
    return positions


def _position(result: SSAValue, order: dict[Operation, int]) -> int:
    """The position of the kernel that computes a tensor."""
    assert isinstance(result.owner, Operation)
    return order[result.owner]


class PlanBuffersPass(FunctionPass):
    """tensor  -->  memref: an input, an output, or a slice of the workspace."""

    name = "plan-buffers"

    def rewrite(self, function: FuncOp) -> None:
        """Plan the buffers of a function."""
        Planner(function).run()
