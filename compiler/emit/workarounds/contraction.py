"""Products that are added to something, rounded first: gcc 12 may round both at once.

It makes one instruction of ``a * b + c`` and ``a * b - c`` in neighbouring elements of a vector
(``vfmaddsub``), whatever ``-ffp-contract`` says: from ``x[i] * s[i] + {0.25f, -2.5f}[i]``, where it
writes all elements out, too.  A product within ``opc_rounded_f32`` it leaves as it is, and nothing
takes longer.  Products stand as they are in functions that only add to them or only subtract, and
in which no numbers differ from element to element: gcc sees one sign there.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import root
from opc.emit.ctext import Text, call, suffix

SUMS = ("add", "sub")
PRODUCTS = ("mul", "neg", "select")
"""Functions of one instruction whose result may be a product; what takes many may end with one."""


def to_be_rounded(block: Block) -> set[SSAValue]:
    """The products that are added, if there may be both signs in neighbouring elements."""
    inside = list(block.walk())
    kept = {
        root(op.target)
        for op in inside
        if isinstance(op, loop.StoreOp) and isinstance(root(op.target).owner, loop.LocalOp)
        if _may_be_product(op.value)
    }
    sums = [op for op in inside if isinstance(op, body.ApplyOp) and op.function.data in SUMS]
    sums = [op for op in sums if scalar_type(op.result).is_float]
    found = {
        value
        for op in sums
        for value in op.args
        if _may_be_product(value)
        or (isinstance(value.owner, loop.LoadOp) and root(value.owner.source) in kept)
    }
    differ = any(
        isinstance(op, body.IndexOp)
        or (isinstance(op, loop.LoadOp) and isinstance(root(op.source).owner, loop.ConstantOp))
        for op in inside
    )
    signs = {sign for op in sums if found.intersection(op.args) for sign in _signs(op)}
    return found if differ or len(signs) > 1 else set()


def rounded(value: SSAValue, text: Text) -> Text:
    """A product that is rounded before it is added."""
    return call(f"opc_rounded_{suffix(scalar_type(value))}", [text])


def _may_be_product(value: SSAValue) -> bool:
    op = value.owner
    return isinstance(op, body.ApplyOp) and (op.function.data in PRODUCTS or op.is_expensive)


def _signs(op: body.ApplyOp) -> Iterator[bool]:
    """With which signs something may be added to a product."""
    is_less = op.function.data == "sub"
    for value in op.args:
        by = value.owner
        is_negative = isinstance(by, body.ConstantOp) and by.number < 0
        yield is_less
        if is_negative or (isinstance(by, body.ApplyOp) and by.function.data == "neg"):
            yield not is_less
