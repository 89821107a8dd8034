"""``walk`` goes through the same operations as xDSL's method, in less time."""

from __future__ import annotations

from typing import Any

from opc.api.driver import lower
from opc.dialects.walking import walk
from tests.unit.common import ROOT


def test_the_order_is_that_of_xdsl() -> None:
    for stage in ("graph", "kernels", "schedule", "loops"):
        module: Any = lower(str(ROOT / "examples/softmax.mlir")).module(stage)
        (function,) = module.body.block.ops
        for root in (module, module.body, function, function.body.block):
            operations = list(root.walk())
            assert len(operations) > 3
            assert list(map(id, walk(root))) == list(map(id, operations))


def test_an_operation_that_was_yielded_may_be_erased() -> None:
    module: Any = lower(str(ROOT / "examples/softmax.mlir")).module("loops")
    count = len(list(walk(module)))
    (function,) = module.body.block.ops
    seen = 0
    for op in walk(function.body.block):
        seen += 1
        op.detach()
    assert 0 < seen < count and function.body.block.first_op is None


def test_nothing_calls_the_method_of_xdsl() -> None:
    files = [p for room in ("compiler", "dialects") for p in (ROOT / room).rglob("*.py")]
    assert len(files) > 500
    assert not [str(p) for p in files if ".walk()" in p.read_text(encoding="utf-8")]
