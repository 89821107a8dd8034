// Contractions read the matrices of a constant that indices choose.
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,pick-matrices' | filecheck %s

// CHECK-LABEL: func.func @chosen(
// CHECK-NOT:     kernel.gather
// CHECK:         kernel.nest [2, 1, 4, 3] {
// CHECK-NEXT:    kernel.pick d3 = %i[d0]
// CHECK-NEXT:    kernel.sweep [2] (dot) {
// CHECK-NEXT:    kernel.load %x[d0, d1, d4] : f32
// CHECK-NEXT:    kernel.load {{.+}}[d3, d2, d4] : f32
// CHECK:         kernel.load {{.+}}[d3, d1, d2] : f32
// CHECK:         kernel.store {{.+}} to 0[d0, d1, d2]
func.func @chosen(%x: tensor<2x1x2xf32>, %i: tensor<2xi64>) -> tensor<2x1x4xf32> {
  %w = opc.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]],
                           [[2.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]],
                           [[3.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]]> : tensor<3x4x2xf32>
  %b = opc.constant dense<[[[1.0, 2.0, 3.0, 4.0]], [[2.0, 2.0, 3.0, 4.0]],
                           [[3.0, 2.0, 3.0, 4.0]]]> : tensor<3x1x4xf32>
  %g = opc.gather %w, %i {axes = [0], from_end = false}
  %t = opc.transpose %g {permutation = [0, 2, 1]}
  %p = opc.matmul %x, %t
  %c = opc.gather %b, %i {axes = [0], from_end = false}
  %y = opc.add %p, %c
  return %y : tensor<2x1x4xf32>
}

// -----

// An index that is computed has a nest of its own, one for all that it chooses.
// CHECK-LABEL: func.func @computed(
// CHECK:         [[I:%.+]] = kernel.nest [2] {
// CHECK:         scalar.apply select
// CHECK-NOT:     kernel.gather
// CHECK:         kernel.nest [2, 1, 4, 3] {
// CHECK-NEXT:    kernel.pick d3 = [[I]][d0]
// CHECK-NEXT:    kernel.load {{.+}}[d3, 0, d2] : f32
// CHECK:         kernel.load {{.+}}[d3, d4, d2] : i8
func.func @computed(%x: tensor<2x1x2xf32>, %i: tensor<2xi32>) -> tensor<2x1x4xf32> {
  %w = opc.constant dense<[[[1, 2, 3, 4], [5, 6, 7, 8]], [[2, 2, 3, 4], [5, 6, 7, 8]],
                           [[3, 2, 3, 4], [5, 6, 7, 8]]]> : tensor<3x2x4xi8>
  %s = opc.constant dense<[[[1.0, 2.0, 3.0, 4.0]], [[2.0, 2.0, 3.0, 4.0]],
                           [[3.0, 2.0, 3.0, 4.0]]]> : tensor<3x1x4xf32>
  %g = opc.gather %w, %i {axes = [0], from_end = true}
  %h = opc.gather %s, %i {axes = [0], from_end = true}
  %f = opc.cast %g : tensor<2x2x4xi8> -> tensor<2x2x4xf32>
  %d = opc.mul %f, %h
  %y = opc.matmul %x, %d
  return %y : tensor<2x1x4xf32>
}

// -----

// Rows of a table are the rows of a product: they stay a copy.  So do matrices that are no constant.
// CHECK-LABEL: func.func @apart(
// CHECK:         kernel.gather
// CHECK:         kernel.gather
// CHECK-NOT:     kernel.pick
func.func @apart(%x: tensor<2x1x2xf32>, %w: tensor<3x2x4xf32>, %v: tensor<2x5xf32>,
                 %i: tensor<2xi64>) -> (tensor<2x1x4xf32>, tensor<2x5xf32>) {
  %t = opc.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %g = opc.gather %w, %i {axes = [0], from_end = false}
  %y = opc.matmul %x, %g
  %h = opc.gather %t, %i {axes = [0], from_end = false}
  %z = opc.matmul %h, %v
  return %y, %z : tensor<2x1x4xf32>, tensor<2x5xf32>
}
