// One factor of contractions of signed numbers of 8 bits becomes unsigned: its other uses, and the sum, take that back.
// So it is for machines that multiply bytes of different signs, and not for others.
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers,shift-factors{target=avx512-vnni}' | filecheck %s
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers,shift-factors{target=avx2}' | filecheck %s --check-prefix=WIDE

// CHECK-LABEL: func.func @window(
// CHECK:         [[X:%.+]] = kernel.nest
// CHECK:         [[S:%.+]] = scalar.constant 128 : i32
// CHECK-NEXT:    [[M:%.+]] = scalar.apply add({{.+}}, [[S]]) : i32
// CHECK-NEXT:    [[Q:%.+]] = scalar.apply cast([[M]]) : ui8
// CHECK-NEXT:    kernel.store [[Q]] to 0
// CHECK-NEXT:    } : tensor<1x2x4x4xui8>
// CHECK:         [[C:%.+]] = opc.constant dense<[384, -512]> : tensor<2xi32>
// CHECK:         [[D:%.+]] = kernel.sweep
// CHECK:         kernel.load [[X]][{{.+}}] else 128 : ui8
// CHECK:         [[T:%.+]] = kernel.load [[C]][d1] : i32
// CHECK-NEXT:    scalar.apply sub([[D]], [[T]]) : i32
// WIDE-LABEL: func.func @window(
// WIDE-NOT:      ui8
// WIDE:          kernel.load {{.+}} else 0 : i8
func.func @window(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x5xi32> {
  %w = opc.constant dense<[[[[1, -2]], [[3, 1]]], [[[-1, -1]], [[-1, -1]]]]> : tensor<2x2x1x2xi32>
  %q = opc.cast %x : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xi8>
  %i = opc.cast %q : tensor<1x2x4x4xi8> -> tensor<1x2x4x4xi32>
  %r = opc.conv %i, %w {pads = [0, 1, 0, 1]}
  return %r : tensor<1x2x4x5xi32>
}

// -----

// What the function returns is shifted where it is read, and what is unsigned already stays as it is.
// CHECK-LABEL: func.func @others(
// CHECK:         [[C:%.+]] = opc.constant dense<[512, 256]> : tensor<2xi32>
// CHECK:         [[S:%.+]] = scalar.constant 128 : i32
// CHECK-NEXT:    [[A:%.+]] = scalar.apply add({{.+}}, [[S]]) : i32
// CHECK-NEXT:    scalar.apply mul([[A]], {{.+}}) : i32
// CHECK:         [[T:%.+]] = kernel.load [[C]][d1] : i32
// CHECK-NEXT:    scalar.apply sub({{.+}}, [[T]]) : i32
// CHECK-NOT:     sub(
// CHECK:         return
func.func @others(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>)
    -> (tensor<3x2xi8>, tensor<3x2xi32>, tensor<3x2xi32>) {
  %w = opc.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>
  %p = opc.cast %x : tensor<3x2xf32> -> tensor<3x2xi8>
  %i = opc.cast %p : tensor<3x2xi8> -> tensor<3x2xi32>
  %q = opc.cast %y : tensor<3x2xf32> -> tensor<3x2xui8>
  %j = opc.cast %q : tensor<3x2xui8> -> tensor<3x2xi32>
  %r = opc.matmul %i, %w
  %s = opc.matmul %j, %w
  return %p, %r, %s : tensor<3x2xi8>, tensor<3x2xi32>, tensor<3x2xi32>
}

// -----

// Of two that are given, the right one is shifted, and the sums of the left one are computed once.
// CHECK-LABEL: func.func @both(
// CHECK-NEXT:    [[C:%.+]] = kernel.nest [3] {
// CHECK-NEXT:    [[R:%.+]] = kernel.sweep [8] (sum) {
// CHECK-NEXT:    kernel.load %x[d0, d1] : i8
// CHECK:         scalar.apply mul([[R]], {{.+}}) : i32
// CHECK:         [[D:%.+]] = kernel.sweep [8] (dot) {
// CHECK:         [[S:%.+]] = scalar.constant 128 : i32
// CHECK-NEXT:    [[B:%.+]] = scalar.apply add({{.+}}, [[S]]) : i32
// CHECK-NEXT:    scalar.apply mul({{.+}}, [[B]]) : i32
// CHECK:         [[T:%.+]] = kernel.load [[C]][d0] : i32
// CHECK-NEXT:    scalar.apply sub([[D]], [[T]]) : i32
func.func @both(%x: tensor<3x8xi8>, %y: tensor<8x2xi8>) -> tensor<3x2xi32> {
  %a = opc.cast %x : tensor<3x8xi8> -> tensor<3x8xi32>
  %b = opc.cast %y : tensor<8x2xi8> -> tensor<8x2xi32>
  %r = opc.matmul %a, %b
  return %r : tensor<3x2xi32>
}
