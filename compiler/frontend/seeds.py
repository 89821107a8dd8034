"""The seed of a function that draws random numbers: an input more, the last one."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, SSAValue

from opc.dialects import element as el
from opc.dialects.named import INPUT_NAMES
from opc.dialects.shape import tensor_type
from opc.errors import UnsupportedError
from opc.frontend.models.random import Stream

SEED = "seed"
"""By this name callers know the input, see ``opc.support.interface``."""


class Streams:
    """Gives each node of a function that asks for it random numbers of its own."""

    def __init__(self, function: FuncOp, block: Block) -> None:
        self.function = function
        self.block = block
        self.seed: SSAValue | None = None
        self.count = 0

    def next(self, seed: SSAValue | None = None) -> Stream:
        """The next stream, of a seed or of that which the caller gives.

        Raises UnsupportedError in a body of control flow, which knows no other number in its next
        iteration.
        """
        if seed is None:
            self.seed = seed = self.seed or self._added()
        self.count += 1
        return Stream(seed, self.count - 1)

    def _added(self) -> SSAValue:
        if self.function.sym_visibility is not None:
            raise UnsupportedError("random numbers without a seed, in a body of control flow")
        given = self.function.attributes.get(INPUT_NAMES)
        names: list[Attribute] = []
        if isinstance(given, ArrayAttr):
            names += cast("ArrayAttr[Attribute]", given)
        if StringAttr(SEED) in names:
            raise UnsupportedError(f"random numbers beside an input that is named {SEED}")
        self.function.attributes[INPUT_NAMES] = ArrayAttr([*names, StringAttr(SEED)])
        seed = self.block.insert_arg(tensor_type(el.BY_NAME["ui64"], ()), len(self.block.args))
        seed.name_hint = SEED
        return seed
