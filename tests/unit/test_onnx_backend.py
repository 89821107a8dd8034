"""The official suite of the installed ``onnx`` package, through its own runner.

Operators outside the registry are left out; what is left must pass, and its number is asserted so
that it cannot shrink unseen.  ``OPC_SUITE_SHARD=k/n`` runs one part of n.
"""

from __future__ import annotations

import os
import unittest
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx_models import info, model, node  # noqa: E402
from test_onnx_registry import OPERATORS  # noqa: E402

import opc.backend  # noqa: E402
from opc.frontend.onnx_ops import ROWS  # noqa: E402

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")
CORE = frozenset(OPERATORS) | {"Constant"}
REFUSED = {
    "test_equal_string",
    "test_equal_string_broadcast",
    "test_identity_opt",
    "test_identity_sequence",
    *(
        f"test_range_{type}_delta_expanded"
        for type in (
            "float_type_positive",
            "float16_type_positive",
            "bfloat16_type_positive",
            "int32_type_negative",
        )
    ),
}
"""Strings, sequences, optional values, and results of which only a run knows an extent."""

TRAINING = {
    "test_batchnorm_epsilon_training_mode",
    "test_batchnorm_example_training_mode",
    *(
        f"test_training_dropout{form}"
        for form in ("", "_mask", "_default", "_default_mask", "_zero_ratio", "_zero_ratio_mask")
    ),
}
ON_SHAPES = frozenset({"Gather", "Pad", "Range", "Slice", "Split"})
"""Operators that must know some inputs when compiling, which the suite gives when a model runs."""

EXPECTED = {
    "1.23": (
        {"node": 756, "simple": 3, "pytorch-converted": 16, "pytorch-operator": 20},
        {"node": 262, "simple": 4, "pytorch-converted": 56, "pytorch-operator": 9},
    ),
}
"""For a version of the package: cases of the core operators, and of the others, by kind."""

SHARDS = 16


class Recorder(opc.backend.OpcBackend):
    """Remembers which models were refused: the runner passes over these."""

    refused = False

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **kwargs: Any) -> bool:
        return True

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> Any:
        cls.refused = True
        found = super().prepare(model, device, target="baseline", **kwargs)
        cls.refused = False
        return found


def operators(graph: Any) -> set[str]:
    found: set[str] = set()
    for n in graph.node:
        found.add(f"{n.domain}::{n.op_type}" if n.domain not in ("", "ai.onnx") else n.op_type)
        for attribute in n.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                found |= operators(attribute.g)
    return found


@cache
def cases() -> dict[str, tuple[str, bool]]:
    """Kind, and whether only core operators occur, of every case that must pass or be refused."""
    from onnx.backend.test.loader import load_model_tests

    found: dict[str, tuple[str, bool]] = {}
    for kind in KINDS:
        for case in load_model_tests(kind=kind):
            proto = case.model
            if proto is None:
                proto = onnx.load(os.path.join(case.model_dir, "model.onnx"))  # noqa: PTH118
            used = operators(proto.graph)
            core = used <= CORE
            left_out = case.name in TRAINING or (
                "_attention_" in case.name and "_linear_attention_" not in case.name
            )
            if core or (used <= set(ROWS) - ON_SHAPES and not left_out):
                found[case.name] = (kind, core)
    return found


@cache
def suite() -> dict[str, unittest.TestCase]:
    """The tests of the package, by name."""
    import onnx.backend.test

    tests = onnx.backend.test.BackendTest(Recorder, __name__).test_cases
    found: dict[str, unittest.TestCase] = {}
    for test_class in tests.values():
        for name in dir(test_class):
            if name.endswith("_cpu"):
                found[name.removesuffix("_cpu")] = test_class(name)
    return found


def test_number_of_cases() -> None:
    version = ".".join(onnx.__version__.split(".")[:2])
    if version not in EXPECTED:
        pytest.skip(f"counts are known for onnx {', '.join(EXPECTED)}")
    for core, expected in zip((True, False), EXPECTED[version], strict=True):
        assert Counter(kind for kind, is_core in cases().values() if is_core == core) == expected
    assert set(cases()) >= REFUSED


def _chosen(shard: int) -> bool:
    part, _, parts = os.environ.get("OPC_SUITE_SHARD", "0/1").partition("/")
    return shard % int(parts) == int(part)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shard", [s for s in range(SHARDS) if _chosen(s)])
def test_official_suite(shard: int) -> None:
    failures: list[str] = []
    for name in sorted(cases())[shard::SHARDS]:
        try:
            with np.errstate(all="ignore"):
                getattr(suite()[name], f"{name}_cpu")()
        except Exception as error:
            failures.append(f"{name}: {type(error).__name__}: {str(error)[:300]}")
            continue
        if Recorder.refused != (name in REFUSED):
            failures.append(f"{name}: {'refused' if Recorder.refused else 'not refused'}")
    assert not failures, "\n".join(failures)


def test_interface() -> None:
    x = np.float32([1, -2])
    proto = model(node("Neg", "x"), [info("x", shape=(2,))])
    backend = opc.backend
    assert backend.supports_device("CPU") and not backend.supports_device("CUDA")
    assert backend.is_compatible(proto)
    rep = backend.prepare(proto, target="baseline")
    assert rep.run([x])[0].tolist() == [-1, 2]
    assert rep.run({"x": x}).y.tolist() == [-1, 2]
    assert backend.run_model(proto, [x], target="baseline")[0].tolist() == [-1, 2]
    (found,) = backend.run_node(
        node("Sub", "a b", axis=0, broadcast=1), [np.ones((2, 3), "f"), x], opset_version=6
    )
    assert found.tolist() == [[0, 0, 0], [3, 3, 3]]


def test_what_is_not_supported() -> None:
    from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

    proto = model(node("NonZero", "x"), [info("x", shape=(2,))])
    assert not opc.backend.is_compatible(proto)
    with pytest.raises(BackendIsNotSupposedToImplementIt, match="NonZero"):
        opc.backend.prepare(proto)
    with pytest.raises(BackendIsNotSupposedToImplementIt, match="CUDA"):
        opc.backend.prepare(model(node("Neg", "x"), [info("x", shape=(2,))]), "CUDA")
