"""The C helper library: scalar functions that an emitted file includes when it uses them.

The definitions live in ``helpers/*.c``, in a form that reads as plain C:

* a definition is a block of lines without an empty line in it; empty lines separate blocks;
* a block starts with a comment that says what the helper computes and its error bound, in units
  in the last place (ULP) of the result;
* a block defines one name, which starts with ``opc_``: a function, a type or a table;
* a comment that starts with a list of types, ``// [f32 f64] ...``, makes the block a template.
  It is expanded for each type of the list, with these placeholders:

  ==================  ===========================================================
  ``$T`` ``$t``       C type and suffix: ``int8_t`` and ``i8``, ``float`` and ``f32``
  ``$U`` ``$u``       unsigned type of the same width and its suffix
  ``$W``              unsigned type of at least 32 bits, in which arithmetic wraps
  ``$BITS``           width
  ``$MIN`` ``$MAX``   limits of an integer type
  ``$F32_ABOVE``      smallest float above the range of an integer type; the same for ``F64``
  ``$NAN``            bits of a NaN that is not negative
  ``$f``              suffix of constants and of functions of math.h: ``f`` or nothing
  ==================  ===========================================================

The helpers need ``stdint.h``, ``stddef.h``, ``stdbool.h``, ``string.h`` and ``math.h``, of which
they call exactly defined functions only, and a build without contraction to fused multiply-add:
``opc_add_exact_f32`` and ``opc_product_error_f32`` ask for that operation where it changes no bit,
``opc_fma_f32`` where it is what the operator means, and nothing else does.
Given that, their results have the same bits for every compiler and instruction set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from .texts import c_text

_IDENTIFIER = re.compile(r"\bopc_\w+")
_TEMPLATE = re.compile(r"// \[([a-z0-9 ]+)\] ")
_PLACEHOLDER = re.compile(r"\$(F32_ABOVE|F64_ABOVE|BITS|MIN|MAX|NAN|[TtUuWf])")

FUSED = c_text("macros.fused")
"""Defines ``OPC_FMA_F32`` and ``OPC_FMA_F64`` where there is such an instruction for the type."""


@dataclass(frozen=True)
class _Helper:
    """One expanded definition: its C text and the helpers it mentions."""

    text: str
    needs: tuple[str, ...]


def _float_placeholders(bits: int) -> dict[str, str]:
    single = bits == 32
    return {
        "T": "float" if single else "double",
        "t": f"f{bits}",
        "U": f"uint{bits}_t",
        "u": f"u{bits}",
        "BITS": str(bits),
        "NAN": "0x7fc00000u" if single else "0x7ff8000000000000u",
        "f": "f" if single else "",
    }


def _integer_placeholders(bits: int, signed: bool) -> dict[str, str]:
    wide = "uint64_t" if bits == 64 else "uint32_t"
    above = f"0x1p+{bits - 1 if signed else bits}"
    letter = "i" if signed else "u"
    kind = "INT" if signed else "UINT"
    return {
        "T": f"{kind.lower()}{bits}_t",
        "t": f"{letter}{bits}",
        "U": f"uint{bits}_t",
        "u": f"u{bits}",
        "W": wide,
        "BITS": str(bits),
        "MIN": f"{kind}{bits}_MIN" if signed else "0",
        "MAX": f"{kind}{bits}_MAX",
        "F32_ABOVE": above + "f",
        "F64_ABOVE": above,
    }


_TYPES: dict[str, dict[str, str]] = {
    **{f"f{bits}": _float_placeholders(bits) for bits in (32, 64)},
    **{f"i{bits}": _integer_placeholders(bits, True) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": _integer_placeholders(bits, False) for bits in (8, 16, 32, 64)},
}


def _expand(block: str) -> list[str]:
    """Instances of a block: itself, or one per type where it is a template."""
    template = _TEMPLATE.match(block)
    if template is None:
        return [block]
    body = "// " + block[template.end() :]
    types = (_TYPES[name] for name in template[1].split())
    return [_PLACEHOLDER.sub(lambda match, t=t: t[match[1]], body) for t in types]


def _code(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("//"))


def _defined_name(code: str) -> str:
    """The name a definition introduces: a type's comes last, any other first."""
    head, _, _ = code.partition("{")
    names = _IDENTIFIER.findall(code if head.startswith("typedef") else head)
    if head.startswith("typedef"):
        return names[-1]
    # A function may return a type of ours; its own name is the one before the parameters.
    called = re.search(r"\b(opc_\w+)\s*[(\[]", head)
    return called[1] if called else names[0]


@cache
def _helpers() -> dict[str, _Helper]:
    """All helpers by name, in the order of the files."""
    texts: dict[str, str] = {}
    folder = files(__package__ or "").joinpath("helpers")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".c"):
            continue
        for block in file.read_text(encoding="utf-8").strip().split("\n\n"):
            for text in _expand(block.strip("\n")):
                name = _defined_name(_code(text))
                if name in texts:
                    raise ValueError(f"{file.name}: {name} is defined twice")
                texts[name] = text
    helpers: dict[str, _Helper] = {}
    for name, text in texts.items():
        mentioned = dict.fromkeys(_IDENTIFIER.findall(_code(text)))
        unknown = [other for other in mentioned if other not in texts]
        if unknown:
            raise ValueError(f"{name} mentions unknown helpers: {', '.join(unknown)}")
        helpers[name] = _Helper(text, tuple(other for other in mentioned if other != name))
    return helpers


def available() -> frozenset[str]:
    """Names of all helpers, types and tables included."""
    return frozenset(_helpers())


def source(names: Iterable[str]) -> str:
    """C text of the named helpers and of all they depend on.

    Each definition comes once, after those it needs; the text depends on the set of names only.
    It is empty for no names and ends with a newline otherwise.

    Raises KeyError for a name that is not a helper.
    """
    helpers = _helpers()
    done: dict[str, str] = {}

    def visit(name: str) -> None:
        if name in done:
            return
        helper = helpers[name]
        for other in helper.needs:
            visit(other)
        done[name] = helper.text

    for name in sorted(set(names)):
        if name not in helpers:
            raise KeyError(name)
        visit(name)
    if not done:
        return ""
    text = "\n\n".join(done.values()) + "\n"
    return FUSED + text if "OPC_FMA_F" in text else text
