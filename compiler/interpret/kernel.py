"""Interprets functions of the kernel dialect, before and after plan-buffers.

All points of a nest are computed at once: dimension k is axis k of every array.  Sums and products
of floats are formed in the order that their sweep names.

Points are independent.  So it is a fault if one of them reads what another one of the same nest
writes, or if two write the same element.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from opc.dialects import body, kernel, order, scalar, schedule
from opc.dialects.body import scalar_type
from opc.dialects.scalar import REDUCTIONS, Reduction
from opc.dialects.shape import Shape
from opc.dialects.tile_fusion import TileFusionOp
from opc.dialects.walking import walk
from opc.errors import UnsupportedError

from . import reduction
from .extents import element_type, known_shape, sufficient
from .frame import Frame
from .indexing import scatter
from .memory import Memory, fault
from .precision import Array, is_float


def run(
    function: FuncOp, inputs: Sequence[Array], symbols: Mapping[str, int] | None = None
) -> list[Array]:
    """Run a function of kernels; symbols get their values from the shapes of ``inputs``.

    Raises ArgumentError where inputs do not fit the function or a requirement fails, FaultError
    where an element is read that was never written or is not there, UnsupportedError for an
    operation of another dialect.
    """
    return sufficient(function, symbols, lambda known: _run(function, inputs, known))


def _run(
    function: FuncOp, inputs: Sequence[Array], symbols: Mapping[str, int] | None
) -> list[Array]:
    frame = Frame(function, inputs, symbols)
    for op in frame.block.ops:
        if isinstance(op, kernel.NestOp | TileFusionOp):
            run_nests(frame, op)
        elif not frame.define(op) and not isinstance(op, ReturnOp):
            raise UnsupportedError(f"{op.name} cannot be interpreted among kernels")
    return frame.results()


def run_nests(frame: Frame, op: kernel.NestOp | TileFusionOp) -> None:
    """Run a nest, or those of a tile fusion one after the other."""
    for nest in [op] if isinstance(op, kernel.NestOp) else op.nests:
        Nest(frame, nest).run()


@dataclass(frozen=True)
class Read:
    """The elements that a load has read, and the points that read them."""

    op: Operation
    memory: Memory
    at: Array
    points: Array


class Nest:
    """Runs one nest."""

    def __init__(self, frame: Frame, op: kernel.NestOp) -> None:
        self.op = op
        self.symbols = frame.symbols
        self.memories = frame.memories
        self.values: dict[SSAValue, Array] = {}
        self.kept: dict[SSAValue, Array] = {}
        self.extents: list[int] = []
        self.grids: dict[int, Array] = {}
        self.rank = max((len(kernel.scope(o)) for o in walk(op)), default=0)
        self.rank = max(self.rank, len(op.extents.data))
        for value in op.outputs:
            shape = known_shape(value, self.symbols)
            self.memories[value] = Memory.new(element_type(value), shape)
        self.targets = [self.memories[v] for v in op.targets]
        self.writers = {id(m.data): np.full(m.data.size, -1) for m in self.targets}
        self.reads: list[Read] = []

    def run(self) -> None:
        """Compute every point.  FaultError unless points are independent."""
        self._enter(self.op.extents.data)
        self.points = np.arange(math.prod(self.extents)).reshape(self._full())
        self._block(self.op.body.block)
        for read in self.reads:
            if read.memory.is_shared:
                read.memory.check_written(read.op, read.at, "is overwritten in the same nest")
            writers = self.writers.get(id(read.memory.data))
            if writers is not None:
                by = writers[read.at]
                self._check(read.op, read.memory, read.at, (by == -1) | (by == read.points))

    def _check(self, op: Operation, memory: Memory, at: Array, right: Array) -> None:
        if not right.all():
            first = int(np.broadcast_to(at, right.shape)[~right].flat[0])
            raise fault(op, f"{memory.place(first)} is that of another point, which writes it")

    def _enter(self, extents: Shape) -> None:
        """Add the dimensions of a nest or a sweep."""
        for e in extents:
            count, axis = int(e.evaluate({}, self.symbols)), len(self.extents)
            shape = [count if k == axis else 1 for k in range(self.rank)]
            self.grids[axis] = np.arange(count).reshape(shape)
            self.extents.append(count)

    def _full(self) -> tuple[int, ...]:
        """The shape of a value that differs from point to point."""
        return (*self.extents, *[1] * (self.rank - len(self.extents)))

    def _block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case kernel.PickOp():
                    self._pick(op)
                case kernel.LoadOp():
                    self.values[op.result] = self._load(op)
                case kernel.StoreOp():
                    self._store(op)
                case kernel.GatherOp():
                    self.values[op.result] = self._read(op)
                case kernel.ScatterOp():
                    self._scatter(op)
                case kernel.RepeatOp():
                    self.values[op.result] = self._repeat(op)
                case kernel.SweepOp():
                    self._sweep(op)
                case kernel.PrefixOp():
                    self.values[op.result] = self._prefix(op)
                case body.ApplyOp():
                    args = [self.values[a] for a in op.args]
                    name, result = op.function.data, scalar_type(op.result)
                    self.values[op.result] = np.asarray(scalar.apply(name, args, result))
                case body.ConstantOp():
                    dtype = scalar_type(op.result).dtype
                    self.values[op.result] = np.asarray(op.number).astype(dtype)
                case body.IndexOp():
                    value = op.expr.evaluate(self.grids, self.symbols)
                    self.values[op.result] = np.asarray(value, np.int64)
                case kernel.YieldOp() | kernel.NextOp() | schedule.TreeOp():
                    pass
                case _:
                    raise UnsupportedError(f"{op.name} cannot be interpreted in a kernel")

    def _index(self, op: Operation, index: Shape, shape: Sequence[int]) -> list[Array]:
        """An index into an array.  FaultError where it is outside."""
        positions = [np.asarray(e.evaluate(self.grids, self.symbols), np.int64) for e in index]
        if isinstance(op, kernel.GatherOp | kernel.ScatterOp):
            for axis, value in op.valued.items():
                positions[axis] = self.values[value]
        for axis, (at, extent) in enumerate(zip(positions, shape, strict=True)):
            if at.size and not (at.min() >= 0 and at.max() < extent):
                worst = int(at.min() if at.min() < 0 else at.max())
                raise fault(op, f"index {worst} is outside of the {extent} of axis {axis}")
        return positions

    def _offset(self, op: Operation, index: Shape, memory: Memory) -> Array:
        at = self._index(op, index, memory.shape)
        steps = [math.prod(memory.shape[k + 1 :]) for k in range(len(at))]
        return np.asarray(sum(i * n for i, n in zip(at, steps, strict=True)), np.int64)

    def _load(self, op: kernel.LoadOp) -> Array:
        if 0 in self.extents:
            return np.zeros(self._full(), scalar_type(op.result).dtype)
        kept = self.kept.get(op.source)
        if kept is not None:
            around = kept.ndim - len(op.index.data)
            index = self._index(op, op.index.data, kept.shape[around:])
            return kept[(*(self.grids[k] for k in range(around)), *index)]
        if op.default is not None:
            return self._guarded(op, op.default, self.memories[op.source])
        return self._read(op)

    def _read(self, op: kernel.LoadOp | kernel.GatherOp | kernel.PickOp) -> Array:
        """The elements of a tensor or a buffer at all points."""
        if 0 in self.extents:
            return np.zeros(self._full(), element_type(op.source).dtype)
        memory = self.memories[op.source]
        at = self._offset(op, op.index.data, memory)
        self.reads.append(Read(op, memory, at, self.points))
        return np.asarray(memory.read(op, at))

    def _pick(self, op: kernel.PickOp) -> None:
        """Make a dimension the one value that is read.  FaultError where it is outside."""
        count = self.extents[op.dim]
        self.extents[op.dim] = 1
        self.points = np.arange(math.prod(self.extents)).reshape(self._full())
        at = self.grids[op.dim] = self._read(op)
        if at.size and not (at.min() >= 0 and at.max() < count):
            worst = int(at.min() if at.min() < 0 else at.max())
            raise fault(op, f"index {worst} is outside of the {count} of dimension {op.dim}")

    def _guarded(self, op: kernel.LoadOp, default: Attribute, memory: Memory) -> Array:
        """The value of a guarded load: the element where its index is inside, else its default."""
        shape = self._full()
        index = [np.asarray(e.evaluate(self.grids, self.symbols)) for e in op.index.data]
        pairs = list(zip(index, memory.shape, strict=True))
        is_inside = np.ones(shape, bool)
        for at, extent in pairs:
            is_inside = is_inside & (at >= 0) & (at < extent)
        number, dtype = body.number_of(default), scalar_type(op.result).dtype
        assert number is not None
        value = np.full(shape, number.value.data).astype(dtype)
        steps = [math.prod(memory.shape[k + 1 :]) for k in range(len(index))]
        offset = sum((i * n for i, n in zip(index, steps, strict=True)), np.zeros(shape, np.int64))
        at = np.broadcast_to(offset, shape)[is_inside]
        if at.size:
            points = np.broadcast_to(self.points, shape)[is_inside]
            self.reads.append(Read(op, memory, at, points))
            value[is_inside] = memory.read(op, at)
        return value

    def _store(self, op: kernel.StoreOp) -> None:
        if 0 in self.extents:
            return
        memory = self.targets[op.number]
        at = np.broadcast_to(self._offset(op, op.index.data, memory), self._full())
        memory.write(op, at, np.broadcast_to(self.values[op.value], at.shape))
        writers = self.writers[id(memory.data)]
        self._check(op, memory, at, (writers[at] == -1) | (writers[at] == self.points))
        writers[at] = self.points
        self._check(op, memory, at, writers[at] == self.points)

    def _repeat(self, op: kernel.RepeatOp) -> Array:
        """The final state of each point; iteration ends early once no point changes."""
        at = self.values[op.start]
        for _ in range(op.steps):
            self.values[op.index] = at
            self._block(op.body.block)
            before, at = at, self.values[op.next]
            if (at == before).all():
                break
        return at

    def _scatter(self, op: kernel.ScatterOp) -> None:
        if 0 in self.extents:
            return
        memory = self.targets[op.number]
        at = np.broadcast_to(self._offset(op, op.index.data, memory), self._full())
        values = np.broadcast_to(self.values[op.value], at.shape).reshape(-1)
        memory.check_written(op, at)
        name = "none" if op.reduction is None else op.reduction.data
        scatter(memory.data, at.reshape(-1), values, name)

    def _sweep(self, op: kernel.SweepOp) -> None:
        around = len(self.extents)
        self._enter(op.extents.data)
        self._block(op.body.block)
        full, axes = self._full(), tuple(range(around, len(self.extents)))
        lanes = None
        if op.lanes_expr is not None:
            lanes = int(op.lanes_expr.evaluate({}, self.symbols))
        for value, kind, result in zip(op.yielded, op.kinds, op.outputs, strict=True):
            computed = self.values[value]
            if kind.data == kernel.KEEP:
                shape = full[: len(self.extents)]
                self.kept[result] = np.broadcast_to(computed, full).reshape(shape)
                continue
            row = REDUCTIONS[kind.data]
            if row.is_chain:
                # A product in a chain is rounded as the chain says.
                product = value.owner
                assert isinstance(product, body.ApplyOp)
                a, b = (self._over(self.values[v], full, axes) for v in product.args)
                self.values[result] = _chain(a, b, axes, row.rounds_products)
            else:
                over = self._over(computed, full, axes)
                is_ordered = order.is_ordered(row.name, scalar_type(value))
                self.values[result] = reduce(row, over, axes, lanes if is_ordered else None)
        for axis in axes:
            del self.grids[axis], self.extents[around]

    def _prefix(self, op: kernel.PrefixOp) -> Array:
        over = self._over(self.values[op.value], self._full(), (op.dim,))
        flags = op.exclusive is not None, op.reverse is not None
        return reduction.running(op.kind.data, over, op.dim, exclusive=flags[0], reverse=flags[1])

    def _over(self, x: Array, full: Sequence[int], axes: Sequence[int]) -> Array:
        """A value broadcast along some axes."""
        own = x.shape if x.ndim else (1,) * self.rank
        return np.broadcast_to(x, [full[k] if k in axes else n for k, n in enumerate(own)])


def _chain(a: Array, b: Array, axes: Sequence[int], is_rounded: bool) -> Array:
    """The sum of products over some axes, in order; they stay, of extent 1."""
    total = order.chain(_together(a, axes), _together(b, axes), is_rounded)
    return np.expand_dims(total, tuple(axes))


def _together(x: Array, axes: Sequence[int]) -> Array:
    """An array in which some axes are flattened to the last one, row-major."""
    kept = [k for k in range(x.ndim) if k not in axes]
    shape = [x.shape[k] for k in kept]
    return x.transpose(*kept, *axes).reshape(*shape, math.prod(x.shape[k] for k in axes))


def reduce(row: Reduction, x: Array, axes: tuple[int, ...], lanes: int | None = None) -> Array:
    """Reduce axes to extent 1; positions are row-major among them.

    Sums and products of floats are formed in order, in that many lanes.
    """
    if lanes is not None:
        total = order.reduce(_together(x, axes), lanes, "prod" if row.name == "prod" else "sum")
        return np.expand_dims(total, axes)
    if row.is_arg:
        return _position(row, x, axes)
    if row.name in ("max", "min"):
        is_max, info = row.name == "max", None if is_float(x) else np.iinfo(x.dtype)
        least, most = (-np.inf, np.inf) if info is None else (int(info.min), int(info.max))
        return reduction.extreme(x, axes, True, is_max, least if is_max else most)
    ufunc = {"sum": np.add, "prod": np.multiply, "any": np.logical_or, "all": np.logical_and}
    with np.errstate(all="ignore"):
        if row.name == "max_number":
            return np.fmax.reduce(x, axis=axes, keepdims=True, initial=-np.inf)
        return np.asarray(ufunc[row.name].reduce(x, axis=axes, dtype=x.dtype, keepdims=True))


def _position(row: Reduction, x: Array, axes: tuple[int, ...]) -> Array:
    search = np.argmax if row.combine == "max" else np.argmin
    kept = [k for k in range(x.ndim) if k not in axes]
    shape = tuple(1 if k in axes else n for k, n in enumerate(x.shape))
    flat = np.transpose(x, [*kept, *axes]).reshape(*(x.shape[k] for k in kept), -1)
    if not flat.shape[-1]:
        return np.zeros(shape, np.int64)
    if row.name.endswith("_last"):
        position = flat.shape[-1] - 1 - search(np.flip(flat, -1), axis=-1)
    else:
        position = search(flat, axis=-1)
    return np.asarray(position, np.int64).reshape(shape)
