"""The written-out call: what it decides itself, and that it decides as the general call does."""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opc.errors import ArgumentError
from opc.runtime import arguments, direct
from opc.runtime.callable import CompiledFunction
from opc.support.interface import Interface
from tests.unit.common.runtime_samples import (
    ADD,
    F32,
    FIRST,
    I32,
    SCHEMAS,
    TWO,
    built_library,
    interface,
    layouts,
    refused,
)

PLANNED = replace(SCHEMAS, reads_sizes=False)
WEIGH = interface("weigh", {"x": (F32, ())}, {"y": (F32, ())}, has_weights=True)


def loaded(described: Interface) -> CompiledFunction:
    """A function of the samples."""
    weights = np.array([0, 3], F32) if described.has_weights else None
    return CompiledFunction(described, built_library(), weights)


def general(described: Interface) -> CompiledFunction:
    """The same function, which leaves every decision to the general call."""
    function = loaded(described)
    function._direct = lambda args, out: None  # pyright: ignore[reportPrivateUsage]
    return function


def only_direct(described: Interface) -> CompiledFunction:
    """The same function, which fails where the general call would be needed."""
    function = loaded(described)

    def fail(args: Any, out: Any) -> Any:
        raise AssertionError("the general call was used")

    function._general = fail  # pyright: ignore[reportPrivateUsage]
    return function


@pytest.mark.skipif(
    arguments.pointer_text("x") == "pointer(x)", reason="another text is written here"
)
def test_text_is_the_one_in_the_documentation() -> None:
    function = loaded(PLANNED)
    text = "\n".join(direct._text(function._native))  # pyright: ignore[reportPrivateUsage]
    assert direct.__doc__ is not None
    block = direct.__doc__.split("::\n\n")[1].split("\n\nThe text")[0]
    assert "\n".join(f"    {line}" for line in text.splitlines()) == block


def test_what_fits_needs_no_general_call() -> None:
    x, b = np.arange(6, dtype=F32).reshape(2, 3), np.ones((2, 3), F32)
    add, y = only_direct(ADD), np.zeros((2, 3), F32)
    np.testing.assert_array_equal(add(x, b), x + b)
    np.testing.assert_array_equal(add(b=b, x=x), x + b)
    assert add(x, b, out=y) is y
    np.testing.assert_array_equal(y, x + b)
    x.flags.writeable = False
    np.testing.assert_array_equal(add(x, b), x + b)
    a, c = np.array(3, I32), np.array(1, I32)
    assert only_direct(TWO)(a, c) == (4, 2)
    results = np.zeros((), I32), np.zeros((), I32)
    assert only_direct(TWO)(a, c, out=results) is results
    assert results == (4, 2)
    assert only_direct(WEIGH)(np.array(2, F32)) == 6
    assert only_direct(FIRST)(np.array(2), np.arange(4, dtype=F32)).tolist() == [0, 1]
    assert only_direct(interface("none", {"x": (F32, ())}, {}))(np.array(2, F32)) == ()
    assert only_direct(interface("source", {}, {"y": (F32, (2,))}))().tolist() == [1, 2]


def test_sizes_are_remembered_by_shape() -> None:
    rows = only_direct(PLANNED)
    for n in (1, 5, 13, 1, 5, 0, 2000, *range(14, 200), 1):
        x, b = np.ones((n, 3), F32), np.arange(n, dtype=F32)
        if n == 13:
            with pytest.raises(ArgumentError, match=r"13 rows .* \(N = 13, from input 'x'"):
                rows(x, b)
            continue
        np.testing.assert_array_equal(rows(x, b), x + b[:, None])
    # Another rank or extent is another entry, or none.
    refused(
        "input 'b' axis 0: found 4, expected 5 (N, from input 'x' axis 0)",
        lambda: rows(np.zeros((5, 3), F32), np.zeros(4, F32)),
    )
    with pytest.raises(ArgumentError, match="input 'x': found rank 1"):
        rows(np.zeros(3, F32), np.zeros(3, F32))


def test_sizes_that_depend_on_values_are_not_remembered() -> None:
    first, n, x = only_direct(FIRST), np.array(0), np.arange(4, dtype=F32)
    for count in (3, 1, 4, 0, 2):
        n[...] = count
        assert first(n, x).tolist() == list(range(count))
    n[...] = 9
    refused("opc.first: the length is not from 0 to 4", lambda: first(n, x))


@pytest.mark.parametrize("start", range(0, 64, 4))
def test_weights_are_bytes_wherever_they_lie(start: int) -> None:
    block = np.zeros(128, np.uint8)
    first = -block.ctypes.data % 64 + start
    weights = block[first : first + 8].view(F32)
    weights[:] = 0, 3
    function = CompiledFunction(WEIGH, built_library(), weights)
    kept = function._native.weights  # pyright: ignore[reportPrivateUsage]
    assert kept is not None and kept.dtype == np.uint8 and kept.ctypes.data % 64 == 0
    # Where the result would be written over what is read, the general call takes a detour.
    assert function(np.array(2, F32), out=kept[4:].view(F32).reshape(())) == 6
    assert function(np.array(2, F32)) == 12


