"""Bodies that take values of computed extents and of extents with any names, in any order."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import parser  # noqa: E402

from opc.dialects import expr as ex  # noqa: E402
from opc.frontend.models.bodies import Symbols  # noqa: E402
from tests.unit.common.onnx_models import interpreted  # noqa: E402

ORDERS = [" ".join(order) for order in permutations("dyw")]
"""d is [n * 2], w is [n + the extent of y], and y may have the name of an extent of a body."""
OUTER = """
 d = Concat<axis = 0>(x, x)
 w = Concat<axis = 0>(y, x)"""
BRANCHES = """g (bool c, float[n] x, float[{name}] y) => (float[P] z, int64[Q] k) {{{outer}
 z, k = If (c) <then_branch = t () => (float[A] z1, int64[B] k1) {{ {sizes}
   s = Concat<axis = 0>({values})
   z1 = Neg(s)
   k1 = Concat<axis = 0>(kd, ky, kw) }},
 else_branch = e () => (float[C] z2, int64[D] k2) {{ {sizes}
   z2 = Concat<axis = 0>({values}, {first})
   k2 = Concat<axis = 0>(kw, kd, ky, kw) }}>
}}"""
LOOP = """g (int64 m, float[n] x, float[{name}] y) => (float[P,Q] z, int64[R,S] k) {{{outer}
 yes = Constant<value = bool {{1}}>()
 z, k = Loop(m, yes) <body = b (int64 i, bool c) => (bool go, float[A] z1, int64[B] k1) {{ {sizes}
   go = Identity(c)
   f = Cast<to = 1>(i)
   s = Concat<axis = 0>({values})
   z1 = Add(s, f)
   k1 = Concat<axis = 0>(kd, ky, kw) }}>
}}"""
SCAN = """g (float[m, 2] v, float[n] x, float[{name}] y) => (float[P,Q] z, int64[R,S] k) {{{outer}
 z, k = Scan<num_scan_inputs = 1, body = b (float[2] e) => (float[A] z1, int64[B] k1) {{ {sizes}
   f = ReduceMax<keepdims = 0>(e)
   s = Concat<axis = 0>({values})
   z1 = Add(s, f)
   k1 = Concat<axis = 0>(kd, ky, kw) }}> (v)
}}"""
SCANS = """g (float[b, m, 2] v, float[n] x, float[{name}] y)
 => (float[O,P,Q] z, int64[R,S,T] k) {{{outer}
 z, k = Scan<num_scan_inputs = 1, body = b (float[2] e) => (float[A] z1, int64[B] k1) {{ {sizes}
   f = ReduceMax<keepdims = 0>(e)
   s = Concat<axis = 0>({values})
   z1 = Add(s, f)
   k1 = Concat<axis = 0>(kd, ky, kw) }}> ("", v)
}}"""
IN_BRANCHES = """g (bool c, float[n] x, float[{name}] u) => (float[P] z) {{
 y = Concat<axis = 0>(x, u)
 z = If (c) <then_branch = t () => (float[A] z1) {{
   r = Neg(y)
   d = Concat<axis = 0>(y, x)
   w = Concat<axis = 0>(y, y)
   z1 = If (c) <then_branch = tt () => (float[A2] z11) {{ {sizes}
     s = Concat<axis = 0>({values})
     l = Concat<axis = 0>(kd, ky, kw)
     h = Cast<to = 1>(l)
     z11 = Concat<axis = 0>(s, h, r) }},
   else_branch = te () => (float[B2] z12) {{ z12 = Identity({first}) }}> }},
 else_branch = e () => (float[B] z2) {{ z2 = Identity(u) }}>
}}"""
FIRST = {
    "If": (BRANCHES, [np.array(True), np.array(False)]),
    "Loop": (LOOP, [np.array(2)]),
    "Scan": (SCAN, [np.arange(6, dtype=np.float32).reshape(3, 2)]),
    "Scan-8": (SCANS, [np.arange(12, dtype=np.float32).reshape(2, 3, 2)]),
    "nested": (IN_BRANCHES, [np.array(True), np.array(False)]),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "name", ["body0", *(pytest.param(n, marks=pytest.mark.long) for n in ("m0", "body1", "c0"))]
)
@pytest.mark.parametrize("kind", FIRST)
def test_captured_extents(kind: str, name: str, order: str) -> None:
    """Results have the values and extents of onnxruntime, as have shapes that the body reads."""
    onnxruntime = pytest.importorskip("onnxruntime")
    text, inputs = FIRST[kind]
    values = order.split()
    sizes = "\n".join(f"k{v} = Shape({v})" for v in values)
    graph = text.format(
        name=name, outer=OUTER, sizes=sizes, values=", ".join(values), first=values[0]
    )
    opset = 8 if kind == "Scan-8" else 19
    proto = parser.parse_model(f'<ir_version: 9, opset_import: ["" : {opset}]>\n{graph}')
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    names = [i.name for i in session.get_inputs()]
    x, y = np.float32([1, 2, 3]), np.float32([4, 5])
    for first in inputs:
        arrays = (first, x, y)
        wanted = session.run(None, dict(zip(names, arrays, strict=True)))
        for a, b in zip(interpreted(proto, *arrays), wanted, strict=True):
            np.testing.assert_array_equal(a, b, strict=True)


def test_symbols_of_a_body() -> None:
    """No two extents of outside get one name, in whatever order they are taken."""
    n, body0, body1 = (ex.sym(name) for name in ("n", "body0", "body1"))
    extents = [n * 2, body0, body0 + body1, body1]
    for order in permutations(extents):
        symbols = Symbols({"n", "body0", "body1"})
        inside = [symbols.extent(e) for e in order]
        assert len(set(inside)) == len(extents)
        assert all(symbols.extent(e) == e for e in (body0, body1))
