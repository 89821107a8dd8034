"""Operators of OpenVINO that opc does not have, each with the reason."""

from __future__ import annotations

_NEW = "came with opset 17, of which only ErfInv is read"
MISSING = {
    "BGRtoNV12": _NEW,
    "BinaryConvolution": "its filters are of one bit",
    "GroupedMatMul": _NEW,
    "RGBtoNV12": _NEW,
    "StringTensorPack": "makes strings",
    "StringTensorUnpack": "takes strings",
}
