"""The short form of the suite: of tests that are many of one kind, about an eighth; no long ones.

Long ones are marked ``long``.  ``--full`` runs all of them.  What is left out is deselected and
counted as such, not as passed.
"""

from __future__ import annotations

import gc
import itertools
import zlib
from collections.abc import Generator, Iterator
from unittest.mock import patch

import pytest

PARTS = {
    "test_attention.py": 8,
    "test_bands_drawn.py::test_drawn": 64,
    "test_bands.py::test_compiled_bits": 2,
    "test_bands.py::test_interpreted_bits": 4,
    "test_bounds.py::test_compiled_results_are_within": 4,
    "test_compiling.py::test_the_arena_is_hardly_larger_than_what_is_needed": 4,
    "test_constant_arguments.py": 8,
    "test_contraction_groups.py": 8,
    "test_contraction_schedules.py": 8,
    "test_contractions.py": 8,
    "test_convolutions.py": 8,
    "test_fission.py": 8,
    "test_deployed_networks.py::test_from_onnx": 3,
    "test_deployed_networks.py::test_from_openvino": 4,
    "test_emission.py::test_same_bits_everywhere": 4,
    "test_emission.py::test_symbols": 4,
    "test_unknown_rows.py": 8,
    "test_frames.py::test_frames_stay_small": 4,
    "test_in_place.py": 8,
    "test_indexing.py": 8,
    "test_integer_reductions.py": 8,
    "test_interpret_kernels.py::test_every_pass": 4,
    "test_interpret_loops.py::test_every_pass": 8,
    "test_kept_values.py": 8,
    "test_max_numbers.py": 8,
    "test_numerics_elementwise.py::test_every_operator_on_every_length": 4,
    "test_numerics_fusion.py::test_intermediate_results_change_nothing": 3,
    "test_numerics_movement.py": 8,
    "test_numerics_reductions.py::test_every_reduction": 4,
    "test_one_order.py::test_compiled": 2,
    "test_onnx_indexing.py": 8,
    "test_onnx_integer.py": 8,
    "test_onnx_legacy.py::test_broadcast": 4,
    "test_onnx_moving.py": 8,
    "test_onnx_pooling.py": 8,
    "test_onnx_quantization.py": 8,
    "test_onnx_resize.py": 8,
    "test_onnx_resize_run_time.py": 8,
    "test_onnx_sampling.py": 8,
    "test_onnx_selecting.py": 8,
    "test_onnx_spectral.py": 8,
    "test_onnx_top_k.py": 8,
    "test_onnx_windows.py": 8,
    "test_openvino_onnx.py": 8,
    "test_openvino_parts.py": 8,
    "test_openvino_seeds.py": 4,
    "test_openvino_windows.py": 8,
    "test_powers.py": 8,
    "test_reductions_in_order.py": 16,
    "test_row_pipeline.py::test_bits": 4,
    "test_rows.py": 8,
    "test_run_time_extents.py": 8,
    "test_same_bits.py": 8,
    "test_small_types.py": 16,
    "test_steps.py": 8,
    "test_streams.py": 8,
    "test_strips.py": 8,
    "test_tiles.py": 8,
    "test_computed_transposes.py": 32,
    "test_transposed.py::test_drawn_ones": 3,
    "test_typing.py::test_mypy": 4,
    "test_typing.py::test_the_packages_are_found": 4,
    "test_unknown_extents.py::test_bits": 8,
}
"""Of the cases of each test of a file, or of one test, about one of so many runs in the short form.

These are products of shapes and types, compiled one by one.  The fuzzer draws from the same
products.
"""


AT_O1 = (
    *("test_onnx_", "test_openvino_", "test_networks.", "test_deployed_networks."),
    *("test_traced", "test_control_flow.", "test_recurrent.", "test_benchmarks."),
    *("test_numerics_reductions.", "test_numerics_movement.", "test_bounds.", "test_equal_loops."),
    *("test_contract.", "test_real_models."),
)
"""How files begin that are about what operators mean: they are compiled at -O1 in the short form.

That takes compilers half the time of the flags that users get, or less.  What they make of C with
those is the subject of tests of loops, schedules and sums, and of the fuzzer, which has every
operator in every build.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run every case of every test")


@pytest.fixture(scope="module", autouse=True)
def _optimization(request: pytest.FixtureRequest) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    if request.config.getoption("--full") or not request.path.name.startswith(AT_O1):
        yield
        return
    from opc.runtime import toolchain

    assert "-O3" in toolchain.COMMON_FLAGS
    common = tuple("-O1" if flag == "-O3" else flag for flag in toolchain.COMMON_FLAGS)
    with patch.multiple(toolchain, COMMON_FLAGS=common, GCC_FLAGS=()):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays, so no garbage is looked for in it: a quarter of the time it takes.

    Nor later: each look through everything would go through all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _part(item: pytest.Item) -> int:
    test = item.nodeid.split("::")[-1].split("[")[0]
    return PARTS.get(f"{item.path.name}::{test}", PARTS.get(item.path.name, 1))


def _left_out(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Long tests; of each test with cases all but the first, and a part of the others by name.

    By number would keep one value of a parameter with three values.
    """
    yield from (item for item in items if item.get_closest_marker("long") is not None)
    cases = [item for item in items if "[" in item.name]
    for _, group in itertools.groupby(cases, key=lambda item: item.nodeid.split("[")[0]):
        for item in itertools.islice(group, 1, None):
            if zlib.crc32(item.nodeid.encode()) % _part(item):
                yield item


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    named_by_hand = any("::" in argument for argument in config.args)
    if config.getoption("--full") or named_by_hand:
        return
    left_out = list(_left_out(items))
    config.hook.pytest_deselected(items=left_out)
    ids = {id(item) for item in left_out}
    items[:] = [item for item in items if id(item) not in ids]
