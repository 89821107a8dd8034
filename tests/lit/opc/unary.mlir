// Unary operators: text to IR to generic text and back.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @abs
// CHECK: opc.abs %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @abs(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.abs %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @acos
// CHECK: opc.acos %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @acos(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.acos %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @acosh
// CHECK: opc.acosh %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @acosh(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.acosh %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @asin
// CHECK: opc.asin %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @asin(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.asin %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @asinh
// CHECK: opc.asinh %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @asinh(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.asinh %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @atan
// CHECK: opc.atan %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @atan(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.atan %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @atanh
// CHECK: opc.atanh %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @atanh(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.atanh %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @bitcast
// CHECK: opc.bitcast %x : tensor<4x?xf32> -> tensor<4x?xi32>
func.func @bitcast(%x: tensor<4x?xf32>) -> tensor<4x?xi32> {
  %r = opc.bitcast %x : tensor<4x?xf32> -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}

// CHECK-LABEL: func.func @bitwise_not
// CHECK: opc.bitwise_not %x : tensor<4x?xi32> -> tensor<4x?xi32>
func.func @bitwise_not(%x: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = opc.bitwise_not %x
  return %r : tensor<4x?xi32>
}

// CHECK-LABEL: func.func @cast
// CHECK: opc.cast %x : tensor<4x?xf32> -> tensor<4x?xbf16>
func.func @cast(%x: tensor<4x?xf32>) -> tensor<4x?xbf16> {
  %r = opc.cast %x : tensor<4x?xf32> -> tensor<4x?xbf16>
  return %r : tensor<4x?xbf16>
}

// CHECK-LABEL: func.func @ceil
// CHECK: opc.ceil %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @ceil(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.ceil %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @celu
// CHECK: opc.celu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @celu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.celu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @celu_attributes
// CHECK: opc.celu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @celu_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.celu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @cos
// CHECK: opc.cos %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @cos(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.cos %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @cosh
// CHECK: opc.cosh %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @cosh(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.cosh %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @elu
// CHECK: opc.elu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @elu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.elu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @elu_attributes
// CHECK: opc.elu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @elu_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.elu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @erf
// CHECK: opc.erf %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @erf(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.erf %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @exp
// CHECK: opc.exp %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @exp(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.exp %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @exp_softmax
// CHECK: opc.exp_softmax %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @exp_softmax(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.exp_softmax %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @expm1
// CHECK: opc.expm1 %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @expm1(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.expm1 %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @floor
// CHECK: opc.floor %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @floor(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.floor %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @gelu
// CHECK: opc.gelu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @gelu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.gelu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @gelu_attributes
// CHECK: opc.gelu %x {approximate = "tanh"} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @gelu_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.gelu %x {approximate = "tanh"} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @hard_sigmoid
// CHECK: opc.hard_sigmoid %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @hard_sigmoid(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.hard_sigmoid %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @hard_sigmoid_attributes
// CHECK: opc.hard_sigmoid %x {alpha = 0.75, beta = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @hard_sigmoid_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.hard_sigmoid %x {alpha = 0.75, beta = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @hard_swish
// CHECK: opc.hard_swish %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @hard_swish(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.hard_swish %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @identity
// CHECK: opc.identity %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @identity(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.identity %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @is_inf
// CHECK: opc.is_inf %x : tensor<4x?xf32> -> tensor<4x?xi1>
func.func @is_inf(%x: tensor<4x?xf32>) -> tensor<4x?xi1> {
  %r = opc.is_inf %x
  return %r : tensor<4x?xi1>
}

// CHECK-LABEL: func.func @is_inf_attributes
// CHECK: opc.is_inf %x {positive = false} : tensor<4x?xf32> -> tensor<4x?xi1>
func.func @is_inf_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xi1> {
  %r = opc.is_inf %x {positive = false} : tensor<4x?xf32> -> tensor<4x?xi1>
  return %r : tensor<4x?xi1>
}

// CHECK-LABEL: func.func @is_nan
// CHECK: opc.is_nan %x : tensor<4x?xf32> -> tensor<4x?xi1>
func.func @is_nan(%x: tensor<4x?xf32>) -> tensor<4x?xi1> {
  %r = opc.is_nan %x
  return %r : tensor<4x?xi1>
}

