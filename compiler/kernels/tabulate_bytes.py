"""Looks functions of one byte up in a table of all 256 of its values.

::

    nest [64, 56] { %b = load x[d0, d1] : ui8; %y = f(%b) : f32; store %y }
      -->
    %t = nest [256] { %b = cast(d0) : ui8; %y = f(%b) : f32; store %y }
         nest [64, 56] { %b = load x[d0, d1] : ui8; gather t[cast(%b)]; store }

    nest [64, 56] { sweep (dot) {...} : i32; %b = cast(round(...)) : ui8; %y = f(%b); store %y }
      -->
    %b = nest [64, 56] { sweep (dot) {...} : i32; %b = cast(round(...)) : ui8; store %b }
         and the same of %b

    nest [64, 56] { %b = load x[d0, d1] : ui8; %c = f(%b) : ui8; store sub(cast(%c), 3) : i16 }
      -->
    %t = nest [256] { %b = cast(d0) : ui8; %c = f(%b) : ui8; store %c }
         nest [64, 56] { ...; %c = gather t[cast(%b)] : ui8; store sub(cast(%c), 3) : i16 }

Quantized networks have functions between bytes: ``f`` dequantizes, computes a sigmoid and
quantizes.  It may also read scalars that only a run knows.  The table is computed by the same
operations, so no bit changes.  That pays where they cost more than a look-up
(``Target.looked_up``), and where there are many more points than entries.  A float that is a whole
number of 8 bits, as narrow-domains makes them, is a byte as well.  The table has the result, or a
byte from which little is left to compute, where a machine looks vectors of bytes up.  Needs
narrow-domains and narrow-integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import Interval, is_within, scalar_type
from opc.dialects.indirect import is_indirect
from opc.dialects.materialized import stores_to
from opc.dialects.memory_ops import BYTES, ENTRIES
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import shape_of, tensor_type
from opc.graph.rewriting import set_type
from opc.passes.function_pass import MachinePass
from opc.support.target import GUESSED, Target

from .kernel_forms import before, cast, compute, identity, load
from .narrow_domains import drop, is_whole


@dataclass(frozen=True)
class TabulateBytesPass(MachinePass):
    """store f(load x : ui8)  -->  store gather table[load x].

    ``target`` names the machine.
    """

    name: ClassVar[str] = "tabulate-bytes"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        for nest in [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]:
            for result in nest.outputs if not is_indirect(nest) else ():
                dearest = _dearest(nest, result, self.machine)
                if dearest is not None and dearest.pays(nest):
                    _look_up(nest, result, dearest)


@dataclass(frozen=True)
class _Byte:
    """A value of at most 256 numbers that decides what a nest stores to a result."""

    value: SSAValue
    type: el.ElementType
    """The type of 8 bits that holds it."""
    store: kernel.StoreOp
    ops: tuple[Operation, ...]
    """The operations that compute what is stored, in order."""

    @property
    def cost(self) -> float:
        """What they cost, in simple operations of f32: of bytes, a vector takes more."""
        applied = [op for op in self.ops if isinstance(op, body.ApplyOp)]
        sizes = [max(scalar_type(v).bytes for v in (op.result, *op.args)) for op in applied]
        costs = [SCALARS[op.function.data].cost for op in applied]
        return sum(math.prod(pair) for pair in zip(sizes, costs, strict=True)) / el.F32.bytes

    @property
    def source(self) -> SSAValue | None:
        """The tensor that has it at the index of the store, in the shape of the result."""
        load = self.value.owner
        nest = kernel.loops_around(self.store)[0]
        assert isinstance(nest, kernel.NestOp)
        if not isinstance(load, kernel.LoadOp) or load.default is not None or len(nest.outputs) > 1:
            return None
        result = nest.outputs[0]
        is_alike = load.index == self.store.index
        is_alike = is_alike and shape_of(load.source.type) == shape_of(result.type)
        return load.source if is_alike else None


@dataclass(frozen=True)
class _Function:
    """A function of a byte, which a table takes the place of."""

    byte: _Byte
    entry: _Byte | None
    """What the table has, and what is computed of it; None: what is stored."""
    looked_up: float
    """What a look-up and all behind it take, in simple operations of f32."""

    @property
    def cost(self) -> float:
        """What the function costs, in simple operations of f32."""
        return self.byte.cost - (0 if self.entry is None else self.entry.cost)

    def pays(self, nest: kernel.NestOp) -> bool:
        """Whether looking it up takes less than computing it at each point of a nest."""
        points = ex.product(nest.extents.data).constant or GUESSED * GUESSED
        return points * (self.byte.cost - self.looked_up) > ENTRIES * self.cost

    @staticmethod
    def of(byte: _Byte, entry: _Byte | None, machine: Target) -> _Function:
        """The function of a byte up to an entry, on a machine."""
        size = scalar_type(byte.store.value).bytes if entry is None else 1
        behind = 0 if entry is None else entry.cost
        looked_up = machine.looked_up(size, byte.source is not None)
        return _Function(byte, entry, looked_up + behind)


def _dearest(nest: kernel.NestOp, result: SSAValue, machine: Target) -> _Function | None:
    """The function that saves most, of a byte behind which most is computed of what is stored.

    All points store to the result, one each.
    """
    assert isinstance(result, OpResult)
    stores = stores_to(nest, result.index)
    is_whole_result = ex.product(shape_of(result.type)) == ex.product(nest.extents.data)
    if len(stores) != 1 or stores[0].parent is not nest.body.block or not is_whole_result:
        return None
    candidates = list(_behind(stores[0], list(nest.body.block.ops)))
    if not candidates:
        return None
    byte = max(candidates, key=lambda byte: byte.cost)
    entries = [None, *(other for other in candidates if other.value.owner in byte.ops)]
    functions = [_Function.of(byte, entry, machine) for entry in entries]
    return min(functions, key=lambda function: function.looked_up)


def _behind(store: kernel.StoreOp, ops: list[Operation]) -> Iterator[_Byte]:
    """Each byte that decides what is stored."""
    needed = _needed(store.value, None, ops)
    for op in needed:
        value = op.results[0]
        if (type := _type_of_byte(value)) is None:
            continue
        behind = _needed(store.value, value, ops)
        if behind and not any(map(_varies, behind)):
            yield _Byte(value, type, store, tuple(behind))


def _needed(value: SSAValue, known: SSAValue | None, ops: list[Operation]) -> list[Operation]:
    """The operations of a nest that compute a value, in order, of a known one."""
    needed: set[Operation] = set()
    pending = [value]
    while pending:
        last = pending.pop()
        if last is not known and isinstance(last.owner, Operation) and last.owner not in needed:
            needed.add(last.owner)
            pending += last.owner.operands if isinstance(last.owner, body.ApplyOp) else ()
    return [op for op in ops if op in needed]


def _varies(op: Operation) -> bool:
    """Whether an operation that needs no other one may have another value at another point."""
    if isinstance(op, kernel.LoadOp | body.IndexOp):
        is_kept = isinstance(op, kernel.LoadOp) and isinstance(op.source.owner, kernel.SweepOp)
        return is_kept or any(e.dims() for e in op.index.data)
    return not isinstance(op, body.ApplyOp | body.ConstantOp)


def _type_of_byte(value: SSAValue) -> el.ElementType | None:
    """The type of 8 bits that holds all numbers that a value may be; None if none does."""
    type = scalar_type(value) if el.element_of(value.type) else None
    if type in BYTES:
        return type
    limits = _limits(value) if type is el.F32 else None
    return next((byte for byte in BYTES if is_within(limits, byte)), None)


def _limits(value: SSAValue) -> Interval | None:
    """The limits of a whole float, as narrow-domains writes them; None for others."""
    name, args = _applied(value)
    if name == "sub":
        above, below = _limits(args[0]), _limits(args[1])
        return above and below and (above[0] - below[1], above[1] - below[0])
    limit, limited = _applied(args[0]) if name == "at_most" else ("", [])
    if limit != "above" or not is_whole(limited[0]) or _number(limited[1]) != 0:
        return None
    highest = _number(args[1])
    return None if highest is None else (0, int(highest))


def _applied(value: SSAValue) -> tuple[str, list[SSAValue]]:
    """The function that gives a value, and its arguments."""
    op = value.owner
    return (op.function.data, list(op.args)) if isinstance(op, body.ApplyOp) else ("", [])


def _number(value: SSAValue) -> float | None:
    return value.owner.number if isinstance(value.owner, body.ConstantOp) else None


def _look_up(nest: kernel.NestOp, result: SSAValue, function: _Function) -> None:
    """Compute a result by a table, of a byte that the nest stores if it is not in memory."""
    byte, entry, source = function.byte, function.entry, function.byte.source
    block, shape, last = Block(), shape_of(result.type), byte.store.value
    nests = [_table(function), kernel.NestOp.of(shape, block, [result.type])]
    for new in nests:
        new.location = nest.location
    Rewriter.insert_op(nests, InsertPoint.after(nest))
    result.replace_all_uses_with(nests[1].outputs[0])
    is_there = source is not None
    if source is None:
        byte.store.operands[0] = _narrowed(byte)
        source = set_type(result, tensor_type(byte.type, shape))
    at = cast(block, load(block, source, identity(len(shape))), el.I64)
    if byte.type.lowest:
        block.add_op(lowest := body.ConstantOp.of(byte.type.lowest, el.I64))
        at = compute(block, "sub", at, lowest.result)
    block.add_op(gather := kernel.GatherOp.of(nests[0].outputs[0], {0: at}, identity(1)))
    value = gather.result
    if entry is not None:
        value = _computed(block, last, entry.value, value, entry.ops)
    block.add_op(kernel.StoreOp.of(value, 0, identity(len(shape))))
    if is_there:
        Rewriter.erase_op(nest)
    else:
        drop(last)


def _table(function: _Function) -> kernel.NestOp:
    """The nest that computes a function of all bytes, from the lowest one on."""
    byte, entry = function.byte, function.entry
    block = Block([number := body.IndexOp.of(ex.dim(0) + int(byte.type.lowest))])
    last = byte.store.value if entry is None else entry.value
    ops = _needed(last, byte.value, list(byte.ops))
    value = _computed(block, last, byte.value, number.result, ops)
    value = value if entry is None else cast(block, value, entry.type)
    block.add_op(kernel.StoreOp.of(value, 0, identity(1)))
    extents = (ex.const(ENTRIES),)
    return kernel.NestOp.of(extents, block, [tensor_type(scalar_type(value), extents)])


def _computed(
    block: Block, value: SSAValue, known: SSAValue, by: SSAValue, ops: Iterable[Operation]
) -> SSAValue:
    """Add a value that operations compute of a known one, which another number stands for."""
    values = {known: cast(block, by, scalar_type(known))}
    for op in ops:
        block.add_op(op.clone(values))
    return values[value]


def _narrowed(byte: _Byte) -> SSAValue:
    """The byte; converted of a float before that is limited, if the type limits it as well."""
    value = byte.value
    if value.type == byte.type.type:
        return value
    if _limits(value) == (byte.type.lowest, byte.type.highest):
        while _limits(value) is not None:
            value = _applied(value)[1][0]
        value = _applied(value)[1][0]
    return before(byte.store, body.ApplyOp.of("cast", [value], byte.type))
