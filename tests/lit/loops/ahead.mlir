// While a row is in a cache, the first sweep of the next row is asked for.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// The second sweep does so with each two rows of a group.
// CHECK-LABEL: func.func @variance(
// CHECK:         loop.for [[I:%.+]] = <0> to <4096> step 1 parallel {
// CHECK-NOT:       loop.prefetch
// CHECK:           loop.combine sum
// CHECK:           loop.prefetch %x[d0*512 + 512, 128]([[I]])
// CHECK:           loop.prefetch %x[d0*512 + 640, 128]([[I]])
// CHECK:           loop.prefetch %x[d0*512 + 768, 128]([[I]])
// CHECK:           loop.prefetch %x[d0*512 + 896, 128]([[I]])
// CHECK:           loop.combine sum
func.func @variance(%x: tensor<4096x512xf32>) -> (tensor<4096x1xf32>, tensor<4096x1xf32>) {
  %m = opc.reduce_mean %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %v = opc.reduce_mean %q {axes = [1], keepdims = true}
  return %m, %v : tensor<4096x1xf32>, tensor<4096x1xf32>
}

// In a software pipeline, the next row is computed while this one is finished: the one after that.
// CHECK-LABEL: func.func @softmax(
// CHECK:         loop.for [[B:%.+]] = <0> to <4096> step 256 parallel {
// CHECK:           loop.for [[I:%.+]] = <d0> to <d0 + 255>([[B]]) step 1 serial {
// CHECK:             loop.for [[G:%.+]] = <0> to <512> step 64 serial {
// CHECK:               loop.prefetch %x[d0*512 + d1 + 1024, 64]([[I]], [[G]])
func.func @softmax(%x: tensor<4096x512xf32>) -> tensor<4096x512xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %c = opc.sub %x, %m
  %e = opc.exp %c
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<4096x512xf32>
}

// What fits into the second cache is there already.
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     loop.prefetch
// CHECK:         func.return
func.func @small(%x: tensor<16x512xf32>) -> (tensor<16x1xf32>, tensor<16x1xf32>) {
  %m = opc.reduce_mean %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %v = opc.reduce_mean %q {axes = [1], keepdims = true}
  return %m, %v : tensor<16x1xf32>, tensor<16x1xf32>
}
