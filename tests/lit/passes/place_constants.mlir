// Large constants are weights, and so are many small ones.
// RUN: opc-opt %s -p place-constants | filecheck %s

// CHECK-LABEL: func.func @large(
// CHECK-NEXT:    %a = loop.constant dense<1.000000e+00> : tensor<1024xf32> to memref<1024xf32>
// CHECK-NEXT:    %b = loop.constant weight dense<2.000000e+00> : tensor<1025xf32> to memref<1025xf32>
func.func @large() {
  %a = loop.constant dense<1.0> : tensor<1024xf32> to memref<1024xf32>
  %b = loop.constant dense<2.0> : tensor<1025xf32> to memref<1025xf32>
  return
}

// CHECK-LABEL: func.func @many(
// CHECK-NEXT:    %a = loop.constant weight
// CHECK-NEXT:    %b = loop.constant weight
// CHECK-NEXT:    %c = loop.constant weight
// CHECK-NEXT:    %d = loop.constant weight
// CHECK-NEXT:    %e = loop.constant weight dense<5.000000e+00> {{.*}}to memref<17xf32>
// CHECK-NEXT:    %f = loop.constant dense<6.000000e+00> {{.*}}to memref<16xf32>
func.func @many() {
  %a = loop.constant dense<1.0> : tensor<1024xf32> to memref<1024xf32>
  %b = loop.constant dense<2.0> : tensor<1024xf32> to memref<1024xf32>
  %c = loop.constant dense<3.0> : tensor<1024xf32> to memref<1024xf32>
  %d = loop.constant dense<4.0> : tensor<1024xf32> to memref<1024xf32>
  %e = loop.constant dense<5.0> : tensor<17xf32> to memref<17xf32>
  %f = loop.constant dense<6.0> : tensor<16xf32> to memref<16xf32>
  return
}
