"""Indices of symbolic arrays: integers, slices, None and ``...``, as in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.parts import TO_THE_END, is_bound
from opc.dialects.shape import Shape
from opc.errors import UnsupportedError

from .extent import expr_of
from .source_location import input_error, unsupported

Bound = tuple[ex.Expr, ex.Expr, int]
"""A start, a stop and a step."""
Need = tuple[ex.Expr, ex.Expr, str]
"""Extents that are equal where an element is inside of x, and a message for where they are not."""
WHOLE: Bound = (ex.const(0), ex.const(TO_THE_END), 1)


@dataclass
class Index:
    """What ``x[key]`` is: for each axis of x its bounds, and for each of the result an axis of x.

    ``shown`` is x in messages.
    """

    extents: Shape
    shown: str
    bounds: list[Bound] = field(default_factory=list[Bound])
    axes: list[int | None] = field(default_factory=list[int | None])
    """None for a new axis."""
    needs: list[Need] = field(default_factory=list[Need])

    @classmethod
    def of(cls, key: Any, extents: Shape, shown: str) -> Index:
        """The index; :class:`InputError` outside the array, else :class:`UnsupportedError`."""
        index = cls(extents, shown)
        keys = list(cast("Sequence[Any]", key)) if isinstance(key, tuple) else [key]
        dots = [k for k, item in enumerate(keys) if item is Ellipsis]
        taken = sum(item is not None and item is not Ellipsis for item in keys)
        if taken > len(extents) or len(dots) > 1:
            raise input_error(f"{shown} has no index {key!r}")
        place = dots[0] if dots else len(keys)
        keys[place : place + len(dots)] = [slice(None)] * (len(extents) - taken)
        for item in keys:
            axis = len(index.bounds)
            if item is None or isinstance(item, slice):
                index.axes.append(None if item is None else axis)
            if isinstance(item, slice):
                index.bounds.append(index._slice(cast("slice[Any, Any, Any]", item), axis))
            elif item is not None:
                index.bounds.append(index._place(item, axis))
        return index

    def _slice(self, item: slice[Any, Any, Any], axis: int) -> Bound:
        """The bounds of a slice, with defaults."""
        try:
            start, stop, step = (
                None if v is None else expr_of(v) for v in (item.start, item.stop, item.step)
            )
        except TypeError:
            raise self._refused(item) from None
        by = 1 if step is None else step.constant
        if by is None:
            raise unsupported(f"index {item!r} of {self.shown}: the step is not a number")
        if by == 0:
            raise input_error(f"index {item!r} of {self.shown}: the step is 0")
        start = ex.const(0 if by > 0 else TO_THE_END) if start is None else start
        stop = ex.const(TO_THE_END if by > 0 else -TO_THE_END) if stop is None else stop
        for bound in (start, stop):
            self._check_sign(item, bound, axis)
        is_whole = by == 1 and start == 0 and stop in (self.extents[axis], ex.const(TO_THE_END))
        return WHOLE if is_whole else (start, stop, by)

    def _place(self, item: Any, axis: int) -> Bound:
        """The bounds of one element."""
        try:
            index = expr_of(item)
        except TypeError:
            raise self._refused(item) from None
        self._check_sign(item, index, axis)
        extent, number = self.extents[axis], index.constant
        least = index + 1 if number is None or number >= 0 else -index
        message = f"index {item!r} is outside axis {axis} of {self.shown}"
        if extent.constant is not None and least.constant is not None:
            if extent.constant < least.constant:
                raise input_error(message)
            if extent == 1:
                return WHOLE
        else:
            self.needs.append((ex.minimum(extent, least), least, message))
        return index, (index + 1 if number != -1 else ex.const(TO_THE_END)), 1

    def _check_sign(self, item: object, bound: ex.Expr, axis: int) -> None:
        if not is_bound(bound, self.extents[axis]):
            raise unsupported(
                f"index {item!r} of {self.shown}: {extent_text(bound)} may be negative, which "
                "would count from the end"
            )

    def _refused(self, item: object) -> UnsupportedError:
        return unsupported(
            f"index {item!r} of {self.shown}: what can be traced are None, '...', integers, and "
            "slices of integers and extents"
        )
