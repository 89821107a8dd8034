"""Drawn graphs in tile fusions, for L2 caches of several sizes, have the bits of their nests."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import opc
from opc.schedule import form_tile_fusions
from opc.support.target import Target
from opc.support.targets import target
from tests.unit.common.graphs import parse
from tests.unit.common.tile_fusion_graphs import (
    arrays,
    attention,
    block,
    fusions,
    of_unknown_batch,
    results,
    tensor,
)


def drawn_attention(seed: int) -> tuple[str, str, int]:
    """A graph of two contractions and rows between them, a target, and a second cache."""
    rng = np.random.default_rng(seed)

    def some(*values: Any) -> Any:
        return values[rng.integers(len(values))]

    keys = int(some(1, 2, 3))
    heads = keys * int(some(1, 1, 2))
    rows, columns = (int(rng.integers(2, most)) for most in (140, 100))
    mask = some("", "added", "causal")
    batch = int(some(1, 2))
    text = attention(batch, heads, rows, columns, int(rng.integers(1, 40)), mask, keys)
    if some(True, False):
        # What follows the second contraction reads its rows.
        type = re.findall(r"%o = .* -> (.*)\n", text)[0]
        total = re.sub(r"x\d+xf32>$", "x1xf32>", type)
        after = (
            f"  %u = opc.reduce_sum %o {{axes = [3], keepdims = true}} : {type} -> {total}\n"
            f"  %after = opc.sub %o, %u : {type}, {total} -> {type}\n"
        )
        text = text.replace("  %r = opc.reshape %o", f"{after}  %r = opc.reshape %after")
    if some(True, False) and (batch == 2 or rows > 2 < columns):
        text = of_unknown_batch(text)
    text = text.replace("f32", some("f32", "f32", "f64", "f16"))
    return text, some("baseline", "native"), int(some(1 << 12, 1 << 14, 1 << 16))


def drawn_block(seed: int) -> tuple[str, str, int]:
    """Two convolutions, a target, and a second cache."""
    rng = np.random.default_rng(seed)

    def some(*values: Any) -> Any:
        return values[rng.integers(len(values))]

    channels, expanded = int(rng.integers(2, 13)), int(some(2, 4, 6))
    middle = channels * expanded
    text = block(
        int(some(1, 2, 3, 9, 9)),
        channels,
        *(int(n) for n in rng.integers(5, 20, 2)),
        expanded=expanded,
        groups=int(some(0, 0, next(n for n in (3, 2, 1) if middle % n == 0))),
        kernel=int(some(1, 2, 3, 5)),
        stride=int(some(1, 1, 2, 3)),
        pad=int(some(0, 1, 2)),
    )
    if "tensor<2x" in text and some(True, False):
        text = of_unknown_batch(text)
    text = text.replace("f32", some("f32", "f32", "f64", "f16"))
    return text, some("baseline", "native"), int(some(1 << 12, 1 << 13, 1 << 14))


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


DRAWS = {"attention": drawn_attention, "block": drawn_block, "products": drawn_products}


def limit(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let tile fusions be formed for a machine whose second cache has so many bytes."""

    def limited(passed: form_tile_fusions.FormTileFusionsPass) -> Target:
        return replace(target(passed.target), l2=size)

    monkeypatch.setattr(form_tile_fusions.FormTileFusionsPass, "machine", property(limited))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", DRAWS)
def test_drawn_graphs_have_bands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 24 a third or more; what is compared below is not the same schedule twice."""
    found = 0
    for seed in range(24):
        text, machine, size = DRAWS[name](seed)
        limit(monkeypatch, size)
        found += bool(fusions(text, machine))
    assert found >= 8


@pytest.mark.sample(1200)
@pytest.mark.parametrize("seed", range(400))
@pytest.mark.parametrize("name", DRAWS)
def test_drawn(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tile fusions of any shapes have the bits of the graph; some are in the short form."""
    text, machine, size = DRAWS[name](seed)
    given = arrays(text)
    wanted = results(opc.compile(parse(text), fuse=False, target=machine, cache=None), given)
    limit(monkeypatch, size)
    for threads in (1, 3):
        made = opc.compile(parse(text), threads=threads, target=machine, cache=None)
        assert results(made, given) == wanted
