"""Check schedules of contractions: each point once, each chain in its order.

A legal schedule gives the bits of the order, whatever its loops; an illegal one is an error that
names the loop and the broken constraint.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from opc.dialects import kernel
from opc.dialects.matrix_ops import COLUMNS, PRODUCTS, registers
from opc.dialects.schedule import (
    ROTATING,
    ForOp,
    PackOp,
    PadOp,
    RunOp,
    TreeOp,
)
from opc.dialects.schedule_nests import axis_text
from opc.dialects.walking import walk
from opc.support.target import WIDEST

from .contraction import Contraction
from .nest_trees import block_of, fail, path, stages_of, text_of, versions_of
from .overwriting import begins_early, loops_of_copy
from .prefetch_legality import Prefetch, check_prefetch
from .product_groups import (
    are_in_steps,
    is_narrow,
    lies_in_groups,
    matrix_chain,
    matrix_rest,
)
from .register_tiles import peeled
from .rotating import rotation_of
from .shared_blocks import joined, shared_blocks
from .stored import grouped_parts


def check(c: Contraction, tree: TreeOp) -> None:
    """Raise InputError unless each version of a schedule is legal for a contraction.

    Vectors may run along its rows: rows are the columns then.
    """
    for version in versions_of(tree):
        _check_version(c.as_in(version), version)


def _check_version(c: Contraction, tree: TreeOp) -> None:
    if (blocks := shared_blocks(tree)) is not None:
        step = next(op for op in stages_of([tree]) if op.stage.data == "step")
        for op in walk(blocks):
            if isinstance(op, PackOp | PadOp):
                _check_inside(c, op, step)
        tree = joined(c, tree)
    runs = stages_of([tree])
    stages = {op.stage.data: op for op in runs}
    expected = ["init", "step", "finish", "out"]
    if tree.group > 1:
        _check_groups(c, tree)
    if c.block(tree.group) is not None:
        # schedule_c1: a chain has at most BLOCK products, or those of a block of integers.
        expected.insert(0, "start")
    if "apply" in stages:
        expected.insert(-1, "apply")
    if [op.stage.data for op in runs] != expected:
        raise fail(f"found stages {', '.join(stages)}, expected {', '.join(expected)} once each")
    known = {a for a in (*c.outer, c.row, c.column, *c.reduced, c.chain) if a}
    for op in walk(tree):
        # schedule_c13: there are only loops, stages, packs, pads and prefetches.
        if op is not tree and not isinstance(op, ForOp | RunOp | PackOp | PadOp | Prefetch):
            raise fail(f"found {op.name}, expected loops, stages, packs, pads and prefetches", op)
        # schedule_c2: loops run over the axes of the nest.
        if isinstance(op, ForOp) and op.axis not in known:
            raise fail(f"found {text_of(op)}, expected {' '.join(map(axis_text, known))}", op)
        # schedule_c14: blocks have a known size.
        if isinstance(op, ForOp) and op.size.constant is None:
            raise fail(f"found {text_of(op)}, expected a number", op)
        if isinstance(op, PackOp | PadOp) and op.parent_op() is not tree:
            _check_inside(c, op, stages["step"])
        if isinstance(op, Prefetch):
            check_prefetch(c, tree, op, stages["step"])
        # schedule_c17: only loops over the smallest parts of a chain, which transpose rows, are
        # peeled.
        if isinstance(op, ForOp) and op.peel is not None and peeled(c, op) is None:
            raise fail(
                f"found {text_of(op)} peel, expected the smallest part of a chain, with a pack of "
                "what lies along it in front",
                op,
            )
    _check_overwritten(c, tree)
    rotating = _rotating(c, tree, stages)
    _check_chain(c, stages, tree.group, rotating)
    _check_sums(c, stages)
    _check_tile(c, tree, stages, rotating)
    _check_kinds(c, tree, stages, rotating)
    for name in stages.keys() & {"step", "apply", "out"}:
        _check_points(c, stages[name])


def _check_inside(c: Contraction, pack: PackOp | PadOp, step: RunOp) -> None:
    """Check a pack or pad in loops, which takes the part of the operand that they leave."""
    around, loops, name = path(pack), path(step), pack.operand.data
    reader = loops[len(around)] if around == loops[: len(around)] != loops else pack
    # schedule_c11: a loop behind a pack in loops reads it.
    is_read = reader.parent is pack.parent and pack.is_before_in_block(reader)
    if not is_read or any(op.kind.data not in ("serial", "parallel") for op in around):
        raise fail(f"found {pack.name} {name}, expected a loop over tiles that reads it", pack)
    # schedule_c12: the packed part has a known size, and is no part of several contracted axes.
    operand = c.operand(name)
    uncut = {a for a in (*operand.axes, c.own(operand), *c.reduced) if a} - {
        op.axis for op in around
    }
    is_cut = any(op.axis in (c.chain, *c.reduced) for op in around)
    unknown = " ".join(axis_text(a) for a in uncut if c.extent(a).constant is None)
    if unknown:
        raise fail(f"found {pack.name} {name}, expected numbers along {unknown}", pack)
    if is_cut and (isinstance(pack, PadOp) or len(c.reduced) > 1 or pack.count > 1):
        raise fail(f"found {pack.name} {name} in a chain, expected one axis, no group", pack)


def _check_groups(c: Contraction, tree: TreeOp) -> None:
    """Check steps of several products."""
    packs = [op for op in walk(tree) if isinstance(op, PackOp | PadOp)]
    # schedule_c8: groups are of small integers, and both operands lie in them.
    if not are_in_steps(c, tree.group, ((op.operand.data, op.count) for op in packs)):
        raise fail(f"found groups of {tree.group}, expected packs of small integers in them")
    if tree.group == PRODUCTS:
        shape = block_of(tree, c.row), block_of(tree, c.column)
        lanes = [op.step for op in walk(tree) if isinstance(op, ForOp) and op.kind.data == "vector"]
        # schedule_c47: a tile of matrices fits their registers, in vectors of a row of one.
        if registers(*shape, matrix_rest(c)) is None or COLUMNS not in lanes:
            raise fail(
                f"found tiles of {shape[0]} x {shape[1]}, expected some that matrix registers hold "
                f"with their factors, in vectors of {COLUMNS}"
            )
        # schedule_c50: a step that goes on along the axis before the last one reads a padded copy.
        is_padded = any(isinstance(op, PadOp) and op.operand.data == c.left.name for op in packs)
        if len(matrix_chain(c)) > 1 and not is_padded:
            raise fail(f"found no schedule.pad {c.left.name}, expected one in steps of {PRODUCTS}")


def _check_overwritten(c: Contraction, tree: TreeOp) -> None:
    """Check operands that lie where results are written."""
    for operand in (c.left, c.right):
        if operand.load is None or operand.load.source not in c.nest.targets:
            continue
        around = loops_of_copy(c, tree, operand)
        is_early = begins_early(c, tree, operand)
        # schedule_c44: an operand in the buffer of a result is copied before it is written over.
        if around is None or (is_early and any(op.kind.data != "serial" for op in around)):
            raise fail(
                f"found {operand.name} in the buffer of a result, expected one copy of it, in "
                "loops over axes that both have, serial if panels do not fill the axis"
            )


def _rotating(c: Contraction, tree: TreeOp, stages: dict[str, RunOp]) -> ForOp | None:
    """The rotating loop, if there is one."""
    rotating = [op for op in walk(tree) if isinstance(op, ForOp) and op.kind.data == ROTATING]
    if not rotating:
        return None
    op, rows = rotating[0], [op for op in path(stages["step"]) if op.axis == c.row]
    pads = {o.operand.data for o in walk(tree) if isinstance(o, PadOp)}
    # schedule_c18: a rotating loop goes over the rows of a window by 1, and all of a tile is in it.
    if rotation_of(c) is None or c.right.name not in pads or rotating != rows[-1:] or op.step != 1:
        raise fail(
            f"found {text_of(op)}, expected the rows of a window that is padded, which filters "
            "share, by 1, and no other loop over them inside",
            op,
        )
    if stages["init"].parent_op() is not op:
        raise fail(f"found init outside of {text_of(op)}, expected it right inside", op)
    return op


def _check_chain(
    c: Contraction, stages: dict[str, RunOp], step: int, rotating: ForOp | None
) -> None:
    """Check the order of the chain; a step takes ``step`` products."""
    chain = {*c.reduced, c.chain}
    loops = [op for op in path(stages["step"]) if op.axis in chain]
    if rotating is not None:
        # schedule_c19: the rows of the filter are the innermost, unrolled loop of the chain.
        if not loops or (loops[-1].axis, loops[-1].kind.data) != (c.reduced[0], "unroll"):
            raise fail(
                f"found {_all(loops)}, expected the rows of the filter, along "
                f"{axis_text(c.reduced[0])}, unrolled in the other loops of a rotating chain",
                stages["step"],
            )
        loops = loops[-1:] + loops[:-1]
    steps = [*[1] * (len(c.reduced) - 1), step]
    blocks = [op for op in loops if (op.axis, op.step) not in zip(c.reduced, steps, strict=False)]
    size = c.block(step)
    # A block may be one step.
    blocks = loops[:1] if size == step else blocks
    inner = [op.axis for op in loops if op not in blocks]
    # schedule_c3: loops over contracted axes are serial, by 1, in the order of the operator.
    kinds = ("serial",) if rotating is None else ("serial", "unroll")
    if inner != list(c.reduced) or any(op.kind.data not in kinds for op in loops):
        raise fail(
            f"found {_all(loops)}, expected a chain along {' '.join(map(axis_text, c.reduced))}, "
            f"serially and by {step} in this order",
            stages["step"],
        )
    # schedule_c4: a block is one chain, from init to finish.
    blocks, cuts = (blocks[:1], blocks[1:]) if size is not None else ([], blocks)
    if size is not None and [(op.step, op.axis) for op in blocks] != [(size, c.chain)]:
        raise fail(
            f"found {_all(blocks)}, expected a loop by {size} along {axis_text(c.chain or ())}: "
            f"totals add up chains of {size} products",
            stages["step"],
        )
    # schedule_c10: one axis without groups may go in parts, of a block or of the whole chain.
    is_even = not any(outer.step % inner.step for outer, inner in pairwise([*blocks, *cuts]))
    if cuts and (len(c.reduced) > 1 or step > 1 or loops[-1] in cuts or not is_even):
        raise fail(f"found {_all([*blocks, *cuts])}, expected parts of one another", stages["step"])
    around = [op for op in path(stages["init"]) if op.axis in chain]
    others = [op for name in stages.keys() & {"start", "out"} for op in path(stages[name])]
    outside = [op for op in others if op.axis in chain]
    if around != blocks or outside:
        raise fail(
            f"found {_all(around)} around init, {_all(outside)} around start and out; expected "
            f"{_all(blocks)} around init and finish, start in front of it and out behind",
            stages["init"],
        )
    if stages["init"].parent is not stages["finish"].parent:
        init, finish = (_all(path(stages[name])) for name in ("init", "finish"))
        raise fail(f"found {finish} around finish, expected {init}, as around init", stages["init"])


def _check_sums(c: Contraction, stages: dict[str, RunOp]) -> None:
    """Check that all stages of a tile use the same sums: those of the loops around the first."""
    first, chain = stages.get("start", stages["init"]), {*c.reduced, c.chain}
    tile, along = path(first), " ".join(map(axis_text, c.reduced)) or "no axis"
    for name in ("init", "step", "finish"):
        # schedule_c15: init, step and finish stand in the same loops over points.  Between them are
        # only loops of the chain, and around a step the loops over its registers.
        loops = [op for op in path(stages[name]) if op.axis not in chain]
        if name == "step":
            loops = [op for op in loops if op in tile or op.kind.data not in ("unroll", "vector")]
        if loops != tile:
            raise fail(
                f"found {_apart(name, loops, first, tile)}; expected the same loops over points "
                f"from {first.stage.data} to finish: the chain along {along} adds to the sums of "
                "one tile",
                stages[name],
            )
    for name in ("apply", "out"):
        if name not in stages:
            continue
        # schedule_c16: the stages after the sums take the sums of the tile one by one.
        loops = path(stages[name])
        around, inner = loops[: len(tile)], loops[len(tile) :]
        if around != tile:
            raise fail(
                f"found {_apart(name, loops, first, tile)}; expected {name} to take the sums of "
                f"the tile in which the chain along {along} ends",
                stages[name],
            )
        axes = [op.axis for op in inner]
        if len(set(axes)) < len(axes) or any(
            op.step != 1 or op.axis not in (c.row, c.column) for op in inner
        ):
            raise fail(
                f"found {_all(inner)}, expected loops by 1, over each axis once", stages[name]
            )


def _apart(name: str, loops: list[ForOp], first: RunOp, tile: list[ForOp]) -> str:
    """The loops around only one of two stages, in words."""
    pairs = ((name, loops, first.stage.data, tile), (first.stage.data, tile, name, loops))
    for stage, mine, other, others in pairs:
        if alone := [op for op in mine if op not in others]:
            return f"{_all(alone)} around {stage} and not around {other}"
    return _all(loops)


def _all(loops: Sequence[ForOp]) -> str:
    return " ".join(map(text_of, loops)) or "no loop"


def _check_tile(
    c: Contraction, tree: TreeOp, stages: dict[str, RunOp], rotating: ForOp | None
) -> None:
    """Check the register tile, and the layout of its operands."""
    step = stages["step"]
    copies = [op for op in walk(tree) if isinstance(op, PackOp | PadOp)]
    stored = _check_stored(c, tree, stages["step"])
    copies = [op for op in copies if op is not stored]
    packs = [op for op in copies if isinstance(op, PackOp)]
    outer = [op for op in packs if op.parent_op() is tree]
    narrow = [op for op in outer if any(_is_widened(c, op, inner) for inner in packs)]
    copies = [op for op in copies if op not in narrow]
    packs = {op.operand.data: op.step for op in copies if isinstance(op, PackOp)}
    pads = {op.operand.data for op in copies if isinstance(op, PadOp)}
    if len({op.operand.data for op in copies}) != len(copies):
        shown = ", ".join(f"{op.name} {op.operand.data}" for op in copies)
        raise fail(
            f"found {shown}; expected one copy of an operand, or one more of a constant in 8 bits "
            "beside a factor of 16, in loops that leave one panel",
            copies[-1],
        )
    if stored is not None:
        packs.setdefault(stored.operand.data, stored.step)
    for axis, operand, kind in ((c.row, c.left, "unroll"), (c.column, c.right, "vector")):
        loops = [op for op in path(step) if op.axis == axis]
        tile = [op for op in loops if op.kind.data in ("unroll", "vector")]
        steps = [op.step for op in loops if op not in tile]
        size = steps[-1] if steps else 1
        # schedule_c5: rows of a tile are unrolled, its columns fill vectors and are innermost.
        kinds = [] if rotating is not None and axis == c.row else [kind]
        if axis is not None and ([op.kind.data for op in tile] != kinds or not steps):
            raise fail(f"found {_all(loops)}, expected tiles along {axis_text(axis)}, {kind}", step)
        if axis is not None and kind == "vector" and tile[0] is not step.parent_op():
            raise fail(f"found {text_of(tile[0])} around a loop, expected it innermost", step)
        if any(outer % inner for outer, inner in pairwise(steps)):
            raise fail(f"found {_all(loops)}, expected blocks that divide one another", step)
        lanes = tile[0].step if tile else 1
        if kind == "vector" and (size % lanes or lanes & (lanes - 1) or lanes > WIDEST):
            raise fail(f"found vectors of {lanes}, expected a power of two in {size}", tile[0])
        # schedule_c6: a panel is as wide as the tile that reads it; without one, tiles stay inside.
        panel = packs.get(operand.name)
        if operand.name in pads and c.window(operand) is None:
            raise fail(f"found schedule.pad {operand.name}, expected schedule.pack", step)
        is_direct = panel is None and operand.name not in pads
        lies_well = c.reads_within(operand, size)
        if tree.group > 1:
            lies_well = operand is c.left and lies_in_groups(c, size, tree.group)
        if is_direct and not lies_well:
            raise fail(f"found no copy of {operand.name}, expected schedule.pack", step)
        if panel is not None and operand is c.right and c.row in operand.axes:
            raise fail("found schedule.pack right, expected schedule.pad", step)
        if panel is not None and panel != size:
            raise fail(f"found panels of {panel}, expected {size}, as tiles have", step)


def _check_stored(c: Contraction, tree: TreeOp, step: RunOp) -> PackOp | None:
    """Check the pack of an operand as it is stored, and return it if there is one."""
    packs = [op for op in walk(tree) if isinstance(op, PackOp)]
    stored = next((op for op in packs if op.lanes is not None), None)
    if stored is None:
        return None
    name = stored.operand.data
    parts = grouped_parts(c, c.operand(name), stored.count)
    # schedule_c20: what is laid out as it is stored is constant, and narrower than its values.
    if parts is None or stored.parent_op() is not tree:
        raise fail(
            f"found schedule.pack {name} stored, expected it in front of all loops, of the operand "
            "with the columns, computed from constants that take fewer bytes",
            stored,
        )
    # schedule_c22: a part of the chain begins where a run of equal elements may begin.
    peels = [op for op in walk(tree) if isinstance(op, ForOp) and op.peel is not None]
    if peels:
        raise fail(f"found {text_of(peels[0])} peel, expected none beside stored panels", peels[0])
    # schedule_c21: it is computed in vectors of a tile, or in panels that are parts of its own.
    vector = step.parent_op()
    lanes = vector.step if isinstance(vector, ForOp) else 1
    inner = [op for op in packs if op is not stored and op.operand.data == name]
    widths = [op.step for op in inner]
    if not inner and (lanes != stored.lanes or tree.group == PRODUCTS):
        raise fail(f"found stored lanes {stored.lanes}, expected {lanes} or inner panels", stored)
    size, lanes = stored.step, stored.lanes or 1
    unit = lanes * max(part.values_of_unit(size, lanes) for part in parts)
    is_part = all(size % width == width % unit == 0 for width in widths)
    if any(op.parent_op() is tree for op in inner) or not is_part:
        raise fail(
            f"found panels of {', '.join(map(str, widths))}, expected them in loops, and parts of "
            f"the stored ones of {size} in whole bytes",
            stored,
        )
    return stored


def _is_widened(c: Contraction, outer: PackOp, inner: PackOp) -> bool:
    """Whether a pack makes a panel in 16 bits of one in 8 bits, which another pack lays out."""
    operand, blocks = c.operand(outer.operand.data), {op.axis: op.step for op in path(inner)}
    own = c.own(operand)
    # schedule_c43: panels of constants in 8 bits are widened one at a time, in loops that leave it.
    sizes = {axis: outer.step if axis == own else 1 for axis in operand.axes - {*c.reduced}}
    is_panel = own in sizes and all(blocks.get(axis) == n for axis, n in sizes.items())
    is_same = inner.operand == outer.operand and inner.step == outer.step
    is_in_loops = outer.parent_op() is not inner.parent_op()
    return is_same and is_in_loops and is_panel and is_narrow(c, operand, outer.count)


def _check_kinds(
    c: Contraction, tree: TreeOp, stages: dict[str, RunOp], rotating: ForOp | None
) -> None:
    """Check unrolled and vector loops: they go over a tile of sums."""
    shared = path(stages["out"])
    tile = [op for op in path(stages["step"]) if op not in shared]
    mine = [
        op for op in tile if (op.axis, op.kind.data) in ((c.row, "unroll"), (c.column, "vector"))
    ]
    inner = [stages[name].parent_op() for name in stages.keys() & {"apply", "out"}]
    mine += [op for op in inner if isinstance(op, ForOp) and op.kind.data == "vector"]
    if rotating is not None:
        mine += [op for op in tile if op.axis in c.reduced]
    for op in walk(tree):
        # schedule_c9: all other loops are serial, parallel or rotating.
        if isinstance(op, ForOp) and op.kind.data in ("unroll", "vector") and op not in mine:
            raise fail(f"found {text_of(op)}, expected serial, parallel or rotating", op)


def _check_points(c: Contraction, stage: RunOp) -> None:
    """Check that each point is computed once."""
    loops, is_step = path(stage), stage.stage.data == "step"
    for axis in (*c.outer, c.row, c.column):
        # schedule_c7: the innermost loop over an axis of the nest goes by 1, or is a vector loop.
        mine = [op for op in loops if op.axis == axis]
        is_vector = bool(mine) and is_step and mine[-1].kind.data == "vector"
        if axis is not None and not is_vector and (not mine or mine[-1].step != 1):
            raise fail(f"found {_all(mine)}, expected one by 1 over {axis_text(axis)}", stage)
    for pick in kernel.picks_of(c.nest):
        # schedule_c48: an axis that is read is read inside of the loops over what it depends on.
        needed = {d for e in pick.index.data for d in e.dims()}
        behind = loops[next(k for k, op in enumerate(loops) if pick.dim in op.axis) :]
        if any(needed.intersection(op.axis) for op in behind):
            shown = axis_text((pick.dim,))
            raise fail(
                f"found {shown} outside of a loop that it depends on, expected it inside", stage
            )
