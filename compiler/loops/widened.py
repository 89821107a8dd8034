"""Rows of f16 and bf16 that are reduced in f32, as they lie in memory: all converted at once.

``t[0 .. 128] = widen x[start .. start + 128]``: by instructions for strips, where there are any.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.strip import NARROW

from .accumulators import Accumulator
from .places import Place
from .sweep import Sweep


def is_widened(s: Sweep) -> bool:
    """Whether all that is reduced is f16 or bf16 as it lies in memory, in f32."""
    return not s.has_stores and all(_load(s, a.taken) is not None for a in s.accumulators)


def widen(s: Sweep, here: Place, start: ex.Expr, rows: int) -> dict[Accumulator, SSAValue]:
    """Convert up to two rows of every lane; none where there is more to compute."""
    if not is_widened(s):
        return {}
    strips: dict[SSAValue, SSAValue] = {}
    for a in s.accumulators:
        load = _load(s, a.taken)
        if load is not None and a.taken not in strips:
            strips[a.taken] = here.add(loop.LocalOp.of(el.F32, 2 * s.cells))
            index, variables = s.strip_from(here, load, start, s.lanes * rows)
            source = s.values.buffer(load)
            here.block.add_op(loop.WidenOp.of(source, strips[a.taken], index, variables))
    return {a: strips[a.taken] for a in s.accumulators}


def _load(s: Sweep, value: SSAValue) -> kernel.LoadOp | None:
    """The load of f16 or bf16, contiguous along the run, of which a value is the f32."""
    cast = value.owner
    if not isinstance(cast, body.ApplyOp) or cast.function.data != "cast":
        return None
    load = cast.args[0].owner
    if not isinstance(load, kernel.LoadOp) or scalar_type(load.result) not in NARROW:
        return None
    is_plain = s.points.is_one and s.is_line and not s.kept
    return load if scalar_type(value) is el.F32 and is_plain and s.runs_along(load) else None
