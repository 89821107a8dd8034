"""MLIR text: what is read, and that everything else is refused in one message with a place."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.dialects.element import ELEMENTS, ElementType
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.unary import ExpOp
from opc.dialects.registry import context
from opc.errors import InputError, OpcError, UnsupportedError, UsageError
from opc.frontend.mlir import reader
from opc.frontend.mlir.parser import LocatingParser
from opc.frontend.mlir.reader import parse_module, read_module, select_function
from opc.frontend.verify import check_ssa, verify
from opc.support.locations import location_of
from tests.unit.common import ROOT


def with_body(body: str) -> str:
    return (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        f"  {body}\n"
        "  return %r : tensor<4xf32>\n"
        "}\n"
    )


GOOD = with_body("%r = opc.exp %x")


def test_operations_have_their_place() -> None:
    module = parse_module("\n" + GOOD, "graph.mlir")
    places = {op.name: location_of(op) for op in module.walk()}
    assert places == {
        "builtin.module": "",
        "func.func": "graph.mlir:2:1",
        "opc.exp": "graph.mlir:3:3",
        "func.return": "graph.mlir:4:3",
    }


def test_several_functions_need_no_module() -> None:
    text = GOOD + GOOD.replace("@main", "@other")
    assert len(list(parse_module(text).body.ops)) == 2
    assert len(list(parse_module(f"module {{\n{text}}}").body.ops)) == 2


def test_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "graph.mlir"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert isinstance(read_module(path), ModuleOp)


BAD: dict[str, tuple[str, str, type[OpcError]]] = {
    "empty": ("", "1:1", InputError),
    "only comments": ("\n// nothing\n", "3:1", InputError),
    "cut off": ("func.func @main(", "1:17", InputError),
    "unterminated string": (with_body('%r = opc.exp %x {a.b = "x\n'), "2:26", InputError),
    "unknown operation": (with_body("%r = opc.sqroot %x"), "2:8", InputError),
    "unknown dialect": (with_body("%r = arith.addf %x, %x : f32"), "2:8", InputError),
    "no dialect": (with_body("%r = exp %x"), "2:8", InputError),
    "unregistered attribute": (with_body("%r = opc.exp %x {a.b = #c.d}"), "2:3", InputError),
    "forward reference": (
        with_body("%r = opc.exp %y : tensor<4xf32> -> tensor<4xf32>\n  %y = opc.exp %x"),
        "2:16",
        InputError,
    ),
    "never defined": (with_body("%r = opc.exp %nothing"), "2:16", InputError),
    "defined twice": (with_body("%r = opc.exp %x\n  %r = opc.exp %x"), "3:3", InputError),
    "wrong operand type": (
        with_body("%r = opc.exp %x : tensor<5xf32> -> tensor<5xf32>"),
        "2:16",
        InputError,
    ),
    "wrong result type": (
        with_body("%r = opc.exp %x : tensor<4xf32> -> tensor<5xf32>"),
        "2:3",
        InputError,
    ),
    "wrong return type": (
        "func.func @f(%x: tensor<4xf32>) -> tensor<5xf32> {\n return %x : tensor<4xf32> }",
        "2:2",
        InputError,
    ),
    "defined in another function": (
        GOOD + GOOD.replace("@main", "@f").replace("%x: ", "%y: "),
        "6:16",
        InputError,
    ),
    "two functions of one name": (GOOD + GOOD, "5:1", InputError),
    "no function": ("module {\n}", "1:1", InputError),
    "no return": ("func.func @f(%x: tensor<4xf32>) {\n %y = opc.exp %x }", "1:1", InputError),
    "return in the middle": (
        with_body("return %x : tensor<4xf32>\n  %r = opc.exp %x"),
        "2:3",
        InputError,
    ),
    "call": (
        with_body("%r = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>"),
        "2:3",
        UnsupportedError,
    ),
    "blocks": (with_body("%r = opc.exp %x\n ^next:"), "1:1", UnsupportedError),
    "declaration": ("func.func private @f(tensor<4xf32>) -> ()", "1:1", UnsupportedError),
    "module in module": (f"module {{\n module {{ {GOOD} }} }}", "2:2", UnsupportedError),
    "scalar argument": ("func.func @f(%x: f32) { return }", "1:1", UnsupportedError),
    "unranked argument": ("func.func @f(%x: tensor<*xf32>) { return }", "1:1", UnsupportedError),
    "element type": ("func.func @f(%x: tensor<4xi3>) { return }", "1:1", UnsupportedError),
    "rank": (f"func.func @f(%x: tensor<{'1x' * 17}f32>) {{ return }}", "1:1", UnsupportedError),
    "size": (
        "func.func @f(%x: tensor<99999999999x99999999999xf32>) { return }",
        "1:1",
        UnsupportedError,
    ),
    "extent": (
        "func.func @f(%x: tensor<0x99999999999999999999xf32>) { return }",
        "1:27",
        InputError,
    ),
    "large splat": (
        with_body("%r = opc.constant dense<0.0> : tensor<99999999999xf32>"),
        "2:34",
        InputError,
    ),
    "large hexadecimal splat": (
        with_body('%r = opc.constant dense<"0x00000000"> : tensor<99999999999xf32>'),
        "2:43",
        InputError,
    ),
    "splat out of range": (
        with_body("%r = opc.constant dense<1.0e39> : tensor<4xf32>"),
        "2:27",
        InputError,
    ),
    "list out of range": (
        with_body("%r = opc.constant dense<[1.0e39]> : tensor<1xf32>"),
        "2:26",
        InputError,
    ),
    "wide bits": (
        with_body("%r = opc.constant dense<0x123456789> : tensor<4xf32>"),
        "2:27",
        InputError,
    ),
    "wide integer": (with_body("%r = opc.exp %x {a.b = 1 : i99999999999}"), "2:30", InputError),
    "digits": (with_body(f"%r = opc.reduce_sum %x {{axes = [{'9' * 10000}]}}"), "2:35", InputError),
    "digits of an extent": (
        with_body(f"%r = opc.exp %x : tensor<{'9' * 10000}xf32>"),
        "2:28",
        InputError,
    ),
    "digits of a fraction": (
        with_body(f"%r = opc.elu %x {{alpha = {'9' * 10000}.0}}"),
        "2:28",
        InputError,
    ),
    "digits of a result": (with_body(f"%r = opc.exp %x#{'9' * 10000}"), "2:3", InputError),
    "other digits": (with_body("%r = opc.reduce_sum %x {axes = [²]}"), "2:3", InputError),
    "nested lists": (with_body(f"%r = opc.exp %x {{a.b = {'[' * 5000}"), "2:", InputError),
    "nested elements": (with_body(f"%r = opc.constant dense<{'[' * 5000}"), "2:", InputError),
    "nested types": (with_body(f"%r = opc.exp %x : {'tuple<' * 5000}"), "2:", InputError),
    "nested modules": ("module {" * 5000, "1:513", InputError),
    "nested extents": (with_body(f"%r = opc.extent <{'(' * 5000}"), "2:", InputError),
    "nested locations": (with_body(f"%r = opc.exp %x loc({'callsite(' * 5000}"), "2:", InputError),
    "control character": ("\x00", "1:1", InputError),
    "function without anything": ('"func.func"() : () -> ()', "1:1", InputError),
    "module without anything": ('"builtin.module"() : () -> ()', "1:1", InputError),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_text(name: str) -> None:
    text, place, kind = BAD[name]
    start = time.perf_counter()
    with pytest.raises(OpcError) as caught:
        parse_module(text, "graph.mlir")
    assert type(caught.value) is kind
    assert str(caught.value).startswith(f"graph.mlir:{place}"), str(caught.value)
    assert time.perf_counter() - start < 2
    assert len(str(caught.value)) < 1000
    assert all(line.isprintable() for line in str(caught.value).splitlines())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%r = opc.extent <mod(N, 0)>", "found mod by 0, expected by 1 or more"),
        ("%r = opc.extent <floordiv(N, -4)>", "found floordiv by -4, expected by 1 or more"),
        ("%r = opc.exp %x -1", "expected an operation or '}'"),
    ],
)
def test_message_says_what_is_wrong(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_module(with_body(line))


def test_message_shows_the_line() -> None:
    with pytest.raises(InputError) as caught:
        parse_module(with_body("%r = opc.sigmoyd %x"), "graph.mlir")
    assert str(caught.value).splitlines() == [
        "graph.mlir:2:8: error: unknown operation opc.sigmoyd; did you mean opc.sigmoid?",
        "    %r = opc.sigmoyd %x",
        "         ^^^^^^^^^^^",
    ]


def test_unterminated_string_is_refused_in_linear_time() -> None:
    start = time.perf_counter()
    with pytest.raises(InputError):
        parse_module('"' + "a" * 1_000_000)
    assert time.perf_counter() - start < 2


def test_mutated_text_never_escapes() -> None:
    """Tokens dropped, doubled, swapped or replaced: accepted, or a typed error with a place."""
    rng = random.Random(1)
    texts = [p.read_text() for p in sorted((ROOT / "tests/lit/opc").glob("*.mlir"))]
    pieces = [f for text in texts for f in text.split("// CHECK-LABEL")[1:]]
    junk = ["", "(", ")", "<", ">", "]", "-", "0x", '"', "%", "#", "?", "i64", "1.0", "-1", "dense"]
    for _ in range(400):
        piece = "//" + rng.choice(pieces)
        words = piece.replace("(", " ( ").replace("<", " < ").replace(",", " , ").split(" ")
        for _ in range(rng.randint(1, 3)):
            k = rng.randrange(len(words))
            words[k] = rng.choice([*junk, rng.choice(words), words[k] * 2])
        try:
            parse_module(" ".join(words), "graph.mlir")
        except OpcError as error:
            assert error.location.startswith("graph.mlir:"), str(error)


def test_same_values_are_read_again() -> None:
    """Infinities, NaN and -0 too: xDSL reads the bits that it prints for them as a number."""
    rng = np.random.default_rng(1)
    for type in ELEMENTS:
        for array in special_values(type, rng):
            text = str(ModuleOp([ConstantOp.of(array, type)]))
            (op,) = LocatingParser(context(), text, "graph.mlir").parse().body.ops
            assert isinstance(op, ConstantOp)
            assert op.array().dtype == array.dtype
            wide = np.float64 if type.is_float else array.dtype
            with np.errstate(invalid="ignore"):  # signalling NaN
                found, wanted = op.array().astype(wide), array.astype(wide)
            np.testing.assert_array_equal(found, wanted, strict=True)
            if type.is_float:
                np.testing.assert_array_equal(np.signbit(op.array()), np.signbit(array))


def special_values(type: ElementType, rng: np.random.Generator) -> list[np.ndarray[Any, Any]]:
    bits = rng.integers(0, 256, 300 * type.bytes, dtype=np.uint8)
    if type.bits == 1:
        many = (bits & 1).astype(np.bool_)
    else:
        many = np.frombuffer(bits.tobytes(), type.dtype)
    arrays = [many[:0].reshape(0, 3), many[:1].reshape(()), many[:6].reshape(2, 3), many[:300]]
    arrays.append(np.repeat(many[:1], 5))
    if type.is_float:
        special = np.array([np.inf, -np.inf, np.nan, -0.0, 0.0], type.dtype)
        arrays += [special, special[:1].reshape(()), np.repeat(special[2:3], 4)]
    return arrays


def test_use_before_definition_in_built_modules() -> None:
    module = parse_module(with_body("%0 = opc.exp %x\n  %r = opc.exp %0"), "graph.mlir")
    first, second = (op for op in module.walk() if isinstance(op, ExpOp))
    first.detach()
    assert second.parent is not None
    second.parent.insert_op_after(first, second)
    with pytest.raises(InputError, match=r"graph.mlir:3:3: .*used before its definition"):
        check_ssa(module)


def test_use_of_another_functions_value() -> None:
    module = parse_module(GOOD + GOOD.replace("@main", "@f"))
    first, second = (op for op in module.walk() if isinstance(op, ExpOp))
    second.operands[0] = first.operands[0]
    with pytest.raises(InputError, match="used before its definition"):
        check_ssa(module)
    with pytest.raises(InputError):
        verify(module)


def test_verifying_does_not_print_the_module() -> None:
    """xDSL attaches the whole module to the exception."""
    text = '%r = "opc.exp"(%x) {alpha = 1.0} : (tensor<4xf32>) -> tensor<4xf32>'
    with pytest.raises(InputError) as caught:
        parse_module(with_body(text))
    assert not getattr(caught.value.__cause__, "__notes__", [])


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin = tmp_path / "latin.mlir"
    latin.write_bytes(b"// fine\n// \xe9\n")
    with pytest.raises(InputError, match=r"latin.mlir:2:4: error: not UTF-8 text: byte 0xe9"):
        read_module(latin)
    with pytest.raises(InputError, match=r"none.mlir: error: cannot be read: No such file"):
        read_module(tmp_path / "none.mlir")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_module(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_module("a\0b")
    with pytest.raises(InputError, match="not a file"):
        read_module("/dev/zero")
    if os.geteuid() != 0:
        latin.chmod(0)
        with pytest.raises(InputError, match="cannot be read: Permission denied"):
            read_module(latin)


def test_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(GOOD)
    monkeypatch.setattr(reader, "MAX_BYTES", 10)
    with pytest.raises(InputError, match="larger than 10 bytes"):
        read_module(path)


def test_select_function() -> None:
    one = parse_module(GOOD.replace("@main", "@only"))
    assert select_function(one).sym_name.data == "only"
    two = parse_module(GOOD + GOOD.replace("@main", "@b"))
    assert select_function(two).sym_name.data == "main"
    assert isinstance(select_function(two, "b"), FuncOp)
    with pytest.raises(UsageError, match="no function 'c'; the module has: main, b"):
        select_function(two, "c")
    neither = parse_module(GOOD.replace("@main", "@a") + GOOD.replace("@main", "@b"))
    with pytest.raises(UsageError, match="none is called main and there are 2: a, b"):
        select_function(neither)
