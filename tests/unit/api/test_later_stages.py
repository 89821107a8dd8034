"""IR behind the graph, as ``--emit`` prints it: compiled to the same C, also when it was edited."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects.stages import LATER
from opc.errors import InputError
from opc.tools.cli import main
from tests.unit.common import ROOT
from tests.unit.common.tolerance import assert_same_bits

SCORES = """
func.func @main(%q: tensor<2x17x8xf32>, %k: tensor<2x8x17xf32>) -> tensor<2x17x17xf32> {
  %s = opc.matmul %q, %k
  %e = opc.exp %s
  %t = opc.reduce_sum %e {axes = [2], keepdims = true}
  %p = opc.div %e, %t
  return %p : tensor<2x17x17xf32>
}"""

DENSE = """
func.func @dense(%x: tensor<128x768xf32>, %w: tensor<768x512xf32>, %b: tensor<512xf32>)
    -> tensor<128x512xf32> {
  %p = opc.matmul %x, %w
  %s = opc.add %p, %b
  %y = opc.gelu %s
  return %y : tensor<128x512xf32>
}"""
CHOICE = """
func.func @choice(%c: tensor<i1>, %x: tensor<40x50xf32>, %w: tensor<50x60xf32>)
    -> tensor<40x60xf32> {
  %r = opc.if %c then @product (%x, %w) else @negated (%x, %w)
      : (tensor<i1>, tensor<40x50xf32>, tensor<50x60xf32>, tensor<40x50xf32>, tensor<50x60xf32>)
      -> (tensor<40x60xf32>)
  return %r : tensor<40x60xf32>
}
func.func private @product(%x: tensor<40x50xf32>, %w: tensor<50x60xf32>) -> tensor<40x60xf32> {
  %y = opc.matmul %x, %w
  return %y : tensor<40x60xf32>
}
func.func private @negated(%x: tensor<40x50xf32>, %w: tensor<50x60xf32>) -> tensor<40x60xf32> {
  %y = opc.matmul %x, %w
  %z = opc.neg %y
  return %z : tensor<40x60xf32>
}"""
GRAPHS = {
    "dense": DENSE,
    "choice": CHOICE,
    **{name: (ROOT / f"examples/{name}.mlir").read_text() for name in ("centre", "softmax", "rnn")},
}


def code(text: str) -> str:
    """C without the comments, which name the nodes of the graph."""
    return re.sub(r"\n *\n+", "\n", re.sub(r" */\*.*?\*/\n", "", text, flags=re.DOTALL))


@pytest.mark.sample(4)
@pytest.mark.parametrize("stage", LATER)
@pytest.mark.parametrize("name", GRAPHS)
def test_the_same_c(name: str, stage: str) -> None:
    written = opc.lower(GRAPHS[name], cache=None)
    again = opc.lower(written.ir(stage), cache=None)
    assert code(again.c_source) == code(written.c_source)
    assert again.header == written.header


@pytest.mark.parametrize("stage", LATER)
def test_it_runs(stage: str) -> None:
    plain = opc.compile(SCORES)
    rng = np.random.default_rng(7)
    arrays = [rng.normal(size=s).astype(np.float32) for s in ((2, 17, 8), (2, 8, 17))]
    wanted: Any = plain(*arrays)
    found: Any = opc.compile(plain.ir(stage))(*arrays)
    assert_same_bits(found, wanted)


def schedule() -> str:
    return opc.lower(DENSE, target="avx512", cache=None).ir("schedule")


def test_an_edited_schedule_has_the_same_bits() -> None:
    text = schedule()
    rows = re.search(r"\[d0\] by (\d+) serial", text)
    assert rows is not None and rows[1] != "7"
    edited = text.replace(rows[0], "[d0] by 7 serial", 1)
    edited = edited.replace("schedule.tree {", "schedule.tree {\n schedule.pack left by 7", 1)
    assert edited.count("by 7") == 2
    rng = np.random.default_rng(8)
    arrays = [rng.normal(size=s).astype(np.float32) for s in ((128, 768), (768, 512), (512,))]
    plain: Any = opc.compile(DENSE)(*arrays)
    assert_same_bits(np.asarray(opc.compile(edited)(*arrays)), plain)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[d2] by 512 serial", "[d2] by 256 serial", "chains of 512 products"),
        (
            "[d2] by 1 serial",
            "[d2] by 1 parallel",
            r"found \[d2\] by 512 serial \[d2\] by 1 parallel, expected",
        ),
        ("schedule.run finish", "", "expected start, init, step, finish, out"),
    ],
)
def test_an_illegal_schedule_is_refused(old: str, new: str, message: str) -> None:
    text = schedule()
    assert old in text
    with pytest.raises(opc.OpcError, match=message):
        opc.lower(text.replace(old, new), cache=None)


def test_a_kernel_with_an_unknown_extent_is_refused() -> None:
    text = opc.lower(SCORES, cache=None).ir("kernels")
    edited = re.sub(r"kernel\.load (%\w+)\[d0", r"kernel.load \1[d0 + q", text, count=1)
    assert edited != text
    with pytest.raises(opc.OpcError, match="extent q is not an extent of any argument"):
        opc.lower(edited, cache=None)


def test_earlier_stages_are_gone() -> None:
    lowered = opc.lower(opc.lower(SCORES, cache=None).ir("schedule"), cache=None)
    assert "loop.for" in lowered.ir("loops")
    with pytest.raises(opc.OpcError, match=r"no stage kernels of a module that is at .* schedule"):
        lowered.ir("kernels")


@pytest.mark.parametrize("command", ["verify", "reduce --out", "explain -o", "tune -o"])
def test_commands_that_take_graphs_alone(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "printed.mlir"
    path.write_text(opc.lower(SCORES, cache=None).ir("schedule"), encoding="utf-8")
    name, *option = command.split()
    assert main([name, str(path), *option, *(str(tmp_path / "out.mlir") for _ in option)]) != 0
    assert "found a module at the stage schedule, expected a graph: " in capsys.readouterr().err


def test_operators_beside_kernels_are_refused() -> None:
    text = opc.lower(SCORES, cache=None).ir("kernels")
    broken = text.replace("func.return", "%new = opc.exp %q : tensor<2x17x8xf32>\n func.return")
    with pytest.raises(opc.OpcError, match="a function holds operators of the opc dialect"):
        opc.lower(broken, cache=None)


SUMS = """
func.func @sums(%x: tensor<67x300xf32>) -> tensor<67xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<67xf32>
}"""

INNER = "kernel.nest [67] into (%out0) { %c = scalar.constant 0.0 : f32 kernel.store %c to 0[d0] }"


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("[d0] by 1 ", "[d0] by 9223372036854775808 ", "blocks of 9223372036854775808 values"),
        ("[d0] by 1 ", "[d0] by 100000 ", "found blocks of 100000 values, expected at most"),
        ("%x[d0, d1]", "%x[d0 + 9, d1]", r"index d0 \+ 9 of %x is 9 to 75 along axis 0, of 67"),
        ("%x[d0, d1]", "%x[d0]", "kernel.load: 1 expressions for rank 2"),
        ("to 0[d0]", "to 0[d0, d0]", "kernel.store: 2 expressions for rank 1"),
        ("into (%out0)", "into (%x)", "kernel.store: 1 expressions for rank 2"),
        ("schedule.tree {", f"{INNER} schedule.tree {{", "kernel.nest: nests do not nest"),
        ("schedule.tree {", f"schedule.tree {{ {INNER}", "kernel.nest: nests do not nest"),
        ("nest [67]", "nest [d9]", "kernel.nest: d9 is outside the 0 dimensions around"),
        ("sweep [300]", "sweep [d1]", "kernel.sweep: d1 is outside the 1 dimensions around"),
        ("nest [67]", "nest [68]", "index d0 of %x is 0 to 67 along axis 0, of 67"),
        ("nest [67]", "nest [66]", "nothing writes all of %out0"),
        (
            "[d1] by 64 lanes",
            "[d1] by 1 serial",
            r"found \[d1\] by 1 serial, expected \[d1\] by 64 lanes",
        ),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(before: str, after: str, message: str) -> None:
    """Some computed other numbers, read memory that was not theirs, or did not end."""
    text = opc.lower(SUMS, target="avx512", cache=None).ir("schedule")
    assert before in text
    with pytest.raises(InputError, match=message) as found:
        opc.lower(text.replace(before, after), target="avx512", cache=None)
    assert re.match(r"<string>:\d+:\d+$", found.value.location)
