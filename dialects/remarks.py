"""Remarks of a choice, which become comments in the C.

::

    loop.if <atleast(M*N*4, 9437184)> asks ["more than caches hold"] "past the caches" {
      ...
    } else "through the caches" {
      ...
    }

``asks`` says what each atom of the condition tests, in their order.  A text before each version
says what it is for.  Both are optional.  The pass that makes a choice writes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .formats import stored
from .polynomial import Atom

Remarks = ArrayAttr[StringAttr]
"""The texts of both versions, or of each atom of a condition."""
_WORDS = re.compile(r"[A-Za-z0-9]+(,? [A-Za-z0-9]+)*\Z")


def remarks_of(texts: Sequence[str]) -> Remarks | None:
    """The attribute for some texts; None if all are empty."""
    return ArrayAttr(list(map(StringAttr, texts))) if any(texts) else None


def choice_of(
    condition: ex.Expr, names: Sequence[str], asks: Mapping[Atom, str]
) -> dict[str, Attribute | None]:
    """The properties of a choice; ``asks`` may have atoms that the condition lacks."""
    texts = [asks.get(atom, "") for atom in dict.fromkeys(condition.atoms())]
    return stored(condition=condition, names=remarks_of(names), asks=remarks_of(texts))


def asked(condition: ex.Expr, asks: Remarks | None) -> dict[Atom, str]:
    """The text of each atom of a condition, if there are texts."""
    texts = () if asks is None else (text.data for text in asks)
    return dict(zip(dict.fromkeys(condition.atoms()), texts, strict=False))


def check_remarks(
    name: str, condition: ex.Expr, names: Remarks | None, asks: Remarks | None
) -> None:
    """VerifyException unless remarks are words, for both versions and for each atom."""
    choices = len(dict.fromkeys(condition.atoms()))
    for remarks, count in ((names, 2), (asks, choices)):
        if remarks is None:
            continue
        # remarks_c2: there is one for each version, or for each atom.
        if len(remarks) != count:
            raise VerifyException(f"{name}: found {len(remarks)} remarks, expected {count}")
        for text in remarks:
            # remarks_c1: they are words, since they become comments in C.
            if text.data and _WORDS.match(text.data) is None:
                raise VerifyException(f"{name}: remark {text.data!r} is more than words")
