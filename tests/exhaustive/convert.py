"""Prove that hardware converts f16 and bf16 as portable C does, over all 2^32 inputs.

Usage, from the root of the repository::

    python -m tests.exhaustive.convert [--stride N] [--compiler CC] [--flags FLAGS]

``--stride N`` checks every Nth block of 4096 inputs only; without it the check takes
about a minute.
Prints how often the conversions differ and exits with 1 if they ever do.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from opc.dialects.memory_ops import NARROW
from opc.emit import library
from opc.emit.ctext import suffix
from opc.emit.texts import INTRINSICS, c_text

STAGINGS = ("widen", "narrow", "round_staged")


def helpers() -> str:
    """Every conversion between f32 and types of 16 bits."""
    names = [
        name.format(suffix(type))
        for type in NARROW
        for name in ("opc_cast_{}_f32", "opc_cast_f32_{}", "opc_round_{}_f32")
    ]
    texts = [INTRINSICS, library.source(names)]
    return "\n".join(
        texts + [c_text(f"staging.{kind}_{suffix(t)}") for t in NARROW for kind in STAGINGS]
    )


def check(stride: int, compiler: str = "gcc", flags: tuple[str, ...] = ("-march=native",)) -> str:
    """Build and run the driver; what it prints, which is 0 if all is well."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "helpers.inc").write_text(helpers(), encoding="utf-8")
        driver = files(__package__ or "").joinpath("convert.c").read_text(encoding="utf-8")
        (folder / "convert.c").write_text(driver, encoding="utf-8")
        program = str(folder / "convert")
        command = [compiler, "-std=c99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
        command += [*flags, str(folder / "convert.c"), "-o", program, "-lm"]
        subprocess.run(command, check=True)
        done = subprocess.run([program, str(stride)], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def main() -> int:
    """Run the check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--stride", type=int, default=1, metavar="N")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--flags", default="-march=native")
    options = parser.parse_args()
    found = check(options.stride, options.compiler, tuple(options.flags.split()))
    print(f"{found} differ")
    return found != "0"


if __name__ == "__main__":
    sys.exit(main())
