"""The intermediate representations of opc: types, operations and their verification.

The folder ``dialects/`` is imported as ``opc.dialects``.
"""

if __name__ != "opc.dialects":
    raise ImportError(
        "import opc.dialects instead of the folder: it would make a second copy of every class"
    )
