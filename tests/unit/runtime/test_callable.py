"""Calling compiled C: shapes, outputs, the object itself and what a call costs."""

from __future__ import annotations

import copy
import ctypes
import itertools
import pickle
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import expr as ex
from opc.dialects.polynomial import EVALUATE
from opc.errors import ArgumentError, DTypeError, NoMemoryError, ToolchainError
from opc.runtime import arguments
from opc.runtime.callable import CompiledFunction
from opc.runtime.folding import FUNCTIONS, folded
from tests.unit.common.runtime_samples import (
    ADD,
    BF16,
    C_TEXT,
    F32,
    I32,
    interface,
    layouts,
    one,
    refused,
)

# Shapes


def test_wrong_extents(add: CompiledFunction, rows: CompiledFunction, x: Any) -> None:
    refused("input 'x' axis 1: found 7, expected 3", lambda: add(np.zeros((2, 7), F32), x))
    refused("input 'b' axis 0: found 0, expected 2", lambda: add(x, np.zeros((0, 3), F32)))
    refused(
        "input 'b' axis 0: found 4, expected 5 (N, from input 'x' axis 0)",
        lambda: rows(np.zeros((5, 3), F32), np.zeros(4, F32)),
    )
    refused(
        "input 'x' axis 1: found 2, expected 3",
        lambda: rows(np.zeros((5, 2), F32), np.zeros(5, F32)),
    )


def test_wrong_ranks(add: CompiledFunction, rows: CompiledFunction, x: Any) -> None:
    refused("input 'x': found rank 0 (shape []), expected rank 2 (shape [2,3])", lambda: add(1, x))
    refused(
        "input 'x': found rank 1 (shape [3]), expected rank 2 (shape [N,3])",
        lambda: rows(np.zeros(3, F32), np.zeros(3, F32)),
    )


@pytest.mark.parametrize("n", [0, 1, 5, 1000])
def test_symbols(n: int, rows: CompiledFunction) -> None:
    x, b = np.ones((n, 3), F32), np.arange(n, dtype=F32)
    y = rows(x, b)
    assert y.shape == (n, 3)
    np.testing.assert_array_equal(y, x + b[:, None])
    out = np.full((n, 3), -1, F32)
    assert rows(b=b, x=x, out=out) is out
    np.testing.assert_array_equal(out, y)


def test_symbol_twice_in_one_input(library: Path) -> None:
    square = interface("none", {"x": (F32, ("N", "N"))}, {})
    function = CompiledFunction(square, library)
    assert function(np.zeros((2, 2), F32)) == ()
    refused(
        "input 'x' axis 1: found 3, expected 2 (N, from input 'x' axis 0)",
        lambda: function(np.zeros((2, 3), F32)),
    )


def test_zero_size(library: Path) -> None:
    function = CompiledFunction(interface("none", {"x": (F32, (0, 4))}, {}), library)
    assert function(np.zeros((0, 4), F32)) == ()
    assert function(np.zeros((4, 0), F32).T) == ()
    with pytest.raises(ArgumentError, match="axis 1: found 5, expected 4"):
        function(np.zeros((0, 5), F32))


def test_rank_zero(library: Path) -> None:
    function = CompiledFunction(one("u32", np.float32), library)
    y = function(np.array(2.5, F32))
    assert type(y) is np.ndarray
    assert y.shape == ()
    assert y == 2.5


def test_shape_that_depends_on_values(first: CompiledFunction) -> None:
    x = np.arange(4, dtype=F32)
    for n in range(5):
        assert first(n, x).tolist() == list(range(n))
    refused("opc.first: the length is not from 0 to 4", lambda: first(9, x))
    with pytest.raises(ArgumentError, match=r"out for 'y': found shape .3., expected .2."):
        first(2, x, out=np.zeros(3, F32))


def test_impossible_sizes(first: CompiledFunction) -> None:
    x = np.arange(4, dtype=F32)
    for n in (100, 101):
        with pytest.raises(ArgumentError, match="cannot make outputs of shape"):
            first(n, x)
    with pytest.raises(NoMemoryError, match="cannot allocate a workspace of"):
        first(102, x)


def test_failed_check_says_where_its_values_are_from(rows: CompiledFunction) -> None:
    refused(
        "opc.rows: 13 rows are unlucky in {graph} (N = 13, from input 'x' axis 0)",
        lambda: rows(np.zeros((13, 3), F32), np.zeros(13, F32)),
    )


def test_hostile_template_and_names(library: Path) -> None:
    hostile = "a\nb{0.__class__}"
    function = CompiledFunction(
        interface("fail", {hostile: (F32, ())}, {"y": (F32, ())}, checks=("{0.__class__} {} {{",)),
        library,
    )
    refused("{0.__class__} {} {{", lambda: function(1))
    with pytest.raises(DTypeError, match=r"input 'a\\nb\{0\.__class__\}': found"):
        function(None)
    assert "\n" not in repr(function)


@pytest.mark.parametrize("code", [2, 99, -2])
def test_unknown_return_code(code: int, library: Path) -> None:
    described = interface("fail", {"x": (F32, ())}, {"y": (F32, ())}, checks=("no",))
    function = CompiledFunction(described, library)
    refused(f"main(): the C function returned {code}", lambda: function(code))
    assert function(0) == 0


