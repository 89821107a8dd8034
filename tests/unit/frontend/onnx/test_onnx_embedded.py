"""Large tensors of ONNX files stay in the file until they are needed, and are in memory once."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.api.driver import load, lower  # noqa: E402
from opc.errors import InputError  # noqa: E402
from opc.frontend.onnx.embedded import InMemory, without_weights  # noqa: E402
from tests.unit.common.onnx_models import info, model, node, run, saved  # noqa: E402

W = np.random.default_rng(0).standard_normal((600, 500), np.float32)


def parsed(content: bytes) -> tuple[Any, Any]:
    graph, embedded = without_weights(InMemory(content))
    return onnx.ModelProto.FromString(graph), embedded


def stored(tensor: Any, embedded: Any) -> Any:
    info = {e.key: e.value for e in tensor.external_data}
    assert info["location"] == embedded.name and tensor.data_location == 1
    return embedded.content.read(int(info["offset"]), int(info["length"]))


def branches() -> Any:
    """Large tensors among initializers, in an attribute, and in a branch of control flow."""
    tensor = onnx.numpy_helper.from_array
    inner = onnx.helper.make_graph(
        [node("Constant", "", "k", value=tensor(W + 2)), node("Add", "x k", "s")],
        "then",
        [],
        [info("s", shape=W.shape)],
    )
    other = onnx.helper.make_graph(
        [node("Sub", "x w", "t")], "else", [], [info("t", shape=W.shape)]
    )
    nodes = [
        node("Constant", "", "c", value=tensor(W + 1)),
        node("If", "b", "y", then_branch=inner, else_branch=other),
        node("Add", "y c", "z"),
    ]
    inputs = [info("b", "i1", ()), info("x", shape=W.shape)]
    return model(nodes, inputs, initializers=[tensor(W, "w"), tensor(W[0, :4], "small")])


def test_all_but_large_tensors_is_the_same() -> None:
    proto = branches()
    content = proto.SerializeToString()
    found, embedded = parsed(content)
    assert len(found.SerializeToString()) < 2000
    assert found.graph.initializer[1] == proto.graph.initializer[1]
    inner = next(a.g for a in found.graph.node[1].attribute if a.name == "then_branch")
    for tensor, expected in (
        (found.graph.initializer[0], W),
        (found.graph.node[0].attribute[0].t, W + 1),
        (inner.node[0].attribute[0].t, W + 2),
    ):
        array = stored(tensor, embedded).view(np.float32).reshape(W.shape)
        assert np.array_equal(array, expected)
        tensor.ClearField("external_data")
        tensor.ClearField("data_location")
        tensor.raw_data = expected.tobytes()
    assert found == proto


def test_what_runs() -> None:
    x = np.float32(np.arange(W.size).reshape(W.shape) % 7)
    assert np.array_equal(run(branches(), np.array(True), x), (x + (W + 2)) + (W + 1))
    assert np.array_equal(run(branches(), np.array(False), x), (x - W) + (W + 1))


def test_tensors_that_are_external_as_well_stay_as_they_are() -> None:
    proto = branches()
    tensor = proto.graph.initializer[0]
    tensor.external_data.add(key="location", value="elsewhere")
    found, _ = parsed(proto.SerializeToString())
    assert found.graph.initializer[0] == tensor


@pytest.mark.parametrize("cut", [1, 100, 5000, 1200000])
def test_damaged_files(cut: int, tmp_path: Path) -> None:
    content = branches().SerializeToString()
    (tmp_path / "model.onnx").write_bytes(content[:-cut])
    with pytest.raises(InputError, match=r"not an ONNX model|has no"):
        load(tmp_path / "model.onnx")


def test_a_file_that_changes(tmp_path: Path) -> None:
    path = saved(branches(), tmp_path)
    module = load(path)
    os.utime(path, (1, 1))
    with pytest.raises(InputError, match="has changed since the model was read"):
        lower(module)


@pytest.mark.bench
def test_weights_are_in_memory_once(tmp_path: Path) -> None:
    """At most half of their size more than the block that is handed on."""
    rng, count, n = np.random.default_rng(0), 16, 1000
    weights = [
        onnx.numpy_helper.from_array(rng.standard_normal((n, n), np.float32), f"w{k}")
        for k in range(count)
    ]
    nodes = [node("Gemm", f"x{k} w{k}", f"x{k + 1}", transB=k % 2) for k in range(count)]
    path = saved(model(nodes, [info("x0", shape=(8, n))], initializers=weights), tmp_path)
    lower(path, cache=None)
    tracemalloc.start()
    try:
        found = lower(path, cache=None)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.weights is not None and found.weights.nbytes >= 4 * count * n * n
    assert peak < 1.5 * found.weights.nbytes
