"""Operands of a contraction that can be laid out as they are stored.

::

    (cast(q[d2, d1]) - cast(zero[d2 / 32, d1])) * scale[d2 / 32, d1]
      laid out:  q in 4 bits; zero and scale, one element for 32 values along the chain
      computed:  the casts, the difference and the product, in vectors where they are read

They take fewer bytes than the values, and the values are the same, so no result depends on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.order import BLOCK
from opc.support.target import VECTOR, WIDEST, Target

from .contraction import Contraction, Operand, constant_of, slice_of

COMPUTED = frozenset({"add", "sub", "mul", "round_f16", "round_bf16"})
"""The functions that vectors compute as scalars do."""
FLOATS = frozenset(t.name for t in el.SMALL_ELEMENTS if t.small == "float")
NARROW = frozenset({"i8", "ui8", "i4", "ui4", "i2", "ui2", "f16", "bf16"}) | FLOATS
"""The types that vectors widen to f32."""
BYTES = frozenset({"i8", "ui8"})
INTEGERS = frozenset({"signed", "unsigned"})
ZERO_POINTS = range(int(el.BY_NAME["i8"].lowest), int(el.BY_NAME["ui8"].highest) + 1)
"""Numbers that are zero points of integers of 8 bits or fewer."""
ROUNDED = (el.F16, el.BF16)
"""The types that vectors of f32 are rounded to."""


@dataclass(frozen=True)
class Part:
    """A constant that an operand reads."""

    load: kernel.LoadOp
    run: int | None
    """Neighbours along the chain that read one element; None if all do."""
    has_columns: bool
    has_zero: bool = False
    """Whether it is of bytes, a small integer is subtracted from each, and columns fill words."""

    @property
    def type(self) -> ElementType:
        """The type that it is stored in."""
        return scalar_type(self.load.result)

    def most_of_unit(self, lanes: int) -> int:
        """Values that may share a byte or a word, for vectors of ``lanes``.

        In the widest vectors, integers of 8 bits with zero points share a word: one instruction
        cuts one out there and makes it a float, see ``emit.vector_values``.
        """
        if self.run != 1:
            return 1
        if self.has_zero and lanes == VECTOR:
            return WIDEST // VECTOR
        return 8 // self.type.bits if self.type.is_small else 1

    def values_of_unit(self, size: int, lanes: int) -> int:
        """Values that share a byte or a word in panels of ``size`` columns."""
        per = self.most_of_unit(lanes)
        return per if size % (lanes * per) == 0 else 1

    @property
    def bits(self) -> float:
        """The bits that it takes for each value of the operand."""
        return self.type.bits / self.run if self.run and self.has_columns else 0


def parts_of(c: Contraction, operand: Operand) -> tuple[Part, ...] | None:
    """The constants of an operand that may lie as they are stored; None if it may not.

    It is a matrix, read along the columns of a tile, and takes fewer bytes so.
    """
    key = "stored", operand.name
    if key not in c.memo:
        c.memo[key] = _parts_of(c, operand)
    return c.memo[key]


def _parts_of(c: Contraction, operand: Operand) -> tuple[Part, ...] | None:
    is_right = operand is c.right and c.column in operand.axes and c.row not in operand.axes
    # Vectors that are computed take part in fused multiply-adds alone.
    if not is_right or c.type is not el.F32 or not c.reduced or c.combine != "fma":
        return None
    if not all(_is_computed(op) for op in operand.ops):
        return None
    if not c.window(c.left) is c.window(c.right) is None:
        return None
    loads = [op for op in operand.ops if isinstance(op, kernel.LoadOp)]
    extents = (c.extent(axis).constant for axis in (*operand.axes, c.column, *c.reduced))
    if None in extents or any(c.offsets[load].symbols() for load in loads):
        return None
    # Fewer columns have narrower tiles, whose vectors would be parts of words.
    are_many = (c.extent(c.column).constant or 0) >= WIDEST
    parts = tuple(
        Part(op, _run(c, op), _depends(c.offsets[op], [c.column]), are_many and _has_zero(op))
        for op in loads
    )
    return parts if 0 < width_of(parts) < c.type.bytes else None


def width_of(parts: Iterable[Part]) -> float:
    """The bytes that constants take for each value that is computed of them."""
    return sum(part.bits for part in parts) / 8


def small_part(c: Contraction, group: int) -> Part | None:
    """The constant of 4 or 2 bits that groups of the right operand are; None if they are not."""
    casts = [op for op in c.right.ops if not isinstance(op, kernel.LoadOp)]
    is_cast = all(isinstance(op, body.ApplyOp) and op.function.data == "cast" for op in casts)
    load = next((op for op in c.right.ops if isinstance(op, kernel.LoadOp)), None)
    if load is None or group == 1 or not is_cast or not scalar_type(load.result).is_small:
        return None
    is_matrix = c.column in c.right.axes and c.row not in c.right.axes
    return Part(load, 1, True) if is_matrix and c.is_constant(c.right) else None


def grouped_parts(c: Contraction, operand: Operand, group: int) -> tuple[Part, ...] | None:
    """See ``parts_of``; for steps that take groups of products, see ``small_part``."""
    if group == 1:
        return parts_of(c, operand)
    part = small_part(c, group) if operand is c.right else None
    return None if part is None else (part,)


def term_parts(c: Contraction) -> tuple[Part, ...]:
    """The constants that differ by column in the term that is made of a block's sum."""
    loads = [op for op in slice_of(c.terms.args if c.terms else ()) if op in c.offsets]
    return tuple(
        Part(op, _run(c, op), True)
        for op in loads
        if isinstance(op, kernel.LoadOp)
        and (op.default is None and constant_of(op.source) is not None and len(c.reduced) == 1)
        and _depends(c.offsets[op], [c.column])
        and not _depends(c.offsets[op], [c.row])
    )


