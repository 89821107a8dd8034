"""gcc 12 reads wrong elements at indices of many divisions; such functions have few vectors.

**Fault.**  In vector code for straight statements, as of a short loop that it unrolls, gcc 12 reads
wrong elements where an index has six different divisions.  ``target.DIVISIONS`` has the loop.

**Reproducer.**  ``tests/unit/loops/workarounds/test_divided_indices.py``.

**Instead.**  The loop is a function with the mark ``as_it_stands``.
"""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.walking import walk
from opc.support.target import DIVISIONS


def divides(op: loop.ForOp) -> bool:
    """Whether an index in a loop has many divisions, those of extents alone aside."""
    accesses = (o for o in walk(op) if isinstance(o, loop.LoadOp | loop.StoreOp))
    # Loop variables are dimensions.
    counts = (
        len({atom for atom in e.divisions() if ex.Expr({(atom,): 1}).dims()})
        for o in accesses
        for e in o.index.data
    )
    return any(count >= DIVISIONS for count in counts)
