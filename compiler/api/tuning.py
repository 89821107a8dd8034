"""Tuning as an option of a call: reading files, using their rows, and searching for more."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any, cast

from opc.errors import UsageError

if TYPE_CHECKING:
    from opc.schedule.tuning import Tuning
    from opc.tune.search import Report

    from .options import Options

MOST = 10**6
"""Seconds of a search, at most."""


class NothingToTuneError(UsageError):
    """A graph has no contraction, and no sweep of known extents."""


def check_seconds(seconds: float) -> None:
    """UsageError unless a search can take so many seconds."""
    is_number = isinstance(cast(object, seconds), int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds <= MOST or math.isnan(seconds):
        raise UsageError(f"tune: found {seconds!r}, expected seconds above 0, at most {MOST}")


@contextlib.contextmanager
def scheduled_by(options: Options) -> Generator[None]:
    """Schedule by the rows of the options, in the ``with`` statement."""
    if options.tuning is None:
        yield
        return
    from opc.schedule.tuning import in_force, rows_of

    with in_force(rows_of(options.tuning, options.threads)):
        yield


def tune(
    graph: Any,
    seconds: float,
    function: str | None,
    options: Options,
    extents: Mapping[str, int] | None = None,
) -> tuple[Tuning, Report]:
    """The rows of the options and those that a search of so many seconds adds.

    ``extents`` are what symbols of inputs are where nests are measured.  Raises UsageError for no
    such number, and NothingToTuneError for a graph without matrix products and convolutions.
    """
    check_seconds(seconds)
    for name, extent in (extents or {}).items():
        if extent < 1:
            raise UsageError(f"tune: found extent {extent} of {name}, expected 1 or more")
    from opc.frontend.requested_outputs import wanting
    from opc.passes.stages import check_graph
    from opc.schedule.tuning import Tuning
    from opc.tune.search import search

    from .budgets import within
    from .inputs import given
    from .sources import source_of

    with within(options.budgets), wanting(options.outputs):
        module = given(graph).parse()
        check_graph(module)
        source = source_of(module, function, options)
        known = options.tuning or Tuning({})
        report = search(source, options, seconds, known, extents or {}, options.report)
    if not (report.rows or report.known or report.unknown or report.left):
        raise NothingToTuneError(
            "tune: found no contraction and no reduction of known extents, expected one"
        )
    return known.with_rows(report.rows), report
