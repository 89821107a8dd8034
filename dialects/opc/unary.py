"""Elementwise operators with one operand."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FloatAttr, StringAttr, TensorType
from xdsl.irdl import prop_def
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..scalar import ROUND_MODES, cast_name
from ..shape import Tensor, element, shape_of, tensor_type
from .attributes import TRUE, Params, boolean, choice, number
from .elementwise import FloatUnary, Predicate, Unary


class IdentityOp(Unary):
    """The operand itself."""

    name = "opc.identity"


class AbsOp(Unary):
    """Absolute value; that of the least integer is itself."""

    name = "opc.abs"
    scalar = "abs"
    types = el.NUMERIC
    is_idempotent = True


class NegOp(Unary):
    """Negation; integers wrap."""

    name = "opc.neg"
    scalar = "neg"
    types = el.NUMERIC
    is_involution = True


class SignOp(Unary):
    """-1, 0 or 1 by sign; NaN stays NaN."""

    name = "opc.sign"
    scalar = "sign"
    types = el.NUMERIC
    is_idempotent = True


class CeilOp(FloatUnary):
    """Least integer not below x."""

    name = "opc.ceil"
    scalar = "ceil"
    is_idempotent = True


class FloorOp(FloatUnary):
    """Greatest integer not above x."""

    name = "opc.floor"
    scalar = "floor"
    is_idempotent = True


class RoundOp(FloatUnary):
    """Nearest integer, halves to even."""

    name = "opc.round"
    scalar = "round"
    is_idempotent = True


class TruncOp(FloatUnary):
    """Integer part, toward zero."""

    name = "opc.trunc"
    scalar = "trunc"
    is_idempotent = True


class SqrtOp(FloatUnary):
    """Square root, correctly rounded; NaN below zero."""

    name = "opc.sqrt"
    scalar = "sqrt"


class ReciprocalOp(FloatUnary):
    """1 / x."""

    name = "opc.reciprocal"


class ExpOp(FloatUnary):
    """e**x."""

    name = "opc.exp"
    scalar = "exp"


class Expm1Op(FloatUnary):
    """e**x - 1, accurate near 0."""

    name = "opc.expm1"
    scalar = "expm1"


class LogOp(FloatUnary):
    """Natural logarithm."""

    name = "opc.log"
    scalar = "log"


class Log1pOp(FloatUnary):
    """log(1 + x), accurate near 0."""

    name = "opc.log1p"
    scalar = "log1p"


class SinOp(FloatUnary):
    """Sine of x radians."""

    name = "opc.sin"
    scalar = "sin"


class CosOp(FloatUnary):
    """Cosine of x radians."""

    name = "opc.cos"
    scalar = "cos"


class TanOp(FloatUnary):
    """Tangent of x radians."""

    name = "opc.tan"
    scalar = "tan"


class AsinOp(FloatUnary):
    """Inverse sine, radians."""

    name = "opc.asin"
    scalar = "asin"


class AcosOp(FloatUnary):
    """Inverse cosine, radians."""

    name = "opc.acos"
    scalar = "acos"


class AtanOp(FloatUnary):
    """Inverse tangent, radians."""

    name = "opc.atan"
    scalar = "atan"


class SinhOp(FloatUnary):
    """Hyperbolic sine."""

    name = "opc.sinh"
    scalar = "sinh"


class CoshOp(FloatUnary):
    """Hyperbolic cosine."""

    name = "opc.cosh"
    scalar = "cosh"


class TanhOp(FloatUnary):
    """Hyperbolic tangent."""

    name = "opc.tanh"
    scalar = "tanh"


class AsinhOp(FloatUnary):
    """Inverse hyperbolic sine."""

    name = "opc.asinh"
    scalar = "asinh"


class AcoshOp(FloatUnary):
    """Inverse hyperbolic cosine."""

    name = "opc.acosh"
    scalar = "acosh"


class AtanhOp(FloatUnary):
    """Inverse hyperbolic tangent."""

    name = "opc.atanh"
    scalar = "atanh"


class ErfOp(FloatUnary):
    """Error function."""

    name = "opc.erf"
    scalar = "erf"


class NotOp(Unary):
    """Logical not."""

    name = "opc.not"
    scalar = "not"
    types = el.BOOL
    is_involution = True


class BitwiseNotOp(Unary):
    """Every bit inverted."""

    name = "opc.bitwise_not"
    scalar = "bitwise_not"
    types = el.INTEGER
    is_involution = True


class IsNanOp(Predicate):
    """Whether the operand is NaN."""

    name = "opc.is_nan"
    scalar = "is_nan"


class IsInfOp(Predicate):
    """Whether the operand is an infinity, of the signs that count."""

    name = "opc.is_inf"
    positive = prop_def(boolean("whether +inf counts"), TRUE)
    negative = prop_def(boolean("whether -inf counts"), TRUE)


class Conversion(Unary):
    """The operand's shape in the element type of the declared result."""

    takes_result_type = True

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The operand's shape in the declared element type."""
        declared = params["result_type"]
        if not isinstance(declared, TensorType):
            raise VerifyException(f"expected ranked tensors, found {declared}")
        return tensor_type(declared.element_type, shape_of(types[0]))  # pyright: ignore


