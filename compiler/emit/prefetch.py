"""C helpers that move memory: transposed blocks, prefetches and non-temporal stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in
from opc.support.target import PIECE

from .ctext import Text, address
from .registers import UNROLL
from .texts import c_text, macro
from .transpose import APART, PICK, transpose, transpose_name

NON_TEMPORAL = c_text("non_temporal.copy", PIECE=PIECE)

NON_TEMPORAL_PART = c_text("non_temporal.part")


def move_call(
    op: loop.TransposeOp | loop.PrefetchOp | loop.NonTemporalOp,
    names: Mapping[SSAValue, Text],
    index: Callable[[ex.Expr], Text],
    helpers: dict[str, str],
) -> str:
    """The statement for an operation; adds its helper to those of the file."""
    source, size = names[op.source], element_in(op.source).bytes
    match op:
        case loop.TransposeOp():
            name = transpose_name(size)
            helpers.setdefault("OPC_PICK", PICK)
            helpers.setdefault(UNROLL, macro(UNROLL))
            if apart := any(e.symbols() for e in op.index.data):
                helpers.setdefault("OPC_APART", APART)
            helpers.setdefault(name, transpose(size, apart))
            at, stride, to, width, rows, columns = map(index, op.index.data)
            target, block = address(names[op.target], to), address(source, at)
            return f"{name}({target}, {width}, {block}, {stride}, {rows}, {columns});"
        case loop.PrefetchOp():
            at, count = (index(e * size) for e in op.index.data)
            return f"opc_prefetch({source}, {at}, {count});"
        case loop.NonTemporalOp():
            helpers.setdefault("opc_non_temporal", NON_TEMPORAL)
            start, at, count, row = op.index.data
            target, block = address(names[op.target], index(at)), address(source, index(start))
            if start == 0 and count == row:
                return f"opc_non_temporal({target}, {block}, {index(count * size)});"
            helpers.setdefault("opc_non_temporal_part", NON_TEMPORAL_PART)
            sizes = ", ".join(str(index(e * size)) for e in (start, count, row))
            return f"opc_non_temporal_part({target}, {block}, {sizes});"
