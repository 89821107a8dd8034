"""Loops that threads share: which ones do enough work, and the functions they become.

Such a loop is a function of a range of iterations, with restrict parameters.  Threads take chunks
of these (``pool.c``) through a function that takes the parameters out of a struct.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from xdsl.ir import Block

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.scalar import SCALARS
from opc.support.target import CREDIT, FORK, GUESSED, JOIN, PATIENCE, PIECES, SPINS, STAGED, THREADS

from .texts import c_text

GRAIN = STAGED
"""Elements; a multiple of any vector and of a cache line."""


def work_of(op: loop.ForOp) -> ex.Expr:
    """About what a loop costs; a simple operation or access is 1."""
    lower, upper, step = op.bounds
    return ex.floordiv((upper - lower) * _iteration(op.body.block), step)


def may_pay(op: loop.ForOp) -> bool:
    """Whether a loop may do enough work for threads to share it; True if that is unknown."""
    most = ex.upper_bound(work_of(op), {})
    return most is None or most.constant is None or most.constant >= JOIN


def grain(op: loop.ForOp) -> int:
    """The iterations by which threads divide a loop: whole vectors if each is one element."""
    step = op.bounds[2]
    return max(step, GRAIN) if op.kind.data == "vector" else step


def _iteration(block: Block) -> ex.Expr:
    """About what one iteration costs; a simple operation or access is 1."""
    total = ex.const(0)
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            span, step = _span(op), op.bounds[2]
            inside = ex.const(-(-span.constant // step)) if span.constant is not None else span
            inside = inside * _iteration(op.body.block)
            if span.constant is None:
                inside = ex.Expr({factors: -(-c // step) for factors, c in inside.terms})
            total = total + inside
        elif isinstance(op, loop.IfOp):
            total = ex.total_of([total, *map(_iteration, op.blocks)])
        elif isinstance(op, body.ApplyOp):
            total += SCALARS[op.function.data].cost
        elif isinstance(op, loop.LoadOp | loop.StoreOp | loop.GatherOp | loop.ScatterOp):
            total += 1
        elif isinstance(op, loop.TransposeOp):
            total += ex.product(map(_about, op.index.data[-2:])) * 2
    return total if total.constant is None else ex.const(min(total.constant, FORK))


def _span(op: loop.ForOp) -> ex.Expr:
    """About the range of a loop, without loop variables; a guess if nothing is known."""
    lower, upper, _ = op.bounds
    bounds = [ex.upper_bound(upper - start, {}) for start in ex.least_of(lower)]
    known = [b.constant for b in bounds if b is not None and b.constant is not None]
    if len(known) == len(bounds):
        return ex.const(max(known))
    spans = [_around(end - start) for end in _choices(upper) for start in ex.least_of(lower)]
    return next((e for e in spans if e is not None), ex.const(GUESSED))


def _about(e: ex.Expr) -> ex.Expr:
    """About the value of e, without loop variables; a guess if nothing is known."""
    estimates = map(_around, _choices(e))
    return next((x for x in estimates if x is not None), ex.const(GUESSED))


def _choices(e: ex.Expr) -> list[ex.Expr]:
    """The expressions of which e is the minimum, if it is one, plus what is added to it."""
    for factors, c in e.terms:
        if c == 1 and len(factors) == 1 and factors[0].kind == "min":
            rest = e - ex.Expr({factors: 1})
            return [x for arg in factors[0].args for x in _choices(rest + arg)]
    return [e]


def _around(e: ex.Expr) -> ex.Expr | None:
    """The positive terms of e, if they depend on no loop variable."""
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
AS_IT_STANDS = "OPC_AS_IT_STANDS"
GNU = c_text("macros.gnu")
"""What stands before all headers if threads share loops."""


@cache
def pool() -> str:
    """The C text of the threads that share loops: ``pool.c`` with the numbers of the target."""
    return c_text(
        "pool.threads",
        **{"THREADS": THREADS, "PIECES": PIECES, "FORK": FORK, "JOIN": JOIN},
        **{"SPINS": SPINS, "PATIENCE": PATIENCE, "CREDIT": CREDIT},
    )


def parameters(lines: Sequence[str], scope: Mapping[str, str]) -> dict[str, str]:
    """The names in a text, with their declarations, in order of the scope."""
    words = set(re.findall(r"\w+", " ".join(lines)))
    return {name: declaration for name, declaration in scope.items() if name in words}


def part_text(
    name: str, declarations: Sequence[str], lines: Sequence[str], marks: Sequence[str]
) -> str:
    """The function of a range of iterations; ``marks`` are macros that stand before it."""
    declared = ",\n    ".join(["int64_t begin", "int64_t end", *declarations])
    body, mark = "\n".join(lines), "".join(f"{m} " for m in marks)
    return f"{mark}static void {name}(\n    {declared}) {{\n{body}\n}}\n"


def call(name: str, bounds: Sequence[str], names: Sequence[str]) -> str:
    """The call of such a function."""
    return f"{name}({', '.join([*bounds, *names])});"


@dataclass(frozen=True)
class Field:
    """A parameter of a shared loop: a field of the struct, its value, and the argument."""

    declaration: str
    value: str
    argument: str

    @staticmethod
    def of(name: str, declaration: str, value: str = "") -> Field:
        """A field; its value is the name itself unless another one is passed."""
        return Field(declaration.replace("OPC_RESTRICT ", ""), value or name, f"data->{name}")


def iterations(name: str, fields: Sequence[Field], arguments: Sequence[str], thread: str) -> str:
    """The function that a thread calls, and its data; ``thread`` is a statement."""
    members = "".join(f"  {f.declaration};\n" for f in fields) or "  char nothing;\n"
    lines = [f"const {name}_data *const data = (const {name}_data *)given;"] if fields else []
    lines += [thread or "(void)thread;", *([] if fields else ["(void)given;"])]
    lines.append(call(name, ["begin", "end"], arguments))
    body = "\n".join(f"  {text}" for text in lines)
    return (
        f"typedef struct {{\n{members}}} {name}_data;\n\nstatic void {name}_iterations(\n"
        "    const void *given, int64_t begin, int64_t end, int64_t thread) {\n"
        f"{body}\n}}\n"
    )


def share(
    name: str, fields: Sequence[Field], bounds: Sequence[str], most: str, work: str
) -> list[str]:
    """The statements that share a loop among at most ``most`` threads.

    ``bounds`` are begin, end and what threads divide by; ``work`` is what the loop costs.
    """
    values = ", ".join(f.value for f in fields) or "0"
    arguments = ", ".join([f"{name}_iterations", "&data", *bounds, most, work])
    return ["{", f"  const {name}_data data = {{{values}}};", f"  opc_share({arguments});", "}"]


def shared_function(
    name: str,
    fields: Sequence[Field],
    bounds: Sequence[str],
    most: str,
    work: str,
) -> tuple[str, str]:
    """The function that shares a loop that several callers have, and its call."""
    own = [Field(f.declaration, f.argument.removeprefix("data->"), f.argument) for f in fields]
    lines = [line.removeprefix("  ") for line in share(name, own, bounds, most, work)[1:-1]]
    known = {f.value for f in own}
    words = dict.fromkeys(re.findall(r"\b[nme][0-9]+\b", " ".join(lines)))
    sizes = [word for word in words if word not in known]
    declarations = [*(f"int64_t {word}" for word in sizes), *(f.declaration for f in own)]
    declared = ",\n    ".join(declarations)
    body = "\n".join(f"  {line}" for line in lines)
    values = [*sizes, *(f.value for f in fields)]
    return (
        f"static void {name}_shared(\n    {declared or 'void'}) {{\n{body}\n}}\n",
        f"{name}_shared({', '.join(values)});",
    )
