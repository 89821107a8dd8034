"""The folder of built libraries: keys, trust, damage, growth and many processes at once."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import stat
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from opc.errors import OutputError, ToolchainError, UsageError
from opc.runtime import cache as cache_module
from opc.runtime import toolchain
from opc.runtime.cache import build, cache_key, default_folder, is_sealed, seal
from opc.runtime.toolchain import Compiler

# Other processes, which are not patched, build the same.
pytestmark = pytest.mark.level("-O3")


def c_text(number: int = 7) -> str:
    """A library whose ``t_run`` returns ``number``."""
    return f"int t_run(void *workspace) {{ (void)workspace; return {number}; }}\n"


def run(library: Path) -> int:
    """What ``t_run`` of ``library`` returns."""
    return ctypes.CDLL(str(library)).t_run(None)


def counting(path: Path) -> Path:
    """A compiler that notes each of its runs in ``<path>.log``."""
    path.write_text(f'#!/bin/sh\necho "$@" >> "{path}.log"\nexec cc "$@"\n')
    path.chmod(0o755)
    return path


def runs(path: Path) -> int:
    """How often the compiler at ``path`` compiled something."""
    return Path(f"{path}.log").read_text().count(" kernel.c ")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default cache folder of the test; not made yet."""
    monkeypatch.setattr(toolchain, "_known", {})
    monkeypatch.delenv("OPC_CACHE_LIMIT", raising=False)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("OPC_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_second_build_does_not_run_the_compiler(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cc = counting(tmp_path / "cc")
    first = build(c_text(), cc=str(cc))
    assert first.parent == folder
    assert run(first) == 7
    before = runs(cc)
    assert build(c_text(), cc=str(cc)) == first
    monkeypatch.setattr(toolchain, "_known", {})  # another process
    assert build(c_text(), cc=str(cc)) == first
    assert runs(cc) == before


def test_folders_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_folder() == tmp_path / "cache"
    monkeypatch.delenv("OPC_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_folder() == tmp_path / "xdg" / "opc"
    monkeypatch.setenv("HOME", str(tmp_path))
    for ignored in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        assert default_folder() == tmp_path / ".cache" / "opc"


def test_folder_is_private(folder: Path) -> None:
    old = os.umask(0)
    try:
        library = build(c_text())
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(library.stat().st_mode) == 0o600


def test_only_finished_files_are_left(folder: Path) -> None:
    build(c_text())
    with pytest.raises(ToolchainError):
        build("nonsense")
    names = [path.name for path in folder.iterdir()]
    assert sorted(Path(name).suffix for name in names) == [".json", ".so"]
    assert not [name for name in names if name.startswith("tmp-")]


def refused() -> Path:
    """A library that is built where the user's folder cannot be used, which is said."""
    with pytest.warns(RuntimeWarning, match="the cache .* is not used"):
        return build(c_text())


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_folder_that_others_may_write_to(folder: Path, mode: int) -> None:
    folder.mkdir()
    folder.chmod(mode)
    assert refused().parent != folder
    assert list(folder.iterdir()) == []
    with pytest.raises(OutputError, match=f"others may write to it \\(mode {mode:04o}\\)"):
        build(c_text(), cache=folder)


def test_folder_that_others_may_read_is_used(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o755)
    assert build(c_text()).parent == folder


@pytest.mark.parametrize("above", [0, 1])
def test_folder_that_others_may_replace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, above: int
) -> None:
    """Whoever may write to a parent can put another folder in the place of this one."""
    inner = tmp_path / "open" / "mine"
    inner.mkdir(parents=True)
    folder = inner / "cache"
    parent = folder.parents[above]
    parent.chmod(0o777)
    monkeypatch.setenv("OPC_CACHE_DIR", str(folder))
    assert refused().parent != folder
    (tmp_path / "link").symlink_to(inner)
    for name in (folder, tmp_path / "link" / "cache"):
        with pytest.raises(OutputError, match=f"others may replace it.*write to {parent}"):
            build(c_text(), cache=name)
    parent.chmod(0o1777)  # as /tmp: only owners replace what is in it
    assert build(c_text()).parent == folder


def test_folder_of_somebody_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert refused().parent != folder
    with pytest.raises(OutputError, match="belongs to user"):
        build(c_text(), cache=folder)


def test_folder_that_is_not_writable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o500)
    # The administrator may write everywhere.
    access = os.access

    def denied(path: str | Path, mode: int) -> bool:
        return Path(path) != folder and access(path, mode)

    monkeypatch.setattr(os, "access", denied)
    assert refused().parent != folder
    with pytest.raises(OutputError, match="not writable"):
        build(c_text(), cache=folder)