def test_result_that_cannot_be_allocated() -> None:
    huge = interface("source", {}, {"y": (F32, (1 << 62, 4))})
    with pytest.raises(ArgumentError, match="cannot make outputs of shape"):
        loaded(huge)()


# Against the general call


def variants(exact: Any) -> list[Any]:
    """Values that an input or ``out`` may be given, fit or not."""
    return [
        exact,
        exact[None],
        exact.reshape(-1),
        exact.view(np.memmap),
        exact.astype(np.float64),
        exact.tolist(),
        (exact,),
        None,
        float("inf"),
        *(layouts(exact).values() if exact.ndim else ()),
    ]


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives, as something that can be compared."""
    try:
        result = call()
    except Exception as error:
        return type(error), str(error)
    arrays = result if isinstance(result, tuple) else (result,)
    return type(result), [(type(a), a.shape, a.dtype, a.tolist()) for a in arrays]


CASES = {"add": (ADD, [(2, 3), (2, 3)]), "rows": (PLANNED, [(4, 3), (4,)]), "weigh": (WEIGH, [()])}
PAIRS = {name: (loaded(case), general(case)) for name, (case, _) in CASES.items()}


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_decides_as_the_general_call(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(CASES)))
    # Half of the values are the one that fits.
    choice = st.one_of(st.just(0), st.integers(0, 20))
    shapes = CASES[name][1]
    chosen = [data.draw(choice) for _ in (*shapes, shapes[0])]
    count = data.draw(st.sampled_from([len(shapes)] * 4 + [0, 1, len(shapes) + 1]))
    kind = data.draw(st.sampled_from(["none", "new", "first input", "weights"]))
    results: list[Any] = []
    for function in PAIRS[name]:
        # Made anew for each of the two, since a call may write to them.
        exact = [np.arange(np.prod(s, dtype=int), dtype=F32).reshape(s) for s in shapes]
        values = [variants(x)[k % len(variants(x))] for x, k in zip(exact, chosen, strict=False)]
        new = variants(np.full(shapes[0], 7, F32))
        weights = function._native.weights  # pyright: ignore[reportPrivateUsage]
        out: Any = {
            "none": None,
            "new": new[chosen[-1] % len(new)],
            "first input": values[0],
            "weights": weights if weights is None else weights[:4].view(F32).reshape(()),
        }[kind]
        args = [*values, *values][:count]
        results.append((outcome(lambda f=function, a=args, o=out: f(*a, out=o)), repr(args)))
    assert results[0] == results[1]


def test_another_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = arguments._slow_pointer  # pyright: ignore[reportPrivateUsage]
    for module in (arguments, direct):
        monkeypatch.setattr(module, "pointer", slow)
    add = only_direct(ADD)
    assert "pointer(in0)" in "\n".join(direct._text(add._native))  # pyright: ignore[reportPrivateUsage]
    x, y = np.ones((2, 3), F32), np.zeros((2, 3), F32)
    assert add(x, x, out=y) is y
    assert (y == 2).all() and (add(x, y) == 3).all()


@pytest.mark.parametrize("offset", range(-7, 8))
def test_every_overlap(offset: int) -> None:
    block = np.arange(30, dtype=F32)
    x, b = block[10:16].reshape(2, 3), np.ones((2, 3), F32)
    out = block[10 + offset : 16 + offset].reshape(2, 3)
    expected = x + 1
    assert loaded(ADD)(x, b, out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_many_threads_with_many_shapes() -> None:
    rows, errors = only_direct(PLANNED), list[BaseException]()

    def work(seed: int) -> None:
        generator = np.random.default_rng(seed)
        try:
            for _ in range(300):
                n = int(generator.integers(14, 300))
                x, b = generator.random((n, 3), F32), generator.random(n, F32)
                np.testing.assert_array_equal(rows(x, b), x + b[:, None])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


@pytest.mark.parametrize("places", list(itertools.product(range(4), repeat=4)))
def test_every_overlap_of_several_outputs(places: tuple[int, ...]) -> None:
    outcomes: list[Any] = []
    for function in loaded(TWO), general(TWO):
        block = np.arange(5, 9, dtype=I32)
        a, b, s, d = (block[k : k + 1].reshape(()) for k in places)
        call = functools.partial(function, a, b, out=(s, d))
        outcomes.append((outcome(call), block.tolist()))
    assert outcomes[0] == outcomes[1]
    first, second = places[0] + 5, places[1] + 5
    if places[2] == places[3]:
        assert "it shares memory with out for 's'" in str(outcomes[0])
    else:
        assert [outcomes[0][1][k] for k in places[2:]] == [first + second, first - second]