def pays(c: Contraction, parts: Iterable[Part], target: Target) -> bool:
    """Whether a vector takes no longer to compute than its bytes would take from memory."""
    functions = sum(isinstance(op, body.ApplyOp) for op in c.right.ops)
    saved = (c.type.bytes - width_of(parts)) / c.type.bytes
    return functions / target.starts <= saved * target.vector_bytes / target.memory_rate


def run_of(value: SSAValue, parts: Iterable[Part]) -> int | None:
    """Neighbours along the chain for which a value of an operand is the same; None for all."""
    ops = slice_of([value])
    runs = [part.run for part in parts if part.load in ops and part.run is not None]
    return math.gcd(*runs) if runs else None


def is_common(run: int | None, count: int | None) -> bool:
    """Whether ``count`` neighbours along the chain, None for all, read one of runs of elements."""
    return run is None or (count is not None and run % count == 0)


def common(operand: Operand, parts: Sequence[Part], count: int | None) -> list[SSAValue]:
    """The last computed values that ``count`` neighbours have in common, if they have columns."""
    stays = {v for op in operand.ops if is_common(run_of(v := op.results[0], parts), count)}
    varying = {v for op in operand.ops if op.results[0] not in stays for v in op.operands}
    columns = {part.load for part in parts if part.has_columns}
    return [
        op.result
        for op in operand.ops
        if isinstance(op, body.ApplyOp)
        and op.result in stays & varying
        and not columns.isdisjoint(slice_of([op.result]))
    ]


def chain_part(c: Contraction, parts: Iterable[Part]) -> int | None:
    """The part of a chain in which some constants of an operand stay the same; None without any."""
    runs = [part.run for part in parts if part.run not in (None, 1)]
    length = c.length.constant or 0
    size = math.gcd(*(run for run in runs if run), *([BLOCK] if length > BLOCK else []))
    return size if len(c.reduced) == 1 and 1 < size < min(length, BLOCK) and runs else None


