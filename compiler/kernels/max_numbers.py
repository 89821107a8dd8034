"""Replaces ``max`` by ``max_number`` where a sum that depends on it makes results NaN anyway.

In a softmax, a NaN anywhere in a row makes the sum NaN, and all quotients::

    m = max(x);  s = sum(exp(x - m));  y = exp(x - m) / s
      -->
    m = max_number(x);  ...

``max_number`` ignores NaNs and returns either of two zeros.  It is one instruction, where ``max``
needs a select for each case.  So values that depend on the maximum may differ in two ways:

* They need not be NaN where the row has a NaN, if only values that depend on the sum are stored.
* They may be zeros of the other sign, if their users do not distinguish these, or add them to the
  logarithm of the sum, which is not zero where the maximum is both zeros.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.walking import walk


def sweep_around(value: SSAValue) -> kernel.SweepOp | None:
    """The sweep whose body computes a value."""
    op = value.owner
    parent = op.parent_op() if isinstance(op, Operation) else None
    return parent if isinstance(parent, kernel.SweepOp) else None


def is_same(a: SSAValue, b: SSAValue) -> bool:
    """Whether values at the same point of two sweeps with equal extents are equal."""
    a, b = kept(a), kept(b)
    if a is b:
        return True
    match a.owner, b.owner:
        case kernel.LoadOp() as x, kernel.LoadOp() as y:
            return x.source is y.source and x.properties == y.properties
        case (body.ConstantOp() as x, body.ConstantOp() as y) | (
            body.IndexOp() as x,
            body.IndexOp() as y,
        ):
            return x.properties == y.properties and a.type == b.type
        case body.ApplyOp() as x, body.ApplyOp() as y:
            alike = x.function == y.function and a.type == b.type
            return alike and all(is_same(p, q) for p, q in zip(x.args, y.args, strict=True))
        case _:
            return False


def kept(value: SSAValue) -> SSAValue:
    """For a load of a materialized value at its own point, the value in the earlier sweep."""
    load = value.owner
    if not isinstance(load, kernel.LoadOp) or not isinstance(load.source.owner, kernel.SweepOp):
        return value
    sweep = load.source.owner
    nest, own = sweep.parent_op(), sweep_around(value)
    if not isinstance(nest, kernel.NestOp) or own is None or own.extents != sweep.extents:
        return value
    rank = len(nest.extents.data)
    if load.index.data != tuple(ex.dim(rank + k) for k in range(len(sweep.extents.data))):
        return value
    pairs = zip(sweep.outputs, sweep.yielded, strict=True)
    return kept(next(yielded for result, yielded in pairs if result is load.source))


EXPONENTIALS = ("exp", "exp_neg", "exp_softmax", "exp_softmax_neg")
ZEROS_ALIKE = (*EXPONENTIALS, "abs", "lt")
"""Functions with the same result for both zeros."""
LIMITS = ("max", "at_least")
HANDS_ON = (
    *("add", "sub", "mul", "div", "neg", "log", "exp", "exp_softmax", "sqrt"),
    *LIMITS,
)
"""Functions that are NaN if an argument is."""


def use_max_numbers(module: ModuleOp) -> None:
    """``sweep (max)  -->  sweep (max_number)``, for f32 and f64, where no stored bit changes."""
    for sweep in walk(module):
        nest = sweep.parent_op()
        if not isinstance(sweep, kernel.SweepOp) or not isinstance(nest, kernel.NestOp):
            continue
        kinds = [k.data for k in sweep.kinds]
        extremes = [k for k, kind in enumerate(kinds) if kind in ("max", "min")]
        if len(extremes) != 1 or kinds[extremes[0]] != "max":
            continue
        if _Row(sweep, nest, extremes[0]).is_healed():
            kinds[extremes[0]] = "max_number"
            sweep.properties["kinds"] = ArrayAttr(map(StringAttr, kinds))


class _Row:
    """Follows the maximum of a row through a nest."""

    def __init__(self, sweep: kernel.SweepOp, nest: kernel.NestOp, number: int) -> None:
        self.sweep, self.nest = sweep, nest
        self.taken = sweep.yielded[number]
        self.differing: set[SSAValue] = {sweep.outputs[number]}
        """Values that may differ where the row has a NaN."""
        self.zeros: set[SSAValue] = {sweep.outputs[number]}
        """Values that may be zeros of the other sign."""
        self.sums: set[SSAValue] = set()
        """Values that are NaN where the row has a NaN."""
        self.totals: set[SSAValue] = set()
        """Sums of exponentials, a subset of ``sums``."""
        self.logarithms: set[SSAValue] = set()
        """Logarithms of ``totals``."""

    def is_healed(self) -> bool:
        """Whether no stored value may differ."""
        type = scalar_type(self.taken)
        op = self.taken.owner
        # f16 and bf16 are compared before they are converted.
        is_converted = isinstance(op, body.ApplyOp) and op.function.data == "cast"
        if type not in (el.F32, el.F64) or is_converted:
            return False
        return self._all(self.nest.body.block.ops)

    def _all(self, ops: Iterable[Operation]) -> bool:
        return all(self._goes_on(op) for op in ops)

    def _goes_on(self, op: Operation) -> bool:
        """Follow one operation; whether it may use values that may differ."""
        match op:
            case kernel.SweepOp():
                return op is self.sweep or (self._all(op.body.block.ops) and self._sweep(op))
            case body.ApplyOp():
                return self._apply(op)
            case kernel.LoadOp():
                self._same(op.source, op.result)
                return True
            case kernel.YieldOp():
                return True
            case _:
                return not any(self._shows(v) for v in op.operands)

    def _shows(self, value: SSAValue) -> bool:
        """Whether a value may differ."""
        return value in self.differing or value in self.zeros

    def _same(self, value: SSAValue, copy: SSAValue) -> None:
        for values in (self.differing, self.zeros, self.sums, self.totals, self.logarithms):
            if value in values:
                values.add(copy)

    def _apply(self, op: body.ApplyOp) -> bool:
        name, args, result = op.function.data, list(op.args), op.results[0]
        zeros = [a for a in args if a in self.zeros]
        healed = name in HANDS_ON and any(a in self.sums for a in args)
        if name == "log" and args[0] in self.totals:
            self.logarithms.add(result)
        if healed:
            self.sums.add(result)
        elif any(a in self.differing for a in args):
            self.differing.add(result)
        if not zeros or name in ZEROS_ALIKE:
            return True
        if name == "select" or name in LIMITS:
            self.zeros.add(result)
            return name in LIMITS or args[0] not in self.zeros
        if name in ("add", "sub"):
            others = [a for a in args if a not in self.zeros]
            if not (others and self.logarithms.issuperset(others)):
                self.zeros.add(result)
            return True
        return False

    def _sweep(self, sweep: kernel.SweepOp) -> bool:
        """Follow the values that a sweep yields."""
        for value, kind, result in zip(sweep.yielded, sweep.kinds, sweep.outputs, strict=True):
            if kind.data == kernel.KEEP:
                self._same(value, result)
            elif kind.data == "sum" and self._is_exponential(value, sweep):
                self.sums.add(result)
                self.totals.add(result)
            elif self._shows(value):
                return False
            else:
                self._same(value, result)
        return True

    def _is_exponential(self, value: SSAValue, sweep: kernel.SweepOp) -> bool:
        """Whether a value is ``exp`` of a compared value minus the maximum, or of the negative."""
        op = value.owner
        if not isinstance(op, body.ApplyOp) or op.function.data not in EXPONENTIALS:
            return False
        difference = op.args[0].owner
        if not isinstance(difference, body.ApplyOp) or difference.function.data != "sub":
            return False
        others = [a for a in difference.args if a not in self.zeros]
        return (
            len(others) == 1
            and sweep.extents == self.sweep.extents
            and is_same(others[0], self.taken)
        )
