"""gcc 12 loads a vector again for each of up to four sums; here it is kept in a register.

**Fault.**  Where a vector in memory is a factor of up to four fused multiply-adds, gcc 12, tuned
for AMD's Zen, may make it an operand in memory of each.  A vector of a window is on two lines and
takes two loads each time: 32 channels of 3 by 3 in tiles of 2 by 160 take 1.6 times as long.

**Reproducer.**  ``tests/unit/emit/workarounds/test_kept_vectors.py``.

**Instead.**  The vector goes through an empty ``__asm__``, whose result is in a register.  Equal
ones are one for gcc.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from opc.dialects import loop
from opc.dialects.budgets import MOST_READS

KEPT = """\\
  __asm__("" : "+v"(v));
"""


def is_read_again(op: loop.ForOp, load: Operation | Block) -> bool:
    """Whether unrolled loops around the loop over vectors read a vector for up to four sums."""
    assert isinstance(load, loop.LoadOp)
    around, reads = op.parent_op(), 1
    while isinstance(around, loop.ForOp) and around.kind.data == "unroll":
        count = 1 if around.variable in load.dims else around.bounds[1].constant
        reads *= count or 1
        around = around.parent_op()
    return 1 < reads <= MOST_READS
