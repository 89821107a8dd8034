"""Search: measure the candidates of each nest of a graph, the heaviest nests first."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from opc.api.options import Options
from opc.schedule.tuning import Row, Tuning
from opc.support.targets import processor

from .measure import Measured, measured
from .nests import Nest, nests_of

MARGIN = 0.97
"""Of the planner's time, below which another schedule is taken: less is noise."""
KEPT = 4
"""Runners-up of a row."""
BYTES = 1 << 28
"""Bytes of constant panels that are measured at once, at most."""
LEAST = 2.0
"""Seconds for a nest below which it is not begun."""
COMPILING = 0.4
"""Seconds that a schedule takes to compile, as far as nothing else is known."""


@dataclass(frozen=True)
class Report:
    """What a search has done."""

    rows: tuple[Row, ...]
    known: int
    """Nests that had rows before."""
    unknown: int
    """Nests with symbols that nobody gave an extent."""
    left: int
    """Nests for which there was no time."""


def search(
    source: ModuleOp,
    options: Options,
    seconds: float,
    tuning: Tuning,
    sizes: Mapping[str, int],
    say: Callable[[str, int, int], None] | None = None,
) -> Report:
    """Rows for the nests of a module of one function that ``tuning`` has none of.

    ``seconds`` are the budget, and ``sizes`` the extents of symbols.
    """
    start, used = time.perf_counter(), time.process_time()
    graph = nests_of(source, options.target, sizes, options.fuse)
    nests = list(graph.nests.values())
    fresh = [n for n in nests if tuning.row(n.form, n.target, options.threads) is None]
    ready = sorted((n for n in fresh if n.is_known), key=lambda n: -n.work * n.count)
    # Other programs may leave this one a part of the processors.
    slowed = (time.perf_counter() - start) / max(time.process_time() - used, 1e-3)
    rows, compiling = list[Row](), COMPILING * max(1.0, slowed)
    weights = [(nest.work * nest.count) ** 0.5 for nest in ready]
    for k, nest in enumerate(ready):
        if say is not None:
            say(nest.form.about, k + 1, len(ready))
        left = seconds - (time.perf_counter() - start)
        own = max(left * weights[k] / sum(weights[k:]), LEAST)
        if left < LEAST:
            break
        begun = time.perf_counter()
        trees = [candidate.tree for candidate in nest.candidates()]
        most = max(2, int(0.7 * own / compiling))
        if nest.weights:
            most = min(most, max(2, BYTES // nest.weights))
        trees = trees[:most]
        touched = graph.touched - nest.touched
        times = measured(nest, trees, options, touched, 0.3 * own)
        rows.append(_row(nest, times, options))
        compiling = max(0.05, 0.7 * (time.perf_counter() - begun) / len(trees))
    return Report(
        tuple(rows), len(nests) - len(fresh), len(fresh) - len(ready), len(ready) - len(rows)
    )


def _row(nest: Nest, times: list[Measured], options: Options) -> Row:
    planned = times[0]
    ranked = sorted(times, key=lambda m: m.seconds)
    best = ranked[0] if ranked[0].seconds < MARGIN * planned.seconds else planned
    others = [m for m in ranked if m is not best][:KEPT]
    form = nest.form
    return Row(
        nest=form.digest,
        about=form.about,
        processor=processor(),
        target=nest.target.describe(),
        threads=options.threads,
        tree=form.without_names(str(best.tree)),
        seconds=best.seconds,
        planned=planned.seconds,
        sizes={f"s{k}": nest.sizes[name] for k, name in enumerate(form.symbols)},
        others=tuple((m.seconds, form.without_names(str(m.tree))) for m in others),
    )
