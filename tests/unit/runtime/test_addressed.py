"""Calls over addresses give what calls over arrays give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from opc.errors import ArgumentError

GRAPH = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>) {
  %product = opc.mul %x, %y : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %sum = opc.reduce_sum %product {axes = [1], keepdims = false} : tensor<?x4xf32> -> tensor<?xf32>
  func.return %sum, %product : tensor<?xf32>, tensor<?x4xf32>
}
"""


def addresses(*arrays: Any) -> list[int]:
    return [array.ctypes.data for array in arrays]


def test_a_call() -> None:
    function = opc.compile(GRAPH)
    call = function.addressed()
    assert call is not None
    for rows in (3, 5, 3, 0):
        x = np.arange(4.0 * rows, dtype=np.float32).reshape(rows, 4)
        y = x + 1
        dims = (rows,) * len(function.interface.dims)
        shapes, size = call.sizes(dims, addresses(x, y))
        results = [np.empty(shape, np.float32) for shape in shapes]
        call(dims, addresses(x, y), addresses(*results), size)
        for result, expected in zip(results, function(x, y), strict=True):
            np.testing.assert_array_equal(result, expected)


def test_a_failed_check() -> None:
    function = opc.compile(GRAPH)
    call = function.addressed()
    assert call is not None and len(function.interface.dims) == 2
    x, y = np.ones((3, 4), np.float32), np.ones((5, 4), np.float32)
    with pytest.raises(ArgumentError, match="3"):
        call.sizes((3, 5), addresses(x, y))


def test_extents_that_are_computed() -> None:
    """Only a call over arrays finds room for them."""
    graph = """
    func.func @main(%x: tensor<8xf32>, %n: tensor<i64>) -> tensor<?xf32, #opc.dims<k>> {
      opc.data_extent %n most <8> -> "k" : tensor<i64>
      %places = opc.iota : tensor<?xi64, #opc.dims<k>>
      %y = opc.gather %x, %places {axes = [0]}
      func.return %y : tensor<?xf32, #opc.dims<k>>
    }
    """
    function = opc.compile(graph)
    assert function.interface.finds_shapes and function.addressed() is None
