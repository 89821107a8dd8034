"""Attacks by MLIR text."""

from __future__ import annotations

import hashlib

from . import (
    INPUT,
    LOWERED,
    UNSUPPORTED,
    Attack,
    Content,
    device,
    link,
    odd,
    pipe,
    second_name,
    sparse,
)

T = "tensor<4xf32>"


def graph(body: str, argument: str = T, result: str = T) -> str:
    """A function of one argument and one result, ``%y``."""
    return (
        f"func.func @main(%x: {argument}) -> {result} {{\n{body}\nfunc.return %y : {result}\n}}\n"
    )


def typed(type: str) -> str:
    """A function that does nothing over a type."""
    return graph(f"%y = opc.identity %x : {type} -> {type}", type, type)


def blob(file: str, offset: str = "0", size: str = "8192", digest: str | None = None) -> str:
    """A constant that lies in a file."""
    digest = hashlib.sha256(bytes(8192)).hexdigest() if digest is None else digest
    type = "tensor<2048xf32>"
    value = f'#opc.blob<{type}, "{file}", {offset}, {size}, "{digest}">'
    return f"func.func @main() -> {type} {{\n%y = opc.constant {value}\nfunc.return %y : {type}\n}}"


LAUGHS = "".join(f"#a{k + 1} = [#a{k}, #a{k}]\n" for k in range(60))
NAN = "opc.constant dense<0x7FC00000> : tensor<f32>"

