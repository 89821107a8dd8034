"""Maps the folders ``compiler/`` and ``dialects/`` to the import name ``opc``.

An editable install has links in that shape, ``.editable/opc`` and ``compiler/dialects``, and the
path of the first: type checkers follow links, but do not run the import hooks that setuptools would
install.
"""

from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.editable_wheel import editable_wheel

LINKS = {".editable/opc": "../compiler", "compiler/dialects": "../dialects"}


class LinkedEditableWheel(editable_wheel):
    """An editable install through links; where there can be none, through import hooks."""

    def finalize_options(self):
        if make_links(Path(__file__).parent):
            self.distribution.package_dir = {"": ".editable"}
        super().finalize_options()


def make_links(root: Path) -> bool:
    try:
        for name, target in LINKS.items():
            link = root / name
            link.parent.mkdir(exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(target, target_is_directory=True)
            if not link.samefile(link.parent / target):
                return False
    except OSError:
        return False
    return True


setup(
    package_dir={"opc": "compiler", "opc.dialects": "dialects"},
    packages=[
        "opc",
        *(f"opc.{p}" for p in find_packages("compiler", exclude=["dialects", "dialects.*"])),
        "opc.dialects",
        *(f"opc.dialects.{p}" for p in find_packages("dialects")),
    ],
    package_data={
        "opc": ["py.typed"],
        "opc.emit": ["helpers/*.c", "texts/*"],
        "opc.frontend.onnx.ops": ["*.txt"],
        "opc.frontend.openvino.ops": ["*.txt"],
        "opc.tools": ["*.bash", "*.txt", "*.zsh"],
        "opc.tools.explain": ["*.css", "*.html", "*.js"],
        "opc.tools.profile": ["*.c"],
    },
    cmdclass={"editable_wheel": LinkedEditableWheel},
)
