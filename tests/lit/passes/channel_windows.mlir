// Depthwise products of small integers go along channels, between layers that want channels innermost.
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers,float-windows{target=avx2},channel-windows{target=avx2}' | filecheck %s
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers,float-windows{target=cortex-m4},channel-windows{target=cortex-m4}' | filecheck %s --check-prefix=SMALL

// What is padded lies with channels innermost, and so does what makes it.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         [[X:%.+]] = kernel.nest [1, 8, 8, 16] {
// CHECK:         } : tensor<1x8x8x16xui8>
// CHECK:         [[P:%.+]] = kernel.nest [1] {
// CHECK:           kernel.sweep [1, 10, 16] {
// CHECK:           kernel.sweep [1, 10, 16] {
// CHECK:             kernel.store {{%.+}} to 0[d0, d1 + 9, d2, d3]
// CHECK:           kernel.sweep [8, 1, 16] {
// CHECK:           kernel.sweep [8, 1, 16] {
// CHECK:           kernel.sweep [8, 8, 16] {
// CHECK-NEXT:        kernel.load [[X]][d0, d1, d2, d3] : ui8
// CHECK:             kernel.store {{%.+}} to 0[d0, d1 + 1, d2 + 1, d3]
// CHECK:         } : tensor<1x10x10x16xf32>
// CHECK:         kernel.nest [1, 16, 8, 8] {
// CHECK-NOT:       kernel.sweep
// CHECK:           kernel.load [[P]][d0, d2, d3, d1] : f32
// CHECK:           kernel.load {{%.+}}[8, d1] : f32
// CHECK:         } : tensor<1x16x8x8xui8>
// SMALL-LABEL: func.func @depthwise(
// SMALL:         kernel.sweep [3, 3, 1] (dot) {
func.func @depthwise(%x: tensor<1x16x8x8xf32>) -> tensor<1x4x8x8xi32> {
  %w = opc.constant dense<3> : tensor<16x1x3x3xi8>
  %v = opc.constant dense<2> : tensor<4x16x1x1xi8>
  %q = opc.cast %x : tensor<1x16x8x8xf32> -> tensor<1x16x8x8xui8>
  %i = opc.cast %q : tensor<1x16x8x8xui8> -> tensor<1x16x8x8xi32>
  %k = opc.cast %w : tensor<16x1x3x3xi8> -> tensor<16x1x3x3xi32>
  %s = opc.conv %i, %k {pads = [1, 1, 1, 1], groups = 16}
  %b = opc.cast %s : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xui8>
  %j = opc.cast %b : tensor<1x16x8x8xui8> -> tensor<1x16x8x8xi32>
  %l = opc.cast %v : tensor<4x16x1x1xi8> -> tensor<4x16x1x1xi32>
  %r = opc.conv %j, %l
  return %r : tensor<1x4x8x8xi32>
}

// -----

// The result of the function keeps its layout, and so do rows of it.
// CHECK-LABEL: func.func @alone(
// CHECK:         kernel.sweep [3, 3, 1] (dot) {
func.func @alone(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xi32> {
  %w = opc.constant dense<3> : tensor<16x1x3x3xi8>
  %q = opc.cast %x : tensor<1x16x8x8xf32> -> tensor<1x16x8x8xui8>
  %i = opc.cast %q : tensor<1x16x8x8xui8> -> tensor<1x16x8x8xi32>
  %k = opc.cast %w : tensor<16x1x3x3xi8> -> tensor<16x1x3x3xi32>
  %s = opc.conv %i, %k {pads = [1, 1, 1, 1], groups = 16}
  return %s : tensor<1x16x8x8xi32>
}

// -----

// Four channels fill no vector.
// CHECK-LABEL: func.func @narrow(
// CHECK:         kernel.sweep [3, 3, 1] (dot) {
func.func @narrow(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xi32> {
  %w = opc.constant dense<3> : tensor<4x1x3x3xi8>
  %v = opc.constant dense<2> : tensor<4x4x1x1xi8>
  %q = opc.cast %x : tensor<1x4x8x8xf32> -> tensor<1x4x8x8xui8>
  %i = opc.cast %q : tensor<1x4x8x8xui8> -> tensor<1x4x8x8xi32>
  %k = opc.cast %w : tensor<4x1x3x3xi8> -> tensor<4x1x3x3xi32>
  %s = opc.conv %i, %k {pads = [1, 1, 1, 1], groups = 4}
  %b = opc.cast %s : tensor<1x4x8x8xi32> -> tensor<1x4x8x8xui8>
  %j = opc.cast %b : tensor<1x4x8x8xui8> -> tensor<1x4x8x8xi32>
  %l = opc.cast %v : tensor<4x4x1x1xi8> -> tensor<4x4x1x1xi32>
  %r = opc.conv %j, %l
  return %r : tensor<1x4x8x8xi32>
}
