"""The official suite of the installed ``onnx`` package, through its own runner.

Every case but those of ``DIFFERS`` passes or is refused from ``prepare``; the refused ones are
listed, each with a part of the message, in ``onnx_refused.txt``.
``python -m tests.unit.frontend.onnx.test_onnx_backend attention`` writes that list anew for the
cases with "attention" in their names.  ``OPC_SUITE_SHARD=k/n`` runs one part of n.

Without ``--full`` the first case of each operator runs, and the share of the day of the others, so
that each runs within ``DAYS`` days.  The share is compiled, and so is one of ``TURNS`` of the first
cases; the others are interpreted.
"""

from __future__ import annotations

import os
import sys
import unittest
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
import opc.api.backend  # noqa: E402
from tests.unit.common.onnx_models import info, model, node  # noqa: E402

pytestmark = pytest.mark.level("-O0")

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")
LIST = Path(__file__).with_name("onnx_refused.txt")
CASES = {"1.23": 2024}
"""For a version of the package: the cases of these kinds.  The list is that of these versions."""

SHARDS = 16
DAYS = 16
TURNS = 8

DIFFERS = {
    "test_attention_4d_causal_fp16_expanded": "Mismatched elements: 2 / 192",
    "test_resize_downsample_scales_cubic_align_corners": "Mismatched elements: 8 / 9",
    "test_resize_downsample_scales_linear_align_corners": "Mismatched elements: 1 / 2",
}
"""Cases whose results are further from what is expected than the suite allows: none passes.

The first one writes out an operator of f16 as many, each of which rounds.  Two of 192 elements are
two units in the last place off, which is more than the suite's 1e-3; expected is what another
softmax gives, one that rounds in every step.

In the others, scale * extent is no integer.  The text takes the length of the resized tensor, as
runtimes do; the suite takes what this was before it was rounded.
"""

RANDOM = {f"test_bernoulli{kind}{form}" for kind in ("", "_double", "_seed")
          for form in ("", "_expanded")}  # fmt: skip
"""Cases whose expected results are one draw from another generator: none counts as passed."""


class Recorder(opc.api.backend.OpcBackend):
    """Remembers why a model was refused: the runner passes over such a model."""

    reason: str | None = None
    is_interpreted = False

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **kwargs: Any) -> bool:
        return True

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> Any:
        from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

        cls.reason = None
        if cls.is_interpreted:
            return Interpreted(model)
        try:
            return super().prepare(model, device, target="baseline", **kwargs)
        except BackendIsNotSupposedToImplementIt as error:
            cls.reason = " ".join(str(error).split())
            raise


