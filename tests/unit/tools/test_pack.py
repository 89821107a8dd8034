"""``opc pack``: the wheel is installed in a fresh environment, and called with NumPy alone."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.tools.cli import main

GRAPH = """
func.func @main(%x: tensor<Nx300xf32>) -> (tensor<Nx8xf32>, tensor<?xi64>) {
  %w = opc.constant dense<WEIGHTS> : tensor<300x8xf32>
  %y = opc.matmul %x, %w
  %s = opc.reduce_sum %y {axes = [1], keepdims = false}
  %z = opc.cast %s : tensor<Nxf32> -> tensor<Nxi64>
  func.return %y, %z : tensor<Nx8xf32>, tensor<?xi64>
}
""".replace("Nx", "?x").replace("WEIGHTS", str([[k % 2] * 8 for k in range(300)]))

PROGRAM = """
import sys
import numpy as np
from {name} import function
assert not {{"opc", "xdsl"}} & {{m.partition(".")[0] for m in sys.modules}}
x = np.arange(900, dtype=np.float32).reshape(3, 300) / 7
y, z = function(x)
y2, _ = function(x=x)
assert (y == y2).all()
np.save("y.npy", y)
narrow = x[:, :9]
for wrong in ((), (x.astype(np.float64),), (narrow,), (x, x)):
    error = ValueError if wrong and wrong[0] is narrow else TypeError
    try:
        function(*wrong)
    except error as e:
        print(e)
    else:
        raise SystemExit(1)
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "small-net.mlir"
    path.write_text(GRAPH, encoding="utf-8")
    return path


def test_a_wheel_is_installed_and_called(graph: Path, tmp_path: Path) -> None:
    assert main(["pack", str(graph), "--target", "native", "-o", str(tmp_path / "dist")]) == 0
    (wheel,) = (tmp_path / "dist").iterdir()
    assert wheel.name.startswith("small_net-0.1.0-py3-none-")
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index"]
    done = subprocess.run([*pip, "--no-deps", wheel], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # A folder with NumPy and nothing else: no registry is asked.
    only = tmp_path / "numpy_only"
    only.mkdir()
    packages = Path(np.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (packages / name).is_dir():
            (only / name).symlink_to(packages / name)
    done = subprocess.run(
        [python, "-c", PROGRAM.format(name="small_net")],
        cwd=tmp_path,
        env={"PYTHONPATH": str(only)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "expected float32" in done.stdout and "expected [" in done.stdout
    x = np.arange(900, dtype=np.float32).reshape(3, 300) / 7
    y, _ = opc.compile(str(graph))(x)
    assert (np.load(tmp_path / "y.npy").view(np.uint32) == y.view(np.uint32)).all()


def test_the_same_graph_gives_the_same_wheel(graph: Path, tmp_path: Path) -> None:
    contents: list[bytes] = []
    for folder in ("one", "two"):
        assert main(["pack", str(graph), "--name", "net", "-o", str(tmp_path / folder)]) == 0
        (wheel,) = (tmp_path / folder).iterdir()
        contents.append(wheel.read_bytes())
        with zipfile.ZipFile(wheel) as file:
            assert {"net/__init__.py", "net/function.bin"} <= set(file.namelist())
    assert contents[0] == contents[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--name", "2x"], "--name: found '2x', expected a letter first"),
        (["--name", "_x"], "--name: found '_x', expected a letter first"),
        (["--name", "x_"], "--name: found 'x_', expected a letter or a digit last"),
        (["--name", "a-b"], "--name: found 'a-b', expected letters, digits and _"),
        (["--name", ""], "--name: found '', expected letters, digits and _"),
        (["--name", "class"], "--name: found 'class', a keyword of Python"),
        (["--name", "None"], "--name: found 'None', a keyword of Python"),
        (["--name", "json"], "--name: found 'json', a module of Python's standard library"),
        (["--name", "NumPy"], "--name: found 'NumPy', a package that this would replace"),
        (["--package-version", "new"], "--package-version: found 'new'"),
    ],
)
def test_what_is_refused(
    arguments: list[str], message: str, graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = graph.parent / "dist"
    assert main(["pack", str(graph), *arguments, "-o", str(output)]) != 0
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not output.exists()


def test_this_module_runs_here() -> None:
    """The loader is Python from 3.9 on, of which the syntax is checked."""
    import ast

    path = Path(str(opc.__file__)).parent / "runtime" / "packed.py"
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    assert sys.version_info >= (3, 11)
