"""Memory effects of operations, which say what passes may remove, merge or move.

Tensors are values: an operation that computes them has no effect.  After plan-buffers, the same
operations read and fill buffers.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.ir import Operation
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    MemoryReadEffect,
    MemoryWriteEffect,
    RecursiveMemoryEffect,
)

NOTHING: frozenset[EffectInstance] = frozenset()
READ = frozenset({EffectInstance(MemoryEffectKind.READ)})
BOTH = READ | {EffectInstance(MemoryEffectKind.WRITE)}

READ_AND_WRITE = (MemoryReadEffect(), MemoryWriteEffect())
"""The traits of operations that read buffers and write to them."""

KEPT = MemoryWriteEffect()
"""The trait of operations without results that must stay: checks, symbols, prefetches."""


class OnBuffers(MemoryEffect):
    """Reads the buffers among its operands, and fills those in ``into``."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """Nothing for tensors."""
        if not any(isinstance(v.type, MemRefType) for v in op.operands):
            return NOTHING
        return BOTH if hasattr(op, "into") else READ


class OfSweep(RecursiveMemoryEffect):
    """The effects of a sweep's body, and a read of the dimensions around.

    Those are not operands, so equal sweeps in different blocks may differ.  The read keeps passes
    from merging them: only operations without effects are merged across blocks.
    """

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        """The effects of the body, and a read."""
        effects = super().get_effects(op)
        return None if effects is None else effects | READ


class Allocates(MemoryEffect):
    """Allocates memory; removed if nothing uses it."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """The allocation of its result."""
        return frozenset({EffectInstance(MemoryEffectKind.ALLOC, op.results[0])})


RANDOM = frozenset(
    {
        *("RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"),
        *("Bernoulli", "Dropout", "Multinomial"),
    }
)
"""Operators of models that draw random numbers, the same ones each time if there is a ``seed``."""


class OfModel(RecursiveMemoryEffect):
    """The effects of an operator's regions; random numbers change a generator."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        """A read and a write of the generator if random numbers differ each time."""
        operator = op.properties.get("operator")
        drawn = isinstance(operator, StringAttr) and operator.data in RANDOM
        return BOTH if drawn and "seed" not in op.attributes else super().get_effects(op)
