"""Changes to files: of bytes, of words, and of the structure that a format has."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import onnx

NUMBERS = (
    *(-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 7, 15, 16, 17, 64, 65, 127, 128, 255, 256),
    *(1000, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**48, 2**53, 2**62, 2**63 - 1),
    *(2**63, 2**64, 10**30),
)
"""What numbers become: the ends of types, of limits, and more."""

TEXTS = (
    *("", " ", "\0", "x", "y", "N", "?", "-", "-1", "0", "1_0", "\u0661\u0660", "nan", "1e999"),
    *("../../../etc/passwd", "/etc/passwd", "w.bin", ".", "a\\b", "*/", "//", "%s%n", '"', "'"),
    *("\x1b[31m", "\u202e", "\ud7ff", "\r\n", "int", "main", "A" * 300, "é", "🦀", "own"),
)
"""What names and other texts become."""

WORDS = (
    *("tensor", "<", ">", "x", "?", "->", ":", "(", ")", "{", "}", "[", "]", "=", ",", "*", "#"),
    *("f32", "f16", "bf16", "f64", "i1", "i4", "i8", "ui8", "i64", "i128", "f8E4M3FN", "index"),
    *("dense", "#opc.dims", "#opc.blob", "func.func", "func.return", "builtin.module", "loc", "!x"),
    *("opc.exp", "opc.reduce_sum", "opc.reshape", "opc.constant", "onnx.node", "openvino.layer"),
    *("opc.scan", "opc.if", "carry", "over", "with", "trip", "while", "index", "reversed", "then"),
    *("unit", "true", "false", "0x7F800000", "1.0e400", "-0.0", "^bb0", "@main", "%0", "%x"),
)
"""Words of the textual formats."""

_WORD = re.compile(
    r'(?<=[\d?])x|"(?:[^"\\\n]|\\.)*"|[%@#!^]?[A-Za-z_][\w.$]*|-?\d+(?:\.\d+)?|\s+|[^\s\w]'
)

Change = Callable[[random.Random, bytes, bytes], bytes]
"""A changed content, from a content and another one that it may take something from."""


def changed_bytes(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Bytes set, cut out, doubled, put in, or taken from the other content."""
    data = bytearray(content)
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((1, 1, 2, 4, 16, 64, 1000)))
    match rng.randrange(8):
        case 0 if start < len(data):
            data[start] ^= 1 << rng.randrange(8)
        case 1 if start < len(data):
            data[start] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, 0x22, 0x3C, rng.randrange(256)))
        case 2:
            del data[start:end]
        case 3:
            data[start:start] = data[start:end] * rng.choice((1, 1, 2, 50))
        case 4:
            data[start:start] = rng.randbytes(rng.choice((1, 2, 8, 100)))
        case 5:
            del data[start:]
        case 6:
            data += rng.choice((b"\0" * 64, b"\xff\xfe", b"}", other[:200], rng.randbytes(20)))
        case _:
            at = rng.randrange(len(other) + 1)
            data[start:end] = other[at : at + max(end - start, 8)]
    return bytes(data)


