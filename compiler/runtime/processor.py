"""Features of this processor, and those that a library needs."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from pathlib import Path

from opc.errors import UsageError
from opc.support.targets import NAMED, V4

_ALIASES = {"amd64": "x86_64", "arm64": "aarch64"}
_IDENTITY = "identity "
"""The prefix of the only feature where the system names no others: the kind of processor."""

_USED = V4 | {"adx", "apx", "fma4", "gfni", "tbm", "xop"}
"""Features of x86 that compilers use by themselves, beside those with the prefixes below."""
_USED_PREFIXES = ("avx", "sse")


def machine(name: str | None = None) -> str:
    """The architecture of this machine, or the usual name of another one."""
    name = platform.machine() if name is None else name
    return _ALIASES.get(name.lower(), name)


def features() -> frozenset[str]:
    """The features of this processor as Linux names them; elsewhere only its identity."""
    try:
        with Path("/proc/cpuinfo").open("rb") as file:
            # The first processor is enough, and a large machine has megabytes of them.
            lines = file.read(16384).decode(errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() in ("flags", "Features"):
            return frozenset(value.split())
    identity = repr((platform.uname(), platform.processor()))
    return frozenset({_IDENTITY + hashlib.sha256(identity.encode()).hexdigest()[:32]})


def needed(target: str, architecture: str) -> list[str]:
    """The features that a library for ``target`` needs, sorted.

    Native code needs every feature of this machine that a compiler may use by itself.
    """
    if target not in NAMED:
        raise UsageError(f"unknown target {target!r}")
    if target != "native":
        return sorted(NAMED[target].features)
    if machine(architecture) != machine():
        return []  # a cross compiler makes code for any machine of the architecture
    own = features()
    if machine() == "x86_64":
        own = {f for f in own if f in _USED or f.startswith((*_USED_PREFIXES, _IDENTITY))}
    return sorted(own)


def missing_for(target: str) -> list[str]:
    """The features of a target, which has a name, that this processor lacks."""
    return missing(sorted(NAMED[target].features))


def missing(needs: Iterable[str]) -> list[str]:
    """The features in ``needs`` that this processor lacks, as far as that is known."""
    own = features()
    is_known = not any(f.startswith(_IDENTITY) for f in own)
    return [f for f in needs if f not in own and (is_known or f.startswith(_IDENTITY))]