class CastOp(Conversion):
    """The value in another element type.

    Floats become integers by truncation and saturate; NaN becomes 0.  Integers wrap.  All values
    but 0 become true.  Floats become narrower floats by rounding once, to nearest, ties to even.
    Integers of 4 and 2 bits keep the lowest bits of the integer part.
    """

    name = "opc.cast"
    scalar = "cast"
    saturate = prop_def(
        boolean(
            "whether values beyond the range of a float of 8 bits become "
            "its nearest finite value, else infinity or NaN"
        ),
        TRUE,
    )
    round_mode = prop_def(
        choice(ROUND_MODES, "rounding to the powers of two of f8E8M0FNU"), StringAttr("up")
    )

    @property
    def function(self) -> str:
        """The row for this result type."""
        params = self.values()
        return cast_name(element(self.type), params["round_mode"], params["saturate"])


class BitcastOp(Conversion):
    """The same bits as another element type of equal width."""

    name = "opc.bitcast"
    scalar = "bitcast"

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """As for a cast.  VerifyException if the widths differ."""
        result = super().infer(types, params)
        source, target = element(types[0]), element(result)
        # bitcast_c1: both element types have the same number of bits.
        if source.bits != target.bits:
            raise VerifyException(f"{source} has {source.bits} bits, {target} has {target.bits}")
        return result


class SigmoidOp(FloatUnary):
    """1 / (1 + e**-x)."""

    name = "opc.sigmoid"
    scalar = "sigmoid"


class SoftplusOp(FloatUnary):
    """log(1 + e**x)."""

    name = "opc.softplus"
    scalar = "softplus"


class MishOp(FloatUnary):
    """x * tanh(softplus(x))."""

    name = "opc.mish"
    scalar = "mish"


class ReluOp(Unary):
    """max(x, 0); NaN stays NaN."""

    name = "opc.relu"
    types = el.FLOAT | el.SIGNED
    is_idempotent = True


class SoftsignOp(FloatUnary):
    """x / (1 + |x|)."""

    name = "opc.softsign"


class GeluOp(FloatUnary):
    """x/2 * (1 + erf(x / sqrt 2)), or its approximation by tanh."""

    name = "opc.gelu"
    approximate = prop_def(
        choice(("none", "tanh"), "the form that is computed"), StringAttr("none")
    )


class SiluOp(FloatUnary):
    """x * sigmoid(alpha * x), also called swish."""

    name = "opc.silu"
    alpha = prop_def(number("factor inside the sigmoid"), FloatAttr(1.0, 64))


class EluOp(FloatUnary):
    """x where x > 0, else alpha * (e**x - 1)."""

    name = "opc.elu"
    alpha = prop_def(number("scale of the negative part"), FloatAttr(1.0, 64))


class SeluOp(FloatUnary):
    """gamma * (x where x > 0, else alpha * (e**x - 1))."""

    name = "opc.selu"
    alpha = prop_def(number("scale of the negative part"), FloatAttr(1.6732632423543772, 64))
    gamma = prop_def(number("scale of the whole"), FloatAttr(1.0507009873554805, 64))


class CeluOp(FloatUnary):
    """max(0, x) + min(0, alpha * (e**(x / alpha) - 1))."""

    name = "opc.celu"
    alpha = prop_def(number("scale of the negative part"), FloatAttr(1.0, 64))


class LeakyReluOp(FloatUnary):
    """x where x >= 0, else alpha * x."""

    name = "opc.leaky_relu"
    alpha = prop_def(number("slope of the negative part"), FloatAttr(0.01, 64))


class ThresholdedReluOp(FloatUnary):
    """x where x > alpha, else 0."""

    name = "opc.thresholded_relu"
    alpha = prop_def(number("the threshold"), FloatAttr(1.0, 64))


class HardSigmoidOp(FloatUnary):
    """max(0, min(1, alpha * x + beta))."""

    name = "opc.hard_sigmoid"
    alpha = prop_def(number("slope"), FloatAttr(0.2, 64))
    beta = prop_def(number("value at 0"), FloatAttr(0.5, 64))


class HardSwishOp(FloatUnary):
    """x * max(0, min(1, x / 6 + 1/2))."""

    name = "opc.hard_swish"


class ShrinkOp(Unary):
    """x + bias where x < -lambd, x - bias where x > lambd, else 0."""

    name = "opc.shrink"
    types = el.NUMERIC
    bias = prop_def(number("moves x toward 0"), FloatAttr(0.0, 64))
    lambd = prop_def(number("half-width of 0"), FloatAttr(0.5, 64))
