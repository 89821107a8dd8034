"""Broken and hostile ``.xml`` and ``.bin`` files: one clear error each, with its place."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import opc
from opc.dialects.opc.movement import ConstantOp
from opc.errors import InputError, OpcError, UnsupportedError
from opc.frontend.openvino.reader import read_openvino
from tests.unit.common.openvino_files import (
    CODES,
    constant,
    edge,
    net,
    parameter,
    port,
    result,
    write,
)

ADD = (
    '<layer id="1" name="sum" type="Add" version="opset1"><data auto_broadcast="numpy"/>'
    f"<input>{port(0, (2,))}{port(1, (2,))}</input><output>{port(2, (2,), 'FP32')}</output></layer>"
)
LAYERS = (parameter(0, "x", "2", (2,)), ADD, result(2, (2,)))
EDGES = (edge(0, 0, 1, 0), edge(0, 0, 1, 1), edge(1, 2, 2, 0))
GOOD = net(LAYERS, EDGES)


def test_good(tmp_path: Path) -> None:
    x = np.array([1.0, 2.0], np.float32)
    path = write(tmp_path, GOOD, None)
    np.testing.assert_array_equal(opc.compile(path, verify_each=True)(x), x + x)
    text = str(read_openvino(path))
    assert 'openvino.layer "Add" opset1' in text and "func.func @model" in text
    assert opc.compile(path).c_source == opc.compile(text).c_source


DEEP = "<net><layers>" + "<a>" * 100_000
BILLION = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
    '<net name="&b;" version="11"/>'
)
EXTERNAL = '<!DOCTYPE net SYSTEM "file:///etc/passwd"><net version="11"/>'


def replaced(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


BROKEN = {
    "empty": ("", "not XML"),
    "no element": ("<?xml version='1.0'?>", "not XML: no element found"),
    "no XML": ("model", "not XML"),
    "cut": (GOOD[: len(GOOD) // 2], "not XML"),
    "two roots": (GOOD + "<net/>", "not XML"),
    "double attribute": ('<net version="11" version="11"/>', "not XML: duplicate attribute"),
    "control character": ('<net version="11" name="\1"/>', "not XML"),
    "unknown entity": (replaced('name="sum"', 'name="&what;"'), "not XML: undefined entity"),
    "encoding": ('<?xml version="1.0" encoding="utf-7"?><net version="11"/>', "not XML"),
    "entities": (BILLION, "document type"),
    "external entity": (EXTERNAL, "document type"),
    "deep": (DEEP, "nested more than 64 deep"),
    "other root": ("<html/>", "<html> is not a model"),
    "no version": ("<net/>", "<net> has no version"),
    "old version": ('<net version="7"/>', "IR version 7; opc reads 10 and 11"),
    "word as version": ('<net version="new"/>', "is not a number"),
    "no layers": ('<net version="11"/>', "<net> has no <layers>"),
    "layers twice": ('<net version="11"><layers/><layers/></net>', "2 <layers>, expected one"),
    "no results": (net([LAYERS[0]], []), "the model has no Result"),
    "no layer at all": (net([], []), "the model has no Result"),
    "double layer id": (net([*LAYERS, result(2, (2,))], EDGES), "layer id 2 is used twice; first"),
    "no layer id": (replaced('id="1" name', "name"), "<layer> has no id"),
    "negative layer id": (replaced('id="1" name', 'id="-1" name'), "is not a number >= 0"),
    "huge layer id": (replaced('id="1" name', f'id="{"9" * 5000}" name'), "is not a number >= 0"),
    "no layer name": (replaced('name="sum" ', ""), "<layer> has no name"),
    "no layer type": (replaced('type="Add" ', ""), "<layer> has no type"),
    "type that is code": (replaced('"Add"', '"*/ evil(); /*"'), "is not an identifier"),
    "no opset": (replaced('"Add" version="opset1"', '"Add"'), "<layer> has no version"),
    "extension": (
        replaced('"Add" version="opset1"', '"Add" version="extension"'),
        "what is needed: Add of opset1",
    ),
    "unknown operator": (replaced('"Add"', '"NonZero"'), "not supported: NonZero opset1 x 1"),
    "too new operator": (replaced('"Add"', '"BitwiseAnd"'), "not supported: BitwiseAnd opset1"),
    "attribute that is no word": (replaced("auto_broadcast=", "a:b="), "is not an identifier"),
    "unknown attribute": (replaced("auto_broadcast=", "broadcast="), "unknown attribute broadcast"),
    "wrong attribute": (replaced('"numpy"', '"often"'), "expected none or numpy or pdpd"),
    "double port": (replaced('<port id="1">', '<port id="0">'), "port id 0 is used twice"),
    "no port id": (replaced('<port id="1">', "<port>"), "<port> has no id"),
    "negative extent": (replaced("<dim>2</dim>", "<dim>-2</dim>"), "is not a number >= -1"),
    "word as extent": (replaced("<dim>2</dim>", "<dim>two</dim>"), "is not a number >= -1"),
    "huge extent": (replaced("<dim>2</dim>", f"<dim>{1 << 50}</dim>"), r"extent exceeds 2\^48"),
    "endless extent": (replaced("<dim>2</dim>", f"<dim>{'9' * 10000}</dim>"), "is not a number"),
    "high rank": (replaced("<dim>2</dim>", "<dim>1</dim>" * 17), "rank 17 exceeds 16"),
    "unknown precision": (replaced('"FP32"', '"NF4"'), "element type 'NF4' x 1, first layer 0 "),
    "unknown element type": (replaced('"f32"', '"string"'), "needed: element types 'string'"),
    "other port precision": (replaced('precision="FP32"', 'precision="I32"'), "but its port says"),
    "other port shape": (replaced('shape="2"', 'shape="3"'), r"f32.3., but its port says f32.2."),
    "unknown rank": (replaced('shape="2"', 'shape="..."'), "the rank is unknown"),
    "shape of words": (replaced('shape="2"', 'shape="a,b"'), "is not a number"),
    "wrong result port": (
        net(
            [
                LAYERS[0],
                ADD.replace('<port id="2" precision="FP32"><dim>2', '<port id="2"><dim>3'),
                LAYERS[2],
            ],
            EDGES,
        ),
        "the result is tensor<2xf32>, but the port says",
    ),
    "edge from nowhere": (net(LAYERS, [*EDGES, edge(9, 0, 2, 0)]), "layer 9, which does not exist"),
    "edge to nowhere": (net(LAYERS, [*EDGES, edge(0, 0, 9, 0)]), "layer 9, which does not exist"),
    "edge from no port": (net(LAYERS, [edge(0, 5, 1, 0)]), "has no output port 5"),
    "edge from an input": (net(LAYERS, [edge(1, 0, 1, 0)]), "has no output port 0"),
    "edge to no port": (net(LAYERS, [edge(0, 0, 1, 7)]), "has no input port 7"),
    "two edges to a port": (net(LAYERS, [*EDGES, edge(0, 0, 1, 1)]), "two edges lead to port 1"),
    "missing edge": (net(LAYERS, EDGES[1:]), "no edge leads to port 0"),
    "no edges": (GOOD[: GOOD.index("<edges>")] + "</net>", "no edge leads to port"),
    "cycle": (net(LAYERS, [edge(0, 0, 1, 0), edge(1, 2, 1, 1), EDGES[2]]), "depends on its own"),
    "layer that reads a result": (
        net(
            [
                LAYERS[0],
                ADD.replace('"Add"', '"Result"', 1),
                ADD.replace('id="1"', 'id="3"', 1),
                LAYERS[2],
            ],
            [*EDGES[:1], edge(0, 0, 1, 1), edge(1, 2, 3, 0), edge(1, 2, 3, 1), edge(3, 2, 2, 0)],
        ),
        "its input comes from layer 1",
    ),
    "double input": (
        net([LAYERS[0], ADD.replace(port(1, (2,)), ""), LAYERS[2]], [EDGES[0], EDGES[2]]),
        "1 inputs, expected 2",
    ),
    "result without input": (
        net([LAYERS[0], ADD, LAYERS[2].replace(port(0, (2,)), "")], EDGES[:2]),
        "0 inputs",
    ),
    "parameter without output": (
        net([LAYERS[0].replace(port(0, (2,), "FP32"), ""), ADD, LAYERS[2]], []),
        "no edge leads",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_xml(name: str, tmp_path: Path) -> None:
    text, message = BROKEN[name]
    path = write(tmp_path, text, None)
    start = time.perf_counter()
    with pytest.raises((InputError, UnsupportedError), match=message) as caught:
        opc.compile(path)
    assert time.perf_counter() - start < 5
    assert "\n" not in caught.value.message and len(caught.value.message) < 1000
    if name != "no layer at all":
        assert re.search(r"model\.xml:\d+:\d+", caught.value.location), caught.value.location


SIX = np.arange(6, dtype=np.int32).reshape(2, 3)


def with_constant(layer: str, weights: bytes | None, folder: Path) -> Path:
    return write(folder, net([layer, result(1, (2, 3))], [edge(0, 0, 1, 0)]), weights)


BAD_WEIGHTS = {
    "no file": (constant(0, SIX, 0), None, "weights cannot be read: 'model.bin' cannot be opened"),
    "empty file": (constant(0, SIX, 0), b"", "lie outside model.bin, which has 0"),
    "short file": (constant(0, SIX, 0), bytes(23), "bytes 0 to 24 lie outside model.bin"),
    "offset behind": (constant(0, SIX, 1), bytes(24), "bytes 1 to 25 lie outside"),
    "huge offset": (constant(0, SIX, 10**17), bytes(24), "lie outside"),
    "endless offset": (
        constant(0, SIX, 0).replace('offset="0"', f'offset="{"9" * 9999}"'),
        bytes(24),
        "not a numb",
    ),
    "negative offset": (
        constant(0, SIX, 0).replace('offset="0"', 'offset="-8"'),
        bytes(24),
        "is not a number >= 0",
    ),
    "no offset": (constant(0, SIX, 0).replace('offset="0"', ""), bytes(24), "it has no offset"),
    "small size": (constant(0, SIX, 0, 20), bytes(24), "20 bytes, but .2, 3. elements of i32"),
    "large size": (constant(0, SIX, 0, 28), bytes(28), "28 bytes, but"),
    "huge shape": (
        constant(0, SIX, 0)
        .replace('"2,3"', '"281474976710656,281474976710656"')
        .replace("<dim>2</dim><dim>3</dim>", "<dim>281474976710656</dim>" * 2),
        bytes(24),
        r"needs more than 2\^48 bytes",
    ),
    "open shape": (constant(0, SIX, 0).replace('"2,3"', '"?,3"'), bytes(24), "expected extents"),
    "unknown type": (
        constant(0, SIX, 0).replace('"i32"', '"u1"'),
        bytes(24),
        "'u1' x 1, first layer 0",
    ),
}


@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_broken_weights(name: str, tmp_path: Path) -> None:
    layer, weights, message = BAD_WEIGHTS[name]
    with pytest.raises((InputError, UnsupportedError), match=message) as caught:
        opc.compile(with_constant(layer, weights, tmp_path))
    assert re.search(r"model\.xml:\d+:\d+", caught.value.location)


def test_weights_that_are_no_file(tmp_path: Path) -> None:
    path = with_constant(constant(0, SIX, 0), None, tmp_path)
    path.with_suffix(".bin").mkdir()
    with pytest.raises(InputError, match="is no file"):
        opc.compile(path)
    path.with_suffix(".bin").rmdir()
    os.mkfifo(path.with_suffix(".bin"))
    with pytest.raises(InputError, match="is no file"):
        opc.compile(path)


@pytest.mark.parametrize("name", CODES)
def test_constants(name: str, tmp_path: Path) -> None:
    """Every element type, at an offset that is no multiple of its size."""
    dtype = np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    path = with_constant(constant(0, array, 3), b"abc" + array.tobytes() + b"z", tmp_path)
    function = opc.compile(path)
    np.testing.assert_array_equal(np.asarray(function()), array)


def test_constant_without_elements(tmp_path: Path) -> None:
    """OpenVINO's writer gives it one byte."""
    for size in (0, 1):
        layer = constant(0, np.zeros((0, 3), np.float32), 0, size)
        path = write(tmp_path, net([layer, result(1, (0, 3))], [edge(0, 0, 1, 0)]), bytes(size))
        assert np.asarray(opc.compile(path)()).shape == (0, 3)


