"""Control flow as C: bodies are static functions, called in a loop or in one of two branches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue

from opc.dialects import expr as ex
from opc.dialects.bounds import at_most
from opc.dialects.buffer import element_in
from opc.dialects.opc.choice import IfOp
from opc.dialects.opc.control import Binding, ControlOp, strides_of
from opc.dialects.opc.data_extent import data_bounds, data_extents
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import shape_of
from opc.kernels.plan_buffers import ALIGNMENT

from .ctext import PRODUCT, UNARY, Text, address, stored
from .messages import Extents

if TYPE_CHECKING:
    from .statements import Statements


class Body(Protocol):
    """The C function of a body."""

    dims: list[str]
    workspace: ex.Expr
    bodies: Bodies
    extents: Extents
    is_branch: bool
    """Whether it may be left out, so that it checks itself what it requires of extents."""

    def static(self) -> str:
        """Write it, once, in front of what calls it; its name."""
        ...

    @property
    def needs_weights(self) -> bool:
        """Whether it is given the weights; known once it is written."""
        ...

    @property
    def can_fail(self) -> bool:
        """Whether it returns 0, or the number of a check that failed."""
        ...


class Bodies:
    """The bodies of the control flow of one function, which share a part of its workspace."""

    def __init__(
        self, block: Block, body_of: Callable[[FuncOp], Body], own: ex.Expr, extents: Extents
    ) -> None:
        self.found: dict[FuncOp, Body] = {}
        for op in block.ops:
            if isinstance(op, ControlOp):
                for body, binding in zip(op.bodies(), op.bindings(), strict=True):
                    self.found[body] = body_of(body)
                    self.found[body].is_branch |= isinstance(op, IfOp)
                    self.found[body].extents.callers.append((extents, binding))
        self.depth = max((1 + body.bodies.depth for body in self.found.values()), default=0)
        """How many bodies deep a call goes."""
        self.start = self.workspace = own
        if self.found:
            self.start = ex.floordiv(own + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT
            self.workspace = self.start + self._most(block)

    def _most(self, block: Block) -> ex.Expr:
        """What the bodies need of the workspace: they do not run at the same time."""
        known, others = 0, dict[ex.Expr, None]()
        bounds = data_bounds(data_extents(block))
        for op in block.ops:
            if isinstance(op, ControlOp):
                for body, binding in zip(op.bodies(), op.bindings(), strict=True):
                    size = at_most(binding.extent(self.found[body].workspace), bounds)
                    if self.found[body].can_fail:
                        # Extents may be negative where the branch fails if it is taken.
                        size = ex.maximum(size, 0)
                    known = max(known, size.constant or 0)
                    if size.constant is None:
                        others[size] = None
        # Sizes that are not known cannot be compared, so each has its place.
        return ex.total_of([ex.const(known), *others])

    def call(
        self,
        statements: Statements,
        body: FuncOp,
        binding: Binding,
        given: Sequence[str],
        filled: Sequence[str],
    ) -> list[str]:
        """The call of a body; what it returns is returned where it is not 0."""
        found = self.found[body]
        name = found.static()
        dims = [binding.values[n] for n in found.dims]
        place = statements.indices.text(self.start, [])
        workspace = address(Text("(char *)workspace", UNARY), place)
        arguments = [
            *(statements.indices.text(e, []).text for e in dims),
            *given,
            *(["weights"] if found.needs_weights else []),
            *filled,
            "workspace" if self.start == 0 else workspace.text,
        ]
        call = f"{name}({', '.join(arguments)})"
        if not found.can_fail:
            return [f"{call};"]
        failed = statements.fresh("failed")
        return [
            f"const int {failed} = {call};",
            f"if ({failed} != 0) {{",
            f"  return {failed};",
            "}",
        ]


def write(statements: Statements, op: ControlOp, bodies: Bodies) -> None:
    """Write an operation of control flow."""
    if isinstance(op, IfOp):
        _if(statements, op, bodies)
    else:
        assert isinstance(op, ScanOp)
        _Scan(statements, op, bodies).write()


def _if(s: Statements, op: IfOp, bodies: Bodies) -> None:
    filled = [s.names[v].text for v in op.into]
    calls = [
        bodies.call(s, body, binding, [s.names[v].text for v in values], filled)
        for (body, values), binding in zip(op.arms, op.bindings(), strict=True)
    ]
    s.line(f"if ({s.names[op.condition]}[0] != 0) {{")
    for text in calls[0]:
        s.line(f"  {text}")
    s.line("} else {")
    for text in calls[1]:
        s.line(f"  {text}")
    s.line("}")


class _Scan:
    """Writes one loop.

    Two buffers hold what is carried, in turn; the last iteration writes to the results.  Where
    nobody knows which one is the last, what it wrote is copied.
    """

    def __init__(self, statements: Statements, op: ScanOp, bodies: Bodies) -> None:
        self.s = statements
        self.op = op
        self.bodies = bodies
        self.i = statements.fresh("i")

    def write(self) -> None:
        """The loop."""
        s, op, i = self.s, self.op, self.i
        trip = f"{s.names[op.trip]}[0]" if op.trip is not None else ""
        count = trip or s.indices.text(op.count, []).within(PRODUCT)
        finals, others = (
            [s.names[v].text for v in values] for values in (op.into[: len(op.carried)], op.scratch)
        )
        starts = [s.names[v].text for v in op.carried]
        if op.is_open:
            s.line(f"int64_t {i} = 0;")
            conditions = [f"{i} < {count}"] if op.is_bounded else []
            if op.has_condition is not None:
                current = self._current(starts[0], finals[0], others[0], f"({i} & 1) != 0")
                conditions.append(f"({current})[0] != 0")
            s.line(f"for (; {' && '.join(conditions)}; ++{i}) {{")
            into_other = f"({i} & 1) == 0"
        else:
            s.line(f"for (int64_t {i} = 0; {i} < {count}; ++{i}) {{")
            into_other = f"(({count} - {i}) & 1) == 0"
        s.depth += 1
        self._iteration(starts, finals, others, into_other)
        s.depth -= 1
        s.line("}")
        self._rest(count, starts, finals, others)
        if op.is_open:
            self._clear()

    def _current(self, start: str, final: str, other: str, in_other: str) -> str:
        return f"{self.i} == 0 ? {start} : {in_other} ? {other} : {final}"

    def _iteration(
        self, starts: list[str], finals: list[str], others: list[str], into_other: str
    ) -> None:
        s, op, i = self.s, self.op, self.i
        carried: list[str] = []
        filled: list[str] = []
        if op.carried:
            turn = s.fresh("turn")
            s.line(f"const bool {turn} = {into_other};")
            for value, start, final, other in zip(op.carried, starts, finals, others, strict=True):
                name, type = s.fresh("carried"), stored(element_in(value))
                current = self._current(start, final, other, f"!{turn}")
                s.line(f"const {type} *const {name} = {current};")
                carried.append(name)
                filled.append(f"{turn} ? {other} : {final}")
        index: list[str] = []
        if op.has_index is not None:
            index = [f"&{i}"]
        over = [self._element(v, k in op.inputs_reversed) for k, v in enumerate(op.scanned)]
        stacked = op.into[len(op.carried) :]
        filled += [self._element(v, k in op.outputs_reversed) for k, v in enumerate(stacked)]
        given = [*index, *carried, *over, *(s.names[v].text for v in op.captured)]
        (body,), (binding,) = op.bodies(), op.bindings()
        for text in self.bodies.call(s, body, binding, given, filled):
            s.line(text)

    def _element(self, value: SSAValue, is_reversed: bool) -> str:
        """The address of an element of a tensor along its leading axis."""
        at = self.op.count - 1 - ex.dim(0) if is_reversed else ex.dim(0)
        offset = self.s.indices.text(at * strides_of(value.type), [self.i])
        return address(self.s.names[value], offset).text

    def _rest(self, count: str, starts: list[str], finals: list[str], others: list[str]) -> None:
        """Copy what is carried where no iteration wrote it to the results."""
        s, op, i = self.s, self.op, self.i
        known = self.op.count.constant
        if not starts or (not op.is_open and known is not None and known > 0):
            return
        unwritten = f"{i} == 0 || ({i} & 1) != 0" if op.is_open else f"{count} == 0"
        s.line(f"if ({unwritten}) {{")
        k = s.fresh("i")
        for value, start, final, other in zip(op.carried, starts, finals, others, strict=True):
            size = s.indices.text(ex.product(shape_of(value.type)), [])
            source = f"({i} == 0 ? {start} : {other})" if op.is_open else start
            s.line(f"  for (int64_t {k} = 0; {k} < {size.within(PRODUCT)}; ++{k}) {{")
            s.line(f"    {final}[{k}] = {source}[{k}];")
            s.line("  }")
        s.line("}")

    def _clear(self) -> None:
        """What is stacked is 0 for iterations that there were not."""
        s = self.s
        for value in self.op.into[len(self.op.carried) :]:
            k, target = s.fresh("i"), s.names[value].text
            first, end = (
                s.indices.text(e * strides_of(value.type), [self.i])
                for e in (ex.dim(0), self.op.count)
            )
            s.line(f"for (int64_t {k} = {first}; {k} < {end.within(PRODUCT)}; ++{k}) {{")
            s.line(f"  {target}[{k}] = 0;")
            s.line("}")
