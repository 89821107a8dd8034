"""gcc 12 fuses products with sums in neighbouring elements; here they are rounded first.

**Fault.**  gcc 12 makes one instruction (``vfmaddsub``) of ``a * b + c`` and ``a * b - c`` in
neighbouring elements of a vector, whatever ``-ffp-contract`` says, also of elements that it writes
out itself.

**Reproducer.**  ``y[i] = x[i] * s[i] + c[i]`` where ``c`` is the constant ``{0.25f, -2.5f}``;
``tests/unit/emit/workarounds/test_products.py`` has more.

**Instead.**  The product is an argument of ``opc_rounded_f32``, which gcc leaves alone and which
costs no time.  A function that only adds to products or only subtracts, and in which no number
differs from element to element, needs none: gcc sees one sign.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import root
from opc.dialects.walking import walk
from opc.emit.ctext import Text, call, suffix

SUMS = ("add", "sub")
PRODUCTS = ("mul", "neg", "select")
"""Functions whose result may be a product, beside expensive ones, which may end with one."""


def to_be_rounded(block: Block) -> set[SSAValue]:
    """The products in sums, if neighbouring elements may have both signs."""
    inside = list(walk(block))
    stored = {
        root(op.target)
        for op in inside
        if isinstance(op, loop.StoreOp) and isinstance(root(op.target).owner, loop.LocalOp)
        if _may_be_product(op.value)
    }
    sums = [op for op in inside if isinstance(op, body.ApplyOp) and op.function.data in SUMS]
    sums = [op for op in sums if scalar_type(op.result).is_float]
    products = {
        value
        for op in sums
        for value in op.args
        if _may_be_product(value)
        or (isinstance(value.owner, loop.LoadOp) and root(value.owner.source) in stored)
    }
    differ = any(
        isinstance(op, body.IndexOp)
        or (isinstance(op, loop.LoadOp) and isinstance(root(op.source).owner, loop.ConstantOp))
        for op in inside
    )
    signs = {sign for op in sums if products.intersection(op.args) for sign in _signs(op)}
    return products if differ or len(signs) > 1 else set()


def rounded(value: SSAValue, text: Text) -> Text:
    """A product that is rounded before it is added."""
    return call(f"opc_rounded_{suffix(scalar_type(value))}", [text])


def _may_be_product(value: SSAValue) -> bool:
    op = value.owner
    return isinstance(op, body.ApplyOp) and (op.function.data in PRODUCTS or op.is_expensive)


def _signs(op: body.ApplyOp) -> Iterator[bool]:
    """The signs that a sum may give a product; True is minus."""
    is_less = op.function.data == "sub"
    for value in op.args:
        operand = value.owner
        is_negative = isinstance(operand, body.ConstantOp) and operand.number < 0
        yield is_less
        if is_negative or (isinstance(operand, body.ApplyOp) and operand.function.data == "neg"):
            yield not is_less
