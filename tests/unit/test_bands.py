"""Bands: nests that work on each other's results, tile by tile, with the bits of the whole."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from graphs import parse
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

import opc
from opc import pipeline
from opc.dialects.band import BandOp
from opc.emit.source import emit
from opc.errors import InputError
from opc.interpret.function import run
from opc.registry import context
from opc.schedule import form_bands
from opc.schedule.bands import check
from opc.target import Target, target

SMALL = 24 << 10
"""Bytes of a second cache that results of small graphs do not fit in."""
MACHINE = "baseline"
"""Bands of small graphs are of few rows, as the tiles of this machine are."""


@pytest.fixture
def small_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bands be formed for a machine whose second cache is small."""

    def small(name: str) -> Target:
        return replace(target(name), l2=SMALL)

    monkeypatch.setattr(form_bands, "target", small)


def tensor(*shape: int) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def attention(
    batch: int, heads: int, rows: int, columns: int, size: int, mask: str = "", keys: int = 0
) -> str:
    """softmax(q k^T / 8 + mask) v; ``keys`` are the heads of k and v, if there are fewer."""
    groups = keys or heads
    q, k = tensor(batch, heads, rows, size), tensor(batch, groups, columns, size)
    rows_of_group = heads // groups * rows
    grouped = tensor(batch, groups, rows_of_group, size)
    turned, wide = (
        tensor(batch, groups, size, columns),
        tensor(batch, groups, rows_of_group, columns),
    )
    s, one = tensor(batch, heads, rows, columns), tensor(batch, heads, rows, 1)
    more = f", %m: {tensor(rows, columns)}" if mask == "added" else ""
    masks = {
        "": f"%y = opc.relu %x : {s}",
        "added": f"%y = opc.add %x, %m : {s}, {tensor(rows, columns)} -> {s}",
        "causal": f"""
  %i0 = opc.iota : tensor<{rows}xi64>
  %i = opc.reshape %i0 : tensor<{rows}xi64> -> tensor<{rows}x1xi64>
  %j = opc.iota : tensor<{columns}xi64>
  %seen = opc.less_equal %j, %i : tensor<{columns}xi64>, tensor<{rows}x1xi64>
  %low = opc.constant dense<-1.0e4> : tensor<f32>
  %y = opc.where %seen, %x, %low""",
    }
    return f"""
func.func @main(%q: {q}, %k: {k}, %v: {k}{more}) -> {q} {{
  %g = opc.reshape %q : {q} -> {grouped}
  %t = opc.transpose %k {{permutation = [0, 1, 3, 2]}} : {k} -> {turned}
  %w = opc.matmul %g, %t : {grouped}, {turned} -> {wide}
  %z = opc.reshape %w : {wide} -> {s}
  %c = opc.constant dense<0.125> : tensor<f32>
  %x = opc.mul %z, %c : {s}, tensor<f32> -> {s}
  {masks[mask]}
  %top = opc.reduce_max %y {{axes = [3], keepdims = true}} : {s} -> {one}
  %d = opc.sub %y, %top : {s}, {one} -> {s}
  %e = opc.exp %d : {s} -> {s}
  %sum = opc.reduce_sum %e {{axes = [3], keepdims = true}} : {s} -> {one}
  %p = opc.div %e, %sum : {s}, {one} -> {s}
  %pg = opc.reshape %p : {s} -> {wide}
  %o = opc.matmul %pg, %v : {wide}, {k} -> {grouped}
  %r = opc.reshape %o : {grouped} -> {q}
  func.return %r : {q}
}}"""


