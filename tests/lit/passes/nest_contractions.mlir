// Sums of integers of each block are computed where a contraction of floats adds them up.
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,nest-contractions' | filecheck %s

// CHECK-LABEL: func.func @blocks(
// CHECK:         kernel.nest [3, 4, 1] {
// CHECK-NEXT:    kernel.sweep [2] (dot) {
// CHECK-NEXT:    [[I:%.+]] = kernel.sweep [16] (dot) {
// CHECK:         kernel.load %x[d0, d3*16 + d4] : i8
// CHECK:         kernel.load {{.+}}[d3, d4, d1] : i8
// CHECK:         } : i32
// CHECK-NEXT:    [[F:%.+]] = scalar.apply cast([[I]]) : f32
// CHECK-NEXT:    [[A:%.+]] = kernel.load %c[d3, 0, d1] : f32
// CHECK-NEXT:    [[B:%.+]] = scalar.apply mul([[F]], [[A]]) : f32
// CHECK-NEXT:    [[C:%.+]] = kernel.load %s[d0, d3, d2] : f32
// CHECK-NEXT:    [[D:%.+]] = scalar.apply mul([[B]], [[C]]) : f32
// CHECK-NEXT:    kernel.yield [[D]]
func.func @blocks(%x: tensor<3x32xi8>, %w: tensor<2x16x4xi8>, %s: tensor<3x2x1xf32>,
                  %c: tensor<2x1x4xf32>) -> tensor<3x4x1xf32> {
  %b = opc.reshape %x : tensor<3x32xi8> -> tensor<3x2x16xi8>
  %t = opc.transpose %b {permutation = [1, 0, 2]}
  %i = opc.cast %t : tensor<2x3x16xi8> -> tensor<2x3x16xi32>
  %j = opc.cast %w : tensor<2x16x4xi8> -> tensor<2x16x4xi32>
  %p = opc.matmul %i, %j
  %f = opc.cast %p : tensor<2x3x4xi32> -> tensor<2x3x4xf32>
  %g = opc.mul %f, %c : tensor<2x3x4xf32>, tensor<2x1x4xf32> -> tensor<2x3x4xf32>
  %h = opc.transpose %g {permutation = [1, 2, 0]}
  %r = opc.matmul %h, %s
  return %r : tensor<3x4x1xf32>
}

// -----

// Integers whose blocks do not follow one another stay apart.
// CHECK-LABEL: func.func @apart(
// CHECK:         kernel.nest [2, 3, 4] {
// CHECK:         kernel.nest [3, 4, 1] {
func.func @apart(%x: tensor<2x3x16xi8>, %w: tensor<2x16x4xi8>, %s: tensor<3x2x1xf32>)
    -> tensor<3x4x1xf32> {
  %i = opc.cast %x : tensor<2x3x16xi8> -> tensor<2x3x16xi32>
  %j = opc.cast %w : tensor<2x16x4xi8> -> tensor<2x16x4xi32>
  %p = opc.matmul %i, %j
  %f = opc.cast %p : tensor<2x3x4xi32> -> tensor<2x3x4xf32>
  %h = opc.transpose %f {permutation = [1, 2, 0]}
  %r = opc.matmul %h, %s
  return %r : tensor<3x4x1xf32>
}
