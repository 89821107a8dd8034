"""Limits of what a graph may make the compiler compute, checked before it computes.

A few lines can ask for more than a machine has: a local function that calls another one twice, a
shape multiplied by itself.  Each limit is far above what models need, and work below it takes
seconds.  ``opc compile --budget terms=5000`` and ``opc.compile(..., budgets={"terms": 5000})``
raise them.

The constants outside of ``Budgets`` bound the effort of optimizations: beyond them nothing fails,
and results are the same.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Budgets:
    """The limits with their default values."""

    nodes: int = 8192
    """Nodes after calls of local functions are inlined.  Each compiles in about a millisecond."""
    parts: int = 1024
    """Tensors of a sequence that one node makes.  Each compiles in some milliseconds."""
    elements: int = 4096
    """Elements of a value computed at compile time: shapes, axes and indices have 16 at most,
    tables of positions some hundred."""
    terms: int = 256
    """Terms of an extent; 64 times as many inside of functions.  Extents of models have a few.
    Passes divide extents by each other, which takes quadratic time."""
    table: int = 1 << 24
    """Elements of a table that a model implies: roots of a transform, weights of a resizing.  They
    are constants of the C, 128 MiB of them."""
    degree: int = 64
    """Factors of a term of an extent, and depth of nested functions.  The product of all extents
    of a tensor of rank 16 has 16 factors."""


FOLDED = 1 << 16
"""Elements of a constant that folding makes, at most."""
GROWTH = 4
"""Elements of a folded constant as a multiple of its operands' elements, at most."""
PRODUCTS = 1 << 30
"""Multiply-adds of one folded chain of contractions, at most: some seconds in NumPy."""
FOLLOWED = 100
"""Operations in a row through which the signs of values are followed, at most."""
INLINED = 48
"""Kernels in a row that are inlined, at most; the next one is fused without inlining."""
SWEEPS = 16
"""Sweeps of one nest, at most; further ones start another nest."""
FUSED_NESTS = 8
"""Nests of a tile fusion, at most."""
SAMPLES = 512
"""Tiles along an axis that are examined for the padding that they skip, at most."""
ORDERS = 16
"""Orders in which the placement of buffers of known size is tried, at most.

For 17 networks, the first order needs at most 1.09 times the largest sum of live buffers.  For a
U-Net, whose longest-lived tensors are not its largest, it needs 1.25 times, the third one the sum.
"""
CANDIDATES = 24
"""Schedules of a nest that are measured, at most."""
BLOCKS = (1, 4, 16, 64, 256, 1024)
"""Points of a block of a nest with sweeps, among these."""
ROWS = (4, 16, 64)
"""Rows of a block that each sweep takes before the next sweep, or of a pipeline."""
MOST_UNROLLED = 32
"""Values of a segment that one expression of a schedule adds up, at most."""
MOST_INTERLEAVED = 16
"""Points whose scans one loop interleaves, at most."""
ORDERS_EACH = 3
"""Orders of loops around the same tile and panels among these."""
TILES = 2
"""Register tiles with the same columns among which these are."""
AT_ONCE = 1 << 18
"""Elements of constant panels that are packed together: some megabytes of indices."""

UNITS = {
    "nodes": "nodes",
    "parts": "parts",
    "elements": "elements",
    "terms": "terms",
    "table": "elements",
    "degree": "factors",
}
"""The unit of each limit."""


class BudgetExceeded(Exception):
    """Something would exceed a limit.  Callers add the source location to the message."""


USUAL = Budgets()
_CURRENT: ContextVar[Budgets] = ContextVar("budgets", default=USUAL)


def limit(name: str) -> int:
    """The limit of that name."""
    return getattr(_CURRENT.get(), name)


def check(what: str, name: str, amount: int, scale: int = 1) -> None:
    """BudgetExceeded if an amount is above ``scale`` times a limit; ``what`` is what has it."""
    most = limit(name)
    if amount <= most * scale:
        return
    # Numbers of thousands of digits are useless and slow to print.
    shown = str(amount) if amount < 1 << 63 else "more than 2^63"
    times = "" if scale == 1 else f"{scale} * "
    raise BudgetExceeded(
        f"{what}: found {shown} {UNITS[name]}, expected at most {times}{most} "
        f'(--budget {name}=N or budgets={{"{name}": N}} allows more)'
    )


@contextmanager
def applied(budgets: Budgets) -> Generator[None]:
    """Use other limits in the ``with`` statement, in this thread."""
    token = _CURRENT.set(budgets)
    try:
        yield
    finally:
        _CURRENT.reset(token)


QUOTIENT = 512
"""More than a quotient that 8 bits hold with a zero point of another 8 bits."""
QUOTIENT_BITS = 7, 16
"""The fewest and the most bits behind the point of a quotient that integers compute."""
USUAL_EXPONENTS = 60
"""Scales below 2^60 and above its inverse: their products are neither subnormal nor infinite."""
MOST_READS = 4
"""Sums that read a vector, up to which gcc loads it again for each (``kept_vectors``)."""
