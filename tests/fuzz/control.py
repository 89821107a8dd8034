"""How control flow is drawn: its bodies are graphs that the same generator draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.expr import Expr, const, sym
from opc.dialects.opc import binary, movement, unary
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.control import ControlOp, IfOp
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.scan import ScanOp
from opc.dialects.opc.symbols import SymbolSource
from opc.dialects.shape import shape_of, tensor_type
from opc.interpret.precision import Array

from . import operators
from .graph import Extent, Value
from .maker import Maker, Unfit
from .moving import is_known

LIMIT = 2500
"""Most elements of a value in a body, which runs many times."""
LENGTHS = (0, 1, 2, 3, 5, 8, 17)
"""How often a loop may go round."""
DEPTH = 2


class Inner(Maker):
    """Draws a body.

    Extents have other names in it than outside, which may be those of other extents there, and what
    is a number outside may be a symbol.  A new argument is one of the graph that is captured.
    Sums whose order can show are left out: nothing outside could say what they gave.
    """

    def __init__(self, outer: Maker) -> None:
        self.rng, self.limit, self.types = outer.rng, min(outer.limit, LIMIT), list(outer.types)
        self.outer = outer
        self.depth = outer.depth + 1
        self.begin(outer.module, f"body{len(outer.module.body.block.ops)}")
        self.captured: list[Value] = []
        self.inside: dict[Expr, Expr] = {}
        """What extents of outside are called here."""
        self.around: dict[str, Expr] = {}
        """What symbols are outside."""
        self.renames, self.generalizes = self.chance(0.5), self.chance(0.3)
        self.dims = [(n, self.extent(n, e)) for n, e in outer.dims]

    def extent(self, n: int, e: Expr) -> Expr:
        """An extent of outside as it is here."""
        if e not in self.inside:
            self.inside[e] = self._named(n, e)
        return self.inside[e]

    def _named(self, n: int, e: Expr) -> Expr:
        if e.constant is not None and not (self.generalizes and self.chance(0.5)):
            return e
        if e.constant is None and e.symbol() is None and self.chance(0.5):
            known = {name: sym(name) for name in e.symbols()}
            here = {name: self.inside[s] for name, s in known.items() if s in self.inside}
            if len(here) == len(known) and all(h.symbols() <= self.bound for h in here.values()):
                return e.substitute(here)
        others = [*self.outer.symbols, *(f"B{k}" for k in range(len(self.symbols) + 1))]
        names = [name for name in others if name not in self.symbols]
        own = e.symbol() or "?"
        name = self.one(names) if self.renames or own not in names else own
        self.symbols[name] = n
        self.around[name] = e
        return sym(name)

    def outside(self, extents: Sequence[Extent]) -> list[Extent]:
        """Extents of here as they are outside."""
        return [(n, e.substitute(self.around)) for n, e in extents]

    def take(self, array: Array, type: ElementType, extents: Sequence[Extent]) -> Value:
        """An argument, for a value with these extents outside."""
        tensor = tensor_type(type, [self.extent(n, e) for n, e in extents])
        return self.place(array, tensor)

    def capture(self, value: Value) -> Value:
        """A value of outside."""
        found = self.take(value.array, value.type, value.extents)
        self.captured.append(value)
        return found

    def argument(self, array: Array, type: ElementType, extents: Sequence[Extent]) -> Value:
        return self.capture(self.outer.argument(array, type, self.outside(extents)))

    def other(self, op: Operation) -> None:
        if isinstance(op, SymbolSource | DataExtentOp):
            op.drop_all_references()
            raise Unfit("extents are not read in bodies, nor do these give what they find")
        super().other(op)

    def admit(self, made: OpcOp, arrays: Sequence[Array]) -> None:
        if isinstance(made, Reduction) and len(arrays) == 2:
            raise Unfit("axes are not read in bodies")

    def fill(self, least: int = 1) -> None:
        """Capture some values and draw some operators."""
        found = [v for v in self.outer.values if is_known(v) and v.array.size <= self.limit]
        for _ in range(self.one((0, 1, 1, 2)) if found else 0):
            self.capture(self.outer.recent(found))
        wanted = least + int(self.rng.integers(0, 6))
        for _ in range(3 * wanted):
            if len(self.values) - len(self.inputs) >= wanted:
                break
            try:
                if self.depth < DEPTH and self.chance(0.1):
                    draw(self)
                else:
                    operators.draw(self)
            except Unfit:
                continue

    def like(self, type: ElementType, extents: Sequence[Extent]) -> Value:
        """A value of this type and these extents outside: one there is, or a new one."""
        found = [
            v
            for v in self.values
            if v.type is type and is_known(v) and self.outside(v.extents) == list(extents)
        ]
        computed = [v for v in found if v not in self.inputs]
        if found and (computed or self.chance(0.2) or type.is_small):
            # Arguments of a body in an order of their own are worth a try, too.
            return self.recent(computed if computed and self.chance(0.85) else found)
        if found:
            return self.changed(self.recent(found))
        around = [v for v in self.outer.values if v.type is type and v.extents == list(extents)]
        if around and self.chance(0.7):
            value = self.capture(self.outer.recent(around))
            return value if type.is_small or self.chance(0.3) else self.changed(value)
        scalar = self.put(movement.ConstantOp.of(self.data(type, ()), type))
        here = [self.reached(n, e) for n, e in extents]
        return self.add(movement.BroadcastOp, scalar, result_type=tensor_type(type, here))

    def reached(self, n: int, e: Expr) -> Expr:
        """An extent of outside, whose symbols arguments give values."""
        here: dict[str, Expr] = {}
        for name in sorted(e.symbols()):
            outer = sym(name)
            found = [v for v in self.outer.values if outer in shape_of(v.ssa.type) and is_known(v)]
            inner = self.inside.get(outer)
            if inner is None or not inner.symbols() <= self.bound:
                if not found:
                    raise Unfit("nothing has the extent")
                self.capture(self.one(found))
            here[name] = self.inside[outer]
        return e.substitute(here)

    def changed(self, value: Value) -> Value:
        """Something simple of a value, with its type."""
        if value.type is el.I1:
            return self.add(unary.NotOp, value)
        factor = np.asarray(0.5 if value.type.is_float else 3, value.type.dtype)
        other = self.put(movement.ConstantOp.of(factor, value.type))
        return self.add(self.one((binary.MulOp, binary.AddOp, binary.SubOp)), value, other)


def draw(m: Maker) -> list[Value]:
    """One more operation of control flow.  Unfit if what was drawn does not fit."""
    block = m.module.body.block
    before = set(block.ops)
    op = m.one(list(CONTROL))
    try:
        return CONTROL[op](m)
    except BaseException:
        for function in [f for f in block.ops if f not in before][::-1]:
            function.detach()
            function.erase(safe_erase=False)
        raise


def scalar(m: Maker, type: ElementType) -> Value:
    """A value of rank 0."""
    found = [v for v in m.values if v.type is type and not v.shape]
    return m.recent(found) if found and m.chance(0.6) else m.input(type, [])


def choose(m: Maker) -> list[Value]:
    """A choice; what the second body gives has the types of the first."""
    condition = scalar(m, el.I1)
    first = Inner(m)
    first.fill()
    usable = [v for v in first.values if is_known(v) and v.array.size <= m.limit]
    if not usable:
        raise Unfit("a body of nothing")
    results = [first.recent(usable) for _ in range(m.one((1, 1, 2, 3)))]
    kinds = [(v.type, first.outside(v.extents)) for v in results]
    first.close(results)
    second = Inner(m)
    second.fill(least=0)
    second.close([second.like(*kind) for kind in kinds])
    bodies = [first, second]
    if m.chance(0.5):
        bodies.reverse()
    made = IfOp.of(
        condition.ssa,
        (bodies[0].name, bodies[1].name),
        ([v.ssa for v in bodies[0].captured], [v.ssa for v in bodies[1].captured]),
        [tensor_type(t, [e for _, e in extents]) for t, extents in kinds],
    )
    return m.control(made, [condition, *bodies[0].captured, *bodies[1].captured])


def scan(m: Maker) -> list[Value]:
    """A loop: of known or symbolic length over tensors, or until something is so."""
    if m.chance(0.3):
        return until(m)
    n, e = length(m)
    scanned = [over(m, n, e) for _ in range(m.one((0, 1, 1, 2)) or int(e.constant is None))]
    body = Inner(m)
    has_index = m.chance(0.4)
    if has_index:
        body.take(np.asarray(0), el.I64, [])
    carried = [carry(m) for _ in range(m.one((0, 1, 1, 2, 3)))]
    backwards = [k for k in range(len(scanned)) if m.chance(0.3)]
    for v in carried:
        body.take(v.array, v.type, v.extents)
    for k, v in enumerate(scanned):
        part = v.array[-1 if k in backwards else 0] if n else m.data(v.type, v.shape[1:])
        body.take(np.asarray(part), v.type, v.extents[1:])
    fresh = {v.ssa for v in body.values}
    body.fill()
    finals = [body.like(v.type, v.extents) for v in carried]
    fitting = [v for v in body.values if is_known(v) and v.array.size * max(n, 1) <= m.limit]
    if m.chance(0.8):
        # What is the same in each iteration would hide one that is done twice or out of order.
        varying = depending(body, fresh)
        fitting = [v for v in fitting if v.ssa in varying] or fitting
    wanted = m.one((0, 1, 1, 2, 3)) if carried else 1
    stacked = [body.recent(fitting) for _ in range(wanted if fitting else 0)]
    if not finals and not stacked:
        raise Unfit("a loop without results")
    body.close([*finals, *stacked])
    extents = [[(n, e), *body.outside(v.extents)] for v in stacked]
    made = ScanOp.of(
        body.name,
        e,
        [v.ssa for v in carried],
        [v.ssa for v in scanned],
        [v.ssa for v in body.captured],
        [
            *(v.ssa.type for v in carried),
            *(
                tensor_type(v.type, [e for _, e in shape])
                for v, shape in zip(stacked, extents, strict=True)
            ),
        ],
        reversed_inputs=backwards,
        reversed_outputs=[k for k in range(len(stacked)) if m.chance(0.3)],
        has_index=has_index,
    )
    return m.control(made, [*carried, *scanned, *body.captured])


def depending(body: Maker, values: set[SSAValue]) -> set[SSAValue]:
    """What is computed from some of these values."""
    found = set(values)
    for op in body.function.body.block.ops:
        if not found.isdisjoint(op.operands):
            found.update(op.results)
    return found - values


def until(m: Maker) -> list[Value]:
    """A loop whose length is a value, or that ends by a condition, or both."""
    has_condition = m.chance(0.6)
    has_trip = not has_condition or m.chance(0.5)
    body = Inner(m)
    carried = [carry(m) for _ in range(m.one((0, 1, 2)) if has_condition else m.one((1, 1, 2)))]
    if has_condition:
        carried = [scalar(m, el.I1), *carried]
    has_index = has_condition or m.chance(0.4)
    index = [body.take(np.asarray(0), el.I64, [])] if has_index else []
    for v in carried:
        body.take(v.array, v.type, v.extents)
    body.fill()
    finals = [body.like(v.type, v.extents) for v in carried[int(has_condition) :]]
    if has_condition:
        # It may end before, by whatever is computed.
        last = body.put(movement.ConstantOp.of(np.asarray(m.one(LENGTHS)), el.I64))
        goes_on = body.add(binary.LessOp, index[0], last)
        found = [v for v in body.values if v.type is el.I1 and not v.shape]
        if m.chance(0.4):
            goes_on = body.add(binary.AndOp, goes_on, body.recent(found))
        finals = [goes_on, *finals]
    body.close(finals)
    count = np.asarray(m.one((-1, *LENGTHS)))
    trips = [m.argument(count, el.I64, [])] if has_trip else []
    made = ScanOp.of(
        body.name,
        0,
        [v.ssa for v in carried],
        [],
        [v.ssa for v in body.captured],
        [v.ssa.type for v in carried],
        has_index=has_index,
        has_condition=has_condition,
        trip=trips[0].ssa if trips else None,
    )
    return m.control(made, [*carried, *body.captured, *trips])


def length(m: Maker) -> Extent:
    """How long a loop is: an extent of the graph that is small, a new symbol, or a number."""
    small = [(n, e) for n, e in m.dims if n <= max(LENGTHS)]
    if small and m.chance(0.4):
        n, e = m.one(small)
        return n, e
    n = m.one(LENGTHS)
    name = f"T{len(m.symbols)}"
    if m.depth or name in m.symbols or m.chance(0.5):
        return n, const(n)
    m.symbols[name] = n
    m.dims.append((n, sym(name)))
    return m.dims[-1]


def over(m: Maker, n: int, e: Expr) -> Value:
    """A tensor with such a leading axis."""
    found = [v for v in m.values if is_known(v) and v.shape and v.extents[0] == (n, e)]
    if found and m.chance(0.6):
        return m.recent(found)
    extents = m.extents(m.one((0, 1, 1, 2)))
    if n * np.prod([1, *(k for k, _ in extents)]) > m.limit:
        extents = []
    value = m.input(None, [(n, e), *extents])
    if value.extents[0][1] != e:
        raise Unfit("nothing has the extent")
    return value


def carry(m: Maker) -> Value:
    """Something to carry."""
    return m.pick(el.STORED, lambda v: is_known(v) and v.array.size <= LIMIT)


CONTROL: dict[type[ControlOp], Callable[[Any], list[Value]]] = {IfOp: choose, ScanOp: scan}
"""The entry of each operation of control flow."""
