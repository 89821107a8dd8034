"""Equal nests are lowered once, and the loops of the others are copies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.ir import Block, Operation
from xdsl.parser import Parser

pytest.importorskip("onnx")

from benchmarks.networks import NETWORKS
from benchmarks.networks.net import Net
from opc.api.driver import lower
from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.registry import context
from opc.dialects.walking import walk
from opc.loops import lower_to_loops
from opc.loops.contraction import ContractionLowering
from opc.loops.equal_nests import EqualNests, Form, form_of


def network(name: str, **own: object) -> Net:
    net = Net()
    NETWORKS[name].build(net, **{**NETWORKS[name].full, **NETWORKS[name].small, **own})
    return net


def text(net: Net) -> str:
    return lower(net.model(), cache=None, target="avx2", prefix="net").c_source


@pytest.fixture
def lowerings(monkeypatch: pytest.MonkeyPatch) -> list[Operation]:
    """The nests whose loops were written, not copied."""
    nests: list[Operation] = []
    lower_nest, run = lower_to_loops.lower_nest, ContractionLowering.run

    def lower(nest: kernel.NestOp, block: Block) -> None:
        nests.append(nest)
        lower_nest(nest, block)

    def write(self: ContractionLowering, block: Block) -> None:
        nests.append(self.c.nest)
        run(self, block)

    monkeypatch.setattr(lower_to_loops, "lower_nest", lower)
    monkeypatch.setattr(ContractionLowering, "run", write)
    return nests


def test_twelve_layers_take_the_lowerings_of_three(lowerings: list[Operation]) -> None:
    counts: list[int] = []
    for layers in (1, 3, 12):
        text(network("bert", layers=layers))
        counts.append(len(lowerings))
        lowerings.clear()
    assert 5 < counts[0] <= counts[1] == counts[2] < 2 * counts[0]


@pytest.mark.parametrize("name", ["bert", "swin_t", "efficientnet_b0", "gpt2"])
def test_the_c_is_the_same_without_copies(
    name: str, lowerings: list[Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_copies, count = text(network(name)), len(lowerings)
    lowerings.clear()

    def written(self: EqualNests, form: Form, write: Callable[[Block], None]) -> Block:
        write(block := Block())
        return block

    monkeypatch.setattr(EqualNests, "loops", written)
    assert text(network(name)) == with_copies
    assert len(lowerings) > count


NESTS = """
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %long: memref<9xf32>) {{
  %c = loop.constant dense<1.0> : tensor<8xf32> to memref<8xf32>
  %d = loop.constant dense<2.0> : tensor<8xf32> to memref<8xf32>
  %k = loop.constant dense<1> : tensor<8xi32> to memref<8xi32>
  %l = loop.constant dense<2> : tensor<8xi32> to memref<8xi32>
  {}
  {}
  return
}}
"""
NEST = """kernel.nest [8] into ({to}) {{
    %p = kernel.load {of}[d0] : {type}
    %q = scalar.apply cast(%p) : f32
    %r = scalar.constant {number} : f32
    %s = scalar.apply {name}(%q, %r) : f32
    kernel.store %s to 0[d0]
  }}"""


def forms(*nests: dict[str, str]) -> list[Form]:
    usual = {"to": "%y", "of": "%x", "type": "f32", "number": "0.0", "name": "add"}
    module = Parser(context(), NESTS.format(*(NEST.format(**usual | own) for own in nests)))
    ops = walk(module.parse_module())
    return [form_of(op) for op in ops if isinstance(op, kernel.NestOp)]


@pytest.mark.parametrize(
    "one, other, are_equal",
    [
        ({}, {}, True),
        ({}, {"of": "%y", "to": "%z"}, True),
        ({"of": "%c"}, {"of": "%d"}, True),
        ({"of": "%k", "type": "i32"}, {"of": "%k", "type": "i32"}, True),
        ({"of": "%k", "type": "i32"}, {"of": "%l", "type": "i32"}, False),
        ({}, {"of": "%c"}, False),
        ({}, {"of": "%y"}, False),
        ({}, {"of": "%long"}, False),
        ({}, {"name": "mul"}, False),
        ({}, {"number": "-0.0"}, False),
        ({"number": "0x7fc00000"}, {"number": "0x7fc00000"}, True),
    ],
    ids=str,
)
def test_forms(one: dict[str, str], other: dict[str, str], are_equal: bool) -> None:
    first, second = forms(one, other)
    assert (first == second) == are_equal


def test_loops_that_use_other_values_are_not_copied() -> None:
    first, second = forms({}, {"of": "%y", "to": "%z"})
    equal, (target, source), written = EqualNests(), first.outside, list[Block]()

    def write(block: Block) -> None:
        load = loop.LoadOp.of(source, ex.const(0))
        block.add_ops([load, loop.StoreOp.of(load.result, target, ex.const(0))])
        written.append(block)

    for _ in range(2):
        equal.loops(Form(first.key, (source,)), write)
    assert len(written) == 2
    equal.loops(first, write)
    load, store = equal.loops(second, write).ops
    assert len(written) == 3
    assert (store.operands[1], load.operands[0]) == second.outside
