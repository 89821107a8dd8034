"""Donated inputs: arrays that hold an output afterwards, of which only what is new is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

import opc
from opc.__main__ import main
from opc.api.driver import lower
from opc.errors import ArgumentError, InputError, UnsupportedError, UsageError
from opc.interpret.function import run
from opc.interpret.memory import Memory

F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def model(nodes: list[Any], inputs: dict[str, Any], outputs: list[str], version: int = 24) -> Any:
    """A model; inputs are f32 of a shape, or a pair of a type and a shape."""
    infos = [
        helper.make_tensor_value_info(name, *(value if isinstance(value, tuple) else (F32, value)))
        for name, value in inputs.items()
    ]
    results = [helper.make_tensor_value_info(name, F32, None) for name in outputs]
    imports = [helper.make_opsetid("", version), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph(nodes, "g", infos, results)
    return helper.make_model(graph, opset_imports=imports, ir_version=11)


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(kind, inputs.split(" "), outputs.split(), **attributes)


PAST = [2, 4, 100, 16]
CACHE = {"past": PAST, "new": [2, 4, 1, 16], "pos": (I64, [2])}
ROWS = {"past": [50, 8], "new": [3, 8], "pos": (I64, [3, 1])}
SLICES = [
    helper.make_node("Constant", [], [name], value_ints=[value])
    for name, value in (("zero", 0), ("at", 7), ("behind", 8), ("end", 100), ("axis", 2))
]
CONCAT = [
    *SLICES,
    node("Slice", "past zero at axis", "before"),
    node("Slice", "past behind end axis", "after"),
    node("Concat", "before new after", "present", axis=2),
]
IN_PLACE = {
    "TensorScatter": (
        model([node("TensorScatter", "past new pos", "present", axis=2)], CACHE, ["present"]),
        128,
    ),
    "ScatterND": (model([node("ScatterND", "past pos new", "present")], ROWS, ["present"]), 24),
    "ScatterND between Transposes": (
        model(
            [
                node("Transpose", "past", "p", perm=[2, 0, 1, 3]),
                node("Transpose", "new", "n", perm=[2, 0, 1, 3]),
                node("ScatterND", "p pos n", "s"),
                node("Transpose", "s", "present", perm=[1, 2, 0, 3]),
            ],
            {"past": PAST, "new": [2, 4, 1, 16], "pos": (I64, [1, 1])},
            ["present"],
        ),
        128,
    ),
    "Concat behind a Slice": (
        model(CONCAT, {"past": PAST, "new": [2, 4, 1, 16]}, ["present"]),
        128,
    ),
    "read before": (
        model(
            [node("Relu", "past", "y"), node("ScatterND", "past pos new", "present")],
            ROWS,
            ["y", "present"],
        ),
        24,
    ),
    "read behind": (
        model(
            [node("ScatterND", "past pos new", "present"), node("Relu", "present", "y")],
            ROWS,
            ["y", "present"],
        ),
        24,
    ),
    "elementwise": (
        model([node("Add", "past new", "present")], {"past": [50, 8], "new": [8]}, ["present"]),
        400,
    ),
}
COPIED = {
    "read behind the write": model(
        [
            node("ScatterND", "past pos new", "present"),
            node("Relu", "present", "z"),
            node("MatMul", "z past", "y"),
        ],
        {"past": [8, 8], "new": [3, 8], "pos": (I64, [3, 1])},
        ["present", "y"],
    ),
    "transposed": model([node("Transpose", "past", "present")], {"past": [8, 8]}, ["present"]),
    "reversed": model(
        [
            helper.make_node("Constant", [], ["last"], value_ints=[-1]),
            helper.make_node("Constant", [], ["first"], value_ints=[-100]),
            helper.make_node("Constant", [], ["axis"], value_ints=[0]),
            node("Slice", "past last first axis last", "present"),
        ],
        {"past": [50, 8]},
        ["present"],
    ),
    "returned as another output": model(
        [node("Add", "past past", "present"), node("Identity", "past", "y")],
        {"past": [50, 8]},
        ["y", "present"],
    ),
}


def values_of(graph: Any) -> list[np.ndarray[Any, Any]]:
    """Random inputs; positions are different rows."""
    random = np.random.default_rng(5)
    values: list[np.ndarray[Any, Any]] = []
    for info in graph.graph.input:
        shape = [d.dim_value for d in info.type.tensor_type.shape.dim]
        if info.type.tensor_type.elem_type == I64:
            values.append(random.permutation(8)[: np.prod(shape)].reshape(shape).astype(np.int64))
        else:
            values.append(random.standard_normal(shape).astype(np.float32))
    return values


def tuple_of(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", [*IN_PLACE, *COPIED])
def test_results_are_those_of_the_function(name: str, threads: int) -> None:
    """The donated array holds the output; others are the same, and so is the interpreter's."""
    graph = IN_PLACE[name][0] if name in IN_PLACE else COPIED[name]
    values = values_of(graph)
    expected = tuple_of(opc.compile(graph, threads=threads)(*values))
    function = opc.compile(graph, threads=threads, donate={"past": "present"})
    position = [spec.name for spec in function.outputs].index("present")
    assert function.interface.donated == ((0, position),)
    for stage in ("graph", "schedule", "loops"):
        module = function.lowered.module(stage)
        results = run(module.body.block.first_op, [v.copy() for v in values])  # type: ignore
        for result, array in zip(results, expected, strict=True):
            np.testing.assert_array_equal(result, array, err_msg=stage)
    given = [v.copy() for v in values]
    results = tuple_of(function(*given))
    assert results[position] is given[0]
    for result, array in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, array)


