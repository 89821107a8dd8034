"""The short form of the suite: of tests that are many of one kind, about a quarter.

``--full`` runs all of them.  What is left out is deselected and counted as such, not as passed.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator

import pytest

PART = 4
"""Of the cases of one test in ``MANY``, about one of this many runs in the short form."""

MANY = {
    "test_contractions.py",
    "test_convolutions.py",
    "test_copied_columns.py",
    "test_cut_loops.py",
    "test_few_columns.py",
    "test_fill_vectors.py",
    "test_in_place.py",
    "test_onnx_pooling.py",
    "test_onnx_windows.py",
    "test_openvino_onnx.py",
    "test_openvino_parts.py",
    "test_openvino_windows.py",
    "test_rotate_loops.py",
    "test_row_versions.py",
    "test_rows.py",
    "test_same_bits.py",
    "test_several_rows.py",
    "test_small_types.py",
    "test_streams.py",
    "test_strips.py",
    "test_three_rows.py",
    "test_tiles.py",
    "test_turned_results.py",
    "test_unknown_columns.py",
}
"""Files whose cases are products of shapes and types, compiled one by one.  The fuzzer draws from
the same products."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run every case of every test")


def _left_out(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Of each test with cases all but the first, and a part of the others by their names.

    By number would keep one value of a parameter with three values.
    """
    cases = [item for item in items if item.path.name in MANY and "[" in item.name]
    for _, group in itertools.groupby(cases, key=lambda item: item.nodeid.split("[")[0]):
        for item in itertools.islice(group, 1, None):
            if zlib.crc32(item.nodeid.encode()) % PART:
                yield item


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    named_by_hand = any("::" in argument for argument in config.args)
    if config.getoption("--full") or named_by_hand:
        return
    left_out = list(_left_out(items))
    config.hook.pytest_deselected(items=left_out)
    ids = {id(item) for item in left_out}
    items[:] = [item for item in items if id(item) not in ids]
