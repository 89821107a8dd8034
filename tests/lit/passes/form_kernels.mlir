// Every operator of the normal form becomes an iteration space with index maps.
// RUN: opc-opt %s -p fix-orders,form-kernels | filecheck %s

// CHECK-LABEL: func.func @elementwise(
// CHECK-NEXT:   %r = kernel.nest [4, 8] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:     [[B:%.+]] = kernel.load %y[d0, d1] : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply add([[A]], [[B]]) : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK-NEXT:   func.return %r
func.func @elementwise(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = opc.apply add(%x, %y) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @cast(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0] : f16
// CHECK-NEXT:     [[B:%.+]] = scalar.apply cast([[A]]) : f32
// CHECK-NEXT:     kernel.store [[B]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %r
func.func @cast(%x: tensor<4xf16>) -> tensor<4xf32> {
  %r = opc.cast %x -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT:   %r = kernel.nest [] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply exp([[A]]) : f32
// CHECK-NEXT:     kernel.store [[B]] to 0[]
// CHECK-NEXT:   } : tensor<f32>
// CHECK-NEXT:   func.return %r
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = opc.apply exp(%x) : tensor<f32> -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @iota(
// CHECK-NEXT:   %r = kernel.nest [5] {
// CHECK-NEXT:     [[A:%.+]] = scalar.index <d0> : i64
// CHECK-NEXT:     kernel.store [[A]] to 0[d0]
// CHECK-NEXT:   } : tensor<5xi64>
func.func @iota() -> tensor<5xi64> {
  %r = opc.iota : tensor<5xi64>
  return %r : tensor<5xi64>
}

// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:   %r = kernel.nest [2, 4, 8] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[0, d2] : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0, d1, d2]
// CHECK-NEXT:   } : tensor<2x4x8xf32>
// CHECK-NEXT:   func.return %r
func.func @broadcast(%x: tensor<1x8xf32>) -> tensor<2x4x8xf32> {
  %r = opc.broadcast %x -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// Where x may be broadcast, its axis has step 0 or 1.
// CHECK-LABEL: func.func @broadcast_symbolic(
// CHECK-NEXT:   %r = kernel.nest [bcast(M, N)] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0*nonunit(N)] : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0]
// CHECK-NEXT:   } : tensor<?xf32, #opc.dims<bcast(M, N)>>
// CHECK-NEXT:   func.return %r
func.func @broadcast_symbolic(%x: tensor<?xf32, #opc.dims<N>>, %y: tensor<?xf32, #opc.dims<M>>) -> tensor<?xf32, #opc.dims<bcast(M, N)>> {
  %r = opc.broadcast %x -> tensor<?xf32, #opc.dims<bcast(M, N)>>
  return %r : tensor<?xf32, #opc.dims<bcast(M, N)>>
}

// What is as long as the result but for a number above 1 is not stretched where it fits.
// CHECK-LABEL: func.func @cut(
// CHECK:          kernel.load %x[d0] : f32
func.func @cut(%x: tensor<?xf32, #opc.dims<min(N, 8)>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.broadcast %x -> tensor<?xf32, #opc.dims<N>>
  return %r : tensor<?xf32, #opc.dims<N>>
}

// CHECK-LABEL: func.func @transpose(
// CHECK-NEXT:   %r = kernel.nest [4, 2, 3] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d1, d2, d0] : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0, d1, d2]
// CHECK-NEXT:   } : tensor<4x2x3xf32>
// CHECK-NEXT:   func.return %r
func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %r = opc.transpose %x {permutation = [2, 0, 1]}
  return %r : tensor<4x2x3xf32>
}

// A reshape costs nothing and stays.
// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT:   %r = opc.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
// CHECK-NEXT:   func.return %r
func.func @reshape(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %r = opc.reshape %x -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// Axes that stay come first.
// CHECK-LABEL: func.func @reduction(
// CHECK-NEXT:   %r = kernel.nest [3] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [2, 4] lanes 16 (sum) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d1, d2, d0] : f32
// CHECK-NEXT:       kernel.yield [[B]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0]
// CHECK-NEXT:   } : tensor<3xf32>
// CHECK-NEXT:   func.return %r
func.func @reduction(%x: tensor<2x4x3xf32>) -> tensor<3xf32> {
  %r = opc.reduce_sum %x {axes = [0, 1]}
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @argmax(
// CHECK-NEXT:   %r = kernel.nest [2] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [3] (argmax) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       kernel.yield [[B]]
// CHECK-NEXT:     } : i64
// CHECK-NEXT:     kernel.store [[A]] to 0[d0]
// CHECK-NEXT:   } : tensor<2xi64>
// CHECK-NEXT:   %s = kernel.nest [3] {
// CHECK-NEXT:     [[C:%.+]] = kernel.sweep [2] (argmin_last) {
// CHECK-NEXT:       [[D:%.+]] = kernel.load %x[d1, d0] : f32
// CHECK-NEXT:       kernel.yield [[D]]
// CHECK-NEXT:     } : i64
// CHECK-NEXT:     kernel.store [[C]] to 0[d0]
// CHECK-NEXT:   } : tensor<3xi64>
// CHECK-NEXT:   func.return %r, %s
func.func @argmax(%x: tensor<2x3xf32>) -> (tensor<2xi64>, tensor<3xi64>) {
  %r = opc.argmax %x {axis = 1}
  %s = opc.argmin %x {axis = 0, select_last_index = true}
  return %r, %s : tensor<2xi64>, tensor<3xi64>
}

// The contracted axis is d3.
// CHECK-LABEL: func.func @matmul(
// CHECK-NEXT:   %r = kernel.nest [5, 2, 4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [3] (dot) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %a[d0, d1, d3] : f32
// CHECK-NEXT:       [[C:%.+]] = kernel.load %b[d0, d3, d2] : f32
// CHECK-NEXT:       [[D:%.+]] = scalar.apply mul([[B]], [[C]]) : f32
// CHECK-NEXT:       kernel.yield [[D]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0, d1, d2]
// CHECK-NEXT:   } : tensor<5x2x4xf32>
// CHECK-NEXT:   func.return %r
func.func @matmul(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %r = opc.matmul %a, %b
  return %r : tensor<5x2x4xf32>
}

// Few products of long rows are written out.  The block is added to +0, as each one of a chain.
// CHECK-LABEL: func.func @outer(
// CHECK-NEXT:   %r = kernel.nest [5, 64] {
// CHECK-NEXT:     [[Z:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:     [[A:%.+]] = kernel.load %a[d0, 0] : f32
// CHECK-NEXT:     [[B:%.+]] = kernel.load %b[0, d1] : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply fma([[A]], [[B]], [[Z]]) : f32
// CHECK-NEXT:     [[D:%.+]] = kernel.load %a[d0, 1] : f32
// CHECK-NEXT:     [[E:%.+]] = kernel.load %b[1, d1] : f32
// CHECK-NEXT:     [[F:%.+]] = scalar.apply fma([[D]], [[E]], [[C]]) : f32
// CHECK-NEXT:     [[G:%.+]] = scalar.apply add([[Z]], [[F]]) : f32
// CHECK-NEXT:     kernel.store [[G]] to 0[d0, d1]
func.func @outer(%a: tensor<5x2xf32>, %b: tensor<2x64xf32>) -> tensor<5x64xf32> {
  %r = opc.matmul %a, %b
  return %r : tensor<5x64xf32>
}

// A constant of one value becomes a scalar.
// CHECK-LABEL: func.func @splat(
// CHECK-NEXT:   %two = opc.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT:   %list = opc.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.constant 2.000000e+00 : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply mul([[A]], [[B]]) : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   %s = kernel.nest [4] {
// CHECK-NEXT:     [[D:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     [[E:%.+]] = kernel.load %list[d0] : f32
// CHECK-NEXT:     [[F:%.+]] = scalar.apply mul([[D]], [[E]]) : f32
// CHECK-NEXT:     kernel.store [[F]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %r, %s
func.func @splat(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %two = opc.constant dense<2.0> : tensor<4xf32>
  %list = opc.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = opc.apply mul(%x, %two) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %s = opc.apply mul(%x, %list) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @extent(
// CHECK-NEXT:   %r = kernel.nest [] {
// CHECK-NEXT:     [[A:%.+]] = scalar.index <N*4> : i64
// CHECK-NEXT:     kernel.store [[A]] to 0[]
// CHECK-NEXT:   } : tensor<i64>
// CHECK-NEXT:   func.return %r
func.func @extent(%x: tensor<?x4xf32, #opc.dims<N, 4>>) -> tensor<i64> {
  %r = opc.extent <N*4> : tensor<i64>
  return %r : tensor<i64>
}

// Batch, filters and positions are the nest; kernel and channels of a group the sweep.
// CHECK-LABEL: func.func @conv(
// CHECK-NEXT:   %r = kernel.nest [2, 6, 5, 9] {
// CHECK-NEXT:     [[S:%.+]] = kernel.sweep [3, 1, 4] (dot) {
// CHECK-NEXT:       [[A:%.+]] = kernel.load %x[d0, d6 + floordiv(d1, 3)*4, d2*2 + d4 - 1, d3] else 0.000000e+00 : f32
// CHECK-NEXT:       [[B:%.+]] = kernel.load %w[d1, d6, d4, d5] : f32
// CHECK-NEXT:       [[C:%.+]] = scalar.apply mul([[A]], [[B]]) : f32
// CHECK-NEXT:       kernel.yield [[C]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[S]] to 0[d0, d1, d2, d3]
// CHECK-NEXT:   } : tensor<2x6x5x9xf32>
func.func @conv(%x: tensor<2x8x9x9xf32>, %w: tensor<6x4x3x1xf32>) -> tensor<2x6x5x9xf32> {
  %r = opc.conv %x, %w {strides = [2, 1], pads = [1, 0, 1, 0], groups = 2}
  return %r : tensor<2x6x5x9xf32>
}

// Sums of integers are chains of products too, and need no order.
// CHECK-LABEL: func.func @conv_of_integers(
// CHECK-NEXT:   %r = kernel.nest [1, 2, 8] {
// CHECK-NEXT:     [[S:%.+]] = kernel.sweep [3, 4] (dot) {
// CHECK-NEXT:       [[A:%.+]] = kernel.load %x[d0, d4, d2 + d3 - 1] else 0 : i32
// CHECK-NEXT:       [[B:%.+]] = kernel.load %w[d1, d4, d3] : i32
// CHECK-NEXT:       [[C:%.+]] = scalar.apply mul([[A]], [[B]]) : i32
// CHECK-NEXT:       kernel.yield [[C]]
// CHECK-NEXT:     } : i32
func.func @conv_of_integers(%x: tensor<1x4x8xi32>, %w: tensor<2x4x3xi32>) -> tensor<1x2x8xi32> {
  %r = opc.conv %x, %w {pads = [1, 1]}
  return %r : tensor<1x2x8xi32>
}

// CHECK-LABEL: func.func @gather(
// CHECK-NEXT:   %r = kernel.nest [5, 2, 3] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %i[d1, d2] : i32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply cast([[A]]) : i64
// CHECK-NEXT:     [[N:%.+]] = scalar.constant 9 : i64
// CHECK-NEXT:     [[Z:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     [[L:%.+]] = scalar.apply lt([[B]], [[Z]]) : i1
// CHECK-NEXT:     [[S:%.+]] = scalar.apply add([[B]], [[N]]) : i64
// CHECK-NEXT:     [[I:%.+]] = scalar.apply select([[L]], [[S]], [[B]]) : i64
// CHECK-NEXT:     [[V:%.+]] = kernel.gather %x[d0, [[I]]] : f32
// CHECK-NEXT:     kernel.store [[V]] to 0[d0, d1, d2]
// CHECK-NEXT:   } : tensor<5x2x3xf32>
func.func @gather(%x: tensor<5x9xf32>, %i: tensor<2x3xi32>) -> tensor<5x2x3xf32> {
  %r = opc.gather %x, %i {axes = [1]} : tensor<5x9xf32>, tensor<2x3xi32>
  return %r : tensor<5x2x3xf32>
}

// CHECK-LABEL: func.func @scatter_elements(
// CHECK-NEXT:   %r = kernel.nest [] {
// CHECK-NEXT:     kernel.sweep [5, 9] {
// CHECK-NEXT:       [[A:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       kernel.store [[A]] to 0[d0, d1]
// CHECK-NEXT:       kernel.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     kernel.sweep [2, 3] {
// CHECK-NEXT:       [[I:%.+]] = kernel.load %i[d0, d1] : ui64
// CHECK-NEXT:       [[B:%.+]] = scalar.apply cast([[I]]) : i64
// CHECK-NEXT:       [[U:%.+]] = kernel.load %u[d0, d1] : f32
// CHECK-NEXT:       kernel.scatter [[U]] to 0[d0, [[B]]] max
// CHECK-NEXT:       kernel.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   } : tensor<5x9xf32>
func.func @scatter_elements(%x: tensor<5x9xf32>, %u: tensor<2x3xf32>, %i: tensor<2x3xui64>) -> tensor<5x9xf32> {
  %r = opc.scatter_elements %x, %u, %i {axis = 1, reduction = "max"} : tensor<5x9xf32>, tensor<2x3xf32>, tensor<2x3xui64>
  return %r : tensor<5x9xf32>
}

// Parts of a part go to their places in the whole, and a part that is filled is a scalar.
// CHECK-LABEL: func.func @padded(
// CHECK-NEXT:  opc.constant
// CHECK-NEXT:  kernel.nest [2] {
// CHECK-NEXT:    kernel.sweep [4, 1] {
// CHECK-NEXT:      [[A:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:      kernel.store [[A]] to 0[d0, d1, d2]
// CHECK:         kernel.sweep [1, 5] {
// CHECK-NEXT:      [[B:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:      kernel.store [[B]] to 0[d0, d1, d2 + 1]
// CHECK:         kernel.sweep [3, 5] {
// CHECK-NEXT:      [[C:%.+]] = kernel.load %x[d0, d1, d2] : f32
// CHECK-NEXT:      kernel.store [[C]] to 0[d0, d1 + 1, d2 + 1]
func.func @padded(%x: tensor<2x3x5xf32>) -> tensor<2x4x6xf32> {
  %z = opc.constant dense<0.0> : tensor<f32>
  %t = opc.broadcast %z : tensor<f32> -> tensor<2x1x5xf32>
  %l = opc.broadcast %z : tensor<f32> -> tensor<2x4x1xf32>
  %a = opc.concat %t, %x {axis = 1} : tensor<2x1x5xf32>, tensor<2x3x5xf32> -> tensor<2x4x5xf32>
  %b = opc.concat %l, %a {axis = 2} : tensor<2x4x1xf32>, tensor<2x4x5xf32> -> tensor<2x4x6xf32>
  return %b : tensor<2x4x6xf32>
}

// Totals up to each element are handed on along their axis.
// CHECK-LABEL: func.func @cumulative(
// CHECK-NEXT:  kernel.nest [2, 3, 5] {
// CHECK-NEXT:    [[A:%.+]] = kernel.load %x[d0, d1, d2] : f32
// CHECK-NEXT:    [[B:%.+]] = kernel.prefix sum([[A]]) along d1 exclusive reverse : f32
// CHECK-NEXT:    kernel.store [[B]] to 0[d0, d1, d2]
func.func @cumulative(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %r = opc.cum_sum %x {axis = 1, exclusive = true, reverse = true}
  return %r : tensor<2x3x5xf32>
}