def test_large_constants_stay_in_their_file(tmp_path: Path) -> None:
    array = np.arange(5000, dtype=np.float32)
    path = write(
        tmp_path,
        net([constant(0, array, 0), result(1, (5000,))], [edge(0, 0, 1, 0)]),
        array.tobytes(),
    )
    (op,) = (o for o in read_openvino(path).walk() if isinstance(o, ConstantOp))
    assert op.array() is not op.array()
    np.testing.assert_array_equal(np.asarray(opc.compile(path)()), array)


def test_names(tmp_path: Path) -> None:
    """Names of tensors, else of layers; the ones that are no words stay out of the C text."""
    evil = 'a*/ "b\\'
    layers = [
        parameter(0, evil.replace('"', "&quot;"), "?,2..8", (-1, -1)),
        parameter(1, "named", "2", (2,)).replace('precision="FP32"', 'names="t\\,1,u"'),
        parameter(4, "named", "2", (2,)),
        parameter(6, "u", "2", (2,)).replace('precision="FP32"', 'names="t,u"'),
        result(2, (-1, -1)),
        result(3, (2,)),
        result(5, (2,)),
        result(7, (2,)),
    ]
    edges = [edge(0, 0, 2, 0), edge(1, 0, 3, 0), edge(4, 0, 5, 0), edge(6, 0, 7, 0)]
    function = opc.compile(write(tmp_path, net(layers, edges)))
    assert [s.name for s in function.inputs] == [evil, "t,1", "named", "u"]
    assert [s.name for s in function.outputs] == ["result2", "t,1", "result5", "t"]
    assert "evil" not in function.c_source and '*/ "b' not in function.c_source


