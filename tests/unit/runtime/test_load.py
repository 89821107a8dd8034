"""Functions as files: written by ``save`` and ``opc compile``, loaded without a compiler."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.__main__ import main
from opc.dialects import element
from opc.errors import InputError, OutputError, ToolchainError, UsageError
from opc.runtime import artifact, json_fields, processor
from opc.support.interface import ABI_VERSION, CONTRACT
from opc.support.targets import NAMED

WEIGHTS = (np.arange(1600) / 7).astype(np.float32).reshape(40, 40)
GRAPH = f"""
func.func @scale(%x: tensor<?x40xf32>, %n: tensor<i1>) -> (tensor<?x40xf32>, tensor<40x40xbf16>) {{
  %w = opc.constant dense<{WEIGHTS.tolist()}> : tensor<40x40xf32>
  %m = opc.reduce_max %x {{axes = [0]}}
  %a = opc.add %w, %m
  %c = opc.cast %a : tensor<40x40xf32> -> tensor<40x40xbf16>
  %y = opc.neg %x
  %z = opc.where %n, %y, %x
  return %z, %c : tensor<?x40xf32>, tensor<40x40xbf16>
}}
"""
PLAIN = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %y = opc.{} %x
  return %y : tensor<4xf32>
}}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of ``GRAPH``."""
    folder = tmp_path_factory.mktemp("made")
    assert opc.compile(GRAPH, threads=2).save(folder / "new") == folder / "new" / "scale.json"
    return folder / "new"


@pytest.fixture
def files(made: Path, tmp_path: Path) -> Path:
    """The same in a folder of the test's own; the path of the JSON."""
    shutil.copytree(made, tmp_path / "files")
    return tmp_path / "files" / "scale.json"


def rewritten(path: Path, change: Callable[[Any], Any]) -> None:
    """Change the JSON as somebody would who knows what it is made of."""
    fields = json.loads(path.read_text())
    change(fields)
    rest = {key: value for key, value in fields.items() if key != "digest"}
    fields["digest"] = hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(fields))


def test_what_is_saved_is_loaded(made: Path) -> None:
    assert {p.name for p in made.iterdir()} == {"scale.json", "scale.so", "scale.bin"}
    first, again = opc.compile(GRAPH, threads=2), opc.load(made / "scale.json")
    assert again.interface == first.interface
    assert again.threads == 2 and opc.load(str(made / "scale.json"), threads=1).threads == 1
    assert repr(again) == repr(first)
    for spec, other in zip(
        (*again.inputs, *again.outputs), (*first.inputs, *first.outputs), strict=True
    ):
        assert spec.dtype is other.dtype
    for n in (1, 3):
        x = np.random.default_rng(0).standard_normal((n, 40)).astype(np.float32)
        for found, expected in zip(again(x, np.True_), first(x, np.True_), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_without_xdsl_and_a_compiler(made: Path) -> None:
    code = f"""
import sys, time

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('xdsl', 'onnx', 'subprocess'):
            raise RuntimeError(name)

sys.meta_path.insert(0, Refuse())
import numpy as np, opc
start = time.process_time()
f = opc.load({str(made / "scale.json")!r})
taken = time.process_time() - start
z, w = f(np.ones((2, 40), np.float32), np.array(True))
assert (z == -1).all() and w[0, 0] == 1 and w.shape == (40, 40)
assert not any(m.startswith(('opc.dialects', 'opc.graph', 'opc.api.driver')) for m in sys.modules)
print(taken)
"""
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PATH": "/nowhere", "OPC_CACHE_DIR": "/nowhere"},
            capture_output=True,
            text=True,
            check=True,
        )
        for _ in range(3)
    ]
    assert min(float(run.stdout) for run in runs) < 0.2


