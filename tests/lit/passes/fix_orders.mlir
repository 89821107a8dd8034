// Sums and products of floats get their order, and reductions one run of axes.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders | filecheck %s
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,fix-orders | filecheck %s

// With nothing kept behind them values go to 64 lanes, 32 of f64; with much, each result has one.
// CHECK-LABEL: func.func @lanes(
// CHECK-NEXT: opc.reduce_sum %x {axes = [1], order = #opc.order<lanes 64>} : tensor<8x100xf32>
// CHECK-NEXT: opc.reduce_sum %x {axes = [0], order = #opc.order<lanes 1>} : tensor<8x100xf32>
// CHECK-NEXT: opc.reduce_prod %y {axes = [0], order = #opc.order<lanes 16>} : tensor<100x3xf32>
// CHECK-NEXT: opc.reduce_sum %z {axes = [0, 1], order = #opc.order<lanes 32>} : tensor<4x5xf64>
// CHECK-NEXT: opc.reduce_sum %z {axes = [0], order = #opc.order<lanes 4>} : tensor<4x5xf64>
func.func @lanes(%x: tensor<8x100xf32>, %y: tensor<100x3xf32>, %z: tensor<4x5xf64>) -> (tensor<8xf32>, tensor<100xf32>, tensor<3xf32>, tensor<f64>, tensor<5xf64>) {
  %a = opc.reduce_sum %x {axes = [1]}
  %b = opc.reduce_sum %x {axes = [0]}
  %c = opc.reduce_prod %y {axes = [0]}
  %d = opc.reduce_sum %z
  %e = opc.reduce_sum %z {axes = [0]}
  return %a, %b, %c, %d, %e : tensor<8xf32>, tensor<100xf32>, tensor<3xf32>, tensor<f64>, tensor<5xf64>
}

// Several runs go one at a time, the innermost first; what has no order as well.
// CHECK-LABEL: func.func @runs(
// CHECK-NEXT: [[A:%.+]] = opc.reduce_sum %x {axes = [3, 4], order = #opc.order<lanes 64>} : tensor<2x3x4x5x6xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: opc.reduce_sum [[A]] {axes = [0, 1], order = #opc.order<lanes 16>} : tensor<2x3x4xf32> -> tensor<4xf32>
// CHECK-NEXT: [[B:%.+]] = opc.reduce_max %x {axes = [4]} : tensor<2x3x4x5x6xf32> -> tensor<2x3x4x5xf32>
// CHECK-NEXT: [[C:%.+]] = opc.reduce_max [[B]] {axes = [2]} : tensor<2x3x4x5xf32> -> tensor<2x3x5xf32>
// CHECK-NEXT: opc.reduce_max [[C]] {axes = [0]} : tensor<2x3x5xf32> -> tensor<3x5xf32>
// CHECK-NEXT: opc.reduce_sum %i {axes = [0, 1]} : tensor<7x8xi32> -> tensor<i32>
func.func @runs(%x: tensor<2x3x4x5x6xf32>, %i: tensor<7x8xi32>) -> (tensor<4xf32>, tensor<3x5xf32>, tensor<i32>) {
  %r = opc.reduce_sum %x {axes = [0, 1, 3, 4]}
  %s = opc.reduce_max %x {axes = [0, 2, 4]}
  %t = opc.reduce_sum %i
  return %r, %s, %t : tensor<4xf32>, tensor<3x5xf32>, tensor<i32>
}

// An extent of 1 keeps runs apart as any other: one that only a run knows may turn out to be 1.
// CHECK-LABEL: func.func @ones(
// CHECK-COUNT-2: opc.reduce_sum
// CHECK-NOT: reduce_sum
func.func @ones(%x: tensor<9x1x9xf32>) -> tensor<1xf32> {
  %r = opc.reduce_sum %x {axes = [0, 2]}
  return %r : tensor<1xf32>
}

// How many elements are behind a run may be known when it runs; the extent of the run does not matter.
// CHECK-LABEL: func.func @symbolic(
// CHECK-NEXT: opc.reduce_sum %x {axes = [1], order = #opc.order<lanes 64>}
// CHECK-NEXT: opc.reduce_sum %x {axes = [0], order = #opc.order<lanes pow2(floordiv(64, max(M, 1)))>}
func.func @symbolic(%x: tensor<?x?xf32, #opc.dims<N, M>>) -> (tensor<?xf32, #opc.dims<N>>, tensor<?xf32, #opc.dims<M>>) {
  %r = opc.reduce_sum %x {axes = [1]}
  %s = opc.reduce_sum %x {axes = [0]}
  return %r, %s : tensor<?xf32, #opc.dims<N>>, tensor<?xf32, #opc.dims<M>>
}

// Of small floats the value between two runs is f32, and the sum is rounded once.
// CHECK-LABEL: func.func @small(
// CHECK-NEXT: [[A:%.+]] = opc.cast %x
// CHECK-NEXT: [[B:%.+]] = opc.reduce_sum [[A]] {axes = [2], order = #opc.order<lanes 64>} : tensor<2x3x4xf32> -> tensor<2x3xf32>
// CHECK-NEXT: [[C:%.+]] = opc.reduce_sum [[B]] {axes = [0], order = #opc.order<lanes 16>} : tensor<2x3xf32> -> tensor<3xf32>
// CHECK-NEXT: opc.cast [[C]] : tensor<3xf32> -> tensor<3xbf16>
func.func @small(%x: tensor<2x3x4xbf16>) -> tensor<3xbf16> {
  %r = opc.reduce_sum %x {axes = [0, 2]}
  return %r : tensor<3xbf16>
}
