"""Contractions for tests: their graphs, the bits of their order, and schedules drawn at random."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

import opc
from opc.api.driver import load
from opc.dialects import kernel, schedule
from opc.dialects.matrix_ops import COLUMNS, PRODUCTS, REGISTERS, registers
from opc.dialects.order import BLOCK
from opc.dialects.registry import context
from opc.dialects.schedule_operands import GROUPS
from opc.emit.source import emit
from opc.interpret.graph import evaluate
from opc.passes import pipeline
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from opc.schedule.contraction import Contraction, Operand, analyse
from opc.schedule.nest_trees import path
from opc.schedule.product_groups import (
    factor_types,
    is_narrow,
    lies_in_groups,
    matrix_chain,
    matrix_rest,
)
from opc.schedule.register_tiles import peeled as find_peeled
from opc.schedule.rotating import rotation_of
from opc.schedule.stored import parts_of

CASES = {
    "square": ("64x64", "64x64"),
    "odd": ("15x7", "7x33"),
    "one value": ("1x1", "1x1"),
    "one row": ("1x100", "100x700"),
    "one column": ("130x64", "64x1"),
    "vectors": ("300", "300"),
    "row by matrix": ("20", "20x33"),
    "matrix by column": ("33x20", "20"),
    "few columns": ("50x9", "9x3"),
    "nothing added": ("3x0", "0x5"),
    "no rows": ("0x4", "4x3"),
    "no rows, several blocks": ("0x3x4100", "4100"),
    "several blocks": ("3x9000", "9000x17"),
    "one more than a block": ("2x4097", "4097x2"),
    "batches": ("3x6x20", "3x20x9"),
    "weights for all batches": ("2x5x6x20", "20x40"),
    "broadcast batches": ("2x1x6x8", "3x8x5"),
}
"""Shapes of two operands."""
DTYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16}
EPILOGUE = """
  %b = opc.constant dense<0.5> : {bias}
  %1 = opc.add %0, %b
  %2 = opc.relu %1
  %r = opc.mul %2, %0"""


def extents(shape: str) -> list[int]:
    return [int(e) for e in shape.split("x")]


def text_of(a: str, b: str, type: str, epilogue: str = "%r = opc.mul %0, %0") -> str:
    result = (np.zeros(extents(a)) @ np.zeros(extents(b))).shape
    tensor = f"tensor<{''.join(f'{e}x' for e in result)}{type}>"
    bias = f"tensor<{'1x' * len(result)}{type}>"
    return f"""
