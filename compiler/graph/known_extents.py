"""Symbols that are replaced by numbers, everywhere in a function.

A graph often says what an unknown extent is::

    %y = opc.matmul %x, %w : tensor<?x?xf32, #opc.dims<N, K>>, tensor<64x32xf32>   // so K is 64
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from opc.dialects import expr as ex
from opc.dialects.named import EXTENT_NAMES
from opc.dialects.opc.control import bodies_below
from opc.dialects.opc.parts import SliceOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import RequireOp, given_extents
from opc.dialects.shape import ExprsData, Tensor, shape_of, tensor_type
from opc.dialects.walking import walk

from .extent_names import extent_names
from .rewriting import set_type


def stated(function: FuncOp, written: Collection[Operation]) -> dict[str, ex.Expr]:
    """The extents of arguments that operators need to be numbers, by symbol.

    What ``written`` requires, as of a branch, is said in its own words when it is called.
    """
    own = {e.symbol() for arg in function.args for e in shape_of(arg.type)}
    symbols: dict[str, ex.Expr] = {}
    for op in function.body.block.ops:
        if isinstance(op, RequireOp) and op.relation.data == "equal" and op not in written:
            for side, other in (op.sides.data, op.sides.data[::-1]):
                if (name := side.symbol()) in own and name and other.constant is not None:
                    symbols.setdefault(name, other)
    taken = {name for body in bodies_below(function) for name in given_extents(body)}
    for op in function.body.block.ops:
        if isinstance(op, ReadExtentsOp) and op.body is not None:
            taken |= {n for arg in op.body.args for e in shape_of(arg.type) for n in e.symbols()}
    return {name: extent for name, extent in symbols.items() if name not in taken}


def substitute(function: FuncOp, symbols: Mapping[str, ex.Expr]) -> None:
    """Replace symbols by their values everywhere."""
    for op in walk(function):
        if isinstance(op, SliceOp):
            # Before the type of the sliced value changes.
            _from_the_end(op)
    for op in list(walk(function)):
        for region in op.regions:
            for block in region.blocks:
                for arg in block.args:
                    set_type(arg, cast(Tensor, _fixed(arg.type, symbols)))
        for result in op.results:
            set_type(result, cast(Tensor, _fixed(result.type, symbols)))
        for attributes in (op.attributes, op.properties):
            attributes.update({k: _fixed(v, symbols) for k, v in attributes.items()})
        if isinstance(op, RequireOp) and op.requirement.decided() and op.parent is not None:
            op.parent.erase_op(op)
    outputs = [_fixed(type, symbols) for type in function.function_type.outputs]
    inputs = [arg.type for arg in function.args]
    function.function_type = FunctionType.from_lists(inputs, outputs)
    if names := extent_names(function):
        rest = {k: StringAttr(v) for k, v in names.items() if k not in symbols}
        function.attributes[EXTENT_NAMES] = DictionaryAttr(rest)


def _from_the_end(op: SliceOp) -> None:
    """``#opc.dims<N - 8>`` of an extent N ``--> [-8]``, relative to the end for any N."""
    shape, places = shape_of(op.operands[0].type), op.values()
    for name in ("starts", "stops"):
        behind = [(e - n).constant for e, n in zip(places[name], shape, strict=True)]
        fixed = [
            ex.const(k) if k is not None and k < 0 and e.constant is None else e
            for e, k in zip(places[name], behind, strict=True)
        ]
        if tuple(fixed) != tuple(places[name]):
            param = next(p for p in op.params if p.name == name)
            op.properties[name] = param.encode(fixed)


def _fixed(attr: Attribute, symbols: Mapping[str, ex.Expr]) -> Attribute:
    """An attribute or type with symbols replaced by their values."""
    if isinstance(attr, TensorType):
        tensor = cast(Tensor, attr)
        shape = tuple(e.substitute(symbols) for e in shape_of(tensor))
        return tensor if shape == shape_of(tensor) else tensor_type(tensor.element_type, shape)
    if isinstance(attr, ExprsData):
        return type(attr)(tuple(e.substitute(symbols) for e in attr.data))
    if isinstance(attr, ArrayAttr):
        return ArrayAttr([_fixed(a, symbols) for a in cast("ArrayAttr[Attribute]", attr)])
    if isinstance(attr, DictionaryAttr):
        return DictionaryAttr({k: _fixed(v, symbols) for k, v in attr.data.items()})
    return attr
