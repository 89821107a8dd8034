"""The formats of graphs by file suffix: readers and limits of size."""

from __future__ import annotations

READERS: dict[str, str] = {
    ".onnx": "opc.frontend.onnx.reader:read",
    ".onnxtxt": "opc.frontend.onnx.reader:read",
    ".xml": "opc.frontend.openvino.reader:read_openvino",
}
"""For each file suffix other than ``.mlir``: the function from a path to a verified module.

Its second argument is the content of the file, if that was read already.
"""

MODEL_BYTES = {".onnx": 1 << 31, ".onnxtxt": 1 << 31, ".xml": 1 << 28}
"""For each of these, how large a file may be."""
