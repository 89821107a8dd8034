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
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.parts import TO_THE_END
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from .indexed import Numbers
from .op_builder import Builder
from .order import ordered
from .parts import sliced
from .prefix import prefixes

Words: TypeAlias = "tuple[SSAValue, SSAValue, SSAValue, SSAValue]"

WORD, LONG = el.BY_NAME["ui32"], el.BY_NAME["ui64"]
ROUNDS = 10
FACTORS = (0xD2511F53, 0xCD9E8D57)
STEPS = (0x9E3779B9, 0xBB67AE85)


def halves(builder: Builder, wide: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The upper and the lower word of 64 bits."""
    upper = builder.add(b.ShiftRightOp(wide, builder.constant(32, LONG)))
    return builder.cast(upper, WORD), builder.cast(wide, WORD)


def philox(builder: Builder, counter: Words, key: tuple[SSAValue, SSAValue]) -> Words:
    """Four words of each counter, all ui32."""

    def mixed(*values: SSAValue) -> SSAValue:
        first, *rest = values
        for value in rest:
            first = builder.add(b.BitwiseXorOp(first, value))
        return first

    def product(x: SSAValue, factor: int) -> tuple[SSAValue, SSAValue]:
        wide = builder.binary("mul", builder.cast(x, LONG), builder.constant(factor, LONG))
        return halves(builder, wide)

    c0, c1, c2, c3 = counter
    for number in range(ROUNDS):
        k0, k1 = (
            builder.binary("add", k, builder.constant(number * step % (1 << 32), WORD))
            if number
            else k
            for k, step in zip(key, STEPS, strict=True)
        )
        (p_high, p_low), (q_high, q_low) = product(c0, FACTORS[0]), product(c2, FACTORS[1])
        c0, c1, c2, c3 = mixed(q_high, c1, k0), q_low, mixed(p_high, c3, k1), p_low
    return c0, c1, c2, c3


@dataclass(frozen=True)
class Stream:
    """The random numbers of one node: a seed (ui64 of rank 0) and the number of its stream."""

    seed: SSAValue
    number: int

    def words(self, builder: Builder, shape: Shape) -> Words:
        """Four words for each element of a shape."""
        total = ex.product(shape)
        upper, lower = halves(builder, builder.cast(builder.add(IotaOp.of(total)), LONG))
        key_high, key_low = halves(builder, self.seed)
        stream, zero = builder.constant(self.number, WORD), builder.constant(0, WORD)
        words = philox(builder, (lower, upper, stream, zero), (key_low, key_high))
        c0, c1, c2, c3 = (builder.reshape(word, shape) for word in words)
        return c0, c1, c2, c3

    def uniform(self, builder: Builder, shape: Shape, type: el.ElementType) -> SSAValue:
        """Uniform numbers in [0, 1): multiples of 2^-24 in f32, of 2^-53 in f64."""
        words = self.words(builder, shape)
        return _fraction(builder, words[0], words[1], type)

    def normal(self, builder: Builder, shape: Shape, type: el.ElementType) -> SSAValue:
        """Standard normal numbers, by the transform of Box and Muller.

        ``sqrt(-2 log u) cos(2 pi v)``, where u is above 0.  In f32, u is the first word and a half
        of 2^32, and v has 24 bits of the second one.
        """
        first, second, third, fourth = self.words(builder, shape)
        if type is el.F64:
            u1 = _fraction(builder, first, second, type)
            u1 = builder.scaled("add", u1, 2.0**-53)
            v = _fraction(builder, third, fourth, type)
        else:
            u1 = builder.scaled("mul", builder.cast(first, type), 2.0**-32)
            u1 = builder.scaled("add", u1, 2.0**-33)
            v = _fraction(builder, second, third, type)
        radius = builder.add(u.SqrtOp(builder.scaled("mul", builder.add(u.LogOp(u1)), -2.0)))
        return builder.binary(
            "mul", radius, builder.add(u.CosOp(builder.scaled("mul", v, 2 * math.pi)))
        )


def _fraction(builder: Builder, upper: SSAValue, lower: SSAValue, type: el.ElementType) -> SSAValue:
    """The leading bits of two words as a number in [0, 1)."""
    if type is el.F32:
        bits = builder.add(b.ShiftRightOp(upper, builder.constant(8, WORD)))
        return builder.scaled("mul", builder.cast(bits, type), 2.0**-24)
    high = builder.add(b.ShiftRightOp(upper, builder.constant(5, WORD)))
    low = builder.add(b.ShiftRightOp(lower, builder.constant(6, WORD)))
    number = builder.binary(
        "add",
        builder.scaled("mul", builder.cast(high, type), 2.0**26),
        builder.cast(low, type),
    )
    return builder.scaled("mul", number, 2.0**-53)


def drawn_classes(builder: Builder, shares: SSAValue, count: ex.Expr, stream: Stream) -> SSAValue:
    """Classes [B, count], i64, drawn with replacement, with probabilities like shares [B, C].

    A random number falls into a class by the prefix sums of shares.
    """
    n, type = Numbers(builder), element(tensor_of(shares))
    rows, classes = shape_of(tensor_of(shares))
    ends = prefixes(builder, shares, "add", 1)
    totals = sliced(builder, ends, [1], [(-1, TO_THE_END, 1)])
    number = builder.binary("mul", totals, stream.uniform(builder, (rows, count), type))
    # A class with share 0 has an empty interval; one of the classes is always chosen.
    line = builder.reshape(ends, (rows, 1, classes))
    beyond = builder.add(b.GreaterEqualOp(builder.reshape(number, (rows, count, 1)), line))
    chosen = builder.add(ReduceSumOp(builder.cast(beyond, el.I64), axes=(2,)))
    return n.least(chosen, classes - 1)


def first_classes(
    builder: Builder, at: Operation, logs: SSAValue, count: ex.Expr, stream: Stream
) -> SSAValue:
    """Classes [B, count], i64, drawn without replacement, by logarithms of shares [B, C].

    Each class has an exponentially distributed arrival time with the rate of its share; logarithms
    of times are compared.  The first to arrive is drawn with the probability of its share, the next
    one with its probability among the remaining ones.  Classes with share 0 are last.
    """
    number = stream.uniform(builder, shape_of(tensor_of(logs)), el.F64)
    # Above 0, since its logarithm is taken.
    number = builder.scaled("add", number, 2.0**-53)
    time = builder.add(u.NegOp(builder.add(u.LogOp(number))))
    time = builder.add(b.MaxOp(time, builder.constant(2.0**-54, el.F64)))
    place = builder.binary("sub", logs, builder.add(u.LogOp(time)))
    return ordered(builder, at, place, 1, count, largest=True)[1]
