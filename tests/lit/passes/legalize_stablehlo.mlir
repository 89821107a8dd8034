// Operations of StableHLO become operators, by the function of their name.
// RUN: opc-opt %s -p legalize-stablehlo | filecheck %s
// RUN: opc-opt %s -p legalize-stablehlo,legalize-stablehlo | filecheck %s

// CHECK-LABEL: func.func @dense(
// CHECK-NEXT:    %0 = opc.contract %x, %w {equation = "ab,bd->ad"}
func.func @dense(%x: tensor<?x3xf32>, %w: tensor<3x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