TEXTS: dict[str, tuple[Content, str, str]] = {
    # bytes and encodings
    "byte order mark alone": (b"\xef\xbb\xbf", INPUT, "nothing but blanks"),
    "byte order mark before a graph": (b"\xef\xbb\xbf" + typed(T).encode(), LOWERED, ""),
    "UTF-16": (typed(T).encode("utf-16"), INPUT, "not UTF-8 text"),
    "byte that is no UTF-8": (b"func.func @\xff", INPUT, "byte 0xff"),
    "NUL": (typed(T).replace("@main", "@ma\0in"), INPUT, "Unexpected character: \\x00"),
    "NUL at the end": (typed(T) + "\0", INPUT, "Unexpected character: \\x00"),
    "control characters": (typed(T).replace("%x", "%\x1b[2J"), INPUT, "expected a name behind '%'"),
    "text in another direction": (typed(T).replace("@main", '@"\u202emain"'), LOWERED, ""),
    "machine code": (b"\x7fELF" + bytes(range(256)) * 8, INPUT, "not UTF-8 text"),
    "blanks": (" " * (4 << 20), INPUT, "nothing but blanks"),
    "comments": ("// x\n" * 400_000, INPUT, "nothing but blanks"),
    "larger than any graph": (sparse((1 << 28) + 1), INPUT, "it is larger than 268435456 bytes"),
    "zeros": (sparse(1 << 20), INPUT, "Unexpected character: \\x00"),
    # strings, numbers and names without end
    "string without end": ('func.func @"main', INPUT, "does not end on its line"),
    "string with an unknown escape": ('func.func @"\\q"', INPUT, "unknown escape"),
    "string of a megabyte": (typed(T).replace("@main", f'@"{"a" * (1 << 20)}"'), LOWERED, ""),
    "name of a megabyte": (typed(T).replace("@main", "@" + "a" * (1 << 20)), LOWERED, ""),
    "number of a million digits": (typed(f"tensor<{'9' * 10**6}xf32>"), INPUT, "is too long"),
    "float that is too large": (
        graph("%y = opc.constant dense<1.0e999999999> : tensor<4xf32>"),
        INPUT,
        "no float type can hold this number",
    ),
    "hexadecimal digits without end": (
        graph(f'%y = opc.constant dense<"0x{"F" * (1 << 20)}"> : tensor<4xf32>'),
        INPUT,
        "Expected 4 elements",
    ),
    # nesting
    "parentheses in parentheses": ("(" * 200_000, INPUT, "Could not parse entire input"),
    "lists in lists": (
        graph(f"%y = opc.exp %x {{a = {'[' * 100_000}}}"),
        INPUT,
        "nested too deeply",
    ),
    "dictionaries in dictionaries": (
        graph(f"%y = opc.exp %x {'{a = ' * 50_000}"),
        INPUT,
        "nested too deeply",
    ),
    "types in types": (
        graph(f"%y = opc.exp %x : {'tensor<4x' * 50_000}"),
        INPUT,
        "nested too deeply",
    ),
    "functions in functions": ("func.func @f() {\n" * 20_000, INPUT, "nested more than 64 deep"),
    "modules in modules": ("builtin.module {\n" * 20_000, INPUT, "nested more than 64 deep"),
    "brackets that close nothing": (")" * 10_000, INPUT, "Could not parse entire input"),
    "factors in parentheses": (
        graph(f"%y = opc.exp %x : tensor<?xf32, #opc.dims<{'(' * 50_000}N>>"),
        INPUT,
        "nested too deeply",
    ),
    "lists doubled by aliases": (
        LAUGHS + graph("%y = opc.exp %x {a = #a60}"),
        INPUT,
        "undefined symbol alias",
    ),
    "alias of itself": (
        "#a = [#a]\n" + graph("%y = opc.exp %x {a = #a}"),
        INPUT,
        "undefined symbol alias '#a'",
    ),
    "type alias of itself": (
        "!a = tensor<4x!a>\n" + typed("!a"),
        INPUT,
        "undefined symbol alias '!a'",
    ),
    # extents
    "extent of 2^63": (typed(f"tensor<{2**63}xf32>"), INPUT, "extent exceeds 2^48"),
    "extent of 2^62": (typed(f"tensor<{2**62}xf32>"), INPUT, "extent exceeds 2^48"),
    "product of extents that is 0 in 64 bits": (
        typed("tensor<4294967296x4294967296xf32>"),
        UNSUPPORTED,
        "needs more than 2^48 bytes",
    ),
    "product of extents that is 4 in 64 bits": (
        typed("tensor<4611686018427387905x4xi8>"),
        INPUT,
        "extent exceeds 2^48",
    ),
    "no elements of a huge shape": (
        typed(f"tensor<0x{2**62}x{2**62}xf32>"),
        INPUT,
        "extent exceeds 2^48",
    ),
    "negative extent": (typed("tensor<-4xf32>"), INPUT, "Expected shape type"),
    "rank 100000": (typed(f"tensor<{'1x' * 100_000}f32>"), INPUT, "rank exceeds 16"),
    "unknown rank": (typed("tensor<*xf32>"), UNSUPPORTED, "expected a ranked tensor"),
    "names of extents of another rank": (
        typed("tensor<?xf32, #opc.dims<N, M>>"),
        INPUT,
        "does not describe 1 axes",
    ),
    "name of an extent that is C": (
        typed('tensor<?xf32, #opc.dims<"*/ evil">>'),
        INPUT,
        "identifier expected",
    ),
    "extent that is a keyword": (typed("tensor<?xf32, #opc.dims<int>>"), LOWERED, ""),
    "extent of large numbers": (
        typed(f"tensor<?xf32, #opc.dims<{'9' * 18} * {'9' * 18} * N>>"),
        INPUT,
        "is not an extent of any argument",
    ),
    # element types
    **{
        f"elements of {type}": (typed(f"tensor<4x{type}>"), UNSUPPORTED, "is not supported")
        for type in ("i128", "i0", "f128", "index", "none", "complex<f32>")
    },
    "elements of 2 MiB": (typed("tensor<4xi16777215>"), INPUT, "integer type is too wide"),
    "elements that are vectors": (
        typed("tensor<4xvector<4xf32>>"),
        UNSUPPORTED,
        "element type vector<4xf32> is not",
    ),
    "elements that are tensors": (
        typed("tensor<4xtensor<4xf32>>"),
        UNSUPPORTED,
        "element type tensor<4xf32> is not",
    ),
    "elements of an unknown type": (
        typed("tensor<4x!evil.type>"),
        INPUT,
        "'evil.type' is not registered",
    ),
    "argument that is no tensor": (typed("f32"), UNSUPPORTED, "expected a ranked tensor"),
    "argument in memory": (typed("memref<4xf32>"), UNSUPPORTED, "expected a ranked tensor"),
    # constants
    "too few elements": (
        graph("%y = opc.constant dense<[1.0, 2.0]> : tensor<4xf32>"),
        INPUT,
        "got [2] shape",
    ),
    "rows of different lengths": (
        graph("%y = opc.constant dense<[[1.0], [2.0, 3.0]]> : tensor<2x2xf32>"),
        INPUT,
        "inconsistent ranks",
    ),
    "elements of another type": (
        graph('%y = opc.constant dense<"a"> : tensor<4xf32>'),
        INPUT,
        "got 0 elements",
    ),
    "integers out of range": (
        graph("%y = opc.constant dense<300> : tensor<4xi8>", result="tensor<4xi8>"),
        INPUT,
        "300 is outside i8",
    ),
    "resource that is not there": (
        graph("%y = opc.constant dense_resource<evil> : tensor<4xf32>"),
        INPUT,
        "found dense_resource",
    ),
    "one value for 2^40 elements": (
        graph("%y = opc.constant dense<1.0> : tensor<1099511627776xf32>"),
        INPUT,
        "a constant of 4398046511104 bytes is too large",
    ),
    "function of 2^33 equal constants": (
        graph(
            f"%c = {NAN}\n%b = opc.broadcast %c : tensor<f32> -> tensor<8589934592xf32>\n"
            "%y = opc.exp %b : tensor<8589934592xf32>",
            result="tensor<8589934592xf32>",
        ),
        LOWERED,
        "",
    ),
    # attributes of operators
    "axis out of range": (graph("%y = opc.reduce_sum %x {axes = [4]}"), INPUT, "axis 4"),
    "axis of -2^63": (
        graph(f"%y = opc.reduce_sum %x {{axes = [-{2**63}]}}"),
        INPUT,
        "is outside [-1, 0]",
    ),
    "axis of 2^64": (
        graph(f"%y = opc.reduce_sum %x {{axes = [{2**64}]}}"),
        INPUT,
        "out of range for type i64",
    ),
    "axis twice": (graph("%y = opc.reduce_sum %x {axes = [0, 0]}"), INPUT, "name an axis twice"),
    "100000 axes": (
        graph(f"%y = opc.reduce_sum %x {{axes = [{', '.join(['0'] * 100_000)}]}}"),
        INPUT,
        "axes [0, 0",
    ),
    "axes that are text": (
        graph('%y = opc.reduce_sum %x {axes = "0"}'),
        INPUT,
        "expected a list of integers",
    ),
    "attribute twice": (
        graph("%y = opc.reduce_sum %x {axes = [0], axes = [0]}"),
        INPUT,
        "Duplicate key 'axes'",
    ),
    "unknown attribute": (graph("%y = opc.exp %x {evil = 1}"), INPUT, "unknown attribute evil"),
    "permutation that is none": (
        graph("%y = opc.transpose %x {permutation = [1]}"),
        INPUT,
        "does not order 1 axes",
    ),
    "reshape to other elements": (
        graph(f"%y = opc.reshape %x : {T} -> tensor<{2**62}xf32>", result=f"tensor<{2**62}xf32>"),
        INPUT,
        "extent exceeds 2^48",
    ),
    # values
    "value that is nowhere": (
        graph("%y = opc.exp %z : " + T),
        INPUT,
        "%z is used before its definition",
    ),
    "value before its definition": (
        graph(f"%y = opc.exp %z : {T}\n%z = opc.exp %x : {T}"),
        INPUT,
        "%z is used before its definition",
    ),
    "value of itself": (graph(f"%y = opc.exp %y : {T}"), INPUT, "%y is used before its definition"),
    "value twice": (
        graph(f"%y = opc.exp %x : {T}\n%y = opc.exp %x : {T}"),
        INPUT,
        "%y is already defined",
    ),
    "result of another type": (
        graph("%y = opc.exp %x", result="tensor<5xf32>"),
        INPUT,
        "is used with type tensor<5xf32>",
    ),
    "no return": (f"func.func @main(%x: {T}) -> {T} {{\n}}", INPUT, "does not end in func.return"),
    "no body": (f"func.func @main({T}) -> {T}", UNSUPPORTED, "has no body"),
    "function twice": (typed(T) * 2, INPUT, "is defined twice"),
    "no main": (
        typed(T).replace("@main", "@a") + typed(T).replace("@main", "@b"),
        "UsageError",
        "choose a function",
    ),
    "5000 arguments": (
        f"func.func @main({', '.join(f'%{k}: {T}' for k in range(5000))}) -> {T} {{\n"
        f"func.return %0 : {T}\n}}",
        LOWERED,
        "",
    ),
    # what is no graph
    "call of itself": (graph(f"%y = func.call @main(%x) : ({T}) -> {T}"), UNSUPPORTED, "func.call"),
    "jump": (graph("cf.br ^a\n^a:\n%y = opc.exp %x"), INPUT, "there is no dialect cf"),
    "second block": (
        graph("%y = opc.exp %x\nfunc.return %y : " + T + "\n^a:"),
        UNSUPPORTED,
        "has 2 blocks",
    ),
    "assembly": (
        graph('llvm.inline_asm "int3", "" : () -> ()\n%y = opc.exp %x'),
        INPUT,
        "there is no dialect llvm",
    ),
    "unknown dialect": (
        graph('%y = "evil.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>'),
        INPUT,
        "there is no dialect evil",
    ),
    "loops": (graph("loop.return"), INPUT, "unknown operation loop.return"),
    "operator in the module": ('"func.return"() : () -> ()', UNSUPPORTED, "func.func"),
    "module of nothing": ("builtin.module {}", INPUT, "there is no function"),
    "function of a keyword": (typed(T).replace("@main", "@int"), LOWERED, ""),
    "name that ends a comment": (typed(T).replace("@main", '@"*/ evil(); /*"'), LOWERED, ""),
    "name with a NUL": (typed(T).replace("@main", '@"a\\00b"'), LOWERED, ""),
    "argument called as C": (
        typed(T).replace(f"%x: {T}", f'%x: {T} {{opc.name = "*/ evil /*"}}'),
        LOWERED,
        "",
    ),
    "place that ends a comment": (
        graph('%y = opc.exp %x : tensor<4xf32> loc("*/ evil")'),
        LOWERED,
        "",
    ),
}

