// Operators that take parts of tensors, or put them together.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @slice
// CHECK: opc.slice %x {starts = [1, -1], stops = [3, -100], steps = [1, -2]} : tensor<4x9xf32> -> tensor<2x5xf32>
func.func @slice(%x: tensor<4x9xf32>) -> tensor<2x5xf32> {
  %r = opc.slice %x {starts = [1, -1], stops = [3, -100], steps = [1, -2]} : tensor<4x9xf32>
  return %r : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @slice_of_an_unknown_extent
// CHECK: opc.slice %x {starts = #opc.dims<1, N>, stops = [9223372036854775807, 9]
// CHECK-SAME: -> tensor<?x?xf32, #opc.dims<N - min(1, N), -min(N, 9) + 9>>
func.func @slice_of_an_unknown_extent(%x: tensor<?x9xf32, #opc.dims<N, 9>>) -> tensor<?x?xf32> {
  %r = opc.slice %x {starts = #opc.dims<1, N>, stops = [9223372036854775807, 9], steps = [1, 1]} : tensor<?x9xf32, #opc.dims<N, 9>>
  %s = opc.identity %r : tensor<?x?xf32, #opc.dims<N - min(1, N), 9 - min(N, 9)>> -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// N - min(N, 8) + 1 is at least 1, whatever N is.
// CHECK-LABEL: func.func @slice_from_a_difference
// CHECK: opc.slice %x {starts = #opc.dims<N - min(N, 8) + 1>, stops = [0], steps = [-1]}
func.func @slice_from_a_difference(%x: tensor<?xf32, #opc.dims<M>>, %y: tensor<?xf32, #opc.dims<N>>) -> tensor<?xf32> {
  %r = opc.slice %x {starts = #opc.dims<N - min(N, 8) + 1>, stops = [0], steps = [-1]} : tensor<?xf32, #opc.dims<M>>
  %s = opc.identity %r : tensor<?xf32, #opc.dims<min(N - min(N, 8) + 2, M) - min(min(1, M), min(N - min(N, 8) + 2, M))>> -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// CHECK-LABEL: func.func @windows
// CHECK: opc.windows %x {sizes = [3], strides = [2], dilations = [1]} : tensor<4x?xf32, #opc.dims<4, N>> -> tensor<4x?x3xf32, #opc.dims<4, floordiv(N - min(N, 2) + 1, 2), 3>>
func.func @windows(%x: tensor<4x?xf32, #opc.dims<4, N>>) -> tensor<4x?x3xf32> {
  %r = opc.windows %x {sizes = [3], strides = [2], dilations = [1]} : tensor<4x?xf32, #opc.dims<4, N>>
  %s = opc.identity %r : tensor<4x?x3xf32, #opc.dims<4, floordiv(N - min(N, 2) + 1, 2), 3>> -> tensor<4x?x3xf32>
  return %s : tensor<4x?x3xf32>
}

// Windows that do not overlap: the extent is there once, however often a network pools.
// CHECK-LABEL: func.func @windows_apart
// CHECK: opc.windows {{.+}} -> tensor<?x2xf32, #opc.dims<floordiv(N, 2), 2>>
// CHECK: opc.windows {{.+}} -> tensor<?x2xf32, #opc.dims<floordiv(N, 4), 2>>
// CHECK: opc.windows {{.+}} -> tensor<?x2xf32, #opc.dims<floordiv(floordiv(N, 4) + 1, 3), 2>>
func.func @windows_apart(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xf32, #opc.dims<floordiv(floordiv(N, 4) + 1, 3)>> {
  %a = opc.windows %x {sizes = [2], strides = [2], dilations = [1]} : tensor<?xf32, #opc.dims<N>>
  %b = opc.reduce_max %a {axes = [1]}
  %c = opc.windows %b {sizes = [2], strides = [2], dilations = [1]}
  %d = opc.reduce_max %c {axes = [1]}
  %e = opc.windows %d {sizes = [2], strides = [3], dilations = [1]}
  %f = opc.reduce_max %e {axes = [1]}
  return %f : tensor<?xf32, #opc.dims<floordiv(floordiv(N, 4) + 1, 3)>>
}

// CHECK-LABEL: func.func @concat
// CHECK: opc.concat %x, %y, %x {axis = -1} : tensor<4x?xf32, #opc.dims<4, N>>, tensor<4x3xf32>, tensor<4x?xf32, #opc.dims<4, N>> -> tensor<4x?xf32, #opc.dims<4, N*2 + 3>>
func.func @concat(%x: tensor<4x?xf32, #opc.dims<4, N>>, %y: tensor<4x3xf32>) -> tensor<4x?xf32, #opc.dims<4, N*2 + 3>> {
  %r = opc.concat %x, %y, %x {axis = -1} : tensor<4x?xf32, #opc.dims<4, N>>, tensor<4x3xf32>, tensor<4x?xf32, #opc.dims<4, N>>
  return %r : tensor<4x?xf32, #opc.dims<4, N*2 + 3>>
}
