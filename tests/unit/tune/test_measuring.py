"""How schedules are measured: where the arrays lie, and how often each of them runs."""

from __future__ import annotations

from typing import Any

import pytest

from opc.api.driver import Options, load, source_of
from opc.dialects.schedule import TreeOp
from opc.runtime.callable import CompiledFunction
from opc.support.target import LINE
from opc.tune import measure
from opc.tune.nests import Nest, nests_of

pytestmark = pytest.mark.level("-O0")

PRODUCT = """
func.func @main(%x: tensor<40x30xf32>, %y: tensor<30x50xf32>) -> tensor<40x50xf32> {
  %r = opc.matmul %x, %y
  func.return %r : tensor<40x50xf32>
}"""
OPTIONS = Options(threads=1)


def two_schedules() -> tuple[Nest, list[TreeOp]]:
    """The nest of a product, and two of its schedules."""
    (nest,) = nests_of(source_of(load(PRODUCT), None), OPTIONS.target, {}, True).nests.values()
    return nest, [candidate.tree for candidate in nest.candidates()[:2]]


def test_nests_are_measured_where_a_network_has_their_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Inputs and results start at a cache line, as buffers of a workspace do."""
    places = list[int]()
    bind = CompiledFunction.bind

    def seen(self: CompiledFunction, *values: Any, out: Any) -> Any:
        places.extend(array.ctypes.data % LINE for array in (*values, out))
        return bind(self, *values, out=out)

    monkeypatch.setattr(CompiledFunction, "bind", seen)
    nest, trees = two_schedules()
    measure.measured(nest, trees, OPTIONS, 0, 0, least=1)
    assert places == [0] * 6


def test_each_schedule_has_the_least_number_of_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that are slow, and more than the most that a search takes."""
    samples = [0, 0]
    bind = CompiledFunction.bind

    def counted(self: CompiledFunction, *values: Any, out: Any) -> Any:
        call, number = bind(self, *values, out=out), len(bound)
        bound.append(call)

        def counting() -> Any:
            samples[number] += 1
            return call()

        return counting

    bound = list[Any]()
    monkeypatch.setattr(CompiledFunction, "bind", counted)
    nest, trees = two_schedules()
    measure.measured(nest, trees, OPTIONS, 1, 0, least=measure.ROUNDS + 2)
    # One more compares the bits.
    assert samples == [measure.ROUNDS + 3] * 2
