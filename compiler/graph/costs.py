"""What the passes of the graph choose between by what it costs."""

from __future__ import annotations

from opc.support.target import INDEXED, PHASE_EXTENT, PHASE_FILTERS


def prefers_sort(count: int, stages: int) -> bool:
    """Whether to sort an axis in so many stages, rather than find its first elements one by one.

    For each element of the axis that is a comparison in each stage with one at some distance, or
    one with each of the first elements so far, along a row.
    """
    return count > INDEXED * stages


def joins_phases(filters: int | None, extent: int | None) -> bool:
    """Whether phases of a transposed convolution that see other elements are filters of one, which
    has one position more of an axis then.

    Unknown numbers of filters and elements are taken for many.
    """
    is_few = filters is not None and 0 < filters < PHASE_FILTERS
    return is_few or (extent or PHASE_EXTENT) >= PHASE_EXTENT
