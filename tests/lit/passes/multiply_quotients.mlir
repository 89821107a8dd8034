// Quotients by constants that are rounded to whole numbers are sums of two products.
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,multiply-quotients{target=avx2}' | filecheck %s

// CHECK-LABEL: func.func @quantize(
// CHECK:         [[X:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:    [[H:%.+]] = scalar.constant 3.33333302 : f32
// CHECK-NEXT:    [[L:%.+]] = scalar.constant 1.85436676e-07 : f32
// CHECK-NEXT:    [[P:%.+]] = scalar.apply mul([[X]], [[L]]) : f32
// CHECK-NEXT:    [[Q:%.+]] = scalar.apply fma([[X]], [[H]], [[P]]) : f32
// CHECK-NEXT:    scalar.apply round([[Q]]) : f32
func.func @quantize(%x: tensor<64xf32>) -> tensor<64xf32> {
  %s = opc.constant dense<0.3> : tensor<f32>
  %q = opc.div %x, %s : tensor<64xf32>, tensor<f32> -> tensor<64xf32>
  %r = opc.round %q
  return %r : tensor<64xf32>
}

// -----

// A power of two has no second product, and a quotient that is stored has all its bits.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     scalar.apply fma
// CHECK:         return
func.func @others(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %s = opc.constant dense<0.3> : tensor<f32>
  %h = opc.constant dense<0.25> : tensor<f32>
  %q = opc.div %x, %s : tensor<64xf32>, tensor<f32> -> tensor<64xf32>
  %p = opc.div %x, %h : tensor<64xf32>, tensor<f32> -> tensor<64xf32>
  %r = opc.round %p
  return %q, %r : tensor<64xf32>, tensor<64xf32>
}
