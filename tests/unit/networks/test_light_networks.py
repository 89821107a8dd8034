"""The nine ``light_*`` networks of the ``onnx`` package, whole, through its own runner.

They have the layers and the sizes of published networks and weights of one value each; the runner
calls them of kind ``real``.  ``--full`` runs all of them.
"""

from __future__ import annotations

import unittest
from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
import onnx.backend.test

import opc
from opc.api.backend import OpcBackend, OpcBackendRep

pytestmark = pytest.mark.network

SHORT = ("bvlc_alexnet", "resnet50", "shufflenet", "squeezenet")
"""Convolutions with normalized responses, residual blocks, groups of filters, concatenations."""
LONG = ("densenet121", "inception_v1", "inception_v2", "vgg19", "zfnet512")


class Strict(OpcBackend):
    """Nothing is refused: the runner would pass over it."""

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **kwargs: Any) -> bool:
        return True

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> OpcBackendRep:
        return OpcBackendRep(opc.compile(model))


@cache
def cases() -> dict[str, unittest.TestCase]:
    """The tests of kind ``real``, by the names of their networks."""
    tests = onnx.backend.test.BackendTest(Strict, __name__).test_cases["OnnxBackendRealModelTest"]
    ends = "test_", "_cpu"
    named = {n: n.removeprefix(ends[0]).removesuffix(ends[1]) for n in dir(tests)}
    return {named[n]: tests(n) for n in named if n.startswith(ends[0]) and n.endswith(ends[1])}


def test_every_network_is_listed() -> None:
    assert sorted(cases()) == sorted(SHORT + LONG)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*SHORT, *(pytest.param(n, marks=pytest.mark.long) for n in LONG)])
def test_network(name: str) -> None:
    with np.errstate(all="ignore"):
        getattr(cases()[name], f"test_{name}_cpu")()
