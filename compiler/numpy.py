"""The operators under the names of NumPy, or their usual ones, for traced functions.

They take symbolic arrays, NumPy arrays (constants) and Python scalars, of which at least one is
symbolic, and follow NumPy in element types and results::

    @opc.function
    def gate(x: Annotated[np.ndarray, "f32[N, 64]"], w: Annotated[np.ndarray, "f32[64]"]):
        return onp.where(x > 0, onp.exp(x), w) * onp.sigmoid(x)

``np.exp(x)`` and the like of NumPy itself come here too when an argument is symbolic.  What NumPy
does not have (``sigmoid``) converts integers as ``np.exp`` does.
"""

from __future__ import annotations

import operator as _op
from types import FunctionType as _FunctionType
from typing import TYPE_CHECKING as _TYPE_CHECKING

import numpy as _numpy

from opc.dialects.opc import binary as _b
from opc.dialects.opc import cumulative as _cum
from opc.dialects.opc import reduction as _r
from opc.dialects.opc import unary as _u
from opc.frontend.python import contractions as _c
from opc.frontend.python import elementwise as _e
from opc.frontend.python import joining as _j
from opc.frontend.python import operators as _operators
from opc.frontend.python import promotion as _p
from opc.frontend.python import reductions as _red
from opc.frontend.python import shaping as _s
from opc.frontend.python import source_location as _place
from opc.frontend.python import ufuncs as _ufuncs

negative = _e.unary(_u.NegOp)
sign = _e.unary(_u.SignOp)
abs = absolute = fabs = _e.absolute
positive = _e.positive
square = _e.square
reciprocal = _e.reciprocal
invert = bitwise_not = bitwise_invert = _e.invert
ceil = _e.rounding(_u.CeilOp)
floor = _e.rounding(_u.FloorOp)
trunc = fix = _e.rounding(_u.TruncOp)
rint = _e.float_unary(_u.RoundOp)
round = around = _e.round_to

sqrt = _e.float_unary(_u.SqrtOp)
exp = _e.float_unary(_u.ExpOp)
expm1 = _e.float_unary(_u.Expm1Op)
log = _e.float_unary(_u.LogOp)
log1p = _e.float_unary(_u.Log1pOp)
sin = _e.float_unary(_u.SinOp)
cos = _e.float_unary(_u.CosOp)
tan = _e.float_unary(_u.TanOp)
arcsin = asin = _e.float_unary(_u.AsinOp)
arccos = acos = _e.float_unary(_u.AcosOp)
arctan = atan = _e.float_unary(_u.AtanOp)
sinh = _e.float_unary(_u.SinhOp)
cosh = _e.float_unary(_u.CoshOp)
tanh = _e.float_unary(_u.TanhOp)
arcsinh = asinh = _e.float_unary(_u.AsinhOp)
arccosh = acosh = _e.float_unary(_u.AcoshOp)
arctanh = atanh = _e.float_unary(_u.AtanhOp)
erf = _e.float_unary(_u.ErfOp)
isnan = _e.float_unary(_u.IsNanOp)
isinf = _e.float_unary(_u.IsInfOp)
isfinite = _e.isfinite

sigmoid = expit = _e.float_unary(_u.SigmoidOp)
relu = _e.unary(_u.ReluOp)
softplus = _e.float_unary(_u.SoftplusOp)
softsign = _e.float_unary(_u.SoftsignOp)
gelu = _e.float_unary(_u.GeluOp)
silu = swish = _e.float_unary(_u.SiluOp)
mish = _e.float_unary(_u.MishOp)
elu = _e.float_unary(_u.EluOp)
selu = _e.float_unary(_u.SeluOp)
celu = _e.float_unary(_u.CeluOp)
leaky_relu = _e.float_unary(_u.LeakyReluOp)
thresholded_relu = _e.float_unary(_u.ThresholdedReluOp)
hard_sigmoid = _e.float_unary(_u.HardSigmoidOp)
hard_swish = _e.float_unary(_u.HardSwishOp)
shrink = _e.unary(_u.ShrinkOp)
prelu = _e.binary(_b.PReluOp)

add = _e.binary(_b.AddOp, boolean=_b.OrOp)
subtract = _e.binary(_b.SubOp)
multiply = _e.binary(_b.MulOp, boolean=_b.AndOp)
divide = true_divide = _e.binary(_b.DivOp, _p.quotient)
floor_divide = _e.floor_divide
divmod = _e.divmod
power = pow = _e.power
mod = remainder = _e.binary(_b.ModOp, _p.not_boolean)
fmod = _e.binary(_b.ModOp, _p.not_boolean, fmod=True)
maximum = _e.extreme(_b.MaxOp, _b.OrOp)
minimum = _e.extreme(_b.MinOp, _b.AndOp)
where = _e.where
clip = _e.clip
matmul = _e.matmul
dot = _e.dot
einsum = _c.einsum
tensordot = _c.tensordot
inner = _c.inner
outer = _c.outer
conv, conv_transpose = _c.conv, _c.conv_transpose

