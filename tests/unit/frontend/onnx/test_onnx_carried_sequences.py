"""Sequences that branches give and loops carry, value by value, against onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, parser  # noqa: E402

import opc  # noqa: E402
from opc.errors import UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, interpreted, model, node  # noqa: E402

HEAD = '<ir_version: 9, opset_import: ["" : 19]>\n'
X = np.arange(6, dtype=np.float32).reshape(2, 3)
CHOSEN = """g (float[N,3] x, bool c) => (float[P,3] y, float[Q,3] z, int64 n) {
 s = If (c) <then_branch = t () => (seq(float[A,3]) s1) {
     d = Concat<axis = 0>(x, x)
     s1 = SequenceConstruct(d, x) },
   else_branch = e () => (seq(float[B,3]) s2) {
     r = Neg(x)
     s2 = SequenceConstruct(r, x) }>
 i = Constant<value_int = 0>()
 y = SequenceAt(s, i)
 z = ConcatFromSequence<axis = 0>(s)
 n = SequenceLength(s)
}"""
STATES = """g (float[N,3] x, int64 m, float limit) => (float[N,3] y, float[N,3] z, float[K] sums) {
 yes = Constant<value = bool {1}>()
 s0 = SequenceConstruct(x, x)
 s, sums = Loop(m, yes, s0) <body = b (int64 i, bool c, seq(float[N,3]) s1)
   => (bool d, seq(float[N,3]) s2, float t) {
   zero = Constant<value_int = 0>()
   one = Constant<value_int = 1>()
   p = SequenceAt(s1, zero)
   q = SequenceAt(s1, one)
   r = Add(p, q)
   k = Identity(s1)
   e = SequenceErase(k, zero)
   s2 = SequenceInsert(e, r)
   t = ReduceMax<keepdims = 0>(r)
   d = Less(t, limit) }>
 a = Constant<value_int = 0>()
 y = SequenceAt(s, a)
 z = ConcatFromSequence<axis = 0>(s)
}"""
SWAPPED = """g (float[N,3] x, float[M] w, int64 m) => (float[P] y) {
 yes = Constant<value = bool {1}>()
 f = Constant<value_ints = [-1]>()
 v = Reshape(x, f)
 s0 = SequenceConstruct(v, w)
 s = Loop(m, yes, s0) <body = b (int64 i, bool c, seq(float[A]) s1)
   => (bool d, seq(float[A]) s2) {
   zero = Constant<value_int = 0>()
   one = Constant<value_int = 1>()
   p = SequenceAt(s1, zero)
   q = SequenceAt(s1, one)
   s2 = SequenceConstruct(q, p)
   d = Identity(c) }>
 a = Constant<value_int = 0>()
 y = SequenceAt(s, a)
}"""
APPENDED = """g (float[N,3] x, int64 m) => (float[K,3] y, float[L,3] back, int64 n) {
 yes = Constant<value = bool {1}>()
 s0 = SequenceConstruct(x, x)
 s, t = Loop(m, yes, s0, s0) <body = b (int64 i, bool c, seq(float[N,3]) s1, seq(float[N,3]) t1)
   => (bool d, seq(float[N,3]) s2, seq(float[N,3]) t4) {
   end = Constant<value_int = -1>()
   zero = Constant<value = int64 {0}>()
   p = SequenceAt(s1, end)
   f = Cast<to = 1>(i)
   q = Add(p, f)
   s2 = SequenceInsert(s1, q)
   r = Mul(q, q)
   t2 = SequenceInsert(t1, r, zero)
   t3 = SequenceInsert(t2, q)
   u = SequenceAt(t3, end)
   v = Neg(u)
   t4 = SequenceInsert(t3, v)
   d = Identity(c) }>
 y = ConcatFromSequence<axis = 0>(s)
 back = ConcatFromSequence<axis = 0>(t)
 n = SequenceLength(t)
}"""
"""Values behind those that are there and in front of them, of which the last one is asked for."""
REPEATED = """g (float[N,3] x, int64 m) => (float[K,3] y, float[N,3] z) {
 yes = Constant<value = bool {1}>()
 s0 = SequenceConstruct(x)
 s, z = Loop(m, yes, s0, x) <body = b (int64 i, bool c, seq(float[N,3]) s1, float[N,3] w)
   => (bool d, seq(float[N,3]) s3, float[N,3] w1) {
   end = Constant<value_int = -1>()
   p = SequenceAt(s1, end)
   s2 = SequenceInsert(s1, p)
   q = SequenceAt(s2, end)
   r = Add(q, w)
   s3 = SequenceInsert(s2, r)
   w1 = Concat<axis = 0>(w)
   d = Identity(c) }>
 y = ConcatFromSequence<axis = 0>(s)
}"""
"""What is asked for is appended itself; a Concat of one tensor appends nothing."""
FIRST = """g (float[N,3] x, int64 m) => (float[N,3] y) {
 yes = Constant<value = bool {1}>()
 s0 = SequenceConstruct(x, x)
 s = Loop(m, yes, s0) <body = b (int64 i, bool c, seq(float[N,3]) s1)
   => (bool d, seq(float[N,3]) s2) {
   zero = Constant<value_int = 0>()
   p = SequenceAt(s1, zero)
   s2 = SequenceInsert(s1, p)
   d = Identity(c) }>
 a = Constant<value_int = 0>()
 y = SequenceAt(s, a)
}"""
SHAPES = """g (float[N,3] x, float[M,3] w, int64 m) => (float[P,3] y) {
 yes = Constant<value = bool {1}>()
 s0 = SequenceConstruct(x)
 s = Loop(m, yes, s0) <body = b (int64 i, bool c, seq(float[A,3]) s1)
   => (bool d, seq(float[A,3]) s2) {
   s2 = SequenceInsert(s1, w)
   d = Identity(c) }>
 y = ConcatFromSequence<axis = 0>(s)
}"""
PARTS = """g (float[N,3] x, int64 i) => (float[P,3] y, float[Q,3] z, int64 n, float[R,3] last) {
 two = Constant<value_int = 2>()
 end = Constant<value_int = -1>()
 s = SplitToSequence<axis = 0>(x, two)
 y = SequenceAt(s, i)
 z = ConcatFromSequence<axis = 0>(s)
 n = SequenceLength(s)
 last = SequenceAt(s, end)
}"""
ONE_OR_TWO = """g (float[N,3] x, bool c) => (int64 n) {
 s = If (c) <then_branch = t () => (seq(float[A,3]) s1) { s1 = SequenceConstruct(x, x) },
   else_branch = e () => (seq(float[B,3]) s2) { s2 = SequenceConstruct(x) }>
 n = SequenceLength(s)
}"""


def compare(text: str, *rounds: tuple[Any, ...]) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    proto = parser.parse_model(HEAD + text)
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    compiled, names = function(proto), [i.name for i in proto.graph.input]
    for given in rounds:
        expected = session.run(None, dict(zip(names, given, strict=True)))
        for found in (interpreted(proto, *given), compiled(*given)):
            results = found if isinstance(found, tuple | list) else [found]
            for a, b in zip(results, expected, strict=True):
                assert np.asarray(a).shape == b.shape
                np.testing.assert_array_equal(a, b)


def test_a_sequence_that_a_branch_gives() -> None:
    compare(CHOSEN, (X, np.array(True)), (X, np.array(False)))


def test_a_sequence_that_a_loop_carries() -> None:
    ends = ((0, 9), (1, 9), (5, 1e9), (9, 40))
    compare(STATES, *((X, np.array(n), np.array(m, np.float32)) for n, m in ends))


def test_values_that_go_behind_and_in_front_of_others() -> None:
    compare(APPENDED, *((X, np.array(n)) for n in (0, 1, 2, 5)))


def test_a_last_value_that_is_appended_once_more() -> None:
    compare(REPEATED, *((X, np.array(n)) for n in (0, 1, 4)))


def test_values_that_change_places_and_extents() -> None:
    w = np.arange(5, dtype=np.float32)
    compare(SWAPPED, *((X, w, np.array(n)) for n in (0, 1, 4, 5)))


def test_parts_of_an_axis_of_which_only_a_run_knows_the_extent() -> None:
    listed = [np.arange(3 * n, dtype=np.float32).reshape(n, 3) for n in (1, 2, 3, 6, 7)]
    compare(PARTS, *((x, np.array(i)) for x in listed for i in (0, -1, (len(x) - 1) // 2)))
    with pytest.raises(opc.OpcError, match="an index is outside of axis 0"):
        function(parser.parse_model(HEAD + PARTS))(X, np.array(1))


@pytest.mark.parametrize(
    "text, message",
    [
        (FIRST, "a sequence of 2 values becomes a sequence of 3 values in an iteration"),
        (SHAPES, "values of several shapes are in a sequence that a loop appends to"),
        (ONE_OR_TWO, "one branch gives a sequence of 2 values, the other one a sequence of 1"),
    ],
)
def test_lengths_that_only_a_run_knows(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        opc.lower(parser.parse_model(HEAD + text))


def test_an_optional_value_that_holds_nothing() -> None:
    tensor = helper.make_tensor_type_proto(TensorProto.FLOAT, (2, 3))
    nodes = [
        node("Optional", "", "o", type=helper.make_optional_type_proto(tensor)),
        node("Identity", "o", "p"),
        node("OptionalHasElement", "p", "h"),
        node("Neg", "x", "y"),
    ]
    outputs = [onnx.ValueInfoProto(name=n) for n in ("h", "y")]
    infos = [helper.make_tensor_value_info("x", TensorProto.FLOAT, (2, 3))]
    has, negated = interpreted(model(nodes, infos, 18, outputs), X)
    assert has.tolist() is False and np.array_equal(negated, -X)
    nodes[2:] = [node("OptionalGetElement", "p", "y")]
    with pytest.raises(opc.OpcError, match="the optional value holds nothing"):
        interpreted(model(nodes, infos, 18, outputs[1:]), X)
