"""Tile fusions: nests that use each other's results, tile by tile, with the bits of the whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

import opc
from opc.dialects import kernel
from opc.dialects.buffer import LocalOp
from opc.dialects.registry import context
from opc.dialects.shape import shape_of
from opc.dialects.tile_fusion import TileFusionOp
from opc.emit.source import emit
from opc.errors import InputError
from opc.interpret.function import run
from opc.passes import pipeline
from opc.schedule import form_tile_fusions
from opc.schedule.contraction import Contraction
from opc.schedule.tile_fusion import check
from opc.support.target import Target
from opc.support.targets import target
from tests.unit.common.graphs import parse
from tests.unit.common.tile_fusion_graphs import (
    GRAPHS,
    LAYER,
    MACHINE,
    arrays,
    attention,
    block,
    fusions,
    of_unknown,
    of_unknown_batch,
    residual,
    results,
)

SMALL = 24 << 10
"""Bytes of a second cache that results of small graphs do not fit in."""


@pytest.fixture
def small_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tile fusions be formed for a machine whose second cache is small."""

    def small(passed: form_tile_fusions.FormTileFusionsPass) -> Target:
        return replace(target(passed.target), l2=SMALL)

    monkeypatch.setattr(form_tile_fusions.FormTileFusionsPass, "machine", property(small))
    monkeypatch.setattr(form_tile_fusions, "LENGTH", 64)


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


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", TEXTS)
def test_compiled_bits(name: str, small_cache: None) -> None:
    """What is computed tile by tile has the bits of the graph, with any number of threads."""
    text = TEXTS[name]
    assert fusions(text), "no tile fusion was formed"
    given = arrays(text)
    wanted = results(opc.compile(parse(text), fuse=False, target=MACHINE, cache=None), given)
    for threads in (1, 2, 4):
        function = opc.compile(parse(text), threads=threads, target=MACHINE, cache=None)
        assert results(function, given) == wanted


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "name", ["odd", "shared keys", "a layer", "depthwise by 2", "residual", "unknown batch"]
)
def test_interpreted_bits(name: str, small_cache: None) -> None:
    """Every pass from the planning of buffers on leaves the results of a graph as they are."""
    text = residual(2, 57, 17, 65) if name == "residual" else TEXTS[name]
    assert fusions(text), "no tile fusion was formed"
    module, given = parse(text), arrays(text)
    names = pipeline.passes("loops")
    first = names.index("form-tile-fusions")
    wanted: list[bytes] | None = None
    before = ""
    pipeline.run(module, context(), names[:first], target=MACHINE)
    for k in range(first, len(names) + 1):
        after = str(module)
        if after != before:
            function = next(op for op in module.ops if isinstance(op, FuncOp))
            found = [a.tobytes() for a in run(function, given)]
            wanted = wanted or found
            assert found == wanted, names[k - 1]
        before = after
        pipeline.run(module, context(), names[k : k + 1], verify_each=True, target=MACHINE)


LENGTHS = {
    "rows": (attention(2, 9, 61, 40, 8), 61),
    "columns": (attention(2, 9, 50, 61, 8), 61),
    "both": (attention(16, 16, 61, 61, 4), 61),
    "batch": (attention(61, 2, 61, 61, 8), 61),
    "size": (attention(1, 4, 40, 50, 19), 19),
    "channels": (block(1, 61, 19, 20), 61),
    "high": (block(3, 5, 61, 9, expanded=4), 61),
    "wide": (block(3, 5, 9, 61, expanded=4), 61),
}
"""Graphs with an extent of a length that is not known."""


