"""Elementwise operators that are not exact, each compiled alone.

Their bits are the same wherever they stand, so the oracle takes them from here, after comparing
them with the interpreter.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import PowOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.unary import Conversion
from opc.dialects.shape import tensor_of
from opc.interpret.tolerance import is_exact
from tests.unit.common.elementwise_cases import cases
from tests.unit.common.graphs import graph, tensor

from .build import Build, Program, link, program
from .graph import Array

ROOTS = (1.0, 2.0, 3.0, -1.0, 0.5, -0.5)
"""Exponents that have a form of their own where they are constants: docs/numerics.md."""
BUILD = Build("gcc -O0", ("gcc", "-O0"))
Key = tuple[Any, ...]


def key(op: type[OpcOp], params: dict[str, Any], type: ElementType, exponent: float | None) -> Key:
    return (op.name, tuple(sorted(params.items())), type.name, exponent)


@cache
def _texts() -> dict[Key, str]:
    found: dict[Key, str] = {}
    for type in sorted(el.FLOAT, key=str):
        for case in cases(type):
            params = filled(case.op, case.params)
            if (
                not type.is_float
                or issubclass(case.op, Conversion)
                or is_exact(case.op.name, params)
            ):
                continue
            inputs = [tensor(type, "N")] * len(set(case.operands))
            place = key(case.op, params, type, None)
            found[place] = graph(inputs, lambda emit, *args, c=case: [c.emit(emit, list(args))])
        for exponent in ROOTS:

            def power(emit: Any, x: Any, e: float = exponent, t: ElementType = type) -> Any:
                return [emit(PowOp(x, emit(ConstantOp.of(np.asarray(e), t))))]

            found[key(PowOp, {}, type, exponent)] = graph([tensor(type, "N")], power)
    return found


def filled(op: type[OpcOp], params: dict[str, Any]) -> dict[str, Any]:
    """All attributes, for those that are given."""
    return {p.name: p.default for p in op.params} | params


@cache
def library() -> tuple[dict[Key, Program], ctypes.CDLL]:
    """All of them in one library."""
    programs = {k: program(text, f"f{n}") for n, (k, text) in enumerate(_texts().items())}
    return programs, link(list(programs.values()), BUILD, kept=True)


@cache
def _alone(place: Key) -> tuple[Program, ctypes.CDLL]:
    made = program(_texts()[place], "f")
    return made, link([made], BUILD, kept=True)


def _compiled(place: Key) -> tuple[Program, ctypes.CDLL]:
    """One of them: of the library of all if that is there, else of a library of its own."""
    if not library.cache_info().currsize:
        return _alone(place)
    programs, code = library()
    return programs[place], code


def unary(name: str, x: Array) -> Array:
    """What compiled code gives for a function of one f32 or f64, without attributes."""
    type = "f64" if x.dtype == np.float64 else "f32"
    made, code = _compiled((name, (), type, None))
    (result,) = made.call(code, [np.ascontiguousarray(x).reshape(-1)])
    return result.reshape(x.shape)


def apply(
    op: OpcOp, arrays: Sequence[Array], shape: tuple[int, ...], exponent: float | None
) -> Array:
    """What compiled code gives for an operator, on arrays that broadcast to a shape."""
    params = op.values()
    type = el.element_of(tensor_of(op.operands[0]).element_type)
    assert type is not None
    if exponent not in ROOTS:
        exponent = None
    used = arrays[:1] if exponent is not None else arrays
    flat = [np.ascontiguousarray(np.broadcast_to(a, shape)).reshape(-1) for a in used]
    made, code = _compiled(key(op.__class__, params, type, exponent))
    (result,) = made.call(code, flat)
    return result.reshape(shape)
