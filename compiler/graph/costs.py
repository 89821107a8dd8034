"""What the passes of the graph choose between by what it costs."""

from __future__ import annotations

from opc.target import INDEXED


def sorts(count: int, stages: int) -> bool:
    """Whether to sort an axis in so many stages, rather than find its first elements one by one.

    For each element of the axis that is a comparison in each stage with one at some distance, or
    one with each of the first elements so far, along a row.
    """
    return count > INDEXED * stages
