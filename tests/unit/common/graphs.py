"""Graphs built from operator classes, the oracle's answer to them, and two ways to run them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue

from opc.dialects.element import ElementType
from opc.dialects.expr import Expr, sym
from opc.dialects.opc.base import OpcOp
from opc.dialects.registry import context, resolve
from opc.dialects.shape import Tensor, tensor_type
from opc.frontend.mlir.reader import parse_module
from opc.interpret.graph import evaluate
from opc.passes.registry import PASSES

Arrays: TypeAlias = "list[np.ndarray]"
Emit: TypeAlias = "Callable[[OpcOp], SSAValue]"
Runner: TypeAlias = "Callable[[str], Callable[..., Arrays]]"


def tensor(type: ElementType, *shape: int | str | Expr) -> Tensor:
    """A tensor type; a name is a symbolic extent, ``?`` an unknown one."""
    return tensor_type(type, [sym(e) if isinstance(e, str) else e for e in shape])


def graph(inputs: Sequence[Tensor], body: Callable[..., Sequence[SSAValue]]) -> str:
    """The text of a function; ``body(emit, *arguments)`` gives its results."""
    block = Block(arg_types=inputs)

    def emit(op: OpcOp) -> SSAValue:
        block.add_op(op)
        return op.result

    results = body(emit, *block.args)
    block.add_op(func.ReturnOp(*results))
    signature = (list(inputs), [r.type for r in results])
    return str(ModuleOp([func.FuncOp("main", signature, Region(block))]))


def parse(text: str) -> ModuleOp:
    # Not xDSL's own parser: that reads the bits of a NaN in a list of elements as a number.
    module = parse_module(text)
    module.verify()
    return module


def _main(module: ModuleOp) -> func.FuncOp:
    return next(op for op in module.ops if isinstance(op, func.FuncOp))


def oracle(text: str, inputs: Sequence[np.ndarray]) -> Arrays:
    """What the function gives as it is written."""
    return evaluate(_main(_parsed(text)), inputs)


_parsed = cache(parse)


@cache
def normal_form(text: str) -> Callable[..., Arrays]:
    """Interpret the function after the passes that bring it to normal form."""
    module = parse(text)
    ctx = context()
    for name in list(PASSES)[: list(PASSES).index("form-kernels")]:
        resolve(PASSES[name])().apply(ctx, module)
        module.verify()
    return lambda *inputs: evaluate(_main(module), inputs)


@cache
def compiled(text: str) -> Callable[..., Arrays]:
    """Compile the function through C."""
    import opc

    function = opc.compile(text)

    def call(*inputs: np.ndarray) -> Arrays:
        result: Any = function(*inputs)
        return list(result) if isinstance(result, tuple) else [result]

    return call


RUNNERS: dict[str, Runner] = {"normal form": normal_form, "compiled": compiled}
