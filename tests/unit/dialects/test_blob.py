"""Large constants are compared, and found to have one value, without reading them again."""

from __future__ import annotations

import numpy as np
import pytest

from opc.dialects import element as el
from opc.dialects.blob import Array, BlobAttr, deferred, flat
from opc.dialects.opc.movement import ConstantOp
from opc.graph.rewriting import splat

pytestmark = pytest.mark.smoke


class Loads:
    """Gives an array, and counts how often."""

    def __init__(self, array: Array) -> None:
        self.array, self.count = array, 0

    def __call__(self) -> Array:
        self.count += 1
        return self.array

    def constant(self) -> BlobAttr:
        """The constant that is loaded at each use."""
        value = deferred(self, el.F32, self.array.shape)
        assert isinstance(value, BlobAttr)
        return value


def numbers(*changed: int) -> Array:
    array = np.ones((64, 64), np.float32)
    array.reshape(-1)[list(changed)] = 2
    return array


def test_what_is_loaded_once_is_known_in_part() -> None:
    loads, others = Loads(numbers(0)), Loads(numbers(64))
    value, other = loads.constant(), others.constant()
    assert value.array.shape == other.array.shape == (64, 64)
    assert value != other and flat(value) != flat(other)
    assert splat(ConstantOp(value=value).result) is None
    assert loads.count == others.count == 1


@pytest.mark.parametrize("changed", [(), (0,), (63,), (4095,)])
def test_equal_elements_are_equal(changed: tuple[int, ...]) -> None:
    """Also where they differ between those that are compared first."""
    value, other = Loads(numbers(*changed)).constant(), Loads(numbers(63)).constant()
    assert (value == other) == (flat(value) == flat(other)) == (changed == (63,))
    assert splat(ConstantOp(value=value).result) == (None if changed else 1)
