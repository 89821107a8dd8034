// Kernels become one nest where nothing is computed twice that is dear, and nothing too late.
// RUN: opc-opt %s -p fix-orders,form-kernels,fuse-kernels | filecheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply exp([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = kernel.load %y[d0] : f32
// CHECK-NEXT:     [[D:%.+]] = scalar.apply add([[B]], [[C]]) : f32
// CHECK-NEXT:     [[E:%.+]] = scalar.apply neg([[D]]) : f32
// CHECK-NEXT:     kernel.store [[E]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %r
func.func @chain(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = opc.apply exp(%x) : tensor<4xf32> -> tensor<4xf32>
  %b = opc.apply add(%a, %y) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %r = opc.apply neg(%b) : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Movement is only another index.
// CHECK-LABEL: func.func @movement(
// CHECK-NEXT:   %r = kernel.nest [4, 2, 3] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d1*3 + d2] : f32
// CHECK-NEXT:     [[B:%.+]] = kernel.load %y[d2, d1] : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply mul([[A]], [[B]]) : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0, d1, d2]
// CHECK-NEXT:   } : tensor<4x2x3xf32>
// CHECK-NEXT:   func.return %r
func.func @movement(%x: tensor<6xf32>, %y: tensor<3x2xf32>) -> tensor<4x2x3xf32> {
  %a = opc.reshape %x -> tensor<2x3xf32>
  %t = opc.transpose %y {permutation = [1, 0]}
  %b = opc.apply mul(%a, %t) : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %r = opc.broadcast %b -> tensor<4x2x3xf32>
  return %r : tensor<4x2x3xf32>
}

// An inlined kernel is computed behind a reshape that needs a division; memory is read as it lies.
// CHECK-LABEL: func.func @reshape_between(
// CHECK-NEXT:   %r = kernel.nest [3, 2] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[floordiv(d0*2 + d1, 3), mod(d0*2 + d1, 3)] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply abs([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply neg([[B]]) : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<3x2xf32>
// CHECK-NEXT:   func.return %r
func.func @reshape_between(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %a = opc.apply abs(%x) : tensor<2x3xf32> -> tensor<2x3xf32>
  %b = opc.reshape %a -> tensor<3x2xf32>
  %r = opc.apply neg(%b) : tensor<3x2xf32> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @reshape_of_input(
// CHECK-NEXT:   %b = opc.reshape %x : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK-NEXT:   %r = kernel.nest [3, 2] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %b[d0, d1] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply neg([[A]]) : f32
// CHECK-NEXT:     kernel.store [[B]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<3x2xf32>
// CHECK-NEXT:   func.return %r
func.func @reshape_of_input(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %b = opc.reshape %x -> tensor<3x2xf32>
  %r = opc.apply neg(%b) : tensor<3x2xf32> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// A reshape that only adds or drops axes of extent 1 leaves no trace.
// CHECK-LABEL: func.func @unit_axes(
// CHECK-NEXT:   %r = kernel.nest [N, 1] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply neg([[A]]) : f32
// CHECK-NEXT:     kernel.store [[B]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<?x1xf32, #opc.dims<N, 1>>
// CHECK-NEXT:   func.return %r
func.func @unit_axes(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<?x1xf32, #opc.dims<N, 1>> {
  %a = opc.reshape %x -> tensor<?x1xf32, #opc.dims<N, 1>>
  %r = opc.apply neg(%a) : tensor<?x1xf32, #opc.dims<N, 1>> -> tensor<?x1xf32, #opc.dims<N, 1>>
  return %r : tensor<?x1xf32, #opc.dims<N, 1>>
}

// CHECK-LABEL: func.func @into_reduction(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [8] lanes 64 (sum) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       [[C:%.+]] = scalar.apply mul([[B]], [[B]]) : f32
// CHECK-NEXT:       kernel.yield [[C]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %r
func.func @into_reduction(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %a = opc.apply mul(%x, %x) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %r = opc.reduce_sum %a {axes = [1]}
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @behind_reduction(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [8] lanes 64 (sum) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       kernel.yield [[B]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply sqrt([[A]]) : f32
// CHECK-NEXT:     [[D:%.+]] = kernel.load %y[d0] : f32
// CHECK-NEXT:     [[E:%.+]] = scalar.apply sub([[C]], [[D]]) : f32
// CHECK-NEXT:     kernel.store [[E]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %r
func.func @behind_reduction(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = opc.reduce_sum %x {axes = [1]}
  %b = opc.apply sqrt(%a) : tensor<4xf32> -> tensor<4xf32>
  %r = opc.apply sub(%b, %y) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The row is swept again once its sum is known.
// CHECK-LABEL: func.func @row_behind_reduction(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [8] lanes 64 (sum) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       kernel.yield [[B]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.sweep [8] {
// CHECK-NEXT:       [[C:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       [[D:%.+]] = scalar.apply sub([[C]], [[A]]) : f32
// CHECK-NEXT:       kernel.store [[D]] to 0[d0, d1]
// CHECK-NEXT:       kernel.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK-NEXT:   func.return %r
func.func @row_behind_reduction(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = opc.reduce_sum %x {axes = [1]}
  %b = opc.reshape %a -> tensor<4x1xf32>
  %c = opc.broadcast %b -> tensor<4x8xf32>
  %r = opc.apply sub(%x, %c) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Three sweeps under one nest; exp is computed once and its row is kept.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [8] (max) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       kernel.yield [[B]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     [[C:%.+]], [[D:%.+]] = kernel.sweep [8] lanes 64 (keep to 0[d0, d1], sum) {
// CHECK-NEXT:       [[E:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       [[F:%.+]] = scalar.apply sub([[E]], [[A]]) : f32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply exp([[F]]) : f32
// CHECK-NEXT:       kernel.yield [[G]], [[G]]
// CHECK-NEXT:     } : tensor<8xf32>, f32
// CHECK-NEXT:     kernel.sweep [8] {
// CHECK-NEXT:       [[H:%.+]] = kernel.load [[C]][d1] : f32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply div([[H]], [[D]]) : f32
// CHECK-NEXT:       kernel.store [[I]] to 0[d0, d1]
// CHECK-NEXT:       kernel.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK-NEXT:   func.return %r
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = opc.reduce_max %x {axes = [1]}
  %m1 = opc.reshape %m -> tensor<4x1xf32>
  %m2 = opc.broadcast %m1 -> tensor<4x8xf32>
  %c = opc.apply sub(%x, %m2) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %e = opc.apply exp(%c) : tensor<4x8xf32> -> tensor<4x8xf32>
  %s = opc.reduce_sum %e {axes = [1]}
  %s1 = opc.reshape %s -> tensor<4x1xf32>
  %s2 = opc.broadcast %s1 -> tensor<4x8xf32>
  %r = opc.apply div(%e, %s2) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// A row of unknown length is kept all the same: in the output, where it is overwritten in place.
// CHECK-LABEL: func.func @softmax_symbolic(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]], [[B:%.+]] = kernel.sweep [N] lanes 64 (keep to 0[d0, d1], sum) {
// CHECK:       [[C:%.+]] = scalar.apply exp([[D:%.+]]) : f32
// CHECK-NEXT:       kernel.yield [[C]], [[C]]
// CHECK:     kernel.sweep [N] {
// CHECK-NEXT:       [[E:%.+]] = kernel.load [[A]][d1] : f32
// CHECK-NEXT:       [[F:%.+]] = scalar.apply div([[E]], [[B]]) : f32
// CHECK-NEXT:       kernel.store [[F]] to 0[d0, d1]
func.func @softmax_symbolic(%x: tensor<4x?xf32, #opc.dims<4, N>>) -> tensor<4x?xf32, #opc.dims<4, N>> {
  %e = opc.apply exp(%x) : tensor<4x?xf32, #opc.dims<4, N>> -> tensor<4x?xf32, #opc.dims<4, N>>
  %s = opc.reduce_sum %e {axes = [1]}
  %s1 = opc.reshape %s -> tensor<4x1xf32>
  %s2 = opc.broadcast %s1 -> tensor<4x?xf32, #opc.dims<4, N>>
  %r = opc.apply div(%e, %s2) : tensor<4x?xf32, #opc.dims<4, N>>, tensor<4x?xf32, #opc.dims<4, N>> -> tensor<4x?xf32, #opc.dims<4, N>>
  return %r : tensor<4x?xf32, #opc.dims<4, N>>
}

// Reductions of the same data share a sweep.
// CHECK-LABEL: func.func @siblings(
// CHECK-NEXT:   %r, %s = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]], [[B:%.+]] = kernel.sweep [8] (max, min) {
// CHECK-NEXT:       [[C:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       kernel.yield [[C]], [[C]]
// CHECK-NEXT:     } : f32, f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0]
// CHECK-NEXT:     kernel.store [[B]] to 1[d0]
// CHECK-NEXT:   } : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:   func.return %r, %s
func.func @siblings(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = opc.reduce_max %x {axes = [1]}
  %s = opc.reduce_min %x {axes = [1]}
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// What is dear and used twice is computed once, and kept in a scalar while its point lasts.
// CHECK-LABEL: func.func @used_twice(
// CHECK-NEXT:   %r, %s = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply exp([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply neg([[B]]) : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0]
// CHECK-NEXT:     [[D:%.+]] = scalar.apply abs([[B]]) : f32
// CHECK-NEXT:     kernel.store [[D]] to 1[d0]
// CHECK-NEXT:   } : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:   func.return %r, %s
func.func @used_twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = opc.apply exp(%x) : tensor<4xf32> -> tensor<4xf32>
  %r = opc.apply neg(%e) : tensor<4xf32> -> tensor<4xf32>
  %s = opc.apply abs(%e) : tensor<4xf32> -> tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// What does not change in a sweep is computed before it.
// CHECK-LABEL: func.func @invariant(
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %y[d0] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply exp([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = kernel.sweep [8] lanes 64 (sum) {
// CHECK-NEXT:       [[D:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       [[E:%.+]] = scalar.apply mul([[D]], [[B]]) : f32
// CHECK-NEXT:       kernel.yield [[E]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %r
func.func @invariant(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = opc.apply exp(%y) : tensor<4xf32> -> tensor<4xf32>
  %a = opc.reshape %e -> tensor<4x1xf32>
  %b = opc.broadcast %a -> tensor<4x8xf32>
  %c = opc.apply mul(%x, %b) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %r = opc.reduce_sum %c {axes = [1]}
  return %r : tensor<4xf32>
}

// What a matmul reads is computed where it is laid out, once for each element; what follows it
// point by point is computed with it.
// CHECK-LABEL: func.func @matmul_operand(
// CHECK-NEXT:   %r = kernel.nest [4, 4] {
// CHECK-NEXT:     [[C:%.+]] = kernel.sweep [8] (dot) {
// CHECK-NEXT:       [[D:%.+]] = kernel.load %x[d0, d2] : f32
// CHECK-NEXT:       [[A:%.+]] = scalar.apply neg([[D]]) : f32
// CHECK-NEXT:       [[E:%.+]] = kernel.load %y[d2, d1] : f32
// CHECK-NEXT:       [[F:%.+]] = scalar.apply mul([[A]], [[E]]) : f32
// CHECK-NEXT:       kernel.yield [[F]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     [[G:%.+]] = scalar.apply exp([[C]]) : f32
// CHECK-NEXT:     kernel.store [[G]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<4x4xf32>
// CHECK-NEXT:   func.return %r
func.func @matmul_operand(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %a = opc.apply neg(%x) : tensor<4x8xf32> -> tensor<4x8xf32>
  %p = opc.matmul %a, %y
  %r = opc.apply exp(%p) : tensor<4x4xf32> -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// What several nests read is computed once, with the matmul: a residual block and its branch.
// CHECK-LABEL: func.func @matmul_residual(
// CHECK-NEXT:   %s = kernel.nest [4, 4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [4] (dot) {
// CHECK:          [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply add([[A]], [[B]]) : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<4x4xf32>
// CHECK-NEXT:   %r = kernel.nest [4, 4] {
// CHECK-NEXT:     [[D:%.+]] = kernel.sweep [4] (dot) {
// CHECK-NEXT:       [[E:%.+]] = kernel.load %s[d0, d2] : f32
// CHECK:          [[F:%.+]] = kernel.load %s[d0, d1] : f32
// CHECK-NEXT:     [[G:%.+]] = scalar.apply add([[D]], [[F]]) : f32
// CHECK-NEXT:     kernel.store [[G]] to 0[d0, d1]
func.func @matmul_residual(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p = opc.matmul %x, %y
  %s = opc.apply add(%p, %x) : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %q = opc.matmul %s, %y
  %r = opc.apply add(%q, %s) : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// What goes on with the sum that two kernels read stays with the first matmul: s * abs(s).
// CHECK-LABEL: func.func @matmul_goes_on(
// CHECK-NEXT:   %t = kernel.nest [4, 4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [4] (dot) {
// CHECK:          [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply add([[A]], [[B]]) : f32
// CHECK-NEXT:     [[D:%.+]] = scalar.apply abs([[C]]) : f32
// CHECK-NEXT:     [[E:%.+]] = scalar.apply mul([[C]], [[D]]) : f32
// CHECK-NEXT:     kernel.store [[E]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<4x4xf32>
// CHECK-NEXT:   %q = kernel.nest [4, 4] {
func.func @matmul_goes_on(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p = opc.matmul %x, %y
  %s = opc.apply add(%p, %x) : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %a = opc.apply abs(%s) : tensor<4x4xf32> -> tensor<4x4xf32>
  %t = opc.apply mul(%s, %a) : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %q = opc.matmul %t, %y
  return %q : tensor<4x4xf32>
}

// A matmul is computed alone: what reduces its result is a nest of its own.
// CHECK-LABEL: func.func @matmul_reduced(
// CHECK-NEXT:   %p = kernel.nest [4, 4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [8] (dot) {
// CHECK:          kernel.store [[A]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<4x4xf32>
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[B:%.+]] = kernel.sweep [4] (max) {
func.func @matmul_reduced(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<4xf32> {
  %p = opc.matmul %x, %y
  %r = opc.reduce_max %p {axes = [1]}
  return %r : tensor<4xf32>
}

// What reads the reduced value belongs behind the nest that reads %c, which needs %b: three nests.
// CHECK-LABEL: func.func @cycle(
// CHECK-NEXT:   %a = kernel.nest [4] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [8] lanes 64 (sum) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       kernel.yield [[B]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   %c = kernel.nest [8] {
// CHECK-NEXT:     [[C:%.+]] = kernel.sweep [4] (max) {
// CHECK-NEXT:       [[D:%.+]] = kernel.load %x[d1, d0] : f32
// CHECK-NEXT:       [[E:%.+]] = kernel.load %a[d1] : f32
// CHECK-NEXT:       [[F:%.+]] = scalar.apply mul([[D]], [[E]]) : f32
// CHECK-NEXT:       kernel.yield [[F]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0]
// CHECK-NEXT:   } : tensor<8xf32>
// CHECK-NEXT:   %f = kernel.nest [4] {
// CHECK-NEXT:     [[G:%.+]] = kernel.sweep [8] lanes 64 (sum) {
// CHECK-NEXT:       [[H:%.+]] = kernel.load %c[d1] : f32
// CHECK-NEXT:       [[I:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply mul([[H]], [[I]]) : f32
// CHECK-NEXT:       kernel.yield [[J]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     [[K:%.+]] = kernel.load %a[d0] : f32
// CHECK-NEXT:     [[L:%.+]] = scalar.apply add([[K]], [[G]]) : f32
// CHECK-NEXT:     kernel.store [[L]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %c, %f
func.func @cycle(%x: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %a = opc.reduce_sum %x {axes = [1]}
  %a1 = opc.reshape %a -> tensor<4x1xf32>
  %a2 = opc.broadcast %a1 -> tensor<4x8xf32>
  %b = opc.apply mul(%x, %a2) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %c = opc.reduce_max %b {axes = [0]}
  %c1 = opc.broadcast %c -> tensor<4x8xf32>
  %d = opc.apply mul(%c1, %x) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %e = opc.reduce_sum %d {axes = [1]}
  %f = opc.apply add(%a, %e) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %c, %f : tensor<8xf32>, tensor<4xf32>
}

// All points of the map need the whole reduction: two nests.
// CHECK-LABEL: func.func @full_reduction(
// CHECK-NEXT:   %a = kernel.nest [] {
// CHECK-NEXT:     [[A:%.+]] = kernel.sweep [4] lanes 64 (sum) {
// CHECK-NEXT:       [[B:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:       kernel.yield [[B]]
// CHECK-NEXT:     } : f32
// CHECK-NEXT:     kernel.store [[A]] to 0[]
// CHECK-NEXT:   } : tensor<f32>
// CHECK-NEXT:   %r = kernel.nest [4] {
// CHECK-NEXT:     [[C:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     [[D:%.+]] = kernel.load %a[] : f32
// CHECK-NEXT:     [[E:%.+]] = scalar.apply div([[C]], [[D]]) : f32
// CHECK-NEXT:     kernel.store [[E]] to 0[d0]
// CHECK-NEXT:   } : tensor<4xf32>
// CHECK-NEXT:   func.return %r
func.func @full_reduction(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = opc.reduce_sum %x {axes = [0]}
  %b = opc.broadcast %a -> tensor<4xf32>
  %r = opc.apply div(%x, %b) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// What nothing uses disappears.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT:   func.return %x
func.func @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = opc.apply exp(%x) : tensor<4xf32> -> tensor<4xf32>
  %b = opc.reshape %a -> tensor<2x2xf32>
  return %x : tensor<4xf32>
}

// Channels of a group share a sum: only the index of the group is divided, and by one dimension.
// CHECK-LABEL: func.func @groups(
// CHECK:         %t = kernel.nest [2, 32, 49] {
// CHECK-NEXT:      [[X:%.+]] = kernel.load %x[d0, d1, d2] : f32
// CHECK-NEXT:      [[M:%.+]] = kernel.load %m[d0, floordiv(d1, 8), 0] : f32
func.func @groups(%x: tensor<2x32x49xf32>) -> tensor<2x32x49xf32> {
  %g = opc.reshape %x -> tensor<2x4x392xf32>
  %s = opc.reduce_sum %g {axes = [2]}
  %m = opc.reshape %s -> tensor<2x4x1xf32>
  %b = opc.broadcast %m -> tensor<2x4x392xf32>
  %d = opc.apply sub(%g, %b) : tensor<2x4x392xf32>, tensor<2x4x392xf32> -> tensor<2x4x392xf32>
  %r = opc.reshape %d -> tensor<2x32x49xf32>
  %t = opc.apply mul(%r, %x) : tensor<2x32x49xf32>, tensor<2x32x49xf32> -> tensor<2x32x49xf32>
  return %t : tensor<2x32x49xf32>
}

// A place is in the numbering of the sweep that keeps, whatever the rank of what overwrites it.
// CHECK-LABEL: func.func @kept_for_a_higher_rank(
// CHECK:          {{%.+}} = kernel.sweep [2] (keep to 1[0, d1, d0], max) {
// CHECK:          kernel.sweep [1, 2] {
// CHECK-NEXT:       {{%.+}} = kernel.load {{%.+}}[d2] : f32
// CHECK:            kernel.store {{%.+}} to 1[d1, d2, d0]
func.func @kept_for_a_higher_rank(%x: tensor<2x200xf32>)
    -> (tensor<1x2x200xf32>, tensor<200xf32>) {
  %a = opc.apply acosh(%x) : tensor<2x200xf32> -> tensor<2x200xf32>
  %m = opc.reduce_max %a {axes = [0]}
  %b = opc.reshape %a -> tensor<1x2x200xf32>
  %c = opc.reshape %x -> tensor<1x2x200xf32>
  %r = opc.apply max(%b, %c)
    : tensor<1x2x200xf32>, tensor<1x2x200xf32> -> tensor<1x2x200xf32>
  return %r, %m : tensor<1x2x200xf32>, tensor<200xf32>
}

// Where the value is written itself, any element of it may be loaded later.
// CHECK-LABEL: func.func @kept_and_transposed(
// CHECK:          {{%.+}} = kernel.sweep [3, 4] (keep to 0[d1, d2, d0], max) {
// CHECK:          kernel.sweep [4, 3] {
// CHECK-NEXT:       {{%.+}} = kernel.load {{%.+}}[d2, d1] : f32
// CHECK:            kernel.store {{%.+}} to 1[d1, d2, d0]
func.func @kept_and_transposed(%x: tensor<3x4x2xf32>)
    -> (tensor<3x4x2xf32>, tensor<4x3x2xf32>) {
  %a = opc.apply acosh(%x) : tensor<3x4x2xf32> -> tensor<3x4x2xf32>
  %m = opc.reduce_max %a {axes = [0, 1]}
  %n = opc.reshape %m -> tensor<1x1x2xf32>
  %b = opc.broadcast %n -> tensor<4x3x2xf32>
  %t = opc.transpose %a {permutation = [1, 0, 2]}
  %r = opc.apply div(%t, %b) : tensor<4x3x2xf32>, tensor<4x3x2xf32> -> tensor<4x3x2xf32>
  return %a, %r : tensor<3x4x2xf32>, tensor<4x3x2xf32>
}

// What is checked stays in front of what is read at it, also where nothing else orders the two.
// CHECK-LABEL: func.func @checks_come_first(
// CHECK-NEXT:    opc.require_range %i
// CHECK-NEXT:    opc.require_range %j
// CHECK-NEXT:    {{%.+}} = kernel.nest
// CHECK:         kernel.gather
// CHECK:         kernel.nest
// CHECK:         kernel.gather
func.func @checks_come_first(%x: tensor<9xf32>, %i: tensor<3xi64>, %j: tensor<4xi64>) -> (tensor<3xf32>, tensor<4xf32>) {
  opc.require_range %i from <-9> to <8> "outside" : tensor<3xi64>
  %r = opc.gather %x, %i {axes = [0]} : tensor<9xf32>, tensor<3xi64> -> tensor<3xf32>
  opc.require_range %j from <-9> to <8> "outside" : tensor<4xi64>
  %s = opc.gather %x, %j {axes = [0]} : tensor<9xf32>, tensor<4xi64> -> tensor<4xf32>
  return %r, %s : tensor<3xf32>, tensor<4xf32>
}

// What is computed from each sum of a contraction is computed there, not where the next one reads it.
// CHECK-LABEL: func.func @between_contractions(
// CHECK:         %a = kernel.nest [8, 4] {
// CHECK:           kernel.sweep [16] (dot) {
// CHECK:           scalar.apply gelu
// CHECK:           kernel.store
// CHECK:         kernel.nest [8, 2] {
// CHECK-NOT:       gelu
func.func @between_contractions(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %u: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %s = opc.matmul %x, %w : tensor<8x16xf32>, tensor<16x4xf32> -> tensor<8x4xf32>
  %a = opc.apply gelu(%s) : tensor<8x4xf32> -> tensor<8x4xf32>
  %y = opc.matmul %a, %u : tensor<8x4xf32>, tensor<4x2xf32> -> tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}

// Functions that want vectors are not computed in the panels of a contraction.
// CHECK-LABEL: func.func @function_in_front(
// CHECK:       [[E:%.+]] = kernel.nest [64, 100]
// CHECK:         scalar.apply exp(
// CHECK:       kernel.nest [64, 30] {
// CHECK-NEXT:    kernel.sweep [100] (dot) {
// CHECK-NEXT:      kernel.load [[E]][d0, d2] : f32
func.func @function_in_front(%x: tensor<64x100xf32>, %w: tensor<100x30xf32>) -> tensor<64x30xf32> {
  %e = opc.apply exp(%x) : tensor<64x100xf32> -> tensor<64x100xf32>
  %r = opc.matmul %e, %w : tensor<64x100xf32>, tensor<100x30xf32> -> tensor<64x30xf32>
  return %r : tensor<64x30xf32>
}

// What is quantized is stored, in fewer bytes, for contractions of integers to read where it lies.
// CHECK-LABEL: func.func @quantized(
// CHECK-NEXT:    [[Q:%.+]] = kernel.nest [3, 4] {
// CHECK:         } : tensor<3x4xui8>
// CHECK-NEXT:    %r = kernel.nest [3, 2] {
// CHECK-NEXT:      kernel.sweep [4] (dot) {
// CHECK-NEXT:        kernel.load [[Q]][d0, d2] : ui8
func.func @quantized(%x: tensor<3x4xf32>, %w: tensor<4x2xi32>) -> tensor<3x2xi32> {
  %a = opc.apply round(%x) : tensor<3x4xf32> -> tensor<3x4xf32>
  %q = opc.cast %a : tensor<3x4xf32> -> tensor<3x4xui8>
  %i = opc.cast %q : tensor<3x4xui8> -> tensor<3x4xi32>
  %r = opc.matmul %i, %w : tensor<3x4xi32>, tensor<4x2xi32> -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// What is computed again in a nest reads what that computes, also behind a reshape and at an index
// that has a division.
// CHECK-LABEL: func.func @computed_again(
// CHECK-NEXT:    %p, %m = kernel.nest [1, 7, 8] {
// CHECK-NEXT:      [[P:%.+]] = kernel.sweep [2] (keep to 0[d0, d3, d1, d2]) {
// CHECK:           kernel.sweep [4] {
// CHECK-NEXT:        [[A:%.+]] = kernel.load [[P]][floordiv(d3, 2)] : f32
// CHECK-NEXT:        [[B:%.+]] = scalar.apply tanh([[A]]) : f32
// CHECK-NEXT:        [[C:%.+]] = scalar.apply exp([[B]]) : f32
// CHECK-NEXT:        kernel.store [[C]] to 1[d0, d3, d1, d2]
func.func @computed_again(%x: tensor<1x2x7x8xf32>) -> (tensor<1x2x7x8xf32>, tensor<1x4x7x8xf32>) {
  %p = opc.apply exp(%x) : tensor<1x2x7x8xf32> -> tensor<1x2x7x8xf32>
  %u = opc.reshape %p : tensor<1x2x7x8xf32> -> tensor<1x2x1x7x8xf32>
  %n = opc.apply tanh(%u) : tensor<1x2x1x7x8xf32> -> tensor<1x2x1x7x8xf32>
  %b = opc.broadcast %n : tensor<1x2x1x7x8xf32> -> tensor<1x2x2x7x8xf32>
  %r = opc.reshape %b : tensor<1x2x2x7x8xf32> -> tensor<1x4x7x8xf32>
  %m = opc.apply exp(%r) : tensor<1x4x7x8xf32> -> tensor<1x4x7x8xf32>
  return %p, %m : tensor<1x2x7x8xf32>, tensor<1x4x7x8xf32>
}

// What several read through divided indices is computed once, in order.
// CHECK-LABEL: func.func @shuffled(
// CHECK:         kernel.load %x[mod(
// CHECK-NOT:     kernel.load %x
// CHECK:         scalar.apply exp(
func.func @shuffled(%x: tensor<2x3x4x2xf32>, %z: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %t = opc.transpose %x {permutation = [1, 3, 2, 0]} : tensor<2x3x4x2xf32> -> tensor<3x2x4x2xf32>
  %s = opc.reshape %t : tensor<3x2x4x2xf32> -> tensor<6x8xf32>
  %a = opc.apply add(%s, %z) : tensor<6x8xf32>, tensor<6x8xf32> -> tensor<6x8xf32>
  %m = opc.reduce_max %a {axes = [0], keepdims = true} : tensor<6x8xf32> -> tensor<1x8xf32>
  %b = opc.broadcast %m : tensor<1x8xf32> -> tensor<6x8xf32>
  %d = opc.apply sub(%a, %b) : tensor<6x8xf32>, tensor<6x8xf32> -> tensor<6x8xf32>
  %e = opc.apply exp(%d) : tensor<6x8xf32> -> tensor<6x8xf32>
  return %e : tensor<6x8xf32>
}

// What is computed stays in memory where a reshape would divide its index by an unknown extent, and
// is read there without a division.
// CHECK-LABEL: func.func @reduced_behind_a_reshape(
// CHECK:         [[A:%.+]] = kernel.nest [4, H, W] {
// CHECK:         [[B:%.+]] = opc.reshape [[A]]
// CHECK-NEXT:    kernel.nest [] {
// CHECK-NEXT:      kernel.sweep [H*W*4] lanes 64 (sum) {
// CHECK-NEXT:        kernel.load [[B]][d0] : f32
func.func @reduced_behind_a_reshape(%x: tensor<4x?x?xf32, #opc.dims<4, H, W>>) -> tensor<f32> {
  %e = opc.apply exp(%x) : tensor<4x?x?xf32, #opc.dims<4, H, W>> -> tensor<4x?x?xf32, #opc.dims<4, H, W>>
  %r = opc.reshape %e : tensor<4x?x?xf32, #opc.dims<4, H, W>> -> tensor<?xf32, #opc.dims<H*W*4>>
  %s = opc.reduce_sum %r {axes = [0]} : tensor<?xf32, #opc.dims<H*W*4>> -> tensor<f32>
  return %s : tensor<f32>
}

// What is computed of each value before and of each total after joins the totals.
// CHECK-LABEL: func.func @totals(
// CHECK-NEXT:   %r = kernel.nest [4, 8] {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply abs([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = kernel.prefix sum([[B]]) along d1 : f32
// CHECK-NEXT:     [[D:%.+]] = kernel.load %b[d0, 0] : f32
// CHECK-NEXT:     [[E:%.+]] = scalar.apply mul([[C]], [[D]]) : f32
// CHECK-NEXT:     kernel.store [[E]] to 0[d0, d1]
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK-NEXT:   func.return %r
func.func @totals(%x: tensor<4x8xf32>, %b: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %a = opc.apply abs(%x) : tensor<4x8xf32> -> tensor<4x8xf32>
  %s = opc.cum_sum %a {axis = 1}
  %c = opc.broadcast %b : tensor<4x1xf32> -> tensor<4x8xf32>
  %r = opc.apply mul(%s, %c) : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Totals of totals go along with them, but not those along another axis or the other way round.
// CHECK-LABEL: func.func @totals_of_totals(
// CHECK-NEXT:   [[R:%.+]] = kernel.nest [4, 8] {
// CHECK:          kernel.prefix sum({{%.+}}) along d1 : f32
// CHECK-NEXT:     kernel.prefix prod({{%.+}}) along d1 exclusive : f32
// CHECK-NEXT:     kernel.store
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK-NEXT:   [[S:%.+]] = kernel.nest [4, 8] {
// CHECK:          kernel.prefix sum({{%.+}}) along d1 reverse : f32
// CHECK-NEXT:     kernel.store
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK-NEXT:   [[T:%.+]] = kernel.nest [4, 8] {
// CHECK:          kernel.prefix sum({{%.+}}) along d0 reverse : f32
func.func @totals_of_totals(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = opc.cum_sum %x {axis = 1}
  %b = opc.cum_prod %a {axis = 1, exclusive = true}
  %c = opc.cum_sum %b {axis = 1, reverse = true}
  %r = opc.cum_sum %c {axis = 0, reverse = true}
  return %r : tensor<4x8xf32>
}

// Functions want vectors, which rows of totals have none of; totals down columns do.
// CHECK-LABEL: func.func @totals_of_functions(
// CHECK:        scalar.apply exp
// CHECK-NEXT:   kernel.store
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK:        kernel.prefix sum({{%.+}}) along d1 : f32
// CHECK-NEXT:   kernel.store
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK:        scalar.apply exp
// CHECK-NEXT:   kernel.prefix sum({{%.+}}) along d0 : f32
func.func @totals_of_functions(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = opc.apply exp(%x) : tensor<4x8xf32> -> tensor<4x8xf32>
  %b = opc.cum_sum %a {axis = 1}
  %c = opc.apply exp(%b) : tensor<4x8xf32> -> tensor<4x8xf32>
  %r = opc.cum_sum %c {axis = 0}
  return %r : tensor<4x8xf32>
}

// A transpose is no part of it: it goes in tiles.
// CHECK-LABEL: func.func @transposed_totals(
// CHECK:        kernel.prefix sum({{%.+}}) along d1 : f32
// CHECK-NEXT:   kernel.store {{%.+}} to 0[d0, d1]
// CHECK-NEXT:   } : tensor<4x8xf32>
// CHECK-NEXT:   kernel.nest [8, 4] {
func.func @transposed_totals(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %a = opc.cum_sum %x {axis = 1}
  %r = opc.transpose %a {permutation = [1, 0]}
  return %r : tensor<8x4xf32>
}

// Where there is nothing to read nothing is loaded, for a load could move out of the sweep.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     kernel.load
func.func @nothing(%x: tensor<?x0xf32, #opc.dims<N, 0>>) -> tensor<?xf32, #opc.dims<N>> {
  %e = opc.apply exp(%x) : tensor<?x0xf32, #opc.dims<N, 0>> -> tensor<?x0xf32, #opc.dims<N, 0>>
  %r = opc.reduce_sum %e {axes = [1], keepdims = false}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Nor where a source has elements, but no window fits into it.
// CHECK-LABEL: func.func @no_window(
// CHECK-NOT:     kernel.load
// CHECK:         kernel.sweep [255, 0] (min) {
// CHECK-NOT:     kernel.load
func.func @no_window(%x: tensor<255x1xf32>) -> tensor<2xf32> {
  %w = opc.windows %x {sizes = [2], strides = [3], dilations = [1]} : tensor<255x1xf32> -> tensor<255x0x2xf32>
  %r = opc.reduce_min %w {axes = [0, 1], keepdims = false}
  return %r : tensor<2xf32>
}
