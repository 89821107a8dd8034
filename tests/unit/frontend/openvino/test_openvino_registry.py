"""The registry of OpenVINO operators: which versions there are, and which a layer gets."""

from __future__ import annotations

import inspect
import re

import pytest

from opc.dialects.element import BY_NAME
from opc.frontend.openvino.ops import SCHEMAS, find
from opc.frontend.openvino.ops.missing import MISSING
from opc.frontend.openvino.ops.schema import Attribute, Schema, canonical
from opc.frontend.openvino.scan import READ

pytestmark = pytest.mark.smoke

UNARY = (
    "Abs-1 Acos-1 Acosh-3 Asin-1 Asinh-3 Atan-1 Atanh-3 Ceiling-1 Cos-1 Cosh-1 Erf-1 Exp-1 Floor-1 "
    "Log-1 Negative-1 Round-5 Sign-1 Sin-1 Sinh-1 Sqrt-1 Tan-1 Tanh-1"
)
BINARY = (
    "Add-1 Subtract-1 Multiply-1 Divide-1 FloorMod-1 Mod-1 Power-1 Maximum-1 Minimum-1 "
    "SquaredDifference-1"
)
LOGIC = (
    "Equal-1 NotEqual-1 Less-1 LessEqual-1 Greater-1 GreaterEqual-1 LogicalAnd-1 LogicalOr-1 "
    "LogicalXor-1 LogicalNot-1 BitwiseAnd-13 BitwiseOr-13 BitwiseXor-13 BitwiseNot-13 "
    "BitwiseLeftShift-15 BitwiseRightShift-15 Select-1 IsFinite-10 IsInf-10 IsNaN-10"
)
ACTIVATION = (
    "Clamp-1 Elu-1 ErfInv-17 Gelu-2 Gelu-7 HardSigmoid-1 HSigmoid-5 HSwish-4 LogSoftmax-5 Mish-4 "
    "PReLU-1 ReLU-1 Selu-1 Sigmoid-1 SoftMax-1 SoftMax-8 SoftPlus-4 SoftSign-9 Swish-4"
)
REDUCTION = (
    "ReduceSum-1 ReduceMin-1 ReduceMax-1 ReduceMean-1 ReduceProd-1 ReduceL1-4 ReduceL2-4 "
    "ReduceLogicalAnd-1 ReduceLogicalOr-1"
)
OTHER = (
    "MVN-2 MVN-6 NormalizeL2-1 Convert-1 ConvertLike-1 ConvertPromoteTypes-14 Broadcast-1 "
    "Broadcast-3 Reshape-1 Squeeze-1 Squeeze-15 Unsqueeze-1 Transpose-1 ShapeOf-1 ShapeOf-3 "
    "ScaledDotProductAttention-13"
)
WINDOW = (
    "AvgPool-1 AvgPool-14 AvgPool-16 Convolution-1 ConvolutionBackpropData-1 GroupConvolution-1 "
    "GroupConvolutionBackpropData-1 MatMul-1 MaxPool-1 MaxPool-8 MaxPool-14"
)
MOVING = (
    "DepthToSpace-1 Eye-9 Interpolate-1 Interpolate-4 Interpolate-11 LRN-1 OneHot-1 OneHot-16 "
    "Range-1 Range-4 Reverse-1 ShuffleChannels-1 SpaceToDepth-1 Tile-1"
)
PARTS = "Concat-1 Pad-1 Pad-12 Slice-8 Split-1 StridedSlice-1 VariadicSplit-1"
INDEXING = (
    "Gather-1 Gather-7 Gather-8 GatherElements-6 GatherND-5 GatherND-8 ScatterUpdate-3 "
    "ScatterElementsUpdate-3 ScatterElementsUpdate-12 ScatterNDUpdate-3 ScatterNDUpdate-15"
)
SELECTING = (
    "NonMaxSuppression-1 NonMaxSuppression-3 NonMaxSuppression-4 NonMaxSuppression-5 "
    "NonMaxSuppression-9 NMSRotated-13 NonZero-3 Unique-10"
)
QUANTIZATION = "FakeConvert-13 FakeQuantize-1"
AS_ONNX = (
    "BatchNormInference-1 BatchNormInference-5 Col2Im-15 CumSum-3 DFT-7 DeformableConvolution-1 "
    "DeformableConvolution-8 "
    "Einsum-7 GridSample-9 GroupNormalization-12 IDFT-7 IRDFT-9 RDFT-9 ReverseSequence-1 "
    "ROIAlign-3 ROIAlign-9 TopK-1 TopK-3 TopK-11"
)
PLACING = (
    "BatchToSpace-2 ExtractImagePatches-3 Identity-16 ReorgYolo-2 Roll-7 SliceScatter-15 "
    "SpaceToBatch-2 SparseFillEmptyRows-16"
)
SEARCHING = "Bucketize-3 GatherTree-1 SearchSorted-15"
EMBEDDING = (
    "EmbeddingBagOffsets-15 EmbeddingBagOffsetsSum-3 EmbeddingBagPacked-15 EmbeddingBagPackedSum-3 "
    "EmbeddingSegmentsSum-3 SegmentMax-16"
)
COLORS = "I420toBGR-8 I420toRGB-8 NV12toBGR-8 NV12toRGB-8"
DETECTION = (
    "DetectionOutput-1 DetectionOutput-8 GenerateProposals-9 MatrixNms-8 MulticlassNms-8 "
    "MulticlassNms-9 Proposal-1 Proposal-4 ExperimentalDetectronDetectionOutput-6 "
    "ExperimentalDetectronGenerateProposalsSingleImage-6 ExperimentalDetectronTopKROIs-6 "
    "ExperimentalDetectronPriorGridGenerator-6 ExperimentalDetectronROIFeatureExtractor-6"
)
REGIONS = (
    "DeformablePSROIPooling-1 PriorBox-1 PriorBox-8 PriorBoxClustered-1 PSROIPooling-1 "
    "RegionYolo-1 ROIAlignRotated-15 ROIPooling-2"
)
RANDOM = "Multinomial-13 RandomUniform-8"
SEQUENCES = "CTCGreedyDecoder-1 CTCGreedyDecoderSeqLen-6 CTCLoss-4"
SPECTRA = "GRN-1 Inverse-14 ISTFT-16 STFT-15"
ADAPTIVE = "AdaptiveAvgPool-8 AdaptiveMaxPool-8"
CONTROL = "If-8 Loop-5 TensorIterator-1"
RECURRENT = "GRUCell-3 GRUSequence-5 LSTMCell-1 LSTMCell-4 LSTMSequence-5 RNNCell-1 RNNSequence-5"
ALL = " ".join(
    (
        UNARY,
        BINARY,
        LOGIC,
        ACTIVATION,
        REDUCTION,
        WINDOW,
        PARTS,
        MOVING,
        INDEXING,
        SELECTING,
        QUANTIZATION,
        RECURRENT,
        AS_ONNX,
        CONTROL,
        PLACING,
        SEARCHING,
        ADAPTIVE,
        EMBEDDING,
        COLORS,
        DETECTION,
        REGIONS,
        RANDOM,
        SEQUENCES,
        SPECTRA,
        OTHER,
    )
).split()
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
EVERY = [row for versions in SCHEMAS.values() for row in versions.values()]


