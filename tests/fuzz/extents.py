"""How large values get where extents are others than those that a graph was drawn with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.symbols import SymbolSource, given_extents
from opc.dialects.registry import context
from opc.dialects.shape import Shape, shape_of
from opc.errors import ArgumentError
from opc.interpret.extents import define_symbols
from opc.interpret.precision import Array
from opc.oracle.subject import function_in
from opc.passes import pipeline
from opc.support.interface import CAPACITY


def inferred(module: ModuleOp) -> FuncOp:
    """The function with types and requirements, in a module of its own."""
    work = module.clone()
    pipeline.run(work, context(), ["infer-shapes"])
    return function_in(work)


class Sizes:
    """The elements of every value of a graph, by what infer-shapes says of its extents."""

    def __init__(self, module: ModuleOp) -> None:
        self.function = inferred(module)
        self.shapes = set(_shapes(self.function))

    def largest(self, given: Sequence[tuple[int, ...]], inputs: Sequence[Array]) -> int:
        """Most elements of a value for arguments of these shapes.

        ``inputs`` are the arguments that the graph was drawn with: those that extents are read
        from stay the same.  0 where these do not fit, so that nothing is computed.
        """
        block = self.function.body.block
        known = dict[str, int]()
        for arg, shape in zip(block.args, given, strict=True):
            for e, n in zip(shape_of(arg.type), shape, strict=True):
                known.setdefault(e.symbol() or "", n)
        known |= dict.fromkeys(given_extents(self.function), CAPACITY)
        numbers: dict[SSAValue, int] = {arg: k for k, arg in enumerate(block.args)}
        try:
            for op in block.ops:
                if isinstance(op, SymbolSource):
                    define_symbols(op, [inputs[numbers[v]] for v in op.operands], known)
                elif isinstance(op, DataExtentOp):
                    known[op.defined] = int(op.bound.evaluate({}, known))
        except ArgumentError:
            return 0
        sizes = ([max(0, int(e.evaluate({}, known))) for e in shape] for shape in self.shapes)
        return max(map(math.prod, sizes), default=0)


def _shapes(function: FuncOp) -> Iterator[Shape]:
    """Those of arguments and of all values, and of those of bodies where they are run."""
    block = function.body.block
    yield from (shape_of(a.type) for a in block.args)
    for op in block.ops:
        yield from (shape_of(v.type) for v in op.results)
        if isinstance(op, ControlOp):
            for body, found in zip(op.bodies(), op.bindings(), strict=True):
                yield from (tuple(map(found.extent, shape)) for shape in _shapes(body))