def is_known(c: Contraction, operand: Operand) -> bool:
    """Whether the panels of an operand are laid out while compiling, as values or as stored."""
    key = "known", operand.name
    if key not in c.memo:
        c.memo[key] = c.is_constant(operand) or parts_of(c, operand) is not None
    return c.memo[key]


def stored_parts(c: Contraction, target: Target) -> tuple[Part, ...] | None:
    """The constants of the right operand if it is to lie as it is stored; None otherwise."""
    parts = parts_of(c, c.right)
    return parts if parts is not None and pays(c, parts, target) else None


def panel_size(parts: Iterable[Part], width: int, lanes: int) -> int:
    """Columns of a panel that has tiles of ``width`` columns, and fills its bytes and words."""
    return math.lcm(width, *(lanes * part.most_of_unit(lanes) for part in parts))


def _is_computed(op: Operation) -> bool:
    match op:
        case kernel.LoadOp():
            is_known = op.default is None and constant_of(op.source) is not None
            type = scalar_type(op.result)
            return is_known and (type is el.F32 or type.name in NARROW)
        case body.ApplyOp() if op.function.data == "cast":
            # f32 is rounded to f16 or bf16, and widened again.
            source, target = scalar_type(op.args[0]), scalar_type(op.result)
            is_read = isinstance(op.args[0].owner, kernel.LoadOp) or source in ROUNDED
            return target is el.F32 if is_read else target in ROUNDED
        case body.ApplyOp() if op.function.data == "choose":
            code, *numbers = (value.owner for value in op.args)
            is_known = all(isinstance(v, body.ConstantOp) for v in numbers)
            return isinstance(code, kernel.LoadOp) and is_known
        case body.ApplyOp():
            is_wide = all(scalar_type(v) is el.F32 for v in (*op.args, op.result))
            return is_wide and op.function.data in COMPUTED
        case body.ConstantOp():
            return scalar_type(op.result) is el.F32
        case _:
            return False


def _has_zero(load: kernel.LoadOp) -> bool:
    """See ``Part.has_zero``."""
    if scalar_type(load.result).name not in BYTES:
        return False
    casts = [use.operation for use in load.result.uses]
    uses = [use for op in casts for result in op.results for use in result.uses]
    is_cast = all(isinstance(op, body.ApplyOp) and op.function.data == "cast" for op in casts)
    return is_cast and all(
        isinstance(op := use.operation, body.ApplyOp)
        and (op.function.data == "sub" and use.index == 0 and _is_zero_point(op.args[1]))
        for use in uses
    )


def _is_zero_point(value: SSAValue) -> bool:
    match value.owner:
        case body.ConstantOp() as op:
            return op.number in ZERO_POINTS
        case body.ApplyOp() as op if op.function.data == "cast":
            source = scalar_type(op.args[0])
            return source.bits <= 8 and (source.is_integer or source.small in INTEGERS)
        case _:
            return False


def _depends(e: ex.Expr, axes: Iterable[object]) -> bool:
    return any(isinstance(axis, tuple) and axis[-1] in e.dims() for axis in axes)


def _run(c: Contraction, load: kernel.LoadOp) -> int | None:
    """See ``Part.run``: 32 where the chain appears as ``floordiv(d2, 32)`` alone."""
    e = c.offsets[load]
    if not _depends(e, c.reduced):
        return None
    chain, *others = c.reduced
    if others:
        return 1
    run = 0
    for atom in e.atoms():
        if atom.kind == "dim" and atom.args[0] == chain[-1]:
            return 1
        if atom.kind == "dim" or chain[-1] not in {d for a in atom.args for d in a.dims()}:
            continue
        size = atom.args[1].constant
        is_block = atom.kind == "floordiv" and atom.args[0] == ex.dim(chain[-1])
        if not is_block or size is None or run not in (0, size):
            return 1
        run = size
    is_one = run >= (c.extent(chain).constant or run + 1)
    return None if is_one else run
