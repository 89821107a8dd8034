"""Several donated inputs: no output overwrites an input that another output still reads."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import opc
from opc.api.driver import lower
from opc.interpret.function import run
from tests.unit.api.test_donated import model, node, tuple_of

ROWS = 8
"""Half of them fill a cache line, so that a Concat has parts in place."""
SHAPE = [ROWS, 4]
HALVES = [
    node("Constant", "", name, value_ints=[value])
    for name, value in (("zero", 0), ("half", ROWS // 2), ("end", ROWS))
]
CASES: dict[str, tuple[list[Any], dict[str, str]]] = {
    "swapped": (
        [node("Identity", "b", "ao"), node("Identity", "a", "bo")],
        {"a": "ao", "b": "bo"},
    ),
    "swapped and computed": (
        [node("Neg", "b", "ao"), node("Abs", "a", "bo")],
        {"a": "ao", "b": "bo"},
    ),
    "a line of delays": (
        [node("Identity", "b", "ao"), node("Add", "a b", "bo")],
        {"a": "ao", "b": "bo"},
    ),
    "a cycle of three": (
        [node("Neg", "b", "ao"), node("Identity", "c", "bo"), node("Abs", "a", "co")],
        {"a": "ao", "b": "bo", "c": "co"},
    ),
    "returned as it is": (
        [node("Identity", "a", "ao"), node("Mul", "a a", "bo"), node("Sub", "a c", "co")],
        {"a": "co", "b": "ao", "c": "bo"},
    ),
}
BEHIND = [
    node("Slice", "a half end", "before"),
    node("Slice", "b zero half", "half_b"),
    node("ReduceMax", "half_b", "most", axes=[1]),
    node("Sub", "half_b most", "behind"),
    node("Concat", "before behind", "y", axis=0),
    node("MatMul", "b c", "ao"),
]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", ["n", ROWS])
@pytest.mark.parametrize("name", CASES)
def test_no_output_overwrites_what_another_reads(name: str, rows: Any, threads: int) -> None:
    nodes, pairs = CASES[name]
    graph = model(nodes, {key: [rows, 4] for key in "abc"}, sorted(pairs.values()))
    arrays = [np.arange(32, dtype=np.float32).reshape(SHAPE) - 30 * k for k in range(3)]
    expected = tuple_of(opc.compile(graph)(*arrays))
    function = opc.compile(graph, threads=threads, donate=pairs)
    donated = [array.copy() for array in arrays]
    results = tuple_of(function(*donated))
    for result, array in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, array)
    for source, output in function.interface.donated:
        assert results[output] is donated[source]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_copy_is_not_overwritten_by_a_part_that_lies_there(threads: int) -> None:
    """Rows of a behind half of them are read where the part of y is, and that is computed first."""
    graph = model([*HALVES, *BEHIND], {"a": SHAPE, "b": SHAPE, "c": [4, 4]}, ["ao", "y"], 17)
    rng = np.random.default_rng(0)
    a, b, c = (rng.integers(-3, 4, s).astype(np.float32) for s in (SHAPE, SHAPE, [4, 4]))
    first = b[: ROWS // 2]
    expected = b @ c, np.concatenate([a[ROWS // 2 :], first - first.max(1, keepdims=True)])
    results = opc.compile(graph, threads=threads, donate={"a": "ao"})(a, b, c)
    assert results[0] is a
    for result, array in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, array)


def drawn(rng: Random) -> tuple[Any, dict[str, str]]:
    """A random graph over three inputs of one shape, and up to three donated pairs."""
    names, nodes = ["a", "b", "c"], list[Any]()
    for k in range(rng.randint(3, 8)):
        x, y, new = rng.choice(names), rng.choice(names), f"v{k}"
        match rng.randrange(5):
            case 0:
                nodes.append(node(rng.choice(["Neg", "Abs", "Identity"]), x, new))
            case 1:
                nodes.append(node(rng.choice(["Add", "Sub", "Max"]), f"{x} {y}", new))
            case 2:
                most = node("ReduceMax", x, f"{new}m", axes=[rng.randrange(2)])
                nodes += [most, node("Sub", f"{y} {new}m", new)]
            case 3:
                first, second = rng.choice([("zero half", "half end"), ("half end", "zero half")])
                nodes.append(node("Slice", f"{x} {first}", f"{new}p"))
                nodes.append(node("Slice", f"{y} {second}", f"{new}q"))
                nodes.append(node("ReduceMax", f"{new}q", f"{new}m", axes=[1]))
                nodes.append(node("Sub", f"{new}q {new}m", f"{new}r"))
                nodes.append(node("Concat", f"{new}p {new}r", new, axis=0))
            case _:
                product = node("MatMul", f"{x} {new}t", f"{new}s")
                turned = node("Transpose", y, f"{new}t", perm=[1, 0])
                nodes += [turned, product, node("MatMul", f"{new}s {y}", new)]
        names.append(new)
    outputs = rng.sample(names[3:], min(3, len(names) - 3))
    pairs = dict(zip(rng.sample("abc", rng.randint(1, len(outputs))), outputs, strict=False))
    return model([*HALVES, *nodes], {key: SHAPE for key in "abc"}, outputs, 17), pairs


@pytest.mark.parametrize("seed", range(80))
def test_random_graphs_with_donated_inputs(seed: int) -> None:
    graph, pairs = drawn(Random(seed))
    rng = np.random.default_rng(seed)
    arrays = [rng.integers(-3, 4, SHAPE).astype(np.float32) for _ in range(3)]
    plain, donating = (lower(graph, donate=how).module("loops") for how in (None, pairs))
    expected, results = (
        run(module.body.block.first_op, [array.copy() for array in arrays])  # type: ignore
        for module in (plain, donating)
    )
    for result, array in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, array, err_msg=str(pairs))
