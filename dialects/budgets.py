"""What a graph of little text may make a compiler compute: limits, checked before it is computed.

A local function that calls another one twice, a shape multiplied by itself: a few lines can ask for
more than a machine has.  Each limit is far above what models need, and low enough that what stays
below it takes seconds.  ``opc compile --budget terms=5000`` and ``opc.compile(...,
budgets={"terms": 5000})`` raise them.

The numbers below them bound effort that only a faster function needs: beyond them, what is computed
is the same, and nothing fails.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Budgets:
    """The limits.  This is the one place that has their usual values."""

    nodes: int = 8192
    """Nodes that calls of local functions stand for.  Each takes about a millisecond to compile."""
    parts: int = 1024
    """Parts of a sequence that one node makes.  Each takes some milliseconds to compile."""
    elements: int = 4096
    """Elements of a value that is computed while compiling.  Such values are shapes, axes and
    indices: of rank 16 at most, or tables of some hundred positions."""
    terms: int = 256
    """Terms of an extent; inside functions, 64 times as many.  An extent that a model computes has
    a few; passes divide extents by each other, which takes time by the square of the terms."""
    table: int = 1 << 24
    """Elements of a table that a model implies: roots of a transform, weights of a resizing.  They
    are constants of the C, 128 MiB of them."""
    degree: int = 64
    """Factors of a term of an extent, and functions inside each other.  All extents of a tensor of
    rank 16 multiplied are 16 factors."""


FOLDED = 1 << 16
"""Elements of a constant that folding makes at most."""
GROWTH = 4
"""Times as many elements as it is made of, at most."""
PRODUCTS = 1 << 30
"""Multiply-adds of one chain of constants, at most: some seconds in NumPy."""
FOLLOWED = 100
"""Operations that follow one another, up to which the signs of values are followed."""
INLINED = 48
"""Longest chain of inlined kernels; beyond it one becomes a member, which costs nothing."""
SWEEPS = 16
"""Most sweeps of one nest; what comes after starts another."""
FUSED_NESTS = 8
"""Nests that go tile by tile together, at most."""
SAMPLES = 512
"""Tiles along an axis of which is counted how much padding they leave out, at most."""
ORDERS = 16
"""Orders in which buffers of known size get their places, at most.

Of 17 networks, the first order takes 1.09 times the largest sum of live buffers at most, but 1.25
times for a U-Net, whose longest-lived tensors are not its largest; the third one takes that sum.
"""
AT_ONCE = 1 << 18
"""Elements of constant panels that are computed together: some megabytes of places in the
operand."""

UNITS = {
    "nodes": "nodes",
    "parts": "parts",
    "elements": "elements",
    "terms": "terms",
    "table": "elements",
    "degree": "factors",
}
"""What each limit counts."""


class BudgetExceeded(Exception):
    """Something would be larger than a limit.  It has no place: who catches it knows that."""


USUAL = Budgets()
_CURRENT: ContextVar[Budgets] = ContextVar("budgets", default=USUAL)


def limit(name: str) -> int:
    """The limit of that name."""
    return getattr(_CURRENT.get(), name)


def check(what: str, name: str, amount: int, scale: int = 1) -> None:
    """BudgetExceeded if an amount is above a limit, ``scale`` times which there may be."""
    most = limit(name)
    if amount <= most * scale:
        return
    # A number of thousands of digits is of no use, and slow to write.
    found = str(amount) if amount < 1 << 63 else "more than 2^63"
    times = "" if scale == 1 else f"{scale} * "
    raise BudgetExceeded(
        f"{what}: found {found} {UNITS[name]}, expected at most {times}{most} "
        f'(--budget {name}=N or budgets={{"{name}": N}} allows more)'
    )


@contextmanager
def applied(budgets: Budgets) -> Generator[None]:
    """Other limits than the usual ones, for what the ``with`` statement runs in this thread."""
    token = _CURRENT.set(budgets)
    try:
        yield
    finally:
        _CURRENT.reset(token)
