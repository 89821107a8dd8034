"""The system compiler: finding it, describing it, running it, and every way it can fail."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.errors import OutputError, ToolchainError, UsageError
from opc.runtime import scratch, toolchain
from opc.runtime.toolchain import (
    Compiler,
    command_flags,
    find_compiler,
    resolved_isa,
    target_flags,
    translate,
)
from tests.unit.common import ROOT

pytestmark = pytest.mark.level("-O3")

C_TEXT = "int t_run(void *workspace) { (void)workspace; return 0; }\n"
X86_TARGETS = ("native", "baseline", "avx2", "avx512")
X86 = Compiler(("/bin/cc",), "/bin/cc", "cc 1", "x86_64")
ARM = Compiler(("/bin/cc",), "/bin/cc", "cc 1", "aarch64")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "_known", {})
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("OPC_CC_TIMEOUT", raising=False)


def script(path: Path, body: str) -> Path:
    """An executable shell script at ``path``."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def counting(path: Path) -> Path:
    """A compiler that notes each of its runs in ``<path>.log``."""
    return script(path, f'echo "$@" >> "{path}.log"\nexec cc "$@"')


def test_default_is_cc() -> None:
    compiler = find_compiler()
    assert compiler.argv == (shutil.which("cc"),)
    assert compiler.path == os.path.realpath(compiler.argv[0])
    assert compiler.version
    assert compiler.machine == platform.machine()


def test_environment_names_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(counting(tmp_path / "mycc")))
    assert find_compiler().argv == (str(tmp_path / "mycc"),)


def test_argument_goes_before_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nonexistent")
    assert find_compiler("cc").argv == (shutil.which("cc"),)


@pytest.mark.parametrize("value", ["", "  "])
def test_empty_environment_is_no_choice(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", value)
    assert find_compiler().argv == (shutil.which("cc"),)


def test_environment_may_hold_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "cc -DA='1 2' -g0")
    compiler = find_compiler()
    assert compiler.argv[1:] == ("-DA=1 2", "-g0")
    assert translate(compiler, C_TEXT).startswith(b"\x7fELF")


def test_path_with_spaces_is_one_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my tools; $(id)"
    folder.mkdir()
    monkeypatch.setenv("CC", str(counting(folder / "c c")))
    assert translate(find_compiler(), C_TEXT).startswith(b"\x7fELF")


@pytest.mark.parametrize(
    "hostile",
    [
        "cc; touch {mark}",
        "cc;touch {mark}",
        "cc $(touch {mark})",
        "cc `touch {mark}`",
        "cc && touch {mark}",
        "cc > {mark}",
        "cc | tee {mark}",
        "$(touch {mark})",
    ],
)
def test_no_shell_reads_the_command(
    hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    monkeypatch.setenv("CC", hostile.format(mark=mark))
    with pytest.raises(ToolchainError):
        translate(find_compiler(), C_TEXT)
    assert not mark.exists()


@pytest.mark.parametrize("name", ["/nonexistent", "no-such-compiler", "", " ", "'open", "a\0b"])
def test_missing_compiler(name: str) -> None:
    with pytest.raises(ToolchainError, match="no C compiler") as caught:
        find_compiler(name)
    assert caught.value.exit_code == 5


def test_missing_compiler_says_which_and_what_to_do() -> None:
    with pytest.raises(ToolchainError, match=r"'/nonexistent' \(cc\).*install gcc or clang"):
        find_compiler("/nonexistent")


def test_no_compiler_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolchainError, match=r"'cc' \(default\)"):
        find_compiler()