def test_the_command_writes_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("graph.mlir").write_text(GRAPH)
    assert main(["compile", "graph.mlir", "-o", "build"]) == 0
    function = opc.load("build/scale.json")
    # Relative names are not looked up where libraries of the system are.
    monkeypatch.chdir("build")
    assert opc.load("scale.json").interface == function.interface
    written = opc.compile(GRAPH).save(tmp_path / "saved")
    for suffix in (".json", ".so", ".bin"):
        one, other = Path(f"scale{suffix}"), written.with_suffix(suffix)
        assert one.read_bytes() == other.read_bytes()
    assert main(["compile", "../graph.mlir", "--emit", "c"]) == 0
    with pytest.raises(InputError, match=r"^scale.json: error: it names no library"):
        opc.load("scale.json")


def test_functions_of_python_are_saved(tmp_path: Path) -> None:
    @opc.function
    def twice(x: f32[N]):  # type: ignore # noqa: F821
        return x + x

    path = twice.save(tmp_path)
    assert path == tmp_path / "twice.json"
    assert opc.load(path)(np.ones(3, np.float32)).tolist() == [2, 2, 2]


def test_another_library_under_the_same_name(tmp_path: Path) -> None:
    """The system's loader would give the library that it has under that name."""
    x, values = np.full(4, 2, np.float32), {"neg": -2, "sqrt": np.sqrt(np.float32(2)), "abs": 2}
    functions = [
        (opc.load(opc.compile(PLAIN.format(name)).save(tmp_path, overwrite=True)), value)
        for name, value in (*values.items(), *values.items())
    ]
    for function, value in functions:
        assert function(x)[0] == value


def test_saving_over_the_weights_of_a_model(tmp_path: Path) -> None:
    (tmp_path / "scale.bin").write_bytes(b"somebody else's")
    function = opc.compile(GRAPH)
    for _ in range(2):
        path = function.save(tmp_path)
        assert (tmp_path / "scale.bin").read_bytes() == b"somebody else's"
        assert opc.load(path)(np.ones((1, 40), np.float32), False)[1].shape == (40, 40)
    (tmp_path / "scale.bin").unlink()
    function.save(tmp_path)
    size = (tmp_path / "scale.bin").stat().st_size
    function.save(tmp_path)
    assert (tmp_path / "scale.bin").stat().st_size == size == 6400


def test_two_graphs_of_one_name(tmp_path: Path) -> None:
    """The file gives the name; without one, another graph is replaced on request only."""
    for name in ("neg", "abs"):
        (tmp_path / f"{name}-1.mlir").write_text(PLAIN.format(name).replace("@f", "@main"))
        path = opc.compile(tmp_path / f"{name}-1.mlir").save(tmp_path / "build")
        assert path == tmp_path / "build" / f"{name}-1.json"
    build, x = tmp_path / "build", np.ones(4, np.float32)
    assert opc.load(build / "neg-1.json")(x)[0] == -1 and opc.load(build / "abs-1.json")(x)[0] == 1
    neg, other = (opc.compile(PLAIN.format(n).replace("@f", "@main")) for n in ("neg", "abs"))
    path = neg.save(build)
    before = {p.name: p.read_bytes() for p in build.iterdir()}
    assert path == build / "main.json" and neg.save(build) == path
    with pytest.raises(OutputError, match=r"main.json: error: is of another graph than .*'main'"):
        other.save(build)
    assert {p.name: p.read_bytes() for p in build.iterdir()} == before
    assert other.save(build, name="other") == build / "other.json"
    assert opc.load(other.save(build, overwrite=True))(x)[0] == 1
    # The same graph for another target is no other graph.
    opc.compile(PLAIN.format("abs").replace("@f", "@main"), target="baseline").save(build)
    assert opc.compile(GRAPH, prefix="scaled").save(build).name == "scaled.json"


