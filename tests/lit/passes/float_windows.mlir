// Depthwise products of bytes are added in f32 where that is exact, on machines with vectors of fused multiply-adds.
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers,float-windows{target=avx2}' | filecheck %s
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers,float-windows{target=cortex-m4}' | filecheck %s --check-prefix=SMALL

// CHECK-LABEL: func.func @depthwise(
// CHECK:         [[SUM:%.+]] = kernel.sweep [3, 3, 1] (dot) {
// CHECK:           [[X:%.+]] = kernel.load {{.+}} else 0 : ui8
// CHECK:           [[A:%.+]] = scalar.apply cast([[X]]) : f32
// CHECK:           [[B:%.+]] = scalar.apply cast({{.+}}) : f32
// CHECK:           scalar.apply mul([[A]], [[B]]) : f32
// CHECK:         } : f32
// CHECK-NEXT:    [[I:%.+]] = scalar.apply cast([[SUM]]) : i32
// CHECK-NEXT:    kernel.store [[I]]
// SMALL-LABEL: func.func @depthwise(
// SMALL:         } : i32
func.func @depthwise(%x: tensor<1x4x8x8xui8>, %w: tensor<4x1x3x3xi8>) -> tensor<1x4x8x8xi32> {
  %i = opc.cast %x : tensor<1x4x8x8xui8> -> tensor<1x4x8x8xi32>
  %k = opc.cast %w : tensor<4x1x3x3xi8> -> tensor<4x1x3x3xi32>
  %r = opc.conv %i, %k {pads = [1, 1, 1, 1], groups = 4}
  return %r : tensor<1x4x8x8xi32>
}

// -----

// What is converted to f32 anyway is that sum.
// CHECK-LABEL: func.func @scaled(
// CHECK:         [[SUM:%.+]] = kernel.sweep [3, 3, 1] (dot) {
// CHECK:         } : f32
// CHECK-NEXT:    kernel.store [[SUM]]
func.func @scaled(%x: tensor<1x4x8x8xui8>, %w: tensor<4x1x3x3xi8>) -> tensor<1x4x6x6xf32> {
  %i = opc.cast %x : tensor<1x4x8x8xui8> -> tensor<1x4x8x8xi32>
  %k = opc.cast %w : tensor<4x1x3x3xi8> -> tensor<4x1x3x3xi32>
  %r = opc.conv %i, %k {groups = 4}
  %f = opc.cast %r : tensor<1x4x6x6xi32> -> tensor<1x4x6x6xf32>
  return %f : tensor<1x4x6x6xf32>
}

// -----

// 1089 products of 255 and -128 may exceed 2^24.
// CHECK-LABEL: func.func @large(
// CHECK:         kernel.sweep [33, 33, 1] (dot) {
// CHECK:         } : i32
func.func @large(%x: tensor<1x2x33x33xui8>, %w: tensor<2x1x33x33xi8>) -> tensor<1x2x1x1xi32> {
  %i = opc.cast %x : tensor<1x2x33x33xui8> -> tensor<1x2x33x33xi32>
  %k = opc.cast %w : tensor<2x1x33x33xi8> -> tensor<2x1x33x33xi32>
  %r = opc.conv %i, %k {groups = 2}
  return %r : tensor<1x2x1x1xi32>
}

// -----

// Of several channels an instruction adds groups of products.
// CHECK-LABEL: func.func @channels(
// CHECK:         kernel.sweep [1, 1, 4] (dot) {
// CHECK:         } : i32
func.func @channels(%x: tensor<1x4x8x8xui8>, %w: tensor<4x4x1x1xi8>) -> tensor<1x4x8x8xi32> {
  %i = opc.cast %x : tensor<1x4x8x8xui8> -> tensor<1x4x8x8xi32>
  %k = opc.cast %w : tensor<4x4x1x1xi8> -> tensor<4x4x1x1xi32>
  %r = opc.conv %i, %k
  return %r : tensor<1x4x8x8xi32>
}
