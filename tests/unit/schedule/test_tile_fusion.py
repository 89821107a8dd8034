"""Tile fusions: nests that use each other's results, tile by tile, with the bits of the whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

import opc
from opc.dialects import kernel
from opc.dialects.registry import context
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
    "rows": (attention(1, 3, 61, 40, 8), 61),
    "columns": (attention(2, 2, 50, 61, 8), 61),
    "size": (attention(1, 4, 40, 50, 19), 19),
    "channels": (block(1, 61, 19, 20), 61),
    "high": (block(3, 5, 61, 9, expanded=4), 61),
    "wide": (block(3, 5, 9, 61, expanded=4), 61),
}
"""Graphs with an extent of a length that is not known."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", LENGTHS)
def test_unknown_lengths(name: str, small_cache: None) -> None:
    """What tiles would have of no known size is in no tile fusion."""
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


def test_tiles_of_unknown_size() -> None:
    """A tile fusion whose tiles have an extent that only a call knows is refused."""
    module = Parser(
        context(),
        """
func.func @main(%x: memref<4x?xf32, #opc.dims<4, N>>, %s: memref<4x?xf32, #opc.dims<4, N>>) {
  schedule.tile_fusion by [2] over [d0] {
    kernel.nest [4, N] into (%s) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.store %0 to 0[d0, d1]
    }
  }
  func.return
}""",
    ).parse_module()
    fusion = next(op for op in module.walk() if isinstance(op, TileFusionOp))
    with pytest.raises(InputError, match="has unknown extents"):
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
