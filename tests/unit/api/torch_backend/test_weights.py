"""Weights are constants in inference, and never stale."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.level("-O0")


def module() -> Any:
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3)).eval()


def counts(functions: list[Any]) -> list[int]:
    """The number of inputs of each function: 1 with constants, 5 with weights."""
    return [len(function.inputs) for function in functions]


def by_copy(net: Any) -> None:
    net[0].weight.copy_(torch.ones(8, 4))


def by_operator(net: Any) -> None:
    net[0].bias += 1


def by_loading(net: Any) -> None:
    net.load_state_dict({name: value + 1 for name, value in net.state_dict().items()})


def by_assigning(net: Any) -> None:
    net[2].weight.data = torch.ones(3, 8)


def by_replacing(net: Any) -> None:
    net[2].weight = torch.nn.Parameter(torch.ones(3, 8))


@pytest.mark.parametrize("change", [by_copy, by_operator, by_loading, by_assigning, by_replacing])
def test_changed(change: Callable[[Any], None], functions: list[Any]) -> None:
    net, x = module(), torch.randn(2, 4)
    compiled = torch.compile(net, backend="opc")
    with torch.no_grad():
        before = compiled(x)
        torch.testing.assert_close(before, net(x))
        change(net)
        after = compiled(x)
        torch.testing.assert_close(after, net(x))
        change(net)
        torch.testing.assert_close(compiled(x), net(x))
    assert not torch.equal(before, after)
    assert counts(functions) == [1, 5]


def test_a_buffer(functions: list[Any]) -> None:
    net, x = torch.nn.BatchNorm1d(4).eval(), torch.randn(2, 4)
    compiled = torch.compile(net, backend="opc")
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), net(x))
        net.running_mean += 1
        torch.testing.assert_close(compiled(x), net(x))
    assert len(functions) == 2


def test_two_modules_of_one_class(functions: list[Any]) -> None:
    """They share a graph, which is compiled for the weights of the first, and for any."""
    nets = [module() for _ in range(3)]
    call = torch.compile(lambda net, x: net(x), backend="opc")
    x = torch.randn(2, 4)
    with torch.no_grad():
        for net in (*nets, *nets):
            torch.testing.assert_close(call(net, x), net(x))
    assert set(counts(functions)) == {1, 5}


def test_as_arguments(functions: list[Any]) -> None:
    """What is written through ``.data`` is not counted by PyTorch."""
    net, x = module(), torch.randn(2, 4)
    compiled = torch.compile(net, backend="opc", options={"freeze": False})
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), net(x))
        net[0].weight.data.mul_(2)
        torch.testing.assert_close(compiled(x), net(x))
    assert counts(functions) == [5]


def test_frozen_for_good(functions: list[Any]) -> None:
    net, x = module(), torch.randn(2, 4)
    before = copy.deepcopy(net)
    compiled = torch.compile(net, backend="opc", options={"freeze": True})
    with torch.no_grad():
        compiled(x)
        by_copy(net)
        torch.testing.assert_close(compiled(x), before(x))
    assert counts(functions) == [1]


def test_made_in_inference_mode(functions: list[Any]) -> None:
    """Their changes are not counted, so they are arguments."""
    with torch.inference_mode():
        net, x = module(), torch.randn(2, 4)
        compiled = torch.compile(net, backend="opc")
        torch.testing.assert_close(compiled(x), net(x))
        by_copy(net)
        torch.testing.assert_close(compiled(x), net(x))
    assert counts(functions) == [5]


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_gradients(is_dynamic: bool, functions: list[Any]) -> None:
    """Both directions are compiled; an optimizer changes weights in between."""
    net, twin = (torch.nn.Sequential(*module(), torch.nn.LayerNorm(3)).double() for _ in range(2))
    twin.load_state_dict(net.state_dict())
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (net, twin)]
    compiled = torch.compile(net, backend="opc", dynamic=is_dynamic)
    for _ in range(3):
        x = torch.randn(6, 4).double()
        for call, optimizer in zip((compiled, twin), optimizers, strict=True):
            optimizer.zero_grad()
            call(x).square().sum().backward()
            optimizer.step()
        for own, other in zip(net.parameters(), twin.parameters(), strict=True):
            torch.testing.assert_close(own.grad, other.grad)
            torch.testing.assert_close(own, other)
    assert len(functions) == 2
