// What is known is evaluated, if that cannot change a bit; what does nothing goes.
// RUN: opc-opt %s -p fold-constants | filecheck %s

// CHECK-LABEL: func.func @evaluated(
// CHECK-NEXT:    %r = opc.constant dense<[5.000000e+00, -5.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    func.return %r
func.func @evaluated() -> tensor<2xf32> {
  %a = opc.constant dense<[1.0, -9.0]> : tensor<2xf32>
  %b = opc.constant dense<4.0> : tensor<f32>
  %r = opc.add %a, %b
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @scalar_row(
// CHECK-NEXT:    opc.constant dense<[true, false]> : tensor<2xi1>
func.func @scalar_row() -> tensor<2xi1> {
  %a = opc.constant dense<[1.0, 0xFFC00000]> : tensor<2xf32>
  %r = opc.apply eq(%a, %a) : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: func.func @integers_wrap(
// CHECK-NEXT:    opc.constant dense<-128> : tensor<i8>
func.func @integers_wrap() -> tensor<i8> {
  %a = opc.constant dense<[127, 1]> : tensor<2xi8>
  %r = opc.reduce_sum %a
  return %r : tensor<i8>
}

// A sum has one order everywhere; the last digit of an exponential is that of compiled code.
// CHECK-LABEL: func.func @sums_are_made_and_exponentials_left(
// CHECK:         opc.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT:    opc.exp
// CHECK-NEXT:    opc.constant dense<1.500000e+00> : tensor<f32>
func.func @sums_are_made_and_exponentials_left() -> (tensor<f32>, tensor<2xf32>, tensor<f32>) {
  %a = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = opc.reduce_sum %a
  %s = opc.exp %a
  %t = opc.reduce_mean %a
  return %r, %s, %t : tensor<f32>, tensor<2xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @greatest_has_no_order(
// CHECK-NEXT:    opc.constant dense<2.000000e+00> : tensor<f32>
func.func @greatest_has_no_order() -> tensor<f32> {
  %a = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = opc.reduce_max %a
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @no_algebra_on_floats(
// CHECK:         opc.add
// CHECK-NEXT:    opc.mul
// CHECK-NEXT:    opc.sub
func.func @no_algebra_on_floats(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = opc.constant dense<0.0> : tensor<f32>
  %one = opc.constant dense<1.0> : tensor<f32>
  %a = opc.add %x, %zero
  %b = opc.mul %a, %one
  %r = opc.sub %b, %b
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @large_stays(
// CHECK-NEXT:    [[A:%.+]] = opc.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast [[A]] : tensor<f32> -> tensor<2xf32>
// CHECK-NEXT:    [[C:%.+]] = opc.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    [[D:%.+]] = opc.broadcast [[C]] : tensor<2xf32> -> tensor<64x2xf32>
func.func @large_stays() -> (tensor<2xf32>, tensor<64x2xf32>) {
  %a = opc.constant dense<1.0> : tensor<f32>
  %b = opc.broadcast %a : tensor<f32> -> tensor<2xf32>
  %c = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = opc.broadcast %c : tensor<2xf32> -> tensor<64x2xf32>
  return %b, %d : tensor<2xf32>, tensor<64x2xf32>
}

// One value as a factor of a contraction is weights like others, unless something else reads it.
// CHECK-LABEL: func.func @weights(
// CHECK-NEXT:    [[A:%.+]] = opc.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    [[B:%.+]] = opc.constant dense<5.000000e-01> : tensor<3x2xf32>
// CHECK-NEXT:    [[C:%.+]] = opc.broadcast [[A]] : tensor<f32> -> tensor<3x2xf32>
// CHECK-NEXT:    {{%.+}} = opc.matmul %x, [[B]]
// CHECK-NEXT:    {{%.+}} = opc.matmul %x, [[C]]
func.func @weights(%x: tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<3x2xf32>) {
  %a = opc.constant dense<5.000000e-01> : tensor<f32>
  %b = opc.broadcast %a : tensor<f32> -> tensor<3x2xf32>
  %c = opc.broadcast %a : tensor<f32> -> tensor<3x2xf32>
  %r = opc.matmul %x, %b
  %s = opc.matmul %x, %c
  return %r, %s, %c : tensor<4x2xf32>, tensor<4x2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @nothing_done(
// CHECK-NEXT:    func.return %x : tensor<2x3xf32>
func.func @nothing_done(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = opc.identity %x
  %b = opc.reshape %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %c = opc.broadcast %b : tensor<2x3xf32> -> tensor<2x3xf32>
  %d = opc.transpose %c {permutation = [0, 1]}
  %e = opc.cast %d : tensor<2x3xf32> -> tensor<2x3xf32>
  %f = opc.transpose %e {permutation = [1, 0]}
  %r = opc.transpose %f {permutation = [1, 0]}
  return %r : tensor<2x3xf32>
}

// Memory does not tell axes of one element apart; others stay where they are.
// CHECK-LABEL: func.func @axes_of_one(
// CHECK-NEXT:    %r = opc.reshape %x : tensor<1x5x1x6xf32> -> tensor<5x6x1x1xf32>
// CHECK-NEXT:    %s = opc.transpose %x {permutation = [3, 0, 1, 2]}
func.func @axes_of_one(%x: tensor<1x5x1x6xf32>) -> (tensor<5x6x1x1xf32>, tensor<6x1x5x1xf32>) {
  %r = opc.transpose %x {permutation = [1, 3, 0, 2]}
  %s = opc.transpose %x {permutation = [3, 0, 1, 2]}
  return %r, %s : tensor<5x6x1x1xf32>, tensor<6x1x5x1xf32>
}

// CHECK-LABEL: func.func @two_become_one(
// CHECK-NEXT:    %r = opc.reshape %x : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK-NEXT:    %s = opc.transpose %y {permutation = [2, 0, 1]}
// CHECK-NEXT:    %t = opc.broadcast %x : tensor<2x3xf32> -> tensor<5x4x2x3xf32>
// CHECK-NEXT:    func.return %r, %s, %t
func.func @two_become_one(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>)
    -> (tensor<3x2xf32>, tensor<4x2x3xf32>, tensor<5x4x2x3xf32>) {
  %a = opc.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
  %r = opc.reshape %a : tensor<6xf32> -> tensor<3x2xf32>
  %b = opc.transpose %y {permutation = [1, 2, 0]}
  %s = opc.transpose %b {permutation = [1, 2, 0]}
  %c = opc.broadcast %x : tensor<2x3xf32> -> tensor<4x2x3xf32>
  %t = opc.broadcast %c : tensor<4x2x3xf32> -> tensor<5x4x2x3xf32>
  return %r, %s, %t : tensor<3x2xf32>, tensor<4x2x3xf32>, tensor<5x4x2x3xf32>
}

// Two unknown extents need not be equal.
// CHECK-LABEL: func.func @unknown_is_not_equal(
// CHECK-NEXT:    opc.reshape
func.func @unknown_is_not_equal(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = opc.reshape %x : tensor<?x?xf32> -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @extent(
// CHECK-NEXT:    opc.constant dense<12> : tensor<i64>
// CHECK-NEXT:    opc.extent <N> : tensor<i64>
func.func @extent(%x: tensor<?xf32, #opc.dims<N>>) -> (tensor<i64>, tensor<i64>) {
  %r = opc.extent <3*4> : tensor<i64>
  %s = opc.extent <N> : tensor<i64>
  return %r, %s : tensor<i64>, tensor<i64>
}

// CHECK-LABEL: func.func @unused(
// CHECK-NEXT:    func.return
func.func @unused(%x: tensor<2xf32>) {
  %a = opc.exp %x
  %b = opc.neg %a
  return
}

// CHECK-LABEL: func.func @twice_is_once(
// CHECK-NEXT:    %a = opc.relu %x
// CHECK-NEXT:    %c = opc.abs %x
// CHECK-NEXT:    func.return %a, %c, %x
func.func @twice_is_once(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = opc.relu %x
  %b = opc.relu %a
  %c = opc.abs %x
  %d = opc.abs %c
  %e = opc.abs %d
  %f = opc.neg %x
  %g = opc.neg %f
  return %b, %e, %g : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What a body of control flow takes is laid out once, also where it is large: here part of a constant
// with rows as columns. Kernels read such where they lie.
// CHECK-LABEL: func.func @handed_over(
// CHECK:         %t = opc.constant #opc.blob<tensor<300x300xf32>
// CHECK-NEXT:    opc.scan @step <4> carry (%h) with (%t)
// CHECK:         %s = opc.transpose
func.func @handed_over(%h: tensor<1x300xf32>) -> (tensor<1x300xf32>, tensor<300x300xf32>) {
  %w = opc.constant dense<1.0> : tensor<301x300xf32>
  %v = opc.slice %w {starts = [1, 0], stops = [301, 300], steps = [1, 1]} : tensor<301x300xf32> -> tensor<300x300xf32>
  %t = opc.transpose %v {permutation = [1, 0]} : tensor<300x300xf32> -> tensor<300x300xf32>
  %r = opc.scan @step <4> carry (%h) with (%t) : (tensor<1x300xf32>, tensor<300x300xf32>) -> (tensor<1x300xf32>)
  %s = opc.transpose %v {permutation = [1, 0]} : tensor<300x300xf32> -> tensor<300x300xf32>
  return %r, %s : tensor<1x300xf32>, tensor<300x300xf32>
}
func.func private @step(%h: tensor<1x300xf32>, %w: tensor<300x300xf32>) -> tensor<1x300xf32> {
  %n = opc.matmul %h, %w : tensor<1x300xf32>, tensor<300x300xf32> -> tensor<1x300xf32>
  return %n : tensor<1x300xf32>
}

// A cache that is scattered to between two transposes stays where it is.
// CHECK-LABEL: func.func @scattered(
// CHECK:         [[U:%.+]] = opc.transpose %u {permutation = [1, 2, 0, 3]}
// CHECK-NEXT:    [[R:%.+]] = opc.scatter %x, [[U]], %i {axes = [2]}
// CHECK-NOT:     opc.transpose
// CHECK:         return [[R]]
func.func @scattered(%x: tensor<1x2x48x4xf32>, %u: tensor<3x1x2x4xf32>, %i: tensor<3xi64>)
    -> tensor<1x2x48x4xf32> {
  %t = opc.transpose %x {permutation = [2, 0, 1, 3]}
  %s = opc.scatter %t, %u, %i {axes = [0]}
  %r = opc.transpose %s {permutation = [1, 2, 0, 3]}
  return %r : tensor<1x2x48x4xf32>
}
