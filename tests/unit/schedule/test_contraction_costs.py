"""What the estimated cost of a contraction counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from opc.api.driver import Options, load, source_of
from opc.schedule.contraction import Contraction, analyse
from opc.schedule.contraction_cost import ContractionCost, Costs
from opc.schedule.contraction_trees import Choice
from opc.schedule.plan_contraction import choose, ordered, packed, tiled
from opc.schedule.register_tiles import Tile, holds_filter
from opc.schedule.tiles import arithmetic
from opc.support.targets import target
from opc.tune.nests import nests_of

AVX512 = target("avx512")
WINDOWS = """
func.func @main(%x: tensor<1x3x160x160xf32>, %w: tensor<32x3x7x7xf32>) -> tensor<1x32x154x154xf32> {
  %r = opc.conv %x, %w
  func.return %r : tensor<1x32x154x154xf32>
}"""
PRODUCT = """
func.func @main(%x: tensor<64x48xf32>, %y: tensor<48x512xf32>) -> tensor<64x512xf32> {
  %r = opc.matmul %x, %y
  func.return %r : tensor<64x512xf32>
}"""


def contraction_of(text: str) -> Contraction:
    """The only contraction of a graph."""
    options = Options(target="avx512", threads=1)
    (nest,) = nests_of(source_of(load(text), None), options.target, {}, True).nests.values()
    contraction = analyse(nest.nest)
    assert contraction is not None
    return contraction


def test_vectors_of_windows_are_on_two_lines() -> None:
    """Of a wide tile, each step loads more vectors than lines can be read in its time."""
    c = contraction_of(WINDOWS)
    choices = [d for d in tiled(choose(c, AVX512, 1), c, AVX512) if d.tile.rows == 2]
    wide = next(d for d in choices if d.contraction.window(d.contraction.right) is not None)
    cost = ContractionCost(wide.contraction, AVX512)
    per_vector = cost.products / wide.tile.lanes
    near, apart = (
        arithmetic(wide.contraction, wide.tile, 1, AVX512, aligned, is_packed=True) * per_vector
        for aligned in (True, False)
    )
    assert cost.least(wide) == pytest.approx(apart)
    assert apart > near


def test_results_leave_a_cache_as_fast_as_what_is_read_in_order() -> None:
    """The rates of pieces on pages of their own are for what is read."""
    c = contraction_of(PRODUCT)
    choice = replace(choose(c, AVX512, 1), packs=frozenset())
    slow = replace(AVX512, l2_piece_rate=1, l3_piece_rate=1)
    assert ContractionCost(c, slow).cycles(choice) == ContractionCost(c, AVX512).cycles(choice)


@pytest.mark.parametrize("text", [PRODUCT, WINDOWS])
def test_no_loops_take_less_than_the_bound(text: str) -> None:
    """Tiles above the bound are left out without a look at their loops."""
    c = contraction_of(text)
    costs = Costs(AVX512, 1)
    for first in tiled(choose(c, AVX512, 1), c, AVX512):
        bound = costs.bound(first)
        assert 0 < bound <= min(map(costs.cycles, ordered(first)))


@pytest.mark.parametrize("filters", [2, 4])
def test_short_chains_read_columns_once(filters: int) -> None:
    """All rows are in a tile: of several tiles, only the first one fetches columns from afar."""
    channels = 32 * filters
    c = contraction_of(f"""
func.func @main(%x: tensor<1x{channels}x76x76xf32>, %w: tensor<{channels}x{filters}x1x1xf32>)
    -> tensor<1x{channels}x76x76xf32> {{
  %r = opc.conv %x, %w {{groups = 32}}
  func.return %r : tensor<1x{channels}x76x76xf32>
}}""")
    assert choose(c, replace(AVX512, starts=1, l2_rate=14), 1).tile.rows == filters


@pytest.mark.parametrize(("is_packed", "cycles"), [(True, 16), (False, 18)])
def test_values_of_panels_take_less_to_load(is_packed: bool, cycles: int) -> None:
    """A step of 16 rows and a vector has 17 loads; two of a panel's values start in a cycle."""
    c, tile = contraction_of(PRODUCT), Tile(16, 16, 16)
    machine = replace(AVX512, single_load=0.5, load_starts=1, starts=1, in_order=0)
    assert arithmetic(c, tile, 1, machine, True, is_packed) == pytest.approx(cycles / 16)


