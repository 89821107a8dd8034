"""What the page of operators says of formats is what legalized samples become."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx")
openvino = pytest.importorskip("openvino")

from opc.tools import ops  # noqa: E402
from opc.tools.reached import REACHED  # noqa: E402
from tests import reached  # noqa: E402

BY = {
    "openvino": {
        "opc.argmax": "CTCGreedyDecoder",
        "opc.bitcast": "test_bernoulli_seed",
        "opc.log1p": "ErfInv",
        "opc.matmul": "test_matmul_2d",
    },
    "onnx": {
        "opc.identity": "test_reduce_sum_empty_axes_input_noop_example",
        "opc.matmul": "test_matmul_2d",
        "opc.walk": "test_ai_onnx_ml_tree_ensemble_set_membership",
    },
}
"""Operators that lists by hand denied to a format or could, each with a sample."""


def formats(operator: str) -> tuple[str, ...]:
    (row,) = (row for row in ops.operators() if row.name == operator)
    return row.formats


@pytest.mark.parametrize("form", reached.FORMATS)
def test_known(form: str) -> None:
    assert not reached.stale(form, BY[form])
    assert all(form in formats(operator) for operator in BY[form])


@pytest.mark.parametrize("form", reached.FORMATS)
def test_samples_become_what_is_recorded(form: str) -> None:
    assert not reached.stale(form, REACHED[form])
    assert set(REACHED[form]) <= reached.NAMES


@pytest.mark.parametrize("form", reached.FORMATS)
def test_what_frontends_name_has_a_sample(form: str) -> None:
    assert not reached.without_sample(form, REACHED[form])


def test_operators_of_one_format() -> None:
    """Trees are of ONNX alone; e**x - 1 is in a layer of OpenVINO."""
    assert formats("opc.walk") == ("mlir", "onnx")
    assert formats("opc.expm1") == ("mlir", "openvino")
    assert formats("opc.apply") == ("mlir",)


@pytest.mark.parametrize("operator", BY["openvino"])
def test_an_operator_that_is_left_out_is_found(operator: str) -> None:
    chosen = {name: sample for name, sample in REACHED["openvino"].items() if name != operator}
    assert reached.without_sample("openvino", chosen) == [operator]


def test_an_operator_that_nothing_becomes_is_found() -> None:
    """By a sample of another operator, of another format, and by none."""
    for operator, sample in (
        ("opc.celu", "test_celu"),
        ("opc.walk", BY["onnx"]["opc.walk"]),
        ("opc.erf", "Selu"),
        ("opc.erf", "no such sample"),
    ):
        assert reached.stale("openvino", BY["openvino"] | {operator: sample}) == [operator]
    assert reached.stale("onnx", {"opc.log1p": "ErfInv"}) == ["opc.log1p"]
    refused = dict.fromkeys(reached.REFUSED["openvino"], "test_leakyrelu")
    found = reached.without_sample("openvino", REACHED["openvino"] | refused)
    assert found == sorted(reached.REFUSED["openvino"])


def test_every_layer_is_read() -> None:
    found = dict(reached.becomes("openvino", reached.layers()))
    assert all(found.values()) and found.keys() == reached.layers().keys()


@pytest.mark.long
@pytest.mark.parametrize("form", reached.FORMATS)
def test_all_samples_become_what_is_recorded(form: str) -> None:
    assert reached.record(form).keys() == REACHED[form].keys(), "run: python -m tests.reached"
