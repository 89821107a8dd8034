"""Loops that threads share: which ones do enough for it, and the functions they become.

Such a loop is a function of some of its rounds, with restrict parameters.  Threads take chunks of
them (``pool.c``), by way of a function that finds these parameters in a struct.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from xdsl.ir import Block

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.scalar import SCALARS
from opc.support.target import CREDIT, FORK, GUESSED, JOIN, PATIENCE, PIECES, SPINS, STAGED, THREADS

GRAIN = STAGED
"""Elements; a multiple of what any vector holds, and of what a cache line does."""


def work_of(op: loop.ForOp) -> ex.Expr:
    """About what a loop costs, a simple operation or access being 1."""
    lower, upper, step = op.bounds
    return ex.floordiv((upper - lower) * _round(op.body.block), step)


def may_pay(op: loop.ForOp) -> bool:
    """Whether a loop may do enough for threads to share it, for all that is known."""
    most = ex.upper_bound(work_of(op), {})
    return most is None or most.constant is None or most.constant >= JOIN


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
        elif isinstance(op, loop.IfOp):
            total = ex.total_of([total, *map(_round, op.blocks)])
        elif isinstance(op, body.ApplyOp):
            total += SCALARS[op.function.data].cost
        elif isinstance(op, loop.LoadOp | loop.StoreOp | loop.GatherOp | loop.ScatterOp):
            total += 1
        elif isinstance(op, loop.TransposeOp):
            total += ex.product(map(_about, op.index.data[-2:])) * 2
    return total if total.constant is None else ex.const(min(total.constant, FORK))


def _span(op: loop.ForOp) -> ex.Expr:
    """About how far a loop goes, without loop variables; a guess if nothing is known of it."""
    lower, upper, _ = op.bounds
    bounds = [ex.upper_bound(upper - start, {}) for start in ex.least_of(lower)]
    known = [b.constant for b in bounds if b is not None and b.constant is not None]
    if len(known) == len(bounds):
        return ex.const(max(known))
    found = [_around(end - start) for end in _choices(upper) for start in ex.least_of(lower)]
    return next((e for e in found if e is not None), ex.const(GUESSED))


def _about(e: ex.Expr) -> ex.Expr:
    """About how many values there are, without loop variables; a guess if nothing is known."""
    found = map(_around, _choices(e))
    return next((x for x in found if x is not None), ex.const(GUESSED))


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


OWN_FRAME = "OPC_OWN_FRAME"
OWN_FRAME_TEXT = f"""\
/* The arrays of such a function are on the stack only while it runs, and what is restrict is so for
   one call: of one that is inlined into a loop, gcc 12 takes what a round writes for something else
   than what the next one reads. */
#ifdef __GNUC__
#define {OWN_FRAME} __attribute__((noinline))
#else
#define {OWN_FRAME}
#endif
"""
AS_IT_STANDS = "OPC_AS_IT_STANDS"
AS_IT_STANDS_TEXT = f"""\
/* gcc 12 reads wrong elements, or writes none, where it makes vectors of code with many divisions
   in an index. */
#if defined(__GNUC__) && !defined(__clang__)
#define {AS_IT_STANDS} __attribute__((noinline, optimize("no-tree-vectorize")))
#else
#define {AS_IT_STANDS}
#endif
"""
LIMIT = """\
/* The most threads that calls from this thread share loops with; returns what it was.  0 is as many
   as there are processors. */
