// Whole floats become signed bytes by way of unsigned ones where 32 bits follow, but not where vectors have one number.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,unsigned-casts{target=avx2}' | filecheck %s
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,unsigned-casts{target=cortex-m4}' | filecheck %s --check-prefix=SCALARS

// CHECK-LABEL: func.func @whole(
// CHECK:         [[R:%.+]] = scalar.apply round(
// CHECK:         [[ONE:%.+]] = scalar.apply ge({{.+}}, {{.+}}) : i1
// CHECK:         [[N:%.+]] = scalar.apply select([[ONE]], [[R]], {{.+}}) : f32
// CHECK:         [[S:%.+]] = scalar.apply add([[N]], {{.+}}) : f32
// CHECK:         [[U:%.+]] = scalar.apply cast([[S]]) : ui8
// CHECK:         [[W:%.+]] = scalar.apply cast([[U]]) : i32
// CHECK:         scalar.apply sub([[W]], {{.+}}) : i32
// SCALARS-LABEL: func.func @whole(
// SCALARS-NOT:   ui8
// SCALARS:       return
func.func @whole(%x: tensor<64xf32>) -> tensor<64xi32> {
  %a = opc.round %x
  %b = opc.cast %a : tensor<64xf32> -> tensor<64xi8>
  %c = opc.cast %b : tensor<64xi8> -> tensor<64xi32>
  return %c : tensor<64xi32>
}

// A fraction would be rounded down, not toward zero.
// CHECK-LABEL: func.func @fractions(
// CHECK-NOT:     ui8
// CHECK:         return
func.func @fractions(%x: tensor<64xf32>) -> tensor<64xi32> {
  %b = opc.cast %x : tensor<64xf32> -> tensor<64xi8>
  %c = opc.cast %b : tensor<64xi8> -> tensor<64xi32>
  return %c : tensor<64xi32>
}
