// A row of the scalar table over tensors: what elementwise operators become.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @apply
// CHECK: opc.apply max(%a, %b) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
func.func @apply(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.apply max(%a, %b) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @apply_select
// CHECK: opc.apply select(%c, %a, %a) : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
func.func @apply_select(%c: tensor<4xi1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.apply select(%c, %a, %a) : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @apply_compare
// CHECK: opc.apply lt(%a, %a) : tensor<4xf64>, tensor<4xf64> -> tensor<4xi1>
func.func @apply_compare(%a: tensor<4xf64>) -> tensor<4xi1> {
  %r = opc.apply lt(%a, %a) : tensor<4xf64>, tensor<4xf64> -> tensor<4xi1>
  return %r : tensor<4xi1>
}