def test_saving_over_what_is_no_function_of_opc(tmp_path: Path) -> None:
    function = opc.compile(PLAIN.format("neg"))
    for name in ("f.json", "f.so"):
        (tmp_path / name).write_text("{}")
        with pytest.raises(OutputError, match=f"{name}: error: is of another graph"):
            function.save(tmp_path)
        (tmp_path / name).unlink()
    function.save(tmp_path)
    changed = opc.compile(GRAPH.replace("@scale", "@f").replace("[[0.0,", "[[1.0,"))
    with pytest.raises(OutputError, match="another graph"):
        changed.save(tmp_path)


def test_where_nothing_can_be_saved(tmp_path: Path) -> None:
    function = opc.function(lambda x: x + 1, "f32[N]")
    for folder in (None, 3):
        with pytest.raises(UsageError, match=r"save takes the path of a folder, not (None|int)"):
            function.save(folder)  # pyright: ignore
    for name in ("", "a/b", ".hidden", "x.json", 3, "n" * 300, "a\0b"):
        with pytest.raises(UsageError, match=r"name: found .*, expected that of a file"):
            function.save(tmp_path, name=name)  # pyright: ignore
    assert list(tmp_path.iterdir()) == []
    assert function.save(tmp_path, name="next").name == "next.json"


def test_saving_fails_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "scale.so").mkdir()
    with pytest.raises(OutputError, match="there is a folder of that name"):
        opc.compile(GRAPH).save(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["scale.so"]


# What is refused


def refused(path: Path | str, message: str) -> None:
    """Check that loading fails, and how."""
    with pytest.raises(InputError) as caught:
        opc.load(path)
    assert message in str(caught.value), str(caught.value)


def test_missing_and_changed_files(files: Path) -> None:
    for suffix in (".so", ".bin"):
        file = files.with_suffix(suffix)
        content = file.read_bytes()
        file.unlink()
        refused(files, f"{file}: error: cannot be read: No such file or directory")
        file.write_bytes(content[:-1])
        refused(files, f"{file}: error: found {len(content) - 1} bytes, expected {len(content)}")
        changed = bytes([content[0] ^ 1]) + content[1:]
        file.write_bytes(changed)
        digests = [hashlib.sha256(c).hexdigest() for c in (changed, content)]
        refused(files, f'{file}: error: found SHA-256 {digests[0]}, expected "{digests[1]}"')
        file.unlink()
        os.mkfifo(file)
        refused(files, f"{file}: error: cannot be read: it is a pipe")
        file.unlink()
        file.write_bytes(content)
    opc.load(files)
    files.unlink()
    refused(files, f"{files}: error: cannot be read: No such file or directory")
    refused(files.parent, "cannot be read: Is a directory")
    refused("a\0b.json", "cannot be read")
    with pytest.raises(UsageError, match=r"takes the path of a \.json file, not int"):
        opc.load(3)  # type: ignore
    with pytest.raises(UsageError, match="threads"):
        opc.load(files, threads=0)


def test_large_weights_are_mapped(tmp_path: Path) -> None:
    """Their size is always checked, their digest on request, and no call needs a copy."""
    weights = np.arange(1 << 18, dtype=np.float32)

    @opc.function
    def shifted(x: f32[262144]):  # type: ignore # noqa: F821
        return x + weights

    path = shifted.save(tmp_path)
    file = path.with_suffix(".bin")
    loaded = opc.load(path, digest=True)
    mapped = loaded._native.weights  # pyright: ignore
    assert mapped is not None and not mapped.flags.owndata and not mapped.flags.writeable
    zeros = np.zeros(1 << 18, np.float32)
    np.testing.assert_array_equal(loaded(zeros), weights)
    content = bytearray(file.read_bytes())
    content[4] ^= 1
    file.unlink()
    file.write_bytes(content)
    # Those that are mapped stay what they were.
    np.testing.assert_array_equal(loaded(zeros), weights)
    opc.load(path)
    with pytest.raises(InputError, match=r"found SHA-256 .*, expected "):
        opc.load(path, digest=True)
    file.write_bytes(content[:-1])
    refused(path, f"{file}: error: found {len(content) - 1} bytes, expected {len(content)}")


def test_files_of_another_function(files: Path) -> None:
    other = opc.compile(PLAIN.format("neg")).save(files.parent)
    shutil.copy(other.with_suffix(".so"), files.with_suffix(".so"))
    refused(files, f"{files.with_suffix('.so')}: error: found ")


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"[]", b"3", b"[" * 100000, b"\xff{}"])
def test_no_json(files: Path, content: bytes) -> None:
    files.write_bytes(content)
    refused(files, f"{files}: error: no JSON; expected the .json file that opc compile wrote")