bitwise_and = _e.binary(_b.BitwiseAndOp, boolean=_b.AndOp)
bitwise_or = _e.binary(_b.BitwiseOrOp, boolean=_b.OrOp)
bitwise_xor = _e.binary(_b.BitwiseXorOp, boolean=_b.XorOp)
left_shift = bitwise_left_shift = _e.binary(_b.ShiftLeftOp, _p.not_boolean)
right_shift = bitwise_right_shift = _e.binary(_b.ShiftRightOp, _p.not_boolean)
logical_and = _e.logical(_b.AndOp)
logical_or = _e.logical(_b.OrOp)
logical_xor = _e.logical(_b.XorOp)
logical_not = _e.logical_not
equal = _e.comparison(_b.EqualOp, _op.eq)
not_equal = _e.comparison(_b.NotEqualOp, _op.ne)
less = _e.comparison(_b.LessOp, _op.lt)
less_equal = _e.comparison(_b.LessEqualOp, _op.le)
greater = _e.comparison(_b.GreaterOp, _op.gt)
greater_equal = _e.comparison(_b.GreaterEqualOp, _op.ge)

sum = reduce_sum = _red.reduction(_r.ReduceSumOp, _red.summed)
prod = reduce_prod = _red.reduction(_r.ReduceProdOp, _red.summed)
mean = reduce_mean = _red.reduction(_r.ReduceMeanOp, _p.quotient)
min = amin = reduce_min = _red.reduction(_r.ReduceMinOp, of_booleans=_r.ReduceAllOp)
max = amax = reduce_max = _red.reduction(_r.ReduceMaxOp, of_booleans=_r.ReduceAnyOp)
any = reduce_any = _red.reduction(_r.ReduceAnyOp, _red.truth)
all = reduce_all = _red.reduction(_r.ReduceAllOp, _red.truth)
cumsum = _red.cumulative(_cum.CumSumOp)
cumprod = _red.cumulative(_cum.CumProdOp)
argmin = _red.position_of(_r.ArgMinOp)
argmax = _red.position_of(_r.ArgMaxOp)
var = _red.var
std = _red.std
reduce_l1 = _red.reduction(_r.ReduceL1Op, _red.summed)
reduce_l2 = _red.reduction(_r.ReduceL2Op, _p.quotient)
reduce_sum_square = _red.reduction(_r.ReduceSumSquareOp, _red.summed)
reduce_log_sum = _red.reduction(_r.ReduceLogSumOp, _p.floating)
logsumexp = reduce_log_sum_exp = _red.reduction(_r.ReduceLogSumExpOp, _p.floating)
softmax = _red.softmax
log_softmax = _red.log_softmax

reshape = _s.reshape
ravel = _s.ravel
transpose = permute_dims = _s.transpose
swapaxes = _s.swapaxes
matrix_transpose = _s.matrix_transpose
moveaxis = _s.moveaxis
stack = _j.stack
concatenate = concat = _j.concatenate
tile = _j.tile
repeat = _j.repeat
take = _j.take
take_along_axis = _j.take_along_axis
broadcast_to = _s.broadcast_to
expand_dims = _s.expand_dims
squeeze = _s.squeeze
full, full_like = _s.full, _s.full_like
zeros, zeros_like = _s.zeros, _s.zeros_like
ones, ones_like = _s.ones, _s.ones_like
asarray = array = _s.asarray
arange = _s.arange
linspace = _s.constant(_numpy.linspace)
eye, identity = _s.constant(_numpy.eye), _s.constant(_numpy.identity)
copy = _s.copy
astype = _e.astype
bitcast = _e.bitcast
shape, ndim, size = _s.shape, _s.ndim, _s.size

e, inf, nan, newaxis, pi = _numpy.e, _numpy.inf, _numpy.nan, _numpy.newaxis, _numpy.pi
bool_ = _numpy.bool_
float16, float32, float64 = _numpy.float16, _numpy.float32, _numpy.float64
int8, int16, int32, int64 = _numpy.int8, _numpy.int16, _numpy.int32, _numpy.int64
uint8, uint16, uint32, uint64 = _numpy.uint8, _numpy.uint16, _numpy.uint32, _numpy.uint64

__all__ = sorted(  # pyright: ignore[reportUnsupportedDunderAll]  # all of the table above
    name for name in globals() if not name.startswith("_") and name != "annotations"
)


def _finish() -> None:
    """Check arguments, give ufuncs of NumPy their methods, and enter all functions."""
    for name in __all__:
        value = globals()[name]
        if isinstance(value, _FunctionType):
            globals()[name] = call = _place.checked(f"opc.numpy.{name}", value)
            _operators.FUNCTIONS[name] = call
            if isinstance(getattr(_numpy, name, None), _numpy.ufunc):
                _ufuncs.add_methods(name, call)


_finish()


def _missing(name: str) -> Exception:
    """The error about a name that is not here: NumPy may have it, or not."""
    if name.startswith("_") or not hasattr(_numpy, name):
        hint = _place.hint_at(name, __all__)
        return AttributeError(f"module 'opc.numpy' has no attribute {name!r}{hint}")
    return _place.no_function(f"numpy.{name}", __all__)


if not _TYPE_CHECKING:  # type checkers would take any name for one that is here

    def __getattr__(name: str) -> None:
        """An error about any name."""
        raise _missing(name)
