// Extents that are found on the way stay where they are, and what must hold for them stands behind
// them; buffers have room for the most that they can be.
// RUN: opc-opt %s -p infer-shapes | filecheck %s
// RUN: opc-opt %s -p infer-shapes,fold-constants,require-ranges,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers | filecheck %s --check-prefix=PLAN

// CHECK-LABEL: func.func @first(
// CHECK-NEXT:    opc.data_extent %n most <N> -> "k" : tensor<i64>
// CHECK-NEXT:    opc.require broadcast<k, M> "opc.add: extents do not broadcast"
// CHECK-NEXT:    %i = opc.iota : tensor<?xi64, #opc.dims<k>>
// CHECK-NEXT:    %r = opc.add %i, %x

// PLAN-LABEL: func.func @first(
// PLAN:         opc.data_extent %n most <N> -> "k" : memref<i64>
// PLAN-NEXT:    opc.require broadcast<k, M>
// PLAN-NEXT:    kernel.nest [bcast(M, k)] into (%out0)
func.func @first(%n: tensor<i64>, %x: tensor<?xi64, #opc.dims<M>>, %y: tensor<?xf32, #opc.dims<N>>) -> tensor<?xi64, #opc.dims<bcast(M, k)>> {
  opc.data_extent %n most <N> -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  %r = opc.add %i, %x : tensor<?xi64, #opc.dims<k>>, tensor<?xi64, #opc.dims<M>>
  return %r : tensor<?xi64, #opc.dims<bcast(M, k)>>
}

// The workspace has room for twice N numbers of 8 bytes.
// PLAN-LABEL: func.func @workspace(
// PLAN-SAME:    opc.workspace = #opc.index<floordiv(N*8 + 63, 64)*128 + 64>
// PLAN:         opc.data_extent
// PLAN-NEXT:    %r = loop.slice %workspace[floordiv(N*8 + 63, 64)*64 + 64] : memref<?xi64, #opc.dims<k>>
// PLAN:         kernel.nest [k] into
func.func @workspace(%n: tensor<?xi64, #opc.dims<N>>) -> tensor<i64> {
  %count = opc.reduce_sum %n {axes = [0]} : tensor<?xi64, #opc.dims<N>> -> tensor<i64>
  opc.data_extent %count most <N> -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  %r = opc.gather %n, %i {axes = [0]} : tensor<?xi64, #opc.dims<N>>, tensor<?xi64, #opc.dims<k>>
  %s = opc.reduce_sum %r {axes = [0]} : tensor<?xi64, #opc.dims<k>> -> tensor<i64>
  return %s : tensor<i64>
}

// What is made before the extents are known for which an output has room is copied there behind.
// PLAN-LABEL: func.func @early(
// PLAN:         kernel.nest [N, 4] into (%e)
// PLAN:         opc.data_extent %n most <M> -> "k" : memref<i64>
// PLAN:         kernel.nest [k] into (%out0)
func.func @early(%n: tensor<i64>, %x: tensor<?x4xf32, #opc.dims<N, 4>>, %y: tensor<?xf32, #opc.dims<M>>) -> tensor<?xf32, #opc.dims<k>> {
  %e = opc.neg %x : tensor<?x4xf32, #opc.dims<N, 4>> -> tensor<?x4xf32, #opc.dims<N, 4>>
  opc.data_extent %n most <M> -> "k" : tensor<i64>
  %r = opc.reshape %e : tensor<?x4xf32, #opc.dims<N, 4>> -> tensor<?xf32, #opc.dims<k>>
  return %r : tensor<?xf32, #opc.dims<k>>
}
