"""Lower equal nests once, and copy their loops over other buffers.

::

    nest (%x) -> %y; nest (%u) -> %v    -->    loops over %x and %y, and a copy over %u and %v

Layers of a network are equal nests.  Two nests are equal if their operations are, schedule
included, and if the buffers outside of them agree in all that lowerings read of them: types,
whether they are constants, and which of them are the same memory.  Writing loops takes some times
as long as copying them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from opc.dialects import kernel, loop
from opc.dialects.buffer import element_in, root
from opc.dialects.walking import walk


@dataclass(frozen=True)
class Form:
    """What the loops of a nest depend on; forms of equal nests are equal."""

    key: tuple[Hashable, ...]
    outside: tuple[SSAValue, ...] = field(compare=False)
    """The values outside of the nest that its loops use."""

    def using(self, buffers: Iterable[SSAValue], *facts: Hashable) -> Form:
        """The same with more values outside, and more facts."""
        outside = (*self.outside, *buffers)
        return Form((*self.key, *facts, *_roles(outside)), outside)


def form_of(nest: kernel.NestOp, *facts: Hashable) -> Form:
    """The form of a scheduled nest; ``facts`` are those that its loops depend on besides."""
    inside: dict[SSAValue, int] = {}
    outside: dict[SSAValue, int] = {}
    items: list[Hashable] = [*facts]

    def visit(op: Operation) -> None:
        items.append(type(op))
        for name, attribute in (*op.properties.items(), *op.attributes.items()):
            items.extend((name, _exact(attribute)))
        for value in op.operands:
            number = inside.get(value)
            items.append(-1 - outside.setdefault(value, len(outside)) if number is None else number)
        for result in op.results:
            items.append(result.type)
            inside[result] = len(inside)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    items.append(argument.type)
                    inside[argument] = len(inside)
                for inner in block.ops:
                    visit(inner)
                items.append(None)

    visit(nest)
    return Form((*items, *_roles(tuple(outside))), tuple(outside))


def _exact(attribute: Attribute) -> Hashable:
    """An attribute; of floats their text, by which 0 and -0 differ and a NaN equals itself."""
    if isinstance(attribute, FloatAttr):
        return repr(attribute.value.data), str(cast("FloatAttr[Any]", attribute).type)
    return attribute


def _roles(values: Sequence[SSAValue]) -> list[Hashable]:
    """What lowerings read of values outside; of integer constants also what they are."""
    sources = [root(value) for value in values]
    roles: list[Hashable] = []
    for value, source in zip(values, sources, strict=True):
        is_constant = isinstance(source.owner, loop.ConstantOp)
        same = source if is_constant and element_in(source).is_integer else sources.index(source)
        roles += (value.type, type(value.owner), is_constant, same)
    return roles


class EqualNests:
    """The loops of the nests of one function so far."""

    def __init__(self) -> None:
        self._known: dict[Form, tuple[Sequence[SSAValue], Sequence[Operation]]] = {}
        """By form the values outside of the first nest, and its loops."""

    def loops(self, form: Form, write: Callable[[Block], None]) -> Block:
        """The loops of a nest: what ``write`` adds to a block, or a copy of an equal nest's."""
        if form in self._known:
            outside, ops = self._known[form]
            values = dict(zip(outside, form.outside, strict=True))
            return Block([op.clone(values) for op in ops])
        write(block := Block())
        ops = list(block.ops)
        if _uses_only(ops, form.outside):
            self._known[form] = form.outside, ops
        return block


def _uses_only(ops: Sequence[Operation], outside: Sequence[SSAValue]) -> bool:
    """Whether operations use no values but some from outside and their own."""
    own = set(outside)
    for op in (inner for top in ops for inner in walk(top)):
        if not own.issuperset(op.operands):
            return False
        own.update(op.results, *(block.args for region in op.regions for block in region.blocks))
    return True
