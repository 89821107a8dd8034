"""Graphs of all kinds of tensors and numbers, in parts where opc lacks an operator."""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from opc.api.torch_backend import part as parts  # noqa: E402
from opc.api.torch_backend.layout import inverse, memory_order  # noqa: E402
from opc.errors import UnsupportedError  # noqa: E402

pytestmark = pytest.mark.level("-O0")

randn = torch.randn
higher: Any = import_module("torch._higher_order_ops")


def check(function: Callable[..., Any], *calls: tuple[Any, ...], **options: Any) -> None:
    """The compiled function gives what the function gives: values, types, strides, changes."""
    compiled = torch.compile(function, backend="opc", **options)
    with torch.no_grad():
        for args in calls:
            others = copy.deepcopy(args)
            results, expected = compiled(*args), function(*others)
            torch.testing.assert_close(args, others)
            if not isinstance(results, tuple):
                results, expected = (results,), (expected,)
            for result, other in zip(results, expected, strict=True):
                torch.testing.assert_close(result, other)
                if torch.is_tensor(result):
                    assert result.stride() == other.stride()


def image(*shape: int) -> Any:
    """An image whose channels are last in memory."""
    return randn(*shape).contiguous(memory_format=torch.channels_last)


WHOLE: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "transposed": (lambda x: x.relu() + 1, (randn(4, 6).t(),)),
    "with a step": (lambda x: (x.relu() + 1).sum(0), (randn(4, 6)[:, ::2],)),
    "channels last": (lambda x: x.relu() * 2, (image(2, 3, 5, 7),)),
    "convolution of channels last": (
        lambda x, w: torch.nn.functional.conv2d(x, w),
        (image(2, 3, 8, 8), randn(4, 3, 3, 3)),
    ),
    "permuted result": (lambda x: (x * 2).permute(2, 0, 1), (randn(3, 4, 5),)),
    "bf16": (lambda x: (x * 2 + 1).exp(), (randn(4, 6).bfloat16(),)),
    "f16": (lambda x: (x * 2 + 1).exp(), (randn(4, 6).half(),)),
    "f64, integers, booleans": (
        lambda x, i, b: (x * 2, i + 1, ~b, torch.where(b, x, x * 0)),
        (randn(4).double(), torch.arange(4), randn(4) > 0),
    ),
    "moments": (lambda x: torch.std_mean(x, 0), (randn(4, 6),)),
    "rank 0": (lambda x, s: (x * s, s + 1), (randn(4), torch.tensor(2.5))),
    "no elements": (lambda x: (x * 2, x.sum()), (randn(0, 4),)),
    "a constant": (lambda x: x + torch.tensor([1.0, 2.0, 3.0, 4.0]), (randn(3, 4),)),
    "an argument as a result": (lambda x: (x, x * 2), (randn(3, 3),)),
    "a result twice": (lambda x: (lambda y: (y, None, y))(x * 2), (randn(3, 4),)),
    "an argument that changes": (lambda x: (x.add_(1), x * 2)[1], (randn(3, 3),)),
    "one of two graphs": (
        lambda x, p: torch.cond(p, lambda v: v.sin() * 2, lambda v: v.cos() + 1, (x,)),
        (randn(3, 4), torch.tensor(False)),
    ),
    "a view of an argument": (lambda x: (x.t(), x * 2), (randn(3, 4),)),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.usefixtures("strict")
def test_whole(name: str, functions: list[Any]) -> None:
    function, args = WHOLE[name]
    check(function, args, fullgraph=True)
    assert len(functions) == 1


DYNAMIC: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "extent as a number": (
        lambda x: x * x.shape[0] + x.sum() / x.shape[0],
        [(randn(3, 4),), (randn(5, 4),)],
    ),
    "computed extents": (
        lambda x: torch.cat([x, x * 2]).reshape(-1).exp(),
        [(randn(3, 4),), (randn(5, 6),)],
    ),
    "transposed": (lambda x: x.relu() + 1, [(randn(4, 6).t(),), (randn(5, 8).t(),)]),
    "a padded image twice as large": (
        lambda x: torch.nn.functional.interpolate(
            torch.nn.functional.pad(x, (1, 1, 1, 1), mode="reflect"),
            scale_factor=2,
            mode="bicubic",
        ),
        [(randn(1, 2, 6, 4),), (randn(1, 2, 7, 5),)],
    ),
    "one of two graphs by an extent": (
        lambda x: torch.cond(x.shape[0] > 4, lambda v: v.sin(), lambda v: v.cos() * 2, (x,)),
        [(randn(5, 4),), (randn(7, 4),)],
    ),
    "a loop with extents": (
        lambda x, n: higher.while_loop(
            lambda k, x: k < n, lambda k, x: (k + 1, x * 1.5 + x.shape[0]), (n * 0, x)
        ),
        [(randn(3, 4), torch.tensor(2)), (randn(5, 4), torch.tensor(3))],
    ),
    "steps with extents": (
        lambda h, x: higher.scan(lambda h, x: (h.sin() + x, h.sum(1) * h.shape[0]), h, x),
        [(randn(3, 4), randn(2, 3, 4)), (randn(5, 4), randn(6, 5, 4))],
    ),
    "levels of a histogram": (lambda x: torch.histc(x, 4, -2, 2), [(randn(7),), (randn(9),)]),
}