def changed_words(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Words and lines of a text replaced, left out, doubled, swapped."""
    text = content.decode("utf-8", "surrogateescape")
    if rng.random() < 0.2:
        lines = text.splitlines(keepends=True)
        return _moved(rng, lines).encode("utf-8", "surrogateescape")
    words = _WORD.findall(text) or [""]
    at = rng.randrange(len(words))
    if rng.random() < 0.3:
        return _moved(rng, words).encode("utf-8", "surrogateescape")
    # Words of the same kind leave more of the text sound.
    places = [k for k, w in enumerate(words) if w.lstrip("-").isdigit()]
    if places and rng.random() < 0.4:
        words[rng.choice(places)] = str(rng.choice(NUMBERS))
        return "".join(words).encode("utf-8", "surrogateescape")
    kind = words[at][:1]
    more = [w for w in _WORD.findall(other.decode("utf-8", "replace")) if w[:1] == kind]
    same = [w for w in words if w[:1] == kind]
    if kind == '"':
        words[at] = '"' + rng.choice(TEXTS) + '"'
    else:
        words[at] = rng.choice(rng.choice((same, more or same, WORDS, tuple(map(str, NUMBERS)))))
    return "".join(words).encode("utf-8", "surrogateescape")


def changed_everywhere(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """One word replaced by another one wherever it occurs, so that more of the text stays sound."""
    words = _WORD.findall(content.decode("utf-8", "surrogateescape"))
    strange = _WORD.findall(other.decode("utf-8", "replace"))
    old = rng.choice(sorted({w for w in words if w.strip()}) or [""])
    if old.lstrip("-").isdigit():
        new = str(rng.choice(NUMBERS))
    else:
        stem = old.partition(".")[0] if "." in old else old[:1]
        same = sorted({w for w in (*words, *strange, *WORDS) if w.startswith(stem)})
        new = rng.choice(same or [old])
    return "".join(new if w == old else w for w in words).encode("utf-8", "surrogateescape")


def _moved(rng: random.Random, parts: list[str]) -> str:
    if not parts:
        return ""
    a, b = rng.randrange(len(parts)), rng.randrange(len(parts))
    match rng.randrange(4):
        case 0:
            del parts[a]
        case 1:
            parts.insert(b, parts[a])
        case 2:
            parts[a], parts[b] = parts[b], parts[a]
        case _:
            parts[a:a] = [parts[a]] * rng.choice((1, 3, 100))
    return "".join(parts)


def changed_model(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Fields of an ONNX model set, cleared, doubled, or taken from elsewhere in it."""
    model = onnx.ModelProto()
    try:
        model.ParseFromString(content)
    except Exception:
        return changed_bytes(rng, content, other)
    places: list[tuple[Any, Any]] = []
    texts: list[str] = []
    messages: dict[str, list[Any]] = {}
    _walk(model, places, texts, messages)
    # So that large tensors do not take all changes, and rare fields get some.
    by_field: dict[str, list[tuple[Any, Any]]] = {}
    for place in places:
        by_field.setdefault(place[1].full_name, []).append(place)
    if not by_field:
        return changed_bytes(rng, content, other)
    message, field = rng.choice(by_field[rng.choice(sorted(by_field))])
    _change_field(rng, message, field, texts, messages)
    try:
        return model.SerializeToString()
    except Exception:
        return content


def _walk(message: Any, places: Any, texts: list[str], messages: dict[str, list[Any]]) -> None:
    messages.setdefault(message.DESCRIPTOR.full_name, []).append(message)
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        is_list = hasattr(value, "__len__") and not isinstance(value, str | bytes)
        is_set = bool(value) if is_list else message.HasField(field.name)
        # Fields that are not there are many, and most of them mean nothing.
        if is_set or zlib.crc32(field.full_name.encode()) % 4 == 0:
            places.append((message, field))
        if not is_set:
            continue
        items: Any = value if is_list else [value]
        if field.type == field.TYPE_STRING:
            texts.extend(items)
        elif field.type == field.TYPE_MESSAGE:
            for item in items:
                _walk(item, places, texts, messages)


def _change_field(
    rng: random.Random, message: Any, field: Any, texts: list[str], messages: dict[str, list[Any]]
) -> None:
    value = getattr(message, field.name)
    is_list = hasattr(value, "__len__") and not isinstance(value, str | bytes)
    if rng.random() < 0.15:
        message.ClearField(field.name)
    elif field.type == field.TYPE_MESSAGE:
        sources = messages.get(field.message_type.full_name, [])
        target = value.add() if is_list and (not value or rng.random() < 0.6) else value
        if is_list and target is value:
            _move_items(rng, value)
        elif sources:
            copy = type(sources[0])()
            copy.CopyFrom(rng.choice(sources))
            target.CopyFrom(copy)
    elif is_list:
        if value and rng.random() < 0.5:
            _move_items(rng, value)
        else:
            made = _value(rng, field, texts)
            if value and rng.random() < 0.7:
                value[rng.randrange(len(value))] = made
            else:
                value.extend([made] * rng.choice((1, 1, 2, 30)))
    else:
        setattr(message, field.name, _value(rng, field, texts, value))


def _move_items(rng: random.Random, items: Any) -> None:
    kept = list(items)
    a, b = rng.randrange(len(kept)), rng.randrange(len(kept))
    match rng.randrange(3):
        case 0:
            del kept[a]
        case 1:
            kept.insert(b, kept[a])
        case _:
            kept[a], kept[b] = kept[b], kept[a]
    copies = [
        type(k).FromString(k.SerializeToString()) if hasattr(k, "DESCRIPTOR") else k for k in kept
    ]
    del items[:]
    items.extend(copies)


def _value(rng: random.Random, field: Any, texts: list[str], old: Any = b"") -> Any:
    if field.type == field.TYPE_STRING:
        return rng.choice(rng.choice((texts or ["x"], TEXTS)))
    if field.type == field.TYPE_BYTES:
        return changed_bytes(rng, old or b"\0" * 8, b"")
    if field.type in (field.TYPE_FLOAT, field.TYPE_DOUBLE):
        return rng.choice((0.0, -0.0, 1.0, -1.5, 1e-45, 3e38, float("inf"), float("nan")))
    if field.type == field.TYPE_ENUM:
        return rng.choice([v.number for v in field.enum_type.values])
    most = 2**31 if field.type == field.TYPE_INT32 else 2**63
    least = 0 if field.type == field.TYPE_UINT64 else -most
    return rng.choice([n for n in NUMBERS if least <= n < most])


def changed_network(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Elements and attributes of an OpenVINO model set, left out, doubled, moved."""
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError):
        return changed_words(rng, content, other)
    elements = list(root.iter())
    by_tag: dict[str, list[ElementTree.Element]] = {}
    for element in elements:
        by_tag.setdefault(element.tag, []).append(element)
    element = rng.choice(by_tag[rng.choice(sorted(by_tag))])
    parent = next((e for e in elements if element in e), root)
    match rng.randrange(8):
        case 0 if element is not root:
            parent.remove(element)
        case 1 if element is not root:
            parent.insert(rng.randrange(len(parent) + 1), element)
        case 2 if element is not root:
            to = rng.choice(elements)
            if to not in element.iter():
                to.append(element)
        case 3:
            element.text = str(rng.choice((*NUMBERS, *TEXTS)))
        case 4:
            element.tag = rng.choice(sorted(by_tag))
        case _:
            keys = sorted(element.attrib) or ["id"]
            key = rng.choice(keys)
            values = [v for e in elements for k, v in e.attrib.items() if k == key] or ["0"]
            value = rng.choice(rng.choice((values, TEXTS, tuple(map(str, NUMBERS)))))
            if rng.random() < 0.15:
                element.attrib.pop(key, None)
            elif rng.random() < 0.1:
                element.attrib[rng.choice(("shape", "axes", "keep_dims", "xmlns", "id"))] = value
            else:
                element.attrib[key] = value
    return ElementTree.tostring(root)


CHANGES: dict[str, tuple[Change, ...]] = {
    ".mlir": (changed_words, changed_everywhere, changed_everywhere, changed_bytes),
    ".onnxtxt": (changed_words, changed_everywhere, changed_bytes),
    ".onnx": (changed_model, changed_model, changed_model, changed_bytes),
    ".xml": (changed_network, changed_network, changed_words, changed_everywhere, changed_bytes),
    ".bin": (changed_bytes,),
}
"""The changes of each kind of file; one is drawn."""
