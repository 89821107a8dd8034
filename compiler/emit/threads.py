"""Loops that threads share: which ones do enough for it, and the functions they become.

In the function that OpenMP makes of a loop, compilers no longer know that arrays are distinct and
cannot mix rounds.  So a shared loop is a function of its own, with restrict parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xdsl.ir import Block

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import shape_of

THREAD_WORK = 1 << 20
"""Work, in simple operations, below which threads would cost more than they bring: some 20 us."""
GRAIN = 64
"""Elements; a multiple of what any vector holds, and of what a cache line does."""


def work_of(op: loop.ForOp) -> tuple[ex.Expr, ex.Expr, int]:
    """Two factors of what a loop costs, and how much that must be for threads to pay.

    The factors are how far the loop goes, and a round; what they must be is for its step.
    """
    lower, upper, step = op.bounds
    return upper - lower, _round(op.body.block), THREAD_WORK * step


def may_pay(op: loop.ForOp) -> bool:
    """Whether a loop may do enough for threads to share it, for all that is known."""
    span, cost, least = work_of(op)
    most = ex.upper_bound(span * cost, {})
    return most is None or most.constant is None or most.constant >= least


def grain(op: loop.ForOp) -> int:
    """What threads divide a loop by: where a round is one element, they begin at full vectors."""
    step = op.bounds[2]
    return max(step, GRAIN) if op.kind.data == "vector" else step


def _round(block: Block) -> ex.Expr:
    """About what one round of a loop costs, a simple operation or access being 1."""
    total = ex.const(0)
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            span, step = _span(op), op.bounds[2]
            inside = ex.const(-(-span.constant // step)) if span.constant is not None else span
            inside = inside * _round(op.body.block)
            if span.constant is None:
                inside = ex.Expr({factors: -(-c // step) for factors, c in inside.terms})
            total = total + inside
        elif isinstance(op, body.ApplyOp):
            total += SCALARS[op.function.data].cost
        elif isinstance(op, loop.LoadOp | loop.StoreOp):
            total += 1
        elif isinstance(op, loop.AccumulateOp):
            total += 2 * (shape_of(op.lanes.type)[0].constant or 1)
    return total if total.constant is None else ex.const(min(total.constant, THREAD_WORK))


def _span(op: loop.ForOp) -> ex.Expr:
    """About how far a loop goes, without loop variables; 256 if nothing is known of it."""
    lower, upper, _ = op.bounds
    bounds = [ex.upper_bound(upper - start, {}) for start in ex.least_of(lower)]
    known = [b.constant for b in bounds if b is not None and b.constant is not None]
    if len(known) == len(bounds):
        return ex.const(max(known))
    found = [_around(end - start) for end in _choices(upper) for start in ex.least_of(lower)]
    return next((e for e in found if e is not None), ex.const(256))


def _choices(e: ex.Expr) -> list[ex.Expr]:
    """What e may be: it is the least of some expressions, or that and something else."""
    for factors, c in e.terms:
        if c == 1 and len(factors) == 1 and factors[0].kind == "min":
            rest = e - ex.Expr({factors: 1})
            return [x for arg in factors[0].args for x in _choices(rest + arg)]
    return [e]


def _around(e: ex.Expr) -> ex.Expr | None:
    """What e has without what is subtracted, if that depends on no loop variable."""
    total = ex.const(0)
    for factors, c in e.terms:
        if c < 0:
            continue
        term = ex.const(c)
        for atom in factors:
            factor: ex.Expr | None = ex.Expr({(atom,): 1})
            if factor.dims():
                choices = map(_around, atom.args if atom.kind == "min" else ())
                factor = next((x for x in choices if x is not None), None)
            if factor is None:
                return None
            term = term * factor
        total = total + term
    return total


SHARE = """\
#ifdef _OPENMP
#include <omp.h>
#endif

/* The rounds of a loop that are up to one thread; all but the last get multiples of `step`. */
typedef struct {
  int64_t begin, end, thread;
} opc_share;

static inline opc_share opc_share_of(int64_t begin, int64_t end, int64_t step) {
#ifdef _OPENMP
  const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
#else
  const int64_t thread = 0, threads = 1;
#endif
  const int64_t steps = (end - begin + step - 1) / step;
  opc_share share = {begin + steps * thread / threads * step, end, thread};
  if (thread + 1 < threads) {
    share.end = begin + steps * (thread + 1) / threads * step;
  }
  return share;
}
"""
"""What one thread does of a loop."""
OWN_FRAME = "OPC_OWN_FRAME"
OWN_FRAME_TEXT = f"""\
/* The arrays of such a function are on the stack only while it runs. */
#ifdef __GNUC__
#define {OWN_FRAME} __attribute__((noinline))
#else
#define {OWN_FRAME}
#endif
"""
THREADS = """\
#ifdef _OPENMP
/* How many threads share a loop, of which no more than `most` have a part of the workspace. */
static inline int opc_threads(int most) {
  const int threads = omp_get_max_threads();
  return threads < most ? threads : most;
}
#endif
"""


def parameters(lines: Sequence[str], scope: Mapping[str, str]) -> dict[str, str]:
    """The names that a text mentions, with their declarations, in order of the scope."""
    words = set(re.findall(r"\w+", " ".join(lines)))
    return {name: declaration for name, declaration in scope.items() if name in words}


def part(
    name: str, comment: str, declarations: Sequence[str], lines: Sequence[str], apart: bool
) -> str:
    """The function for the rounds of one thread; ``apart``: with a frame of its own."""
    listed = ",\n    ".join(["int64_t begin", "int64_t end", *declarations])
    body, mark = "\n".join(lines), f"{OWN_FRAME} " if apart else ""
    return f"{comment}\n{mark}static void {name}(\n    {listed}) {{\n{body}\n}}\n".lstrip()


def call(name: str, bounds: Sequence[str], names: Sequence[str]) -> str:
    """The call of such a function."""
    return f"{name}({', '.join([*bounds, *names])});"


def share(
    bounds: Sequence[str], shared: str, alone: str, enough: str, scratch: str, threads: int
) -> list[str]:
    """The statements with which threads share it, or one does it all unless there is ``enough``.

    Where they have parts of the workspace, ``scratch`` is where, and at most ``threads`` share.
    """
    limit = f" num_threads(opc_threads({threads}))" if scratch else ""
    lines = [
        "#ifdef _OPENMP",
        f"#pragma omp parallel{limit}",
        "#endif",
        "{",
        f"  const opc_share share = opc_share_of({', '.join(bounds)});",
        *([f"  char *const scratch = {scratch};"] if scratch else []),
        f"  {shared}",
        "}",
    ]
    if not enough:
        return lines
    # A region of OpenMP takes its time, even where a condition of its own leaves it to one thread.
    inside = [text if text[0] == "#" else "  " + text for text in lines]
    return [f"if ({enough}) {{", *inside, "} else {", f"  {alone}", "}"]