def test_versions() -> None:
    """ShapeOf-0 is what files of opset1 mean by ShapeOf."""
    assert sorted(map(str, EVERY)) == sorted(ALL)


def test_what_openvino_has_is_read_or_listed() -> None:
    """Operators of all opsets that its Python interface makes; what is read is not listed."""
    openvino = pytest.importorskip("openvino")
    made = set[str]()
    for name in sorted(n for n in dir(openvino) if re.match(r"opset\d+$", n)):
        for found in vars(getattr(openvino, name)).values():
            if inspect.isfunction(found):
                text = inspect.getsource(inspect.unwrap(found))
                made |= set(re.findall(r'create\(\s*"(\w+)"', text))
    assert len(made) > 190
    missing = {type for type in made - set(READ) if type.lower() not in SCHEMAS}
    assert missing == set(MISSING) - {"BGRtoNV12", "RGBtoNV12"}
    assert not [type for type in MISSING if type.lower() in SCHEMAS]


@pytest.mark.parametrize("row", EVERY, ids=str)
def test_row(row: Schema) -> None:
    for attribute in row.attributes:
        kinds = ("bool", "int", "ints", "float", "floats", "type", "words", "text")
        assert attribute.kind in kinds or "|" in attribute.kind
        if attribute.default is not None:
            attribute.decode(attribute.default)
    assert {i.type for i in row.inputs} <= set(row.types)
    attributes = {a.name for a in row.attributes}
    for result in row.results:
        assert result.rstrip("*") in {*row.types, *attributes, *BY_NAME}
    optional = [i.optional for i in row.inputs]
    assert optional == sorted(optional), "an optional input stands before a required one"
    assert all(t.name in BY_NAME for types in row.types.values() for t in types)