def test_file_in_the_place_of_the_folder(folder: Path) -> None:
    folder.write_text("a file")
    assert run(refused()) == 7
    with pytest.raises(OutputError, match="not a folder"):
        build(c_text(), cache=folder)
    with pytest.raises(OutputError, match="cannot use the cache"):
        build(c_text(), cache=folder / "below")


def test_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache_module, "write_atomically", full)
    assert run(build(c_text())) == 7
    with pytest.raises(OutputError, match="No space left"):
        build(c_text(), cache=folder)


def test_chosen_folder(tmp_path: Path, folder: Path) -> None:
    chosen = tmp_path / "a" / "b"
    assert build(c_text(), cache=chosen).parent == chosen
    assert build(c_text(), cache=str(chosen)).parent == chosen
    assert not folder.exists()


def test_compiler_that_is_chosen_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrapper has one path, one time and one size, whatever compiler it runs."""
    cc = tmp_path / "cc"
    answers = '[ "$1" = --version ] && { echo "cc ${WHICH-1}"; exit; }'
    cc.write_text(f'#!/bin/sh\n{answers}\nexec gcc -DWHICH=${{WHICH-1}} "$@"\n')
    cc.chmod(0o755)
    text = "int t_run(void *w) { (void)w; return WHICH; }\n"
    found: list[Path] = []
    for which in ("1", "2", "1"):
        monkeypatch.setenv("WHICH", which)
        found.append(build(text, cc=str(cc)))
        assert run(found[-1]) == int(which)
    assert found[0] == found[2] != found[1]


def test_compiler_that_a_script_chooses_by_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every process asks a script anew: what it chooses by is not known."""
    cc, version = tmp_path / "cc", tmp_path / "version"
    cc.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec cat {version}\nexec gcc "$@"\n')
    cc.chmod(0o755)
    found: list[Path] = []
    for text in ("one", "two", "one"):
        version.write_text(text)
        monkeypatch.setattr(toolchain, "_known", {})  # another process
        found.append(build(c_text(), cc=str(cc)))
    assert found[0] == found[2] != found[1]


def test_no_cache(folder: Path, tmp_path: Path) -> None:
    cc = counting(tmp_path / "cc")
    first, second = (build(c_text(), cc=str(cc), cache=None) for _ in range(2))
    assert first != second
    assert run(first) == run(second) == 7
    assert stat.S_IMODE(first.parent.stat().st_mode) == 0o700
    assert not folder.exists()


