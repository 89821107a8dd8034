"""Schedules that leave points out, break an order or a dependence are refused, and say why."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

import opc
from tests.unit.common import ROOT

pytestmark = pytest.mark.sample(4)

GRAPHS = {
    "points": ("12x40xf32; 40xf32", "%r = opc.sub %a, %b", "12x40xf32"),
    "nothing": ("0x40xf32; 40xf32", "%r = opc.sub %a, %b", "0x40xf32"),
    "unknown": (
        "?x?xf32 #opc.dims<M, N>; ?xf32 #opc.dims<N>", "%r = opc.sub %a, %b",
        "?x?xf32 #opc.dims<M, N>",
    ),
    "coalesced": (
        "5000x7xf32; 7xf32", "%0 = opc.sub %a, %b\n%r = opc.exp %0", "5000x7xf32",
    ),
    "transpose": (
        "300x500xf32; 7xf32", "%r = opc.transpose %a {permutation = [1, 0]}", "500x300xf32",
    ),
    "far": (
        "4096x4096xf32; 7xf32",
        "%0 = opc.transpose %a {permutation = [1, 0]}\n%r = opc.neg %0", "4096x4096xf32",
    ),
    "lines": ("9000x1024xf32; 1024xf32", "%r = opc.sub %a, %b", "9000x1024xf32"),
    "rows": ("64x1000xf32; 7xf32", "%r = opc.reduce_sum %a {axes = [1]}", "64xf32"),
    "short rows": ("5000x7xf32; 7xf32", "%r = opc.reduce_sum %a {axes = [1]}", "5000xf32"),
    "unknown rows": (
        "?x?xf32 #opc.dims<M, N>; 7xf32", "%r = opc.reduce_sum %a {axes = [1]}",
        "?xf32 #opc.dims<M>",
    ),
    "unknown columns": (
        "?x?xf32 #opc.dims<M, N>; 7xf32", "%r = opc.reduce_sum %a {axes = [0]}",
        "?xf32 #opc.dims<N>",
    ),
    "prefix": ("64x1000xf32; 7xf32", "%r = opc.cum_sum %a {axis = 1}", "64x1000xf32"),
    "narrow": (
        "50x100x4xf32; 50x100x1xf32",
        "%0 = opc.sub %a, %b\n%r = opc.reduce_max %0 {axes = [0]}", "100x4xf32",
    ),
    "kept": (
        "64x100xf32; 7xf32",
        "%e = opc.exp %a\n%s = opc.reduce_sum %e {axes = [1], keepdims = true}\n"
        "%d = opc.div %e, %s\n%c = opc.cos %d\n%r = opc.reduce_sum %c {axes = [1]}", "64xf32",
    ),
    "norms": (
        "?x?xf32 #opc.dims<M, N>; 7xf32",
        "%m = opc.reduce_mean %a {axes = [1], keepdims = true}\n%d = opc.sub %a, %m\n"
        "%q = opc.mul %d, %d\n%v = opc.reduce_mean %q {axes = [1]}\n%r = opc.sqrt %v",
        "?xf32 #opc.dims<M>",
    ),
    "softmax": (
        "64x1000xf32; 7xf32",
        "%m = opc.reduce_max %a {axes = [1], keepdims = true}\n%d = opc.sub %a, %m\n"
        "%e = opc.exp %d\n%s = opc.reduce_sum %e {axes = [1], keepdims = true}\n"
        "%r = opc.div %e, %s", "64x1000xf32",
    ),
    "totals": (
        "64x1000xf32; 7xf32",
        "%m = opc.reduce_max %a {axes = [1], keepdims = true}\n%d = opc.sub %a, %m\n"
        "%e = opc.exp %d\n%s = opc.reduce_sum %e {axes = [1], keepdims = true}\n"
        "%r = opc.div %a, %s", "64x1000xf32",
    ),
    "search": ("64x1000xf32; 7xf32", "%r = opc.argmax %a {axis = 1}", "64xi64"),
    "product": ("40x50xf32; 50x64xf32", "%r = opc.matmul %a, %b", "40x64xf32"),
    "blocks": ("40x600xf32; 600x64xf32", "%r = opc.matmul %a, %b", "40x64xf32"),
    "unknown products": (
        "?x50xf32 #opc.dims<M, 50>; 50x64xf32", "%r = opc.matmul %a, %b",
        "?x64xf32 #opc.dims<M, 64>",
    ),
    "images": ("2x20x30xf32; 2x30x40xf32", "%r = opc.matmul %a, %b", "2x20x40xf32"),
    "rows of products": (
        "50x50xf32; 50x50xf32", "%q = opc.matmul %a, %b\n%r = opc.matmul %q, %b", "50x50xf32",
    ),
    "two products": (
        "50x50xf32; 50x50xf32", "%q = opc.matmul %a, %b\n%r = opc.matmul %q, %q", "50x50xf32",
    ),
}  # fmt: skip
"""Types of two operands, what is computed of them, and the type of the result."""


@cache
def schedule(name: str) -> str:
    operands, lines, result = GRAPHS[name]
    a, b = (f"tensor<{t}>".replace(" #", ", #") for t in operands.split("; "))
    to = f"tensor<{result}>".replace(" #", ", #")
    text = f"func.func @main(%a: {a}, %b: {b}) -> {to} {{\n{lines}\nreturn %r : {to}\n}}"
    return opc.lower(text, target="avx512", cache=None).ir("schedule")


CASES = {
    "c1 loops over nothing": (
        "nothing", "schedule.tree {\n", "schedule.tree {\nschedule.run out\n",
        "found schedule.run, expected nothing",
    ),
    "c2 another symbol": (
        "unknown", "-atleast(N, 17)", "-atleast(Q, 17)", "found .*Q.*, expected symbols of M, N",
    ),
    "c3 a condition that is a number": (
        "unknown", "<-atleast(N, 17) + 1>", "<N>", "found <N>, expected atleast",
    ),
    "c3 a condition that may be 2": (
        "unknown", "<-atleast(N, 17) + 1>", "<-atleast(N, 17) + 2>", "expected atleast",
    ),
    "c4 no axis": (
        "points", "for [d0]", "for [d5]",
        r"found \[d5\], expected an axis, .* \[d0\] \[d1\]",
    ),
    "c4 two axes of memory": (
        "points", "for [d0]", "for [d0, d1]", r"found \[d0, d1\], expected an axis",
    ),
    "c5 an axis that is left out": (
        "points", "schedule.for [d1] by 1 vector {\n            schedule.run out\n          }",
        "schedule.run out", r"found loops over \[d0\], expected each of \[d0, d1\]",
    ),
    "c6 a sweep that is not there": (
        "points", "run out", "run init 0", "stage init, expected out",
    ),
    "c6 points that are left out": (
        "points", "[d0] by 1 parallel", "[d0] by 2 parallel",
        r"found out and no loop by 1 over \[d0\], expected one",
    ),
    "c7 blocks without values": (
        "unknown", "<floordiv(1024, N)>", "<floordiv(8, N)>",
        "found blocks of .*, expected 1 or more",
    ),
    "c7 an axis twice": (
        "points", "schedule.for [d1] by 1 vector {\n            schedule.run out\n          }",
        "schedule.for [d0] by 1 serial { schedule.for [d1] by 1 vector { schedule.run out } }",
        r"found a loop over \[d0\] in one by 1, expected no",
    ),
    "c40 points that rotate": (
        "points", "[d0] by 1 parallel", "[d0] by 1 rotating", "rotating, expected a contraction",
    ),
    "c40 rows of sums that rotate": (
        "rows", "[d0] by 1 parallel", "[d0] by 1 rotating", "rotating, expected a contraction",
    ),
    "c41 points that are peeled": (
        "points", "[d0] by 1 parallel", "[d0] by 1 parallel peel", 
        "peel, expected schedule.non_temporal",
    ),
    "c18 rows of a product that rotate": (
        "product", "[d0] by 6 serial", "[d0] by 1 rotating", "expected the rows of a window",
    ),
    "c8 vectors outside": (
        "points", "[d0] by 1 parallel", "[d0] by 1 vector", "innermost loop by 1",
    ),
    "c8 many neighbours written out": (
        "points", "[d1] by 1 vector", "[d1] by 1 unroll",
        "found 40 values in .*, expected 16 or less",
    ),
    "c8 neighbours written out outside": (
        "points", "[d0] by 1 parallel", "[d0] by 1 unroll", "innermost loop by 1",
    ),
    "c9 not the last axes": (
        "coalesced", "coalesce [d0], [d1]", "coalesce [d1], [d0]", "expected the last ones",
    ),
    "c10 what cannot be laid out": (
        "transpose",
        "schedule.for [d0] by 1 serial {\n                schedule.for [d1] by 1 vector {\n"
        "                  schedule.run out\n                }\n              }",
        "schedule.coalesce [d0], [d1] { schedule.run out }", "expected a serial loop by 1",
    ),
    "c11 blocks of any size": (
        "unknown", "<floordiv(1024, N)>", "4", "expected numbers, or",
    ),
    "c12 tiles of any size": (
        "far", "schedule.for [d1] by 96 serial {", "schedule.for [d1] by <floordiv(7, 1)> serial {",
        "whole lines of 16 values",
    ),
    "c13 along no rows": (
        "transpose",
        "schedule.for [d0] by 1 serial {\n                schedule.for [d1] by 1 vector",
        "schedule.for [d1] by 1 serial {\n                schedule.for [d0] by 1 vector",
        "found load 0 by 500, 1, expected by 1 and a number",
    ),
    "c13 no such load": ("transpose", "loads [0]", "loads [3]", "found load 3, expected one of 1"),
    "c13 loads are counted from 0": ("transpose", "loads [0]", "loads [-1]", "from 0 on"),
    "c14 prefetches of part of a line": (
        "far", "by 96 serial", "by 90 serial",
        r"in tiles of \[128, 90\], expected an axis, and whole lines",
    ),
    "c19 no whole lines": (
        "lines", "[d1] by 128", "[d1] by 100",
        "found blocks of 100, expected whole lines",
    ),
    "c21 nothing past the caches": (
        "lines", "stores [0]", "stores [1]", r"found stores .*1.*, expected some of 1",
    ),
    "c22 loops over points": ("rows", "by 1 parallel", "by 1 vector", "serial or parallel"),
    "c23 no sweep": (
        "rows", "schedule.run init 0\n", "", "found out, expected init 0, out",
    ),
    "c43 no end of a sweep": (
        "rows", "schedule.run finish 0\n", "", "found out, expected finish 0",
    ),
    "c43 a block that is no group": (
        "rows", "[d1] by 512 serial", "[d1] by 256 serial",
        r"found \[d1\] by 256 serial, expected \[d1\] by 512 serial",
    ),
    "c43 points in a sweep": (
        "rows", "[d1] by 64 lanes", "[d0] by 64 serial", r"expected \[d1\] by",
    ),
    "c24 a block of any size": (
        "unknown rows", "by 64 parallel", "by <M + 1> parallel",
        "found blocks of M . 1 points, expected a known size",
    ),
    "c26 part of a short axis": (
        "narrow", "[d1] by 4", "[d1] by 2",
        r"found blocks of \[d1\] by 2, expected all of a short axis",
    ),
    "c27 lanes that nobody knows": (
        "unknown columns", "by 1024 serial", "by 512 serial",
        "found a block of 512, expected all of N",
    ),
    "c28 rows that may be long": (
        "unknown rows", "atleast(N, 33)", "atleast(N, 40)",
        "packed rows of 39 values, expected 1 to 32",
    ),
    "c28 rows without values": (
        "unknown rows", "atleast(N, 33)", "atleast(N, 1)",
        "packed rows of 0 values, expected 1 to 32",
    ),
    "c28 no block": (
        "short rows", "by 256 parallel", "by 1 parallel",
        "found packed rows along 0 axes, expected one",
    ),
    "c29 a pipeline over another axis": (
        "softmax", "schedule.pipeline [d0]", "schedule.pipeline [d1]",
        r"found loops over \[d0\], expected blocks along \[d1\] innermost",
    ),
    "c30 a sweep without functions": (
        "softmax", "[d0] sweep 1", "[d0] sweep 0",
        "found sweep 0, expected functions",
    ),
    "c30 a sweep that is not before": (
        "softmax", "[d0] sweep 1", "[d0] sweep 2", "found sweep 2, expected one before 2",
    ),
    "c31 another order": (
        "rows", "[d1] by 64 lanes", "[d1] by 1 serial",
        r"found \[d1\] by 1 serial, expected \[d1\] by 64 lanes",
    ),
    "c31 values of functions in lanes": (
        "kept",
        "schedule.for [d1] by 1 vector {\n              schedule.run value 0\n            }\n", "",
        "sweep 0: found values in lanes, 8 of each, expected staged values in lanes, 8 of each",
    ),
    "c31 one value after the other": (
        "rows",
        "schedule.for [d1] by 64 lanes {\n                schedule.for [d1] by 1 unroll {\n"
        "                  schedule.run step 0\n                }\n              }",
        "schedule.run step 0", r"found step 0, expected \[d1\] by 64 lanes",
    ),
    "c32 chunks beside points": (
        "rows", "[d1] by 512 serial {", "[d1] by 8192 parallel {",
        "sweep 0: found 1 chunks of 1 blocks, expected 2 or more of a power of two, or none",
    ),
    "c33 blocks of any number of rows": (
        "norms", "by 16 parallel", "by <floordiv(4096, N + 1) + 1> parallel",
        r"found a block of floordiv\(4096, N \+ 1\) \+ 1 rows, expected a number",
    ),
    "c34 rows along another axis": (
        "norms", "by 1 serial {\n                schedule.run init 0",
        "by 2 serial {\n                schedule.run init 0", "expected a serial loop by 1",
    ),
    "c43 nothing is filled up": (
        "kept", "by 512 serial {", "by 512 serial pad <16> {",
        r"found \[d1\] by 512 serial pad <16>, expected \[d1\] by 512 serial",
    ),
    "c38 values as they come": (
        "totals",
        "schedule.for [d1] by 1 vector {\n                schedule.run value 1\n              }\n",
        "",
        "found sweep 1 with values as they come, expected staged ones",
    ),
    "c39 vectors without values": (
        "coalesced", "[d0], [d1] {", "[d0], [d1] by 0 {", "vectors of 0 values",
    ),
    "c39 vectors that are too long": (
        "coalesced", "[d0], [d1] {", "[d0], [d1] by 100000 {", "in vectors of 100000 values",
    ),
    "c31 many chains": (
        "prefix", "by 4 parallel", "by 32 parallel",
        "sweep 0: found .*, expected 16 points at most",
    ),
    "c43 totals in vectors": (
        "prefix", "[d0] by 1 unroll", "[d0] by 1 parallel",
        r"found \[d0\] by 1 parallel, expected \[d0\] by 1 vector",
    ),
    "c42 totals of packed rows": (
        "prefix", "schedule.run init", "schedule.pack_rows\nschedule.run init",
        "found schedule.pack_rows of a scan, expected rows as they lie",
    ),
    "contraction c14 blocks of any size": (
        "unknown products", "by 1310 parallel", "by <M> parallel",
        r"found \[d0\] by M parallel, expected a number",
    ),
    "c35 a row that is kept": (
        "kept", "schedule.run init 0\n",
        "schedule.for [d0] by 1 serial { schedule.run init 0 }\n",
        "found .*, expected a serial loop by 1",
    ),
}  # fmt: skip
"""A graph, what is changed in its schedule, and what is said about it."""


def test_messages_say_what_was_found_and_what_was_expected() -> None:
    for path in sorted((ROOT / "compiler/schedule").glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "fail":
                message = ast.unparse(call.args[0])
                assert re.search(r"\bfound\b.*\bexpected\b", message), message


def exchanged(name: str) -> str:
    """A schedule in which the second nest stands in front of the first one."""
    head, first, rest = schedule(name).split("    kernel.nest ", 2)
    second, end = rest.split("    func.return")
    nests = "".join(f"    kernel.nest {nest}" for nest in (second, first))
    return f"{head}{nests}    func.return{end}"


def test_nests_that_were_exchanged_are_refused() -> None:
    """The second one would read memory that nothing has written."""
    nest = r"kernel\.nest \[50, 50\] into \(%out0\) reads %q, which nothing before it writes"
    with pytest.raises(opc.OpcError, match=rf"^<string>:\d+:\d+: error: {nest}$"):
        opc.lower(exchanged("two products"), cache=None)


@pytest.mark.parametrize("name", ["two products", "rows of products"])
def test_bands_are_legal_or_name_nests_and_buffers(name: str) -> None:
    """Rows of a product need all rows of its right operand, and the same rows of its left one."""

    def fusion(text: str, axes: str) -> str:
        head, rest = text.split("    kernel.nest ", 1)
        nests, end = rest.split("    func.return")
        around = f"    schedule.tile_fusion by [25] over {axes} {{\n    kernel.nest {nests}    }}\n"
        return f"{head}{around}    func.return{end}"

    if name == "rows of products":
        opc.lower(fusion(schedule(name), "[d0], [d0]"), cache=None)
        bad = fusion(schedule(name), "[d0], [d1]")
    else:
        bad = fusion(schedule(name), "[d0], [d0]")
    writes = r"kernel\.nest \[50, 50\] into \(%q\) writes it along \[d0\]"
    reads = r"kernel\.nest \[50, 50\] into \(%out0\) reads it along \[d[01]\]"
    with pytest.raises(
        opc.OpcError,
        match=rf"others of them write: of %q none has a part of its own; {writes}, {reads}$",
    ):
        opc.lower(bad, cache=None)
    with pytest.raises(opc.OpcError, match="reads %q, which nothing before it writes"):
        opc.lower(fusion(exchanged(name), "[d0], [d0]"), cache=None)


def test_parts_that_are_not_written_yet_are_refused() -> None:
    """A nest that reads a whole of which one part is written only."""
    text = """
