"""Loops that are equal but for their buffers are one C function: the same bits, and less text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

pytest.importorskip("onnx")

import opc
from benchmarks.networks import NETWORKS, language
from benchmarks.networks.net import Net
from opc.emit.outlining import Part
from opc.emit.statements import Statements
from opc.loops import outline_loops

pytestmark = pytest.mark.level("-O0")

SMALL = NETWORKS["bert"].small


def bert(layers: int) -> Net:
    net = Net()
    # Products of more than one tile: what is in registers outside of all loops is no function.
    language.bert(net, **{**SMALL, "layers": layers, "length": 40, "width": 96})
    return net


LINES = {"bert": 0.8, "gpt2": 0.96, "vit_b16": 0.96}
"""Of the lines of a small network with C for every loop, this part is left: 0.780, 0.954, 0.958.

For one target, since tiles and so the lines of a loop depend on it."""


@contextmanager
def alone() -> Iterator[None]:
    """Every loop has C of its own."""
    with patch.object(outline_loops, "equal_loops", lambda _: {}):
        yield


def functions(text: str) -> int:
    return len(re.findall(r"static void \w+_loop\d+\(", text))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.long)])
def test_the_same_bits(name: str, threads: int) -> None:
    net = NETWORKS[name].net(small=True)
    model, arrays = net.model(), net.arrays({})
    shared = opc.compile(model, threads=threads, target="baseline", cache=None)
    with alone():
        apart = opc.compile(model, threads=threads, target="baseline", cache=None)
    assert shared.c_source.count("\n") < LINES[name] * apart.c_source.count("\n")
    for ours, theirs in zip(shared(**arrays), apart(**arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("threads", [1, 2])
def test_slices_of_one_tensor_share_a_function(threads: int) -> None:
    """Steps that slice a sequence at other places, and are equal otherwise."""
    steps = "".join(
        f"""
  %s{k} = opc.slice %x {{starts = [0, 0, {k}], stops = [50, 40, {k + 1}], steps = [1, 1, 1]}}
  %r{k} = opc.reshape %s{k} : tensor<50x40x1xf32> -> tensor<50x40xf32>
  %e{k} = opc.relu %r{k}
  %m{k} = opc.matmul %e{k}, %w
  %y{k} = opc.relu %m{k}"""
        for k in range(6)
    )
    results = ", ".join(["tensor<50x24xf32>"] * 6)
    text = f"""
func.func @main(%x: tensor<50x40x6xf32>, %w: tensor<40x24xf32>) -> ({results}) {{{steps}
  func.return %y0, %y1, %y2, %y3, %y4, %y5 : {results}
}}"""
    f = opc.compile(text, threads=threads, cache=None)
    with alone():
        apart = opc.compile(text, threads=threads, cache=None)
    assert functions(f.c_source) == 1
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((50, 40, 6), np.float32), rng.standard_normal((40, 24), np.float32)
    for ours, theirs in zip(f(x, w), apart(x, w), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", ["bert", "swin_t", "whisper_decoder"])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_not_written_again_would_be_the_same(name: str, threads: int) -> None:
    """Each loop that is a call is written all the same, and compared."""
    written: dict[str, tuple[str, Part]] = {}
    checked: list[str] = []
    usual = Statements._part  # pyright: ignore[reportPrivateUsage]
    function = Statements._function  # pyright: ignore[reportPrivateUsage]

    def part(self: Statements, op: Any, name: str) -> None:
        known = self.outlining.parts.get(name)
        if known is not None:
            kept = [*self.parts], [*self.shared.nests]
            again = function(self, op, known.name, self.outlining.outside(op, self))
            text, first = written[known.name]
            assert self.parts[-1] == text
            assert list(again.parameters) == list(first.parameters)
            checked.append(known.name)
            self.parts[:], self.shared.nests[:] = kept
        usual(self, op, name)

    def write(self: Statements, op: Any, name: str, outside: Any) -> Part:
        made = function(self, op, name, outside)
        written[name] = self.parts[-1], made
        return made

    with (
        patch.object(Statements, "_part", part),
        patch.object(Statements, "_function", write),
    ):
        opc.lower(NETWORKS[name].net(small=True).model(), threads=threads, cache=None)
    assert checked


def test_layers_are_calls() -> None:
    few, many = (opc.lower(bert(layers).model(), cache=None, threads=2) for layers in (6, 8))
    assert functions(few.c_source) == functions(many.c_source)
    lines = many.c_source.count("\n") - few.c_source.count("\n")
    assert 0 < lines <= 2 * 80


def test_constants_of_networks_are_not_in_the_text() -> None:
    """Few bytes are, as far as all of them have room; equal ones are there once."""

    def text(count: int) -> tuple[str, int]:
        lines = ["func.func @f(%x: tensor<512xf32>) -> (" + ", ".join(["tensor<512xf32>"] * count)]
        lines[0] += ") {"
        for k in range(count):
            values = (np.arange(512) + k).tolist()
            lines.append(f"  %c{k} = opc.constant dense<{values}> : tensor<512xf32>")
            lines.append(f"  %y{k} = opc.mul %x, %c{k}")
        returned = ", ".join(f"%y{k}" for k in range(count))
        types = ", ".join(["tensor<512xf32>"] * count)
        lines.append(f"  func.return {returned} : {types}\n}}")
        found = opc.lower("\n".join(lines), cache=None)
        weights = found.weights
        return found.c_source, 0 if weights is None else weights.nbytes

    source, weights = text(8)
    assert source.count("static const float constant") == 8 and weights == 0
    source, weights = text(9)
    assert "static const float constant" not in source and weights == 9 * 2048


def test_views_of_what_is_only_read_are_constant() -> None:
    """Pointers into arrays that a function for several loops reads keep ``const``."""
    layer = "opc.conv %{} , %w{} {{pads = [1, 1, 1, 1]}}"
    text = f"""
        func.func @main(%x: tensor<?x16x14x14xf32, #opc.dims<N, 16, 14, 14>>,
                        %w0: tensor<16x16x3x3xf32>, %w1: tensor<16x16x3x3xf32>,
                        %w2: tensor<16x16x3x3xf32>)
            -> tensor<?x16x14x14xf32, #opc.dims<N, 16, 14, 14>> {{
          %a = {layer.format("x", 0)}
          %b = {layer.format("a", 1)}
          %c = {layer.format("b", 2)}
          func.return %c : tensor<?x16x14x14xf32, #opc.dims<N, 16, 14, 14>>
        }}"""
    c = opc.compile(text).c_source
    assert re.search(r"^ +const float \*const view\d+ = in\d", c, re.MULTILINE)
    assert not re.search(r"^ +float \*const view\d+ = in\d", c, re.MULTILINE)
