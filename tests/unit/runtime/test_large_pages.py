"""Files in large pages: whatever the sizes of parts, the file holds them one after the other."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from opc.runtime import large_pages
from opc.runtime.limits import LARGE_PAGE

SIZES = [
    (),
    (0,),
    (5, 0, 7),
    (LARGE_PAGE,),
    (LARGE_PAGE - 1, 1, 1),
    (3, 2 * LARGE_PAGE + 5, LARGE_PAGE - 8, LARGE_PAGE),
]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_parts_follow_each_other(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(sizes))
    # Weights are arrays of any type and rank.
    parts = [rng.integers(0, 256, (size, 2), np.uint8).view(np.uint16).data for size in sizes]
    path = tmp_path / "parts"
    large_pages.write(os.open(path, os.O_WRONLY | os.O_CREAT), parts)
    expected = b"".join(part.tobytes() for part in parts)
    assert path.read_bytes() == expected
    if expected:
        with path.open("rb") as file:
            assert large_pages.mapped(file.fileno())[:] == expected
            assert large_pages.mapped(file.fileno(), 4)[:] == expected[:4]


def test_full_disk_is_an_error() -> None:
    with pytest.raises(OSError, match="No space left"):
        large_pages.write(os.open("/dev/full", os.O_WRONLY), [b"x" * (LARGE_PAGE + 1)])