// CHECK-LABEL: func.func @leaky_relu
// CHECK: opc.leaky_relu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @leaky_relu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.leaky_relu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @leaky_relu_attributes
// CHECK: opc.leaky_relu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @leaky_relu_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.leaky_relu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @log
// CHECK: opc.log %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @log(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.log %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @log1p
// CHECK: opc.log1p %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @log1p(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.log1p %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @mish
// CHECK: opc.mish %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @mish(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.mish %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @neg
// CHECK: opc.neg %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @neg(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.neg %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @not
// CHECK: opc.not %x : tensor<4x?xi1> -> tensor<4x?xi1>
func.func @not(%x: tensor<4x?xi1>) -> tensor<4x?xi1> {
  %r = opc.not %x
  return %r : tensor<4x?xi1>
}

// CHECK-LABEL: func.func @reciprocal
// CHECK: opc.reciprocal %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @reciprocal(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.reciprocal %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @relu
// CHECK: opc.relu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @relu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.relu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @round
// CHECK: opc.round %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @round(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.round %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @selu
// CHECK: opc.selu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @selu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.selu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @selu_attributes
// CHECK: opc.selu %x {alpha = 0.75, gamma = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @selu_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.selu %x {alpha = 0.75, gamma = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @shrink
// CHECK: opc.shrink %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @shrink(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.shrink %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @shrink_attributes
// CHECK: opc.shrink %x {bias = 0.75, lambd = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @shrink_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.shrink %x {bias = 0.75, lambd = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @sigmoid
// CHECK: opc.sigmoid %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @sigmoid(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.sigmoid %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @sign
// CHECK: opc.sign %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @sign(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.sign %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @silu
// CHECK: opc.silu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @silu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.silu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @silu_attributes
// CHECK: opc.silu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @silu_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.silu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @sin
// CHECK: opc.sin %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @sin(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.sin %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @sinh
// CHECK: opc.sinh %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @sinh(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.sinh %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @softplus
// CHECK: opc.softplus %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @softplus(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.softplus %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @softsign
// CHECK: opc.softsign %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @softsign(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.softsign %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @sqrt
// CHECK: opc.sqrt %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @sqrt(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.sqrt %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @tan
// CHECK: opc.tan %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @tan(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.tan %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @tanh
// CHECK: opc.tanh %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @tanh(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.tanh %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @thresholded_relu
// CHECK: opc.thresholded_relu %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @thresholded_relu(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.thresholded_relu %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @thresholded_relu_attributes
// CHECK: opc.thresholded_relu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @thresholded_relu_attributes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.thresholded_relu %x {alpha = 0.75} : tensor<4x?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @trunc
// CHECK: opc.trunc %x : tensor<4x?xf32> -> tensor<4x?xf32>
func.func @trunc(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = opc.trunc %x
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @small
// CHECK: opc.cast %a : tensor<4xf32> -> tensor<4xf8E4M3FN>
// CHECK: opc.cast %a {saturate = false} : tensor<4xf32> -> tensor<4xf8E5M2FNUZ>
// CHECK: opc.cast %a {saturate = false, round_mode = "nearest"} : tensor<4xf32> -> tensor<4xf8E8M0FNU>
// CHECK: opc.bitcast {{%.+}} : tensor<4xi4> -> tensor<4xf4E2M1FN>
// CHECK: opc.identity {{%.+}} : tensor<4xui2> -> tensor<4xui2>
func.func @small(%a: tensor<4xf32>) {
  %b = opc.cast %a {saturate = true} : tensor<4xf32> -> tensor<4xf8E4M3FN>
  %c = opc.cast %a {saturate = false} : tensor<4xf32> -> tensor<4xf8E5M2FNUZ>
  %d = opc.cast %a {saturate = false, round_mode = "nearest"} : tensor<4xf32> -> tensor<4xf8E8M0FNU>
  %e = opc.cast %a : tensor<4xf32> -> tensor<4xi4>
  %f = opc.bitcast %e : tensor<4xi4> -> tensor<4xf4E2M1FN>
  %g = opc.cast %f : tensor<4xf4E2M1FN> -> tensor<4xui2>
  %h = opc.identity %g : tensor<4xui2> -> tensor<4xui2>
  return
}
