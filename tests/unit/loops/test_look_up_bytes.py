"""Bytes that are looked up in vectors have the bits of what is computed one by one."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import opc
from opc.api.driver import Options, source_of
from opc.frontend.mlir.reader import parse_module
from opc.runtime import processor
from opc.tools.profile.timing import stepped
from opc.tools.profile.work import work_of

LENGTHS = (0, 1, 31, 32, 63, 64, 65, 127, 130, 511, 513, 4095, 4096, 4097, 9001)
BYTES = pytest.mark.parametrize("type", ["ui8", "i8"])


def looked_up(type: str, rest: str = "", result: str = "") -> str:
    """A function of bytes of unknown number, and what is computed of its bytes."""
    n = "?x{}, #opc.dims<N>"
    byte, wide = f"tensor<{n.format(type)}>", f"tensor<{n.format('f32')}>"
    end = f"tensor<{n.format(result or type)}>"
    return f"""
func.func @main(%x: {byte}) -> {end} {{
  %f = opc.cast %x : {byte} -> {wide}
  %s = opc.constant dense<0.037> : tensor<f32>
  %m = opc.mul %f, %s
  %g = opc.sigmoid %m
  %p = opc.mul %g, %f
  %r = opc.round %p
  %b = opc.cast %r : {wide} -> {byte}
{rest.format(byte=byte, end=end)}
  func.return %{"y" if rest else "b"} : {end}
}}"""


WIDER = """
  %w = opc.cast %b : {byte} -> {end}
  %c = opc.constant dense<3> : tensor<i16>
  %y = opc.sub %w, %c"""


@cache
def compiled(text: str, target: str, threads: int = 1, fuse: bool = True) -> Any:
    """The function of a graph, if this processor can call it."""
    if processor.missing_for(target):
        pytest.skip(f"the processor is not for {target}")
    return opc.compile(text, target=target, threads=threads, fuse=fuse, verify_each=True)


def every(type: str, count: int) -> np.ndarray:
    """So many bytes: all of them, again and again."""
    return np.resize(np.arange(256, dtype=np.uint8), count).view("u1" if type == "ui8" else "i1")


@BYTES
@pytest.mark.parametrize("target", ["native", "baseline", "amx"])
@pytest.mark.parametrize("threads", [1, 2])
def test_any_number_of_bytes(type: str, target: str, threads: int) -> None:
    text = looked_up(type)
    f, plain = compiled(text, target, threads), compiled(text, "baseline", fuse=False)
    assert "loop.look_up" in f.ir("loops") and "loop.look_up" not in plain.ir("loops")
    for count in LENGTHS:
        x = every(type, count)
        around = np.full(count + 70, 77, x.dtype)
        f(x, out=around[:count])
        np.testing.assert_array_equal(around[:count], plain(x))
        assert np.all(around[count:] == 77), "bytes behind the result"


@BYTES
@pytest.mark.parametrize("target", ["native", "amx"])
def test_what_is_computed_of_an_entry(type: str, target: str) -> None:
    text = looked_up(type, WIDER, "i16")
    f, plain = compiled(text, target), compiled(text, "baseline", fuse=False)
    if target != "native":
        assert "loop.look_up %x in" in f.ir("loops")
    for count in LENGTHS:
        x = every(type, count)
        np.testing.assert_array_equal(f(x), plain(x))


@BYTES
def test_bytes_of_a_product_are_overwritten(type: str) -> None:
    """The bytes of a product that go through a function, in place."""
    weights = np.random.default_rng(1).integers(-9, 9, (20, 300)).tolist()
    byte, wide = f"tensor<70x300x{type}>", "tensor<70x300xf32>"
    text = f"""
func.func @main(%x: tensor<70x20xf32>) -> {byte} {{
  %w = opc.constant dense<{weights}> : tensor<20x300xf32>
  %p = opc.matmul %x, %w
  %r = opc.round %p
  %q = opc.cast %r : {wide} -> {byte}
  %f = opc.cast %q : {byte} -> {wide}
  %h = opc.constant dense<0.5> : tensor<f32>
  %a = opc.mul %f, %h
  %t = opc.tanh %a
  %b = opc.mul %t, %f
  %s = opc.round %b
  %y = opc.cast %s : {wide} -> {byte}
  func.return %y : {byte}
}}"""
    x = np.random.default_rng(2).integers(-3, 4, (70, 20)).astype(np.float32)
    plain = compiled(text, "baseline", fuse=False)(x)
    for target in ("native", "baseline"):
        f = compiled(text, target)
        np.testing.assert_array_equal(f(x), plain)
    places = re.findall(r"loop.look_up (%\w+) in %\w+ to (%\w+)\[", f.ir("loops"))
    assert places == [("%out0", "%out0")]


def test_the_profile_counts_bytes() -> None:
    text = looked_up("ui8").replace("?x", "8192x").replace(", #opc.dims<N>", "")
    steps = stepped(source_of(parse_module(text), None), Options(target="amx"))
    works = [w for w in work_of(steps.steps, steps.function, {}) if w is not None]
    assert (works[-1].bytes_read, works[-1].bytes_written) == (8192 + 256, 8192)
