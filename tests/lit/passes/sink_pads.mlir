// Rows of pads around what windows compare are left out, and what is left is padded along the rest.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,separate-windows,unroll-windows,sink-pads | filecheck %s

// The first window begins outside; the last one ends within.
// CHECK-LABEL: func.func @by_two(
// CHECK-NEXT:    [[R:%.+]] = kernel.nest [] {
// CHECK-NEXT:      kernel.sweep [20, 1] {
// CHECK:             kernel.store {{.+}} to 0[d0, d1]
// CHECK:           kernel.sweep [20, 1] {
// CHECK:             kernel.store {{.+}} to 0[d0, d1 + 41]
// CHECK:           kernel.sweep [20, 40] {
// CHECK-NEXT:        kernel.load %x[max(d0*2 - 1, 0), d1] : i32
// CHECK-NEXT:        kernel.load %x[d0*2, d1] : i32
// CHECK-NEXT:        kernel.load %x[d0*2 + 1, d1] : i32
// CHECK-COUNT-2:     scalar.apply max
// CHECK-NEXT:        kernel.store {{.+}} to 0[d0, d1 + 1]
// CHECK:           } : tensor<20x42xi32>
// CHECK-NEXT:    kernel.nest [20, 20] {
// CHECK-NEXT:      kernel.load [[R]][d0, d1*2] : i32
func.func @by_two(%x: tensor<40x40xi32>) -> tensor<20x20xi32> {
  %l = opc.constant dense<-2147483648> : tensor<i32>
  %e = opc.broadcast %l -> tensor<1x40xi32>
  %c = opc.broadcast %l -> tensor<42x1xi32>
  %p = opc.concat %e, %x, %e {axis = 0}
  %q = opc.concat %c, %p, %c {axis = 1}
  %w = opc.windows %q {sizes = [3, 3], strides = [2, 2], dilations = [1, 1]}
  %r = opc.reduce_max %w {axes = [2, 3], keepdims = false}
  return %r : tensor<20x20xi32>
}

// What stays: pads that may be more than a value, and rows that a window with gaps may leave out.
// CHECK-LABEL: func.func @zeros(
// CHECK:         kernel.sweep [1, 40] {
// CHECK:         kernel.sweep [1, 40] {
// CHECK:         kernel.nest [20, 41] {
// CHECK-NEXT:      kernel.load {{.+}}[d0*2, d1] : i32
func.func @zeros(%x: tensor<40x40xi32>) -> tensor<20x20xi32> {
  %l = opc.constant dense<0> : tensor<i32>
  %e = opc.broadcast %l -> tensor<1x40xi32>
  %c = opc.broadcast %l -> tensor<42x1xi32>
  %p = opc.concat %e, %x, %e {axis = 0}
  %q = opc.concat %c, %p, %c {axis = 1}
  %w = opc.windows %q {sizes = [3, 3], strides = [2, 2], dilations = [1, 1]}
  %r = opc.reduce_max %w {axes = [2, 3], keepdims = false}
  return %r : tensor<20x20xi32>
}

// CHECK-LABEL: func.func @gaps(
// CHECK:         kernel.sweep [1, 40] {
// CHECK:         kernel.nest [19, 40] {
// CHECK-NEXT:      kernel.load {{.+}}[d0*2, d1] : i32
// CHECK-NEXT:      kernel.load {{.+}}[d0*2 + 2, d1] : i32
func.func @gaps(%x: tensor<40x40xi32>) -> tensor<19x38xi32> {
  %l = opc.constant dense<-2147483648> : tensor<i32>
  %e = opc.broadcast %l -> tensor<1x40xi32>
  %p = opc.concat %e, %x, %e {axis = 0}
  %w = opc.windows %p {sizes = [3, 3], strides = [2, 1], dilations = [2, 1]}
  %r = opc.reduce_max %w {axes = [2, 3], keepdims = false}
  return %r : tensor<19x38xi32>
}