func.func @main(%x: tensor<{a}x{type}>, %y: tensor<{b}x{type}>) -> ({tensor}, {tensor}) {{
  %0 = opc.matmul %x, %y
  {epilogue.format(bias=bias)}
  func.return %0, %r : {tensor}, {tensor}
}}"""


def values(shape: str, type: str, seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(extents(shape)).astype(DTYPES[type])


def oracle(text: str, arrays: Sequence[np.ndarray[Any, Any]]) -> list[bytes]:
    (function,) = load(text).body.block.ops
    assert isinstance(function, FuncOp)
    return [np.ascontiguousarray(r).tobytes() for r in evaluate(function, arrays)]


def bits(results: Any) -> list[bytes]:
    return [np.ascontiguousarray(r).tobytes() for r in results]


def targets() -> list[str]:
    info = Path("/proc/cpuinfo")
    flags = info.read_text(encoding="utf-8").split() if info.exists() else []
    wide = {"avx2": "fma", "avx512": "avx512vl", "amx": "amx_int8"}
    return ["native", "baseline", *(t for t, needed in wide.items() if needed in flags)]


def check_bits_everywhere(text: str, arrays: Sequence[np.ndarray[Any, Any]]) -> None:
    """Every target, compiler and number of threads has the bits of the interpreter."""
    expected = oracle(text, arrays)
    for machine in targets():
        assert bits(opc.compile(text, target=machine)(*arrays)) == expected, machine
    if shutil.which("clang"):
        assert bits(opc.compile(text, cc="clang")(*arrays)) == expected
    assert bits(opc.compile(text, threads=3)(*arrays)) == expected
    assert bits(opc.compile(text, fuse=False)(*arrays)) == expected


def scheduled(text: str) -> tuple[FuncOp, Contraction]:
    """A function up to where schedules are written, and its contraction."""
    module = load(text).clone()
    names = pipeline.passes("schedule")
    pipeline.run(module, context(), names[: names.index("schedule")])
    (function,) = module.body.block.ops
    assert isinstance(function, FuncOp)
    nests = [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]
    (found,) = (c for c in map(analyse, nests) if c is not None)
    return function, found


def finished(function: FuncOp, target: str = "native") -> CompiledFunction:
    module = function.parent_op()
    pipeline.run(module, context(), ["schedule", *pipeline.passes("loops", since="schedule")])
    found = emit(function, "random")
    library = caching.build(found.source, cc=None, target=target, threads=2, cache=None)
    return CompiledFunction(found.interface, library, found.weights, 2)


def _reads_within(c: Contraction, operand: Operand, size: int, group: int) -> bool:
    if group == 1:
        return c.reads_within(operand, size)
    return operand is c.left and lies_in_groups(c, size, group)


def _is_of(op: IRDLOperation, operand: Operand) -> bool:
    return isinstance(op, schedule.PackOp) and op.operand.data == operand.name


def random_tree(c: Contraction, rng: Random) -> schedule.TreeOp:
    """A legal schedule, whatever it costs."""
    loop, run = schedule.ForOp.of, schedule.RunOp.of
    group = rng.choice([n for n in GROUPS if factor_types(c, n) is not None])
    is_product = c.row and c.column and c.row not in c.right.axes and c.column not in c.left.axes
    if group == 1 and is_product and rng.random() < 0.4:
        c = c.transposed
    lanes = 1 << rng.randrange(5)
    is_rotating = rotation_of(c) is not None and group == 1 and rng.random() < 0.6
    rows = rng.randint(1, 9) if c.row and not is_rotating else 1
    columns = lanes * rng.randint(1, 3) if c.column else 1
    if group == PRODUCTS:
        tiles = ((n, m * COLUMNS) for n in range(1, 65) for m in range(1, REGISTERS))
        rows, columns = rng.choice([t for t in tiles if registers(*t, matrix_rest(c))])
        lanes = COLUMNS
    packs: list[IRDLOperation] = []
    shared: list[IRDLOperation] = []
    if group == 1 and parts_of(c, c.right) is not None and rng.random() < 0.7:
        distance = rng.choice([0, 64, 4096])
        shared.append(schedule.PackOp.of(c.right.name, columns, 1, lanes, distance))
    for operand, size in ((c.left, rows), (c.right, columns)):
        if shared and operand is c.right:
            if rng.random() < 0.6:
                distance = rng.choice([0, 0, 64, 4096])
                packs.append(schedule.PackOp.of(operand.name, size, prefetch=distance))
        elif c.window(operand) is not None and (
            rng.random() < 0.7
            or c.row in c.right.axes
            or (group == PRODUCTS and operand is c.left and len(matrix_chain(c)) > 1)
        ):
            packs.append(schedule.PadOp.of(operand.name, group))
        elif not _reads_within(c, operand, size, group) or rng.random() < 0.5:
            distance = rng.choice([0, 0, 64, 4096]) if c.reduced and group < PRODUCTS else 0
            packs.append(schedule.PackOp.of(operand.name, size, group, prefetch=distance))

    def packed(ops: list[IRDLOperation], is_chain: bool) -> list[IRDLOperation]:
        """In front of loops, some of the operands that are laid out: what is left of them there."""
        may_cut = len(c.reduced) == 1 and group == 1
        for op in [*packs] if may_cut or not is_chain else []:
            is_free = isinstance(op, schedule.PackOp) or not is_chain
            if is_free and rng.random() < 0.3:
                packs.remove(op)
                ops = [op, *ops]
        return ops

    step: list[IRDLOperation] = [run("step")]
    first = c.reduced[0] if is_rotating else c.row
    for axis, kind, by in ((c.column, "vector", lanes), (first, "unroll", 1)):
        step = step if axis is None else [loop(axis, by, kind, step)]
    for axis in reversed(c.reduced[1:] if is_rotating else c.reduced):
        kind = rng.choice(["serial", "unroll"]) if is_rotating else "serial"
        step = [loop(axis, group if axis == c.reduced[-1] else 1, kind, step)]
    is_long, part = (c.length.constant or 0) > BLOCK and group == 1, 1
    for _ in range(rng.randint(0, 2) if len(c.reduced) == 1 and group == 1 else 0):
        part *= rng.choice([2, 4, 8] if is_long else [2, 3, 5, 7])
        peeled = loop(c.chain, part, "serial", packed(step, True), True)
        if shared or find_peeled(c, peeled) is None or rng.random() < 0.5:
            peeled.peel = None
        step = [peeled]
    ops = [run("init"), *(step if is_rotating else packed(step, is_long)), run("finish")]
    ops = ops if is_rotating else packed(ops, is_long)
    if is_long:
        ops = packed([run("start"), loop(c.chain, BLOCK, "serial", ops)], False)
    out: list[IRDLOperation] = [run("out")]
    for axis in rng.sample([c.row, c.column], 2):
        out = out if axis is None else [loop(axis, 1, "serial", out)]
    ops += out
    tiles = [(axis, by) for axis, by in ((c.row, rows), (c.column, columns)) if axis]
    if is_rotating:
        assert c.row is not None
        ops = [loop(c.row, 1, schedule.ROTATING, ops)]
        tiles[0] = (c.row, rng.randint(1, 9))
    blocks = [(axis, by * rng.randint(1, 4)) for axis, by in tiles if rng.random() < 0.5]
    twice = [op for op in packs if isinstance(op, schedule.PackOp) and _may_be_widened(c, op)]
    for axis, by in (*rng.sample(tiles, len(tiles)), *rng.sample(blocks, len(blocks))):
        for op in [
            op for op in twice if (axis, by) == (c.own(c.operand(op.operand.data)), op.step)
        ]:
            twice.remove(op)
            if rng.random() < 0.5:
                ops = [op.clone(), *ops]
                op.prefetch = None
        ops = packed([loop(axis, by, rng.choice(["serial", "parallel"]), ops)], False)
    for axis in rng.sample(c.outer, len(c.outer)):
        ops = packed([loop(axis, 1, rng.choice(["serial", "parallel"]), ops)], False)
    # What lies as it is stored is packed again in loops alone.
    outside = [op for op in (*packs, *ops) if not shared or not _is_of(op, c.right)]
    tree = schedule.TreeOp.of(Block([*shared, *outside]))
    if not is_rotating and c.reduced:
        prefetch_some(c, tree, rng)
    is_kept = is_long and len(c.reduced) == 1 and not shared and not is_rotating
    return blocks_outside(c, tree) if is_kept and rng.random() < 0.4 else tree


def prefetch_some(c: Contraction, tree: schedule.TreeOp, rng: Random) -> None:
    """Let steps prefetch some of the operands that are panels of all tiles, or where they lie."""
    runs = (op for op in tree.walk() if isinstance(op, schedule.RunOp))
    step = next(op for op in runs if op.stage.data == "step")
    chain = next(op for op in reversed(path(step)) if op.axis == c.reduced[-1])
    copies = [op for op in tree.walk() if isinstance(op, schedule.PackOp | schedule.PadOp)]
    for operand in (c.left, c.right):
        own = [op for op in copies if op.operand.data == operand.name]
        panels = [op for op in own if isinstance(op, schedule.PackOp) and op.parent_op() is tree]
        axis, prefetch = c.own(operand), schedule.PrefetchPanelOp.of(operand.name)
        if not own and operand.load is not None and tree.group == 1:
            prefetch = schedule.PrefetchTileOp.of(operand.name)
        elif not panels:
            continue
        is_split = axis in operand.axes and any(op.axis == axis for op in path(chain))
        if is_split and rng.random() < 0.5:
            first = chain.body.block.first_op
            assert first is not None
            chain.body.block.insert_op_before(prefetch, first)


def blocks_outside(c: Contraction, tree: schedule.TreeOp) -> schedule.TreeOp:
    """The same schedule with the blocks of the chain around all tiles."""
    *packs, loops = tree.body.block.ops
    copies = loops.clone(), loops.clone()
    for k, copy in enumerate(copies):
        ops = list(copy.walk())
        start = next(op for op in ops if isinstance(op, schedule.RunOp))
        assert start.stage.data == "start" and start.parent is not None
        block = start.next_op
        assert isinstance(block, schedule.ForOp)
        body = [op for op in block.body.block.ops]
        copied = (schedule.PackOp, schedule.PadOp)
        gone = [op for op in ops if isinstance(op, copied) and k == 1 and not block.is_ancestor(op)]
        if k == 0:
            gone = [op for op in start.parent.ops if not isinstance(op, copied) or op is block]
            for op in body:
                op.detach()
            start.parent.add_ops(body)
        for op in gone if k == 0 else [*gone, block]:
            op.detach()
            op.erase()
    blocks = schedule.ForOp.of(c.chain, BLOCK, "parallel", [])
    blocks.body.block.add_op(copies[0])
    return schedule.TreeOp.of(Block([*(op.clone() for op in packs), blocks, copies[1]]))


def _may_be_widened(c: Contraction, pack: schedule.PackOp) -> bool:
    """Whether another pack may make a panel in 16 bits of one of this."""
    operand = c.operand(pack.operand.data)
    is_matrix = operand.axes <= {c.own(operand), *c.reduced} and c.own(operand) in operand.axes
    return is_matrix and is_narrow(c, operand, pack.count)


def edited(c: Contraction, tree: schedule.TreeOp, rng: Random) -> schedule.TreeOp:
    """A schedule in which a loop was added, taken away or exchanged, or a stage was moved.

    It may be legal or not: nobody says so.
    """
    tree = tree.clone()
    inner = [op for op in tree.walk() if isinstance(op, schedule.ForOp | schedule.RunOp)]
    loops = [op for op in inner if isinstance(op, schedule.ForOp)]
    runs = [op for op in inner if isinstance(op, schedule.RunOp)]
    pairs = [(a, b) for a in loops for b in a.body.block.ops if isinstance(b, schedule.ForOp)]
    strategies = ["add"] * 3 + ["move"] + ["take away"] * bool(loops) + ["exchange"] * bool(pairs)
    match rng.choice(strategies):
        case "add":
            first = rng.choice(inner)
            assert first.parent is not None
            behind = list(first.parent.ops)[first.parent.get_operation_index(first) :]
            axis = rng.choice([a for a in (c.row, c.column, *c.outer) if a] or [c.chain])
            kinds = ["serial", "parallel", "serial", "unroll", "vector", schedule.ROTATING]
            kind = rng.choice(kinds)
            around = schedule.ForOp.of(axis, rng.choice([1, 2, 3, 4, 8, 16, 32]), kind, [])
            first.parent.insert_op_before(around, first)
            for op in behind[: rng.randint(1, len(behind))]:
                op.detach()
                around.body.block.add_op(op)
        case "take away":
            gone = rng.choice(loops)
            assert gone.parent is not None
            for op in list(gone.body.block.ops):
                op.detach()
                gone.parent.insert_op_before(op, gone)
            gone.detach()
        case "exchange":
            outer, below = rng.choice(pairs)
            outer.properties, below.properties = below.properties, outer.properties
        case _:
            run, to = rng.choice(runs), rng.choice(inner)
            if run is not to and to.parent is not None:
                run.detach()
                to.parent.insert_op_before(run, to)
    return tree
