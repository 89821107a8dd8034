"""Stores factors of integer contractions in the fewest bits that hold them.

::

    %y = kernel.nest {... %i = cast(%q : ui8) : i32; store %i} : tensor<64xi32>
    kernel.nest {sweep (dot) {... load %y[d1] : i32 ...}}

    -->  %y = kernel.nest {... store %q} : tensor<64xui8>
         kernel.nest {sweep (dot) {... cast(load %y[d1] : ui8) : i32 ...}}

    %w = opc.constant : tensor<8x1x3x3xi32>, of -118 to 137
    kernel.nest {sweep (dot) {... load %w[d1, 0, d2, d3] : i32 ...}}

    -->  %w = opc.constant : tensor<8x1x3x3xui8>, 118 more
         kernel.nest {sweep (dot) {... add(cast(load %w[d1, 0, d2, d3] : ui8) : i32, -118) ...}}

Constants that 8 bits do not hold become bytes to which their least number is added, or, where they
span more than that, the least one of each filter.  Intervals are known for constants and for values
computed from small integers.  The result uses less memory, and a contraction of small factors takes
several of them in one step (``schedule.groups``).  Results of the function keep their type.  Runs
after fuse-kernels, which decides what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects.body import Interval, intervals, is_within, scalar_type
from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.materialized import stores_to
from opc.dialects.opc.movement import Array, ConstantOp, ReshapeOp
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.dialects.walking import walk
from opc.graph.rewriting import set_type
from opc.passes.function_pass import FunctionPass

from .kernel_forms import before, unshaped, uses_of

NARROW = tuple(BY_NAME[name] for name in ("i8", "ui8", "i16"))
"""The types that integers are stored as; the first that holds all is used."""
BYTE = BY_NAME["ui8"]


@dataclass(frozen=True)
class NarrowIntegersPass(FunctionPass):
    """tensor<64xi32>  -->  tensor<64xui8>, for factors of contractions."""

    name: ClassVar[str] = "narrow-integers"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        block = function.body.block
        for tensor in dict.fromkeys(_factors(block)):
            narrow(tensor)


def _factors(block: Block) -> Iterator[SSAValue]:
    """The integer tensors that contractions of a block read, behind reshapes."""
    for nest in block.ops:
        if not isinstance(nest, kernel.NestOp):
            continue
        for sweep in nest.sweeps:
            kinds = [kind.data for kind in sweep.kinds]
            if all(kind in REDUCTIONS and REDUCTIONS[kind].is_chain for kind in kinds):
                for load in sweep.body.block.ops:
                    if isinstance(load, kernel.LoadOp) and scalar_type(load.result).is_integer:
                        yield unshaped(load.source)


def narrow(tensor: SSAValue) -> None:
    """Store a tensor in fewer bits, if only kernels read it and all numbers fit."""
    loads = _loads(tensor)
    if loads is None:
        return
    interval = interval_of(tensor)
    defaults = [number for load in loads if (number := _default(load)) is not None]
    if interval is not None:
        interval = min([interval[0], *defaults]), max([interval[1], *defaults])
    old = element(tensor_of(tensor))
    fewer = (type for type in NARROW if type.bits < old.bits and is_within(interval, type))
    type = next(fewer, None)
    is_wide = old.bits > BYTE.bits and (type is None or type.bits > BYTE.bits)
    least = _least(tensor, loads) if is_wide and not defaults else None
    if least is not None:
        type = BYTE
    if type is None:
        return
    if isinstance(tensor.owner, ConstantOp):
        array = tensor.owner.array() - (0 if least is None else least)
        array = np.ascontiguousarray(array.astype(type.dtype))
        tensor.owner.properties["value"] = ConstantOp.of(array, type).value
    else:
        for store in _stores(tensor):
            _store(store, type)
    _set(tensor, type)
    added = 0 if least is None else _table(tensor, least.reshape(-1), old)
    for load in loads:
        _load(load, type, added)


def _least(tensor: SSAValue, loads: Sequence[kernel.LoadOp]) -> Array | None:
    """The least number of a constant, or of each of its filters; None if bytes span neither.

    Nor may it be read through a reshape, where the first index may be another one.
    """
    if not isinstance(tensor.owner, ConstantOp) or any(x.source is not tensor for x in loads):
        return None
    array = tensor.owner.array()
    for first in range(min(array.ndim, 2) if array.size else 0):
        axes = tuple(range(first, array.ndim))
        least = array.min(axis=axes, keepdims=True)
        # As Python's unlimited numbers: the difference of two integers may need one bit more.
        spans = array.max(axis=axes, keepdims=True).astype(object) - least
        if is_within((0, int(spans.max())), BYTE):
            return least
    return None


def _table(tensor: SSAValue, least: Array, old: ElementType) -> SSAValue | int:
    """The least number of all filters, or a constant of that of each, in the fewest bits."""
    if len(least) == 1:
        return int(least[0])
    interval = int(least.min()), int(least.max())
    type = next((type for type in NARROW if is_within(interval, type)), old)
    assert isinstance(tensor.owner, ConstantOp)
    return before(tensor.owner, ConstantOp.of(least.astype(type.dtype), type))


def _loads(tensor: SSAValue) -> list[kernel.LoadOp] | None:
    """The loads from a tensor and its reshapes; None if something else uses them."""
    users = [use.operation for use in uses_of(tensor)]
    loads = [op for op in users if isinstance(op, kernel.LoadOp)]
    return loads if len(loads) == len(users) else None


def _stores(tensor: SSAValue) -> list[kernel.StoreOp]:
    """The stores to a result of a nest."""
    assert isinstance(tensor, OpResult) and isinstance(tensor.op, kernel.NestOp)
    return stores_to(tensor.op, tensor.index)


def interval_of(tensor: SSAValue) -> Interval | None:
    """The interval of the numbers of a tensor; None if it is unknown."""
    op = tensor.owner
    if isinstance(op, ConstantOp):
        array = op.array()
        return (int(array.min()), int(array.max())) if array.size else None
    if not isinstance(op, kernel.NestOp):
        return None
    if any(isinstance(inner, kernel.ScatterOp) for inner in walk(op)):
        return None
    known, values = intervals(walk(op)), [store.value for store in _stores(tensor)]
    if not values or any(value not in known for value in values):
        return None
    low, high = zip(*(known[value] for value in values), strict=True)
    return min(low), max(high)


def interval_loaded(op: kernel.LoadOp) -> Interval | None:
    """The interval of the numbers that a load gives, its default included; None if unknown."""
    interval, number = interval_of(op.source), _default(op)
    if interval is None or number is None:
        return interval
    return min(interval[0], number), max(interval[1], number)


def _set(tensor: SSAValue, type: ElementType) -> None:
    """Set the element type of a tensor and its reshapes."""
    set_type(tensor, tensor_type(type, shape_of(tensor.type)))
    for use in tensor.uses:
        if isinstance(use.operation, ReshapeOp):
            _set(use.operation.result, type)


def _store(op: kernel.StoreOp, type: ElementType) -> None:
    value = op.value
    producer = value.owner
    if isinstance(producer, body.ApplyOp) and producer.function.data == "cast":
        value = producer.args[0] if producer.args[0].type == type.type else value
    if value.type != type.type:
        value = before(op, body.ApplyOp.of("cast", [value], type))
    op.operands[0] = value
    if isinstance(producer, body.ApplyOp) and producer.result.first_use is None:
        Rewriter.erase_op(producer)


def _load(op: kernel.LoadOp, type: ElementType, added: SSAValue | int) -> None:
    """Load what was narrowed, and add a number, or that of its filter."""
    old, number = scalar_type(op.result), _default(op)
    default = None if number is None else body.ConstantOp.of(number, type).value
    value = before(op, kernel.LoadOp.of(op.source, op.index.data, default))
    value = before(op, body.ApplyOp.of("cast", [value], old))
    if isinstance(added, SSAValue):
        least = before(op, kernel.LoadOp.of(added, op.index.data[:1]))
        least = before(op, body.ApplyOp.of("cast", [least], old))
        value = before(op, body.ApplyOp.of("add", [value, least]))
    elif added:
        least = before(op, body.ConstantOp.of(added, old))
        value = before(op, body.ApplyOp.of("add", [value, least]))
    Rewriter.replace_op(op, [], [value])


def _default(op: kernel.LoadOp) -> int | None:
    """The default of a load of integers."""
    number = None if op.default is None else body.number_of(op.default)
    return int(number.value.data) if isinstance(number, IntegerAttr) else None
