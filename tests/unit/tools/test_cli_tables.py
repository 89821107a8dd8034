"""``opc run`` of graphs whose outputs stand for text or dictionaries, as models and as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.helper as oh
import pytest

import opc
from opc.__main__ import main

X = np.float32([[1, 2], [-3, 0], [0, 5], [2, -9]])
COEFFICIENTS = [1.0, 0.5, -1.0, 2.0, 0.25, -1.0]
INTERCEPTS = [0.0, 0.5, 1.0]
TABLES: tuple[tuple[list[Any], str, str], ...] = (
    (["ant", "longername", "été"], "classlabels_strings", "str"),
    ([7, 3, -5], "classlabels_ints", "i64"),
)


def model(keys: list[Any], attribute: str) -> Any:
    """A linear classifier, and the dictionaries of its scores."""
    of_map = attribute.replace("_ints", "_int64s")
    nodes = [
        oh.make_node(
            "LinearClassifier", ["x"], ["label", "scores"], domain="ai.onnx.ml",
            coefficients=COEFFICIENTS, intercepts=INTERCEPTS,
            post_transform="SOFTMAX", **{attribute: keys},
        ),
        oh.make_node("ZipMap", ["scores"], ["maps"], domain="ai.onnx.ml", **{of_map: keys}),
    ]  # fmt: skip
    kind = 8 if isinstance(keys[0], str) else 7
    value = oh.make_tensor_type_proto(1, None)
    maps = oh.make_sequence_type_proto(oh.make_map_type_proto(kind, value))
    outputs = [
        oh.make_tensor_value_info("label", kind, ["N"]),
        oh.make_value_info("maps", maps),
    ]
    inputs = [oh.make_tensor_value_info("x", 1, ["N", 2])]
    imports = [oh.make_opsetid("", 17), oh.make_opsetid("ai.onnx.ml", 1)]
    return oh.make_model(
        oh.make_graph(nodes, "g", inputs, outputs), opset_imports=imports, ir_version=8
    )


@pytest.mark.parametrize(("keys", "attribute", "kind"), TABLES)
def test_outputs_with_tables(
    keys: list[Any],
    attribute: str,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Printed as Python has them; saved as text and as the matrix of scores."""
    monkeypatch.chdir(tmp_path)
    onnx.save(model(keys, attribute), "m.onnx")
    np.save("x.npy", X)
    logits = X @ np.reshape(COEFFICIENTS, (3, 2)).T + INTERCEPTS
    matrix = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    label = np.array(keys)[logits.argmax(axis=1)]
    assert main(["convert", "m.onnx", "-o", "m.mlir"]) == 0
    capsys.readouterr()
    shown: list[str] = []
    for graph in ("m.onnx", "m.mlir"):
        base = ["run", graph, "--input", "x.npy"]
        assert main(base) == 0
        shown.append(capsys.readouterr().out)
        assert main([*base, "--output", "r.npz"]) == main([*base, "--output", "all/"]) == 0
        with np.load("r.npz") as archive:
            found = [(archive["label"], archive["maps"])]
        found.append((np.load("all/label.npy"), np.load("all/maps.npy")))
        for labels, scores in found:
            assert labels.dtype.kind == ("U" if kind == "str" else "i")
            assert labels.tolist() == label.tolist()
            assert scores.dtype == np.float32
            np.testing.assert_allclose(scores, matrix, 1e-5)
        assert main([*base, "--outputs", "label", "--output", "one.npy"]) == 0
        assert np.load("one.npy").tolist() == label.tolist()
        capsys.readouterr()
    assert shown[0] == shown[1]
    texts = shown[0].splitlines()
    assert texts[0] == f"label: {kind}[4]"
    assert texts[1].replace(" ", "") == repr(label.tolist()).replace(" ", "")
    rest = "\n".join(texts[2:])
    assert rest.startswith(f"maps: {{{kind}: f32}}[4]\n[{{{keys[0]!r}: ")
    # What is printed is what Python reads again.
    rows = eval(rest.partition("\n")[2])
    assert [list(row) for row in rows] == [keys] * 4
    np.testing.assert_array_equal(np.float32([list(row.values()) for row in rows]), scores)


def test_many_dictionaries_are_shown_in_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(model(*TABLES[0][:2]), path)
    for count in (0, 1, 700):
        assert main(["run", str(path), "--random", "0", "--extent", f"N={count}"]) == 0
        text = capsys.readouterr().out.partition("maps: ")[2]
        assert text.startswith(f"{{str: f32}}[{count}]\n[")
        assert text.count("{'ant': ") == min(count, 6) and ("..." in text) == (count == 700)


def test_one_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text of rank 0 is an array too."""
    encoder = oh.make_node(
        "LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", keys_int64s=[3], values_strings=["three"]
    )
    inputs, outputs = (oh.make_tensor_value_info(n, k, []) for n, k in (("x", 7), ("y", 8)))
    imports = [oh.make_opsetid("", 17), oh.make_opsetid("ai.onnx.ml", 2)]
    graph = oh.make_graph([encoder], "g", [inputs], [outputs])
    path, saved = tmp_path / "m.onnx", tmp_path / "y.npy"
    onnx.save(oh.make_model(graph, opset_imports=imports, ir_version=8), path)
    np.save(tmp_path / "x.npy", np.array(3))
    base = ["run", str(path), "--input", str(tmp_path / "x.npy")]
    assert main(base) == main([*base, "--output", str(saved)]) == 0
    assert capsys.readouterr().out.startswith("y: str[]\n'three'\nwrote ")
    assert np.load(saved).shape == () and np.load(saved) == "three"


@pytest.mark.parametrize("name", ["é", "日本", 'a"é', "ascii", "a\\b\n"])
def test_text_survives_being_written(name: str) -> None:
    """Names beyond ASCII are escaped in MLIR text, and are text again."""
    nodes = [oh.make_node("Relu", ["x"], [name], name=name)]
    graph = oh.make_graph(
        nodes,
        "g",
        [oh.make_tensor_value_info("x", 1, [2])],
        [oh.make_tensor_value_info(name, 1, [2])],
    )
    lowered = opc.lower(oh.make_model(graph, opset_imports=[oh.make_opsetid("", 17)]), cache=None)
    assert lowered.interface.outputs[0].name == name
    again = opc.lower(lowered.ir("source"), cache=None)
    assert again.interface == lowered.interface


@pytest.mark.parametrize(
    "command, code",
    [
        ("compile -o c", 0),
        ("run --random 0", 0),
        ("convert -o c.mlir", 0),
        ("verify --seed 1", 0),
        ("explain -o c.html", 0),
        # There is nothing to reduce where nothing fails.
        ("reduce --seed 1", 2),
    ],
)
def test_an_output_left_out_may_be_unsupported(
    command: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nodes = [oh.make_node("Relu", ["x"], ["y"]), oh.make_node("Unheard", ["x"], ["z"])]
    infos = [oh.make_tensor_value_info(name, 1, [3]) for name in "xyz"]
    graph = oh.make_graph(nodes, "g", infos[:1], infos[1:])
    onnx.save(oh.make_model(graph, opset_imports=[oh.make_opsetid("", 17)], ir_version=8), "m.onnx")
    name, *arguments = command.split()
    assert main([name, "m.onnx", "--outputs", "y", *arguments]) == code
    assert main([name, "m.onnx", *arguments]) == 4
