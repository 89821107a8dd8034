"""Modules of the kinds that people deploy give in opc what they give in PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import opc

torch = pytest.importorskip("torch")

from benchmarks.torch_modules import EXAMPLES, Example  # noqa: E402

pytestmark = pytest.mark.level("-O0")

examples = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())


@pytest.fixture(autouse=True)
def _recurrences() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    with torch._dynamo.config.patch(allow_rnn=True):
        yield


def check(result: Any, expected: Any) -> None:
    """Results agree up to the rounding of sums in another order."""
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-5)


@examples
@pytest.mark.usefixtures("strict")
@pytest.mark.sample(2)
def test_static(example: Example, functions: list[Any]) -> None:
    module, inputs = example.build(small=True), example.example(small=True)
    compiled = torch.compile(module, backend="opc", dynamic=False, fullgraph=True)
    with torch.no_grad():
        check(compiled(*inputs), module(*inputs))
        check(compiled(*inputs), module(*inputs))
    (function,) = functions
    # Weights are constants.
    assert len(function.inputs) == len(inputs)


@examples
@pytest.mark.usefixtures("strict")
@pytest.mark.sample(2)
def test_dynamic_batch(example: Example, functions: list[Any]) -> None:
    """It compiles once, and runs all sizes."""
    module = example.build(small=True)
    compiled = torch.compile(module, backend="opc", fullgraph=True)
    with torch.no_grad():
        for batch in (5, 6, 2):
            inputs = example.example(small=True, batch=batch)
            for tensor in inputs:
                torch._dynamo.mark_dynamic(tensor, 0)
            check(compiled(*inputs), module(*inputs))
    assert len(functions) == 1


@examples
@pytest.mark.sample(3)
def test_exported(example: Example) -> None:
    """As a program that ``torch.export`` makes, for any batch."""
    module, inputs = example.build(small=True), example.example(small=True, batch=5)
    batch = torch.export.Dim("batch", min=2, max=64)
    shapes = tuple({0: batch} for _ in inputs)
    with torch.no_grad():
        program = torch.export.export(module, inputs, dynamic_shapes=shapes)
    function: Any = opc.compile(program)
    for size in (5, 3):
        inputs = example.example(small=True, batch=size)
        with torch.no_grad():
            check(torch.from_numpy(function(*inputs)), module(*inputs))
