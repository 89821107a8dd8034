"""Modules beside PyTorch: exported, compiled or interpreted, and compared with eager results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import opc
from opc.dialects.registry import context
from opc.frontend.torch.reader import from_graph, read
from opc.interpret.function import run
from opc.passes import pipeline

torch: Any = pytest.importorskip("torch")
pytest.importorskip("torch.fx.experimental.proxy_tensor")


class Module(torch.nn.Module):
    """A function as a module."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def exported(module: Any, *args: Any, **options: Any) -> Any:
    return torch.export.export(module, args, **options)


def interpreted(program: Any, *args: Any) -> list[Any]:
    """The results of the graph in NumPy."""
    return _results(read(program), *args)


def _results(module: Any, *args: Any) -> list[Any]:
    pipeline.run(module, context(), pipeline.passes("graph"))
    main = module.body.block.first_op
    assert isinstance(main, FuncOp)
    return list(run(main, [a.numpy() for a in args]))


def listed(results: Any) -> list[Any]:
    leaves: list[Any] = torch.utils._pytree.tree_flatten(results)[0]
    return leaves


def check(results: list[Any], expected: Any) -> None:
    """Results agree in type, shape and, by the tolerances of PyTorch, elements."""
    tensors = [torch.as_tensor(x) for x in listed(expected)]
    assert len(results) == len(tensors)
    for x, y in zip(results, tensors, strict=True):
        got = torch.from_numpy(np.array(x))
        torch.testing.assert_close(got, y.detach(), equal_nan=True)


def agrees(function: Any, *args: Any) -> None:
    """The graph of a function or module in NumPy gives what PyTorch gives."""
    module = function if isinstance(function, torch.nn.Module) else Module(function)
    check(interpreted(exported(module.eval(), *args), *args), module(*args))


def agrees_undecomposed(function: Any, *args: Any) -> None:
    """As ``agrees``, for the very operators that a function calls."""
    trace = torch.fx.experimental.proxy_tensor.make_fx(function, tracing_mode="fake")
    check(_results(from_graph(trace(*args), {}), *args), function(*args))


def compiles(module: Any, *args: Any, **options: Any) -> opc.Function:
    """The C of a module gives what PyTorch gives."""
    compiled = opc.compile(exported(module.eval(), *args, **options))
    check(listed(compiled(*(a.numpy() for a in args))), module(*args))
    return compiled
