"""The extents that ``--extent`` gives, by every name that ``--dim`` knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp

from opc.errors import UsageError
from opc.frontend.fixed_dims import input_axis, named_extents, several_in
from opc.graph.extent_names import extent_names
from opc.support.interface import TensorSpec


def by_symbol(
    items: Sequence[tuple[str, int]], function: FuncOp, inputs: Sequence[TensorSpec]
) -> dict[str, int]:
    """What symbols of ``inputs`` are, by names of the ``function`` as it was read, or ``x:2``.

    Raises UsageError for what is no name of an extent, and where one is given twice.
    """
    symbols = {e for spec in inputs for e in spec.shape if isinstance(e, str)}
    # Symbols that the compiler introduces have only their own name.
    known = {symbol: [symbol] for symbol in symbols} | named_extents(function)[0]
    shapes = {spec.name: spec.shape for spec in inputs}
    chosen: dict[str, int] = {}
    waiting = list(items)
    while waiting:
        name, value = waiting.pop(0)
        place = None if name in known else input_axis(name, shapes)
        extents = known.get(name, []) if place is None else [_at(place, shapes)]
        if not extents:
            several = several_in(name, value)
            if not several:
                own = extent_names(function)
                shown = ", ".join(sorted({own.get(symbol, symbol) for symbol in symbols})) or "none"
                raise UsageError(f"--extent: there is no symbol {name!r}; there are: {shown}")
            waiting = several + waiting
            continue
        for extent in extents:
            other = chosen.setdefault(extent, value) if isinstance(extent, str) else extent
            if other != value:
                raise UsageError(f"--extent: {name} is {other}, found {value}")
    return chosen


def _at(place: tuple[str, int], shapes: Mapping[str, Sequence[int | str]]) -> int | str:
    name, axis = place
    rank = len(shapes[name])
    if not -rank <= axis < rank:
        raise UsageError(f"--extent: input {name!r} has rank {rank}, found axis {axis}")
    return shapes[name][axis]