def in_process(program: str, *args: str) -> subprocess.Popen[str]:
    """Start Python on ``program`` with the same modules."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", program, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def test_private_folder_goes_away_at_exit() -> None:
    program = (
        "import os, sys; from opc.runtime.cache import build\n"
        "path = build(sys.argv[1], cache=None); print(path)\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit(0)\n"
        "os.waitpid(child, 0); print(path.exists())\n"
    )
    output, errors = in_process(program, c_text()).communicate()
    path, existed = output.split()
    assert not errors
    assert existed == "True", "the child removed the folder of its parent"
    assert not Path(path).parent.exists()


def damaged_empty(content: bytes) -> bytes:
    """Nothing."""
    return b""


def damaged_short(content: bytes) -> bytes:
    """A file whose end is missing."""
    return content[: len(content) // 2]


def damaged_bit(content: bytes) -> bytes:
    """One other bit."""
    return content[:1000] + bytes([content[1000] ^ 1]) + content[1001:]


def damaged_footer(content: bytes) -> bytes:
    """Another digest."""
    return content[:-1] + (b"0" if content[-1:] != b"0" else b"1")


def sealed_nonsense(content: bytes) -> bytes:
    """Whole, but no library."""
    return seal(b"not a library")


@pytest.mark.parametrize(
    "damage", [damaged_empty, damaged_short, damaged_bit, damaged_footer, sealed_nonsense]
)
def test_damaged_entry_is_rebuilt(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    cc = counting(tmp_path / "cc")
    # Elsewhere, since the loader remembers by path what it has loaded into a process.
    program = "import sys; from opc.runtime.cache import build; build(sys.argv[1], cc=sys.argv[2])"
    assert in_process(program, c_text(), str(cc)).wait() == 0
    (entry,) = (tmp_path / "cache").glob("*.so")
    sound = entry.read_bytes()
    entry.write_bytes(damage(sound))
    before = runs(cc)
    assert build(c_text(), cc=str(cc)) == entry
    assert runs(cc) == before + 1
    assert is_sealed(entry.read_bytes())
    assert run(entry) == 7


def test_folder_in_the_place_of_an_entry(folder: Path) -> None:
    entry = build(c_text())
    entry.unlink()
    entry.mkdir()
    assert run(build(c_text())) == 7


def test_library_that_cannot_be_loaded(tmp_path: Path) -> None:
    text = "extern int opc_no_such_function(void);\nint (*t_run)(void) = opc_no_such_function;\n"
    with pytest.raises(ToolchainError, match=r"cannot be loaded.*opc_no_such_function"):
        build(text)
    with pytest.raises(ToolchainError, match="cannot be loaded"):
        build(text, cache=None)


@pytest.mark.parametrize("cache", [True, False])
def test_library_for_another_machine(cache: bool, tmp_path: Path) -> None:
    """Whatever the loader says of it: no compiler for another machine is needed to see that."""
    fake = tmp_path / "other-cc"
    fake.write_text(
        textwrap.dedent(
            f"""\
            #!{sys.executable}
            import shutil, subprocess, sys
            if sys.argv[1] == "-dumpmachine":
                print("other-linux-gnu")
            elif sys.argv[1] == "--version":
                print("other 1")
            else:
                out = sys.argv[sys.argv.index("-o") + 1]
                subprocess.run([{shutil.which("cc")!r}, *sys.argv[1:]], check=True)
                data = bytearray(open(out, "rb").read())
                data[18] ^= 0x55
                open(out, "wb").write(data)
            """
        )
    )
    fake.chmod(0o755)
    keep = tmp_path / "cache" if cache else None
    for _ in range(2):
        with pytest.raises(ToolchainError) as raised:
            build(c_text(), cc=str(fake), cache=keep)
        message = str(raised.value)
        assert "is for another machine" in message and "\n" not in message
        assert f"{fake} compiles for other-linux-gnu, this process is for " in message


@pytest.mark.skipif(shutil.which("aarch64-linux-gnu-gcc") is None, reason="no such compiler")
@pytest.mark.skipif(platform.machine() == "aarch64", reason="this is that machine")
def test_compiler_for_aarch64() -> None:
    with pytest.raises(ToolchainError, match="compiles for aarch64-linux-gnu, this process is"):
        build(c_text(), cc="aarch64-linux-gnu-gcc", cache=None)


def test_key_has_everything_that_code_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    gcc = Compiler(("/bin/cc",), "/bin/gcc", "cc 1", "x86_64")
    keys = [
        cache_key(gcc, "a", "baseline"),
        cache_key(gcc, "b", "baseline"),
        cache_key(gcc, "a", "avx2"),
        cache_key(gcc, "a", "baseline", threaded=True),
        cache_key(Compiler(("/bin/cc", "-m32"), "/bin/gcc", "cc 1", "x86_64"), "a", "baseline"),
        cache_key(Compiler(("/bin/cc",), "/bin/clang", "cc 1", "x86_64"), "a", "baseline"),
        cache_key(Compiler(("/bin/cc",), "/bin/gcc", "cc 2", "x86_64"), "a", "baseline"),
        cache_key(Compiler(("/bin/cc",), "/bin/gcc", "cc 1", "aarch64"), "a", "baseline"),
    ]

    def elsewhere(compiler: Compiler, target: str) -> str:
        return "another machine"

    monkeypatch.setattr(cache_module, "resolved_isa", elsewhere)
    keys.append(cache_key(gcc, "a", "baseline"))
    monkeypatch.undo()
    monkeypatch.setattr(cache_module, "ABI_VERSION", cache_module.ABI_VERSION + 1)
    keys.append(cache_key(gcc, "a", "baseline"))
    assert len(set(keys)) == len(keys)


def test_threads(tmp_path: Path) -> None:
    cc = counting(tmp_path / "cc")
    assert build(c_text(), cc=str(cc), threads=4) != build(c_text(), cc=str(cc), threads=1)
    assert build(c_text(), cc=str(cc), threads=4) == build(c_text(), cc=str(cc), threads=8)
    assert "-pthread" in Path(f"{cc}.log").read_text()
    with pytest.raises(UsageError, match="threads: found 0"):
        build(c_text(), threads=0)


def test_processes_at_once(folder: Path) -> None:
    program = (
        "import ctypes, sys; from opc.runtime.cache import build\n"
        "for number in range(4):\n"
        "    path = build(sys.argv[1] + f'int n_run(void) {{ return {number}; }}')\n"
        "    assert ctypes.CDLL(str(path)).n_run() == number\n"
        "    print(path)\n"
    )
    started = [in_process(program, c_text()) for _ in range(6)]
    results = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0] * 6, results
    assert len({output for output, _ in results}) == 1
    assert len(list(folder.glob("*.so"))) == 4
    assert not list(folder.glob("tmp-*"))


def test_threads_at_once(folder: Path) -> None:
    found: list[Path] = []
    workers = [threading.Thread(target=lambda: found.append(build(c_text()))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert run(found[0]) == 7


def test_growth_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [build(c_text(number)) for number in range(4)]
    size = entries[0].stat().st_size
    for age, entry in zip((4000, 1000, 3000, 2000), entries, strict=True):
        used = entry.stat().st_mtime - age
        os.utime(entry, (used, used))
    build(c_text(0))  # a use makes it young
    monkeypatch.setenv("OPC_CACHE_LIMIT", str(4 * size + 4000))
    build(c_text(4))
    assert [entry.exists() for entry in entries] == [True, True, False, True]


def test_what_is_of_no_use_any_more_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPC_CACHE_LIMIT", "200000")  # of which a library is more than a 64th
    folder.mkdir(mode=0o700)
    for name, age in (("tmp-a", 60), ("tmp-b", 700), ("cc-a.json", 700), ("cc-b.json", 3e6)):
        (folder / name).touch()
        used = (folder / name).stat().st_mtime - age
        os.utime(folder / name, (used, used))
    build(c_text())
    left = {path.name for path in folder.iterdir()}
    assert {"tmp-a", "cc-a.json"} <= left
    assert not {"tmp-b", "cc-b.json"} & left


def test_recent_entries_stay_whatever_the_limit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPC_CACHE_LIMIT", "0")
    entries = [build(c_text(number)) for number in range(2)]
    assert all(entry.exists() for entry in entries)


def test_a_large_folder_is_looked_through_now_and_then(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for each of many entries, and not so seldom that it grows much past its limit."""
    looks, scandir = list[object](), os.scandir

    def counted(where: Path) -> object:
        looks.append(where)
        return scandir(where)

    monkeypatch.setattr(os, "scandir", counted)
    monkeypatch.setenv("OPC_CACHE_LIMIT", "64000")
    for number in range(800):
        cache_module.write_entry(cache_module.DEFAULT, f"{number}.c.json", 100, [bytes(100)])
    assert 40 <= len(looks) <= 160  # 80 shares of the limit
    looks.clear()
    cache_module.write_entry(cache_module.DEFAULT, "large.c.json", 1000, [bytes(1000)])
    assert len(looks) == 1


@pytest.mark.parametrize("value", ["-1", "1G", "x", "9" * 50, "²"])
def test_limit_must_be_a_number(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPC_CACHE_LIMIT", value)
    with pytest.raises(UsageError, match="OPC_CACHE_LIMIT"):
        build(c_text())
