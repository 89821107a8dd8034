// Exponentials of what is never positive become exp_neg of the negative, which costs nothing in most cases.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,narrow-domains | filecheck %s

// The greatest value of a row is subtracted.
// CHECK-LABEL: func.func @softmax(
// CHECK:         [[M:%.+]] = kernel.sweep [1000] (max)
// CHECK:         [[X:%.+]] = kernel.load %x[d0, d1]
// CHECK:         [[X:%.+]] = kernel.load %x[d0, d1]
// CHECK-NEXT:    [[D:%.+]] = scalar.apply sub([[M]], [[X]])
// CHECK-NEXT:    scalar.apply exp_neg([[D]])
func.func @softmax(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<64x1000xf32>
}

// Rounding to f16 gets no number of f16 above the greatest one.
// CHECK-LABEL: func.func @narrow(
// CHECK:         [[D:%.+]] = scalar.apply sub(
// CHECK-NEXT:    [[N:%.+]] = scalar.apply cast([[D]]) : f16
// CHECK-NEXT:    [[W:%.+]] = scalar.apply cast([[N]]) : f32
// CHECK-NEXT:    scalar.apply exp_neg([[W]])
func.func @narrow(%x: tensor<64x1000xf16>) -> tensor<64xf16> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %r = opc.reduce_sum %e {axes = [1]}
  return %r : tensor<64xf16>
}

// The values are computed, and kept for the second sweep.
// CHECK-LABEL: func.func @computed(
// CHECK:         scalar.apply exp_neg(
func.func @computed(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %y = opc.tanh %x
  %m = opc.reduce_max %y {axes = [1], keepdims = true}
  %d = opc.sub %y, %m
  %e = opc.exp %d
  %r = opc.reduce_sum %e {axes = [1]}
  return %r : tensor<64xf32>
}

// -x^2/2
// CHECK-LABEL: func.func @gauss(
// CHECK:         [[Q:%.+]] = scalar.apply mul(
// CHECK-NEXT:    [[H:%.+]] = scalar.constant 5.000000e-01
// CHECK-NEXT:    [[G:%.+]] = scalar.apply mul([[Q]], [[H]])
// CHECK-NEXT:    scalar.apply exp_neg([[G]])
func.func @gauss(%x: tensor<64xf32>) -> tensor<64xf32> {
  %half = opc.constant dense<-0.5> : tensor<f32>
  %q = opc.mul %x, %x
  %h = opc.mul %q, %half
  %r = opc.exp %h
  return %r : tensor<64xf32>
}

// The negative of something else takes an operation.
// CHECK-LABEL: func.func @product(
// CHECK:         [[P:%.+]] = scalar.apply mul(
// CHECK-NEXT:    [[N:%.+]] = scalar.apply neg([[P]])
// CHECK-NEXT:    scalar.apply exp_neg([[N]])
func.func @product(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %a = opc.abs %x
  %b = opc.sqrt %y
  %n = opc.neg %a
  %p = opc.mul %n, %b
  %r = opc.exp %p
  return %r : tensor<64xf32>
}

// The greatest value of other rows, of other values, and the least value.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     exp_neg
// CHECK:         return
func.func @others(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %c = opc.reduce_max %x {axes = [0], keepdims = true}
  %t = opc.transpose %c {permutation = [1, 0]}
  %m = opc.reduce_max %y {axes = [1], keepdims = true}
  %l = opc.reduce_min %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %t
  %e = opc.sub %x, %m
  %f = opc.sub %x, %l
  %r = opc.exp %d
  %s = opc.exp %e
  %u = opc.exp %f
  return %r, %s, %u : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// Infinity less 0 is infinity.
// CHECK-LABEL: func.func @log_sum_exp(
// CHECK-NOT:     exp_neg
// CHECK:         return
func.func @log_sum_exp(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %r = opc.reduce_log_sum_exp %x {axes = [1]}
  return %r : tensor<64xf32>
}
