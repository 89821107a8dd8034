// Short rows of columns, of which several are a block.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// A factor keeps groups of 3 columns apart: a block goes along both dimensions.
// CHECK-LABEL: func.func @groups(
// CHECK:         loop.for [[B:%.+]] = <0> to <1024> step 256 parallel {
// CHECK:           [[A:%.+]] = loop.local : memref<768xf32>
// CHECK:           loop.for [[I:%.+]] = <0> to <256> step 1 serial {
// CHECK-NEXT:        loop.for [[K:%.+]] = <0> to <3> step 1 vector {
// CHECK:               loop.load %x[d0*3 + d1*3 + d2 + 3072]([[B]], [[I]], [[K]]) : f32
// CHECK:               loop.load %y[d0 + d1 + 1024]([[B]], [[I]]) : f32
// CHECK:               loop.store {{%.+}} to [[A]][d0*3 + d1]([[I]], [[K]])
func.func @groups(%x: tensor<8x1024x3xf32>, %y: tensor<8x1024x1xf32>) -> tensor<1024x3xf32> {
  %d = opc.mul %x, %y
  %r = opc.reduce_sum %d {axes = [0]}
  return %r : tensor<1024x3xf32>
}
