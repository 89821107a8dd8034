"""The statements of a C function: one small method for each operation of the loop dialect."""

from __future__ import annotations

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.matrix_ops import OfMatrix
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import DataExtentOp, RequireRangeOp, is_data_dependent
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.registers import array_in
from opc.dialects.remarks import asked
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.emit.workarounds.bool_indices import as_number
from opc.emit.workarounds.contraction import SUMS, rounded
from opc.emit.workarounds.signed_zero import comparable
from opc.errors import UnsupportedError
from opc.support.interface import too_small_code
from opc.support.locations import location_of, of_node
from opc.support.provenance import nodes
from opc.support.target import LINE

from . import control, registers
from . import lanes as vectors
from .ctext import EQUALITY, PRODUCT, SUM, UNARY, Text, address, apply, computed, number, suffix
from .helper_calls import HelperCalls
from .outlining import Outside, Part, about, renamed
from .prologue import required, violated
from .texts import mark_macro
from .threads import (
    Field,
    iterations,
    parameters,
    part_text,
    pool,
    share,
    shared_function,
)
from .units import Nest
from .wrapping import COLUMNS, listed
from .writer import StepWriter

WRITING = (loop.StoreOp, loop.ScatterOp, loop.LookUpOp, loop.ForOp, loop.IfOp, ControlOp)
"""Operations that may change memory that was read before."""
COMMENTED = (
    *(loop.ForOp, loop.IfOp, loop.StoreOp, loop.LocalOp, loop.LookUpOp),
    *(ControlOp, RequireRangeOp, DataExtentOp),
)
"""Operations after a comment that names their nodes."""


def _chooses(user: Operation, value: SSAValue) -> bool:
    """Whether a load would depend on a condition.

    gcc 12 makes wrong vector code of that for loops of up to 16 iterations.
    """
    is_select = isinstance(user, body.ApplyOp) and user.function.data == "select"
    return is_select and value in user.operands[1:]


def _holds_bits(buffer: SSAValue) -> bool:
    """Whether all bytes of an array of booleans are 0 or 1; those of callers may not be.

    gcc 12 does not vectorize a reduction that compares them with 0: along rows of 1024, ``any``
    takes 2255 instead of 44 us for 4 MiB.
    """
    known = loop.LoadOp | loop.StoreOp | loop.LocalOp
    is_stored = (isinstance(use.operation, known) for use in buffer.uses)
    return isinstance(buffer.owner, loop.LocalOp) and all(is_stored)


