"""opc.contract against NumPy, and compiled against the order of its sums."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import opc
import opc.numpy as onp
from opc.api.driver import load
from opc.dialects import element as el
from opc.dialects.registry import context
from opc.errors import ArgumentError, UnsupportedError
from opc.frontend.mlir.reader import select_function
from opc.frontend.python.builder import trace
from opc.interpret.graph import evaluate
from opc.interpret.tolerance import numeric
from opc.passes import pipeline
from tests.unit.common.contraction_graphs import bits, oracle
from tests.unit.common.tolerance import contract_bound

pytestmark = [pytest.mark.level("-O0"), pytest.mark.sample(16)]

TYPES: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i64": np.int64,
    "i8": np.int8,
    "ui16": np.uint16,
    "i1": np.bool_,
}


class Case(NamedTuple):
    """An equation, and the shapes of its operands; extents of labels are those in ``names``."""

    equation: str
    shapes: list[list[int]]

    @property
    def terms(self) -> list[str]:
        return self.equation.partition("->")[0].split(",")

    @property
    def result(self) -> str:
        return self.equation.partition("->")[2]

    @property
    def extents(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for term, shape in zip(self.terms, self.shapes, strict=True):
            for label, n in zip(term, shape, strict=True):
                found[label] = n if found.get(label, 1) == 1 else found[label]
        return found


def drawn(rng: Random, work: int) -> Case:
    """Any equation: diagonals, sums of one operand, outer products, and stretched operands."""
    labels = rng.sample("abcdxyzABXYZ", rng.randint(1, 5))
    extents = {label: rng.choice((0, 1, 2, 3, 3, 4, 5, 7, 17, 40)) for label in labels}
    while np.prod([max(n, 1) for n in extents.values()]) > work:
        extents[rng.choice(labels)] = rng.choice((1, 2, 3))
    terms = ["".join(rng.choices(labels, k=rng.randint(0, 4))) for _ in range(rng.randint(1, 4))]
    shapes = [[extents[label] for label in term] for term in terms]
    for term, shape in zip(terms, shapes, strict=True):
        for k, label in enumerate(term):
            if rng.random() < 0.1 and term.count(label) == 1 and extents[label] != 1:
                shape[k] = 1
    used = sorted(set("".join(terms)))
    result = "".join(rng.sample(used, rng.randint(0, len(used))))
    return Case(f"{','.join(terms)}->{result}", shapes)


def tensor(shape: Sequence[int | str], type: str) -> str:
    if all(isinstance(e, int) for e in shape):
        return f"tensor<{''.join(f'{n}x' for n in shape)}{type}>"
    extents = "".join(f"{e}x" if isinstance(e, int) else "?x" for e in shape)
    return f"tensor<{extents}{type}, #opc.dims<{', '.join(map(str, shape))}>>"


def text_of(cases: Sequence[Case], type: str, names: str = "none") -> str:
    """A function of several of them.

    Extents are known, or those of labels have one name, or each has a name of its own; what is
    stretched is always known.
    """
    args, lines, results = list[str](), list[str](), list[str]()
    for number, case in enumerate(cases):
        extents, first = case.extents, dict[str, int | str]()
        own: list[str] = []
        for k, (term, shape) in enumerate(zip(case.terms, case.shapes, strict=True)):
            named = list[int | str](shape)
            for j, label in enumerate(term):
                if names != "none" and (shape[j] != 1 or extents[label] == 1):
                    named[j] = f"N{label}{number}" + (f"p{k}p{j}" if names == "all" else "")
                if shape[j] == extents[label]:
                    first.setdefault(label, named[j])
            own.append(f"%x{number}_{k}")
            args.append(f"{own[-1]}: {tensor(named, type)}")
        lines.append(
            f'  %r{number} = opc.contract {", ".join(own)} {{equation = "{case.equation}"}}'
        )
        results.append(tensor([first[label] for label in case.result], type))
    listed = ", ".join(results)
    return f"""func.func @main({", ".join(args)}) -> ({listed}) {{
{chr(10).join(lines)}
  func.return {", ".join(f"%r{k}" for k in range(len(cases)))} : {listed}
}}"""


def values(case: Case, type: str, rng: np.random.Generator) -> list[Any]:
    if type == "i1":
        return [rng.random(shape) < 0.3 for shape in case.shapes]
    if el.BY_NAME[type].is_integer:
        info = np.iinfo(TYPES[type])
        return [rng.integers(info.min, info.max, s, TYPES[type]) for s in case.shapes]
    return [np.asarray(rng.standard_normal(s)).astype(TYPES[type]) for s in case.shapes]


def check(case: Case, arrays: Sequence[Any], result: Any, type: str) -> None:
    """The result is near that of NumPy in more digits; of integers and booleans it is that."""
    assert result.shape == tuple(case.extents[label] for label in case.result)
    if not el.BY_NAME[type].is_float:
        np.testing.assert_array_equal(result, np.einsum(case.equation, *arrays), strict=True)
        return
    exact = np.asarray(np.einsum(case.equation, *map(numeric, arrays)))
    bound = contract_bound(arrays, el.BY_NAME[type], case.equation)
    if result.itemsize == 2:
        bound = bound + np.abs(exact) * (2.0**-11 if type == "f16" else 2.0**-8) + 2.0**-25
    assert (np.abs(numeric(result) - exact) <= bound).all()


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("seed", range(8))
def test_drawn_equations(seed: int, type: str) -> None:
    rng, numbers = Random(f"{seed} {type}"), np.random.default_rng(seed)
    for _ in range(12):
        case = drawn(rng, 3000 if type == "f64" else 30_000)
        arrays = values(case, type, numbers)
        expected = [
            evaluate(select_function(load(text_of([case], type, names)), None), arrays)
            for names in ("none", "labels", "all")
        ]
        check(case, arrays, expected[0][0], type)
        for other in expected[1:]:
            check(case, arrays, other[0], type)


@pytest.mark.sample(32)
@pytest.mark.parametrize("names", ["none", "labels", "all"])
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("seed", range(2))
def test_compiled_equations(seed: int, type: str, names: str) -> None:
    rng, numbers = Random(f"{seed} {type} compiled"), np.random.default_rng(seed)
    cases = [drawn(rng, 300 if type == "f64" else 5000) for _ in range(4)]
    arrays = [values(case, type, numbers) for case in cases]
    given = [array for each in arrays for array in each]
    text = text_of(cases, type, names)
    found = opc.compile(text)(*given)
    assert bits(found) == oracle(text, given)
    for case, operands, result in zip(cases, arrays, found, strict=True):
        check(case, operands, result, type)


@pytest.mark.parametrize(
    ("equation", "product"),
    [
        ("ij,jk->ik", "%r = opc.matmul %x, %y"),
        ("ij,jk->ki", "%p = opc.matmul %x, %y\n%r = opc.transpose %p {permutation = [1, 0]}"),
    ],
)
def test_it_has_the_bits_of_a_product_of_matrices(equation: str, product: str) -> None:
    rng = np.random.default_rng(4)
    x, y = (rng.standard_normal(s).astype(np.float32) for s in ((9, 1100), (1100, 7)))
    result = "7x9" if equation.endswith("ki") else "9x7"
    head = (
        f"func.func @main(%x: tensor<9x1100xf32>, %y: tensor<1100x7xf32>) -> tensor<{result}xf32>"
    )
    ends = f"func.return %r : tensor<{result}xf32>"
    lines = f'%r = opc.contract %x, %y {{equation = "{equation}"}}'
    expected = oracle(f"{head} {{\n{product}\n{ends}\n}}", [x, y])
    text = f"{head} {{\n{lines}\n{ends}\n}}"
    assert oracle(text, [x, y]) == expected
    assert bits([opc.compile(text)(x, y)]) == expected


def test_the_sum_of_f16_is_rounded_once() -> None:
    case = Case("i,i,i->", [[2], [2], [2]])
    arrays = [np.asarray(a, np.float16) for a in ([300, 1.001], [300, 1.001], [2**-6, 1])]
    (result,) = evaluate(select_function(load(text_of([case], "f16")), None), arrays)
    exact = np.einsum("i,i,i->", *(a.astype(np.float64) for a in arrays))
    # 300 * 300 is no number of f16.
    assert result == np.float16(exact) and np.isfinite(result)


def test_operands_are_combined_from_the_left() -> None:
    """What only the first two operands have is summed before the third is there."""
    case = Case("ij,j,i->i", [[1, 3], [3], [1]])
    arrays = [np.asarray(a, np.float32) for a in ([[1e30, -1e30, 1]], [1, 1, 1], [1e30])]
    (found,) = evaluate(select_function(load(text_of([case], "f32")), None), arrays)
    np.testing.assert_array_equal(found, arrays[2])


@pytest.mark.parametrize(
    ("equation", "shapes", "result", "message"),
    [
        ("ij,jk->ik", [(2, 3), (4, 5)], ["N00", "N11"], "contracted extents of axis 'j' differ"),
        ("ij,jk->ik", [(2, 1), (4, 5)], ["N00", "N11"], "contracted extents of axis 'j' differ"),
        ("i,i->i", [(3,), (1,)], ["N00"], "contracted extents of axis 'i' differ"),
        ("ii->i", [(2, 3)], ["N00"], "extents of the diagonal 'i' differ"),
    ],
)
def test_unknown_extents_must_be_equal(
    equation: str, shapes: list[tuple[int, ...]], result: list[str], message: str
) -> None:
    """One that turns out to be 1 is not stretched: a label has one extent in the compiled code."""
    types = [tensor([f"N{k}{j}" for j in range(len(s))], "f32") for k, s in enumerate(shapes)]
    args = [f"%x{k}: {type}" for k, type in enumerate(types)]
    type = tensor(result, "f32")
    text = f"""func.func @main({", ".join(args)}) -> {type} {{
  %r = opc.contract {", ".join(f"%x{k}" for k in range(len(shapes)))} {{equation = "{equation}"}}
  func.return %r : {type}
}}"""
    arrays = [np.ones(shape, np.float32) for shape in shapes]
    with pytest.raises(ArgumentError, match=message):
        opc.compile(text)(*arrays)
    module = load(text)
    with pytest.raises(ArgumentError, match=r"contracted extents|extents of a diagonal"):
        evaluate(select_function(module, None), arrays)
    pipeline.run(module, context(), pipeline.passes("graph"))
    with pytest.raises(ArgumentError, match=message):
        evaluate(select_function(module, None), arrays)


def test_traced_functions_have_one_operator() -> None:
    def layer(x: Any, y: Any) -> Any:
        return onp.einsum("...ij,...jk", x, y), np.tensordot(x, y, ([2], [1])), np.inner(x, x)

    text = str(trace(layer, [opc.spec("f32", [2, 3, 4]), opc.spec("f32", [2, 4, 5])]))
    assert text.count("opc.contract") == 3
    assert not any(name in text for name in ("matmul", "transpose", "reshape", "mul"))


def test_there_are_letters_for_52_axes() -> None:
    terms = ["abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJKLMNOPQRSTUV", "..."]
    operands = [opc.spec("f32", [1] * 16) for _ in range(3)]

    def layer(w: Any, x: Any, y: Any, z: Any) -> Any:
        return onp.einsum(",".join(terms) + "->...", w, x, y, z)

    made = trace(layer, [*operands, opc.spec("f32", [1] * 4)])
    assert f'"{",".join(terms[:3])},WXYZ->WXYZ"' in str(made)
    with pytest.raises(UnsupportedError, match="53 axes"):
        trace(layer, [*operands, opc.spec("f32", [1] * 5)])


@pytest.mark.parametrize("equation", ["bij,bjk->bik", "bij,bkj->bki", "ij,kj->ki"])
def test_of_dequantized_values(equation: str) -> None:
    """The sum of integers is exact, and rounded when it is scaled."""
    extents = {"b": 3, "i": 4, "j": 30, "k": 5}
    terms, result = equation.partition("->")[0].split(","), equation.partition("->")[2]
    x, w, y = ([extents[label] for label in term] for term in (*terms, result))
    text = f"""
func.func @main(%a: {tensor(x, "ui8")}, %b: {tensor(w, "i8")}) -> {tensor(y, "f32")} {{
  %z = opc.constant dense<131> : tensor<ui8>
  %sa = opc.constant dense<0.017> : tensor<f32>
  %sb = opc.constant dense<0.3> : tensor<f32>
  %0 = opc.cast %a : {tensor(x, "ui8")} -> {tensor(x, "f32")}
  %1 = opc.cast %z : tensor<ui8> -> tensor<f32>
  %2 = opc.sub %0, %1
  %x = opc.mul %2, %sa
  %3 = opc.cast %b : {tensor(w, "i8")} -> {tensor(w, "f32")}
  %w = opc.mul %3, %sb
  %r = opc.contract %x, %w {{equation = "{equation}"}}
  func.return %r : {tensor(y, "f32")}
}}"""
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 256, x).astype(np.uint8), rng.integers(-128, 128, w).astype(np.int8)
    total = np.einsum(equation, a.astype(np.int64) - 131, b.astype(np.int64)).astype(np.float32)
    expected = total * (np.float32(0.3) * np.float32(0.017))
    np.testing.assert_array_equal(opc.compile(text)(a, b), expected, strict=True)