WEIGHTS: dict[str, tuple[str, Content, str]] = {
    "weights above the folder": ("../w", b"", "outside the folder"),
    "weights by a whole path": ("/etc/passwd", b"", "not a relative path"),
    "weights by a name with a NUL": ("w\\00", b"", "not a relative path"),
    "weights by a long name": ("w" * 5000, b"", "File name too long"),
    "weights by no name": ("", b"", "in no file"),
    "weights behind a link": ("w", link("/etc/passwd"), "symbolic link"),
    "weights with a second name": ("w", second_name, "hard link"),
    "weights from a pipe": ("w", pipe, "is no file"),
    "weights from a device": ("w", device, "symbolic link"),
    "weights that are cut": ("w", bytes(8191), "fewer than 8192 bytes"),
    "weights that are others": ("w", b"x" * 8192, "its digest is another"),
}

ATTACKS = {
    **odd("g.mlir", "nothing but blanks"),
    **{name: Attack({"g.mlir": text}, kind, part) for name, (text, kind, part) in TEXTS.items()},
    **{
        name: Attack({"g.mlir": blob(file), "w": content}, INPUT, part)
        for name, (file, content, part) in WEIGHTS.items()
    },
    "weights": Attack({"g.mlir": blob("w"), "w": bytes(9000)}, LOWERED),
    "weights at 2^64": Attack({"g.mlir": blob("w", str(2**64)), "w": bytes(9000)}, INPUT, "fewer"),
    "weights before the start": Attack({"g.mlir": blob("w", "-8"), "w": bytes(9000)}, INPUT),
    "weights of another size": Attack(
        {"g.mlir": blob("w", "0", "4"), "w": bytes(9000)}, INPUT, "do not fill"
    ),
}