class Interpreted:
    """What ``prepare`` gives of a model that is not compiled."""

    def __init__(self, model: Any) -> None:
        from tests import interpreted

        self.function = interpreted.compile(model)
        self.has_one_result = len(model.graph.output) == 1

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The results of inputs by order."""
        results = self.function(*inputs)
        return (results,) if self.has_one_result else results


@cache
def suite() -> dict[str, unittest.TestCase]:
    """The tests of the package, by name."""
    import onnx.backend.test
    from onnx.backend.test.loader import load_model_tests

    names = {case.name for kind in KINDS for case in load_model_tests(kind=kind)}
    tests = onnx.backend.test.BackendTest(Recorder, __name__).test_cases
    return {
        name.removesuffix("_cpu"): test_class(name)
        for test_class in tests.values()
        for name in dir(test_class)
        if name.endswith("_cpu") and name.removesuffix("_cpu") in names
    }


def refused() -> dict[str, str]:
    """The names of cases that are refused, and what the message contains."""
    lines = LIST.read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def run(name: str, is_interpreted: bool = False) -> str | None:
    """Why a case is refused, None if it passes; raises what its runner does if it fails."""
    Recorder.reason, Recorder.is_interpreted = None, is_interpreted
    try:
        with np.errstate(all="ignore"):
            getattr(suite()[name], f"{name}_cpu")()
    finally:
        Recorder.is_interpreted = False
    return Recorder.reason


def _is_listed_version() -> bool:
    return ".".join(onnx.__version__.split(".")[:2]) in CASES


def test_number_of_cases() -> None:
    if not _is_listed_version():
        pytest.skip(f"the list is that of onnx {', '.join(CASES)}")
    assert len(suite()) in CASES.values()
    assert set(refused()) <= set(suite())
    assert len(suite()) - len(refused()) - len(DIFFERS.keys() | RANDOM) >= 1943
    assert (DIFFERS.keys() | RANDOM).isdisjoint(refused())


@cache
def operators() -> dict[str, str]:
    """The operator of each case of one node; of the others what their names begin with."""
    from onnx.backend.test.loader import load_model_tests

    cases = {case.name: case for case in load_model_tests(kind="node")}
    found: dict[str, str] = {}
    for name in suite():
        nodes = cases[name].model.graph.node if name in cases else ()
        found[name] = nodes[0].op_type if len(nodes) == 1 else "_".join(name.split("_")[1:3])
    return found


def short_form(day: int) -> frozenset[str]:
    """The names of the cases that run on a day without ``--full``."""
    first: dict[str, str] = {}
    for name in sorted(suite()):
        if "_expanded" not in name:
            first.setdefault(operators()[name], name)
    return frozenset({*first.values(), *share(day, DAYS)})


def share(day: int, days: int) -> frozenset[str]:
    """The names of the cases of a day, where each has one of so many days."""
    return frozenset(n for n in suite() if (zlib.crc32(n.encode()) + day) % days == 0)


def test_the_short_forms_have_every_case() -> None:
    days = [short_form(day) for day in range(DAYS)]
    assert frozenset.union(*days) == frozenset(suite())
    written = {operator for name, operator in operators().items() if "_expanded" not in name}
    for names in days:
        assert {operators()[name] for name in names} >= written
        assert len(names) < len(suite()) // 3


def _chosen(shard: int) -> bool:
    part, _, parts = os.environ.get("OPC_SUITE_SHARD", "0/1").partition("/")
    return shard % int(parts) == int(part)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shard", [s for s in range(SHARDS) if _chosen(s)])
def test_official_suite(shard: int, request: pytest.FixtureRequest) -> None:
    failures: list[str] = []
    listed, option = refused(), request.config.option
    chosen = suite() if option.full else short_form(option.seed)
    # Some are refused only on the way to C.
    compiled = suite() if option.full else {*share(option.seed, TURNS), *listed, *DIFFERS}
    for name in sorted(suite())[shard::SHARDS]:
        if name not in chosen:
            continue
        if name in RANDOM:
            continue
        if name in DIFFERS:
            with pytest.raises(AssertionError, match=DIFFERS[name]):
                run(name)
            continue
        try:
            reason = run(name, is_interpreted=name not in compiled)
        except Exception as error:
            failures.append(f"{name}: {type(error).__name__}: {str(error)[:300]}")
            continue
        if name in listed and (reason is None or listed[name] not in reason):
            failures.append(f"{name}: listed as refused for {listed[name]!r}, found {reason!r}")
        elif reason is not None and name not in listed and _is_listed_version():
            failures.append(f"{name}: refused: {reason[:300]}")
    assert not failures, "\n".join(failures)


def test_random_cases() -> None:
    """They give zeros and ones, of the shape and type that are expected."""
    from onnx.backend.test.loader import load_model_tests

    cases = [case for case in load_model_tests(kind="node") if case.name in RANDOM]
    assert len(cases) == len(RANDOM)
    for case in cases:
        rep = Recorder.prepare(case.model)
        for inputs, expected in case.data_sets:
            (found,) = rep.run(inputs)
            assert (found.shape, found.dtype) == (expected[0].shape, expected[0].dtype)
            assert ((found == 0) | (found == 1)).all()


def test_interface() -> None:
    x = np.float32([1, -2])
    proto = model(node("Neg", "x"), [info("x", shape=(2,))])
    backend = opc.api.backend
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

    proto = model(node("StringSplit", "x"), [info("x", shape=(2,))])
    assert not opc.api.backend.is_compatible(proto)
    with pytest.raises(BackendIsNotSupposedToImplementIt, match="StringSplit"):
        opc.api.backend.prepare(proto)
    with pytest.raises(BackendIsNotSupposedToImplementIt, match="CUDA"):
        opc.api.backend.prepare(model(node("Neg", "x"), [info("x", shape=(2,))]), "CUDA")


def write(parts: list[str]) -> None:
    """Write the list anew, for the cases whose names contain one of the parts, or for all.

    A case that fails is a defect, and ends this.
    """
    kept = [line for line in LIST.read_text().splitlines() if line.startswith("#")]
    reasons = refused()
    for name in sorted(suite()):
        if name not in DIFFERS | RANDOM and (not parts or any(part in name for part in parts)):
            reason = run(name)
            reasons.pop(name, None)
            if reason is not None:
                reasons[name] = _part(reason)
    lines = [f"{name}: {reasons[name]}" for name in sorted(reasons)]
    LIST.write_text("\n".join([*kept, *lines]) + "\n")


def _part(reason: str) -> str:
    """What stays the same of a message: the names of values and files before it are left out."""
    return reason.rsplit(": ", 1)[-1].partition(" x ")[0][:80].strip()


if __name__ == "__main__":
    write(sys.argv[1:])