GRAPHS: dict[str, dict[str, Any]] = {
    "even": {"batch": 1, "heads": 2, "rows": 96, "columns": 96, "size": 16},
    "odd": {"batch": 1, "heads": 3, "rows": 101, "columns": 67, "size": 9},
    "batches": {"batch": 2, "heads": 3, "rows": 53, "columns": 70, "size": 8},
    "one head": {"batch": 1, "heads": 1, "rows": 130, "columns": 90, "size": 8},
    "mask": {"batch": 1, "heads": 2, "rows": 77, "columns": 80, "size": 8, "mask": "added"},
    "causal": {"batch": 2, "heads": 2, "rows": 65, "columns": 65, "size": 8, "mask": "causal"},
    "shared keys": {"batch": 1, "heads": 6, "rows": 45, "columns": 50, "size": 8, "keys": 2},
}
LAYER = f"""
func.func @main(%x: {tensor(300, 40)}, %w: {tensor(40, 24)}, %u: {tensor(40, 24)})
    -> ({tensor(300, 24)}, {tensor(300, 24)}) {{
  %m = opc.reduce_mean %x {{axes = [1], keepdims = true}} : {tensor(300, 40)} -> {tensor(300, 1)}
  %y = opc.sub %x, %m : {tensor(300, 40)}, {tensor(300, 1)} -> {tensor(300, 40)}
  %a = opc.matmul %y, %w : {tensor(300, 40)}, {tensor(40, 24)} -> {tensor(300, 24)}
  %b = opc.matmul %y, %u : {tensor(300, 40)}, {tensor(40, 24)} -> {tensor(300, 24)}
  func.return %a, %b : {tensor(300, 24)}, {tensor(300, 24)}
}}"""
"""Rows that two products read: the ends of both are equal but for what they read and write."""


