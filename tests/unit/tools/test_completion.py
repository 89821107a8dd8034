"""What shells offer for opc and opc-opt."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from opc.__main__ import main
from opc.passes.registry import GENERIC_PASSES, PASSES
from opc.support.targets import NAMED
from opc.tools.cli import COMMANDS
from opc.tools.compile import STAGES, SUFFIXES
from opc.tools.completion import SCRIPTS, commands
from opc.tools.peers import PEERS

KINDS = {*SUFFIXES, *STAGES}


@pytest.fixture
def scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Path]:
    """The path of the script for each shell."""
    paths: dict[str, Path] = {}
    for shell in SCRIPTS:
        assert main(["completion", shell]) == 0
        paths[shell] = tmp_path / f"opc.{shell}"
        paths[shell].write_text(capsys.readouterr().out)
    return paths


def shell(name: str, *args: str, script: str | None = None, folder: Path | None = None) -> str:
    """What a shell prints that runs without the user's files."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "dumb"}
    command = [name, *args, *(["-c", script] if script is not None else [])]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=folder, timeout=60
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


def offered(script: Path, *words: str) -> list[str]:
    """What the function offers in bash for the last of some words."""
    quoted = " ".join(f"'{word}'" for word in words)
    text = f"""\
source '{script}'
COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}
_opc
((${{#COMPREPLY[@]}})) && printf '%s\\n' "${{COMPREPLY[@]}}" || true
"""
    return shell("bash", "--norc", "--noprofile", script=text).splitlines()


def test_what_bash_offers(scripts: dict[str, Path]) -> None:
    bash = scripts["bash"]
    assert set(offered(bash, "opc", "")) == set(COMMANDS)
    assert set(offered(bash, "opc", "co")) == {"compile", "convert", "completion"}
    assert set(offered(bash, "/some/where/opc", "--")) == {"--help", "--version"}
    assert set(offered(bash, "opc", "compile", "--e")) == {"--emit"}
    assert set(offered(bash, "opc", "compile", "x.mlir", "--ta")) == {"--target"}
    assert set(offered(bash, "opc", "compile", "--emit", "")) == KINDS
    assert set(offered(bash, "opc", "compile", "--emit", "c,h,s")) == {
        *("c,h,so", "c,h,source", "c,h,schedule")
    }
    assert set(offered(bash, "opc", "verify", "--target", "")) == set(NAMED)
    # As bash splits --target=av and --target=.
    assert set(offered(bash, "opc", "run", "--target", "=", "av")) == {
        "avx2",
        "avx512",
        "avx512-vnni",
    }
    assert set(offered(bash, "opc", "run", "--target", "=")) == set(NAMED)
    assert set(offered(bash, "opc", "bench", "--against", "")) == set(PEERS)
    assert set(offered(bash, "opc", "completion", "")) == set(SCRIPTS)
    # Files come from bash itself; an option's value is not taken for a command or an option.
    assert offered(bash, "opc", "compile", "") == []
    assert offered(bash, "opc", "run", "--input", "x", "=", "") == []
    assert offered(bash, "opc", "compile", "--threads", "") == []
    assert set(offered(bash, "opc-opt", "x.mlir", "-p", "")) == {*PASSES, *GENERIC_PASSES}
    assert set(offered(bash, "opc-opt", "--passes", "decompose,fo")) == {
        *("decompose,fold-constants", "decompose,form-kernels", "decompose,form-tile-fusions"),
        "decompose,form-sweeps",
    }
    assert set(offered(bash, "opc-opt", "-t", "")) == {"mlir", "c"}
    assert "--split-input-file" in offered(bash, "opc-opt", "--sp")


def test_bash_completes_files_where_the_function_offers_nothing(scripts: dict[str, Path]) -> None:
    text = f"source '{scripts['bash']}'; complete -p opc opc-opt"
    assert shell("bash", "--norc", "--noprofile", script=text).splitlines() == [
        f"complete -o default -F _opc {name}" for name in ("opc", "opc-opt")
    ]


def test_every_option_of_every_command_is_offered(
    scripts: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside what the commands say of themselves."""
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        usage = capsys.readouterr().out.partition("\n\n")[0]
        flags = offered(scripts["bash"], "opc", name, "-")
        assert flags
        for flag in flags:
            assert flag in usage or flag == "--help"
        for word in usage.replace("[", " ").replace("]", " ").split():
            assert word in flags or not word.startswith("-")
    known = {command.name for command in commands()}
    assert known == {"opc", "opc-opt", *(f"opc {name}" for name in COMMANDS)}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_script_is_valid(name: str, scripts: dict[str, Path]) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    assert shell(name, "-n", str(scripts[name])) == ""


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("opc ", set(COMMANDS)),
        ("opc completion ", set(SCRIPTS)),
        ("opc compile --target ", set(NAMED)),
        ("opc compile --emit c,h,lo", {"c,h,loops"}),
        ("opc-opt -p decompose,decomp", {"decompose,decompose"}),
    ],
)
def test_what_fish_offers(
    line: str, expected: set[str], scripts: dict[str, Path], tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    text = f"source '{scripts['fish']}'; complete -C '{line}'"
    found = shell("fish", "--no-config", script=text, folder=empty)
    assert {row.partition("\t")[0] for row in found.splitlines()} == expected


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_knows_the_function(scripts: dict[str, Path]) -> None:
    text = f"autoload -Uz compinit; compinit -D; source '{scripts['zsh']}'; print $_comps[opc]"
    assert shell("zsh", "-f", script=text) == "_opc\n"


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "bash" in capsys.readouterr().err
    assert main(["--help"]) == 0
    assert "opc completion bash" in capsys.readouterr().out
