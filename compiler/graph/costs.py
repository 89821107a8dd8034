"""Choices of graph passes that depend on cost."""

from __future__ import annotations

from opc.support.target import INDEXED, PHASE_EXTENT, PHASE_FILTERS


def prefers_sort(count: int, stages: int) -> bool:
    """Whether to sort an axis in so many stages, rather than find its first ``count`` elements.

    Sorting compares each element of the axis once in each stage; finding compares it with each of
    the first elements so far.
    """
    return count > INDEXED * stages


def joins_phases(filters: int | None, extent: int | None) -> bool:
    """Whether phases of a transposed convolution are joined though they see different elements.

    The joined convolution has one position more.  Unknown numbers count as many.
    """
    is_few = filters is not None and 0 < filters < PHASE_FILTERS
    return is_few or (extent or PHASE_EXTENT) >= PHASE_EXTENT
