// Reductions are computed without the dimensions along which nothing differs that they read.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,hoist-reductions | filecheck %s
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,hoist-reductions,hoist-reductions | filecheck %s

// A weight that fills its tensor: all columns are the same.
// CHECK-LABEL: func.func @filled(
// CHECK:       [[R:%.+]] = kernel.nest [3, 1] {
// CHECK-NEXT:    kernel.sweep [8] (dot) {
// CHECK-NEXT:      [[X:%.+]] = kernel.load %x[d0, d2] : f32
// CHECK-NEXT:      [[W:%.+]] = scalar.constant 5.000000e-01 : f32
// CHECK-NEXT:      scalar.apply mul([[X]], [[W]])
// CHECK:       kernel.nest [3, 100] {
// CHECK-NEXT:    [[V:%.+]] = kernel.load [[R]][d0, 0] : f32
// CHECK-NEXT:    kernel.store [[V]] to 0[d0, d1]
func.func @filled(%x: tensor<3x8xf32>) -> tensor<3x100xf32> {
  %w = opc.constant dense<0.5> : tensor<8x100xf32>
  %r = opc.matmul %x, %w
  return %r : tensor<3x100xf32>
}

// Through a broadcast, elementwise kernels, a reshape and what was hoisted before.
// CHECK-LABEL: func.func @followed(
// CHECK:       kernel.sweep [6] lanes 64 (sum)
// CHECK:       } : tensor<5x1xf32>
// CHECK:       kernel.nest [5, 7]
// CHECK:       kernel.nest [1, 1] {
// CHECK-NEXT:    kernel.sweep [5] lanes 8 (sum)
// CHECK:       } : tensor<1x1xf32>
// CHECK:       kernel.nest [1, 7]
func.func @followed(%x: tensor<5x1x6xf32>) -> tensor<1x7xf32> {
  %b = opc.broadcast %x : tensor<5x1x6xf32> -> tensor<5x7x6xf32>
  %e = opc.exp %b
  %s = opc.reduce_sum %e {axes = [2], keepdims = false}
  %f = opc.reshape %s : tensor<5x7xf32> -> tensor<1x5x7xf32>
  %r = opc.reduce_sum %f {axes = [1], keepdims = false}
  return %r : tensor<1x7xf32>
}

// An extent that only a run knows may be 0, and then there is nothing to read.
// CHECK-LABEL: func.func @unknown(
// CHECK:       kernel.nest [N, 4]
// CHECK:       kernel.nest [N] {
// CHECK-NEXT:    kernel.sweep [4] (max)
// CHECK-NOT:   kernel.nest
func.func @unknown(%x: tensor<4xf32>, %y: tensor<?x4xf32, #opc.dims<N, 4>>) -> tensor<?xf32, #opc.dims<N>> {
  %b = opc.broadcast %x : tensor<4xf32> -> tensor<?x4xf32, #opc.dims<N, 4>>
  %r = opc.reduce_max %b {axes = [1], keepdims = false}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// What stays: dimensions that one operand is read along, and those of an image beside its padding.
// CHECK-LABEL: func.func @needed(
// CHECK:       kernel.nest [3, 2]
// CHECK-NEXT:    kernel.sweep [8] (dot)
// CHECK:       kernel.nest [1, 1, 4, 4] {
// CHECK-NEXT:    kernel.sweep [3, 3, 1] (dot)
// CHECK:       kernel.nest [1, 5, 4, 4] {
// CHECK-NOT:   kernel.nest
func.func @needed(%x: tensor<3x8xf32>, %w: tensor<8x2xf32>) -> (tensor<3x2xf32>, tensor<1x5x4x4xf32>) {
  %m = opc.matmul %x, %w
  %i = opc.constant dense<2.0> : tensor<1x1x4x4xf32>
  %f = opc.constant dense<0.5> : tensor<5x1x3x3xf32>
  %c = opc.conv %i, %f {pads = [1, 1, 1, 1], strides = [1, 1], dilations = [1, 1], groups = 1}
  return %m, %c : tensor<3x2xf32>, tensor<1x5x4x4xf32>
}

// Totals of a value that is broadcast differ along their axis, though what is read does not.
// CHECK-LABEL: func.func @totals(
// CHECK:       kernel.nest [4] {
// CHECK-NEXT:    kernel.sweep [7] (max)
func.func @totals(%x: tensor<1x7xf32>) -> tensor<4xf32> {
  %b = opc.broadcast %x : tensor<1x7xf32> -> tensor<4x7xf32>
  %s = opc.cum_sum %b {axis = 0}
  %r = opc.reduce_max %s {axes = [1], keepdims = false}
  return %r : tensor<4xf32>
}
