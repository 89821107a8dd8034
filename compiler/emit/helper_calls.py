"""Statements that call a helper: moves, staging buffers, and reductions of lanes."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.matrix_ops import OfMatrix
from opc.dialects.registers import lanes_of
from opc.dialects.shape import shape_of
from opc.support.target import PIECE, SHORT, STAGED, VECTOR

from . import lanes as vectors
from . import matrix_products, registers, vector_values
from .ctext import Text, address, computed, stored, suffix
from .local_arrays import ALIGNED
from .storage import Storage
from .texts import INTRINSICS, ROLLED, c_text, macro, mark_macro
from .transpose import transpose


class HelperCalls(Storage):
    """Writes these statements, and adds the helpers to the preamble."""

    def _write_marks(self, op: loop.ForOp) -> None:
        """Write the macros of the marks of a loop that stand before it."""
        for mark in ("unroll", "few", "rolled"):
            if op.has(mark):
                self.line(self.shared.macro(mark_macro(mark)))

    def _dims(self, dims: object) -> list[str]:
        return [self.names[v].text for v in dims]  # pyright: ignore

    def _move(self, op: loop.TransposeOp | loop.PrefetchOp | loop.NonTemporalOp) -> None:
        """Move memory: a transposed block, a prefetch or non-temporal stores."""
        dims, size = self._dims(op.dims), element_in(op.source).bytes
        source = self.names[op.source]

        def index(e: ex.Expr) -> Text:
            return self.indices.text(e, dims)

        match op:
            case loop.TransposeOp():
                is_apart = any(e.symbols() for e in op.index.data)
                name = self.shared.helper(transpose(size, is_apart))
                at, stride, to, width, rows, columns = map(index, op.index.data)
                target, block = address(self.names[op.target], to), address(source, at)
                self.line(f"{name}({target}, {width}, {block}, {stride}, {rows}, {columns});")
            case loop.PrefetchOp():
                at, count = (index(e * size) for e in op.index.data)
                name = "opc_prefetch_second" if op.is_second else "opc_prefetch"
                self.line(f"{name}({source}, {at}, {count});")
            case loop.NonTemporalOp():
                start, at, count, row = op.index.data
                name, sizes = "opc_non_temporal", [count]
                texts = {name: c_text("non_temporal.copy", PIECE=PIECE)}
                if start != 0 or count != row:
                    name, sizes = "opc_non_temporal_part", [start, count, row]
                    texts[name] = c_text("non_temporal.part")
                self.shared.helper((name, texts))
                places = address(self.names[op.target], index(at)), address(source, index(start))
                arguments = map(str, (*places, *(index(e * size) for e in sizes)))
                self.line(f"{name}({', '.join(arguments)});")
                if self.loops == 0:
                    self.line("opc_stream_end();")

    def _look_up(self, op: loop.LookUpOp) -> None:
        """Look bytes up in a table, in vectors where there are such instructions."""
        dims = self._dims(op.dims)
        start, to, count = (self.indices.text(e, dims) for e in op.index.data)
        type = element_in(op.source)
        name = f"opc_look_up_{type}"
        text = c_text("look_up.bytes", name=name, type=stored(type), first=-op.lowest)
        self.shared.helper((name, {"OPC_UNROLL": macro("OPC_UNROLL"), name: text}))
        target, source = address(self.names[op.target], to), address(self.names[op.source], start)
        self.line(f"{name}({target}, {self.names[op.table]}, {source}, {count});")

    def _staged(self, op: loop.WidenOp | loop.NarrowOp | loop.RoundOp) -> None:
        """Convert a staging buffer of f16 or bf16, in hardware where possible.

        A C compiler vectorizes the functions of the library, but not with conversion instructions.
        """
        dims = self._dims(op.dims)
        *start, count = (self.indices.text(e, dims) for e in op.index.data)
        wide = self.names[op.wide].text
        match op:
            case loop.WidenOp():
                name, operands = "widen", f"{wide}, {address(self.names[op.source], start[0])}"
            case loop.NarrowOp():
                name, operands = "narrow", f"{address(self.names[op.target], start[0])}, {wide}"
            case loop.RoundOp():
                name, operands = "round_staged", wide
        name = f"{name}_{suffix(op.type)}"
        texts = {"intrinsics": INTRINSICS, f"opc_{name}": c_text(f"staging.{name}")}
        self.line(f"{self.shared.helper((f'opc_{name}', texts))}({operands}, {count});")

    def _matrix(self, op: OfMatrix | loop.MatrixEndOp) -> None:
        """An operation on the sums of a tile in matrix registers."""
        name, arguments = self.shared.helper(matrix_products.function(op)), list[str]()
        if isinstance(op, loop.MatrixClearOp | loop.MatrixStoreOp | loop.MatrixMultiplyOp):
            arguments = [self.names[op.sums].text]
        if isinstance(op, loop.MatrixMultiplyOp):
            dims = self._dims(op.dims)
            start, step, behind = (self.indices.text(e, dims) for e in op.index.data)
            left, right = self.names[op.left], self.names[op.right]
            factors = address(left, start), step, address(right, behind)
            arguments += [factor.text for factor in factors]
        self.line(f"{name}({', '.join(arguments)});")

    def _add_helpers(self, texts: Mapping[str, str]) -> None:
        """Add functions on vector registers to the preamble, with the macros that they need."""
        for text in texts.values():
            for name in (ROLLED, ALIGNED, registers.FOUR):
                if name in text:
                    self.shared.macro(name)
        self.shared.define(texts)

    def _vectors(self, op: loop.ForOp, array: SSAValue) -> None:
        """A loop over the vectors of an array in registers."""
        lanes, name = lanes_of(array), self.fresh("i")
        end = op.bounds[1].constant
        self.names[op.variable] = Text(name)

        def index(at: loop.LoadOp | loop.StoreOp | body.IndexOp) -> Text:
            return self.indices.text(at.index.data[0], self._dims(at.dims))

        if vector_values.is_computed(op):
            values = vector_values.VectorValues(op, lanes, self.names, index, self.fresh)
            called = values.statements(array)
            self.shared.macro(vector_values.EACH)
            self._add_helpers(values.helpers)
        else:
            action, factors, arguments = registers.call(op, array, self.names, index)
            function, texts = registers.function(action, factors, element_in(array), lanes)
            self._add_helpers(texts)
            called = [f"{function}({arguments});"]
        self._write_marks(op)
        self.line(f"for (int64_t {name} = 0; {name} < {end}; {name} += {lanes}) {{")
        for line in called:
            self.line(f"  {line}")
        self.line("}")

    def _combine(self, op: loop.CombineOp) -> None:
        type, reduction = scalar_type(op.result), op.reduction.data
        lanes = shape_of(op.lanes.type)[0].constant
        assert lanes
        name = self.shared.helper(vectors.combine(reduction, type, lanes))
        result = self.fresh("t")
        self.define(computed(type), result, f"{name}({self.names[op.lanes]})")
        self.names[op.result] = Text(result)

    def _cascade(self, op: loop.CascadeOp) -> None:
        type, step, reduction = element_in(op.lanes), op.step.data, op.reduction.data
        shape = shape_of(op.lanes.type)
        lanes = shape[0].constant if shape and not op.index.data else None
        in_registers = lanes if lanes in (VECTOR, SHORT, STAGED) else None
        name = self.shared.helper(vectors.cascade(step, type, reduction, in_registers))
        lane = self.names[op.lanes].text if shape else f"&{self.names[op.lanes]}"
        width = next((self.indices.text(e, self._dims(op.dims)) for e in op.index.data), None)
        operands = f"{self.names[op.levels]}, {self.names[op.count]}"
        self.line(f"{name}({lane}, {operands}, {width or (shape[0] if shape else 1)});")

    def _group(self, op: loop.GroupOp) -> None:
        lanes, dims = shape_of(op.lanes.type)[0].constant, self._dims(op.dims)
        assert lanes
        name = self.shared.helper(vectors.group(op.reduction.data, element_in(op.lanes), lanes))
        start, count = (self.indices.text(e, dims) for e in op.index.data)
        self.line(
            f"{name}({self.names[op.lanes]}, {address(self.names[op.source], start)}, {count});"
        )