def test_folder_and_plain_file_are_no_compilers(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("text")
    for path in (tmp_path, tmp_path / "plain"):
        with pytest.raises(ToolchainError, match="not an executable file"):
            find_compiler(path)


def test_executable_that_cannot_run(tmp_path: Path) -> None:
    path = tmp_path / "cc"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    with pytest.raises(ToolchainError, match="cannot run"):
        find_compiler(path)


def test_failing_compiler_shows_its_message(tmp_path: Path) -> None:
    path = script(tmp_path / "cc", "echo licence expired >&2; exit 3")
    with pytest.raises(ToolchainError, match=r"(?s)exit code 3.*licence expired"):
        find_compiler(path)


def test_a_compiler_that_does_not_say_its_target_is_for_this_machine(tmp_path: Path) -> None:
    body = 'case "$*" in *-dumpmachine*) echo no input files >&2; exit 1;; esac\nexec cc "$@"'
    compiler = find_compiler(script(tmp_path / "cc", body))
    assert compiler.machine == platform.machine()
    assert translate(compiler, C_TEXT)


def test_a_compiler_that_hangs_at_its_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPC_CC_TIMEOUT", "0.5")
    body = 'case "$*" in *-dumpmachine*) exec sleep 30;; esac\nexec cc "$@"'
    with pytest.raises(ToolchainError, match=r"no result after 0\.5 s"):
        find_compiler(script(tmp_path / "cc", body))


@pytest.mark.skipif(shutil.which("tcc") is None, reason="tcc is not installed")
def test_tcc() -> None:
    """It runs files, also those with vectors, to the same bits."""
    type = "tensor<7x5xf64>"
    exp = f"func.func @main(%x: {type}) -> {type} {{\n%a = opc.exp %x\nfunc.return %a : {type}\n}}"
    x = np.linspace(-8, 8, 35).reshape(7, 5)
    assert opc.compile(exp, cc="tcc")(x).tobytes() == opc.compile(exp)(x).tobytes()
    rows = np.linspace(-8, 8, 1 << 22, dtype=np.float32).reshape(4096, 1024)
    softmax = ROOT / "examples/softmax.mlir"
    found = opc.compile(softmax, cc="tcc")(rows)
    assert found.tobytes() == opc.compile(softmax)(rows).tobytes()


def test_rejected_text_shows_the_diagnostics() -> None:
    with pytest.raises(ToolchainError, match=r"(?s)exit code 1.*kernel\.c:1.*nonsense"):
        translate(find_compiler(), "nonsense")


def test_huge_diagnostics_are_cut(tmp_path: Path) -> None:
    path = script(tmp_path / "cc", "yes message | head -n 100000 >&2; exit 1")
    with pytest.raises(ToolchainError) as caught:
        find_compiler(path)
    assert len(str(caught.value)) < 10_000


def test_compiler_that_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ToolchainError, match="wrote nothing"):
        translate(find_compiler(script(tmp_path / "cc", "exit 0")), C_TEXT)


def test_a_compiler_that_crashes_is_run_again_at_a_lower_level(tmp_path: Path) -> None:
    lower = 'case "$*" in *-O1*|*-v*|*-dump*) exec cc "$@";; esac'
    crash = f'case "$*" in *kernel.c*) {lower}; echo "error in backend" >&2; exit 70;; esac'
    path = script(tmp_path / "cc", f'{crash}; exec cc "$@"')
    assert translate(find_compiler(path), C_TEXT)
    always = 'case "$*" in *kernel.c*) echo "error in backend" >&2; exit 70;; esac; exec cc "$@"'
    with pytest.raises(ToolchainError, match=r"-O1 .*exit code 70"):
        translate(find_compiler(script(tmp_path / "other", always)), C_TEXT)


def test_killed_compiler(tmp_path: Path) -> None:
    with pytest.raises(ToolchainError, match="signal 11"):
        find_compiler(script(tmp_path / "cc", "kill -SEGV $$"))


def test_hanging_compiler_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The child holds the pipes open: killing the script alone would wait for it.
    path = script(tmp_path / "cc", f"sleep 60 & echo $! > '{tmp_path}/child'; wait")
    monkeypatch.setenv("OPC_CC_TIMEOUT", "0.5")
    start = time.monotonic()
    with pytest.raises(ToolchainError, match=r"no result after 0\.5 s.*OPC_CC_TIMEOUT"):
        find_compiler(path)
    assert time.monotonic() - start < 10
    child = int((tmp_path / "child").read_text())
    # A killed process that nobody waits for stays as a zombie; on a busy machine it dies late.
    status = Path(f"/proc/{child}/status")
    deadline = time.monotonic() + 10
    while status.exists() and "State:\tZ" not in status.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_compiler_keeps_its_files_in_a_folder_that_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = tmp_path / "where"
    path = script(tmp_path / "cc", f'echo "$TMPDIR $PWD" > "{where}"\nexec cc "$@"')
    translate(find_compiler(path), C_TEXT)
    temporary, folder = where.read_text().split()
    assert temporary == folder and not Path(folder).exists()


