// RUN: opc-opt %s -p flush-weights | filecheck %s

// A subnormal weight is zero, also behind movement; the least normal number stays.
// CHECK-LABEL: @moved
// CHECK-NEXT:  [[W:%.+]] = opc.constant dense<[1.000000e+00, 0.000000e+00, 0.000000e+00, 1.17549{{.*}}e-38]> : tensor<4xf32>
// CHECK-NEXT:  opc.reshape
// CHECK-NEXT:  opc.matmul
func.func @moved(%x: tensor<3x4xf32>) -> tensor<3x1xf32> {
  %w = opc.constant dense<[1.0, 1.0e-40, -1.0e-39, 1.1754944e-38]> : tensor<4xf32>
  %c = opc.reshape %w : tensor<4xf32> -> tensor<4x1xf32>
  %y = opc.matmul %x, %c : tensor<3x4xf32>, tensor<4x1xf32> -> tensor<3x1xf32>
  func.return %y : tensor<3x1xf32>
}

// A function may keep them.
// CHECK-LABEL: @kept
// CHECK-NOT:   dense<0.000000e+00>
// CHECK:       opc.matmul
func.func @kept(%x: tensor<3x4xf32>) -> tensor<3x1xf32> attributes {opc.subnormals = "kept"} {
  %w = opc.constant dense<1.0e-40> : tensor<4x1xf32>
  %y = opc.matmul %x, %w : tensor<3x4xf32>, tensor<4x1xf32> -> tensor<3x1xf32>
  func.return %y : tensor<3x1xf32>
}