int {name}(int most) {{
#ifdef OPC_HAS_THREADS
  const int before = (int)opc_limit;
  opc_limit = most > 0 ? most : 0;
  return before;
#else
  (void)most;
  return 1;
#endif
}}
"""
"""The function of a file with shared loops by which callers limit its threads."""


GNU = """\
#if defined(_REENTRANT) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* which processors threads run on */
#endif
"""
"""What stands in front of all headers where threads share loops."""


@cache
def pool() -> str:
    """The C text of the threads that share loops: ``pool.c`` with the numbers of the target."""
    text = files(__package__ or "").joinpath("pool.c").read_text(encoding="utf-8")
    numbers = {
        **{"THREADS": THREADS, "PIECES": PIECES, "FORK": FORK, "JOIN": JOIN},
        **{"SPINS": SPINS, "PATIENCE": PATIENCE, "CREDIT": CREDIT},
    }
    return re.sub("@([A-Z]+)@", lambda found: str(numbers[found[1]]), text)


def parameters(lines: Sequence[str], scope: Mapping[str, str]) -> dict[str, str]:
    """The names that a text mentions, with their declarations, in order of the scope."""
    words = set(re.findall(r"\w+", " ".join(lines)))
    return {name: declaration for name, declaration in scope.items() if name in words}


def part(
    name: str, comment: str, declarations: Sequence[str], lines: Sequence[str], marks: Sequence[str]
) -> str:
    """The function for the rounds of one thread; ``marks`` are macros that stand before it."""
    listed = ",\n    ".join(["int64_t begin", "int64_t end", *declarations])
    body, mark = "\n".join(lines), "".join(f"{m} " for m in marks)
    return f"{comment}\n{mark}static void {name}(\n    {listed}) {{\n{body}\n}}\n".lstrip()


def call(name: str, bounds: Sequence[str], names: Sequence[str]) -> str:
    """The call of such a function."""
    return f"{name}({', '.join([*bounds, *names])});"


@dataclass(frozen=True)
class Given:
    """What a shared loop needs: a field for it, its value at the call, and the argument."""

    declaration: str
    value: str
    argument: str

    @staticmethod
    def of(name: str, declaration: str, value: str = "") -> Given:
        """A field of the name that the value has at the call, unless another one is given."""
        return Given(declaration.replace("OPC_RESTRICT ", ""), value or name, f"data->{name}")


def iterations(name: str, given: Sequence[Given], arguments: Sequence[str], thread: str) -> str:
    """The function that a thread calls for some rounds, and its data; ``thread`` is a statement."""
    fields = "".join(f"  {g.declaration};\n" for g in given) or "  char nothing;\n"
    lines = [f"const {name}_data *const data = (const {name}_data *)given;"] if given else []
    lines += [thread or "(void)thread;", *([] if given else ["(void)given;"])]
    lines.append(call(name, ["begin", "end"], arguments))
    body = "\n".join(f"  {text}" for text in lines)
    return (
        f"typedef struct {{\n{fields}}} {name}_data;\n\nstatic void {name}_iterations(\n"
        "    const void *given, int64_t begin, int64_t end, int64_t thread) {\n"
        f"{body}\n}}\n"
    )


def share(
    name: str, given: Sequence[Given], bounds: Sequence[str], most: str, work: str
) -> list[str]:
    """The statements with which threads share a loop.

    ``bounds`` are begin, end and what threads divide by; no more than ``most`` share it, and
    ``work`` is what it costs.
    """
    values = ", ".join(g.value for g in given) or "0"
    arguments = ", ".join([f"{name}_iterations", "&data", *bounds, most, work])
    return ["{", f"  const {name}_data data = {{{values}}};", f"  opc_share({arguments});", "}"]


def whole(
    name: str,
    given: Sequence[Given],
    bounds: Sequence[str],
    most: str,
    work: str,
) -> tuple[str, str]:
    """The function that shares a loop which is called from several places, and its call."""
    own = [Given(g.declaration, g.argument.removeprefix("data->"), g.argument) for g in given]
    lines = [line.removeprefix("  ") for line in share(name, own, bounds, most, work)[1:-1]]
    has = {g.value for g in own}
    words = dict.fromkeys(re.findall(r"\b[nme][0-9]+\b", " ".join(lines)))
    sizes = [word for word in words if word not in has]
    listed = [*(f"int64_t {word}" for word in sizes), *(g.declaration for g in own)]
    declared = ",\n    ".join(listed)
    body = "\n".join(f"  {line}" for line in lines)
    values = [*sizes, *(g.value for g in given)]
    return (
        f"static void {name}_shared(\n    {declared or 'void'}) {{\n{body}\n}}\n",
        f"{name}_shared({', '.join(values)});",
    )
