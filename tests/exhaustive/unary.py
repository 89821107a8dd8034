"""Prove the error bounds of the unary f32 helpers over all 2^32 inputs.

Usage, from the root of the repository::

    python -m tests.exhaustive.unary [--stride N] [--jobs N] [name ...]

Names are those of the functions without prefix and type, such as ``exp``; without names all are
checked, which takes about a minute each. ``--stride N`` checks every Nth input only. The references
are those of the C library in double precision, whose error is far below one ULP of f32. Prints the
largest error in ULP and exits with 1 where one exceeds its bound or where a NaN, an infinity or a
sign is wrong.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from opc.emit import library

EXACT = ("abs", "sign", "ceil", "floor", "trunc", "round", "is_nan", "is_inf", "is_posinf")
ROUNDED = ("sqrt",)
CLOSE = (
    *("exp", "exp_neg", "exp_softmax", "exp_softmax_neg", "expm1", "log", "log1p"),
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc"),
    *("sigmoid", "silu", "softplus", "gelu", "gelu_tanh", "mish", "softsign"),
)

#: Largest allowed error of each function in ULP.
BOUNDS: dict[str, float] = {
    **dict.fromkeys((*EXACT, "is_neginf"), 0.0),
    **dict.fromkeys(ROUNDED, 0.5),
    **dict.fromkeys(CLOSE, 2.0),
}


@dataclass(frozen=True)
class Result:
    """Outcome of one function: its largest error, and inputs where a class or sign is wrong."""

    name: str
    error: float
    error_at: int
    wrong: int
    wrong_at: int

    @property
    def passed(self) -> bool:
        return self.wrong == 0 and self.error <= BOUNDS[self.name]

    def __str__(self) -> str:
        verdict = "ok" if self.passed else "FAILED"
        text = f"{self.name:10} {self.error:.4f} ULP at {self.error_at:#010x} {verdict}"
        return text if self.wrong == 0 else f"{text}, {self.wrong} wrong, at {self.wrong_at:#010x}"


def build(folder: Path, compiler: str = "gcc") -> Path:
    """Compile the driver into the folder and return the path of the program."""
    names = [f"opc_{name}_f32" for name in BOUNDS]
    helpers = library.source([*names, "opc_bits_f64", "opc_from_bits_f64"])
    (folder / "helpers.inc").write_text(helpers, encoding="utf-8")
    driver = files(__package__ or "").joinpath("unary.c").read_text(encoding="utf-8")
    (folder / "unary.c").write_text(driver, encoding="utf-8")
    program = folder / "unary"
    flags = ("-std=c99", "-O2", "-ffp-contract=off", "-fno-math-errno")
    command = [compiler, *flags, str(folder / "unary.c"), "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    return program


def check(program: Path, name: str, stride: int = 1, jobs: int = 1) -> Result:
    """Run the driver for one function, its inputs dealt out to parallel processes."""

    def run(first: int) -> Result:
        command = [str(program), name, str(first * stride), str(stride * jobs)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        error, error_at, wrong, wrong_at = output.split()
        return Result(name, float(error), int(error_at, 16), int(wrong), int(wrong_at, 16))

    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(run, range(jobs)))
    worst = max(results, key=lambda result: result.error)
    first_wrong = next((result.wrong_at for result in results if result.wrong), 0)
    total = sum(result.wrong for result in results)
    return Result(name, worst.error, worst.error_at, total, first_wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove the error bounds of unary f32 helpers.")
    parser.add_argument("names", nargs="*", metavar="name", help="functions, default all")
    parser.add_argument("--stride", type=int, default=1, help="check every Nth input")
    parser.add_argument("--jobs", type=int, default=1, help="parallel processes")
    arguments = parser.parse_args()
    names: list[str] = arguments.names or list(BOUNDS)
    for name in names:
        if name not in BOUNDS:
            parser.error(f"unknown function {name}, expected one of {', '.join(sorted(BOUNDS))}")
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for name in names:
            result = check(program, name, arguments.stride, arguments.jobs)
            passed = passed and result.passed
            print(result, flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
