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


class IdentityOp(Unary, name="opc.identity"):
    """The operand itself."""


AbsOp = Unary.leaf(
    "abs",
    "Absolute value; that of the least integer is itself.",
    types=el.NUMERIC,
    is_idempotent=True,
)
NegOp = Unary.leaf("neg", "Negation; integers wrap.", types=el.NUMERIC, is_involution=True)
SignOp = Unary.leaf(
    "sign", "-1, 0 or 1 by sign; NaN stays NaN.", types=el.NUMERIC, is_idempotent=True
)
CeilOp = FloatUnary.leaf("ceil", "Least integer not below x.", is_idempotent=True)
FloorOp = FloatUnary.leaf("floor", "Greatest integer not above x.", is_idempotent=True)
RoundOp = FloatUnary.leaf("round", "Nearest integer, halves to even.", is_idempotent=True)
TruncOp = FloatUnary.leaf("trunc", "Integer part, toward zero.", is_idempotent=True)
SqrtOp = FloatUnary.leaf("sqrt", "Square root, correctly rounded; NaN below zero.")
ReciprocalOp = FloatUnary.leaf("reciprocal", "1 / x.")
ExpOp = FloatUnary.leaf("exp", "e**x.")
ExpSoftmaxOp = FloatUnary.leaf(
    "exp_softmax",
    "e**min(x, 0), and 0 where x is below -76.25: a power in a softmax of f32.",
)
Expm1Op = FloatUnary.leaf("expm1", "e**x - 1, accurate near 0.")
LogOp = FloatUnary.leaf("log", "Natural logarithm.")
Log1pOp = FloatUnary.leaf("log1p", "log(1 + x), accurate near 0.")
SinOp = FloatUnary.leaf("sin", "Sine of x radians.")
CosOp = FloatUnary.leaf("cos", "Cosine of x radians.")
TanOp = FloatUnary.leaf("tan", "Tangent of x radians.")
AsinOp = FloatUnary.leaf("asin", "Inverse sine, radians.")
AcosOp = FloatUnary.leaf("acos", "Inverse cosine, radians.")
AtanOp = FloatUnary.leaf("atan", "Inverse tangent, radians.")
SinhOp = FloatUnary.leaf("sinh", "Hyperbolic sine.")
CoshOp = FloatUnary.leaf("cosh", "Hyperbolic cosine.")
TanhOp = FloatUnary.leaf("tanh", "Hyperbolic tangent.")
AsinhOp = FloatUnary.leaf("asinh", "Inverse hyperbolic sine.")
AcoshOp = FloatUnary.leaf("acosh", "Inverse hyperbolic cosine.")
AtanhOp = FloatUnary.leaf("atanh", "Inverse hyperbolic tangent.")
ErfOp = FloatUnary.leaf("erf", "Error function.")
NotOp = Unary.leaf("not", "Logical not.", types=el.BOOL, is_involution=True)
BitwiseNotOp = Unary.leaf(
    "bitwise_not", "Every bit inverted.", types=el.INTEGER, is_involution=True
)
IsNanOp = Predicate.leaf("is_nan", "Whether the operand is NaN.")


class IsInfOp(Predicate, name="opc.is_inf"):
    """Whether the operand is an infinity, of the signs that count."""

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


class CastOp(Conversion, name="opc.cast", scalar="cast"):
    """The value in another element type.

    Floats become integers by truncation and saturate; NaN becomes 0.  Integers wrap.  All values
    but 0 become true.  Floats become narrower floats by rounding once, to nearest, ties to even.
    Integers of 4 and 2 bits keep the lowest bits of the integer part.
    """

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


class BitcastOp(Conversion, name="opc.bitcast", scalar="bitcast"):
    """The same bits as another element type of equal width."""

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """As for a cast.  VerifyException if the widths differ."""
        result = super().infer(types, params)
        source, target = element(types[0]), element(result)
        # bitcast_c1: both element types have the same number of bits.
        if source.bits != target.bits:
            raise VerifyException(f"{source} has {source.bits} bits, {target} has {target.bits}")
        return result


SigmoidOp = FloatUnary.leaf("sigmoid", "1 / (1 + e**-x).")
SoftplusOp = FloatUnary.leaf("softplus", "log(1 + e**x).")
MishOp = FloatUnary.leaf("mish", "x * tanh(softplus(x)).")
ReluOp = Unary.leaf(
    "relu", "max(x, 0); NaN stays NaN.", types=el.FLOAT | el.SIGNED, is_idempotent=True
)
SoftsignOp = FloatUnary.leaf("softsign", "x / (1 + |x|).")


class GeluOp(FloatUnary, name="opc.gelu"):
    """x/2 * (1 + erf(x / sqrt 2)), or its approximation by tanh."""

    approximate = prop_def(
        choice(("none", "tanh"), "the form that is computed"), StringAttr("none")
    )


class SiluOp(FloatUnary, name="opc.silu"):
    """x * sigmoid(alpha * x), also called swish."""

    alpha = prop_def(number("factor inside the sigmoid"), FloatAttr(1.0, 64))


class EluOp(FloatUnary, name="opc.elu"):
    """x where x > 0, else alpha * (e**x - 1)."""

    alpha = prop_def(number("scale of the negative part"), FloatAttr(1.0, 64))


class SeluOp(FloatUnary, name="opc.selu"):
    """gamma * (x where x > 0, else alpha * (e**x - 1))."""

    alpha = prop_def(number("scale of the negative part"), FloatAttr(1.6732632423543772, 64))
    gamma = prop_def(number("scale of the whole"), FloatAttr(1.0507009873554805, 64))


class CeluOp(FloatUnary, name="opc.celu"):
    """max(0, x) + min(0, alpha * (e**(x / alpha) - 1))."""

    alpha = prop_def(number("scale of the negative part"), FloatAttr(1.0, 64))


class LeakyReluOp(FloatUnary, name="opc.leaky_relu"):
    """x where x >= 0, else alpha * x."""

    alpha = prop_def(number("slope of the negative part"), FloatAttr(0.01, 64))


class ThresholdedReluOp(FloatUnary, name="opc.thresholded_relu"):
    """x where x > alpha, else 0."""

    alpha = prop_def(number("the threshold"), FloatAttr(1.0, 64))


class HardSigmoidOp(FloatUnary, name="opc.hard_sigmoid"):
    """max(0, min(1, alpha * x + beta))."""

    alpha = prop_def(number("slope"), FloatAttr(0.2, 64))
    beta = prop_def(number("value at 0"), FloatAttr(0.5, 64))


HardSwishOp = FloatUnary.leaf("hard_swish", "x * max(0, min(1, x / 6 + 1/2)).")


class ShrinkOp(Unary, name="opc.shrink"):
    """x + bias where x < -lambd, x - bias where x > lambd, else 0."""

    types = el.NUMERIC
    bias = prop_def(number("moves x toward 0"), FloatAttr(0.0, 64))
    lambd = prop_def(number("half-width of 0"), FloatAttr(0.5, 64))
