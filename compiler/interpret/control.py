"""Interprets control flow over bodies of any stage: graphs, kernels or loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects.opc.control import ControlOp, IfOp
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import shape_of
from opc.errors import EndlessError, InputError, UnsupportedError

from .extents import ITERATIONS, element_type, extent, known_extents


class Runner:
    """Runs control flow over arrays, or over the values of a subclass."""

    def call(self, body: FuncOp, inputs: Sequence[Any]) -> list[Any]:
        """The results of a body."""
        from .function import run as run_function

        return run_function(body, inputs)

    def exact(self, array: Any) -> Any:
        """An array as a value."""
        return array

    def element(self, value: Any, k: int) -> Any:
        """An element along the leading axis."""
        return value[k]

    def stack(self, values: Sequence[Any], shape: tuple[int, ...], target: SSAValue) -> Any:
        """Values along a new leading axis; none of them give an empty array of the shape."""
        if not values:
            return np.zeros((0, *shape), element_type(target).dtype)
        return np.stack(values)

    def decides(self, value: Any) -> bool:
        """Whether a condition holds."""
        return bool(value)

    def run(self, op: ControlOp, operands: Sequence[Any], symbols: Mapping[str, int]) -> list[Any]:
        """The results for these operands; raises what a body raises.

        EndlessError where a data-dependent loop has more than ITERATIONS iterations.
        """
        if isinstance(op, ScanOp):
            return self._scan(op, operands, symbols)
        if isinstance(op, IfOp):
            (one, first), (other, second) = op.arms
            inputs = list(operands[1:])
            if self.decides(operands[0]):
                return self.call(one, inputs[: len(first)])
            return self.call(other, inputs[len(first) : len(first) + len(second)])
        raise UnsupportedError(f"{op.name} cannot be interpreted")

    def _scan(self, op: ScanOp, operands: Sequence[Any], symbols: Mapping[str, int]) -> list[Any]:
        (body,) = op.bodies()
        rest = iter(operands)
        carried, scanned, captured = (
            [next(rest) for _ in values] for values in (op.carried, op.scanned, op.captured)
        )
        most = extent(op.count, symbols)
        if most is None:
            raise InputError(f"{op.name}: the number of iterations has symbols without a value")
        if op.trip is not None:
            most = int(getattr(trip := next(rest), "value", trip))
        targets = op.targets[len(carried) :]
        stacked: list[list[Any]] = [[] for _ in targets]
        for k in range(most) if op.is_bounded else count():
            if op.has_condition is not None and not self.decides(carried[0]):
                break
            if op.is_open and not targets and k >= ITERATIONS:
                raise EndlessError(f"{op.name}: more than {ITERATIONS} iterations to interpret")
            slices = [
                self.element(x, most - 1 - k if n in op.inputs_reversed else k)
                for n, x in enumerate(scanned)
            ]
            index = [self.exact(np.asarray(k, np.int64))] if op.has_index is not None else []
            returned = self.call(body, [*index, *carried, *slices, *captured])
            carried = returned[: len(carried)]
            for values, value in zip(stacked, returned[len(carried) :], strict=True):
                values.append(value)
        results = list(carried)
        for n, (values, target) in enumerate(zip(stacked, targets, strict=True)):
            ordered = values[::-1] if n in op.outputs_reversed else values
            what = f"the extents of {target.type}"
            shape = known_extents(shape_of(target.type)[1:], symbols, what)
            zero = self.exact(np.zeros(shape, element_type(target).dtype))
            ordered += [zero] * (most - len(ordered))
            results.append(self.stack(ordered, shape, target))
        return results


def run(op: ControlOp, operands: Sequence[Any], symbols: Mapping[str, int]) -> list[Any]:
    """The results over arrays; raises what a body raises."""
    return Runner().run(op, operands, symbols)
