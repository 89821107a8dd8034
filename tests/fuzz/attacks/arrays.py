"""Attacks by files with arrays, which ``opc run`` reads."""

from __future__ import annotations

import io
import zipfile

import numpy as np

from . import INPUT, LOWERED, Attack, device, pipe, sparse

FLOATS = np.ones(4, np.float32)


def npy(header: str, body: bytes = bytes(16), version: bytes = b"\1\0") -> bytes:
    """A .npy file with a header of our own."""
    return b"\x93NUMPY" + version + len(header).to_bytes(2, "little") + header.encode() + body


def said(descr: str = "'<f4'", shape: str = "(4,)", order: str = "False", more: str = "") -> str:
    """A header."""
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}{more}}}\n"


def npz(**files: bytes) -> bytes:
    """An archive; names have ``_`` for a dot."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


def saved(array: np.ndarray) -> bytes:
    """What NumPy writes."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


SOUND = saved(FLOATS)
BAD = "cannot be read as .npy or .npz"
NEITHER = "is neither a .npy file nor an .npz archive"
OBJECTS = "holds Python objects, expected numbers"

FILES: dict[str, tuple[bytes, str, str]] = {
    "an array": (SOUND, LOWERED, ""),
    "an archive": (npz(x_npy=SOUND), LOWERED, ""),
    "nothing": (b"", INPUT, NEITHER),
    "text": (b"1.0 2.0 3.0 4.0", INPUT, NEITHER),
    "objects": (saved(np.array([print], object)), INPUT, OBJECTS),
    "objects in an archive": (npz(x_npy=saved(np.array([print], object))), INPUT, OBJECTS),
    "pickle": (b"cposix\nsystem\n(S'evil'\ntR.", INPUT, NEITHER),
    "header alone": (SOUND[:12], INPUT, BAD),
    "cut": (SOUND[:-1], INPUT, BAD),
    "version 9": (npy(said(), version=b"\x09\0"), INPUT, BAD),
    "header that is code": (npy("__import__('os').system('evil')\n"), INPUT, BAD),
    "header of brackets": (npy("{" * 60_000), INPUT, BAD),
    "header with another key": (npy(said(more=", 'evil': 1")), INPUT, BAD),
    "type that is none": (npy(said("'evil'")), INPUT, BAD),
    "type of objects": (npy(said("'|O'")), INPUT, OBJECTS),
    "negative extent": (npy(said(shape="(-4,)")), INPUT, BAD),
    "extent of 2^70": (npy(said(shape=f"({2**70},)")), INPUT, BAD),
    "extent of 2^60": (npy(said(shape=f"({2**60},)")), INPUT, "does not fit into memory"),
    "extent of 2^30": (npy(said(shape=f"({2**30},)")), INPUT, "does not fit into memory"),
    "extent of 2^30 in an archive": (
        npz(x_npy=npy(said(shape=f"({2**30},)"))),
        INPUT,
        "does not fit into memory",
    ),
    "extents that are 0 in 64 bits": (npy(said(shape=f"({2**32}, {2**32})")), INPUT, BAD),
    "rank 1000": (npy(said(shape=f"({'1,' * 1000})"), bytes(4)), INPUT, BAD),
    "archive that is cut": (npz(x_npy=SOUND)[:-30], INPUT, BAD),
    "archive of text": (npz(x_npy=b"evil"), INPUT, "x is no array"),
    "archive of zeros": (npz(x_npy=bytes(1 << 24)), INPUT, "x is no array"),
    "archive of nothing": (npz(), INPUT, "holds no array"),
    "archive with another name": (npz(y_npy=SOUND, z_npy=SOUND), INPUT, "holds no array 'x'"),
}

ATTACKS = {
    **{name: Attack({"x.npy": c}, kind, part) for name, (c, kind, part) in FILES.items()},
    "pipe": Attack({"x.npy": pipe}, INPUT, "it is a pipe or a device"),
    "device": Attack({"x.npy": device}, INPUT, "it is a pipe or a device"),
    "zeros without end": Attack({"x.npy": sparse(1 << 40)}, INPUT, NEITHER),
}