@pytest.mark.parametrize("name", DYNAMIC)
@pytest.mark.usefixtures("strict")
def test_dynamic(name: str, functions: list[Any]) -> None:
    function, calls = DYNAMIC[name]
    check(function, *calls, dynamic=True)
    assert len(functions) == 1


@pytest.mark.usefixtures("strict")
def test_extents_that_data_decide(functions: list[Any]) -> None:
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        calls = [(torch.arange(n) % 3,) for n in (9, 12, 5)]
        check(lambda x: (x * 2).nonzero().reshape(-1) + 1, *calls, dynamic=True, fullgraph=True)
    assert any(function.interface.finds_shapes for function in functions)


@pytest.mark.parametrize("last", [-3, 0, 2**40])
def test_numbers(last: int, recwarn: pytest.WarningsRecorder) -> None:
    """What takes a number that is no extent runs in PyTorch."""
    calls = [(randn(3), 2), (randn(3), 3), (randn(4), last)]
    check(lambda x, k: (x.exp() + 1).sum(0) * k + k, *calls, dynamic=True)
    assert any("a number that may be below 0" in str(w.message) for w in recwarn.list)


def sorting(x: Any) -> Any:
    """``fft_r2c`` and its like are not there."""
    y = torch.fft.rfft((x.exp() * 2 + 1).reshape(-1))
    return (y.real.sin() * 3 + 1).reshape(-1)


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_two_parts(is_dynamic: bool, functions: list[Any]) -> None:
    """What opc lacks runs in PyTorch between them, and is named once."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        check(sorting, (randn(3, 4),), (randn(5, 6),), dynamic=is_dynamic)
        check(lambda x: sorting(x) * 2, (randn(3, 4),), dynamic=is_dynamic)
    assert len(functions) >= 2
    texts = [str(warning.message) for warning in said]
    assert sum("aten._fft_r2c.default" in text for text in texts) == 1
    assert all(text.startswith("opc: runs in PyTorch: ") for text in texts if "opc" in text)


def test_negated_lazily() -> None:
    with warnings.catch_warnings(action="ignore"):
        check(lambda z: (z.conj().imag * 2 + 1).exp() * 3, (randn(3, dtype=torch.complex64),))


def test_refused_when_it_is_read(
    functions: list[Any], monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """A node that only reading the graph refuses runs in PyTorch, and the others in opc."""
    from opc.frontend.torch import reader

    value = reader._Reader.value

    def refusing(self: Any, node: Any) -> Any:
        if str(node.target) == "aten.tanh.default":
            raise UnsupportedError("not today")
        return value(self, node)

    monkeypatch.setattr(reader._Reader, "value", refusing)
    check(lambda x: ((x * 3 + 1).tanh() * 2 + 1).sin(), (randn(3, 5),))
    assert [len(f.inputs) for f in functions] == [1, 1]
    assert any("aten.tanh.default" in str(w.message) for w in recwarn.list)


def test_refused_when_it_is_lowered(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """A part that opc cannot lower runs in PyTorch."""

    def refusing(*args: Any, **named: Any) -> Any:
        raise UnsupportedError("too large")

    monkeypatch.setattr(parts.driver, "compile", refusing)
    check(lambda x: (x * 3 + 1).tanh(), (randn(3, 5),))
    assert any("too large" in str(w.message) for w in recwarn.list)


def test_the_cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, functions: list[Any]) -> None:
    """A graph that was compiled before is not read again; other weights are another graph."""
    read: list[str] = []
    from_graph = parts.from_graph
    monkeypatch.setattr(
        parts, "from_graph", lambda *args: read.append("a graph") or from_graph(*args)
    )
    net = torch.nn.Linear(4, 3)
    options = {"cache": str(tmp_path)}
    for expected in (1, 1, 2):
        torch._dynamo.reset()
        compiled, x = torch.compile(net, backend="opc", options=options), randn(2, 4)
        with torch.no_grad():
            torch.testing.assert_close(compiled(x), net(x))
            if len(functions) == 2:
                net.weight += 1
        assert len(read) == expected


def test_many_threads(functions: list[Any]) -> None:
    """Calls of several threads compile once and disturb each other in nothing."""
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 8))
    compiled, x = torch.compile(net, backend="opc"), [randn(16, 64) for _ in range(4)]
    wrong: list[int] = []
    with torch.no_grad():
        expected = [net(y) for y in x]
        compiled(x[0])

    def work(k: int) -> None:
        with torch.no_grad():
            for _ in range(50):
                if not torch.allclose(compiled(x[k]), expected[k], atol=1e-5):
                    wrong.append(k)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong and len(functions) == 1


@pytest.mark.parametrize(
    "tensor, order",
    [
        (randn(2, 3, 4), None),
        (randn(2, 3, 4).permute(2, 0, 1), (1, 2, 0)),
        (image(2, 3, 4, 5), (0, 2, 3, 1)),
        (randn(1, 5).t(), None),
        (randn(4, 6)[:, ::2], None),
        (randn(4, 6)[:, :3].t(), None),
        (randn(4, 1).expand(4, 3), None),
        (randn(0, 3).t(), None),
    ],
)
def test_memory_order(tensor: Any, order: tuple[int, ...] | None) -> None:
    assert memory_order(tensor) == order
    if order is not None:
        moved = tensor.permute(order)
        assert moved.is_contiguous() and moved.permute(inverse(order)).stride() == tensor.stride()
