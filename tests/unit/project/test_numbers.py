"""Numbers about machines stand in the target description, and nowhere else below the graph.

A number that is above 4 where a module, a class or a parameter is given one, or above 16 where
something is compared with it, is an override: it stands here with its reason, or in
``compiler/support/target.py``, ``dialects/order.py``, ``dialects/budgets.py`` or
``compiler/runtime/limits.py``.  Schedules, loops and emission name no number above 1 themselves,
and write no multiple or part of one of the target: such a share has a name and a reason there, too.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from opc.support import target
from opc.support.target import Target
from tests.unit.common import ROOT

pytestmark = pytest.mark.smoke

ROOT = ROOT / "compiler"
FOLDERS = ("graph", "kernels", "loops", "schedule", "emit", "runtime")
LEAST: dict[str, float] = {"schedule": 1, "loops": 1, "emit": 1}
"""Where smaller numbers are overrides, too, and what follows from those of the target."""
OVERRIDES = {
    "loops/cascade.py: MOST_LEVELS": "of a tree over a number of blocks that only a run knows",
    "graph/integer_contractions.py: MOST": "the range of i32",
    "graph/dequantized.py: SCALES": "the range of f32",
    "emit/ctext.py: PRIMARY": "precedences of C",
    "emit/library.py: _TYPES": "widths of types",
    "emit/group_products.py: WIDE": "names of instruction sets",
    "emit/registers.py: _FMA": "names of instructions",
    "emit/prologue.py: LEAST_IS_CONSTANT": "of the check of sizes: any number is right",
    "loops/outline_loops.py: LEAST": "of the C text: what is so short is better read where it is",
    "emit/wrapping.py: COLUMNS": "of the C text",
    "emit/wrapping.py: COMMENT": "of the C text",
    "emit/wrapping.py: NAMED": "of the C text",
    "loops/contraction.py: LEAST": "bytes of f32",
    "loops/place_constants.py: MOST": "of the C text: how long a list of numbers may be",
    "loops/place_constants.py: MOST_IN_ALL": "of the C text",
    "runtime/arguments.py: IN_PLACE": "flags of NumPy",
    "runtime/json_fields.py: _NUMPY_TYPES": "widths of types",
    "runtime/cache.py: zlib.crc32(name.encode()) * limit >= limits.SHARES * size << 32": (
        "the range of a sum of 32 bits"
    ),
    "runtime/seals.py: SIZE": "the digits of a digest",
    "schedule/product_groups.py: STEPS": "products that types have room for",
}
"""The numbers that stand where they are used, and what they are about: at most 20."""
FIELDS = {
    name for name in (*vars(Target), *Target.__dataclass_fields__) if not name.startswith("_")
}
"""The numbers of a machine."""
INTEGERS = {*(1 << bits for bits in (31, 62, 63)), (1 << 63) - 1}
"""Limits of integer types."""
FOLDED = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.LShift: operator.lshift,
    ast.Pow: operator.pow,
}


def _folded(node: ast.AST) -> float | None:
    """What an expression of numbers alone is."""
    match node:
        case ast.Constant(int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.BinOp(left, op, right) if type(op) in FOLDED:
            values = _folded(left), _folded(right)
            return None if None in values else FOLDED[type(op)](*values)
        case _:
            return None


def _numbers(node: ast.AST, least: float) -> Iterator[float]:
    """The numbers in an expression above the least one, but for limits of integer types."""
    if (value := _folded(node)) is not None:
        if abs(value) > least and value not in INTEGERS:
            yield value
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        # A flag of a compiler.
        yield from (n for n in map(int, re.findall(r"^[\w-]+=(\d+)$", node.value)) if n > least)
    elif not isinstance(node, ast.Lambda):
        for inner in ast.iter_child_nodes(node):
            yield from _numbers(inner, least)


def _is_of_bits(node: ast.Compare) -> bool:
    """Whether widths of types are compared."""
    return any(
        isinstance(n, ast.Attribute | ast.Name) and ast.unparse(n).split(".")[-1] == "bits"
        for n in (node.left, *node.comparators)
    )


def _name(target: ast.expr) -> str:
    """The first name that is assigned to."""
    while isinstance(target, ast.Tuple | ast.Subscript):
        target = target.elts[0] if isinstance(target, ast.Tuple) else target.value
    return ast.unparse(target)


def _is_derived(node: ast.AST, constants: set[str]) -> bool:
    """Whether an expression has a number of the target with an operator, as ``2 * STAGED``."""
    return any(
        isinstance(n, ast.Name) and n.id in constants
        for op in ast.walk(node)
        if isinstance(op, ast.BinOp)
        for n in ast.walk(op)
    )


def _leaves(node: ast.AST) -> Iterator[ast.AST]:
    """What is added, multiplied and divided in an expression."""
    if isinstance(node, ast.BinOp):
        yield from (*_leaves(node.left), *_leaves(node.right))
    else:
        yield node


def _is_of_target(node: ast.AST, constants: set[str]) -> bool:
    """Whether a number of the target is in an expression: a constant, or a field of a machine."""
    return any(
        (isinstance(n, ast.Name) and n.id in constants)
        or (
            isinstance(n, ast.Attribute)
            and n.attr in FIELDS
            and ast.unparse(n.value).split(".")[-1] in ("target", "machine")
        )
        for n in _leaves(node)
    )


def _is_scaled(node: ast.AST) -> bool:
    """Whether something is multiplied by a number above 1, or divided by one."""
    return isinstance(node, ast.BinOp) and (
        (
            isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv | ast.LShift | ast.RShift)
            and any((_folded(n) or 0) > 1 for n in (node.left, node.right))
        )
        or _is_scaled(node.left)
        or _is_scaled(node.right)
    )


def _shares(tree: ast.AST, constants: set[str]) -> Iterator[str]:
    """The multiples and parts of numbers of the target, and comparisons of multiples with them."""
    for node in ast.walk(tree):
        if _is_scaled(node) and _is_of_target(node, constants):
            yield ast.unparse(node)
        elif isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(map(_is_scaled, sides)) and any(_is_of_target(n, constants) for n in sides):
                yield ast.unparse(node)


def found(text: str, least: float = 4) -> set[str]:
    """The numbers of a file by the name that is given one, or by what they are compared in.

    Those that are given a name are above the ``least``; below 4, what follows from numbers of the
    target counts, too.
    """
    tree, names = ast.parse(text), set[str]()
    constants = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "opc.support.target"
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Module(body=body) | ast.ClassDef(body=body):
                for each in body:
                    match each:
                        case ast.Assign(targets=[to, *_], value=value):
                            given = [to, value]
                        case ast.AnnAssign(target=to, value=value) if value is not None:
                            given = [value]
                        case _:
                            continue
                    if any(number for e in given for number in _numbers(e, least)) or (
                        least < 4 and any(_is_derived(e, constants) for e in given)
                    ):
                        names.add(_name(to))
            case ast.arguments():
                for default in (*node.defaults, *filter(None, node.kw_defaults)):
                    if any(_numbers(default, 4)):
                        names.add(ast.unparse(node))
            case ast.Compare() if any(_numbers(node, 16)) and not _is_of_bits(node):
                names.add(ast.unparse(node))
            case _:
                pass
    return names | set(_shares(tree, constants) if least < 4 else ())


def test_numbers_about_machines_stand_in_one_place() -> None:
    everywhere = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        for name in found(
            path.read_text(encoding="utf-8"),
            LEAST.get(folder, 4),
        )
        if path != ROOT / "runtime/limits.py"
    }
    assert everywhere == OVERRIDES.keys()
    assert len(OVERRIDES) <= 20


@pytest.mark.parametrize(
    "planted",
    [
        "TILE = 8",
        "TILE: int = 64",
        "TILES = {4: (128, 96)}",
        "TILE = 1 << 16",
        "TILE = -12",
        "LOADS = 4.5",
        "class Tile:\n    rows = 14",
        'FLAGS = ("--param", "max-unroll-times=8")',
        "def tile(rows: int = 14) -> int:\n    return rows",
        "def tile(rows: int, *, columns: int = 32) -> int:\n    return rows",
        "def pays(n: int) -> bool:\n    return n >= 32",
        "def pays(n: int) -> bool:\n    return n * 4 < 1 << 15",
        "def pays(n: int) -> bool:\n    return 4 < n < 100 and n % 2 == 0",
    ],
)
def test_a_planted_number_is_found(planted: str) -> None:
    assert found(f"from opc.support.target import VECTOR\n\nSHORT = 2 * VECTOR\n\n\n{planted}\n")


@pytest.mark.parametrize("planted", ["FEW = 3", "MOST = 2 * VECTOR", "MOST = (1, VECTOR // 2)"])
def test_a_planted_number_of_a_schedule_is_found(planted: str) -> None:
    text = f"from opc.support.target import VECTOR\n\n{planted}\n"
    assert found(text, 1) and not found(text)


@pytest.mark.parametrize(
    "planted",
    [
        "n < VECTOR // 2",
        "size % (2 * VECTOR)",
        "room = target.l2 // 4 * 3 - seen",
        "rows * size > self.machine.l2 >= 2 * length * size",
        "2 * size <= target.l1",
    ],
)
def test_a_planted_share_of_the_target_is_found(planted: str) -> None:
    text = f"from opc.support.target import VECTOR\n\n\ndef f():\n    {planted}\n"
    assert found(text, 1) and not found(text)


@pytest.mark.parametrize("allowed", ["target.l1 - seen", "size <= target.half_l1", "n // VECTOR"])
def test_names_for_shares_are_none(allowed: str) -> None:
    assert not found(f"from opc.support.target import VECTOR\n\n\ndef f():\n    {allowed}\n", 1)


@pytest.mark.parametrize("allowed", ["MOST = VECTOR", "LAST = -1", "ROOM = {1: VECTOR}"])
def test_names_for_numbers_of_the_target_are_none(allowed: str) -> None:
    assert not found(f"from opc.support.target import VECTOR\n\n{allowed}\n", 1)


@pytest.mark.parametrize(
    "allowed",
    [
        "SHORT = 2 * VECTOR",
        "FEW = 3",
        "def is_wide(type: ElementType) -> bool:\n    return type.bits >= 64",
        "def is_small(n: int) -> bool:\n    return n < 1 << 31",
        "def is_vector(n: int) -> bool:\n    return n == 16",
        'NAME = "avx512"',
        "IS_ON = True",
    ],
)
def test_other_numbers_are_none(allowed: str) -> None:
    assert not found(allowed)


def test_the_numbers_of_the_target_have_their_reasons() -> None:
    """Each is followed by a sentence; what is derived changes with what it is derived from."""
    text = Path(target.__file__).read_text(encoding="utf-8")
    body = ast.parse(text).body
    for each, behind in pairwise(body):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)]) if not name.startswith("_"):
                assert name == "KIB" or isinstance(behind, ast.Expr), name
            case _:
                pass


def test_the_pool_has_the_numbers_of_the_target() -> None:
    from opc.emit.threads import pool

    assert f"#define OPC_MOST_THREADS {target.THREADS}\n" in pool()
    assert f"#define OPC_CHUNKS {target.PIECES} " in pool()
    assert "@" not in pool()
