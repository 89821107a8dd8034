// What memory bounds goes past the caches.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,schedule{target=avx512}' | filecheck %s

// Rows of whole lines.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     schedule.if
// CHECK:         schedule.non_temporal stores [0] {
func.func @rows(%x: tensor<12000x1024xf32>, %b: tensor<1024xf32>) -> tensor<12000x1024xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<12000x1024xf32>
}

// Two results of one nest.
// CHECK-LABEL: func.func @two(
// CHECK-NOT:     schedule.if
// CHECK:         schedule.non_temporal stores [0, 1] {
func.func @two(%x: tensor<12000x1024xf32>) -> (tensor<12000x1024xf32>, tensor<12000x1024xf32>) {
  %r = opc.neg %x
  %s = opc.add %r, %r
  return %r, %s : tensor<12000x1024xf32>, tensor<12000x1024xf32>
}

// Of unknown extents many bytes.
// CHECK-LABEL: func.func @unknown(
// CHECK:         schedule.if <-atleast(M*N*8, 18874368) + 1> asks ["more than the caches hold"] "through the caches" {
// CHECK:         } else "past the caches" {
// CHECK:           schedule.non_temporal stores [0] {
func.func @unknown(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.neg %x
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// Rows become columns.
// CHECK-LABEL: func.func @turned(
// CHECK-NOT:     schedule.if
// CHECK:         schedule.non_temporal stores [0] {
func.func @turned(%x: tensor<1024x4096xf32>) -> tensor<4096x1024xf32> {
  %t = opc.transpose %x {permutation = [1, 0]}
  %r = opc.neg %t
  return %r : tensor<4096x1024xf32>
}

// Not what caches may hold, nor rows that are no whole number of cache lines, nor
// what reduces or takes its time to compute, nor what is read again.
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     schedule.non_temporal
func.func @small(%x: tensor<2000x1024xf32>) -> tensor<2000x1024xf32> {
  %r = opc.neg %x
  return %r : tensor<2000x1024xf32>
}
func.func @odd(%x: tensor<260000x50xf32>, %b: tensor<50xf32>) -> tensor<260000x50xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<260000x50xf32>
}
func.func @swept(%x: tensor<12000x1024xf32>) -> tensor<12000x1024xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %r = opc.sub %x, %m
  return %r : tensor<12000x1024xf32>
}
func.func @costly(%x: tensor<12000x1024xf32>) -> tensor<12000x1024xf32> {
  %r = opc.exp %x
  return %r : tensor<12000x1024xf32>
}
func.func @functions(%x: tensor<12000x1024xf32>) -> tensor<12000x1024xf32> {
  %s = opc.reduce_min %x {axes = [1], keepdims = true}
  %u = opc.sub %s, %x
  %e = opc.exp %u
  %t = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %t
  return %r : tensor<12000x1024xf32>
}
func.func @again(%x: tensor<?xf32, #opc.dims<N>>) -> (tensor<?xf32, #opc.dims<N>>, tensor<f32>) {
  %r = opc.neg %x
  %s = opc.reduce_sum %r {axes = [0]}
  return %r, %s : tensor<?xf32, #opc.dims<N>>, tensor<f32>
}
