"""Counter-based random numbers: each is a function of a key, a stream and its own number.

The generator is Philox4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as
easy as 1, 2, 3; 2011).  It maps a counter of four words of 32 bits, under a key of two, to four
words.  In each of ten rounds the first and the third word are multiplied by a constant each, to 64
bits.  The lower halves become the fourth and the second word as they are; the upper ones become
the third and the first, after an exclusive or with the word that stood there before, the fourth or
the second, and with a word of the key.  After each round constants are added to the key, modulo
2^32::

    p, q = 0xD2511F53 * c0, 0xCD9E8D57 * c2
    c0, c1, c2, c3 = hi(q) ^ c1 ^ k0, lo(q), hi(p) ^ c3 ^ k1, lo(p)
    k0, k1 = k0 + 0x9E3779B9, k1 + 0xBB67AE85

The key is the seed, its lower word first.  The counter of an element is its number in row-major
order, the lower word first, and the number of the stream; each node has its own stream.  All
of this is arithmetic on integers, so the bits are the same everywhere, in any order of computing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape

from .order import ordered
from .traced import NodeTrace

Words: TypeAlias = "tuple[Any, Any, Any, Any]"
"""Arrays of ui32."""

WORD, LONG = el.BY_NAME["ui32"], el.BY_NAME["ui64"]
ROUNDS = 10
FACTORS = (0xD2511F53, 0xCD9E8D57)
STEPS = (0x9E3779B9, 0xBB67AE85)


def halves(wide: Any) -> tuple[Any, Any]:
    """The upper and the lower word of 64 bits."""
    return (wide >> 32).astype(WORD), wide.astype(WORD)


def philox(counter: Words, key: tuple[Any, Any]) -> Words:
    """Four words of each counter."""
    c0, c1, c2, c3 = counter
    for number in range(ROUNDS):
        k0, k1 = (
            k + number * step % (1 << 32) if number else k
            for k, step in zip(key, STEPS, strict=True)
        )
        (p_high, p_low), (q_high, q_low) = (
            halves(c.astype(LONG) * factor) for c, factor in zip((c0, c2), FACTORS, strict=True)
        )
        c0, c1, c2, c3 = q_high ^ c1 ^ k0, q_low, p_high ^ c3 ^ k1, p_low
    return c0, c1, c2, c3


@dataclass(frozen=True)
class Stream:
    """The random numbers of one node: a seed (ui64 of rank 0) and the number of its stream."""

    seed: SSAValue
    number: int

    def words(self, trace: NodeTrace, shape: Shape) -> Words:
        """Four words for each element of a shape."""
        upper, lower = halves(trace.positions(ex.product(shape)).astype(LONG))
        key_high, key_low = halves(trace.array(self.seed))
        stream, zero = trace.constant(self.number, WORD), trace.constant(0, WORD)
        words = philox((lower, upper, stream, zero), (key_low, key_high))
        c0, c1, c2, c3 = (word.reshape(shape) for word in words)
        return c0, c1, c2, c3

    def uniform(self, trace: NodeTrace, shape: Shape, type: el.ElementType) -> Any:
        """Uniform numbers in [0, 1): multiples of 2^-24 in f32, of 2^-53 in f64."""
        words = self.words(trace, shape)
        return _fraction(words[0], words[1], type)

    def normal(self, trace: NodeTrace, shape: Shape, type: el.ElementType) -> Any:
        """Standard normal numbers, by the transform of Box and Muller.

        ``sqrt(-2 log u) cos(2 pi v)``, where u is above 0.  In f32, u is the first word and a half
        of 2^32, and v has 24 bits of the second one.
        """
        first, second, third, fourth = self.words(trace, shape)
        if type is el.F64:
            u1 = _fraction(first, second, type) + 2.0**-53
            v = _fraction(third, fourth, type)
        else:
            u1 = first.astype(type) * 2.0**-32 + 2.0**-33
            v = _fraction(second, third, type)
        return onp.sqrt(onp.log(u1) * -2.0) * onp.cos(v * (2 * math.pi))


def _fraction(upper: Any, lower: Any, type: el.ElementType) -> Any:
    """The leading bits of two words as a number in [0, 1)."""
    if type is el.F32:
        return (upper >> 8).astype(type) * 2.0**-24
    return ((upper >> 5).astype(type) * 2.0**26 + (lower >> 6).astype(type)) * 2.0**-53


def drawn_classes(shares: Any, count: ex.Expr, stream: Stream) -> Any:
    """Classes [B, count], i64, drawn with replacement, with probabilities like shares [B, C].

    A random number falls into a class by the prefix sums of shares.
    """
    ends = onp.cumsum(shares, 1)
    rows, classes = ends.extents
    uniform = stream.uniform(shares.trace, (rows, count), ends.element)
    # A class with share 0 has an empty interval; one of the classes is always chosen.
    beyond = (ends[:, -1:] * uniform)[:, :, None] >= ends[:, None, :]
    return onp.minimum(onp.sum(beyond.astype(el.I64), axis=2), classes - 1)


def first_classes(logs: Any, count: ex.Expr, stream: Stream) -> Any:
    """Classes [B, count], i64, drawn without replacement, by logarithms of shares [B, C].

    Each class has an exponentially distributed arrival time with the rate of its share; logarithms
    of times are compared.  The first to arrive is drawn with the probability of its share, the next
    one with its probability among the remaining ones.  Classes with share 0 are last.
    """
    number = stream.uniform(logs.trace, logs.extents, el.F64)
    # Above 0, since its logarithm is taken.
    time = onp.maximum(-onp.log(number + 2.0**-53), 2.0**-54)
    return ordered(logs - onp.log(time), 1, count)[1]
