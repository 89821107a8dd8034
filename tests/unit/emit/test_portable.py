"""The C with other compilers and for other machines: fused, with the same bits, or refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from opc.api.driver import lower
from opc.emit import ctext, library
from opc.emit.library import FUSED
from opc.emit.storage import Storage
from opc.runtime.objects import can_link
from opc.runtime.toolchain import Compiler, command_flags
from tests.portable.__main__ import BEGIN, END
from tests.portable.graphs import EXAMPLES, emitted
from tests.portable.machines import MACHINES, Machine
from tests.portable.run import SAME, verdicts
from tests.unit.common import ROOT

PAGE = ROOT / "docs" / "portability.md"
BY_NAME = {machine.name: machine for machine in MACHINES}
FUSED_ON = {
    "gcc, Cortex-M4": ("vfma", "products f32"),
    "gcc, Cortex-M7": ("vfma", "products f64"),
    "gcc, 64-bit Arm": ("fmadd|fmla", "products f32"),
    "clang, 64-bit Arm": ("fmadd|fmla", "products f64"),
    "gcc, RISC-V rv64gc": ("fmadd.s", "products f32"),
    "clang, RISC-V rv64gc": ("fmadd.d", "products f64"),
    "gcc -O3, POWER8": ("x[sv]madd|fmadds", "products f32"),
    "gcc, s390x (big-endian)": ("maeb", "products f32"),
    "clang, s390x": ("maeb", "products f32"),
    "clang, POWER8": ("x[sv]n?madd", "products f32"),
    "clang, Cortex-M4": ("vfma", "products f32"),
    "clang, 32-bit Arm with VFPv4": ("vfma", "products f64"),
}
"""The fused instruction, and a graph whose tile has 32 products: 8 vectors of f32, 16 of f64."""
OTHERS = {
    "clang, RISC-V rv64gc": ("clang", "--target=riscv64-linux-gnu", "-march=rv64gc", "-mabi=lp64d"),
    "clang, s390x": ("clang", "--target=s390x-linux-gnu"),
    "clang, POWER8": ("clang", "--target=powerpc64le-linux-gnu"),
    "clang, Cortex-M4": (
        *("clang", "--target=arm-none-eabihf", "-mcpu=cortex-m4", "-mfloat-abi=hard"),
        *("-mfpu=fpv4-sp-d16",),
    ),
}
HEADERS = {
    "clang, RISC-V rv64gc": "/usr/riscv64-linux-gnu/include",
    "clang, s390x": "/usr/s390x-linux-gnu/include",
    "clang, POWER8": "/usr/powerpc64le-linux-gnu/include",
    "clang, 64-bit Arm": "/usr/aarch64-linux-gnu/include",
    "clang, 32-bit Arm with VFPv4": "/usr/arm-linux-gnueabihf/include",
    "clang, Cortex-M4": "/usr/include/newlib",
}


def compile_to(
    argv: Sequence[str], text: str, folder: Path, *flags: str
) -> subprocess.CompletedProcess[str]:
    if shutil.which(argv[0]) is None:
        pytest.skip(f"{argv[0]} is not installed")
    (folder / "graph.c").write_text(text, encoding="utf-8")
    command = [*argv, "-std=c99", "-w", *flags, "graph.c"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", FUSED_ON)
def test_products_are_fused(name: str, tmp_path: Path) -> None:
    instruction, graph = FUSED_ON[name]
    words = OTHERS.get(name) or BY_NAME[name].compiler
    words = [w for w in words if w not in ("-static", "-nostartfiles", "-T") and "/" not in w]
    words = [w for w in words if not w.startswith(("-O", "-isystem", "--specs", "-Wl"))]
    headers = HEADERS.get(name)
    if headers is not None:
        if not Path(headers).is_dir():
            pytest.skip(f"{headers} is not installed")
        words += ["-isystem", headers]
    done = compile_to(words, emitted()[graph].source, tmp_path, "-O2", "-S", "-o", "-")
    assert done.returncode == 0, done.stderr
    fused = re.findall(rf"^\s+(?:{instruction})", done.stdout, re.MULTILINE)
    assert len(fused) >= 8


FLUSHING = "vmaddfp|vnmsubfp|vaddfp|vsubfp"
"""Instructions of AltiVec, whose results are zero where they are subnormal."""


@pytest.mark.parametrize("graph", ["depthwise", "rnn", "network", "functions f32"])
def test_power_computes_subnormal_numbers(graph: str, tmp_path: Path) -> None:
    """Of sums of products gcc -O3 made ``vmaddfp`` where none of its operands was free."""
    argv = ("powerpc64le-linux-gnu-gcc", "-O3")
    done = compile_to(argv, emitted()[graph].source, tmp_path, "-S", "-o", "-")
    assert done.returncode == 0, done.stderr
    assert not re.findall(rf"^\s+(?:{FLUSHING})\b", done.stdout, re.MULTILINE)
    assert re.search(r"^\s+(?:xvmaddasp|fmadds)\b", done.stdout, re.MULTILINE)


def test_a_processor_without_one_for_f64_computes_it_exactly(tmp_path: Path) -> None:
    """A Cortex-M4 has one for f32 only, and newlib's fma rounds twice."""
    done = compile_to(
        ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard"),
        f"{FUSED}\n#ifdef OPC_FMA_F64\n#error fused\n#endif\n" + emitted()["products f64"].source,
        tmp_path, "-mfpu=fpv4-sp-d16", "-O0", "-S", "-o", "-",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not re.search(r"\bbl\s+fma\b", done.stdout)


EXACT = """
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <string.h>
#include <math.h>
"""
DRAWN = """
static uint64_t state = 88172645463325252u;
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
/* A number of any magnitude, of which the last digits are zeros often. */
static double number(int least, int most) {
  const uint64_t digits = draw() >> draw() % 53 << draw() % 11;
  const double x = ldexp((double)(digits | 1), least + (int)(draw() % (uint64_t)(most - least)));
  return draw() & 1 ? x : -x;
}
int main(void) {
  for (int k = 0; k < 1000000; ++k) {
    const int way = k % 4, low = way == 0 ? -600 : way == 1 ? 400 : -30;
    const double a = number(low, low + 60), b = number(low, low + 60);
    double c = way == 2 ? -a * b : number(2 * low, 2 * low + 150);
    c = way == 3 ? c * ldexp(1, (int)(draw() % 300) - 150) : c;
    const uint64_t x = opc_bits_f64(opc_fma_in_integers(a, b, c)), y = opc_bits_f64(fma(a, b, c));
    if (x != y && fma(a, b, c) == fma(a, b, c)) {
      return 1;
    }
  }
  static const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 5e-324,
                                   1.7976931348623157e308, 2.2250738585072014e-308};
  for (int k = 0; k < 1000; ++k) {
    const double a = special[k % 10], b = special[k / 10 % 10], c = special[k / 100];
    const double x = opc_fma_in_integers(a, b, c), y = fma(a, b, c);
    if (opc_bits_f64(x) != opc_bits_f64(y) && !(x != x && y != y)) {
      return 2;
    }
  }
  return 0;
}
"""


def test_a_product_and_a_sum_in_integers(tmp_path: Path) -> None:
    """Every kind of numbers: subnormal ones, those that cancel, infinite results."""
    text = EXACT + library.source(["opc_fma_in_integers"]) + DRAWN
    done = compile_to(("gcc", "-O2"), text, tmp_path, "-ffp-contract=off", "-o", "program", "-lm")
    # Libraries stand behind what needs them.
    files = ["gcc", "-std=c99", "-O2", "-w", "-ffp-contract=off", "graph.c", "-lm", "-o", "program"]
    done = subprocess.run(files, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert subprocess.run([tmp_path / "program"], check=False).returncode == 0


def machines(is_short: bool) -> list[Machine]:
    return [machine for machine in MACHINES if machine.is_short == is_short]


def check(machine: Machine, names: Sequence[str] | None = None) -> None:
    if machine.missing:
        pytest.skip(f"{machine.missing} is not installed")
    for name, verdict in verdicts(machine, names).items():
        is_meant = verdict.startswith("refused: ") and machine.refusal in verdict
        assert verdict == SAME or (machine.refusal and is_meant), f"{name}: {verdict}"


@pytest.mark.sample(3)
@pytest.mark.parametrize("machine", machines(True), ids=lambda m: m.name)
def test_few_graphs_on_another_machine(machine: Machine) -> None:
    names = (
        "masked_mean",
        "network",
        "products i8",
        "bytes in tables",
        "stored weights",
        "sums f32",
    )
    check(machine, names)


@pytest.mark.long
@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: m.name)
def test_all_graphs_on_another_machine(machine: Machine) -> None:
    """The examples are among them."""
    assert {path.stem for path in EXAMPLES} <= set(emitted())
    check(machine)


def test_the_page_has_the_table() -> None:
    table = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines()[2:] if line}
    assert rows - {"compiler and machine", "|---|---|---|"} == set(BY_NAME)
    assert "WRONG" not in table and "fails" not in table and "| not run |" not in table


