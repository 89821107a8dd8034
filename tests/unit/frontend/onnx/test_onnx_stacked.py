"""Sequences of which only a run knows how many values they have, against the reference of ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import opc
from opc.errors import ArgumentError, UnsupportedError

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
SCHEMAS = """g (float[N,3] x, float[3] w) => (float[M,3] y, float[K,1,3] z, int64 n) {
 s = SplitToSequence<axis=0>(x)
 t = SequenceMap<body=b (float[1,3] a, float[3] v) => (float[1,3] o) {
   q = Mul(a, v)
   o = Exp(q)
 }>(s, w)
 y = ConcatFromSequence<axis=0>(t)
 z = ConcatFromSequence<axis=0, new_axis=1>(t)
 n = SequenceLength(t)
}"""
COLUMNS = """g (float[3,N] x, int64 i) => (float[M,3] y, float[3] e) {
 s = SplitToSequence<axis=1, keepdims=0>(x)
 t, u = SequenceMap<body=b (float[3] a) => (float[3] o, float[3] p) {
   o = Exp(a)
   p = Softmax(a)
 }>(s)
 y = ConcatFromSequence<axis=0, new_axis=1>(u)
 e = SequenceAt(t, i)
}"""
TWO = """g (float[N,2] x, float[M,2] y) => (float[K,2] z) {
 s = SplitToSequence<axis=0, keepdims=0>(x)
 t = SplitToSequence<axis=0, keepdims=0>(y)
 u = SequenceMap<body=b (float[2] a, float[2] c) => (float[2] o) { o = Sub(a, c) }>(s, t)
 z = ConcatFromSequence<axis=0, new_axis=1>(u)
}"""
HELD = """g (float[2,3] x, int64 n) => (float[K,3] y) {
 s = SplitToSequence<axis=0, keepdims=0>(x)
 t = Constant<value_int=1>()
 c = Cast<to=9>(t)
 first = Constant<value_ints=[0]>()
 none = Slice(x, first, first)
 y = Loop(n, c, none) <body=b (int64 i, bool c0, float[A,3] m) => (bool c1, float[B,3] m1) {
   one = Constant<value_int=1>()
   a = SequenceAt(s, one)
   f = Cast<to=1>(i)
   p = Mul(a, f)
   at = Constant<value_ints=[0]>()
   q = Unsqueeze(p, at)
   m1 = Concat<axis=0>(m, q)
   c1 = Identity(c0)
 }>
}"""
"""A loop that takes a sequence from outside."""
REPEATED = """g (float[N,3] x, int64[N] d) => (float[K,3] y, float[L,3] e, int64 n) {
 shape = Shape(d)
 ones = ConstantOfShape<value=int64 {1}>(shape)
 ds = SplitToSequence<axis=0>(d, ones)
 xs = SplitToSequence<axis=0>(x, ones)
 t = Constant<value_int=1>()
 c = Cast<to=9>(t)
 none = SequenceEmpty<dtype=1>()
 count = Size(d)
 all = Loop(count, c, none) <body=b (int64 i, bool c0, seq(float[A,3]) m)
     => (bool c1, seq(float[B,3]) m1) {
   k = SequenceAt(ds, i)
   r = SequenceAt(xs, i)
   three = Constant<value_ints=[3]>()
   s = Concat<axis=0>(k, three)
   p = Expand(r, s)
   m1 = SequenceInsert(m, p)
   c1 = Identity(c0)
 }>
 y = ConcatFromSequence<axis=0>(all)
 last = Constant<value_int=-1>()
 e = SequenceAt(all, last)
 n = SequenceLength(all)
}"""
"""Each row as often as a number says, as torch exports repeat_interleave."""


def draw(*shape: int) -> Any:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


CASES: dict[str, tuple[str, list[list[Any]]]] = {
    "rows": (SCHEMAS, [[draw(n, 3), draw(3)] for n in (1, 4, 9)]),
    "columns": (COLUMNS, [[draw(3, n), np.int64(k)] for n, k in ((1, 0), (4, -1), (9, 3))]),
    "held": (HELD, [[draw(2, 3), np.int64(k)] for k in (1, 4)]),
    "repeated": (
        REPEATED,
        [
            [draw(len(d), 3), np.array(d, np.int64)]
            for d in ([1, 2, 3], [4], [0, 300, 2], [0, 1, 1])
        ],
    ),
    "two": (TWO, [[draw(n, 2), draw(n, 2) + 1] for n in (1, 5)]),
}


@pytest.mark.parametrize("name", CASES)
def test_of_unknown_length(name: str) -> None:
    text, calls = CASES[name]
    proto = onnx.parser.parse_model(HEAD + text)
    compiled, reference = opc.compile(proto), ReferenceEvaluator(proto)
    names = [i.name for i in proto.graph.input]
    for arrays in calls:
        found = compiled(*arrays)
        wanted = reference.run(None, dict(zip(names, arrays, strict=True)))
        for a, b in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
            assert a.shape == np.shape(b)
            np.testing.assert_allclose(a, b, rtol=1e-5)


def test_lengths_differ() -> None:
    compiled = opc.compile(onnx.parser.parse_model(HEAD + TWO))
    with pytest.raises(ArgumentError, match="the sequences differ in length"):
        compiled(draw(3, 2), draw(4, 2))


def test_mapped_over_many_shapes() -> None:
    text = REPEATED.replace(
        " y = ConcatFromSequence<axis=0>(all)",
        " more = SequenceMap<body=e (float[P,3] p) => (float[P,3] q) { q = Exp(p) }>(all)\n"
        " y = ConcatFromSequence<axis=0>(more)",
    )
    with pytest.raises(UnsupportedError, match="the values of a sequence differ in an extent"):
        opc.compile(onnx.parser.parse_model(HEAD + text))


def test_mixed() -> None:
    """One sequence of a known number of values, one of an unknown one."""
    proto = onnx.parser.parse_model(HEAD + TWO.replace("float[M,2] y", "float[4,2] y"))
    with pytest.raises(UnsupportedError, match="sequence is known only at run time"):
        opc.compile(proto)