def block(
    images: int,
    channels: int,
    high: int,
    wide: int,
    *,
    expanded: int = 1,
    groups: int = 0,
    kernel: int = 3,
    stride: int = 1,
    pad: int = 1,
) -> str:
    """A convolution by single points, a bias and a limit, and one through a window.

    The latter is depthwise, or has so many ``groups``.
    """
    middle = channels * expanded
    groups = groups or middle
    size = [(n + 2 * pad - kernel) // stride + 1 for n in (high, wide)]
    x, a = tensor(images, channels, high, wide), tensor(images, middle, high, wide)
    w, b = tensor(middle, channels, 1, 1), tensor(middle, 1, 1)
    d, y = tensor(middle, middle // groups, kernel, kernel), tensor(images, middle, *size)
    how = f"pads = [{', '.join([str(pad)] * 4)}], strides = [{stride}, {stride}], groups = {groups}"
    return f"""
func.func @main(%x: {x}, %w: {w}, %b: {b}, %d: {d}) -> {y} {{
  %0 = opc.conv %x, %w : {x}, {w} -> {a}
  %1 = opc.add %0, %b : {a}, {b} -> {a}
  %2 = opc.relu %1 : {a}
  %3 = opc.conv %2, %d {{{how}}} : {a}, {d} -> {y}
  %4 = opc.relu %3 : {y}
  func.return %4 : {y}
}}"""


def of_unknown(text: str, size: int) -> str:
    """The same graph with N in place of every extent of that size."""

    def renamed(found: re.Match[str]) -> str:
        extents = found[1].removesuffix("x").split("x")
        shown = ["?" if e == str(size) else e for e in extents]
        names = ["N" if e == str(size) else e for e in extents]
        if names == extents:
            return found[0]
        return f"tensor<{'x'.join(shown)}xf32, #opc.dims<{', '.join(names)}>>"

    return re.sub(r"tensor<((?:\d+x)*)f32>", renamed, text)


def of_unknown_batch(text: str) -> str:
    """The same graph with N in place of a batch of two."""
    return of_unknown(text, 2)


def residual(images: int, rows: int, size: int, inner: int) -> str:
    """A value that two products read, before and after it is written again in place."""
    x, one = tensor(images, rows, size), tensor(images, rows, inner)
    w, v = tensor(size, inner), tensor(inner, size)
    return f"""
func.func @main(%x: {x}, %q: {tensor(size, size)}, %a: {w}, %b: {v}, %c: {w}) -> {one} {{
  %1 = opc.matmul %x, %q : {x}, {tensor(size, size)} -> {x}
  %2 = opc.matmul %1, %a : {x}, {w} -> {one}
  %3 = opc.matmul %2, %b : {one}, {v} -> {x}
  %4 = opc.add %3, %1 : {x}, {x} -> {x}
  %5 = opc.matmul %4, %c : {x}, {w} -> {one}
  func.return %5 : {one}
}}"""


TEXTS = {
    **{name: attention(**how) for name, how in GRAPHS.items()},
    "a layer": LAYER,
    "residual": residual(9, 57, 17, 65),
    "depthwise": block(1, 5, 19, 20, expanded=6),
    "depthwise by 2": block(1, 3, 24, 21, expanded=11, stride=2),
    "depthwise of images": block(3, 4, 13, 17, expanded=5, kernel=5, pad=2),
    "images": block(9, 3, 11, 12, groups=1),
    "groups": block(11, 4, 13, 9, groups=2, stride=2),
    "unknown batch": of_unknown_batch(attention(**GRAPHS["batches"])),
}


def arrays(text: str, unknown: int = 2) -> list[np.ndarray]:
    """Inputs of a graph."""
    rng = np.random.default_rng(3)
    function = next(op for op in parse(text).ops if isinstance(op, FuncOp))
    types = function.function_type.inputs
    shapes = [[unknown if n < 0 else n for n in t.get_shape()] for t in types]  # pyright: ignore
    dtypes = [{"f64": "f8", "f16": "f2"}.get(str(t.element_type), "f4") for t in types]  # pyright: ignore
    return [
        rng.standard_normal(shape).astype(dtype)
        for shape, dtype in zip(shapes, dtypes, strict=True)
    ]


def bands(text: str, machine: str = MACHINE) -> list[BandOp]:
    """The bands that a graph has."""
    module = parse(text)
    pipeline.run(module, context(), pipeline.passes("schedule"), target=machine)
    return [op for op in module.walk() if isinstance(op, BandOp)]


def results(function: Any, given: list[np.ndarray]) -> list[bytes]:
    found = function(*given)
    return [
        np.asarray(a).tobytes() for a in (found if isinstance(found, list | tuple) else [found])
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_compiled_bits(name: str, small_cache: None) -> None:
    """What is computed tile by tile has the bits of the graph, with any number of threads."""
    text = TEXTS[name]
    assert bands(text), "no band was formed"
    given = arrays(text)
    wanted = results(opc.compile(parse(text), fuse=False, target=MACHINE, cache=None), given)
    for threads in (1, 2, 4):
        function = opc.compile(parse(text), threads=threads, target=MACHINE, cache=None)
        assert results(function, given) == wanted


@pytest.mark.parametrize(
    "name", ["odd", "shared keys", "a layer", "depthwise by 2", "residual", "unknown batch"]
)
def test_interpreted_bits(name: str, small_cache: None) -> None:
    """Every pass from the planning of buffers on leaves the results of a graph as they are."""
    module, given = parse(TEXTS[name]), arrays(TEXTS[name])
    names = pipeline.passes("loops")
    first = names.index("form-bands")
    wanted: list[bytes] | None = None
    pipeline.run(module, context(), names[:first], target=MACHINE)
    for k in range(first, len(names) + 1):
        function = next(op for op in module.ops if isinstance(op, FuncOp))
        found = [a.tobytes() for a in run(function, given)]
        wanted = wanted or found
        assert found == wanted, names[k - 1]
        pipeline.run(module, context(), names[k : k + 1], verify_each=True, target=MACHINE)


LENGTHS = {
    "rows": (attention(1, 3, 61, 40, 8), 61),
    "columns": (attention(2, 2, 50, 61, 8), 61),
    "size": (attention(1, 4, 40, 50, 19), 19),
    "channels": (block(1, 61, 19, 20), 61),
    "high": (block(3, 5, 61, 9, expanded=4), 61),
    "wide": (block(3, 5, 9, 61, expanded=4), 61),
}
"""Graphs with an extent of a length that is not known."""


@pytest.mark.parametrize("name", LENGTHS)
def test_unknown_lengths(name: str, small_cache: None) -> None:
    """What tiles would have of no known size is in no band."""
    text, length = LENGTHS[name]
    given = arrays(text)
    wanted = results(opc.compile(parse(text), fuse=False, target=MACHINE, cache=None), given)
    for threads in (1, 3):
        function = opc.compile(
            parse(of_unknown(text, length)), threads=threads, target=MACHINE, cache=None
        )
        assert results(function, given) == wanted


def workspace(text: str, fuse: bool) -> int:
    """Bytes of the workspace of a graph, those of local arrays included."""
    module = parse(text)
    pipeline.run(module, context(), pipeline.passes("loops", fuse=fuse))
    function = next(op for op in module.ops if isinstance(op, FuncOp))
    return emit(function, "graph").interface.workspace or 0


def test_workspace() -> None:
    """Of scores of 12 heads over 1024 positions no more than some rows are in memory."""
    text = attention(1, 12, 1024, 1024, 64)
    whole = 12 * 1024 * 1024 * 4
    assert workspace(text, fuse=False) > whole
    assert workspace(text, fuse=True) < whole // 10


def test_small_results_stay() -> None:
    """Scores that the second cache holds are no reason for a band."""
    assert not bands(attention(1, 2, 32, 32, 16))


def test_tiles_that_need_each_other(small_cache: None) -> None:
    """A band over rows whose sum a later nest reads is refused."""
    (band,) = bands(TEXTS["a layer"])
    check(band)
    module = Parser(
        context(),
        """
func.func @main(%x: memref<4x8xf32>, %s: memref<4xf32>, %y: memref<4xf32>) {
  schedule.band by [2] over [d0], [d0] {
    kernel.nest [4] into (%s) {
      %0 = kernel.load %x[d0, 0] : f32
      kernel.store %0 to 0[d0]
    }
    kernel.nest [4] into (%y) {
      %1 = kernel.load %s[0] : f32
      kernel.store %1 to 0[d0]
    }
  }
  func.return
}""",
    ).parse_module()
    band = next(op for op in module.walk() if isinstance(op, BandOp))
    with pytest.raises(InputError, match="tiles touch what others of them write"):
        check(band)


def drawn(seed: int) -> tuple[str, str, int]:
    """A graph of two contractions and rows between them, a target, and a second cache."""
    rng = np.random.default_rng(seed)

    def some(*values: Any) -> Any:
        return values[rng.integers(len(values))]

    keys = int(some(1, 2, 3))
    heads = keys * int(some(1, 1, 2))
    rows, columns = (int(rng.integers(2, most)) for most in (140, 100))
    mask = some("", "added", "causal")
    text = attention(int(some(1, 2)), heads, rows, columns, int(rng.integers(1, 40)), mask, keys)
    if some(True, False):
        # What follows the second contraction reads its rows.
        type = re.findall(r"%o = .* -> (.*)\n", text)[0]
        total = re.sub(r"x\d+xf32>$", "x1xf32>", type)
        after = (
            f"  %u = opc.reduce_sum %o {{axes = [3], keepdims = true}} : {type} -> {total}\n"
            f"  %after = opc.sub %o, %u : {type}, {total} -> {type}\n"
        )
        text = text.replace("  %r = opc.reshape %o", f"{after}  %r = opc.reshape %after")
    if some(True, False):
        text = of_unknown_batch(text)
    text = text.replace("f32", some("f32", "f32", "f64", "f16"))
    return text, some("baseline", "native"), int(some(1 << 12, 1 << 14, 1 << 16))


def test_drawn_graphs_have_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 24 about half do; what is compared below is not the same schedule twice."""
    found = 0
    for seed in range(24):
        text, machine, size = drawn(seed)
        monkeypatch.setattr(
            form_bands, "target", lambda name, l2=size: replace(target(name), l2=l2)
        )
        found += bool(bands(text, machine))
    assert found >= 8


def compare_drawn(text: str, machine: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare a graph in bands, for a second cache of that size, with its nests apart."""
    given = arrays(text)
    wanted = results(opc.compile(parse(text), fuse=False, target=machine, cache=None), given)
    monkeypatch.setattr(form_bands, "target", lambda name: replace(target(name), l2=size))
    for threads in (1, 3):
        made = opc.compile(parse(text), threads=threads, target=machine, cache=None)
        assert results(made, given) == wanted


@pytest.mark.parametrize("seed", range(400))
def test_drawn(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands of any shapes have the bits of the graph; some are in the short form."""
    compare_drawn(*drawn(seed), monkeypatch)


def drawn_block(seed: int) -> tuple[str, str, int]:
    """Two convolutions, a target, and a second cache."""
    rng = np.random.default_rng(seed)

    def some(*values: Any) -> Any:
        return values[rng.integers(len(values))]

    channels, expanded = int(rng.integers(1, 9)), int(some(1, 2, 6))
    middle = channels * expanded
    text = block(
        int(some(1, 1, 2, 3, 9)),
        channels,
        *(int(n) for n in rng.integers(5, 30, 2)),
        expanded=expanded,
        groups=int(some(0, 0, 1, next(n for n in (3, 2, 1) if middle % n == 0))),
        kernel=int(some(1, 2, 3, 5)),
        stride=int(some(1, 1, 2, 3)),
        pad=int(some(0, 1, 2)),
    )
    if "tensor<2x" in text and some(True, False):
        text = of_unknown_batch(text)
    text = text.replace("f32", some("f32", "f32", "f64", "f16"))
    return text, some("baseline", "native"), int(some(1 << 12, 1 << 13, 1 << 14))


@pytest.mark.parametrize("draw", ["drawn_block", "drawn_products"])
def test_others_have_bands(draw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 24 a third or more."""
    found = 0
    for seed in range(24):
        text, machine, size = globals()[draw](seed)
        monkeypatch.setattr(
            form_bands, "target", lambda name, l2=size: replace(target(name), l2=l2)
        )
        found += bool(bands(text, machine))
    assert found >= 8


@pytest.mark.parametrize("seed", range(400))
def test_drawn_convolutions(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So have convolutions; some are in the short form."""
    compare_drawn(*drawn_block(seed), monkeypatch)


def drawn_products(seed: int) -> tuple[str, str, int]:
    """Products of the same rows, with sums of earlier ones, functions and reductions between."""
    rng = np.random.default_rng(seed)

    def some(*values: Any) -> Any:
        return values[rng.integers(len(values))]

    batch = [int(n) for n in rng.integers(1, 12, some(0, 1, 1))]
    rows = int(some(rng.integers(8, 300), 96, 192))
    widths = [int(n) for n in rng.integers(2, 90, 2)]
    sizes = [
        widths[k % 2] if some(True, True, False) else int(rng.integers(2, 90)) for k in range(5)
    ]
    sizes = sizes[: some(3, 4, 5)]
    inputs, lines, seen = [f"%x: {tensor(*batch, rows, sizes[0])}"], list[str](), [("%x", sizes[0])]

    def add(operator: str, operands: str, types: str, size: int, how: str = "") -> str:
        name, type = f"%{len(lines)}", tensor(*batch, rows, size)
        lines.append(f"  {name} = opc.{operator} {operands} {how}: {types} -> {type}")
        return name

    for k, (before, after) in enumerate(pairwise(sizes)):
        side = tensor(*(batch if some(True, False) else []), before, after)
        inputs.append(f"%w{k}: {side}")
        last, type = tensor(*batch, rows, before), tensor(*batch, rows, after)
        value = add("matmul", f"{seen[-1][0]}, %w{k}", f"{last}, {side}", after)
        others = [name for name, size in seen if size == after]
        for _ in range(some(0, 1, 2)):
            way = some("add", "add", "relu", "tanh", "centre")
            if way == "add" and others:
                value = add("add", f"{value}, {some(*others)}", f"{type}, {type}", after)
            elif way == "centre":
                how = f"{{axes = [{len(batch) + 1}], keepdims = true}} "
                top = add("reduce_max", value, type, 1, how)
                value = add("sub", f"{value}, {top}", f"{type}, {tensor(*batch, rows, 1)}", after)
            elif way != "add":
                value = add(way, value, type, after)
        seen.append((value, after))
    returned = [seen[-1], *(v for v in seen[1:-1] if some(True, False, False))]
    types = ", ".join(tensor(*batch, rows, size) for _, size in returned)
    names = ", ".join(name for name, _ in returned)
    text = "\n".join(
        [
            f"func.func @main({', '.join(inputs)}) -> ({types}) {{",
            *lines,
            f"  func.return {names} : {types}\n}}",
        ]
    )
    if batch == [2] and some(True, False):
        text = of_unknown_batch(text)
    return text, some("baseline", "native"), int(some(1 << 13, 1 << 14, 24 << 10, 48 << 10))


@pytest.mark.parametrize("seed", range(400))
def test_drawn_products(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So have products that read what others write in place; some are in the short form."""
    compare_drawn(*drawn_products(seed), monkeypatch)
