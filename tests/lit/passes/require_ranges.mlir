// Indices that only a run knows are required to be within their axis, once for each range.
// RUN: opc-opt --split-input-file %s -p require-ranges | filecheck %s

// CHECK-LABEL: func.func @gather(
// CHECK-NEXT:   opc.require_range %i from <-N> to <N - 1> "opc.gather: an index is outside of axis 0" : tensor<4xi64>
// CHECK-NEXT:   %r = opc.gather %x, %i {axes = [0]}
// CHECK-NEXT:   %j = opc.reshape %i
// CHECK-NEXT:   %s = opc.gather %x, %j {axes = [0]}
// CHECK-NEXT:   opc.require_range %i from <0> to <N - 1> "opc.gather: an index is outside of axis 0" : tensor<4xi64>
// CHECK-NEXT:   %t = opc.gather %x, %i {axes = [0], from_end = false}
// CHECK-NEXT:   func.return
func.func @gather(%x: tensor<?xf32, #opc.dims<N>>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>) {
  %r = opc.gather %x, %i {axes = [0]} : tensor<?xf32, #opc.dims<N>>, tensor<4xi64>
  %j = opc.reshape %i -> tensor<2x2xi64>
  %s = opc.gather %x, %j {axes = [0]} : tensor<?xf32, #opc.dims<N>>, tensor<2x2xi64>
  %t = opc.gather %x, %i {axes = [0], from_end = false} : tensor<?xf32, #opc.dims<N>>, tensor<4xi64>
  return %r, %s, %t : tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>
}

// -----

// Unsigned indices do not count from the end.
// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT:   opc.require_range %i from <0> to <8> "opc.scatter_elements: an index is outside of axis 0" : tensor<4xui8>
// CHECK-NEXT:   %r = opc.scatter_elements
func.func @scatter(%x: tensor<9xf32>, %u: tensor<4xf32>, %i: tensor<4xui8>) -> tensor<9xf32> {
  %r = opc.scatter_elements %x, %u, %i {axis = 0} : tensor<9xf32>, tensor<4xf32>, tensor<4xui8>
  return %r : tensor<9xf32>
}

// -----

// What is known is checked when compiling, as far as the extent is.
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT:   %i = opc.constant dense<[0, -3]>
// CHECK-NEXT:   %r = opc.gather %x, %i
// CHECK-NEXT:   opc.require equal<min(N, 3), 3> "opc.gather: an index is outside of axis 0, which has fewer than 3"
// CHECK-NEXT:   %s = opc.gather %y, %i
func.func @constants(%x: tensor<3xf32>, %y: tensor<?xf32, #opc.dims<N>>) -> (tensor<2xf32>, tensor<2xf32>) {
  %i = opc.constant dense<[0, -3]> : tensor<2xi64>
  %r = opc.gather %x, %i {axes = [0]} : tensor<3xf32>, tensor<2xi64>
  %s = opc.gather %y, %i {axes = [0]} : tensor<?xf32, #opc.dims<N>>, tensor<2xi64>
  return %r, %s : tensor<2xf32>, tensor<2xf32>
}
