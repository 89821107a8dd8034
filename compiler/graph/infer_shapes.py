"""Names unknown extents, infers types, and states the requirements of extents.

Unknown extents of arguments become symbols; all other extents follow from them::

    func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) {
      %z = opc.add %x, %y : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>

    --> func.func @f(%x: tensor<?x4xf32, #opc.dims<s0, 4>>, %y: ... <s1, 4>) {
          opc.require broadcast<s0, s1> "opc.add: extents do not broadcast"
          %z = opc.add %x, %y : ... -> tensor<?x4xf32, #opc.dims<bcast(s0, s1), 4>>

An extent of an argument that has to be a number is that number, everywhere (known_extents.py).
Donated inputs that grow get room for it (donated_rooms.py).
Axes of reductions that are operands become attributes or extents (run_time_axes.py).  Operations
that define symbols read an argument and move to the start of the function.  Data-dependent extents
(``opc.data_extent``) stay, followed by their requirements.  Running the pass again changes nothing.
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
from opc.dialects.opc.control import ControlOp, IfOp, bodies_below
from opc.dialects.opc.data_extent import (
    DataExtentOp,
    RequireRangeOp,
    data_extents,
    is_data_dependent,
)
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.parts import SliceOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.scan import ScanOp
from opc.dialects.opc.symbols import (
    GivenExtentsOp,
    RequireOp,
    SymbolSource,
    given_extents,
    names_attr,
)
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
from .donated_rooms import give_room
from .extent_names import UNNAMED, shown_names
from .extents_from_data import extents_from_data
from .known_extents import stated, substitute
from .needs import Needs
from .rewriting import Builder, functions, remove_unused, set_type
from .run_time_axes import (
    RunTimeAxes,
    argument_behind,
    keeps_axes,
    keeps_extents,
)


class InferFunction:
    """Infers the types of one function."""

    def __init__(
        self, function: func.FuncOp, block: Block, outside: AbstractSet[str] = frozenset()
    ) -> None:
        self.function = function
        self.outside = outside
        """Symbols of the enclosing function that this one may be given."""
        self.block = block
        self.names = set[str]()
        self.axes = RunTimeAxes(self.fresh)
        self.needs = Needs(block, self.axes.sources)
        self.has_computed = False
        for op in block.ops:
            if isinstance(op, SymbolSource):
                self.axes.sources.append(op)

    def run(self) -> None:
        """Rewrite the function.  Raises InputError or UnsupportedError."""
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
        """Drop the capacities of a public function that it does not use."""
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
        """A new symbol: the prefix and the first free number."""
        name = next(n for n in (f"{prefix}{k}" for k in count()) if n not in self.names)
        self.names.add(name)
        return name

    def collect_names(self) -> None:
        """Collect all symbols; InputError for a loop dimension."""
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
        """Insert ``opc.given_extents`` for the symbols of the enclosing function that are used."""
        bound = set[str]().union(*(e.symbols() for a in self.block.args for e in shape_of(a.type)))
        needed = sorted((self.names & self.outside) - bound)
        first = self.block.first_op
        if needed and first is not None:
            self.axes.sources.append(source := GivenExtentsOp.of(needed))
            source.location = first.location
            self.block.insert_op_before(source, first)

    def extents(self) -> Iterator[tuple[Operation, Shape]]:
        """All extents that operations mention, with the operation."""
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
                # Callers pass symbols only; that they equal the declared expression is checked.
                name = ex.sym(self.fresh(UNNAMED))
                shape.append(name)
                if "?" not in extent.symbols():
                    message = f"argument {arg.index}: the extent is not {extent_text(extent)}"
                    self.needs.require(Requirement("equal", name, extent, message), self.function)
            set_type(arg, tensor_type(tensor_of(arg).element_type, shape))

    def infer(self, op: Operation) -> None:
        """Set the result types of an operation, and collect its requirements."""
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
            text = f"{op.name} in a body of control flow; expected extents that are defined outside"
            raise UnsupportedError(text, location_of(op))
        elif isinstance(op, ReadExtentsOp):
            self.read_argument(op)
        elif not isinstance(op, RequireOp | RequireRangeOp | SymbolSource):
            raise UnsupportedError(
                f"{op.name} is not an operator of the opc dialect", location_of(op)
            )

    def check_capacity(self, op: DataExtentOp) -> None:
        """InputError where a public function has a capacity that is not the upper bound."""
        if op.capacity is None or is_body(self.function):
            return
        name = op.capacity.data
        if name not in given_extents(self.function) or op.bound != ex.sym(name):
            bound = extent_text(op.bound)
            expected = f"expected {name}, and that in opc.given_extents"
            raise InputError(f"{op.name}: the upper bound is {bound}, {expected}", location_of(op))

    def read_argument(self, op: ReadExtentsOp) -> None:
        """Read the argument instead of a cast or reshape of it; outline computed values."""
        if any("?" in extent.symbols() for extent in op.extents.data):
            raise InputError(f"{op.name}: an extent after `of` is unknown", location_of(op))
        keeps = keeps_axes if op.rule.data in ("squeeze", "unsqueeze") else keeps_extents
        if op.callee is not None:
            return
        argument = argument_behind(op.values, keeps)
        if argument is None or any(e.constant is None for e in shape_of(argument.type)):
            number = self.axes.sources.index(op)
            try:
                before = {n for source in self.axes.sources[:number] for n in source.defined}
                outlined = outline(
                    op, self.block, lambda f: InferFunction(f, f.body.block, before).run()
                )
            except UnsupportedError:
                self.find_extents_from_data(op, op.most.data if op.most is not None else None)
                return
            self.axes.sources[number] = outlined
            self.has_computed = True
            return
        op.operands[0] = argument

    def find_extents_from_data(self, op: ReadExtentsOp, most: Shape | None) -> None:
        """Define data-dependent extents with upper bounds where the values are computed."""
        definitions, capacities = extents_from_data(op, most, self.fresh)
        self.axes.sources.remove(op)
        self.axes.sources[:0] = capacities
        self.block.insert_ops_before(definitions, op)
        self.block.erase_op(op)

    def infer_control(self, op: ControlOp) -> None:
        """Set the types of control flow, and require what its bodies require.

        Raises VerifyException where types do not fit.
        """
        for a, b in op.equal():
            self.needs.require(Requirement("equal", a, b, f"{op.name}: extents differ"), op)
        for body, binding in zip(op.bodies(), op.bindings(), strict=True):
            from_data = {extent.defined for extent in data_extents(body.body.block)}
            if given_extents(body):
                text = (
                    f"@{body.sym_name.data} takes opc.given_extents, which control flow cannot give"
                )
                raise VerifyException(text)
            if isinstance(op, IfOp):
                continue  # Requirements hold only for the branch that runs.
            for need in body.body.block.ops:
                if isinstance(need, RequireOp) and not is_data_dependent(need, from_data):
                    left, right = map(binding.extent, need.sides.data)
                    stated = Requirement(need.relation.data, left, right, need.message.data)
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
        """Set the type of an operator.  Raises VerifyException where operands do not fit."""
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
        """Check the declared type of a result; a static extent may meet a symbolic one."""
        if not _agree(declared, inferred):
            raise VerifyException(
                f"result type is {type_text(inferred)}, declared {type_text(declared)}"
            )
        self.require_equal(declared, inferred, op.name, op)

    def require_equal(self, declared: Tensor, inferred: Tensor, name: str, op: Operation) -> None:
        """Require extents to equal the declared ones."""
        for a, b in zip(shape_of(inferred), shape_of(declared), strict=True):
            if "?" not in b.symbols():
                text = f"{name}: an extent differs from the declared one"
                self.needs.require(Requirement("equal", a, b, text), op)

    def check_results(self, end: func.ReturnOp) -> None:
        """Check returned values against the type of the function."""
        declared = self.function.function_type.outputs
        if len(declared) != len(end.operands):
            raise InputError(
                f"func.return: {len(end.operands)} values, declared {len(declared)}",
                location_of(end),
            )
        for k, (value, type) in enumerate(zip(end.operands, declared, strict=True)):
            assert isinstance(type, TensorType)
            returned, expected = tensor_of(value), cast(Tensor, type)
            if not _agree(expected, returned):
                raise InputError(
                    f"func.func @{self.function.sym_name.data}: result {k} is "
                    f"{type_text(returned)}, declared {type_text(expected)}",
                    location_of(end),
                )
            self.require_equal(expected, returned, f"result {k}", end)
            self.check_data_extents(returned, end)

    def check_data_extents(self, returned: Tensor, end: func.ReturnOp) -> None:
        """UnsupportedError where a body returns a tensor of an extent that it computes."""
        if not is_body(self.function):
            return
        from_data = {op.defined for op in data_extents(self.block)}
        if any(e.symbols() & from_data for e in shape_of(returned)):
            raise UnsupportedError(
                f"a body of control flow returns {type_text(returned)}, whose extent it computes",
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


def infer(function: func.FuncOp) -> None:
    """Infer the types of a function, until it states no more extents of its arguments."""
    written = {op for op in function.body.block.ops if isinstance(op, RequireOp)}
    InferFunction(function, function.body.block).run()
    while not is_body(function) and (known := stated(function, written)):
        substitute(function, known)
        InferFunction(function, function.body.block).run()
    if not is_body(function) and give_room(function):
        InferFunction(function, function.body.block).run()


@dataclass(frozen=True)
class InferShapesPass(ModulePass):
    """tensor<?x4xf32>  -->  tensor<?x4xf32, #opc.dims<s0, 4>>, with requirements."""

    name = "infer-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function, bodies of control flow before their callers."""
        done = set[func.FuncOp]()
        for function, _ in list(functions(op)):
            try:
                bodies = list(bodies_below(function))
            except VerifyException as e:
                raise InputError(str(e), location_of(function)) from None
            for body in (*bodies, function):
                if body not in done:
                    done.add(body)
                    infer(body)