def test_order(tmp_path: Path) -> None:
    """Layers may come in any order; inputs and results keep theirs."""
    layers = [LAYERS[2], LAYERS[1], parameter(7, "y", "2", (2,)), LAYERS[0]]
    path = write(tmp_path, net(layers, EDGES))
    function = opc.compile(path)
    assert [s.name for s in function.inputs] == ["y", "x"]
    x = np.array([1.0, 2.0], np.float32)
    np.testing.assert_array_equal(function(x * 5, x), x + x)


def test_version_10(tmp_path: Path) -> None:
    """Older files leave out what follows: shape, element type, precisions."""
    old = parameter(0, "x", "2", (2,)).replace('<data shape="2" element_type="f32"/>', "")
    numbers = np.array([3.0, 4.0], np.float32)
    stored = re.sub(r'element_type="f32" shape="2" ', "", constant(3, numbers, 0))
    add = re.sub(r'version="opset1"><data[^>]*>', 'version="opset1">', ADD)
    edges = [edge(0, 0, 1, 0), edge(3, 0, 1, 1), edge(1, 2, 2, 0)]
    path = write(tmp_path, net([old, stored, add, LAYERS[2]], edges, "10"), numbers.tobytes())
    np.testing.assert_array_equal(opc.compile(path)(numbers), numbers * 2)