REFUSED = {
    "the byte order of weights": (
        "network", ("s390x-linux-gnu-gcc", "-fexcess-precision=fast"), "weights-c",
    ),
    "vectors of one number": (
        "products f32", ("gcc", "-D__attribute__(x)="), "opc_vectors_are_there",
    ),
    "NEON of clang": (
        "sums f32",
        ("clang", "--target=armv7a-linux-gnueabihf", "-mfpu=neon-vfpv4", "-isystem",
         "/usr/arm-linux-gnueabihf/include"),
        "flushes subnormal numbers",
    ),
    "MVE": (
        "sums f32",
        ("arm-none-eabi-gcc", "-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard"), "+nomve",
    ),
    "MVE of clang": (
        "sums f32",
        ("clang", "--target=arm-none-eabihf", "-mcpu=cortex-m55", "-isystem",
         "/usr/include/newlib"),
        "+nomve",
    ),
    "AltiVec": ("sums f32", ("powerpc64le-linux-gnu-gcc", "-mno-vsx"), "-mno-altivec"),
    "AltiVec of clang": (
        "sums f32",
        ("clang", "--target=powerpc64le-linux-gnu", "-mno-vsx", "-isystem",
         "/usr/powerpc64le-linux-gnu/include"),
        "-mno-altivec",
    ),
    "float in double": ("sums f32", ("s390x-linux-gnu-gcc",), "-fexcess-precision=fast"),
    "constants of float": (
        "sums f32",
        ("riscv64-linux-gnu-gcc", "-fsingle-precision-constant"),
        "OPC_constants_are_double",
    ),
    "reciprocals": (
        "sums f32", ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-freciprocal-math"),
        "not that of IEEE 754",
    ),
}  # fmt: skip