def written(lowered: Any, values: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The elements of an output that the loops write."""
    counts: dict[int, int] = {}
    write = Memory.write

    def counting(memory: Memory, op: Any, at: Any, value: Any) -> None:
        key = memory.data.__array_interface__["data"][0]
        counts[key] = counts.get(key, 0) + np.size(at)
        write(memory, op, at, value)

    monkeypatch.setattr(Memory, "write", counting)
    results = run(lowered.module("loops").body.block.first_op, values)
    position = [spec.name for spec in lowered.interface.outputs].index(name)
    return counts[results[position].__array_interface__["data"][0]]


@pytest.mark.parametrize("name", IN_PLACE)
def test_only_what_is_new_is_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, count = IN_PLACE[name]
    lowered = lower(graph, donate={"past": "present"})
    assert written(lowered, values_of(graph), "present", monkeypatch) == count


def test_a_cache_that_grows(tmp_path: Path) -> None:
    """Steps over one cache, bound once; the same after saving."""
    graph = IN_PLACE["TensorScatter"][0]
    compiled = opc.compile(graph, donate={"past": "present"})
    path = compiled.save(tmp_path)
    assert json.loads(path.read_text())["donated"] == [[0, 0]]
    for function in (compiled, opc.load(path)):
        cache, new = np.zeros(PAST, np.float32), np.zeros((2, 4, 1, 16), np.float32)
        position = np.zeros(2, np.int64)
        step = function.bind(cache, new, position)
        for k in range(100):
            new[...], position[...] = k, [k, 99 - k]
            assert step() is cache
        expected = np.arange(100, dtype=np.float32)
        np.testing.assert_array_equal(cache[0, 1, :, 3], expected)
        np.testing.assert_array_equal(cache[1, 2, :, 5], expected[::-1])
    assert "the array that is in0, which it replaces" in " ".join(compiled.header.split())


def test_a_shared_cache_of_grouped_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    """GroupQueryAttention with past and present in one array of the greatest length."""
    attributes = {"num_heads": 4, "kv_num_heads": 2, "domain": "com.microsoft"}
    inputs = "q k v past_key past_value lengths total"
    attention = node("GroupQueryAttention", inputs, "y past_k past_v", **attributes)
    i32 = TensorProto.INT32
    graph = model(
        [attention],
        {
            "q": [1, 1, 64],
            "k": [1, 1, 32],
            "v": [1, 1, 32],
            "past_key": [1, 2, 40, 16],
            "past_value": [1, 2, 40, 16],
            "lengths": (i32, [1]),
            "total": (i32, []),
        },
        ["y", "past_k", "past_v"],
    )
    pairs = {"past_key": "past_k", "past_value": "past_v"}
    donated, plain = opc.compile(graph, donate=pairs), opc.compile(graph)
    random = np.random.default_rng(3)
    caches = [np.zeros((1, 2, 40, 16), np.float32) for _ in range(2)]
    for k in range(12):
        new = [random.standard_normal((1, 1, n)).astype(np.float32) for n in (64, 32, 32)]
        lengths = np.array([k], np.int32), np.array(k + 1, np.int32)
        expected = plain(*new, *caches, *lengths)
        results = donated(*new, *caches, *lengths)
        assert results[1] is caches[0] and results[2] is caches[1]
        for result, array in zip(results, expected, strict=True):
            np.testing.assert_array_equal(result, array)
    message = "the donated cache has no room for all positions"
    with pytest.raises(ArgumentError, match=message):
        donated(*new, *caches, np.array([40], np.int32), np.array(41, np.int32))
    values = [*new, *caches, np.array([12], np.int32), np.array(13, np.int32)]
    assert written(donated.lowered, values, "past_k", monkeypatch) == 32
    # A bound call takes more memory where the total grows.
    lengths = np.array([1], np.int32), np.array(2, np.int32)
    bound = plain.bind(*new, *caches, *lengths)
    for _ in range(30):
        for result, array in zip(bound(), plain(*new, *caches, *lengths), strict=True):
            np.testing.assert_array_equal(result, array)
        for value in lengths:
            value += 1


def test_attention_beside_caches_that_are_scattered_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attention of opset 24 reads the positions that a batch has, and a step writes its rows."""
    nodes = [
        node("TensorScatter", "past_k k pos", "keys", axis=2),
        node("TensorScatter", "past_v v pos", "values", axis=2),
        node("Attention", "q keys values    lengths", "y", is_causal=1),
    ]
    cache = [2, 2, 40, 16]
    inputs: dict[str, Any] = {"q": [2, 4, 1, 16], "k": [2, 2, 1, 16], "v": [2, 2, 1, 16]}
    inputs |= {"past_k": cache, "past_v": cache, "pos": (I64, [2]), "lengths": (I64, [2])}
    graph = model(nodes, inputs, ["y", "keys", "values"])
    plain = opc.compile(graph)
    donated = opc.compile(graph, donate={"past_k": "keys", "past_v": "values"})
    random = np.random.default_rng(4)
    for counts in (np.array([1, 3]), np.array([17, 9]), np.array([40, 1])):
        held = [random.standard_normal(cache).astype(np.float32) for _ in "kv"]
        new = [random.standard_normal(inputs[n]).astype(np.float32) for n in "qkv"]
        wanted = plain(*new, *held, counts - 1, counts)
        # What is behind the last position of all is not read, whatever it is.
        own = [x.copy() for x in held]
        for x in own:
            x[:, :, counts.max() :] = np.nan
        results = donated(*new, *own, counts - 1, counts)
        assert results[1] is own[0] and results[2] is own[1]
        np.testing.assert_array_equal(results[0], wanted[0])
    values = [*new, *held, counts - 1, counts]
    assert written(donated.lowered, values, "keys", monkeypatch) == 2 * 2 * 16


def growing(mask: str) -> Any:
    """Caches that grow by a Concat, beside a mask of a named length, as optimum writes them."""
    names = ("k", "v")
    nodes = [node("Concat", f"past_{n} new", f"present_{n}", axis=1) for n in names]
    nodes += [
        node("Add", "present_k present_v", "sum"),
        node("ReduceSum", "sum", "total", keepdims=0, noop_with_empty_axes=0),
        node("ReduceMax", "mask", "most", keepdims=0),
        node("Mul", "total most", "y"),
        node("Relu", "past_k", "before"),
    ]
    inputs = {f"past_{n}": [2, "past", 4] for n in names} | {"new": [2, "n", 4], "mask": [mask]}
    return model(nodes, inputs, ["present_k", "present_v", "y", "before"])


def test_an_array_with_room_for_a_concat(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mask says how many elements are there; only new ones are written."""
    graph = growing("past + n")
    pairs = {f"past_{n}": f"present_{n}" for n in "kv"}
    plain, donated = opc.compile(graph), opc.compile(graph, donate=pairs)
    assert donated.inputs[0].shape == (2, "past_room", 4) == donated.inputs[1].shape
    random, caches = np.random.default_rng(2), [np.zeros((2, 9, 4), np.float32) for _ in "kv"]
    held = [c[:, :0].copy() for c in caches]
    for count in (3, 1, 2, 1):
        new = random.standard_normal((2, count, 4)).astype(np.float32)
        mask = random.standard_normal(held[0].shape[1] + count).astype(np.float32)
        *held, y, before = plain(*held, new, mask)
        results = donated(*caches, new, mask)
        assert results[0] is caches[0] and results[1] is caches[1]
        for cache, wanted in zip(caches, held, strict=True):
            np.testing.assert_array_equal(cache[:, : mask.size], wanted)
        np.testing.assert_array_equal(results[2], y)
        np.testing.assert_array_equal(results[3], before)
    values = [*caches, new, np.ones(8, np.float32)]
    assert written(donated.lowered, values, "present_k", monkeypatch) == 8
    for size, message in ((10, "has no room for all positions"), (0, "below that of the new")):
        with pytest.raises(ArgumentError, match=message):
            donated(*caches, new, np.ones(size, np.float32))


def test_a_concat_whose_length_nothing_says() -> None:
    pairs = {f"past_{n}": f"present_{n}" for n in "kv"}
    with pytest.raises(UnsupportedError, match="expected the same type"):
        opc.compile(growing("other"), donate=pairs)


def test_layers_share_what_they_read_of_an_input() -> None:
    """Attentions of one length have one symbol for it, so that their loops are equal."""
    i32 = TensorProto.INT32
    attributes = {"num_heads": 2, "kv_num_heads": 2, "domain": "com.microsoft"}
    nodes = [
        node("GroupQueryAttention", f"{x} k v k{n} v{n} lengths total", f"y{n}", **attributes)
        for n, x in enumerate(("q", "y0"))
    ]
    caches = {f"{name}{n}": [1, 2, 40, 16] for n in (0, 1) for name in "kv"}
    inputs = {"q": [1, 1, 32], "k": [1, 1, 32], "v": [1, 1, 32], **caches}
    graph = model(nodes, inputs | {"lengths": (i32, [1]), "total": (i32, [])}, ["y1"])
    assert lower(graph).ir("graph").count("opc.read_extents") == 1


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ({"pasd": "present"}, "donate: no input 'pasd'; there are: 'past', 'new', 'pos'"),
        ({"past": "y"}, "donate: no output 'y'; there are: 'present'"),
        (["past"], r"donate: found \['past'\], expected names, as"),
        ({"past": "present", "new": "present"}, "donate: 'present' is given twice"),
    ],
)
def test_wrong_names(pairs: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        opc.compile(IN_PLACE["ScatterND"][0], donate=pairs)


def test_another_type() -> None:
    with pytest.raises(UnsupportedError, match=r"found input 1 of tensor<3x8xf32> for output 0"):
        opc.compile(IN_PLACE["ScatterND"][0], donate={"new": "present"})


def test_arrays_that_cannot_be_donated() -> None:
    graph = IN_PLACE["ScatterND"][0]
    function = opc.compile(graph, donate={"past": "present"})
    past, new, position = values_of(graph)
    fixed = past.copy()
    fixed.flags.writeable = False
    calls = [
        (fixed, new, {}, "'past': donate takes a writable array; the array is read-only"),
        (past[:, ::-1], new, {}, "the array is not C-contiguous"),
        (past, past[3:6], {}, "'past': it is donated, but shares memory with input 'new'"),
        (past, new, {"out": past.copy()}, "expected that of the donated input 'past'"),
    ]
    for first, second, keywords, message in calls:
        for call in (function, function.bind):
            with pytest.raises(ArgumentError, match=message):
                call(first, second, position, **keywords)
    assert function(past, new, position, out=past) is past


def test_wrong_fields_of_the_json(tmp_path: Path) -> None:
    from tests.unit.runtime.test_load import rewritten

    path = opc.compile(IN_PLACE["ScatterND"][0], donate={"past": "present"}).save(tmp_path)
    for pairs in ([[1, 0]], [[0, 0], [0, 0]], [[9, 0]], [0], {"0": 0}):
        rewritten(path, lambda fields, pairs=pairs: fields.update(donated=pairs))
        with pytest.raises(InputError, match="donated: found"):
            opc.load(path)


def test_a_program_has_arrays_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--emit main`` reads and writes files, so nothing can be donated."""
    path = tmp_path / "rows.onnx"
    path.write_bytes(IN_PLACE["ScatterND"][0].SerializeToString())
    command = ["compile", str(path), "-o", str(tmp_path), "--donate", "past=present"]
    assert main([*command, "--emit", "c,main"]) == 2
    assert "--donate: found --emit main" in capsys.readouterr().err
    assert main([*command, "--emit", "c,h"]) == 0
    assert "the array that is in0" in " ".join((tmp_path / "rows.h").read_text().split())