# Outputs


def test_out(add: CompiledFunction, two: CompiledFunction, x: Any, b: Any) -> None:
    y = np.full((2, 3), np.nan, F32)
    assert add(x, b, out=y) is y
    np.testing.assert_array_equal(y, x + b)
    for out in ((y,), [y]):
        y[...] = np.nan
        assert add(x, b, out=out) == (y,)
        np.testing.assert_array_equal(y, x + b)
    s, d = np.zeros((), I32), np.zeros((), I32)
    result = two(3, 1, out=(s, d))
    assert type(result) is tuple
    assert result[0] is s and result[1] is d
    assert (s, d) == (4, 2)


def test_out_may_be_a_subclass(add: CompiledFunction, x: Any, b: Any, tmp_path: Path) -> None:
    y = np.memmap(tmp_path / "y", F32, "w+", shape=(2, 3))
    assert add(x, b, out=y) is y
    np.testing.assert_array_equal(np.asarray(y), x + b)


def test_wrong_out(add: CompiledFunction, two: CompiledFunction, x: Any, b: Any) -> None:
    y = np.zeros((2, 3), F32)
    read_only = y.copy()
    read_only.flags.writeable = False
    wrong = {
        "found shape [3,2], expected [2,3]": np.zeros((3, 2), F32),
        "found shape [], expected [2,3]": np.zeros((), F32),
        "found list, expected an array": [[1.0]],
        "found int, expected an array": 1,
        "the array is read-only": read_only,
        "the array is not C-contiguous": np.asfortranarray(y),
        "the array is not aligned": layouts(y)["unaligned"],
        "found float64, expected float32": np.zeros((2, 3)),
        "found >f4, expected float32": np.zeros((2, 3), ">f4"),
    }
    for message, out in wrong.items():
        refused(f"out for 'y': {message}", lambda out=out: add(x, b, out=out), Exception)
    refused("out: found 2 arrays, expected 1 array", lambda: add(x, b, out=(y, y)))
    refused("out: found 1 array, expected 2 arrays", lambda: two(1, 2, out=np.zeros((), I32)))
    np.testing.assert_array_equal(y, 0)


def test_out_over_an_input(add: CompiledFunction, x: Any, b: Any) -> None:
    expected = x + b
    in_place = x.copy()
    assert add(in_place, b, out=in_place) is in_place
    np.testing.assert_array_equal(in_place, expected)
    block = np.zeros(9, F32)
    given, shifted = block[:6].reshape(2, 3), block[3:].reshape(2, 3)
    given[...] = x
    assert add(given, b, out=shifted) is shifted
    np.testing.assert_array_equal(shifted, expected)


def test_out_beside_an_input(add: CompiledFunction, x: Any, b: Any) -> None:
    block = np.zeros((4, 3), F32)
    block[:2] = x
    add(block[:2], b, out=block[2:])
    np.testing.assert_array_equal(block, np.concatenate([x, x + b]))


def test_outs_over_each_other(two: CompiledFunction) -> None:
    s = np.zeros((), I32)
    refused("out for 'd': it shares memory with out for 's'", lambda: two(1, 2, out=(s, s)))


def test_results_are_new_each_time(add: CompiledFunction, x: Any, b: Any) -> None:
    first, second = add(x, b), add(x, b)
    assert not np.shares_memory(first, second)
    assert first.flags.owndata and first.flags.writeable


# The object itself


def test_repr_and_properties(
    add: CompiledFunction, two: CompiledFunction, rows: CompiledFunction, library: Path
) -> None:
    assert repr(add) == "<opc function main(x: f32[2,3], b: f32[2,3]) -> f32[2,3]>"
    assert repr(two) == "<opc function main(a: i32[], b: i32[]) -> (i32[], i32[])>"
    assert repr(rows) == "<opc function main(x: f32[N,3], b: f32[N]) -> f32[N,3]>"
    assert (add.inputs, add.outputs) == (ADD.inputs, ADD.outputs)
    assert add.library == library
    assert add.interface is ADD
    assert add.__name__ == "main"
    given: dict[str, Any] = {
        "a": (np.bool_, (1,)),
        "b": (np.uint8, ()),
        "c": (BF16, ()),
        "d": (np.float16, ()),
    }
    none = CompiledFunction(interface("none", given, {}), library)
    assert repr(none) == "<opc function main(a: i1[1], b: ui8[], c: bf16[], d: f16[]) -> ()>"


def test_copies_are_refused(add: CompiledFunction, x: Any) -> None:
    for given in (add, add.bind(x, x)):
        for action in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot be pickled"):
                action(given)


def test_subclass(library: Path, x: Any, b: Any) -> None:
    class WithSource(CompiledFunction):
        c_source = C_TEXT

    np.testing.assert_array_equal(WithSource(ADD, library)(x, b), x + b)


def test_wrong_library(library: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolchainError, match="cannot use the library"):
        CompiledFunction(one("other", F32), library)
    with pytest.raises(ToolchainError, match="cannot use the library"):
        CompiledFunction(ADD, tmp_path / "none.so")


