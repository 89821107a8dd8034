"""Write the loops of contractions, and of nests whose indices are values.

``kernel.nest { sweep; store; schedule.tree {...} }  -->  pack operands; loop.for { ... }``

Packed and padded operands get buffers at the end of the workspace; place-buffers gives all buffers
new offsets.  Equal nests are lowered once (``equal_nests``).  Needs schedule.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.blob import deferred
from opc.dialects.buffer import WORKSPACE, LocalOp, root
from opc.dialects.element import ElementType
from opc.dialects.indirect import is_indirect
from opc.dialects.opc.movement import Array
from opc.dialects.schedule import IfOp, PackOp, PadOp, TreeOp
from opc.dialects.shape import IndexAttr, buffer_type, tensor_type
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.schedule.contraction import Contraction, analyse
from opc.schedule.nest_legality import check
from opc.schedule.nest_trees import tree_of, version_in, versions_of
from opc.schedule.stored import Part, grouped_parts, term_parts
from opc.schedule.unpadded import inside
from opc.support.workspace import ALIGNMENT

from .constant_panels import constant_panels
from .contraction import TERMS
from .equal_nests import EqualNests, Form, form_of
from .indirect_loops import IndirectLowering
from .insertion import Insertion
from .loop_parts import choice, put_block, replace_by
from .packing import Packing, Panels, panels
from .padding import Padded, Padding, in_buffer, pads
from .rotating import lowering
from .shared_blocks import SharedBlocksLowering
from .shared_tables import Tables
from .stored import PartPanels, Stored, part_panels

Laid: TypeAlias = "Packing | Padding | Stored"
"""A packed or padded operand in its buffer, or one that lies as it is stored."""


@dataclass(frozen=True)
class Packed:
    """The layout of an operand, and what computes its panels if it is constant."""

    panels: Panels | Padded
    known: Callable[[], Array] | None = None


class FunctionLowering:
    """Lowers the scheduled nests of one function."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.workspace = function.body.block.args[-1]
        attr = function.attributes[WORKSPACE]
        assert isinstance(attr, IndexAttr)
        self.end = attr.data[0]
        """The end of the workspace."""
        self.known: dict[tuple[Hashable, ...], SSAValue] = {}
        """Buffers of operands that are laid out already, by what they hold."""
        self.equal = EqualNests()
        self.checked = set[Form]()
        """The forms of nests whose schedules are legal."""
        self.tables = Tables()
        self.positions = {op: k for k, op in enumerate(walk(function))}
        self.writes: dict[SSAValue, list[int]] = {}
        """Positions of the operations that may write each buffer."""
        for op, position in self.positions.items():
            if not isinstance(op, kernel.LoadOp | loop.LoadOp | loop.ViewOp):
                for buffer in op.operands:
                    self.writes.setdefault(root(buffer), []).append(position)

    def run(self) -> None:
        """Lower every nest, and set the size of the workspace."""
        nests = [op for op in walk(self.function) if isinstance(op, kernel.NestOp)]
        for nest in [op for op in nests if op.has_chain]:
            self._lower(nest, tree_of(nest), block := Block())
            replace_by(nest, block)
        for nest in nests:
            if is_indirect(nest):
                IndirectLowering(nest, self.tables).run(block := Block())
                replace_by(nest, block)
        self.function.attributes[WORKSPACE] = IndexAttr((self.end,))

    def _lower(self, nest: kernel.NestOp, tree: TreeOp, block: Block) -> None:
        """Write the loops of a contraction, and those that lay its operands out."""
        c = analyse(nest)
        assert c is not None
        # Padding is left out if constants are finite.
        form = form_of(nest, bool(inside(c)))
        if form not in self.checked:
            # The schedule may be edited by hand.
            check(nest, tree)
            self.checked.add(form)
        self._versions(form, c, tree, None, block)

    def _versions(
        self,
        form: Form,
        c: Contraction,
        tree: TreeOp,
        shared: Mapping[str, Laid] | None,
        block: Block,
    ) -> None:
        """Write all versions of a schedule; ``shared`` are operands laid out for those around."""
        chosen = tree.body.block.last_op
        if not isinstance(chosen, IfOp):
            c = c.as_in(tree)
            operands = self._laid_out(c, tree, block, shared)
            self._write(form, c, tree, {**(shared or {}), **operands}, block)
            return
        ops = [op for op in tree.body.block.ops if op is not chosen]
        common = TreeOp.of(Block([op.clone() for op in ops]))
        operands = self._laid_out(c.as_in(versions_of(tree)[0]), common, block, shared)
        operands = {**(shared or {}), **operands}
        blocks = Block(), Block()
        for k, (region, target) in enumerate(
            zip((chosen.then, chosen.otherwise), blocks, strict=True)
        ):
            version = version_in(ops, region)
            self._versions(form.using((), k), c, version, operands, target)
        block.add_op(choice(chosen, *blocks))

    def _write(
        self,
        form: Form,
        c: Contraction,
        tree: TreeOp,
        laid_out: Mapping[str, Laid],
        block: Block,
    ) -> None:
        """Write the loops of a version, with a part of the workspace for sums that it keeps."""
        loops = lowering(tree)(c, tree, laid_out)
        buffers = [v for name in sorted(laid_out) for v in _buffers(laid_out[name])]
        if isinstance(loops, SharedBlocksLowering):
            new = self._slice(c.type, loops.kept.elements)
            new.location = c.nest.location
            self.function.body.block.insert_op_before(new, self._top(c.nest))
            loops.buffer = new.results[0]
            buffers.append(loops.buffer)
        for op in list(self.equal.loops(form.using(buffers), loops.run).ops):
            op.detach()
            block.add_op(op)

    def _slice(self, type: ElementType, elements: ex.Expr) -> loop.SliceOp:
        """The next part of the workspace."""
        new = loop.SliceOp.of(self.workspace, self.end, buffer_type(tensor_type(type, (elements,))))
        size = elements * type.bytes
        self.end += ex.floordiv(size + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT
        return new

    def _top(self, op: Operation) -> Operation:
        """The operation of the function's own block that contains an operation."""
        top = self.function.body.block.find_ancestor_op_in_block(op)
        assert top is not None
        return top

    def _laid_out(
        self, c: Contraction, tree: TreeOp, block: Block, shared: Mapping[str, Laid] | None = None
    ) -> dict[str, Laid]:
        """Lay out what a schedule packs or pads before all loops, but for what versions share."""
        ops = tree.body.block.ops
        stored = [op for op in ops if isinstance(op, PackOp) and op.lanes is not None]
        packs = [panels(c, op) for op in ops if isinstance(op, PackOp) and op not in stored]
        padded = [pads(c, op, tree) for op in ops if isinstance(op, PadOp)]
        packed = [*map(Packed, padded), *(Packed(p, constant_panels(c, p)) for p in packs)]
        is_version = shared is not None
        names = {p.panels.operand.name: p for p in packed}
        laid_out: dict[str, Laid] = {
            name: self._lay_out(c, p, block, is_version)
            for name, p in names.items()
            if name not in (shared or ())
        }
        for op in stored:
            if op.operand.data not in (shared or ()):
                parts = grouped_parts(c, c.operand(op.operand.data), op.count)
                assert parts is not None and op.lanes is not None
                laid_out[op.operand.data] = self._stored(c, op, parts, op.lanes)
        packs_right = (op for op in ops if isinstance(op, PackOp) and op.operand.data == "right")
        right = next(packs_right, None)
        if right is not None and (terms := term_parts(c)):
            columns = PackOp.of("right", right.step)
            laid_out[TERMS] = self._stored(c, columns, terms, right.step)
        return laid_out

    def _stored(self, c: Contraction, op: PackOp, constants: Iterable[Part], lanes: int) -> Stored:
        """Lay constants that are read along the columns out as they are stored."""
        operand, parts = c.operand(op.operand.data), dict[Operation, tuple[PartPanels, SSAValue]]()
        before = self._top(c.nest)
        for layout in part_panels(c, op, constants, lanes):
            known = constant_panels(c, layout)
            count = ex.floordiv(layout.elements, layout.per)
            assert known is not None and count.constant is not None
            value = deferred(layout.loaded(known), layout.unit, (count.constant,))
            type = buffer_type(tensor_type(layout.unit, (count,)))
            new = loop.ConstantOp(properties={"value": value}, result_types=[type])
            new.location = c.nest.location
            self.function.body.block.insert_op_before(new, before)
            parts[layout.part.load] = layout, new.results[0]
            self.tables.add(c, layout.part.load, layout, new.results[0])
        return Stored(c, operand, parts, lanes, op.distance)

    def _lay_out(self, c: Contraction, p: Packed, block: Block, is_version: bool) -> Laid:
        """Return an operand in its buffer; write the loops that lay it out, unless that is done.

        They go into the block, or in front of loops around the nest.  The buffer is a constant, an
        array of the outermost loop in which all sources are known, or a part of the workspace.
        """
        type = buffer_type(tensor_type(p.panels.type, (p.panels.elements,)))
        before = self._before(c, p)
        key = self._key(c, p, before) if self._top(c.nest) is not c.nest else None
        if key is not None and key in self.known:
            return in_buffer(p.panels, self.known[key])
        if p.known is not None:
            value = deferred(p.known, p.panels.type, (p.panels.elements.constant or 0,))
            new = loop.ConstantOp(properties={"value": value}, result_types=[type])
        elif loop.is_in_loop(before):
            new = LocalOp.of(p.panels.type, p.panels.elements)
        else:
            new = self._slice(p.panels.type, p.panels.elements)
        new.location = c.nest.location
        at = self._top(before) if isinstance(new, loop.SliceOp) else before
        Rewriter.insert_op(new, InsertPoint.before(at))
        if isinstance(new, loop.ConstantOp) and isinstance(p.panels, Panels):
            load = p.panels.operand.load
            if load is not None and load.result.type == p.panels.type.type:
                self.tables.add(c, load, p.panels, new.results[0])
        # Other nests cannot rely on what only one version lays out.
        if key is not None and not (is_version and before is c.nest):
            self.known[key] = new.results[0]
        operand = in_buffer(p.panels, new.results[0])
        if p.known is None:
            layout = block if before is c.nest else Block()
            operand.write(Insertion(layout, [], dict(c.places)))
            if layout is not block:
                put_block(layout, before, c.nest.location)
        return operand

    def _before(self, c: Contraction, p: Packed) -> Operation:
        """The outermost operation around a nest before which an operand may be laid out.

        What is computed stays in the version that a condition chooses.
        """
        sources = {op.source for op in p.panels.operand.ops if isinstance(op, kernel.LoadOp)}
        inside = {v.owner if isinstance(v.owner, Block) else v.owner.parent for v in sources}
        before: Operation = c.nest
        while (around := before.parent) not in inside and around is not self.function.body.block:
            outer = before.parent_op()
            assert outer is not None
            if p.known is None and isinstance(outer, loop.IfOp):
                break
            before = outer
        return before

    def _key(self, c: Contraction, p: Packed, before: Operation) -> tuple[Hashable, ...] | None:
        """A key that equal panels in an operation of the function share; None if they are computed.

        It has the source, how often that may have been written before, and the block: another
        version may not run.
        """
        load, panel = p.panels.operand.load, p.panels
        if load is None or not isinstance(panel, Panels):
            return None
        layout = panel.axis, panel.size, panel.point_size, panel.elements, panel.group, panel.type
        writes = bisect_left(self.writes.get(root(load.source), []), self.positions[before])
        return before.parent, self._top(c.nest), load.source, writes, c.offsets[load], *layout


def _buffers(operand: Laid) -> list[SSAValue]:
    """The buffers that an operand lies in."""
    if isinstance(operand, Stored):
        return [buffer for _, buffer in operand.parts.values()]
    return [operand.buffer]


class LowerSchedulesPass(FunctionPass):
    """kernel.nest { sweep; store; schedule.tree {...} }  -->  pack operands; loop.for {...}."""

    name = "lower-schedules"

    def rewrite(self, function: FuncOp) -> None:
        """Lower the scheduled nests of one function."""
        FunctionLowering(function).run()
