"""What a schedule of a contraction may be: every point once, every chain in its order.

A schedule that is legal gives the bits of the order, whatever its loops; one that is not is an
error that names the loop and what it breaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from xdsl.ir import Operation

from opc.dialects.order import BLOCK
from opc.dialects.schedule import ROTATING, ForOp, PackOp, PadOp, RunOp, TreeOp
from opc.dialects.schedule_nests import axis_text
from opc.support.target import WIDEST

from .contraction import Contraction, Operand
from .groups import factor_types, lies_in_groups
from .nest_trees import fail, versions_of
from .rotating import rotation_of
from .tiles import peeled


def _path(op: Operation) -> list[ForOp]:
    """The loops around, outermost first."""
    found: list[ForOp] = []
    parent = op.parent_op()
    while isinstance(parent, ForOp):
        found.append(parent)
        parent = parent.parent_op()
    return found[::-1]


def _stages(tree: TreeOp) -> Iterator[RunOp]:
    return (op for op in tree.walk() if isinstance(op, RunOp))


def check(c: Contraction, tree: TreeOp) -> None:
    """Raise InputError unless each version of a schedule is legal for a contraction, or for its
    rows as columns.
    """
    for version in versions_of(tree):
        _check_version(c.as_in(version), version)


def _check_version(c: Contraction, tree: TreeOp) -> None:
    stages = {op.stage.data: op for op in _stages(tree)}
    wanted = ["init", "step", "finish", "out"]
    length = c.length.constant
    if tree.group > 1:
        _check_groups(c, tree)
    elif length is None or length > BLOCK:
        # schedule_c1: a chain has at most BLOCK products.
        wanted.insert(0, "start")
    if "apply" in stages:
        wanted.insert(-1, "apply")
    if [op.stage.data for op in _stages(tree)] != wanted:
        raise fail(f"found stages {', '.join(stages)}, expected {', '.join(wanted)} once each")
    known = {a for a in (*c.outer, c.row, c.column, *c.reduced, c.chain) if a}
    for op in tree.walk():
        # schedule_c13: there is nothing else than loops, stages and what is laid out.
        if op is not tree and not isinstance(op, ForOp | RunOp | PackOp | PadOp):
            raise fail(f"found {op.name}, expected loops, stages, packs and pads", op)
        # schedule_c2: loops run over the axes of the nest.
        if isinstance(op, ForOp) and op.axis not in known:
            raise fail(
                f"{axis_text(op.axis)} is no axis; there are {' '.join(map(axis_text, known))}",
                op,
            )
        # schedule_c14: they go in blocks of a known size.
        if isinstance(op, ForOp) and op.size.constant is None:
            raise fail(f"blocks of {op.size} along {axis_text(op.axis)}: expected a number", op)
        if isinstance(op, PackOp | PadOp) and op.parent_op() is not tree:
            _check_inside(c, op, stages["step"])
        # schedule_c17: what is peeled are parts of a chain that are cut no more, in each of which
        # rows are transposed.
        if isinstance(op, ForOp) and op.peel is not None and peeled(c, op) is None:
            raise fail(
                f"peel of {_shown(op)}: expected the smallest part of a chain, and in front a "
                "pack of what lies along it",
                op,
            )
    rotating = _rotating(c, tree, stages)
    _check_chain(c, stages, tree.group, rotating)
    _check_sums(c, stages)
    _check_tile(c, tree, stages, rotating)
    _check_kinds(c, tree, stages, rotating)
    for name in stages.keys() & {"step", "apply", "out"}:
        _check_points(c, stages[name])


def _check_inside(c: Contraction, pack: PackOp | PadOp, step: RunOp) -> None:
    """Whether an operand may be laid out in loops: as far as they leave it."""
    around, path, name = _path(pack), _path(step), pack.operand.data
    reader = path[len(around)] if around == path[: len(around)] != path else pack
    # schedule_c11: what stands in loops around a tile is read by loops behind it.
    is_read = reader.parent is pack.parent and pack.is_before_in_block(reader)
    if not is_read or any(op.kind.data not in ("serial", "parallel") for op in around):
        raise fail(
            f"the {name} operand is packed in front of the loops over tiles that read it", pack
        )
    # schedule_c12: what is left has a known size, and is no part of several contracted axes.
    operand = c.operand(name)
    whole = {a for a in (*operand.axes, c.own(operand), *c.reduced) if a} - {
        op.axis for op in around
    }
    is_cut = any(op.axis in (c.chain, *c.reduced) for op in around)
    if any(c.extent(a).constant is None for a in whole):
        raise fail(f"in loops, what is packed of the {name} operand has a known size", pack)
    if is_cut and (isinstance(pack, PadOp) or len(c.reduced) > 1 or pack.count > 1):
        raise fail(f"the {name} operand is packed in a chain of several axes, or of groups", pack)


def _check_groups(c: Contraction, tree: TreeOp) -> None:
    """Whether a step may take several products."""
    laid_out = [op for op in tree.walk() if isinstance(op, PackOp | PadOp)]
    # schedule_c8: groups are of small integers, and both operands lie in them.
    if factor_types(c, tree.group) is None or any(op.count != tree.group for op in laid_out):
        raise fail(f"groups of {tree.group} are for both operands, laid out, of small integers")


def _rotating(c: Contraction, tree: TreeOp, stages: dict[str, RunOp]) -> ForOp | None:
    """The loop over rows that rotates, if one is."""
    found = [op for op in tree.walk() if isinstance(op, ForOp) and op.kind.data == ROTATING]
    if not found:
        return None
    op, rows = found[0], [op for op in _path(stages["step"]) if op.axis == c.row]
    pads = {o.operand.data for o in tree.walk() if isinstance(o, PadOp)}
    # schedule_c18: what rotates are the rows of a window, one after the other, and in that loop
    # stands all of a tile.
    if rotation_of(c) is None or c.right.name not in pads or found != rows[-1:] or op.step != 1:
        raise fail(
            f"{_shown(op)}: expected the rows of a window that is padded, which filters share, by "
            "1, and no other loop over them inside",
            op,
        )
    if stages["init"].parent_op() is not op:
        raise fail(f"{_shown(op)}: expected init to stand in it", op)
    return op


def _check_chain(
    c: Contraction, stages: dict[str, RunOp], step: int, rotating: ForOp | None
) -> None:
    """The order of the chain, of which a step takes so many products."""
    chain = {*c.reduced, c.chain}
    loops = [op for op in _path(stages["step"]) if op.axis in chain]
    if rotating is not None:
        # schedule_c19: sums take a row of the window one after the other, for each place in it.
        if not loops or (loops[-1].axis, loops[-1].kind.data) != (c.reduced[0], "unroll"):
            raise fail(
                f"the rows of the filter, along {axis_text(c.reduced[0])}, are unrolled in the "
                "other loops of a rotating chain",
                stages["step"],
            )
        loops = loops[-1:] + loops[:-1]
    steps = [*[1] * (len(c.reduced) - 1), step]
    blocks = [op for op in loops if (op.axis, op.step) not in zip(c.reduced, steps, strict=False)]
    inner = [op.axis for op in loops if op not in blocks]
    # schedule_c3: contracted axes follow one another in the order of the operator, one value
    # after the other.
    kinds = ("serial",) if rotating is None else ("serial", "unroll")
    if inner != list(c.reduced) or any(op.kind.data not in kinds for op in loops):
        found = " ".join(f"{axis_text(op.axis)} {op.kind.data}" for op in loops)
        raise fail(
            f"the chain runs along {' '.join(map(axis_text, c.reduced))}, serially and by {step} "
            f"in this order; found {found}",
            stages["step"],
        )
    # schedule_c4: a block is one chain, from init to finish.
    has_blocks = "start" in stages
    blocks, cuts = (blocks[:1], blocks[1:]) if has_blocks else ([], blocks)
    if has_blocks and [(op.step, op.axis) for op in blocks] != [(BLOCK, c.chain)]:
        raise fail(
            f"chains of {BLOCK} products, each in a loop by {BLOCK}, are added to totals",
            stages["step"],
        )
    # schedule_c10: one axis without groups may go in parts, of a block or of the whole chain.
    is_even = not any(outer.step % inner.step for outer, inner in pairwise([*blocks, *cuts]))
    if cuts and (len(c.reduced) > 1 or step > 1 or loops[-1] in cuts or not is_even):
        found = " ".join(str(op.step) for op in (*blocks, *cuts))
        raise fail(
            f"parts of a chain, of one axis, divide one another and go by 1; found {found}",
            stages["step"],
        )
    around = [op for op in _path(stages["init"]) if op.axis in chain]
    others = [op for name in stages.keys() & {"start", "out"} for op in _path(stages[name])]
    if around != blocks or any(op.axis in chain for op in others):
        raise fail(
            "init and finish stand around the loops of one chain, start in front of them all and "
            "out behind",
            stages["init"],
        )
    if stages["init"].parent is not stages["finish"].parent:
        raise fail("init and finish stand in one loop", stages["init"])


def _check_sums(c: Contraction, stages: dict[str, RunOp]) -> None:
    """Whether all stages of a tile see the same sums: those of the loops around the first one."""
    first, chain = stages.get("start", stages["init"]), {*c.reduced, c.chain}
    tile, along = _path(first), " ".join(map(axis_text, c.reduced)) or "no axis"
    for name in ("init", "step", "finish"):
        # schedule_c15: what starts, adds to and ends a chain stands in the same loops over points:
        # between these stages there are loops of the chain only, and around a step those over what
        # it has in registers.
        loops = [op for op in _path(stages[name]) if op.axis not in chain]
        if name == "step":
            loops = [op for op in loops if op in tile or op.kind.data not in ("unroll", "vector")]
        if loops != tile:
            raise fail(
                f"the chain along {along} adds to the sums of one tile, from {first.stage.data} to "
                f"finish, in the same loops over points; {_apart(name, loops, first, tile)}",
                stages[name],
            )
    for name in ("apply", "out"):
        if name not in stages:
            continue
        # schedule_c16: what follows the sums takes those of the tile, one after the other.
        path = _path(stages[name])
        around, inner = path[: len(tile)], path[len(tile) :]
        if around != tile:
            raise fail(
                f"{name} takes the sums of the tile in which the chain along {along} ends; "
                f"{_apart(name, path, first, tile)}",
                stages[name],
            )
        axes = [op.axis for op in inner]
        if len(set(axes)) < len(axes) or any(
            op.step != 1 or op.axis not in (c.row, c.column) for op in inner
        ):
            found = " ".join(map(_shown, inner))
            raise fail(
                f"{name} goes over the sums of one tile by 1, along each axis once; {found}",
                stages[name],
            )


def _apart(name: str, loops: list[ForOp], first: RunOp, tile: list[ForOp]) -> str:
    """Which loops one of two stages stands in alone."""
    pairs = ((name, loops, first.stage.data, tile), (first.stage.data, tile, name, loops))
    for one, mine, other, others in pairs:
        alone = [op for op in mine if op not in others]
        if alone:
            return f"found {' '.join(map(_shown, alone))} around {one} and not around {other}"
    return f"found {' '.join(map(_shown, loops))}"


def _shown(op: ForOp) -> str:
    return f"{axis_text(op.axis)} by {op.size} {op.kind.data}"


def _check_tile(
    c: Contraction, tree: TreeOp, stages: dict[str, RunOp], rotating: ForOp | None
) -> None:
    """What is in registers, and how operands are laid out for it."""
    found = [op for op in tree.walk() if isinstance(op, PackOp | PadOp)]
    packs = {op.operand.data: op.step for op in found if isinstance(op, PackOp)}
    pads = {op.operand.data for op in found if isinstance(op, PadOp)}
    if len({op.operand.data for op in found}) != len(found):
        raise fail("an operand is packed twice", found[-1])
    for axis, operand, kind in ((c.row, c.left, "unroll"), (c.column, c.right, "vector")):
        loops = [op for op in _path(stages["step"]) if op.axis == axis]
        tile = [op for op in loops if op.kind.data in ("unroll", "vector")]
        steps = [op.step for op in loops if op not in tile]
        size = steps[-1] if steps else 1
        # schedule_c5: rows of a tile are unrolled, its columns fill vectors and are innermost.
        kinds = [] if rotating is not None and axis == c.row else [kind]
        if axis is not None and ([op.kind.data for op in tile] != kinds or not steps):
            raise fail(
                f"{axis_text(axis)} is cut into tiles, of which a step goes along by {kind}",
                stages["step"],
            )
        if axis is not None and kind == "vector" and tile[0] is not stages["step"].parent_op():
            raise fail(
                f"vectors along {axis_text(axis)} are the innermost loop of a step", stages["step"]
            )
        if any(outer % inner for outer, inner in pairwise(steps)):
            raise fail(
                f"blocks of {steps} along {axis_text(axis or ())} do not divide one another",
                stages["step"],
            )
        lanes = tile[0].step if tile else 1
        if kind == "vector" and (size % lanes or lanes & (lanes - 1) or lanes > WIDEST):
            raise fail(f"vectors of {lanes} do not fill a tile of {size} columns", tile[0])
        # schedule_c6: a panel is as wide as the tile that reads it; else a tile stays inside.
        panel = packs.get(operand.name)
        if operand.name in pads and c.window(operand) is None:
            raise fail(
                f"the {operand.name} operand sees no window that tiles can read; pack it",
                stages["step"],
            )
        is_direct = panel is None and operand.name not in pads
        if is_direct and not _reads_within(c, operand, size, tree.group):
            raise fail(
                f"the {operand.name} operand cannot be read where it lies; pack it", stages["step"]
            )
        if panel is not None and operand is c.right and c.row in operand.axes:
            raise fail("the right operand depends on the rows of a tile; pad it", stages["step"])
        if panel is not None and panel != size:
            raise fail(
                f"panels of {panel} for tiles of {size} of the {operand.name} operand",
                stages["step"],
            )


def _reads_within(c: Contraction, operand: Operand, size: int, group: int) -> bool:
    """Whether tiles of so many values can read an operand where it lies."""
    if group == 1:
        return c.reads_within(operand, size)
    return operand is c.left and lies_in_groups(c, size, group)


def _check_kinds(
    c: Contraction, tree: TreeOp, stages: dict[str, RunOp], rotating: ForOp | None
) -> None:
    """What is written out, or goes in vectors, is the tile of a step, or what follows its sums."""
    shared = _path(stages["out"])
    tile = [op for op in _path(stages["step"]) if op not in shared]
    mine = [
        op for op in tile if (op.axis, op.kind.data) in ((c.row, "unroll"), (c.column, "vector"))
    ]
    inner = [stages[name].parent_op() for name in stages.keys() & {"apply", "out"}]
    mine += [op for op in inner if isinstance(op, ForOp) and op.kind.data == "vector"]
    if rotating is not None:
        mine += [op for op in tile if op.axis in c.reduced]
    for op in tree.walk():
        # schedule_c9: all other loops go from value to value, or from block to block.
        if isinstance(op, ForOp) and op.kind.data in ("unroll", "vector") and op not in mine:
            raise fail(
                f"{axis_text(op.axis)} by {op.step} {op.kind.data} is no loop over a tile", op
            )


def _check_points(c: Contraction, stage: RunOp) -> None:
    """Every point is computed once."""
    loops, is_step = _path(stage), stage.stage.data == "step"
    for axis in (*c.outer, c.row, c.column):
        # schedule_c7: an axis of the nest is run over to the last value.
        mine = [op for op in loops if op.axis == axis]
        is_vector = bool(mine) and is_step and mine[-1].kind.data == "vector"
        if axis is not None and not is_vector and (not mine or mine[-1].step != 1):
            raise fail(f"{stage.stage.data} leaves values of {axis_text(axis)} out", stage)