@pytest.mark.parametrize("value", ["0", "-1", "abc", "nan", "inf", "1e300"])
def test_timeout_must_be_a_number(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPC_CC_TIMEOUT", value)
    with pytest.raises(UsageError, match="OPC_CC_TIMEOUT"):
        find_compiler()


def test_flags() -> None:
    flags = command_flags(X86, "avx2", threaded=True)
    assert flags[:2] == ("-std=c99", "-O3")
    assert {"-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"} <= set(flags)
    assert {"-march=x86-64-v3", "-pthread", "-shared"} <= set(flags)
    assert "-pthread" not in command_flags(X86, "avx2")
    assert ("-Wl,-z,noseparate-code" in flags) == (sys.platform != "darwin")


@pytest.mark.parametrize("level", ["-O0", "-O1", "-Os", "-O"])
def test_a_level_of_the_command_is_the_only_one(level: str) -> None:
    flags = command_flags(replace(X86, argv=("/bin/ccache", "cc", level)), "avx2")
    assert not [flag for flag in flags if flag.startswith("-O")]
    assert flags == tuple(flag for flag in command_flags(X86, "avx2") if flag != "-O3")


def test_a_level_of_the_command_is_kept() -> None:
    text = "#ifdef __OPTIMIZE__\n#error optimised\n#endif\n" + C_TEXT
    assert translate(find_compiler("cc -O0"), text)
    with pytest.raises(ToolchainError, match="optimised"):
        translate(find_compiler("cc"), text)


def test_flags_of_gcc() -> None:
    gcc = replace(X86, version="gcc 12.2.0, Copyright (C) 2022 Free Software Foundation, Inc.")
    assert "-funroll-loops" in command_flags(gcc, "avx2")
    assert "-mno-stv" in command_flags(gcc, "avx2")
    assert "-mno-stv" not in command_flags(replace(gcc, triple="aarch64-linux-gnu"), "baseline")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="counts instructions of x86-64")
def test_gcc_reads_as_many_rows_at_once_as_are_written() -> None:
    """Iterations of the loop over rows stay apart, so a vector is stored after two loads."""
    text = """
void f(long n, long m, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i += 2) {
    for (long j = 0; j < m; ++j) {
      y[j] += x[i * m + j] + x[i * m + m + j];
    }
  }
}
"""
    gcc = find_compiler()
    if "Free Software Foundation" not in gcc.version:
        pytest.skip("the compiler is not gcc")
    code = translate(gcc, text, "asm", target="baseline").decode()
    adds = len(re.findall(r"\taddps\t", code))
    stores = len(re.findall(r"\tmov[au]ps\t%xmm\d+, [^%\n]*\(", code))
    # Four additions for a store where iterations are merged.
    assert 0 < 2 * adds < 5 * stores


@pytest.mark.parametrize("target", X86_TARGETS)
@pytest.mark.parametrize("threaded", [False, True])
def test_no_flag_changes_results(target: str, threaded: bool) -> None:
    flags = command_flags(X86, target, threaded=threaded)
    assert not {"-ffast-math", "-Ofast", "-funsafe-math-optimizations"} & set(flags)
    assert "-ffinite-math-only" not in flags


def test_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    assert [target_flags(X86, target) for target in X86_TARGETS] == [
        ("-march=native",),
        (),
        ("-march=x86-64-v3",),
        ("-march=x86-64-v4",),
    ]


def test_native_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert target_flags(ARM, "native") == ("-mcpu=native",)
    assert target_flags(X86, "native") == ()  # a cross compiler
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert target_flags(Compiler(("/bin/cc",), "/bin/cc", "", "riscv64"), "native") == ()


def test_unknown_target_lists_what_exists() -> None:
    with pytest.raises(UsageError, match="'sse9'; there are: native, baseline, avx2, avx512"):
        target_flags(X86, "sse9")


@pytest.mark.parametrize("target", ["avx2", "avx512"])
def test_x86_target_on_another_machine(target: str) -> None:
    with pytest.raises(UsageError, match=r"aarch64; use another compiler, or native or baseline"):
        target_flags(ARM, target)


def test_resolved_isa_of_native_depends_on_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    here = resolved_isa(X86, "native")
    assert here == resolved_isa(X86, "native")
    baseline = resolved_isa(X86, "baseline")
    monkeypatch.setattr(toolchain, "_processor_digest", lambda: "another")
    assert resolved_isa(X86, "native") != here
    assert resolved_isa(X86, "baseline") == baseline
    assert len({resolved_isa(X86, target) for target in X86_TARGETS}) == len(X86_TARGETS)


