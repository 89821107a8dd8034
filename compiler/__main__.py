"""``python -m opc`` and the command ``opc``."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """Entry point of ``opc``; returns the exit code."""
    try:
        from opc.tools.cli import main as run
    except KeyboardInterrupt:
        return 130
    return run(args)


def opt(args: Sequence[str] | None = None) -> int:
    """Entry point of ``opc-opt``; returns the exit code."""
    from opc.tools.report import guarded

    def run() -> int:
        # It takes a second to import, in which it may be interrupted.
        from opc.tools.opt import OptMain

        return OptMain(args).execute()

    return guarded("opc-opt", run)


if __name__ == "__main__":
    sys.exit(main())
