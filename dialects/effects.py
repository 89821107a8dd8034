"""What operations do to memory, so that passes see which of them may go, merge or move.

Tensors are values, and what only computes them has no effect.  After plan-buffers, operations of
the same names read and fill buffers.
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
"""The traits of what reads buffers and writes to them."""

KEPT = MemoryWriteEffect()
"""The trait of what has no result and must stay: checks, definitions of symbols, prefetches."""


class OnBuffers(MemoryEffect):
    """Reads the buffers among its operands, and fills those in ``into``, if it has some."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """Nothing for tensors."""
        if not any(isinstance(v.type, MemRefType) for v in op.operands):
            return NOTHING
        return BOTH if hasattr(op, "into") else READ


class OfSweep(RecursiveMemoryEffect):
    """What is in a sweep does, and it reads the dimensions around it.

    Those are not operands: sweeps that are equal as they are written mean the same only in one
    block, and only what has no effect at all is merged across blocks.
    """

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        """Those of the body, and a read."""
        effects = super().get_effects(op)
        return None if effects is None else effects | READ


class Allocates(MemoryEffect):
    """Each is memory of its own, which goes if nothing uses it."""

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
"""Operators of models that draw numbers; of ONNX with a ``seed`` they draw the same ones."""


class OfModel(RecursiveMemoryEffect):
    """What the graphs of an operator do; drawing numbers takes them from a generator."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        """A read and a write of the generator for numbers that are others each time."""
        operator = op.properties.get("operator")
        drawn = isinstance(operator, StringAttr) and operator.data in RANDOM
        return BOTH if drawn and "seed" not in op.attributes else super().get_effects(op)
