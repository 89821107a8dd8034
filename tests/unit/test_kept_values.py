"""Values that a nest keeps in its outputs: several outputs, and exponentials that leave as well."""

from __future__ import annotations

import numpy as np
import pytest

import opc

GRAPH = """
func.func @main(%x: tensor<{t}xf32>) -> ({results}) {{
  %m = opc.reduce_max %x {{axes = [{axis}], keepdims = true}}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {{axes = [{axis}], keepdims = true}}
  %l = opc.log %s
  %log = opc.sub %d, %l
  %soft = opc.div %e, %s
  %again = opc.mul %e, %soft
  func.return {values} : {results}
}}"""


@pytest.mark.parametrize(
    "names", ["soft", "log soft", "soft log", "soft e", "e soft", "again soft"]
)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(3, 10), (40, 9000), (3, 20000)])
def test_softmax(shape: tuple[int, int], axis: int, names: str) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    d = x - x.max(axis, keepdims=True)
    e = np.exp(d.astype(np.float64))
    s = e.sum(axis, keepdims=True)
    wanted = {"e": e, "soft": e / s, "log": d - np.log(s), "again": e * e / s}
    for extents in ("x".join(map(str, shape)), "?x?"):
        text = GRAPH.format(
            t=extents,
            axis=axis,
            results=", ".join(f"tensor<{extents}xf32>" for _ in names.split()),
            values=", ".join(f"%{name}" for name in names.split()),
        )
        got = opc.compile(text)(x)
        for name, value in zip(names.split(), got if " " in names else [got], strict=True):
            np.testing.assert_allclose(value, wanted[name], 4e-6, 4e-6, err_msg=f"{extents} {name}")
