"""Control flow as C: a loop or a branch calls static functions, the bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue

from opc.dialects import expr as ex
from opc.dialects.bounds import at_most
from opc.dialects.buffer import element_in
from opc.dialects.opc.control import Binding, ControlOp, IfOp, strides_of
from opc.dialects.opc.data_extent import data_bounds, data_extents
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import shape_of
from opc.support.workspace import ALIGNMENT

from .ctext import PRODUCT, UNARY, Text, address, stored
from .messages import Extents
from .writer import Writer


class Body(Protocol):
    """The C function of a body."""

    dims: list[str]
    workspace: ex.Expr
    bodies: Bodies
    extents: Extents
    is_branch: bool
    """Whether it is a branch, so that it checks its requirements of extents itself."""

    def static(self) -> str:
        """Write it, once, before its callers; its name."""
        ...

    @property
    def needs_weights(self) -> bool:
        """Whether the weights are an argument; known once it is written."""
        ...

    @property
    def can_fail(self) -> bool:
        """Whether it returns a code: 0, or the number of a check that failed."""
        ...


class Bodies:
    """The bodies of the control flow of one function, which share a part of its workspace."""

    def __init__(
        self, block: Block, body_of: Callable[[FuncOp], Body], own: ex.Expr, extents: Extents
    ) -> None:
        self.emitters: dict[FuncOp, Body] = {}
        for op in block.ops:
            if isinstance(op, ControlOp):
                for body, binding in zip(op.bodies(), op.bindings(), strict=True):
                    self.emitters[body] = body_of(body)
                    self.emitters[body].is_branch |= isinstance(op, IfOp)
                    self.emitters[body].extents.callers.append((extents, binding))
        self.depth = max((1 + body.bodies.depth for body in self.emitters.values()), default=0)
        """How deep bodies are nested."""
        self.start = self.workspace = own
        if self.emitters:
            self.start = ex.floordiv(own + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT
            self.workspace = self.start + self._most(block)

    def _most(self, block: Block) -> ex.Expr:
        """The workspace of the bodies, which do not run at the same time."""
        known, others = 0, dict[ex.Expr, None]()
        bounds = data_bounds(data_extents(block))
        for op in block.ops:
            if isinstance(op, ControlOp):
                for body, binding in zip(op.bodies(), op.bindings(), strict=True):
                    size = at_most(binding.extent(self.emitters[body].workspace), bounds)
                    if self.emitters[body].can_fail:
                        # Extents may be negative where a branch fails if it is taken.
                        size = ex.maximum(size, 0)
                    known = max(known, size.constant or 0)
                    if size.constant is None:
                        others[size] = None
        # Unknown sizes cannot be compared: they are added up.
        return ex.total_of([ex.const(known), *others])

    def call(
        self,
        writer: Writer,
        body: FuncOp,
        binding: Binding,
        inputs: Sequence[str],
        outputs: Sequence[str],
    ) -> list[str]:
        """The call of a body; a code other than 0 is returned."""
        callee = self.emitters[body]
        name = callee.static()
        dims = [binding.values[n] for n in callee.dims]
        start = writer.indices.text(self.start, [])
        workspace = address(Text("(char *)workspace", UNARY), start)
        arguments = [
            *(writer.indices.text(e, []).text for e in dims),
            *inputs,
            *(["weights"] if callee.needs_weights else []),
            *outputs,
            "workspace" if self.start == 0 else workspace.text,
        ]
        call = f"{name}({', '.join(arguments)})"
        if not callee.can_fail:
            return [f"{call};"]
        failed = writer.fresh("failed")
        return [
            f"const int {failed} = {call};",
            f"if ({failed} != 0) {{",
            f"  return {failed};",
            "}",
        ]


def write(writer: Writer, op: ControlOp, bodies: Bodies) -> None:
    """Write an operation of control flow."""
    if isinstance(op, IfOp):
        _if(writer, op, bodies)
    else:
        assert isinstance(op, ScanOp)
        _Scan(writer, op, bodies).write()


def _if(w: Writer, op: IfOp, bodies: Bodies) -> None:
    outputs = [w.names[v].text for v in op.into]
    calls = [
        bodies.call(w, body, binding, [w.names[v].text for v in values], outputs)
        for (body, values), binding in zip(op.arms, op.bindings(), strict=True)
    ]
    w.line(f"if ({w.names[op.condition]}[0] != 0) {{")
    for text in calls[0]:
        w.line(f"  {text}")
    w.line("} else {")
    for text in calls[1]:
        w.line(f"  {text}")
    w.line("}")


class _Scan:
    """Writes one loop.

    Carried values lie in two buffers in turn; the last iteration writes to the results.  If it is
    not known which iteration is the last, its values are copied.
    """

    def __init__(self, writer: Writer, op: ScanOp, bodies: Bodies) -> None:
        self.w = writer
        self.op = op
        self.bodies = bodies
        self.i = writer.fresh("i")
        values = op.carried, op.into[: len(op.carried)], op.scratch
        self.starts, self.finals, self.others = (
            [writer.names[v].text for v in vs] for vs in values
        )
        """Where carried values begin, where those of the last iteration lie, and others between."""

    def write(self) -> None:
        w, op, i = self.w, self.op, self.i
        trip = f"{w.names[op.trip]}[0]" if op.trip is not None else ""
        count = trip or w.indices.text(op.count, []).within(PRODUCT)
        if op.is_open:
            w.line(f"int64_t {i} = 0;")
            conditions = [f"{i} < {count}"] if op.is_bounded else []
            if op.has_condition is not None:
                first = self.starts[0], self.finals[0], self.others[0]
                current = self._current(*first, f"({i} & 1) != 0")
                conditions.append(f"({current})[0] != 0")
            w.line(f"for (; {' && '.join(conditions)}; ++{i}) {{")
            into_other = f"({i} & 1) == 0"
        else:
            w.line(f"for (int64_t {i} = 0; {i} < {count}; ++{i}) {{")
            into_other = f"(({count} - {i}) & 1) == 0"
        w.depth += 1
        self._iteration(into_other)
        w.depth -= 1
        w.line("}")
        self._rest(count)
        if op.is_open:
            self._clear()

    def _current(self, start: str, final: str, other: str, in_other: str) -> str:
        return f"{self.i} == 0 ? {start} : {in_other} ? {other} : {final}"

    @property
    def _buffers(self) -> Iterator[tuple[SSAValue, str, str, str]]:
        """Each carried value with these."""
        return zip(self.op.carried, self.starts, self.finals, self.others, strict=True)

    def _iteration(self, into_other: str) -> None:
        w, op, i = self.w, self.op, self.i
        carried: list[str] = []
        outputs: list[str] = []
        if op.carried:
            turn = w.fresh("turn")
            w.line(f"const bool {turn} = {into_other};")
            for value, start, final, other in self._buffers:
                name, type = w.fresh("carried"), stored(element_in(value))
                current = self._current(start, final, other, f"!{turn}")
                w.line(f"const {type} *const {name} = {current};")
                carried.append(name)
                outputs.append(f"{turn} ? {other} : {final}")
        index: list[str] = []
        if op.has_index is not None:
            index = [f"&{i}"]
        over = [self._element(v, k in op.inputs_reversed) for k, v in enumerate(op.scanned)]
        stacked = op.into[len(op.carried) :]
        outputs += [self._element(v, k in op.outputs_reversed) for k, v in enumerate(stacked)]
        inputs = [*index, *carried, *over, *(w.names[v].text for v in op.captured)]
        (body,), (binding,) = op.bodies(), op.bindings()
        for text in self.bodies.call(w, body, binding, inputs, outputs):
            w.line(text)

    def _element(self, value: SSAValue, is_reversed: bool) -> str:
        """The address of an element of a tensor along its leading axis."""
        at = self.op.count - 1 - ex.dim(0) if is_reversed else ex.dim(0)
        offset = self.w.indices.text(at * strides_of(value.type), [self.i])
        return address(self.w.names[value], offset).text

    def _rest(self, count: str) -> None:
        """Copy carried values that no iteration wrote to the results."""
        w, op, i = self.w, self.op, self.i
        known = self.op.count.constant
        if not op.carried or (not op.is_open and known is not None and known > 0):
            return
        unwritten = f"{i} == 0 || ({i} & 1) != 0" if op.is_open else f"{count} == 0"
        w.line(f"if ({unwritten}) {{")
        k = w.fresh("i")
        for value, start, final, other in self._buffers:
            size = w.indices.text(ex.product(shape_of(value.type)), [])
            source = f"({i} == 0 ? {start} : {other})" if op.is_open else start
            w.line(f"  for (int64_t {k} = 0; {k} < {size.within(PRODUCT)}; ++{k}) {{")
            w.line(f"    {final}[{k}] = {source}[{k}];")
            w.line("  }")
        w.line("}")

    def _clear(self) -> None:
        """Fill stacked results with 0 for iterations that did not run."""
        w = self.w
        for value in self.op.into[len(self.op.carried) :]:
            k, target = w.fresh("i"), w.names[value].text
            first, end = (
                w.indices.text(e * strides_of(value.type), [self.i])
                for e in (ex.dim(0), self.op.count)
            )
            w.line(f"for (int64_t {k} = {first}; {k} < {end.within(PRODUCT)}; ++{k}) {{")
            w.line(f"  {target}[{k}] = 0;")
            w.line("}")
