"""Calls over fixed arrays, weights, workspaces, and many threads."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opc.errors import ArgumentError, DTypeError
from opc.runtime.callable import CompiledFunction
from opc.support.interface import Interface
from tests.unit.common.runtime_samples import (
    F32,
    I32,
    interface,
    layouts,
    one,
    refused,
)

# Bound calls


def test_bind(add: CompiledFunction, x: Any, b: Any) -> None:
    y = np.zeros((2, 3), F32)
    bound = add.bind(x, b=b, out=y)
    for _ in range(3):
        x += 1
        assert bound() is y
        np.testing.assert_array_equal(y, x + b)
    assert bound.result is y
    assert repr(bound) == "<opc call of main() over fixed arrays>"


def test_bind_allocates_and_keeps_alive(rows: CompiledFunction) -> None:
    bound = rows.bind(np.ones((50, 3), F32), np.ones(50, F32))
    gc.collect()
    noise = [np.zeros((50, 3), F32) for _ in range(50)]
    assert (bound() == 2).all()
    assert bound() is bound()
    assert all((array == 0).all() for array in noise)


def test_bind_takes_other_extents(rows: CompiledFunction) -> None:
    x, b = np.ones((50, 3), F32), np.ones(50, F32)
    bound = rows.bind(x, b)
    before = bound()
    for count in (70, 2, 50):
        y = bound(x=np.full((count, 3), 3, F32), b=np.ones(count, F32))
        assert y.shape == (count, 3) and (y == 4).all()
        assert bound() is y
    assert (before == 2).all()
    # What does not fit changes nothing.
    for changed in ({"b": np.ones(4, F32)}, {"z": x}, {"x": x[::2]}):
        with pytest.raises(ArgumentError):
            bound(**changed)
        assert (bound() == 4).all() and bound().shape == (50, 3)
    fixed = rows.bind(x, b, out=np.zeros((50, 3), F32))
    assert fixed(x=x * 2) is fixed.result and (fixed.result == 3).all()
    with pytest.raises(ArgumentError, match="out"):
        fixed(x=np.ones((4, 3), F32), b=np.ones(4, F32))
    assert (fixed() == 3).all()


def test_bind_many_outputs(two: CompiledFunction) -> None:
    a, b = np.array(3, I32), np.array(1, I32)
    bound = two.bind(a, b)
    assert bound() == (4, 2)
    a[...] = 10
    assert bound() == (11, 9)


def test_bind_checks(add: CompiledFunction, rows: CompiledFunction, x: Any, b: Any) -> None:
    for given, problem in (
        (layouts(x)["swapped"], "of the other byte order"),
        (layouts(x)["strided"], "not C-contiguous"),
        (layouts(x)["unaligned"], "not aligned"),
        (x.tolist(), "found list"),
    ):
        with pytest.raises(ArgumentError, match=rf"input 'x': bind\(\) takes .*; .*{problem}$"):
            add.bind(given, b)
    with pytest.raises(DTypeError, match="found float64, expected float32"):
        add.bind(x.astype(np.float64), b)
    with pytest.raises(ArgumentError, match="out for 'y': it shares memory with an input"):
        add.bind(x, b, out=x)
    with pytest.raises(ArgumentError, match="axis 0: found 3, expected 2"):
        add.bind(np.zeros((3, 3), F32), b)
    with pytest.raises(ArgumentError, match="13 rows are unlucky"):
        rows.bind(np.zeros((13, 3), F32), np.zeros(13, F32))()


def test_bind_notices_another_output_shape(first: CompiledFunction) -> None:
    n, x = np.array(2), np.arange(4, dtype=F32)
    bound = first.bind(n, x)
    assert bound().tolist() == [0, 1]
    n[...] = 3
    refused("bind(): the inputs now give outputs of another size", bound)
    n[...] = 9
    refused("opc.first: the length is not from 0 to 4", bound)
    n[...] = 2
    assert bound().tolist() == [0, 1]


# Weights and workspace


def weigh() -> Interface:
    """The interface of ``weigh_run``."""
    return interface("weigh", {"x": (F32, ())}, {"y": (F32, ())}, has_weights=True)


def test_weights(library: Path) -> None:
    memory = np.zeros(34, F32)
    start = -memory.ctypes.data % 64 // 4
    weights = memory[start : start + 2]
    weights[1] = 3
    function = CompiledFunction(weigh(), library, weights)
    assert function(2) == 6
    assert function.bind(np.array(2, F32))() == 6
    # From a cache line on they are read in place, and must not be written to.
    function(2, out=weights[1:].reshape(()))
    assert function(2) == 12
    refused("main() needs its weights", lambda: CompiledFunction(weigh(), library))


def test_weights_at_an_odd_address(library: Path) -> None:
    buffer = np.zeros(9, np.uint8)
    weights = buffer[1:]
    weights[4:] = np.array([3], F32).view(np.uint8)
    assert CompiledFunction(weigh(), library, weights)(2) == 6


def space(workspace: int) -> Interface:
    """The interface of ``space_run``."""
    return interface("space", {}, {"y": (np.uint64, ())}, workspace=workspace)


def test_workspace_is_aligned_and_reused(library: Path) -> None:
    function = CompiledFunction(space(1000), library)
    addresses = {int(function()) for _ in range(5)}
    assert len(addresses) == 1
    assert addresses.pop() % 64 == 0
    assert int(function.bind()()) % 64 == 0


def test_workspace_is_per_thread(library: Path) -> None:
    function = CompiledFunction(space(1000), library)
    barrier = threading.Barrier(4)
    addresses: list[int] = []

    def work() -> None:
        barrier.wait()
        addresses.append(int(function()))
        barrier.wait()

    in_threads([work] * 4)
    assert len(set(addresses)) == 4


def test_workspace_grows(rows: CompiledFunction) -> None:
    for n in (1, 1000, 10, 5000):
        assert (rows(np.ones((n, 3), F32), np.ones(n, F32)) == 2).all()


# Threads


def in_threads(workers: list[Callable[[], None]]) -> None:
    """Run them at once, and raise what they raise."""
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_many_threads(add: CompiledFunction, rows: CompiledFunction) -> None:
    def work(seed: int) -> None:
        generator = np.random.default_rng(seed)
        for _ in range(200):
            x, b = generator.random((2, 2, 3), F32)
            np.testing.assert_array_equal(add(x, b), x + b)
            n = int(generator.integers(14, 400))
            x, b = generator.random((n, 3), F32), generator.random(n, F32)
            np.testing.assert_array_equal(rows(x, b), x + b[:, None])

    in_threads([lambda seed=seed: work(seed) for seed in range(8)])


def test_interpreter_lock_is_released(library: Path) -> None:
    function = CompiledFunction(one("wait", np.float64), library)
    x = np.array(0.0)
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(function(x)))
    thread.start()
    time.sleep(0.05)
    # Were the lock held, this line would wait for the C to give up.
    x[...] = 7
    thread.join(timeout=10)
    assert not thread.is_alive()
    assert results == [7]
