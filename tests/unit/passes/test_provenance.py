"""Every loop says which nodes of the source it came from, whatever passes did to these."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.dialects.func import FuncOp, ReturnOp

from opc.api.driver import load, lower
from opc.dialects import kernel, loop
from opc.dialects.onnx import NodeOp
from opc.dialects.registry import context, resolve
from opc.passes import pipeline
from opc.passes.registry import PASSES
from opc.support.provenance import fused, kind_of, nodes, number_nodes
from tests.unit.common.emission_corpus import GRAPHS, SPECIAL
from tests.unit.common.graphs import parse

pytestmark = pytest.mark.sample(4)

SOFTMAX = GRAPHS["softmax"]


def function_of(module: ModuleOp) -> FuncOp:
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def numbered(text: str) -> ModuleOp:
    module = parse(text)
    number_nodes(function_of(module))
    return module


def named(text: str, inner: LocationAttr | None = None) -> LocationAttr:
    return NameLoc(StringAttr(text), inner or UnknownLoc())


def test_number_nodes() -> None:
    module = numbered(SOFTMAX)
    found = [nodes(op.location) for op in function_of(module).body.block.ops]
    kinds = ["reduce_max", "sub", "exp", "reduce_sum", "div"]
    assert found == [*([(k, kind)] for k, kind in enumerate(kinds)), []]


def test_nodes() -> None:
    place = FileLineColLoc(StringAttr("f"), IntAttr(1), IntAttr(2))
    both = FusedLoc(ArrayAttr([named("7:exp"), named("3:sub", place), named("7:exp")]), NoneAttr())
    assert nodes(both) == [(3, "sub"), (7, "exp")]
    assert nodes(place) == nodes(UnknownLoc()) == []


@pytest.mark.parametrize(
    "text",
    ["", "relu", ":exp", "x:exp", "1:", "1:a b", "1:*/ evil", "1:é", "²:exp", "1:a\n", "-1:exp"],
)
def test_other_names_are_no_nodes(text: str) -> None:
    assert nodes(named(text)) == []


def test_operators_of_other_domains_are_nodes_too() -> None:
    """Their kind is the word at the end; what has none is a node."""
    names = {
        "Relu": "Relu", "ai.onnx.ml::Binarizer": "Binarizer", "a::*/ x": "x", "a::é": "node",
        "a::1b": "b", "": "node",
    }  # fmt: skip
    for name, kind in names.items():
        op = NodeOp.of(name, 1, [], {}, [])
        assert kind_of(op) == kind
        op.location = named(f"3:{kind_of(op)}")
        assert nodes(op.location) == [(3, kind)]


def test_fused() -> None:
    a, b, c = named("0:exp"), named("1:sub"), named("2:neg")
    assert fused([]) == fused([UnknownLoc()]) == UnknownLoc()
    assert fused([a, a, UnknownLoc()]) == a
    assert fused([fused([a, b]), fused([b, c])]) == fused([a, b, c])


@pytest.mark.parametrize("name", SPECIAL)
@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "apart"])
def test_through_all_passes(name: str, fuse: bool) -> None:
    """Each kernel and loop knows the nodes that it came from."""
    module = numbered(GRAPHS[name])
    block = function_of(module).body.block
    numbers = {k for k, op in enumerate(block.ops) if not isinstance(op, ReturnOp)}
    copies = {op.location for op in block.ops if isinstance(op, ReturnOp)}
    ctx = context()
    for step in pipeline.passes("loops", fuse=fuse):
        resolve(PASSES[step])().apply(ctx, module)
        for op in module.walk():
            if isinstance(op, kernel.NestOp | loop.ForOp):
                found = nodes(op.location)
                assert {k for k, _ in found} <= numbers
                # What is returned as it came is copied by a kernel of its own.
                assert found or op.location in copies, f"{step}: {op.name} has no origin"


def test_fusion_collects() -> None:
    module = numbered(SOFTMAX)
    ctx = context()
    for step in pipeline.passes("kernels"):
        resolve(PASSES[step])().apply(ctx, module)
    (nest,) = (op for op in module.walk() if isinstance(op, kernel.NestOp))
    assert [kind for _, kind in nodes(nest.location)] == [
        "reduce_max", "sub", "exp", "reduce_sum", "div"
    ]  # fmt: skip


def test_a_single_row_keeps_its_origin() -> None:
    """Where no loop is left around a row, what is in it says where it came from."""
    c = lower(load(SOFTMAX.replace("17x", "1x"))).c_source
    found = re.findall(r"(\w+) #(\d)", " ".join(re.findall(r"^  /\* (.*) \*/$", c, re.M)))
    assert found == [
        ("reduce_max", "0"),
        ("sub", "1"),
        ("exp", "2"),
        ("reduce_sum", "3"),
        ("div", "4"),
    ]


def test_comments() -> None:
    c = lower(load(SOFTMAX)).c_source.partition("_run(\n")[2]
    comments = re.findall(r"^  (/\* .* \*/)$", c, re.M)
    assert comments == ["/* reduce_max #0, sub #1, exp #2, reduce_sum #3, div #4 */"]


def test_decomposition_keeps_the_node() -> None:
    """What an operator is made of has its name."""
    c = lower(load("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                   "  %a = opc.elu %x\n  %r = opc.reduce_l2 %a\n"
                   "  %s = opc.add %a, %r\n  return %s : tensor<4xf32>\n}")).c_source  # fmt: skip
    for comment in ("elu #0", "reduce_l2 #1", "add #2"):
        assert comment in c


def test_source_names_stay_inside() -> None:
    """A location of the source survives under the number."""
    text = SOFTMAX.replace("%c = opc.sub %x, %m", '%c = opc.sub %x, %m loc("my node")')
    module = numbered(text)
    op = list(function_of(module).body.block.ops)[1]
    assert isinstance(op.location, NameLoc)
    assert nodes(op.location) == [(1, "sub")]
    assert isinstance(op.location.location, NameLoc)
    assert op.location.location.desc.data == "my node"
