// Extents that cannot be read at the start, and that nothing bounds, are found on the way, within a
// capacity that the caller gives; one that nothing needs is not asked for.
// RUN: opc-opt %s -p infer-shapes | filecheck %s
// RUN: opc-opt %s -p infer-shapes | opc-opt - -p infer-shapes | filecheck %s

// CHECK-LABEL: func.func @long(
// CHECK-NEXT:    opc.given_extents ["c0"]
// CHECK:         %y = opc.matmul
// CHECK:         opc.data_extent %{{.*}} most <c0> of "c0" -> "k" : tensor<i64>
// CHECK-NEXT:    %i = opc.iota : tensor<?xi64, #opc.dims<k>>
func.func @long(%x: tensor<?x8xf32, #opc.dims<N, 8>>, %w: tensor<8x1xf32>) -> tensor<?xi64, #opc.dims<k>> {
  %y = opc.matmul %x, %w
  %c = opc.cast %y : tensor<?x1xf32, #opc.dims<N, 1>> -> tensor<?x1xi64, #opc.dims<N, 1>>
  %n = opc.reduce_sum %c {axes = [0]}
  opc.read_extents plain %n -> ["k"] : tensor<1xi64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  return %i : tensor<?xi64, #opc.dims<k>>
}

// Of a shape, each extent that is computed has a capacity; one that is known has not.
// CHECK-LABEL: func.func @stretched(
// CHECK-NEXT:    opc.given_extents ["c0"]
// CHECK:         opc.data_extent %{{.*}} most <c0> of "c0" -> "v0" : tensor<i64>
// CHECK-NEXT:    %[[A:.*]] = opc.extent <v0>
// CHECK-NEXT:    opc.data_extent %[[A]] most <v0> -> "a" : tensor<i64>
// CHECK-NEXT:    opc.require stretch<N, a> "opc.broadcast: extents do not fit"
// CHECK-NEXT:    %[[B:.*]] = opc.extent <k>
// CHECK-NEXT:    opc.data_extent %[[B]] most <k> -> "b" : tensor<i64>
func.func @stretched(%n: tensor<i64>, %x: tensor<?x1xf32, #opc.dims<N, 1>>) -> tensor<?x?xf32, #opc.dims<a, b>> {
  opc.data_extent %n most <N> -> "k" : tensor<i64>
  %e = opc.extent <k>
  %w = opc.reshape %e -> tensor<1xi64>
  %s = opc.concat %w, %w {axis = 0}
  opc.read_extents expand %s of <N, 1> -> ["a", "b"] : tensor<2xi64>
  %y = opc.broadcast %x -> tensor<?x?xf32, #opc.dims<a, b>>
  return %y : tensor<?x?xf32, #opc.dims<a, b>>
}

// CHECK-LABEL: func.func @unused(
// CHECK-NOT:     opc.given_extents
// CHECK:         return
func.func @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  opc.given_extents ["c"]
  return %x : tensor<4xf32>
}
