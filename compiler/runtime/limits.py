"""What bounds the runtime: sizes of files and names, ages, and how much is kept.

None of these is about a machine; those are in ``opc.support.target``.
"""

from __future__ import annotations

ARGUMENTS = 1024
"""The most arguments that ``ctypes`` passes to a C function."""
THREADS = 4096
"""More than any machine has processors."""
RANK = 64
"""Axes of an argument; NumPy has no arrays of more."""
REMEMBERED = 64
"""How many combinations of input shapes a function keeps the sizes of."""

INTERFACE = 1 << 26
"""Bytes of the JSON file beside a library."""
NAME = 200
"""Characters of the name for the files of a function, and of one with its suffix:"""
FILE = 300
SHOWN = 80
"""Characters of a wrong value that a message shows."""
DIAGNOSTICS = 8000
"""Characters of what a C compiler printed that a message shows."""

CACHE = 4 << 30
"""Bytes of the cache, unless ``OPC_CACHE_LIMIT`` says how many."""
DIGITS = 18
"""Of the number of bytes that it says."""
SHARES = 64
"""Into so many parts the limit is divided; the folder may be past it by about one of them."""
MAPPED = 1 << 20
"""Bytes from which on an entry of the cache is mapped.  A GPT-2 that reads all of its 650 MB for
each token takes 1.03 times as long as with a copy in memory."""
YOUNG = 600.0
"""Seconds for which a file or folder may still be needed by who made it: between making a folder
and locking it, it must not look abandoned."""
RECORD = 30 * 86400.0
"""Seconds for which it is kept what a C compiler said of itself."""
PATIENCE = 3e7
"""Seconds; to wait for a compiler for more than a year is a mistake, and the most that Python can
wait for is about 292 years."""
