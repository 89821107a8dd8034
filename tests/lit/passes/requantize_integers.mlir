// Sums of integers are quantized by integers, on machines without floats.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,requantize-integers{target=cortex-m0}' | filecheck %s
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,requantize-integers{target=cortex-m4}' | filecheck %s --check-prefix=FLOATS

// A scale, a limit and a step are one product; the limit follows as that of 8 bits.
// CHECK-LABEL: func.func @sums(
// CHECK:         [[X:%.+]] = kernel.load %x[d0] : i32
// CHECK:         scalar.apply requantize({{%.+}}, {{%.+}}, {{%.+}}, [[X]], {{.+}}) : i32
// CHECK:         scalar.apply max(
// CHECK:         scalar.apply min(
// CHECK:         scalar.apply cast({{%.+}}) : ui8
// FLOATS-LABEL:  func.func @sums(
// FLOATS-NOT:    requantize
func.func @sums(%x: tensor<8xi32>) -> tensor<8xui8> {
  %s = opc.constant dense<0.01> : tensor<f32>
  %d = opc.constant dense<0.25> : tensor<f32>
  %f = opc.cast %x : tensor<8xi32> -> tensor<8xf32>
  %m = opc.mul %f, %s
  %r = opc.relu %m
  %v = opc.div %r, %d
  %n = opc.round %v
  %q = opc.cast %n : tensor<8xf32> -> tensor<8xui8>
  return %q : tensor<8xui8>
}
