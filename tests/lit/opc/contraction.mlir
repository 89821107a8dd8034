// Contractions.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @matmul
// CHECK: opc.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %r = opc.matmul %a, %b
  return %r : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @matmul_batched
// CHECK: opc.matmul %a, %b : tensor<5x1x2x3xi32>, tensor<7x3x4xi32> -> tensor<5x7x2x4xi32>
func.func @matmul_batched(%a: tensor<5x1x2x3xi32>, %b: tensor<7x3x4xi32>) -> tensor<5x7x2x4xi32> {
  %r = opc.matmul %a, %b
  return %r : tensor<5x7x2x4xi32>
}

// CHECK-LABEL: func.func @matmul_vectors
// CHECK: opc.matmul %a, %b : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
func.func @matmul_vectors(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<f32> {
  %r = opc.matmul %a, %b
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @matmul_row
// CHECK: opc.matmul %a, %b : tensor<3xf32>, tensor<3x4xf32> -> tensor<4xf32>
func.func @matmul_row(%a: tensor<3xf32>, %b: tensor<3x4xf32>) -> tensor<4xf32> {
  %r = opc.matmul %a, %b
  return %r : tensor<4xf32>
}
