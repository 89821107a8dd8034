"""The seed of a function with random numbers: an additional, last input."""

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
"""The name of the input, see ``opc.support.interface``."""


class Streams:
    """Numbers the streams of random numbers of a function's nodes."""

    def __init__(self, function: FuncOp, block: Block) -> None:
        self.function = function
        self.block = block
        self.seed: SSAValue | None = None
        self.count = 0

    def next(self, seed: SSAValue | None = None) -> Stream:
        """The next stream, with ``seed`` or the caller's seed.

        Raises UnsupportedError in a body of control flow, whose iterations would repeat it.
        """
        if seed is None:
            self.seed = seed = self.seed or self._added()
        self.count += 1
        return Stream(seed, self.count - 1)

    def _added(self) -> SSAValue:
        if self.function.sym_visibility is not None:
            raise UnsupportedError("random numbers without a seed, in a body of control flow")
        existing = self.function.attributes.get(INPUT_NAMES)
        names: list[Attribute] = []
        if isinstance(existing, ArrayAttr):
            names += cast("ArrayAttr[Attribute]", existing)
        if StringAttr(SEED) in names:
            raise UnsupportedError(f"random numbers beside an input that is named {SEED}")
        self.function.attributes[INPUT_NAMES] = ArrayAttr([*names, StringAttr(SEED)])
        seed = self.block.insert_arg(tensor_type(el.BY_NAME["ui64"], ()), len(self.block.args))
        seed.name_hint = SEED
        return seed
