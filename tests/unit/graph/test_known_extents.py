"""Extents of arguments that a graph says to be numbers."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.errors import ArgumentError

PRODUCT = """
func.func @main(%x: tensor<?x?xf32, #opc.dims<N, K>>, %y: tensor<?xf32, #opc.dims<K>>,
                %w: tensor<4x8xf32>)
    -> (tensor<?x8xf32, #opc.dims<N, 8>>, tensor<?xf32, #opc.dims<K>>) {
  %p = opc.matmul %x, %w
  %z = opc.neg %y
  return %p, %z : tensor<?x8xf32, #opc.dims<N, 8>>, tensor<?xf32, #opc.dims<K>>
}
"""


def test_an_extent_that_has_to_be_a_number() -> None:
    """The product says that K is 4, so the other input has 4 elements, too."""
    function = opc.compile(PRODUCT)
    assert [spec.shape for spec in function.inputs] == [("N", 4), (4,), (4, 8)]
    x, w = np.ones((3, 4), np.float32), np.ones((4, 8), np.float32)
    p, z = function(x, x[0].copy(), w)
    assert (p == 4).all() and (z == -1).all()
    with pytest.raises(ArgumentError, match="found 5, expected 4"):
        function(x, np.ones(5, np.float32), w)


def test_extents_that_contradict() -> None:
    """An extent cannot be two numbers: no call is taken."""
    graph = PRODUCT.replace("%z = opc.neg %y", '%z = opc.neg %y\n  opc.require equal<K, 5> "five"')
    function = opc.compile(graph)
    with pytest.raises(ArgumentError, match="five"):
        function(
            np.zeros((2, 4), np.float32), np.zeros(4, np.float32), np.zeros((4, 8), np.float32)
        )
