// What contractions of integers multiply is stored in as few bits as hold it.
// RUN: opc-opt --split-input-file %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers | filecheck %s

// A window reads what a kernel has stored, with its padding; weights are constants.
// CHECK-LABEL: func.func @window(
// CHECK:         [[W:%.+]] = opc.constant dense<{{.*}}> : tensor<1x2x1x2xi8>
// CHECK:         [[X:%.+]] = kernel.nest
// CHECK:         [[Q:%.+]] = scalar.apply cast({{.+}}) : ui8
// CHECK-NEXT:    kernel.store [[Q]] to 0
// CHECK-NEXT:    } : tensor<1x2x4x4xui8>
// CHECK:         [[A:%.+]] = kernel.load [[X]][{{.+}}] else 0 : ui8
// CHECK-NEXT:    scalar.apply cast([[A]]) : i32
// CHECK:         [[B:%.+]] = kernel.load [[W]][{{.+}}] : i8
// CHECK-NEXT:    scalar.apply cast([[B]]) : i32
func.func @window(%x: tensor<1x2x4x4xf32>) -> tensor<1x1x4x5xi32> {
  %w = opc.constant dense<[[[[1, -2]], [[127, -128]]]]> : tensor<1x2x1x2xi32>
  %q = opc.cast %x : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xui8>
  %i = opc.cast %q : tensor<1x2x4x4xui8> -> tensor<1x2x4x4xi32>
  %r = opc.conv %i, %w {pads = [0, 1, 0, 1]}
  return %r : tensor<1x1x4x5xi32>
}

// -----

// A difference of 8-bit integers takes 16 bits.
// CHECK-LABEL: func.func @difference(
// CHECK:         scalar.apply cast({{.+}}) : i16
// CHECK-NEXT:    kernel.store
// CHECK-NEXT:    } : tensor<1x2x4x4xi16>
func.func @difference(%x: tensor<1x2x4x4xui8>, %z: tensor<1x2x1x1xui8>, %w: tensor<1x2x1x2xi8>)
    -> tensor<1x1x4x5xi32> {
  %i = opc.cast %x : tensor<1x2x4x4xui8> -> tensor<1x2x4x4xi32>
  %j = opc.cast %z : tensor<1x2x1x1xui8> -> tensor<1x2x1x1xi32>
  %d = opc.sub %i, %j : tensor<1x2x4x4xi32>, tensor<1x2x1x1xi32> -> tensor<1x2x4x4xi32>
  %k = opc.cast %w : tensor<1x2x1x2xi8> -> tensor<1x2x1x2xi32>
  %r = opc.conv %d, %k {pads = [0, 1, 0, 1]}
  return %r : tensor<1x1x4x5xi32>
}

// -----

// Numbers that are too large, and results of the function, stay as they are.
// CHECK-LABEL: func.func @wide(
// CHECK:         opc.constant dense<{{.*}}> : tensor<2x2xi32>
// CHECK:         kernel.load %x[{{.+}}] : i32
// CHECK-NOT:     cast
func.func @wide(%x: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = opc.constant dense<[[1, 2], [3, 40000]]> : tensor<2x2xi32>
  %r = opc.matmul %x, %w
  return %r : tensor<3x2xi32>
}

// -----

// Bytes span the numbers: the least one is added to them.
// CHECK-LABEL: func.func @span(
// CHECK:         [[W:%.+]] = opc.constant dense<{{.+}}218, 0{{.+}}255, 1{{.+}}> : tensor<2x1x1x2xui8>
// CHECK:         [[A:%.+]] = kernel.load [[W]][{{.+}}] : ui8
// CHECK-NEXT:    [[B:%.+]] = scalar.apply cast([[A]]) : i32
// CHECK-NEXT:    [[C:%.+]] = scalar.constant -118 : i32
// CHECK-NEXT:    scalar.apply add([[B]], [[C]]) : i32
func.func @span(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x4x3xi32> {
  %w = opc.constant dense<[[[[100, -118]]], [[[137, -117]]]]> : tensor<2x1x1x2xi32>
  %i = opc.cast %x : tensor<1x2x4x4xi8> -> tensor<1x2x4x4xi32>
  %r = opc.conv %i, %w {groups = 2}
  return %r : tensor<1x2x4x3xi32>
}

// -----

// Bytes span those of each filter.
// CHECK-LABEL: func.func @filters(
// CHECK:         [[L:%.+]] = opc.constant dense<[-118, 137]> : tensor<2xi16>
// CHECK:         [[W:%.+]] = opc.constant dense<{{.+}}218, 0{{.+}}0, 63{{.+}}> : tensor<2x1x1x2xui8>
// CHECK:         [[A:%.+]] = kernel.load [[W]][[[F:d.]],
// CHECK-NEXT:    [[B:%.+]] = scalar.apply cast([[A]]) : i32
// CHECK-NEXT:    [[C:%.+]] = kernel.load [[L]][[[F]]] : i16
// CHECK-NEXT:    [[D:%.+]] = scalar.apply cast([[C]]) : i32
// CHECK-NEXT:    scalar.apply add([[B]], [[D]]) : i32
func.func @filters(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x4x3xi32> {
  %w = opc.constant dense<[[[[100, -118]]], [[[137, 200]]]]> : tensor<2x1x1x2xi32>
  %i = opc.cast %x : tensor<1x2x4x4xi8> -> tensor<1x2x4x4xi32>
  %r = opc.conv %i, %w {groups = 2}
  return %r : tensor<1x2x4x3xi32>
}
