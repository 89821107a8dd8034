"""Views from which loops count that are equal but for where they begin to read.

::

    for i = 0 to n { y[i] = f(x[i * 8 + 3]) }
    for i = 0 to n { z[i] = f(x[i * 8 + 5]) }
      -->
    %a = view %x from 3
    for i = 0 to n { y[i] = f(a[i * 8]) }
    %b = view %x from 5
    for i = 0 to n { z[i] = f(b[i * 8]) }

So they have one function in C, as the steps of a recurrence that is written out, or the heads of
a network, which slice one tensor.  A start is the least constant in the offsets of a loop's loads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import buffer_of
from opc.dialects.loop_form import Form, moved
from opc.dialects.walking import walk


def _constant(e: ex.Expr) -> int:
    return sum(number for factors, number in e.terms if not factors)


def starts_of(op: loop.ForOp) -> dict[SSAValue, int]:
    """The starts of the buffers that a loop only loads from, where they are not 0."""
    inner = list(walk(op))
    used = {v for o in inner if not isinstance(o, loop.LoadOp) for v in o.operands}
    starts = dict[SSAValue, int]()
    for load in (o for o in inner if isinstance(o, loop.LoadOp) and o.source not in used):
        start = _constant(load.index.data[0])
        if start >= 0:
            starts[load.source] = min(start, starts.get(load.source, start))
    return {buffer: start for buffer, start in starts.items() if start}


def share_starts(
    loops: Collection[loop.ForOp],
    inputs: Collection[SSAValue],
    varying: dict[Operation, bool],
    least: int,
) -> dict[loop.ForOp, Form]:
    """Give views to the loops of which others differ in their starts alone.

    Loops of less than ``least`` operations stay.  Returns the forms of loops without starts.
    """
    forms = dict[loop.ForOp, Form]()
    groups = defaultdict[Hashable, list[tuple[loop.ForOp, dict[SSAValue, int]]]](list)
    for op in loops:
        starts = starts_of(op)
        form = Form(op, inputs, varying, starts)
        if not starts:
            forms[op] = form
        if form.size >= least:
            groups[form.key].append((op, starts))
    for group in groups.values():
        if len({tuple(starts.values()) for _, starts in group}) > 1:
            for op, starts in group:
                _view(op, starts)
    return forms


def _view(op: loop.ForOp, starts: dict[SSAValue, int]) -> None:
    """Load from views in a loop."""
    views = dict[SSAValue, SSAValue]()
    for buffer, start in starts.items():
        view = loop.ViewOp.of(buffer, buffer_of("loop.view", buffer), ex.const(start))
        Rewriter.insert_op(view, InsertPoint.before(op))
        views[buffer] = view.result
    for load in [o for o in walk(op) if isinstance(o, loop.LoadOp) and o.source in views]:
        load.properties["index"] = moved(load, starts[load.source])
        load.operands[0] = views[load.source]
