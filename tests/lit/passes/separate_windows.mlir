// What slides along several axes is reduced along one after the other, where that reads less.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,separate-windows | filecheck %s

// Rows first, of all columns that a window sees: 2 * 55 + 3 of them.
// CHECK-LABEL: func.func @strided(
// CHECK-NEXT:    [[R:%.+]] = kernel.nest [64, 56, 113] {
// CHECK-NEXT:      [[A:%.+]] = kernel.sweep [3] (max) {
// CHECK-NEXT:        [[B:%.+]] = kernel.load %x[d0, d1*2 + d3, d2] : f32
// CHECK-NEXT:        kernel.yield [[B]]
// CHECK-NEXT:      } : f32
// CHECK-NEXT:      kernel.store [[A]] to 0[d0, d1, d2]
// CHECK-NEXT:    } : tensor<64x56x113xf32>
// CHECK-NEXT:    kernel.nest [64, 56, 56] {
// CHECK-NEXT:      kernel.sweep [3] (max) {
// CHECK-NEXT:        kernel.load [[R]][d0, d1, d2*2 + d3] : f32
func.func @strided(%x: tensor<64x114x114xf32>) -> tensor<64x56x56xf32> {
  %w = opc.windows %x {sizes = [3, 3], strides = [2, 2], dilations = [1, 1]}
  %r = opc.reduce_max %w {axes = [3, 4], keepdims = false}
  return %r : tensor<64x56x56xf32>
}

// Three axes, of unknown extents, with steps within a window.
// CHECK-LABEL: func.func @volume(
// CHECK:         kernel.nest [D - min(D, 4), H, W] {
// CHECK-NEXT:      kernel.sweep [3] (min) {
// CHECK-NEXT:        kernel.load %x[d0 + d3*2, d1, d2] : i32
// CHECK:         kernel.sweep [3] (min) {
// CHECK-NEXT:      kernel.load {{.+}}[d0, d1 + d3*2, d2] : i32
// CHECK:         kernel.sweep [3] (min) {
// CHECK-NEXT:      kernel.load {{.+}}[d0, d1, d2 + d3*2] : i32
// CHECK-NOT:     kernel.sweep
func.func @volume(%x: tensor<?x?x?xi32, #opc.dims<D, H, W>>) -> tensor<?x?x?xi32, #opc.dims<D - min(D, 4), H - min(H, 4), W - min(W, 4)>> {
  %w = opc.windows %x {sizes = [3, 3, 3], strides = [1, 1, 1], dilations = [2, 2, 2]}
  %r = opc.reduce_min %w {axes = [3, 4, 5], keepdims = false}
  return %r : tensor<?x?x?xi32, #opc.dims<D - min(D, 4), H - min(H, 4), W - min(W, 4)>>
}

// What follows stays with the columns.
// CHECK-LABEL: func.func @followed(
// CHECK:         kernel.sweep [3] (max) {
// CHECK-NOT:     scalar.apply neg
// CHECK:         [[A:%.+]] = kernel.sweep [3] (max) {
// CHECK:         scalar.apply neg([[A]])
func.func @followed(%x: tensor<9x9xf32>) -> tensor<7x7xf32> {
  %w = opc.windows %x {sizes = [3, 3], strides = [1, 1], dilations = [1, 1]}
  %r = opc.reduce_max %w {axes = [2, 3], keepdims = false}
  %n = opc.neg %r
  return %n : tensor<7x7xf32>
}

// What stays: sums of floats, which have an order, windows that share little, and positions.
// CHECK-LABEL: func.func @others(
// CHECK:         kernel.sweep [3, 3] lanes 64 (sum)
// CHECK:         kernel.sweep [2, 2] (max)
// CHECK:         kernel.sweep [2, 2] (max)
// CHECK:         kernel.sweep [9] (argmax)
func.func @others(%x: tensor<9x9xf32>) -> (tensor<7x7xf32>, tensor<4x4xf32>, tensor<8x8xf32>, tensor<7x7xi64>) {
  %w = opc.windows %x {sizes = [3, 3], strides = [1, 1], dilations = [1, 1]}
  %a = opc.reduce_sum %w {axes = [2, 3], keepdims = false}
  %u = opc.windows %x {sizes = [2, 2], strides = [2, 2], dilations = [1, 1]}
  %b = opc.reduce_max %u {axes = [2, 3], keepdims = false}
  %v = opc.windows %x {sizes = [2, 2], strides = [1, 1], dilations = [1, 1]}
  %c = opc.reduce_max %v {axes = [2, 3], keepdims = false}
  %f = opc.reshape %w -> tensor<7x7x9xf32>
  %d = opc.argmax %f {axis = 2, keepdims = false}
  return %a, %b, %c, %d : tensor<7x7xf32>, tensor<4x4xf32>, tensor<8x8xf32>, tensor<7x7xi64>
}
