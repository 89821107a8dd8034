"""The statements of a function body: one small method for each operation of the loop dialect."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.element import ElementType
from opc.dialects.opc.control import ControlOp
from opc.dialects.shape import shape_of
from opc.passes.provenance import nodes

from . import control, registers
from . import lanes as vectors
from .ctext import EQUALITY, PRODUCT, UNARY, Text, address, apply, computed, number
from .local_arrays import held_in_lanes
from .moving import move_call
from .rolled import ROLLED, ROLLED_TEXT, marks
from .storage import Storage
from .strips import strip_call
from .threads import (
    OWN_FRAME,
    OWN_FRAME_TEXT,
    SHARE,
    THREADS,
    call,
    grain,
    parameters,
    part,
    share,
    work_of,
)

INLINE_WIDTH = 60


def _chooses(user: Operation, value: SSAValue) -> bool:
    """Whether memory would be read only if a condition holds.

    gcc 12 makes wrong vector code of that for loops of up to 16 rounds.
    """
    is_select = isinstance(user, body.ApplyOp) and user.function.data == "select"
    return is_select and value in user.operands[1:]


class Statements(Storage):
    """Writes the statements of one function, and as ``parts`` what threads do of its loops."""

    def block(self, block: Block) -> None:
        """Write the operations of a block."""
        origin = None
        for op in block.ops:
            if self.depth == 1 and isinstance(
                op, loop.ForOp | loop.StoreOp | loop.LocalOp | ControlOp
            ):
                found = nodes(op.location)
                if found and found != origin:
                    self._comment(found)
                origin = found
            self._operation(op)

    def _comment(self, found: list[tuple[int, str]]) -> None:
        words = [f"{kind} #{ordinal}" for ordinal, kind in found]
        text = ", ".join(words[:12]) + (f", ... {len(words) - 12} more" if len(words) > 12 else "")
        if self.lines and self.lines[-1]:
            self.lines.append("")
        self.origin = f"/* {text} */"
        self.line(self.origin)

    def _operation(self, op: Operation) -> None:
        match op:
            case loop.ForOp():
                self._for(op)
            case loop.LoadOp():
                self._value(op.result, self._load(op), op.source not in self.constant_buffers)
            case loop.StoreOp():
                self._store(op)
            case ControlOp():
                control.write(self, op, self.bodies)
            case loop.LocalOp():
                self.local(op)
            case loop.SliceOp():
                self.slice(op)
            case loop.ViewOp():
                self.names[op.result] = self.names[op.source]
                if op.source in self.constant_buffers:
                    self.constant_buffers.add(op.result)
            case loop.ConstantOp():
                self.constant(op)
            case loop.TransposeOp() | loop.PrefetchOp() | loop.StreamOp():
                self._move(op)
            case loop.WidenOp() | loop.NarrowOp() | loop.RoundOp():
                self._strip(op)
            case loop.FillOp():
                self._fill(op)
            case loop.AccumulateOp():
                self._accumulate(op)
            case loop.CombineOp():
                self._combine(op)
            case loop.CascadeOp():
                self._cascade(op)
            case body.ConstantOp():
                self.names[op.result] = number(op.number, scalar_type(op.result))
            case body.IndexOp():
                self._value(op.result, self.indices.text(op.expr, self._dims(op.dims)), False)
            case body.ApplyOp():
                self._apply(op)
            case _:
                pass

    def _dims(self, dims: object) -> list[str]:
        return [self.names[v].text for v in dims]  # pyright: ignore

    def _value(self, value: SSAValue, text: Text, reads: bool) -> None:
        """Name a scalar, or keep its expression where it is used only once and nearby."""
        if self._goes_inline(value, text, reads):
            self.names[value] = text
            if reads:
                self.reads.add(value)
            return
        name = self.fresh("t")
        self.line(f"const {computed(scalar_type(value))} {name} = {text};")
        self.declare(name, computed(scalar_type(value)))
        self.names[value] = Text(name)

    def _goes_inline(self, value: SSAValue, text: Text, reads: bool) -> bool:
        if value.uses.get_length() != 1 or len(text.text) > INLINE_WIDTH:
            return False
        user, at = next(iter(value.uses)).operation, value.owner
        assert isinstance(at, Operation)
        if "[" in text.text and _chooses(user, value):
            return False
        if user.parent is not at.parent:
            return False
        for _ in range(24):
            at = at.next_op
            if at is user:
                return True
            if at is None or (reads and isinstance(at, loop.StoreOp | loop.ForOp | ControlOp)):
                return False
        return False

    def _for(self, op: loop.ForOp) -> None:
        if op in self.places.functions:
            self._part(op)
            return
        if (array := registers.array_in(op)) is not None:
            self._vectors(op, array)
            return
        lower, upper, _ = op.bounds
        dims = self._dims(op.dims)
        for bound in (lower, upper):
            for name, value in self.indices.name_minima(bound, dims, self.fresh):
                self.line(f"const int64_t {name} = {value};")
                self.declare(name, "int64_t")
        end = self.indices.text(upper, dims).within(EQUALITY + 2)
        self._rounds(op, self.indices.text(lower, dims).text, end)

    def _rounds(self, op: loop.ForOp, begin: str, end: str) -> None:
        name, step = self.fresh("i"), op.bounds[2]
        self.names[op.variable] = Text(name)
        advance = f"++{name}" if step == 1 else f"{name} += {step}"
        if op.note is not None:
            self.line(f"/* {op.note.data} */")
        if op.kind.data == "unroll" and registers.touches_registers(op):
            self._unroll()
        for mark, text in marks(op):
            self.shared.lanes.setdefault(mark, text)
            self.line(mark)
        self.line(f"for (int64_t {name} = {begin}; {name} < {end}; {advance}) {{")
        outside = len(self.scope)
        self.declare(name, "int64_t")
        self.depth += 1
        self.block(op.body.block)
        self.depth -= 1
        while len(self.scope) > outside:
            self.indices.forget(self.scope.popitem()[0])
        self.line("}")
        if self.depth == 1 and any(isinstance(inner, loop.StreamOp) for inner in op.walk()):
            self.line("opc_stream_end();")

    def _unroll(self) -> None:
        self.shared.lanes.setdefault(registers.UNROLL, registers.UNROLL_TEXT)
        self.line(registers.UNROLL)

    def _vectors(self, op: loop.ForOp, array: SSAValue) -> None:
        """A loop over the vectors of an array in registers."""
        lanes, name = registers.lanes_of(array), self.fresh("i")
        end = op.bounds[1].constant
        self.names[op.variable] = Text(name)

        def index(at: loop.LoadOp | loop.StoreOp) -> Text:
            return self.indices.text(at.index.data[0], self._dims(at.dims))

        what, arguments = registers.call(op, array, self.names, index)
        function, text = registers.function(what, element_in(array), lanes)
        if ROLLED in text:
            self.shared.lanes.setdefault(ROLLED, ROLLED_TEXT)
        self.shared.lanes.setdefault(function, text)
        self._unroll()
        self.line(f"for (int64_t {name} = 0; {name} < {end}; {name} += {lanes}) {{")
        self.line(f"  {function}({arguments});")
        self.line("}")

    def _part(self, op: loop.ForOp) -> None:
        """A function of its own for a loop, or for the rounds of one thread, and its call."""
        dims = self._dims(op.dims)
        bounds = [self.indices.text(e, dims).text for e in (*op.bounds[:2], ex.const(grain(op)))]
        span, cost, least = work_of(op)
        enough = ""
        if (span * cost).constant is None:
            factors = (self.indices.text(e, dims).within(PRODUCT) for e in (span, cost))
            enough = f"{' * '.join(factors)} >= {least}"
        outer, self.lines, depth, self.depth = self.lines, [], self.depth, 1
        around, self.function, placed, self.placed = self.function, op, self.placed, {}
        self._rounds(op, "begin", "end")
        found, self.function, self.placed = self.placed, around, placed
        lines, self.lines, self.depth = self.lines, outer, depth
        name = f"{self.name}_loop{len(self.parts)}"
        sizes = {n: f"int64_t {n}" for n in self.indices.names()}
        needed = parameters(lines, sizes | self.scope)
        arrays = [f"{type} *OPC_RESTRICT {n}" for n, (type, _) in found.items()]
        apart = op in self.places.apart
        if apart:
            self.shared.lanes.setdefault(OWN_FRAME, OWN_FRAME_TEXT)
        self.parts.append(part(name, self.origin, [*needed.values(), *arrays], lines, apart))
        has_parts = any(place.is_of_thread for _, place in found.values())
        parts = self.parts_of_threads() if has_parts else ""
        alone = call(name, bounds[:2], [*needed, *self.arguments(found, parts)])
        if not self.places.functions[op] or (has_parts and self.places.threads == 1):
            self.line(alone)
            return
        self.shared.lanes.setdefault("opc_share", SHARE)
        scratch = ""
        if has_parts:
            self.shared.lanes.setdefault("opc_threads", THREADS)
            first, size = self.places.shared_bytes, self.places.thread_bytes
            start = parts or "(char *)workspace" + (f" + {first}" if first else "")
            scratch = f"{start} + share.thread * {size}"
        arguments = [*needed, *self.arguments(found, "scratch")]
        shared = call(name, ["share.begin", "share.end"], arguments)
        for text in share(bounds, shared, alone, enough, scratch, self.places.threads):
            self.lines.append(text if text[0] == "#" else "  " * self.depth + text)

    def _element(self, buffer: SSAValue, index: Text) -> Text:
        if isinstance(buffer.owner, loop.LocalOp) and not shape_of(buffer.type):
            return self.names[buffer]
        return Text(f"{self.names[buffer]}[{index}]")

    def _load(self, op: loop.LoadOp) -> Text:
        at = self.indices.text(op.index.data[0], self._dims(op.dims))
        text = self._element(op.source, at)
        if scalar_type(op.result).kind == "bool":
            return Text(f"{text} != 0", EQUALITY)
        return text

    def _store(self, op: loop.StoreOp) -> None:
        at = self.indices.text(op.index.data[0], self._dims(op.dims))
        target = self._element(op.target, at)
        value = self.names[op.value]
        if scalar_type(op.value).kind == "bool":
            value = Text(f"(uint8_t){value.within(UNARY)}", UNARY)
        declared = self.undeclared.pop(op.target, "")
        self.line(f"{declared}{target} = {value};")

    def _move(self, op: loop.TransposeOp | loop.PrefetchOp | loop.StreamOp) -> None:
        dims = self._dims(op.dims)

        def index(e: ex.Expr) -> Text:
            return self.indices.text(e, dims)

        self.line(move_call(op, self.names, index, self.shared.lanes))
        if isinstance(op, loop.StreamOp) and self.depth == 1:
            self.line("opc_stream_end();")

    def _strip(self, op: loop.WidenOp | loop.NarrowOp | loop.RoundOp) -> None:
        dims = self._dims(op.dims)
        indices = [self.indices.text(e, dims) for e in op.index.data]
        self.line(strip_call(op, self.names, indices, self.shared.lanes))

    def _fill(self, op: loop.FillOp) -> None:
        type, lanes = element_in(op.target), held_in_lanes(op.target)
        target, value = self.names[op.target], self.names[op.value]
        if lanes:
            self.line(f"{vectors.fill_name(type, lanes)}(&{target}, {value});")
            return
        index, end = self.fresh("i"), shape_of(op.target.type)[0]
        self.line(f"for (int64_t {index} = 0; {index} < {end}; ++{index}) {{")
        self.line(f"  {target}[{index}] = {value};")
        self.line("}")

    def _accumulate(self, op: loop.AccumulateOp) -> None:
        type, lanes = element_in(op.lanes), held_in_lanes(op.lanes)
        assert lanes
        at, *count = (self.indices.text(e, self._dims(op.dims)) for e in op.index.data)
        name = self._accumulator(op.reduction.data, type, lanes, last=bool(count))
        source = address(self.names[op.source], at)
        self.line(f"{name}({', '.join(map(str, (f'&{self.names[op.lanes]}', source, *count)))});")

    def _accumulator(
        self, reduction: str, type: ElementType, lanes: int, last: bool = False
    ) -> str:
        self._lane_functions(reduction, type, lanes)
        if last:
            self.shared.lanes.setdefault("opc_last", vectors.LAST)
            name = vectors.accumulate_last_name(reduction, type, lanes)
            text = vectors.accumulate_last(reduction, type, lanes)
            self.shared.lanes.setdefault(name, text)
            return name
        name = vectors.accumulate_name(reduction, type, lanes)
        self.shared.lanes.setdefault(name, vectors.accumulate(reduction, type, lanes))
        return name

    def _lane_functions(self, reduction: str, type: ElementType, lanes: int) -> None:
        for name, text in vectors.vector_functions(reduction, type, lanes).items():
            self.shared.lanes.setdefault(name, text)

    def _combine(self, op: loop.CombineOp) -> None:
        type, lanes = scalar_type(op.result), held_in_lanes(op.lanes)
        assert lanes
        self._lane_functions(op.reduction.data, type, lanes)
        name = vectors.combine_name(op.reduction.data, type, lanes)
        self.shared.lanes.setdefault(name, vectors.combine(op.reduction.data, type, lanes))
        text = self.fresh("t")
        self.line(f"const {computed(type)} {text} = {name}(&{self.names[op.lanes]});")
        self.declare(text, computed(type))
        self.names[op.result] = Text(text)

    def _cascade(self, op: loop.CascadeOp) -> None:
        type, lanes, step = element_in(op.lanes), held_in_lanes(op.lanes), op.step.data
        name = vectors.cascade_name(step, type, lanes)
        operands = f"{self.names[op.levels]}, {self.names[op.count]}"
        if lanes:
            self._accumulator("sum", type, lanes)
            self.shared.lanes.setdefault(name, vectors.cascade(step, type, lanes))
            self.line(f"{name}(&{self.names[op.lanes]}, {operands});")
            return
        self.shared.lanes.setdefault(name, vectors.array_cascade(step, type))
        shape = shape_of(op.lanes.type)
        lane = self.names[op.lanes].text if shape else f"&{self.names[op.lanes]}"
        width = next((self.indices.text(e, self._dims(op.dims)) for e in op.index.data), None)
        self.line(f"{name}({lane}, {operands}, {width or (shape[0] if shape else 1)});")

    def _apply(self, op: body.ApplyOp) -> None:
        args = list(op.args)
        types = [scalar_type(a) for a in args]
        text = apply(op.function.data, [self.names[a] for a in args], types, scalar_type(op.result))
        if op.function.data == "bitcast":
            pair = types[0], scalar_type(op.result)
            self.shared.lanes[vectors.bitcast_name(*pair)] = vectors.bitcast(*pair)
        self._value(op.result, text, any(a in self.reads for a in args))
