"""Maps the folders ``compiler/`` and ``dialects/`` to the import name ``opc``."""

from setuptools import find_packages, setup

setup(
    package_dir={"opc": "compiler", "opc.dialects": "dialects"},
    packages=[
        "opc",
        *(f"opc.{p}" for p in find_packages("compiler")),
        "opc.dialects",
        *(f"opc.dialects.{p}" for p in find_packages("dialects")),
    ],
    package_data={"opc": ["py.typed"], "opc.emit": ["helpers/*.c"]},
)
