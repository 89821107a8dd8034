"""Names every unknown extent, infers every type, and states what must hold at run time.

Unknown extents of arguments become symbols; every other extent follows from them::

    func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) {
      %z = opc.add %x, %y : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>

    --> func.func @f(%x: tensor<?x4xf32, #opc.dims<s0, 4>>, %y: ... <s1, 4>) {
          opc.require broadcast<s0, s1> "opc.add: extents do not broadcast"
          %z = opc.add %x, %y : ... -> tensor<?x4xf32, #opc.dims<bcast(s0, s1), 4>>

Axes of reductions that are operands become attributes or extents on the way (run_time_axes.py).
What defines symbols reads an argument, and moves to the start of the function; only extents that
are found on the way (``opc.data_extent``) stay where they are, and what must hold for them is
checked behind them.
Running the pass again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import count
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.extent_text import extent_text, shown_as
from opc.dialects.opc.base import OpcOp, check_size
from opc.dialects.opc.choice import IfOp
from opc.dialects.opc.control import ControlOp, bodies_below
from opc.dialects.opc.data_extent import DataExtentOp, data_extents, is_data_dependent
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.given import GivenExtentsOp, given_extents
from opc.dialects.opc.parts import SliceOp
from opc.dialects.opc.ranges import RequireRangeOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.scan import ScanOp
from opc.dialects.opc.symbols import RequireOp, SymbolSource, names_attr
from opc.dialects.shape import (
    UNKNOWN,
    Requirement,
    Shape,
    Tensor,
    fits,
    shape_of,
    tensor_of,
    tensor_type,
    type_text,
)
from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of

from .bound_symbols import check_bound
from .computed_extents import outline
from .extent_names import UNNAMED, shown_names
from .extents_from_data import extents_from_data
from .needs import Needs
from .rewriting import Builder, functions, remove_unused, set_type
from .run_time_axes import (
    RunTimeAxes,
    argument_behind,
    keeps_axes,
    keeps_extents,
)


class InferFunction:
    """The pass on one function."""

    def __init__(
        self, function: func.FuncOp, block: Block, outside: AbstractSet[str] = frozenset()
    ) -> None:
        self.function = function
        self.outside = outside
        """Symbols of the function around that this one may be given."""
        self.block = block
        self.names = set[str]()
        self.axes = RunTimeAxes(self.fresh)
        self.needs = Needs(block, self.axes.sources)
        self.has_computed = False
        for op in block.ops:
            if isinstance(op, SymbolSource):
                self.axes.sources.append(op)

    def run(self) -> None:
        """Rewrite the function.  Raises InputError or UnsupportedError at what does not fit."""
        self.collect_names()
        self.take_outside()
        self.name_arguments()
        with shown_as(shown_names(self.function)):
            for op in list(self.block.ops):
                self.infer(op)
        self.needs.insert()
        if self.has_computed:
            remove_unused(self.block)
        self.drop_capacities()
        written = ((op, extents) for op, extents in self.extents() if op is not self.function)
        check_bound(self.block, self.axes.sources, written)
        inputs = [a.type for a in self.block.args]
        end = self.block.last_op
        outputs = [v.type for v in end.operands] if end is not None else []
        self.function.function_type = FunctionType.from_lists(inputs, outputs)

    def drop_capacities(self) -> None:
        """Leave out what a public function would be given for nothing."""
        if is_body(self.function) or not given_extents(self.function):
            return
        remove_unused(self.block)
        used = {name for _, extents in self.extents() for e in extents for name in e.symbols()}
        for op in list(self.axes.sources):
            if isinstance(op, GivenExtentsOp):
                kept = [name for name in op.defined if name in used]
                if not kept:
                    self.axes.sources.remove(op)
                    self.block.erase_op(op)
                elif len(kept) < len(op.defined):
                    op.properties["symbols"] = names_attr(kept)

    def fresh(self, prefix: str) -> str:
        """A symbol that nothing has yet: the prefix and the first free number."""
        name = next(n for n in (f"{prefix}{k}" for k in count()) if n not in self.names)
        self.names.add(name)
        return name

    def collect_names(self) -> None:
        """Every symbol in use; a loop dimension is none."""
        for op, extents in self.extents():
            for extent in extents:
                self.names |= extent.symbols()
                if extent.dims():
                    raise InputError(
                        f"extent {extent_text(extent)}: d0, d1, ... name loop dimensions, "
                        "use another name",
                        location_of(op),
                    )
        for source in self.axes.sources:
            self.names.update(source.defined)
        self.names.update(op.defined for op in data_extents(self.block))

    def take_outside(self) -> None:
        """State which symbols of the function around this one needs."""
        bound = set[str]().union(*(e.symbols() for a in self.block.args for e in shape_of(a.type)))
        needed = sorted((self.names & self.outside) - bound)
        first = self.block.first_op
        if needed and first is not None:
            self.axes.sources.append(given := GivenExtentsOp.of(needed))
            given.location = first.location
            self.block.insert_op_before(given, first)

    def extents(self) -> Iterator[tuple[Operation, Shape]]:
        """Every extent that is written anywhere, with the operation that it is written at."""
        for type in (*self.function.function_type.inputs, *self.function.function_type.outputs):
            yield self.function, _shape(type, self.function)
        for op in self.block.ops:
            if isinstance(op, OpcOp):
                yield op, shape_of(op.type)
            if isinstance(op, ControlOp):
                yield from ((op, shape_of(v.type)) for v in op.results)
            if isinstance(op, ScanOp):
                yield op, (op.count,)
            if isinstance(op, ExtentOp):
                yield op, (op.extent,)
            elif isinstance(op, SliceOp):
                params = op.values()
                yield op, (*params["starts"], *params["stops"])
            elif isinstance(op, RequireOp):
                yield op, op.sides.data
            elif isinstance(op, RequireRangeOp):
                yield op, op.bounds
            elif isinstance(op, DataExtentOp):
                yield op, (op.bound,)
            elif isinstance(op, SymbolSource):
                yield op, op.extents.data

    def name_arguments(self) -> None:
        """``tensor<?x4xf32> --> tensor<?x4xf32, #opc.dims<s0, 4>>``."""
        for arg in self.block.args:
            shape: list[ex.Expr] = []
            for extent in shape_of(arg.type):
                if extent.constant is not None or (extent.symbol() and extent != UNKNOWN):
                    shape.append(extent)
                    continue
                # Callers pass symbols only; what an expression promises is checked.
                name = ex.sym(self.fresh(UNNAMED))
                shape.append(name)
                if "?" not in extent.symbols():
                    what = f"argument {arg.index}: the extent is not {extent_text(extent)}"
                    self.needs.require(Requirement("equal", name, extent, what), self.function)
            set_type(arg, tensor_type(tensor_of(arg).element_type, shape))

    def infer(self, op: Operation) -> None:
        """Give one operation its type, and collect what must hold for it."""
        if isinstance(op, func.ReturnOp):
            self.check_results(op)
        elif isinstance(op, OpcOp | ControlOp):
            try:
                if isinstance(op, OpcOp):
                    self.infer_operator(op)
                else:
                    self.infer_control(op)
            except BudgetExceeded as error:
                raise UnsupportedError(f"{op.name}: {error}", location_of(op)) from None
            except VerifyException as e:
                message = str(e).removeprefix(f"{op.name}: ")
                raise InputError(f"{op.name}: {message}", location_of(op)) from None
        elif isinstance(op, ReadExtentsOp) and op.most is not None and is_body(self.function):
            self.find_extents_from_data(op, op.most.data)
        elif isinstance(op, DataExtentOp):
            self.check_capacity(op)
        elif isinstance(op, GivenExtentsOp):
            pass
        elif isinstance(op, SymbolSource) and is_body(self.function):
            text = f"{op.name} in a body of control flow; extents must be known outside of it"
            raise UnsupportedError(text, location_of(op))
        elif isinstance(op, ReadExtentsOp):
            self.read_argument(op)
        elif not isinstance(op, RequireOp | RequireRangeOp | SymbolSource):
            raise UnsupportedError(f"{op.name} is no operator of the opc dialect", location_of(op))

    def check_capacity(self, op: DataExtentOp) -> None:
        """InputError where a public function names a capacity that is not the bound."""
        if op.capacity is None or is_body(self.function):
            return
        name = op.capacity.data
        if name not in given_extents(self.function) or op.bound != ex.sym(name):
            text = (
                f"{op.name}: the bound {extent_text(op.bound)} is no capacity {name} "
                "of the function"
            )
            raise InputError(text, location_of(op))

    def read_argument(self, op: ReadExtentsOp) -> None:
        """Read the argument itself instead of a cast or reshape of it."""
        if any("?" in extent.symbols() for extent in op.extents.data):
            raise InputError(f"{op.name}: an extent after `of` is unknown", location_of(op))
        keeps = keeps_axes if op.rule.data in ("squeeze", "unsqueeze") else keeps_extents
        if op.callee is not None:
            return
        argument = argument_behind(op.values, keeps)
        if argument is None or any(e.constant is None for e in shape_of(argument.type)):
            number = self.axes.sources.index(op)
            try:
                before = {n for each in self.axes.sources[:number] for n in each.defined}
                made = outline(
                    op, self.block, lambda f: InferFunction(f, f.body.block, before).run()
                )
            except UnsupportedError:
                self.find_extents_from_data(op, op.most.data if op.most is not None else None)
                return
            self.axes.sources[number] = made
            self.has_computed = True
            return
        op.operands[0] = argument

    def find_extents_from_data(self, op: ReadExtentsOp, most: Shape | None) -> None:
        """Values become data-dependent extents where they are computed.

        Those that nothing bounds have capacities for bounds.
        """
        made, capacities = extents_from_data(op, most, self.fresh)
        self.axes.sources.remove(op)
        self.axes.sources[:0] = capacities
        self.block.insert_ops_before(made, op)
        self.block.erase_op(op)

    def infer_control(self, op: ControlOp) -> None:
        """The types of control flow, and what must hold for its bodies.

        Raises VerifyException where something does not fit.
        """
        for a, b in op.equal():
            self.needs.require(Requirement("equal", a, b, f"{op.name}: extents differ"), op)
        for body, binding in zip(op.bodies(), op.bindings(), strict=True):
            from_data = {each.defined for each in data_extents(body.body.block)}
            if given_extents(body):
                text = f"@{body.sym_name.data} is given extents, which no control flow has"
                raise VerifyException(text)
            if isinstance(op, IfOp):
                continue  # Only the body that is run must have what it requires.
            for need in body.body.block.ops:
                if isinstance(need, RequireOp) and not is_data_dependent(need, from_data):
                    left, right = map(binding.extent, need.sides.data)
                    what = need.message.data
                    stated = Requirement(need.relation.data, left, right, what)
                    self.needs.require(stated, op, is_written=True)
        for value, type in zip(op.results, op.infer_results(), strict=True):
            if not _agree(tensor_of(value), type):
                raise VerifyException(
                    f"result type is {type_text(type)}, declared {type_text(value.type)}"
                )
            check_size(type)
            self.require_equal(tensor_of(value), type, op.name, op)
            set_type(value, type)

    def infer_operator(self, op: OpcOp) -> None:
        """The type of one operator.  Raises VerifyException where operands do not fit."""
        types, params = op.tensor_types, op.values()
        inferred = op.infer(types, params)
        check_size(inferred)
        if isinstance(op, Reduction) and len(types) == 2:
            builder = Builder(op)
            value = self.axes.rewrite(op, builder)
            self.match(op.type, tensor_of(value), op)
            set_type(op.result, tensor_of(value))
            builder.replace(value)
            return
        if any("?" in extent.symbols() for extent in shape_of(inferred)):
            raise VerifyException(
                f"an extent of the result {type_text(inferred)} cannot be inferred"
            )
        self.match(op.type, inferred, op)
        for need in op.requirements(types, params):
            self.needs.require(need, op)
        set_type(op.result, inferred)

    def match(self, declared: Tensor, inferred: Tensor, op: OpcOp) -> None:
        """Check the type that was written for a result; a static extent may meet a symbolic one."""
        if not _agree(declared, inferred):
            raise VerifyException(
                f"result type is {type_text(inferred)}, declared {type_text(declared)}"
            )
        self.require_equal(declared, inferred, op.name, op)

    def require_equal(self, declared: Tensor, inferred: Tensor, what: str, op: Operation) -> None:
        """State that extents are those declared, where they are."""
        for a, b in zip(shape_of(inferred), shape_of(declared), strict=True):
            if "?" not in b.symbols():
                text = f"{what}: an extent differs from the declared one"
                self.needs.require(Requirement("equal", a, b, text), op)

    def check_results(self, end: func.ReturnOp) -> None:
        """Check what is returned against the type of the function."""
        declared = self.function.function_type.outputs
        if len(declared) != len(end.operands):
            raise InputError(
                f"func.return: {len(end.operands)} values, declared {len(declared)}",
                location_of(end),
            )
        for k, (value, type) in enumerate(zip(end.operands, declared, strict=True)):
            assert isinstance(type, TensorType)
            found, wanted = tensor_of(value), cast(Tensor, type)
            if not _agree(wanted, found):
                raise InputError(
                    f"func.func @{self.function.sym_name.data}: result {k} is {type_text(found)}, "
                    f"declared {type_text(wanted)}",
                    location_of(end),
                )
            self.require_equal(wanted, found, f"result {k}", end)
            self.check_data_extents(found, end)

    def check_data_extents(self, found: Tensor, end: func.ReturnOp) -> None:
        """UnsupportedError where a body gives a tensor whose extent only it knows."""
        if not is_body(self.function):
            return
        from_data = {op.defined for op in data_extents(self.block)}
        if any(e.symbols() & from_data for e in shape_of(found)):
            raise UnsupportedError(
                f"a body of control flow gives {type_text(found)}, whose extent it computes",
                location_of(end),
            )


def _agree(declared: Tensor, inferred: Tensor) -> bool:
    return declared.element_type == inferred.element_type and fits(
        shape_of(declared), shape_of(inferred)
    )


def is_body(function: func.FuncOp) -> bool:
    """Whether a function is a body of control flow."""
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def _shape(type: Attribute, function: func.FuncOp) -> Shape:
    if isinstance(type, TensorType):
        return shape_of(cast(Tensor, type))
    raise InputError(
        f"func.func @{function.sym_name.data}: expected ranked tensors, found {type_text(type)}",
        location_of(function),
    )


@dataclass(frozen=True)
class InferShapesPass(ModulePass):
    """Symbols for unknown extents, types for all values, requirements where extents meet."""

    name = "infer-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function, bodies of control flow before what needs them."""
        done = set[func.FuncOp]()
        for function, _ in list(functions(op)):
            try:
                needed = list(bodies_below(function))
            except VerifyException as e:
                raise InputError(str(e), location_of(function)) from None
            for each in (*needed, function):
                if each not in done:
                    done.add(each)
                    InferFunction(each, each.body.block).run()