def test_dim_that_no_input_has(library: Path) -> None:
    described = interface("none", {"x": (F32, ("N",))}, {}, dims=("M",))
    refused("no input axis gives M", lambda: CompiledFunction(described, library))


def test_pointer_is_the_address_of_the_data() -> None:
    for array in (np.arange(9)[2:7:2], np.zeros((0, 3)), np.array(1.5), np.zeros(3, BF16)):
        assert arguments.pointer(array).value == array.ctypes.data


def test_another_interpreter_has_another_layout(
    monkeypatch: pytest.MonkeyPatch, library: Path, x: Any, b: Any
) -> None:
    wrong = arguments._HEADER + ctypes.sizeof(ctypes.c_void_p)  # pyright: ignore[reportPrivateUsage] there is no other way to see it
    monkeypatch.setattr(arguments, "_HEADER", wrong)
    slow = arguments._choose_pointer()  # pyright: ignore[reportPrivateUsage] as above
    assert slow(x).value == x.ctypes.data


# What a call costs


def best(*calls: Callable[[], Any], number: int = 100) -> list[float]:
    """The time of each call, at best: in one of many short rounds nothing else runs.

    The calls take turns, since a processor may change its clock for longer than one of them takes.
    """
    times: list[list[float]] = []
    for _ in range(1000):
        times.append([])
        for call in calls:
            start = time.perf_counter()
            for _ in range(number):
                call()
            times[-1].append(time.perf_counter() - start)
    return [min(column) for column in zip(*times, strict=True)]


def test_overhead(add: CompiledFunction, x: Any, b: Any) -> None:
    y = np.zeros((2, 3), F32)
    raw = ctypes.CDLL(str(add.library)).add_run
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, b, y)]
    bare, bound, call = best(lambda: raw(*pointers, None), add.bind(x, b, out=y), lambda: add(x, b))
    # In units of a bare call by ctypes, since machines differ: measured 3 to 7 for a call, 2.2 for
    # a bound one, and 22 for a call that misses the direct path.
    assert call < 13 * bare
    assert bound < 4 * bare


def _drawn(rng: np.random.Generator, depth: int) -> ex.Expr:
    """An expression of extents n and m."""
    if not depth or rng.random() < 0.2:
        return [ex.sym("n"), ex.sym("m"), ex.const(int(rng.integers(-3, 9)))][rng.integers(3)]
    a, b = _drawn(rng, depth - 1), _drawn(rng, depth - 1)
    makers: list[Callable[[], ex.Expr]] = [
        lambda: a + b, lambda: a - b, lambda: a * b, lambda: ex.minimum(a, b),
        lambda: ex.maximum(a, b), lambda: ex.atleast(a, b), lambda: ex.nonunit(a),
        lambda: ex.floordiv(a, ex.maximum(b, 1)), lambda: ex.mod(a, ex.maximum(b, 1)),
    ]  # fmt: skip
    return makers[rng.integers(len(makers))]()


def test_extents_in_messages_are_folded() -> None:
    """Whatever is computed from what a call fills in is one number; other text stays."""
    rng = np.random.default_rng(0)
    for _ in range(400):
        e, values = _drawn(rng, 3), {n: int(rng.integers(9)) for n in ("n", "m")}
        filled = str(e)
        for name, value in values.items():
            filled = re.sub(rf"\b{name}\b", f"\x01{value}", filled)
        number = e.substitute({n: ex.const(v) for n, v in values.items()}).constant
        text = f"node 3 - 4 (min(2, 3)): axis 1 of [0, {filled}]: {filled} and 2*3"
        expected = f"node 3 - 4 (min(2, 3)): axis 1 of [0, {number}]: {number} and 2*3"
        assert folded(text) == expected, str(e)


def test_functions_of_extents_in_messages() -> None:
    assert FUNCTIONS.keys() == EVALUATE.keys()
    for name, function in FUNCTIONS.items():
        for a, b in itertools.product((1, 2, 3, 7, 8, 100), repeat=2):
            arguments = (a,) if name in ("nonunit", "pow2") else (a, b)
            assert function(*arguments) == EVALUATE[name](*arguments), name


@pytest.mark.parametrize("text", ["min(k, \x014)", "k - \x014 - 1", "k*\x014 - 1", "3 - \x012*k"])
def test_what_is_not_filled_in_stays(text: str) -> None:
    assert folded(f"{text}: \x015 - 1") == f"{text.replace(chr(1), '')}: 4"


def test_what_a_call_lacks_is_said_in_numbers() -> None:
    text = """func.func @main(%x: tensor<?xf32, #opc.dims<n>>) -> tensor<?xf32, #opc.dims<n>> {
      opc.require equal<atleast(n - min(6, n), 1), 1> "is empty"
      func.return %x : tensor<?xf32, #opc.dims<n>>
    }"""
    f = opc.compile(text)
    with pytest.raises(ArgumentError, match=r"is empty: 0 and 1 \(n = 6, from"):
        f(np.zeros(6, np.float32))
