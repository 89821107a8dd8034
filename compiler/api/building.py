"""The C compiler, which runs beside the packing of weights.

The C text of a graph is known before its weights: packing those of a BERT, and writing them to the
cache, takes as long as the C compiler.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from opc.emit.source import Emitted
from opc.runtime.limits import MAPPED

from .options import Options


class Building:
    """The library of one C text; leaving the ``with`` statement early kills its compilers."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(1)
        self._path: Future[Path] | None = None

    def __enter__(self) -> Building:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            self._stop.set()
        self._pool.shutdown()

    def begin(self, emitted: Emitted) -> None:
        """Start the C compiler, if weights are to be packed that take a while."""
        if emitted.block is not None and emitted.block.nbytes >= MAPPED:
            self._path = self._pool.submit(self._build, emitted)

    def path(self, emitted: Emitted) -> Path:
        """The library, as soon as it is there.  Raises ToolchainError."""
        return self._build(emitted) if self._path is None else self._path.result()

    def _build(self, emitted: Emitted) -> Path:
        return self._options.build(emitted.source, emitted.units, self._stop)
