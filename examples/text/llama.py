"""An ONNX model of a Llama network whose weights are in a GGUF file, with caches of fixed length.

Inputs are the ids of new tokens, the keys and values of each layer, and how many tokens there are;
outputs are the logits behind the last token, and the keys and values.  Weights stay as they are
stored: blocks of 32 numbers of 4 or 8 bits.  Needs the packages gguf and onnx.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

Array = np.ndarray[Any, np.dtype[Any]]
BLOCK = 32


def model(path: str | Path, room: int = 512) -> ModelProto:
    """The model of a file; caches have ``room`` positions."""
    from gguf import GGUFReader

    return Llama(GGUFReader(path), room).model()


def donated(layers: int) -> dict[str, str]:
    """The caches, for ``opc.compile(..., donate=...)``."""
    caches = [f"{kind}.{k}" for k in range(layers) for kind in ("key", "value")]
    return {f"past_{cache}": f"present_{cache}" for cache in caches}


class Llama:
    """Writes the model layer by layer."""

    def __init__(self, file: Any, room: int) -> None:
        """Take the tensors and numbers of a file; caches have ``room`` positions."""
        self.file, self.room = file, room
        self.tensors = {tensor.name: tensor for tensor in file.tensors}
        self.layers, self.width = self.number("block_count"), self.number("embedding_length")
        self.heads, self.groups = (
            self.number(f"attention.head_count{suffix}") for suffix in ("", "_kv")
        )
        self.nodes: list[Any] = []
        self.constants: dict[str, Array] = {}

    def number(self, key: str) -> Any:
        """A number that describes the network."""
        return self.file.fields[f"llama.{key}"].contents()

    def model(self) -> ModelProto:
        """All layers between the embedding and the logits of the last token."""
        self._angles()
        x = self._embedded()
        for k in range(self.layers):
            x = self._layer(f"blk.{k}.", k, x)
        self.constants["behind"] = np.array([-1])
        x = self.node("Gather", [self._norm(x, "output_norm"), "behind"], axis=1)
        head = "output" if "output.weight" in self.tensors else "token_embd"
        self.nodes.append(helper.make_node("Identity", [self._product(x, head)], ["logits"]))
        shape = [1, self.groups, self.room, self.width // self.heads]
        caches = donated(self.layers)
        inputs = [
            ("ids", TensorProto.INT64, [1, "new"]),
            *((name, TensorProto.FLOAT, shape) for name in caches),
            ("last", TensorProto.INT32, [1]),
            ("total", TensorProto.INT32, []),
        ]
        outputs = [(name, TensorProto.FLOAT, None) for name in ("logits", *caches.values())]
        graph = helper.make_graph(
            self.nodes,
            "llama",
            [helper.make_tensor_value_info(*info) for info in inputs],
            [helper.make_tensor_value_info(*info) for info in outputs],
            [numpy_helper.from_array(array, name) for name, array in self.constants.items()],
        )
        imports = [helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=imports, ir_version=11)

    def node(self, kind: str, inputs: list[str], count: int = 1, **attributes: Any) -> Any:
        """Add a node; the name of its output, or of several."""
        names = [f"{kind}{len(self.nodes)}_{k}" for k in range(count)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0] if count == 1 else names

    def _angles(self) -> None:
        """Cosine and sine of each position and pair of coordinates."""
        pairs = np.arange(0, self.number("rope.dimension_count"), 2)
        speeds = self.number("rope.freq_base") ** (-pairs / (2 * len(pairs)))
        angles = np.arange(self.room)[:, None] * speeds
        self.constants["cos"] = np.cos(angles).astype(np.float32)
        self.constants["sin"] = np.sin(angles).astype(np.float32)

    def _layer(self, name: str, number: int, x: str) -> str:
        """Attention and feed forward network, each added to its input."""
        normed = self._norm(x, f"{name}attn_norm")
        q, k, v = (self._product(normed, f"{name}attn_{letter}") for letter in "qkv")
        past = [f"past_{kind}.{number}" for kind in ("key", "value")]
        present = [f"present_{kind}.{number}" for kind in ("key", "value")]
        attention = helper.make_node(
            "GroupQueryAttention",
            [q, k, v, *past, "last", "total", "cos", "sin"],
            [f"attention{number}", *present],
            domain="com.microsoft",
            num_heads=self.heads,
            kv_num_heads=self.groups,
            do_rotary=1,
            rotary_interleaved=1,
        )
        self.nodes.append(attention)
        x = self.node("Add", [x, self._product(f"attention{number}", f"{name}attn_output")])
        normed = self._norm(x, f"{name}ffn_norm")
        gate, up = (self._product(normed, f"{name}ffn_{kind}") for kind in ("gate", "up"))
        gate = self.node("Mul", [gate, self.node("Sigmoid", [gate])])
        down = self._product(self.node("Mul", [gate, up]), f"{name}ffn_down")
        return self.node("Add", [x, down])

    def _norm(self, x: str, name: str) -> str:
        self.constants[name] = np.array(self.tensors[f"{name}.weight"].data)
        epsilon = self.number("attention.layer_norm_rms_epsilon")
        return self.node("RMSNormalization", [x, name], epsilon=epsilon)

    def _product(self, x: str, name: str) -> str:
        """``x`` times the transposed weights."""
        packed, scales, zeros, bits = self._weights(name)
        rows, columns = scales.shape[0], scales.shape[1] * BLOCK
        names = [f"{name}.{part}" for part in ("packed", "scales", "zeros")]
        arrays = packed.reshape(rows, -1, BLOCK * bits // 8), scales.ravel(), zeros.ravel()
        self.constants |= dict(zip(names, arrays, strict=True))
        sizes = {"K": columns, "N": rows, "bits": bits, "block_size": BLOCK}
        return self.node("MatMulNBits", [x, *names], domain="com.microsoft", **sizes)

    def _embedded(self) -> str:
        """Rows of the table, which is ``(stored - 128) * scale`` in blocks."""
        packed, scales, _, bits = self._weights("token_embd")
        assert bits == 8
        self.constants["table"] = packed.reshape(len(scales), -1)
        self.constants["table.scales"] = scales
        inputs = ["table", "ids", "table.scales"]
        attributes = {"bits": 8, "block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
        return self.node("GatherBlockQuantized", inputs, domain="com.microsoft", **attributes)

    def _weights(self, name: str) -> tuple[Array, Array, Array, int]:
        """Packed numbers, and scale and zero of each block: a weight is (number - zero) * scale."""
        tensor = self.tensors[f"{name}.weight"]
        data = np.array(tensor.data)
        if tensor.tensor_type.name == "Q8_0":
            blocks = data.reshape(len(data), -1, 2 + BLOCK)
            packed = blocks[..., 2:] ^ 0x80  # i8 to u8 with zero 128
            scales = _halves(blocks[..., :2])
            return packed, scales, np.full_like(scales, 128), 8
        if tensor.tensor_type.name == "Q4_1":
            blocks = data.reshape(len(data), -1, 4 + BLOCK // 2)
            # Byte k has the numbers k and k + 16; ONNX has neighbours in a byte.
            numbers = np.concatenate([blocks[..., 4:] & 15, blocks[..., 4:] >> 4], axis=-1)
            packed = numbers[..., ::2] | numbers[..., 1::2] << 4
            scales, least = _halves(blocks[..., :2]), _halves(blocks[..., 2:4])
            scales = np.where(scales == 0, np.float32(1), scales)
            return packed, scales, -least / scales, 4
        raise ValueError(f"{name}: found weights of type {tensor.tensor_type.name}")


def _halves(data: Array) -> Array:
    return np.ascontiguousarray(data).view(np.float16)[..., 0].astype(np.float32)