@pytest.mark.parametrize("row", EVERY, ids=str)
def test_parameters(row: Schema) -> None:
    """What a function requires is in the schema, and what it names in one of its versions."""
    attributes, named = {a.name for a in row.attributes}, set[str]()
    for other in (s for s in EVERY if s.function is row.function or s.type == row.type):
        named |= {i.name for i in other.inputs} | {a.name for a in other.attributes}
    preset = getattr(row.function, "keywords", {})
    for name, parameter in inspect.signature(row.function).parameters.items():
        if parameter.annotation in ("Layer", "Attributes") or name in preset:
            continue
        assert parameter.kind in VARIADIC or name.rstrip("_") in named, name
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            assert name in attributes


@pytest.mark.parametrize(
    "type, opset, wanted",
    (
        ("Gelu", 1, None),
        ("Gelu", 2, 2),
        ("Gelu", 6, 2),
        ("Gelu", 7, 7),
        ("Gelu", 15, 7),
        ("SoftMax", 7, 1),
        ("Softmax", 8, 8),
        ("softmax", 15, 8),
        ("ReLU", 1, 1),
        ("Relu", 3, 1),
        ("ShapeOf", 2, 1),
        ("ShapeOf", 3, 3),
        ("Acosh", 2, None),
        ("Acosh", 4, 3),
        ("BitwiseAnd", 12, None),
        ("ReduceL1", 3, None),
        ("ReduceL1", 4, 4),
        ("CTCLoss", 3, None),
    ),
)
def test_find(type: str, opset: int, wanted: int | None) -> None:
    row = find(type, opset)
    assert (None if row is None else row.since) == wanted


@pytest.mark.parametrize(
    "kind, text, wanted",
    (
        ("bool", "true", True),
        ("bool", "False", False),
        ("bool", "1", True),
        ("bool", " 0 ", False),
        ("int", "-1", -1),
        ("int", "+7", 7),
        ("float", "1e-05", 1e-5),
        ("ints", "1, -2,3", (1, -2, 3)),
        ("ints", "", ()),
        ("float", "-inf", -float("inf")),
        ("float", ".5", 0.5),
        ("float", "3", 3.0),
        ("erf|tanh", "TANH", "tanh"),
        ("type", "boolean", BY_NAME["i1"]),
        ("type", "u8", BY_NAME["ui8"]),
        ("type", "FP16", BY_NAME["f16"]),
        ("words", "Sigmoid, tanh", ("sigmoid", "tanh")),
        ("floats", "1, -0.5", (1.0, -0.5)),
        ("floats", "", ()),
        ("text", "ij,jk->ik", "ij,jk->ik"),
    ),
)
def test_decode(kind: str, text: str, wanted: object) -> None:
    assert Attribute("a", kind).decode(text) == wanted


@pytest.mark.parametrize(
    "kind, text",
    (
        ("bool", "yes"),
        ("bool", ""),
        ("int", "1.5"),
        ("int", "9" * 4000),
        ("int", "1_0"),
        ("ints", "1,,2"),
        ("ints", "1 2"),
        ("ints", "1," * 40 + "1"),
        ("float", "1_0"),
        ("float", "0x10"),
        ("float", "9" * 4000),
        ("float", "1e" + "9" * 400),
        ("float", "one"),
        ("erf|tanh", "both"),
        ("erf|tanh", "erf|tanh"),
        ("type", "u1"),
        ("type", ""),
        ("words", "tanh,"),
        ("floats", "1;2"),
    ),
)
def test_decode_refuses(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|not supported"):
        Attribute("a", kind).decode(text)


def test_canonical() -> None:
    assert canonical("auto_broadcast.auto_broadcast_axis") == "axis"
    assert canonical("keep_dims") == "keep_dims"
