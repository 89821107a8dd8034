// Operators whose indices are data.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @gather
// CHECK: opc.gather %x, %i {axes = [-1]} : tensor<9x4xf32>, tensor<2x3xi32> -> tensor<9x2x3xf32>
func.func @gather(%x: tensor<9x4xf32>, %i: tensor<2x3xi32>) -> tensor<9x2x3xf32> {
  %r = opc.gather %x, %i {axes = [-1]} : tensor<9x4xf32>, tensor<2x3xi32>
  return %r : tensor<9x2x3xf32>
}

// CHECK-LABEL: func.func @gather_along_two_axes
// CHECK: opc.gather %x, %i, %j {axes = [0, 2]} : tensor<9x4x5xf32>, tensor<2x1xi64>, tensor<?xi64, #opc.dims<N>> -> tensor<2x?x4xf32, #opc.dims<2, N, 4>>
func.func @gather_along_two_axes(%x: tensor<9x4x5xf32>, %i: tensor<2x1xi64>, %j: tensor<?xi64, #opc.dims<N>>) -> tensor<2x?x4xf32, #opc.dims<2, N, 4>> {
  %r = opc.gather %x, %i, %j {axes = [0, 2]} : tensor<9x4x5xf32>, tensor<2x1xi64>, tensor<?xi64, #opc.dims<N>>
  return %r : tensor<2x?x4xf32, #opc.dims<2, N, 4>>
}

// CHECK-LABEL: func.func @gather_in_batches
// CHECK: opc.gather %x, %i {axes = [2], batch = 1, from_end = false} : tensor<3x4x5xf32>, tensor<3x7xui8> -> tensor<3x4x7xf32>
func.func @gather_in_batches(%x: tensor<3x4x5xf32>, %i: tensor<3x7xui8>) -> tensor<3x4x7xf32> {
  %r = opc.gather %x, %i {axes = [2], batch = 1, from_end = false} : tensor<3x4x5xf32>, tensor<3x7xui8>
  return %r : tensor<3x4x7xf32>
}

// CHECK-LABEL: func.func @gather_elements
// CHECK: opc.gather_elements %x, %i {axis = 1} : tensor<3x4xf32>, tensor<2x7xi64> -> tensor<2x7xf32>
func.func @gather_elements(%x: tensor<3x4xf32>, %i: tensor<2x7xi64>) -> tensor<2x7xf32> {
  %r = opc.gather_elements %x, %i {axis = 1} : tensor<3x4xf32>, tensor<2x7xi64>
  return %r : tensor<2x7xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK: opc.scatter %x, %u, %i {axes = [0], reduction = "add"} : tensor<9x4xf32>, tensor<2x3x4xf32>, tensor<2x3xi64> -> tensor<9x4xf32>
func.func @scatter(%x: tensor<9x4xf32>, %u: tensor<2x3x4xf32>, %i: tensor<2x3xi64>) -> tensor<9x4xf32> {
  %r = opc.scatter %x, %u, %i {axes = [0], reduction = "add"} : tensor<9x4xf32>, tensor<2x3x4xf32>, tensor<2x3xi64>
  return %r : tensor<9x4xf32>
}

// CHECK-LABEL: func.func @scatter_elements
// CHECK: opc.scatter_elements %x, %u, %i {axis = 0} : tensor<9x4xi1>, tensor<2x3xi1>, tensor<2x3xi64> -> tensor<9x4xi1>
func.func @scatter_elements(%x: tensor<9x4xi1>, %u: tensor<2x3xi1>, %i: tensor<2x3xi64>) -> tensor<9x4xi1> {
  %r = opc.scatter_elements %x, %u, %i {axis = 0} : tensor<9x4xi1>, tensor<2x3xi1>, tensor<2x3xi64>
  return %r : tensor<9x4xi1>
}

// CHECK-LABEL: func.func @require_range
// CHECK: opc.require_range %i from <-N> to <N - 1> "an index is outside" : tensor<4xi64>
func.func @require_range(%x: tensor<?xf32, #opc.dims<N>>, %i: tensor<4xi64>) -> tensor<?xf32, #opc.dims<N>> {
  opc.require_range %i from <-N> to <N - 1> "an index is outside" : tensor<4xi64>
  return %x : tensor<?xf32, #opc.dims<N>>
}
