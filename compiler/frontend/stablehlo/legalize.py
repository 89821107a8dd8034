"""Operations of the ``stablehlo`` dialect become operators of the ``opc`` dialect.

::

    stablehlo.node "stablehlo.dot_general"(%x, %w) {contracting_dims = [[1], [0]]}
      --> opc.contract %x, %w {equation = "ab,bc->ac"}

The functions in compiler/frontend/stablehlo/ops say what each operation means.
"""

from __future__ import annotations

from opc.dialects.stablehlo import NodeOp
from opc.frontend.legalize_pass import LegalizePass


class LegalizeStablehloPass(LegalizePass):
    """stablehlo.node "add" (%x, %y)  -->  opc.add %x, %y."""

    name = "legalize-stablehlo"
    operation = NodeOp
    legalizer = "opc.frontend.stablehlo.function:LegalizeStablehloFunction"
