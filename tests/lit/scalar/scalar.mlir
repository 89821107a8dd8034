// Scalar operations, which stand in the bodies of kernels and loops.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @constant(
// CHECK-NEXT:    scalar.constant 2.500000e+00 : f32
// CHECK-NEXT:    scalar.constant -0.000000e+00 : f64
// CHECK-NEXT:    scalar.constant 0x7f800000 : f32
// CHECK-NEXT:    scalar.constant 0x7fc00000 : f32
// CHECK-NEXT:    scalar.constant 1.500000e+00 : bf16
// CHECK-NEXT:    scalar.constant -128 : i8
// CHECK-NEXT:    scalar.constant 18446744073709551615 : ui64
// CHECK-NEXT:    scalar.constant true
func.func @constant() {
  %half = scalar.constant 2.5 : f32
  %zero = scalar.constant -0.0 : f64
  %infinity = scalar.constant 0x7f800000 : f32
  %nan = scalar.constant 0x7fc00000 : f32
  %small = scalar.constant 1.5 : bf16
  %least = scalar.constant -128 : i8
  %most = scalar.constant 18446744073709551615 : ui64
  %true = scalar.constant true
  return
}

// CHECK-LABEL: func.func @apply(
// CHECK-NEXT:    %s = scalar.apply add(%x, %y) : f32
// CHECK-NEXT:    %t = scalar.apply exp(%s) : f32
// CHECK-NEXT:    %c = scalar.apply lt(%x, %t) : i1
// CHECK-NEXT:    %r = scalar.apply select(%c, %x, %y) : f32
// CHECK-NEXT:    %b = scalar.apply bitcast(%r) : i32
// CHECK-NEXT:    %h = scalar.apply cast(%b) : f16
func.func @apply(%x: f32, %y: f32) -> f16 {
  %s = scalar.apply add(%x, %y) : f32
  %t = scalar.apply exp(%s) : f32
  %c = scalar.apply lt(%x, %t) : i1
  %r = scalar.apply select(%c, %x, %y) : f32
  %b = scalar.apply bitcast(%r) : i32
  %h = scalar.apply cast(%b) : f16
  return %h : f16
}

// CHECK-LABEL: func.func @index(
// CHECK-NEXT:    scalar.index <7> : i64
// CHECK-NEXT:    scalar.index <d0*4 + d1 + N>(%i, %j) : i64
// CHECK-NEXT:    scalar.index <-d0 + floordiv(N, 2)>(%i) : i64
func.func @index(%i: index, %j: index) {
  %a = scalar.index <7> : i64
  %b = scalar.index <N + 4*d0 + d1>(%i, %j) : i64
  %c = scalar.index <floordiv(N, 2) - d0>(%i) : i64
  return
}
