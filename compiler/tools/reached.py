"""Operators that nodes and layers of models become, each with a sample that does."""

from __future__ import annotations

from importlib.resources import files

FORMATS = ("onnx", "openvino")
NONE = "-"
"""In place of a sample: nothing of the format becomes the operator."""


def _read() -> dict[str, dict[str, str]]:
    """The rows of ``reached.txt``, which ``python -m tests.reached`` writes."""
    text = files(__package__ or "").joinpath("reached.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines()]
    return {
        form: {operator: samples[k] for operator, *samples in rows if samples[k] != NONE}
        for k, form in enumerate(FORMATS)
    }


REACHED = _read()
"""For each format its operators with their samples."""