GROUPS = {
    "cortex-m4": ("i8", "ui8", ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-std=c99")),
    "avx2": ("i16", "i8", ("g++", "-march=x86-64-v3", "-x", "c++", "-std=c++17")),
    "avx512": ("i16", "i8", ("g++", "-march=x86-64-v4", "-x", "c++", "-std=c++17")),
}


@pytest.mark.parametrize("target", GROUPS)
def test_grouped_products_have_no_implicit_conversions(target: str, tmp_path: Path) -> None:
    left, right, compiler = GROUPS[target]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"no {compiler[0]}")
    weights = np.random.default_rng(3).integers(0, 128, (40, 12)).tolist()
    text = f"""
func.func @main(%x: tensor<4x40x{left}>) -> tensor<4x12xi32> {{
  %y = opc.constant dense<{weights}> : tensor<40x12x{right}>
  %a = opc.cast %x : tensor<4x40x{left}> -> tensor<4x40xi32>
  %b = opc.cast %y : tensor<40x12x{right}> -> tensor<40x12xi32>
  %p = opc.matmul %a, %b
  func.return %p : tensor<4x12xi32>
}}"""
    source = lower(text, target=target, cache=None).c_source
    assert "opc_dot_" in source
    (tmp_path / "main.c").write_text(source, encoding="utf-8")
    flags = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-fsyntax-only"]
    command = [*compiler, *flags, "main.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str, tmp_path: Path) -> None:
    graph, argv, message = REFUSED[case]
    done = compile_to(argv, emitted()[graph].source, tmp_path, "-c", "-o", "graph.o")
    assert done.returncode != 0
    line = re.search(r"\.c:(\d+):", done.stderr)
    # tcc does not repeat what an #error says.
    lines = emitted()[graph].source.splitlines()
    assert message in done.stderr + (lines[int(line[1]) - 1] if line else "")


PLAIN = re.compile(r"^#define ([A-Za-z]\w*) ", re.MULTILINE)


@pytest.mark.parametrize(
    "argv",
    [
        ("gcc",), ("gcc", "-m32", "-march=i686"), ("clang",), ("tcc",), ("arm-none-eabi-gcc",),
        ("x86_64-w64-mingw32-gcc",), ("powerpc64le-linux-gnu-gcc",), ("s390x-linux-gnu-gcc",),
        ("clang", "--target=mips64-linux-gnu"), ("clang", "--target=sparc-linux-gnu"),
        ("clang", "--target=i386-pc-windows-msvc"), ("clang", "--target=powerpc-ibm-aix"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_name_is_a_macro(argv: Sequence[str], tmp_path: Path) -> None:
    """Names without an underscore that compilers define, of which ``i386`` was a loop variable."""
    done = compile_to(argv, "", tmp_path, "-std=gnu99", "-dM", "-E")
    macros = set(PLAIN.findall(done.stdout))
    spelled = {name for name in macros if "_" not in name}
    assert spelled <= ctext.PREDEFINED | {"bool"}
    texts = [library.source(library.available()), *(g.source for g in emitted().values())]
    plain = re.sub(r"/\*.*?\*/|//[^\n]*|\"[^\n]*\"", "", "\n".join(texts), flags=re.DOTALL)
    assert not macros & set(re.findall(r"\b[A-Za-z]\w*", plain)) - {"bool"}


def test_counted_names_pass_over_macros() -> None:
    """A function of a thousand loops has no variable ``i386``."""
    names = Storage.fresh
    owner = type("Owner", (), {"counts": {}, "fresh": names})()
    made = [owner.fresh("i") for _ in range(1000)]
    assert len(set(made)) == 1000 and not set(made) & ctext.PREDEFINED
    assert {"i385", "i387"} <= set(made)


LINKED = {
    "x86_64-linux-gnu": ("-fPIC", "-Wl,-z,noseparate-code"),
    "aarch64-linux-gnu": ("-fPIC", "-Wl,-z,noseparate-code"),
    "x86_64-w64-mingw32": (),
    "x86_64-pc-windows-msvc": (),
    "arm64-apple-darwin22.1.0": ("-fPIC",),
    "aarch64-unknown-macos-none": ("-fPIC",),
    "wasm32-unknown-wasi": (),
}


@pytest.mark.parametrize("triple", LINKED)
def test_options_are_those_of_the_target(triple: str) -> None:
    compiler = Compiler(("/bin/cc",), "/bin/cc", "cc 1", triple)
    flags = command_flags(compiler, "baseline")
    assert "-shared" in flags
    assert tuple(f for f in flags if f == "-fPIC" or f.startswith("-Wl")) == LINKED[triple]


@pytest.mark.parametrize(
    "version",
    ["tcc version 0.9.27 (x86_64 Linux)", "clang version 22.1.8\nInstalledDir: /opt/zig-0.17"],
)
def test_a_linker_of_its_own_takes_no_options(version: str) -> None:
    """zig calls itself clang, and refuses what it does not know."""
    compiler = Compiler(("/bin/cc",), "/bin/cc", version, "x86_64-unknown-linux-musl")
    assert not [f for f in command_flags(compiler, "baseline") if f.startswith("-Wl")]
    assert not can_link(compiler)


def test_a_library_for_windows(tmp_path: Path) -> None:
    """The linker took no option of ours before."""
    if shutil.which("x86_64-w64-mingw32-gcc") is None:
        pytest.skip("x86_64-w64-mingw32-gcc is not installed")
    from opc.runtime.toolchain import find_compiler, translate

    text = lower(EXAMPLES[0].read_text(encoding="utf-8")).c_source
    built = translate(find_compiler("x86_64-w64-mingw32-gcc"), text, target="baseline")
    assert built.startswith(b"MZ")


def test_the_highest_of_no_numbers_is_found_whatever_their_sign() -> None:
    """NAN is negative with some compilers, as tcc."""
    rank = library.source(["opc_rank_f32", "opc_rank_f64"])
    assert "NAN" not in re.sub(r"//.*", "", rank)
    assert np.float32(np.nan).view(np.uint32) == 0x7FC00000
