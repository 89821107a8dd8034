"""The extents that ``--extent`` gives, by every name that ``--dim`` knows."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp

from opc.dialects.shape import shape_of
from opc.errors import UsageError
from opc.fixed_dims import input_axis, named_extents, several_in
from opc.graph.extent_names import extent_names, input_names
from opc.interface import TensorSpec


def by_symbol(
    items: Sequence[tuple[str, int]], function: FuncOp, inputs: Sequence[TensorSpec]
) -> dict[str, int]:
    """What symbols of ``inputs`` are, by names of the ``function`` as it was read, or ``x:2``.

    Raises UsageError for what is no name of an extent, and where one is given twice.
    """
    chosen: dict[str, int] = {}
    names = _Names(function, inputs)
    waiting = list(items)
    while waiting:
        name, value = waiting.pop(0)
        extent = names.extent(name)
        if extent is None:
            several = several_in(name, value)
            if not several:
                shown = ", ".join(names.shown) or "none"
                raise UsageError(f"--extent: there is no symbol {name!r}; there are: {shown}")
            waiting = several + waiting
        elif (other := chosen.setdefault(extent, value) if isinstance(extent, str) else extent) != (
            value
        ):
            raise UsageError(f"--extent: {name} is {other}, found {value}")
    return chosen


class _Names:
    """What extents of inputs may be called."""

    def __init__(self, function: FuncOp, inputs: Sequence[TensorSpec]) -> None:
        self.shapes = {spec.name: spec.shape for spec in inputs}
        self.symbols = {e: None for spec in inputs for e in spec.shape if isinstance(e, str)}
        self.known = named_extents(function)[0]
        named = extent_names(function)
        self.shown = sorted(named.get(symbol, symbol) for symbol in self.symbols)
        # Compiling gives one symbol to extents that are equal: it is found by its place.
        self.places: dict[str, tuple[str, int]] = {}
        for name, arg in zip(input_names(function), function.args, strict=False):
            for axis, extent in enumerate(
                shape_of(arg.type) if isinstance(arg.type, TensorType) else ()
            ):
                symbol = extent.symbol()
                if symbol is not None and name in self.shapes:
                    self.places.setdefault(symbol, (name, axis))

    def extent(self, name: str) -> int | str | None:
        """The number or the symbol that a name stands for; None if it stands for nothing."""
        place = self.places.get(self.known.get(name, ""))
        if place is None and name in self.symbols:
            return name
        place = place or input_axis(name, self.shapes)
        if place is None:
            return None
        shape = self.shapes[place[0]]
        if not -len(shape) <= place[1] < len(shape):
            raise UsageError(
                f"--extent: input {place[0]!r} has rank {len(shape)}, found axis {place[1]}"
            )
        return shape[place[1]]