TILED = ("rows", "columns", "both", "batch")
"""Those whose tiles are of any length, and go tile by tile where there are many."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", LENGTHS)
def test_unknown_lengths(name: str, small_cache: None) -> None:
    """Of any length, what goes tile by tile or nest by nest has the bits of the graph."""
    text, size = LENGTHS[name]
    unknown = of_unknown(text, size)
    formed = fusions(unknown)
    assert formed or name == "channels"
    tile = formed[0].tile[-1].constant or 1 if formed else 1
    plain = opc.compile(parse(unknown), fuse=False, target=MACHINE, cache=None)
    made = [opc.compile(parse(unknown), threads=n, target=MACHINE, cache=None) for n in (1, 3)]
    # Short ones run nest by nest; then there is no partial tile, and there is one.
    lengths = (0, 1, tile - 1, tile, tile + 1, 2 * tile) if name in TILED else ()
    for length in (*lengths, size):
        given = arrays(unknown, length)
        wanted = results(plain, given)
        assert [results(function, given) for function in made] == [wanted, wanted], length


@pytest.mark.parametrize("name", TILED)
def test_interpreted_lengths(name: str, small_cache: None) -> None:
    """In loops, tiles of unknown size have the bits of the graph, and arrays in the workspace."""
    text, _ = LENGTHS[name]
    unknown = of_unknown(text, LENGTHS[name][1])
    (formed,) = fusions(unknown)
    module, plain = parse(unknown), parse(unknown)
    pipeline.run(module, context(), pipeline.passes("loops"), target=MACHINE, verify_each=True)
    pipeline.run(plain, context(), pipeline.passes("normal"), target=MACHINE)
    unplaced = [
        op
        for op in module.walk()
        if isinstance(op, LocalOp)
        and any(e.constant is None for e in shape_of(op.result.type))
        and op.offset is None
    ]
    assert not unplaced
    functions = [next(op for op in m.ops if isinstance(op, FuncOp)) for m in (module, plain)]
    tile = formed.tile[-1].constant or 1
    for length in (1, tile, 2 * tile + 1):
        given = arrays(unknown, length)
        found, wanted = ([a.tobytes() for a in run(f, given)] for f in functions)
        assert found == wanted, length


@pytest.mark.parametrize("name", ["both", "batch"])
def test_which_version_runs(name: str, small_cache: None) -> None:
    """Tiles pay where the cache does not hold all: of few points, nests run one after the other."""
    text, size = LENGTHS[name]
    (formed,) = fusions(of_unknown(text, size))
    tile = formed.tile[-1].constant or 1
    chosen = [formed.when.evaluate({}, {"N": n}) for n in (1, tile, 4 * size)]
    assert chosen[0] == 0
    assert chosen[-1] == 1


def workspace(text: str, fuse: bool) -> int:
    """Bytes of the workspace of a graph, those of local arrays included."""
    module = parse(text)
    pipeline.run(module, context(), pipeline.passes("loops", fuse=fuse))
    function = next(op for op in module.ops if isinstance(op, FuncOp))
    return emit(function, "graph").interface.workspace or 0


def test_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of scores of 12 heads over 1024 positions no more than some rows are in memory.

    So it is where the second cache holds the keys and values of a head.
    """

    def large(passed: form_tile_fusions.FormTileFusionsPass) -> Target:
        return replace(target(passed.target), l2=1 << 21)

    monkeypatch.setattr(form_tile_fusions.FormTileFusionsPass, "machine", property(large))
    text = attention(1, 12, 1024, 1024, 64)
    whole = 12 * 1024 * 1024 * 4
    assert workspace(text, fuse=False) > whole
    assert workspace(text, fuse=True) < whole // 10


def test_small_results_stay() -> None:
    """Scores that the second cache holds are no reason for a tile fusion."""
    assert not fusions(attention(1, 2, 32, 32, 16))


def test_tiles_that_need_each_other(small_cache: None) -> None:
    """A tile fusion over rows whose sum a later nest reads is refused."""
    (fusion,) = fusions(TEXTS["a layer"])
    check(fusion)
    module = Parser(
        context(),
        """
func.func @main(%x: memref<4x8xf32>, %s: memref<4xf32>, %y: memref<4xf32>) {
  schedule.tile_fusion by [2] over [d0], [d0] {
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
    fusion = next(op for op in module.walk() if isinstance(op, TileFusionOp))
    with pytest.raises(InputError, match="tiles touch what others of them write"):
        check(fusion)


def test_values_that_move_by_unknown_steps() -> None:
    """A tile fusion that moves an index that is a value by an extent of the call is refused."""
    module = Parser(
        context(),
        """
func.func @main(%s: memref<4x?xi64, #opc.dims<4, N>>) {
  schedule.tile_fusion by [2] over [d0] {
    kernel.nest [4, N] into (%s) {
      %0 = scalar.index <d0*N + d1> : i64
      kernel.store %0 to 0[d0, d1]
    }
  }
  func.return
}""",
    ).parse_module()
    fusion = next(op for op in module.walk() if isinstance(op, TileFusionOp))
    with pytest.raises(InputError, match=r"does not move by a number along \[d0\]"):
        check(fusion)


def test_what_a_nest_is_is_found_once(small_cache: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each nest is in many candidates: for a network of 300, that took most of the time."""
    nests: list[kernel.NestOp] = []
    found = form_tile_fusions.analyse

    def counted(nest: kernel.NestOp) -> Contraction | None:
        nests.append(nest)
        return found(nest)

    monkeypatch.setattr(form_tile_fusions, "analyse", counted)
    module = parse(TEXTS["depthwise of images"])
    pipeline.run(module, context(), pipeline.passes("loops"))
    # Once for its windows, once for its tile.
    assert nests
    assert max(map(nests.count, nests)) <= 2