def test_a_json_that_was_changed(files: Path) -> None:
    text = files.read_text()
    files.write_text(text.replace('"scale"', '"scaly"'))
    refused(files, "it was changed: found digest")


def test_other_versions(files: Path) -> None:
    for key, value in (
        ("opc", artifact.FORMAT - 1),
        ("abi", 7),
        ("opc", None),
        ("opc", True),
        ("abi", "1"),
    ):
        text = files.read_text()
        rewritten(files, lambda fields, k=key, v=value: fields.update({k: v}))
        expected = {"opc": artifact.FORMAT, "abi": ABI_VERSION}[key]
        refused(files, f"found {key} {json.dumps(value)}, expected {expected}: it is of another")
        files.write_text(text)


@pytest.mark.parametrize("version", [CONTRACT, CONTRACT + 1, None])
def test_versions_of_the_numerical_contract(files: Path, version: int | None) -> None:
    """A library has the bits that it was compiled to have, whatever this opc would give."""

    def change(fields: Any) -> None:
        assert fields.pop("contract") == CONTRACT
        fields.update({} if version is None else {"contract": version})

    rewritten(files, change)
    function = opc.load(files)
    assert function.contract == function.interface.contract == (version or 0)
    z, _ = function(np.ones((1, 40), np.float32), np.True_)
    assert (z == -1).all()


@pytest.mark.parametrize("version", [-1, True, "1", 1.0, None])
def test_no_version_of_the_numerical_contract(files: Path, version: Any) -> None:
    rewritten(files, lambda fields: fields.update(contract=version))
    refused(files, f"contract: found {json.dumps(version)}, expected a number from 0 to 2^63 - 1")