def test_record_saves_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = find_compiler("cc", records=tmp_path)

    def asked(*_: object) -> Compiler:
        raise AssertionError("asked again")

    monkeypatch.setattr(toolchain, "_ask", asked)
    assert find_compiler("cc", records=tmp_path) == first
    monkeypatch.setattr(toolchain, "_known", {})  # another process
    assert find_compiler("cc", records=tmp_path) == first
    monkeypatch.setenv("OPC_TEST_OF_ANOTHER_ENVIRONMENT", "1")
    with pytest.raises(AssertionError, match="asked again"):
        find_compiler("cc", records=tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b'{"version": 1}', b"\xff", b"[" * 9999]
)
def test_damaged_record_asks_again(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = find_compiler("cc", records=tmp_path)
    (record,) = tmp_path.glob("cc-*.json")
    record.write_bytes(content)
    monkeypatch.setattr(toolchain, "_known", {})
    assert find_compiler("cc", records=tmp_path) == first


def test_replaced_compiler_is_asked_again(tmp_path: Path) -> None:
    path = script(tmp_path / "cc", 'echo "one"')
    assert find_compiler(path, records=tmp_path).version == "one"
    script(path, 'echo "two, of another size"')
    assert find_compiler(path, records=tmp_path).version == "two, of another size"


def test_replaced_compiler_behind_a_wrapper(tmp_path: Path) -> None:
    wrapper = script(tmp_path / "wrapper", 'exec "$@"')
    inner = script(tmp_path / "inner", 'echo "one"')
    command = f"'{wrapper}' '{inner}'"
    assert find_compiler(command, records=tmp_path).version == "one"
    script(inner, 'echo "two, of another size"')
    assert find_compiler(command, records=tmp_path).version == "two, of another size"


def test_kinds() -> None:
    compiler = find_compiler()
    shared = translate(compiler, C_TEXT)
    assert shared.startswith(b"\x7fELF") and b"t_run" in shared
    assert translate(compiler, C_TEXT, "obj").startswith(b"\x7fELF")
    assert b"t_run:" in translate(compiler, C_TEXT, "asm", target="baseline")


def test_result_does_not_tell_where_it_was_made(tmp_path: Path) -> None:
    compiler = find_compiler()
    assert translate(compiler, C_TEXT) == translate(compiler, C_TEXT)


def test_what_a_killed_compilation_leaves_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = script(tmp_path / "cc", 'case "$*" in *kernel.c*) exec sleep 20;; *) echo gcc;; esac')
    code = "import sys; from opc.runtime.cache import build; build('', cc=sys.argv[1], cache=None)"
    folder = tmp_path / "tmp"
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(slow)], env=environment) for _ in range(2)
    ]
    while len(left := [p for p in folder.iterdir() if (p / "kernel.c").exists()]) < 2:
        time.sleep(0.01)
    started[0].kill()
    started[0].wait()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / f"{scratch.PREFIX}link").symlink_to(elsewhere)
    (folder / f"{scratch.PREFIX}file").touch()
    others = (folder / "opc-other", folder / f"{scratch.PREFIX}young")
    for path in others:
        path.mkdir()
    for path in (*left, others[0], folder / f"{scratch.PREFIX}file", elsewhere):
        os.utime(path, (1, 1))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(scratch, "_swept", set[str]())
    try:
        translate(find_compiler("cc"), C_TEXT)
        assert len([path for path in left if path.exists()]) == 1
        assert all(path.exists() for path in (*others, elsewhere))
    finally:
        started[1].kill()
        started[1].wait()
    monkeypatch.setattr(scratch, "_swept", set[str]())
    translate(find_compiler("cc"), C_TEXT)
    assert not any(path.exists() for path in left)


def test_temporary_folder_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.raises(OutputError, match="cannot make a temporary folder: No such file"):
        translate(find_compiler("cc"), C_TEXT)


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    compiler = find_compiler()
    translate(compiler, C_TEXT)
    with pytest.raises(ToolchainError):
        translate(compiler, "nonsense")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
def test_clang() -> None:
    compiler = find_compiler("clang")
    assert "clang" in compiler.version
    assert translate(compiler, C_TEXT).startswith(b"\x7fELF")


def test_threaded() -> None:
    text = (
        "int t_run(void *w) { (void)w;\n"
        "#ifdef _REENTRANT\nreturn 0;\n#else\n#error serial\n#endif\n}"
    )
    compiler = find_compiler()
    assert translate(compiler, text, threaded=True).startswith(b"\x7fELF")
    with pytest.raises(ToolchainError, match="serial"):
        translate(compiler, text)
