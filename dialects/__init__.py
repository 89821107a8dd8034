"""What each intermediate representation of opc is: types, operations, verification.

Folder ``dialects/``, imported as ``opc.dialects``.
"""

if __name__ != "opc.dialects":
    raise ImportError(
        "import opc.dialects instead of the folder: it would make a second copy of every class"
    )