def test_another_processor(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten(files, lambda fields: fields["library"].update(architecture="sparc"))
    refused(files, f'the library is for "sparc", expected {processor.machine()}')
    rewritten(
        files,
        lambda fields: fields["library"].update(
            architecture=processor.machine(), features=["avx9", "fma8"]
        ),
    )
    refused(files, 'the library (target "native") needs of the processor what this one has not: ')
    refused(files, '"avx9", "fma8"; compile it here, or for a target that fits')


def test_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(
        processor, "features", lambda: frozenset({"avx2", "fma", "hypervisor", "sse", "avx512f"})
    )
    assert processor.needed("native", "x86_64") == ["avx2", "avx512f", "fma", "sse"]
    assert processor.needed("native", "aarch64") == []
    assert processor.needed("baseline", "x86_64") == []
    assert set(processor.needed("avx2", "x86_64")) < set(processor.needed("avx512", "x86_64"))
    assert processor.missing(["avx2", "avx9"]) == ["avx9"]
    # Where the system says nothing, code for this machine runs on this machine only.
    monkeypatch.setattr(processor, "features", lambda: frozenset({"identity 1"}))
    assert processor.needed("native", "x86_64") == ["identity 1"]
    assert processor.missing(["avx2", "identity 1"]) == []
    assert processor.missing(["avx2", "identity 2"]) == ["identity 2"]
    monkeypatch.setattr(processor.platform, "machine", lambda: "arm64")
    assert processor.machine() == processor.machine("aarch64")


def test_every_target_has_its_features() -> None:
    for target in NAMED:
        assert isinstance(processor.needed(target, "x86_64"), list)
    with pytest.raises(UsageError, match="unknown target 'sse9'"):
        processor.needed("sse9", "x86_64")


def test_features_of_this_processor() -> None:
    found = processor.features()
    assert found and processor.missing(processor.needed("native", processor.machine())) == []
    if sys.platform == "linux" and processor.machine() == "x86_64":
        assert "sse2" in found


NAMES = ["../scale.so", "/etc/passwd", "a/scale.so", "..", ".", "", "a\\b", "a\0b", 3, None, ["a"]]


@pytest.mark.parametrize("name", NAMES, ids=repr)
@pytest.mark.parametrize("part", ["library", "weights"])
def test_names_that_leave_the_folder(files: Path, part: str, name: Any) -> None:
    shutil.copy(files.with_suffix(".so"), files.parent.parent / "scale.so")
    rewritten(files, lambda fields: fields[part].update(file=name))
    refused(files, f"{part}.file: found {json.dumps(name)}, expected ")


def test_a_file_behind_a_link_is_what_it_must_be(files: Path, tmp_path: Path) -> None:
    """Package managers make links; what is behind one has the size and the digest."""
    library = files.with_suffix(".so")
    library.rename(tmp_path / "elsewhere")
    library.symlink_to(tmp_path / "elsewhere")
    opc.load(files)
    # Not in place: the library is mapped.
    (tmp_path / "elsewhere").unlink()
    (tmp_path / "elsewhere").write_bytes(b"secret")
    refused(files, f"{library}: error: found 6 bytes, expected ")


def test_a_library_that_cannot_be_loaded(files: Path) -> None:
    content = b"no library"
    files.with_suffix(".so").write_bytes(content)
    rewritten(
        files,
        lambda fields: fields["library"].update(
            bytes=len(content), sha256=hashlib.sha256(content).hexdigest()
        ),
    )
    with pytest.raises(ToolchainError, match="cannot use the library"):
        opc.load(files)
    rewritten(files, lambda fields: fields.update(prefix="no_such_function"))
    with pytest.raises(ToolchainError, match="cannot use the library"):
        opc.load(files)


WRONG = [None, True, 33, -1, 1 << 70, 1.5, "x", "", [], [3], [None], {}, {"file": 3}, "a" * 300]


HARMLESS = {
    "name",
    "contract",
    "graph",
    "function",
    "capacities",
    "checks",
    "target",
    "threads",
    "features",
    "workspace_bytes",
}
"""What may be something else than it was."""
TRUSTED = {"inputs", "outputs", "dims", "reads_sizes", "finds_shapes", "shape"}
"""What the library must agree with, and nothing but the digest of the file guards."""


def test_wrong_fields(files: Path) -> None:
    """Any field with any other value: an error that says where, or it does not matter."""
    text, taken = files.read_text(), set[str]()
    for inside in ("", "library", "weights", "inputs", "outputs"):
        fields = json.loads(text)
        place = fields[inside] if inside else fields
        place = place[0] if isinstance(place, list) else place
        for key, right in place.items():
            for value in WRONG:
                place[key] = value
                files.write_text(json.dumps(fields))
                if key != "digest":
                    rewritten(files, lambda f: None)
                try:
                    opc.load(files)
                except (InputError, ToolchainError) as error:
                    assert str(files.parent) in str(error)
                else:
                    assert key in HARMLESS or key in TRUSTED, f"{key} of {value!r} was taken"
                    taken.add(key)
            place[key] = right
    assert taken >= HARMLESS


def test_element_types() -> None:
    """Those of the dialect, which cannot be imported here."""
    for row in element.BY_NAME.values():
        assert json_fields.dtype_named(row.dtype.name) is row.dtype
    assert json_fields.dtype_named("complex64") is json_fields.dtype_named("object") is None
    names = {row.dtype.name for row in element.BY_NAME.values()}
    assert names == json_fields._NUMPY_TYPES | json_fields._SMALL_TYPES  # pyright: ignore