@pytest.mark.parametrize(("size", "is_blocked"), [(3, True), (7, False)])
def test_large_filters_are_not_in_blocks_of_rows(size: int, is_blocked: bool) -> None:
    """The sums of 6 rows would be computed again for each block of 28; of 2 rows they may be."""
    pads = [size // 2] * 4
    text = f"""
func.func @main(%x: tensor<1x48x112x112xf32>, %w: tensor<48x1x{size}x{size}xf32>)
    -> tensor<1x48x112x112xf32> {{
  %r = opc.conv %x, %w {{groups = 48, pads = {pads}}}
  func.return %r : tensor<1x48x112x112xf32>
}}"""
    machine = replace(AVX512, starts=1, load_starts=1, sums_in_flight=4, l2_rate=14)
    choice = choose(contraction_of(text), machine, 1)
    blocks = [kind for axis, _, kind in choice.loops if axis == choice.contraction.row]
    assert blocks == ["serial"] * is_blocked + ["rotating"]


@pytest.mark.parametrize(
    ("channels", "step", "gap"),
    [(256, 1, 0), (256, 2, 16), (512, 1, 16), (512, 2, 16), (520, 1, 0)],
)
def test_rows_of_a_tile_do_not_collide(channels: int, step: int, gap: int) -> None:
    """Rows of 512 channels would lie 2 KiB apart, or 4 in steps of two: in two sets, or one."""
    extent = 14 // step
    c = contraction_of(f"""
func.func @main(%x: tensor<1x{channels}x16x16xf32>, %w: tensor<64x{channels}x3x3xf32>)
    -> tensor<1x64x{extent}x{extent}xf32> {{
  %r = opc.conv %x, %w {{strides = [{step}, {step}]}}
  func.return %r : tensor<1x64x{extent}x{extent}xf32>
}}""")
    window = c.window(c.left)
    assert window is not None and window.gap == gap


def test_a_window_is_copied_in_blocks_if_these_stay_near() -> None:
    """Copies of 64 channels of 129 by 129 leave the second cache; blocks of some rows do not."""
    c = contraction_of("""
func.func @main(%x: tensor<1x64x129x129xf32>, %w: tensor<128x64x3x3xf32>)
    -> tensor<1x128x64x64xf32> {
  %r = opc.conv %x, %w {strides = [2, 2]}
  func.return %r : tensor<1x128x64x64xf32>
}""")
    small, large = (choose(c, replace(AVX512, l2=size), 1) for size in (1 << 20, 1 << 30))
    assert small.depth == 1 and small.loops[0][:2] == ((2,), 4)
    assert large.loops[0][:2] != ((2,), 4)


def test_a_prefetched_panel_takes_half_a_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the place of another panel, or of what is used no more: the mean of both counts."""

    def fetching(cost: ContractionCost, *operands: Sequence[int]) -> float:
        return 1000.0 * sum(operands[-1])

    monkeypatch.setattr(ContractionCost, "_fetching", fetching)
    c = contraction_of(PRODUCT)
    choice = choose(c, AVX512, 1)
    alone = ContractionCost(c, AVX512).cycles(choice)
    monkeypatch.setattr(Choice, "prefetched", lambda *_: {"right"})
    assert ContractionCost(c, AVX512).cycles(choice) == pytest.approx(alone + 500)


@pytest.mark.parametrize(("extent", "collide"), [(64, True), (56, False)])
def test_parts_of_lines_that_collide_return(extent: int, collide: bool) -> None:
    """Results of 32 channels by 8 pixels are parts of lines; one set would have to hold 32."""
    c = contraction_of(f"""
func.func @main(%x: tensor<1x64x{extent + 2}x{extent + 2}xf32>, %w: tensor<64x64x3x3xf32>)
    -> tensor<1x64x{extent}x{extent}xf32> {{
  %r = opc.conv %x, %w
  func.return %r : tensor<1x64x{extent}x{extent}xf32>
}}""")
    turned, tile = c.transposed if c.is_in_order else c, Tile(8, 32, 16)
    free, real = (
        arithmetic(turned, tile, 1, replace(AVX512, line_wait=cycles), True, is_packed=True)
        for cycles in (0, 20)
    )
    assert (free < real) == collide


@pytest.mark.parametrize(("block", "waits"), [(32, True), (512, False)])
def test_pieces_of_results_come_from_far(block: int, waits: bool) -> None:
    """Blocks have 128 bytes or 2 KiB of each of 128 rows, which are 100 KiB apart."""
    c = contraction_of("""
func.func @main(%x: tensor<1x64x160x160xf32>, %w: tensor<128x64x1x1xf32>)
    -> tensor<1x128x160x160xf32> {
  %r = opc.conv %x, %w
  func.return %r : tensor<1x128x160x160xf32>
}""")
    planned = choose(c, AVX512, 1)
    rows, columns = planned.contraction.row, planned.contraction.column
    loops = ((columns, block, "parallel"), (rows, 13, "serial"), (columns, 32, "serial"))
    choice = replace(planned, tile=Tile(13, 32, 16), loops=loops)
    without, real = (
        ContractionCost(choice.contraction, replace(AVX512, piece_wait=cycles)).cycles(choice)
        for cycles in (0, 50)
    )
    assert (without < real) == waits


def test_constant_rows_of_one_tile_are_packed() -> None:
    """Each row would be read line by line, in turns with 15 others."""
    layer = """
func.func @main(%x: tensor<1x32x40x40xf32>) -> tensor<1x16x40x40xf32> {
  %w = opc.constant dense<0.5> : tensor<16x32x1x1xf32>
  %r = opc.conv %x, %w
  func.return %r : tensor<1x16x40x40xf32>
}"""
    c = contraction_of(layer)
    assert c.left.name in packed(c, Tile(16, 16, 16), 1, AVX512)


@pytest.mark.parametrize(("kernel", "holds"), [(3, True), (5, False)])
def test_filters_that_registers_hold(kernel: int, holds: bool) -> None:
    """Those of 5 by 5 would leave seven registers."""
    c = contraction_of(f"""
func.func @main(%x: tensor<1x8x32x32xf32>, %w: tensor<8x1x{kernel}x{kernel}xf32>)
    -> tensor<1x8x{33 - kernel}x{33 - kernel}xf32> {{
  %r = opc.conv %x, %w {{groups = 8}}
  func.return %r : tensor<1x8x{33 - kernel}x{33 - kernel}xf32>
}}""")
    assert holds_filter(c, Tile(1, 16, 16), AVX512) == holds
