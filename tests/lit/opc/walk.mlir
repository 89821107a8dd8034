// Walks through tables of decisions.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @walk
// CHECK: opc.walk %x, %n, %r, %v : tensor<?x2xf32, #opc.dims<N, 2>>, tensor<2x4xi32>, tensor<2xi32>, tensor<3xf32> -> tensor<?x2xf32, #opc.dims<N, 2>>
func.func @walk(%x: tensor<?x2xf32, #opc.dims<N, 2>>) -> tensor<?x2xf32, #opc.dims<N, 2>> {
  %n = opc.constant dense<[[0, 0, 1, -1], [-2, 1065353216, -2, -3]]> : tensor<2x4xi32>
  %r = opc.constant dense<[0, -1]> : tensor<2xi32>
  %v = opc.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %y = opc.walk %x, %n, %r, %v
  return %y : tensor<?x2xf32, #opc.dims<N, 2>>
}
