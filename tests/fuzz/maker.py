"""A graph that grows by one operator at a time, and is computed as it grows."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.element import ElementType
from opc.dialects.expr import Expr, const, sym
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import MAX_RANK, Tensor, shape_of, tensor_type
from opc.errors import OpcError
from opc.interpret import control
from opc.interpret.graph import apply_op
from opc.interpret.precision import Array
from tests.unit.common.samples import moderate, special_values, values

from .extents import Sizes
from .graph import Extent, Graph, Value

THRESHOLDS = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 25, 31, 32, 33, 63, 64, 65),
    *(127, 128, 129, 255, 256, 257, 511, 1000, 2049, 4100),
)
"""Extents around the widths of vectors, blocks and the places where loops take another shape."""
COMMON = (el.F32, el.F32, el.F32, el.F32, el.F64, el.F16, el.BF16, el.I1, el.I64)


LATE = "L"
"""What symbols of extents start with that only a run finds."""


class Unfit(Exception):
    """An operator does not fit what there is; another one is tried."""


class Maker:
    """Builds a graph.  Everything random comes from ``rng``."""

    def __init__(self, rng: np.random.Generator, limit: int, symbolic: bool) -> None:
        self.rng = rng
        self.limit = limit
        """Most elements of a value."""
        self.depth = 0
        """In how many bodies of control flow this one is."""
        self.ranges: dict[SSAValue, tuple[Expr, Expr]] = {}
        """For arguments that are indices: the least one, and one beyond the greatest."""
        self.begin(ModuleOp([]), "main")
        self.dims = self._dims(symbolic)
        self.types = [self.one(COMMON) for _ in range(3)]
        if self.chance(0.5):
            self.types.append(self.one(list(el.ELEMENTS)))
        if self.chance(0.15):
            # Few operators take these, so none would come up by itself.
            self.types.append(self.one(el.SMALL_ELEMENTS))
            self.input(self.types[-1])

    def begin(self, module: ModuleOp, name: str) -> None:
        """An empty function in a module; one that is not the first is private."""
        self.module = module
        self.name = name
        self.block = Block()
        visibility = "private" if module.body.block.ops else None
        self.function = func.FuncOp(name, ((), ()), Region(self.block), visibility)
        module.body.block.add_op(self.function)
        self.values: list[Value] = []
        self.inputs: list[Value] = []
        self.symbols: dict[str, int] = {}
        self.bound = set[str]()
        """Symbols that an argument gives a value."""
        self.has_expressions = False
        """Whether an argument has an extent that is neither a number nor a symbol."""
        self.uses: dict[SSAValue, int] = {}

    # Choices.

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def one(self, options: Sequence[Any]) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def some(self, options: Sequence[Any], least: int = 0) -> list[Any]:
        """Some of the options, in order."""
        count = int(self.rng.integers(least, len(options) + 1)) if len(options) >= least else 0
        chosen = self.rng.permutation(len(options))[:count]
        return [options[int(k)] for k in sorted(chosen)]

    def recent(self, options: Sequence[Any]) -> Any:
        """One of the options, the last ones more often."""
        n = len(options)
        return options[n - 1 - min(int(self.rng.exponential(max(1.5, n / 3))), n - 1)]

    def _dims(self, symbolic: bool) -> list[Extent]:
        """The few extents that most axes of the graph have."""
        found: list[Extent] = []
        left = float(self.limit)
        for k in range(int(self.rng.integers(1, 5))):
            least = 0 if self.chance(0.06) else 1
            options = [n for n in THRESHOLDS if least <= n <= max(left, 1)]
            n = (
                self.one(options)
                if self.chance(0.6)
                else self.one(options[: len(options) // 2 + 1])
            )
            left /= max(n, 1)
            if symbolic and self.chance(0.6):
                self.symbols[f"N{k}"] = n
                found.append((n, sym(f"N{k}")))
            else:
                found.append((n, const(n)))
        return found

    def dim(self) -> Extent:
        """An extent of the graph, that an argument has."""
        n, e = self.one(self.dims)
        return (n, e) if e.symbols() <= self.bound else (n, const(n))

    # Values.

    def extents(self, rank: int | None = None) -> list[Extent]:
        """Extents of a new value: those of the graph, ones and a few others."""
        if rank is None:
            rank = self.one((0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6))
            rank = int(self.rng.integers(7, 17)) if self.chance(0.02) else rank
        found: list[Extent] = []
        left = self.limit
        order = self.rng.permutation(len(self.dims)).tolist() if self.chance(0.4) else None
        for k in range(rank):
            n, e = self.dims[(order or range(len(self.dims)))[k % len(self.dims)]]
            if self.chance(0.12) or k >= 6:
                n = self.one((1, 1, 2, 3, 5, 8))
                e = const(n)
            if n > left:
                n, e = 1, const(1)
            left //= max(n, 1)
            found.append((n, e))
        return found

    def data(self, type: ElementType, shape: Sequence[int]) -> Array:
        """An input: small numbers, ordinary ones, or with special values among them."""
        seed, count = int(self.rng.integers(1 << 30)), math.prod(shape)
        if type.is_small:
            bits = np.random.default_rng(seed).integers(0, 1 << type.bits, shape, np.uint8)
            return bits.view(type.dtype) if bits.size else np.zeros(shape, type.dtype)
        way = self.rng.random()
        if way < 0.45:
            low = 0 if type.kind == "unsigned" else -4
            small = self.rng.integers(low, 5, shape)
            return (
                small.astype(np.int8).astype(type.dtype) * np.asarray(0.5, type.dtype)
                if (type.is_float and self.chance(0.5))
                else (
                    small > 0 if type.kind == "bool" else small.astype(np.int8).astype(type.dtype)
                )
            )
        if way < 0.8:
            return moderate(type, shape, seed)
        if way < 0.9:
            return values(type, shape, seed)
        array = moderate(type, shape, seed).reshape(-1).copy()
        where = self.rng.integers(0, max(count, 1), min(count, 1 + count // 50))
        array[where] = self.rng.choice(special_values(type), len(where))
        return array.reshape(tuple(shape))

    def input(
        self, type: ElementType | None = None, extents: Sequence[Extent] | None = None
    ) -> Value:
        """A new argument."""
        type = type or self.one(self.types)
        extents = self.extents() if extents is None else extents
        shape = tuple(n for n, _ in extents)
        return self.argument(self.data(type, shape), type, extents)

    def index_input(
        self, type: ElementType, extents: Sequence[Extent], low: Expr, high: Expr
    ) -> Value:
        """A new argument whose elements are from low to below high."""
        found = self.argument(np.zeros([n for n, _ in extents], type.dtype), type, extents)
        self.ranges[found.ssa] = low, high
        found.array[...] = self.indices(found.ssa, type, found.shape, self.symbols)
        return found

    def indices(
        self, ssa: SSAValue, type: ElementType, shape: Sequence[int], env: Mapping[str, int]
    ) -> Array:
        """Indices for an argument; Unfit where there are none."""
        low, high = (int(e.evaluate({}, env)) for e in self.ranges[ssa])
        low, high = max(low, int(type.lowest)), min(high, int(type.highest) + 1)
        if low >= high and math.prod(shape):
            raise Unfit("no index is within an empty axis")
        return self.rng.integers(low, max(high, low + 1), shape).astype(type.dtype)

    def argument(self, array: Array, type: ElementType, extents: Sequence[Extent]) -> Value:
        """A new argument with these elements."""
        # A symbol that is read from data cannot give an argument its shape.
        names = {e.symbol() for _, e in self.dims}
        tensor = tensor_type(type, [e if e.symbols() <= names else const(n) for n, e in extents])
        return self.place(array, tensor)

    def place(self, array: Array, tensor: Tensor) -> Value:
        """A new argument of this type, which gives symbols their values."""
        extents = shape_of(tensor)
        self.bound |= {e.symbol() or "" for e in extents}
        self.has_expressions |= any(e.constant is None and not e.symbol() for e in extents)
        ssa = self.block.insert_arg(tensor, len(self.block.args))
        value = Value(ssa, array)
        self.values.append(value)
        self.inputs.append(value)
        return value

    def add(self, op: type[OpcOp], *values: Value, **params: Any) -> Value:
        """An operator on values; Unfit if it is none, or too large."""
        try:
            made = op(*(v.ssa for v in values), **params)
            return self.put(made, *values)
        except (VerifyException, OpcError, BudgetExceeded, MemoryError) as error:
            raise Unfit(str(error)) from None

    def put(self, made: OpcOp, *values: Value) -> Value:
        try:
            made.verify_()
            array = apply_op(made, [v.array for v in values], self.symbols)
            if array.size > self.limit:
                raise Unfit("too large")
            self.admit(made, [v.array for v in values])
        except BaseException:
            made.drop_all_references()
            raise
        self.block.add_op(made)
        value = Value(made.result, array)
        self.used(values)
        self.values.append(value)
        return value

    def admit(self, made: OpcOp, arrays: Sequence[Array]) -> None:
        """Unfit for an operator that this graph may not have."""

    def used(self, values: Sequence[Value]) -> None:
        for v in values:
            self.uses[v.ssa] = self.uses.get(v.ssa, 0) + 1

    def control(self, made: ControlOp, values: Sequence[Value]) -> list[Value]:
        """Control flow over values; Unfit if something is too large."""
        self.block.add_op(made)
        try:
            made.verify_()
            arrays = control.run(made, [v.array for v in values], self.symbols)
            # Results of a loop have an axis more than those of its body.
            if any(a.size > self.limit or a.ndim > MAX_RANK for a in arrays):
                raise Unfit("too large")
        except BaseException as error:
            made.detach()
            made.erase()
            if isinstance(error, OpcError | BudgetExceeded):
                raise Unfit(str(error)) from None
            raise
        found = [Value(r, np.asarray(a)) for r, a in zip(made.results, arrays, strict=True)]
        self.used(values)
        self.values += found
        return found

    def other(self, op: Operation) -> None:
        """An operation that computes no tensor; Unfit if it is none."""
        try:
            op.verify_()
        except VerifyException as error:
            op.drop_all_references()
            raise Unfit(str(error)) from None
        self.block.add_op(op)

    def constant(self, type: ElementType, shape: Sequence[int] = ()) -> Value:
        """A constant: one number, one that fills the shape, or an array."""
        shape = () if self.chance(0.5) or math.prod(shape) > 4096 else tuple(shape)
        array = self.data(type, shape)
        if array.size and self.chance(0.5):
            array = np.full_like(array, array.reshape(-1)[0])
        return self.put(ConstantOp.of(array, type))

    def cast(self, value: Value, to: ElementType) -> Value:
        if value.type is to:
            return value
        tensor = tensor_type(to, [e for _, e in value.extents])
        return self.add(CastOp, value, result_type=tensor)

    def pick(
        self, types: Collection[ElementType], fits: Callable[[Value], bool] | None = None
    ) -> Value:
        """A value of one of the types that fits: one there is, or a new one."""
        found = [v for v in self.values if v.type in types and (fits is None or fits(v))]
        if found and self.chance(0.93):
            return self.recent(found)
        if self.values and self.chance(0.6):
            others = [v for v in self.values if fits is None or fits(v)]
            wanted = [t for t in self.types if t in types] or sorted(types, key=str)
            if others:
                return self.cast(self.recent(others), self.one(wanted))
        return self.input(self.one([t for t in self.types if t in types] or sorted(types, key=str)))

    def partner(self, value: Value, type: ElementType | None = None) -> Value:
        """A value that broadcasts with another one."""
        type = type or value.type

        def fits(other: Value) -> bool:
            try:
                return math.prod(np.broadcast_shapes(value.shape, other.shape)) <= self.limit
            except ValueError:
                return False

        found = [v for v in self.values if v.type is type and fits(v)]
        if found and self.chance(0.8):
            return self.recent(found)
        if self.chance(0.3):
            return self.constant(type, value.shape)
        others = [v for v in self.values if fits(v)]
        if others and self.chance(0.4):
            return self.cast(self.recent(others), type)
        extents = [(1, const(1)) if self.chance(0.25) else e for e in value.extents]
        return self.input(
            type, extents[int(self.rng.integers(len(extents) + 1)) if self.chance(0.2) else 0 :]
        )

    def close(self, results: Sequence[Value]) -> None:
        """End the function with these results."""
        returned = [v.ssa for v in results]
        self.block.add_op(func.ReturnOp(*returned))
        signature = ([a.type for a in self.block.args], [r.type for r in returned])
        self.function.function_type = FunctionType.from_lists(*signature)

    def finish(self, name: str, results: Sequence[Value]) -> Graph:
        """The module of it, with these results."""
        self.close(results)
        module = self.module
        module.verify()
        graph = Graph(name, module, [v.array for v in self.inputs], self.symbols)
        named = sorted(self.bound & self.symbols.keys())
        if named:
            sizes = Sizes(module)
            graph.others = [x for _ in range(2) if (x := self.other_inputs(named, sizes))]
        return graph

    def other_inputs(self, named: Sequence[str], sizes: Sizes) -> list[Array]:
        """Inputs where symbols have other values; those that have none stay the same.

        None where all that were drawn make a value too large.
        """
        for _ in range(8):
            env = {
                n: self.one([k for k in THRESHOLDS if k <= 2 * self.symbols[n] + 8]) for n in named
            }
            shapes = [
                tuple(max(0, int(e.evaluate({}, env))) for e in shape_of(v.ssa.type))
                for v in self.inputs
            ]
            if sizes.largest(shapes, [v.array for v in self.inputs]) > max(4 * self.limit, 100_000):
                continue
            indexed = (self.ranges[v.ssa][1] for v in self.inputs if v.ssa in self.ranges)
            if any(e.evaluate({}, env) < 1 for e in indexed):
                continue
            is_new = [any(e.constant is None for e in shape_of(v.ssa.type)) for v in self.inputs]
            return [
                self.indices(v.ssa, v.type, shape, env)
                if v.ssa in self.ranges
                else self.data(v.type, shape)
                if new
                else v.array
                for v, shape, new in zip(self.inputs, shapes, is_new, strict=True)
            ]
        return []