class Statements(HelperCalls):
    """Writes the statements of one function, and in ``parts`` the functions of its loops."""

    def block(self, block: Block) -> None:
        """Write the operations of a block."""
        if self.depth > 1:
            for op in block.ops:
                self._operation(op)
            return
        origin, step = None, StepWriter(self)
        for op in block.ops:
            if isinstance(op, COMMENTED):
                sources = nodes(op.location)
                if sources and sources != origin:
                    step.end()
                    self._comment(sources)
                    step.begin(len(self.lines) - 1)
                origin = sources
            self._operation(op)
            step.add(op)
        step.end()

    def _comment(self, sources: list[tuple[int, str]]) -> None:
        text = listed([f"{kind} #{ordinal}" for ordinal, kind in sources])
        if self.lines and self.lines[-1]:
            self.lines.append("")
        self.origin = text
        self.line(f"/* {text} */")

    def _operation(self, op: Operation) -> None:
        match op:
            case loop.ForOp():
                self._for(op)
            case loop.IfOp():
                self._if(op)
            case loop.LoadOp() | loop.GatherOp():
                self._value(op.result, self._load(op), op.source not in self.constant_buffers)
            case loop.BreakOp():
                self.line(f"if ({self.names[op.condition]}) break;")
            case loop.AheadOp():
                self._ahead(op)
            case loop.StoreOp() | loop.ScatterOp():
                self._store(op)
            case RequireRangeOp():
                self._require_range(op)
            case DataExtentOp():
                self._data_extent(op)
            case RequireOp():
                self._require(op)
            case ControlOp():
                control.write(self, op, self.bodies)
            case loop.LocalOp():
                self.local(op)
            case loop.SliceOp():
                self.slice(op)
            case loop.ViewOp():
                self.view(op)
            case loop.ConstantOp():
                self.constant(op)
            case loop.TransposeOp() | loop.PrefetchOp() | loop.NonTemporalOp():
                self._move(op)
            case loop.LookUpOp():
                self._look_up(op)
            case loop.WidenOp() | loop.NarrowOp() | loop.RoundOp():
                self._staged(op)
            case loop.MatrixEndOp() | OfMatrix():
                self._matrix(op)
            case loop.CombineOp():
                self._combine(op)
            case loop.CascadeOp():
                self._cascade(op)
            case loop.GroupOp():
                self._group(op)
            case body.ConstantOp():
                # It is a parameter if equal loops differ in it.
                self.names.setdefault(op.result, number(op.number, scalar_type(op.result)))
            case body.IndexOp():
                self._value(op.result, self.indices.text(op.expr, self._dims(op.dims)), False)
            case body.ApplyOp():
                self._apply(op)
            case ReturnOp() | SymbolSource():
                pass  # Results are arguments, and the prologue has the symbols.
            case _:
                raise UnsupportedError(f"{op.name} has no form in C; run the passes that lower it")

    def _value(self, value: SSAValue, text: Text, reads: bool) -> None:
        """Name a scalar, or put its expression where it is used if that is once and nearby."""
        if self._goes_inline(value, text, reads):
            self.names[value] = text
            if reads:
                self.reads.add(value)
            return
        name = self.fresh("t")
        self.define(computed(scalar_type(value)), name, text)
        self.names[value] = Text(name)

    def _goes_inline(self, value: SSAValue, text: Text, reads: bool) -> bool:
        if value.uses.get_length() != 1 or len(text.text) > COLUMNS // 2:
            return False
        user, at = next(iter(value.uses)).operation, value.owner
        assert isinstance(at, Operation)
        if "[" in text.text and _chooses(user, value):
            return False
        if user.parent is not at.parent:
            return False
        if isinstance(user, loop.GatherOp | loop.ScatterOp | loop.ForOp) and value in user.dims:
            return False  # offsets are made of names
        for _ in range(24):
            at = at.next_op
            if at is user:
                return True
            if at is None or (reads and isinstance(at, WRITING)):
                return False
        return False

    def _for(self, op: loop.ForOp) -> None:
        if op.function is not None:
            self._part(op, op.function.data)
            return
        if (array := array_in(op)) is not None:
            self._vectors(op, array)
            return
        if self.shared.is_scalar and (store := registers.group_step(op)) is not None:
            self._vectors(op, store.target)
            return
        lower, upper, _ = op.bounds
        dims = self._dims(op.dims)
        for bound in (lower, upper):
            for name, value in self.indices.name_minima(bound, dims, self.fresh):
                self.define("int64_t", name, value)
        end = self.indices.text(upper, dims).within(EQUALITY + 2)
        self._iterations(op, self.indices.text(lower, dims).text, end)

    def _iterations(self, op: loop.ForOp, begin: str, end: str) -> None:
        name, step = self.fresh("i"), op.bounds[2]
        self.names[op.variable] = Text(name)
        advance = f"++{name}" if step == 1 else f"{name} += {step}"
        self._write_marks(op)
        self.line(f"for (int64_t {name} = {begin}; {name} < {end}; {advance}) {{")
        self.loops += 1
        with self.inside():
            self.declare(name, "int64_t")
            if op.has("no_vectors"):
                self.line(f"{self.shared.macro(mark_macro('no_vectors'))};")
            named = self.name_repeated(op, name)
            self.block(op.body.block)
            self.drop_unused(named)
        self.loops -= 1
        self.line("}")
        if self.loops == 0 and any(isinstance(inner, loop.NonTemporalOp) for inner in walk(op)):
            self.line("opc_stream_end();")

    def _if(self, op: loop.IfOp) -> None:
        """``if (...) { ... } else if (...) { ... } else { ... }``."""
        word = ""
        while True:
            self.indices.asked.update(asked(op.holds, op.asks))
            condition = self.indices.condition(op.holds, self._dims(op.dims))
            self.line(f"{word}if ({condition}) {{")
            self._version(op, op.then.block)
            if op.otherwise is None:
                break
            block = op.otherwise.block
            if not isinstance(inner := block.first_op, loop.IfOp) or inner is not block.last_op:
                self.line("} else {")
                self._version(op, block)
                break
            word, op = "} else ", inner
        self.line("}")

    def _version(self, op: loop.IfOp, block: Block) -> None:
        """Write one block of a choice, after its name."""
        with self.inside():
            if op.names is not None and (name := op.names.data[op.blocks.index(block)].data):
                self.line(f"/* {name} */")
            self.block(block)

    def _part(self, op: loop.ForOp, name: str) -> None:
        """Call the function of a loop or of a thread's share of it; write it if it is new."""
        dims, outside = self._dims(op.dims), self.outlining.outside(op, self)
        bounds = [self.indices.text(e, dims).text for e in op.bounds[:2]]
        known = self.outlining.parts.get(name)
        part = known or self._function(op, f"{self.name}_{name}", outside)
        self.outlining.parts[name] = part
        arrays = self.outlining.arrays(op, part) if known else part.arrays
        actual = {o.name: o.actual for o in outside.values()}
        values = [actual.get(n, n) for n in part.parameters]
        has_parts = any(slot.is_of_thread for _, slot in arrays.values())
        parts = self.parts_of_threads() if has_parts else ""
        if op.work is None or op.by is None or (has_parts and self.slots.threads == 1):
            arguments = [*bounds, *values, *self.arguments(arrays, parts)]
            self.line(f"{part.name}({', '.join(arguments)});")
            return
        bounds.append(str(op.by.value.data))
        self.shared.preamble.setdefault("opc_share", pool())
        fields = [Field.of(*p, v) for p, v in zip(part.parameters.items(), values, strict=True)]
        arguments, before, most = [f.argument for f in fields], list[str](), "OPC_MOST_THREADS"
        addresses = self.arguments(arrays, "scratch")
        if has_parts:
            start = parts or self.after("(char *)workspace", self.slots.shared_bytes)
            size = self.indices.text(self.slots.thread_bytes, []).within(PRODUCT)
            own = (
                at
                for at, (_, slot) in zip(addresses, arrays.values(), strict=True)
                if slot.is_of_thread
            )
            sizes = parameters([size, *own], {n: f"int64_t {n}" for n in self.indices.names()})
            fields += [Field.of(n, f"int64_t {n}") for n in sizes if n not in part.parameters]
            fields.append(Field.of("scratch", "char *scratch", start))
            before = [f"const int64_t {n} = data->{n};" for n in sizes]
            before.append(f"char *const scratch = data->scratch + thread * {size};")
            most = str(self.slots.threads)
        for (n, (type, slot)), at in zip(arrays.items(), addresses, strict=True):
            if slot.is_of_thread:
                arguments.append(at)
            else:
                fields.append(Field.of(n, f"{type} *{n}", at))
                arguments.append(fields[-1].argument)
        if not known:
            self.parts[-1] += "\n" + iterations(part.name, fields, arguments, before)
        work = self.indices.text(op.work.data[0], dims).text
        if outside:
            text, line = shared_function(part.name, fields, bounds, most, work)
            if not known:
                self.parts[-1] += "\n" + text
            self.line(line)
            return
        for text in share(part.name, fields, bounds, most, work):
            self.line(text)

    def _function(self, op: loop.ForOp, name: str, outside: dict[SSAValue, Outside]) -> Part:
        """Write the function of a loop, with parameters for what is outside, if any."""
        outer, self.lines, depth, self.depth = self.lines, [], self.depth, 1
        first = len(self.parts)
        loops, self.loops = self.loops, 0
        around, self.function, placed, self.placed = self.function, op, self.placed, {}
        with renamed(self, outside):
            self._iterations(op, "begin", "end")
            sizes = {n: f"int64_t {n}" for n in self.indices.names()}
            needed = parameters(self.lines, sizes | self.scope)
        arrays, self.function, self.placed = self.placed, around, placed
        lines, self.lines, self.depth = self.lines, outer, depth
        self.loops = loops
        part = Part(name, needed, arrays)
        declared = [f"{type} *OPC_RESTRICT {n}" for n, (type, _) in arrays.items()]
        marks = filter(op.has, ("own_frame", "as_it_stands", "in_order"))
        before = [self.shared.macro(mark_macro(mark)) for mark in marks]
        comment = self.outlining.comment(op) if outside else about([self.origin, loop.purpose(op)])
        code = part_text(name, [*needed.values(), *declared], lines, before)
        text = f"{comment}\n{code}".lstrip()
        if around is None:
            self.shared.nests.append(Nest(name, tuple(self.parts[first:]), text, code))
        self.parts.append(text)
        return part

    def _element(self, buffer: SSAValue, index: Text) -> Text:
        if isinstance(buffer.owner, loop.LocalOp) and not shape_of(buffer.type):
            return self.names[buffer]
        return Text(f"{self.names[buffer]}[{index}]")

    def _ahead(self, op: loop.AheadOp) -> None:
        """The number of elements up to the next cache line."""
        at = address(
            self.names[op.source], self.indices.text(op.index.data[0], self._dims(op.dims))
        )
        name, size = self.fresh("ahead"), element_in(op.source).bytes
        self.define("int64_t", name, f"(int64_t)(-(uintptr_t)({at}) % {LINE} / {size})")
        self.names[op.result] = Text(name)

    def _load(self, op: loop.LoadOp | loop.GatherOp) -> Text:
        at = self.indices.text(op.index.data[0], self._dims(op.dims))
        text = self._element(op.source, at)
        if scalar_type(op.result).kind == "bool" and not _holds_bits(op.source):
            return Text(f"{text} != 0", EQUALITY)
        return text

    def _store(self, op: loop.StoreOp | loop.ScatterOp) -> None:
        at = self.indices.text(op.index.data[0], self._dims(op.dims))
        target = self._element(op.target, at)
        value = self.names[op.value]
        if scalar_type(op.value).kind == "bool":
            value = Text(f"(uint8_t){value.within(UNARY)}", UNARY)
        declared = self.undeclared.pop(op.target, "")
        self.line(f"{declared}{target} = {value};")

    def _require_range(self, op: RequireRangeOp) -> None:
        """A check of values, which returns the number of its message."""
        type = element_in(op.values)
        count, low, high = (
            self.indices.text(e, []) for e in (ex.product(shape_of(op.values.type)), *op.bounds)
        )
        message = op.described(*map(self.indices.described, op.bounds))
        self.shared.checks.append(f"{of_node(op)}{message}")
        call = f"opc_within_{suffix(type)}({self.names[op.values]}, {count}, {low}, {high})"
        self._fail(f"!{call}")

    def _fail(self, condition: str) -> None:
        """Return the number of the check that was added last if a condition holds."""
        self.line(f"if ({condition}) {{")
        self.line(f"  return {len(self.shared.checks)};")
        self.line("}")

    def _data_extent(self, op: DataExtentOp) -> None:
        """The value of a data-dependent symbol, and its check."""
        name = self.indices.symbols[op.defined]
        most = self.indices.text(op.bound, []).within(SUM)
        self.line(f"const int64_t {name} = {self.names[op.value]}[0];")
        bound = self.indices.described(op.bound)
        what = f"{of_node(op)}an extent that is computed is"
        if op.capacity is None:
            self.shared.checks.append(f"{what} outside of [0, {bound}]")
            self._fail(f"{name} < 0 || {name} > {most}")
        else:
            self.shared.checks.append(f"{what} negative")
            self._fail(f"{name} < 0")
            capacity = op.capacity.data
            if capacity not in self.shared.capacities:
                text = f"{op.name}: no public function has a capacity {capacity}"
                raise UnsupportedError(text, location_of(op))
            code = too_small_code(self.shared.capacities.index(capacity))
            self.line(f"if ({name} > {most}) {{")
            self.line(f"  return -({code} + opc_bits({name}));")
            self.line("}")
        self.line(self.indices.data_mark(op.defined))
        self.declare(name, "int64_t")

    def _require(self, op: RequireOp) -> None:
        """A requirement on data-dependent symbols or of a branch; the prologue has the others."""
        if (self.is_branch or is_data_dependent(op, self.indices.from_data)) and not op.is_of_sizes:
            self.shared.checks.append(required(op, self.indices))
            self._fail(violated(op, self.indices))

    def _apply(self, op: body.ApplyOp) -> None:
        args = list(op.args)
        types = [scalar_type(a) for a in args]
        texts = comparable(op, [self.names[a] for a in args])
        if op.function.data in SUMS:
            texts = [
                rounded(a, text) if a in self.products else text
                for a, text in zip(args, texts, strict=True)
            ]
        text = as_number(op, apply(op.function.data, texts, types, scalar_type(op.result)))
        if op.function.data == "bitcast":
            self.shared.helper(vectors.bitcast(types[0], scalar_type(op.result)))
        self._value(op.result, text, any(a in self.reads for a in args))