func.func @main(%x: memref<4xf32>, %y: memref<8xf32>, %workspace: memref<?xi8>) attributes {
    opc.input_names = ["x"], opc.result_names = ["y"], opc.outputs = 1 : i64,
    opc.workspace = #opc.index<64>} {
  %w = loop.slice %workspace[0] : memref<8xf32>
  %a = loop.view %w[0] : memref<4xf32>
  %b = loop.view %w[4] : memref<4xf32>
NESTS
  func.return
}"""
    point = "schedule.tree { schedule.for [d0] by 1 vector { schedule.run out } }"
    nest = f"""kernel.nest [EXTENT] into (TARGET) {{
    %0 = kernel.load SOURCE[d0] : f32
    kernel.store %0 to 0[d0]
    {point}
  }}"""

    def copy(source: str, target: str, extent: int) -> str:
        new = nest.replace("EXTENT", str(extent)).replace("SOURCE", source)
        return new.replace("TARGET", target)

    first, second, both = copy("%x", "%a", 4), copy("%a", "%b", 4), copy("%w", "%y", 8)
    opc.lower(text.replace("NESTS", "\n".join([first, second, both])), cache=None)
    for order, nests in {
        r"into \(%y\) reads %w, which nothing before it writes in part": (first, both, second),
        r"into \(%b\) reads %w, which nothing before it writes$": (second, first, both),
    }.items():
        with pytest.raises(opc.OpcError, match=order):
            opc.lower(text.replace("NESTS", "\n".join(nests)), cache=None)


@pytest.mark.parametrize("name", CASES)
def test_an_illegal_schedule_is_refused(name: str) -> None:
    graph, old, new, message = CASES[name]
    text = schedule(graph)
    assert old in text, text
    with pytest.raises(opc.OpcError, match=message):
        opc.lower(text.replace(old, new), cache=None)


def test_blocks_around_a_prefetch_are_whole_lines() -> None:
    """Part of a line in each block was written by the block before, too, and beyond the result."""
    loop = "schedule.for [d1] by 96 serial {"
    text = schedule("far").replace(loop, f"schedule.for [d1] by 200 serial {{ {loop}")
    text = text.replace("schedule.run out", "schedule.run out }", 1)
    message = "found blocks of 200 around prefetch 0, expected whole lines of 16 values"
    with pytest.raises(opc.OpcError, match=message):
        opc.lower(text, cache=None)
    opc.lower(text.replace("by 200", "by 192"), cache=None)


def test_a_sweep_is_in_no_loop_over_it() -> None:
    text = schedule("rows").replace("schedule.run out", "schedule.run out }", 1)
    loop = "schedule.for [d1] by 8192 parallel {"
    text = text.replace("schedule.run init 0", f"{loop} schedule.run init 0")
    message = r"found \[d1\] by 8192 parallel around sweeps, expected loops over points"
    with pytest.raises(opc.OpcError, match=message):
        opc.lower(text, cache=None)


@pytest.mark.parametrize("right, wrong", [("run init", "ran init"), ("run out", "rum out")])
def test_a_misspelled_word_is_said_where_it_is(right: str, wrong: str) -> None:
    """And not of a load before it, whose sweep is in no nest yet."""
    text = schedule("rows").replace(right, wrong, 1)
    line = 1 + next(k for k, line in enumerate(text.splitlines()) if wrong in line)
    with pytest.raises(opc.OpcError, match=rf":{line}:.*unknown operation"):
        opc.lower(text, cache=None)