def test_long_chain(tmp_path: Path) -> None:
    count = 3000
    relu = (
        '<layer id="{0}" name="r{0}" type="ReLU" version="opset1">'
        f"<input>{port(0, (2,))}</input><output>{port(1, (2,), 'FP32')}</output></layer>"
    )
    layers = [LAYERS[0], *(relu.format(k) for k in range(1, count)), result(count, (2,))]
    edges = [edge(k, int(k > 0), k + 1, 0) for k in range(count)]
    module = read_openvino(write(tmp_path, net(layers, edges)))
    assert sum(op.name == "openvino.layer" for op in module.walk()) == count - 1


def test_all_unsupported_operators_are_listed(tmp_path: Path) -> None:
    other = ADD.replace('id="1"', 'id="4"', 1).replace('"Add"', '"BinaryConvolution"')
    text = net(
        [LAYERS[0], ADD.replace('"Add"', '"StringTensorPack"'), other, LAYERS[2], result(5, (2,))],
        [*EDGES, edge(0, 0, 4, 0), edge(0, 0, 4, 1), edge(4, 2, 5, 0)],
    )
    with pytest.raises(UnsupportedError, match="operators StringTensorPack, BinaryConvolution"):
        opc.compile(write(tmp_path, text))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(OpcError, match="cannot be read"):
        opc.compile(tmp_path / "missing.xml")
