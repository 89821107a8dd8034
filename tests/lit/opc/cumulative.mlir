// Totals of all elements up to each one.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @cum_sum
// CHECK: opc.cum_sum %x : tensor<4x8xf32> -> tensor<4x8xf32>
func.func @cum_sum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = opc.cum_sum %x
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @attributes
// CHECK: opc.cum_sum %x {axis = -1, exclusive = true, reverse = true} : tensor<4x?xbf16, #opc.dims<4, N>> -> tensor<4x?xbf16, #opc.dims<4, N>>
func.func @attributes(%x: tensor<4x?xbf16, #opc.dims<4, N>>) -> tensor<4x?xbf16, #opc.dims<4, N>> {
  %r = opc.cum_sum %x {axis = -1, exclusive = true, reverse = true}
  return %r : tensor<4x?xbf16, #opc.dims<4, N>>
}

// CHECK-LABEL: func.func @cum_prod
// CHECK: opc.cum_prod %x {axis = 1} : tensor<4x8xi64> -> tensor<4x8xi64>
func.func @cum_prod(%x: tensor<4x8xi64>) -> tensor<4x8xi64> {
  %r = opc.cum_prod %x {axis = 1}
  return %r : tensor<4x8xi64>
}
