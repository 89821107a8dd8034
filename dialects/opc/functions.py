"""Look-up of functions in a module, and private functions for bodies."""

from __future__ import annotations

from itertools import count
from weakref import WeakKeyDictionary, ref

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region

from opc.dialects.walking import walk


def module_of(op: Operation) -> ModuleOp | None:
    """The module around an operation."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ModuleOp):
        parent = parent.parent_op()
    return parent


_BY_NAME: WeakKeyDictionary[ModuleOp, dict[str, ref[FuncOp]]] = WeakKeyDictionary()
"""The functions of modules by name, at the last look-up."""


def function_named(op: Operation, name: str) -> FuncOp | None:
    """The function of that name in the module around an operation."""
    module = module_of(op)
    if module is None:
        return None
    known = _BY_NAME.setdefault(module, {})
    function = known[name]() if name in known else None
    if function is None or function.parent is not module.body.block or _name(function) != name:
        # A search for each name would take quadratic time.
        functions = [f for f in module.body.block.ops if isinstance(f, FuncOp)]
        known.clear()
        known.update({_name(f): ref(f) for f in reversed(functions)})
        function = known[name]() if name in known else None
    return function


def _name(function: FuncOp) -> str:
    return function.sym_name.data


def add_body(at: Operation, stem: str, block: Block) -> str:
    """Make a block a private function of the module around an operation; returns its name."""
    module = at.get_toplevel_object()
    assert isinstance(module, ModuleOp)
    taken = {f.sym_name.data for f in module.body.block.ops if isinstance(f, FuncOp)}
    name = next(n for n in (f"{stem}{k}" for k in count()) if n not in taken)
    end = block.last_op
    assert isinstance(end, ReturnOp)
    types = ([a.type for a in block.args], [v.type for v in end.operands])
    body = FuncOp(name, types, Region(block), visibility="private")
    for op in walk(body):
        op.location = at.location
    module.body.block.add_op(body)
    return name
