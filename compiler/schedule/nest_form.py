"""The canonical form of a nest: what its schedules depend on, without names.

Nests of two models have the same form if they compute the same over buffers of the same types and
extents; symbols are numbered in the order of their occurrence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, IntegerType, MemRefType, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.printer import Printer

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.buffer import OUTPUTS, WORKSPACE, index_of, root
from opc.dialects.element import BY_NAME
from opc.dialects.schedule import TreeOp
from opc.dialects.shape import buffer_type, shape_of, tensor_type
from opc.dialects.walking import walk

from .contraction import Contraction, analyse, constant_of
from .unpadded import inside


@dataclass(frozen=True)
class Form:
    """The canonical form of a nest."""

    text: str
    about: str
    """A line for readers."""
    symbols: tuple[str, ...]
    """The symbols of the nest; ``s0``, ``s1``, ... in the form."""

    @property
    def digest(self) -> str:
        """What tells it from other forms."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def without_names(self, tree: str) -> str:
        """The text of a schedule on one line, with the symbols of the form."""
        return _renamed(" ".join(tree.split()), self.symbols)

    def with_names(self, tree: str) -> str:
        """The same with the symbols of the nest."""
        known = {f"s{k}": name for k, name in enumerate(self.symbols)}
        return re.sub(r"\bs\d+\b", lambda match: known.get(match[0], match[0]), tree)


def _renamed(text: str, symbols: Sequence[str]) -> str:
    numbers = {name: f"s{k}" for k, name in enumerate(symbols)}
    return re.sub(r"[A-Za-z_]\w*", lambda match: numbers.get(match[0], match[0]), text)


def form_of(nest: kernel.NestOp) -> Form:
    """The form of a nest of buffers; its schedule does not count."""
    function = alone(nest, keep_constants=False)
    stream = StringIO()
    copy = next(op for op in function.body.block.ops if isinstance(op, kernel.NestOp))
    Printer(stream=stream).print_op(copy)
    buffers = [f"{v.name_hint}: {v.type}" for v in function.body.block.args[:-1]]
    shared = [k for k, v in enumerate(_sources(nest)) if root(v) in map(root, nest.targets)]
    contraction = analyse(nest)
    padding = contraction is not None and bool(inside(contraction))
    facts = f"written: {shared}, padding left out: {padding}"
    text = "\n".join([*buffers, facts, stream.getvalue()])
    symbols = tuple(sorted(_symbols(nest), key=lambda name: text.find(name)))
    about = _renamed(_about(nest, contraction), symbols)
    return Form(_renamed(text, symbols), about, symbols)


def alone(nest: kernel.NestOp, keep_constants: bool = True) -> FuncOp:
    """A function of a nest alone, without its schedule; its buffers are arguments.

    ::

        func @nest(%in0: memref, %in1: memref, %out0: memref, %workspace: memref<?xi8>)

    A buffer that is read and written is two arguments.  Constants stay constants, or else are
    arguments that are called so.  Symbols are extents of further inputs.
    """
    sources, outputs = _sources(nest), list(dict.fromkeys(nest.targets))
    constants = [v for v in sources if keep_constants and constant_of(v) is not None]
    inputs = [v for v in sources if v not in constants]
    symbols = [_bytes(ex.sym(name)) for name in sorted(_symbols(nest))] if keep_constants else []
    types = [*(v.type for v in inputs), *symbols, *(v.type for v in outputs), _bytes(None)]
    block = Block(arg_types=types)
    args = list(block.args)
    for k, (value, arg) in enumerate(zip(inputs, args, strict=False)):
        arg.name_hint = f"{'in' if constant_of(value) is None else 'constant'}{k}"
    written = args[len(inputs) + len(symbols) : -1]
    for k, arg in enumerate(written):
        arg.name_hint = f"out{k}"
    seen: dict[SSAValue, SSAValue] = dict(zip(inputs, args, strict=False))
    for value in constants:
        _copy_constant(value, block, seen)
    block.add_op(_copied(nest, seen, dict(zip(outputs, written, strict=True))))
    block.add_op(ReturnOp())
    function = FuncOp("nest", ([v.type for v in args], []), Region(block))
    function.attributes[OUTPUTS] = IntegerAttr(len(outputs), i64)
    function.attributes[WORKSPACE] = index_of(ex.const(0))
    return function


def _copy_constant(value: SSAValue, block: Block, seen: dict[SSAValue, SSAValue]) -> None:
    """Copy a constant, or a view of one, into a block."""
    owner = value.owner
    assert isinstance(owner, Operation)
    if isinstance(owner, loop.ViewOp) and owner.source not in seen:
        _copy_constant(owner.source, block, seen)
    copy = owner.clone(value_mapper=seen)
    block.add_op(copy)
    seen[value] = copy.results[0]


def _copied(
    nest: kernel.NestOp, seen: dict[SSAValue, SSAValue], written: dict[SSAValue, SSAValue]
) -> kernel.NestOp:
    """A copy of a nest over other buffers, without names and schedule."""
    copy = nest.clone()
    tree = copy.body.block.last_op
    if isinstance(tree, TreeOp):
        tree.detach()
        tree.erase()
    for op in walk(copy):
        for result in op.results:
            result.name_hint = None
        if isinstance(op, kernel.LoadOp | kernel.PickOp):
            op.operands[0] = seen.get(op.source, op.source)
    copy.operands = [written[v] for v in nest.targets]
    return copy


def _sources(nest: kernel.NestOp) -> list[SSAValue]:
    """The buffers that a nest reads, in order."""
    reads = (o.source for o in walk(nest.body) if isinstance(o, kernel.LoadOp | kernel.PickOp))
    return list(dict.fromkeys(v for v in reads if not isinstance(v.owner, kernel.SweepOp)))


def _symbols(nest: kernel.NestOp) -> set[str]:
    shapes = [shape_of(v.type) for v in (*_sources(nest), *nest.targets)]
    sweeps = (op for op in walk(nest) if isinstance(op, kernel.NestOp | kernel.SweepOp))
    shapes += [op.extents.data for op in sweeps]
    return {name for shape in shapes for e in shape for name in e.symbols()}


def _bytes(extent: ex.Expr | None) -> Attribute:
    """The buffer of so many bytes; of an unknown number for None."""
    if extent is None:
        return MemRefType(IntegerType(8), [DYNAMIC_INDEX])
    return buffer_type(tensor_type(BY_NAME["i8"], (extent,)))


def _about(nest: kernel.NestOp, contraction: Contraction | None) -> str:
    """The extents of a nest, and what a contraction adds up."""
    points = "x".join(str(e) for e in nest.extents.data if e != 1) or "1"
    if contraction is None:
        return f"nest of {points} points, {len(nest.sweeps)} sweeps"
    window = contraction.window(contraction.left) or contraction.window(contraction.right)
    kind = "window" if window is not None else "product"
    operands = contraction.left, contraction.right
    weights = " with weights" if any(map(contraction.is_constant, operands)) else ""
    return f"{kind} of {points}, chains of {contraction.length}, {contraction.type}{weights}"
