"""Limits of the runtime: sizes of files and names, ages, amounts kept.

Numbers about machines are in ``opc.support.target``.
"""

from __future__ import annotations

ARGUMENTS = 1024
"""The most arguments that ``ctypes`` passes to a C function."""
THREADS = 4096
"""More than any machine has processors."""
RANK = 64
"""Axes of an argument; NumPy has no arrays of more."""
REMEMBERED = 64
"""Combinations of input shapes for which a function remembers sizes."""

INTERFACE = 1 << 26
"""Bytes of the JSON file beside a library."""
NAME = 200
"""Characters of the name for the files of a function, without suffix."""
FILE = 300
"""The same with the suffix."""
SHOWN = 80
"""Characters of a wrong value that a message shows."""
DIAGNOSTICS = 8000
"""Characters of a C compiler's output that a message shows."""

CACHE = 4 << 30
"""Bytes of the cache, unless ``OPC_CACHE_LIMIT`` is set."""
DIGITS = 18
"""Digits of ``OPC_CACHE_LIMIT``."""
SHARES = 64
"""The parts of the limit; the folder may exceed it by about one of them."""
MAPPED = 1 << 20
"""Bytes from which on a cache entry is mapped.  A GPT-2 that reads all of its 650 MB for each token
takes 1.03 times as long as with a copy in memory."""
LARGE_PAGE = 1 << 21
"""Bytes of the large pages of x86 and ARM.  A decode step that reads 214 MB of weights from pages
of 4 KiB takes 1.04 times as long."""
YOUNG = 600.0
"""Seconds for which a file or folder counts as in use, also between its creation and its lock."""
RECORD = 30 * 86400.0
"""Seconds for which a record of a C compiler is kept."""
ASKED = 0.1
"""Seconds after which a compiler that runs beside others is stopped if one of them has failed."""
PATIENCE = 3e7
"""Seconds to wait for a compiler at most; more than a year is a mistake, and Python can wait for
about 292 years."""
WASM_STACK = 1 << 18
"""Bytes of the stack of a WebAssembly module: a few C functions are active at once."""

DEFAULT_EXTENT = 8
"""Of a symbol that no array and no option decides, where inputs are drawn."""
