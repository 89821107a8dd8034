"""Every operation inside of another, without the nested generators of xDSL's ``walk``."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region


def walk(root: Operation | Region | Block) -> Iterator[Operation]:
    """The operations of ``root``, itself the first if it is one, and those in their regions.

    As with xDSL's ``walk``, an operation that was yielded may be erased or get other regions.
    """
    waiting: list[Operation] = []
    if isinstance(root, Operation):
        yield root
        _wait(waiting, root.regions)
    elif isinstance(root, Region):
        _wait(waiting, (root,))
    elif root.first_op is not None:
        waiting.append(root.first_op)
    while waiting:
        op = waiting.pop()
        if (behind := op.next_op) is not None:
            waiting.append(behind)
        yield op
        if op.regions:
            _wait(waiting, op.regions)


def _wait(waiting: list[Operation], regions: tuple[Region, ...]) -> None:
    """Add the first operation of each block, the last block first."""
    for region in reversed(regions):
        block = region.last_block
        while block is not None:
            if block.first_op is not None:
                waiting.append(block.first_op)
            block = block.prev_block
