"""``python -m opc`` and the command ``opc``."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    from opc.tools.cli import main as run

    return run(args)


if __name__ == "__main__":
    sys.exit(main())
