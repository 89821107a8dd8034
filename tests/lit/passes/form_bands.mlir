// Nests that work on each other's results share their outer loops.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,split-axes,form-bands{target=avx512}' | filecheck %s
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,split-axes,form-bands{target=avx512},schedule{target=avx512},lower-bands' | filecheck %s --check-prefix LOOPS

// The rows of q go in tiles; all of them read the keys and values of a head.
// CHECK-LABEL: func.func @attention(
// CHECK:         schedule.band by [1, 60] over [d0, d1], [d0, d1], [d0, d1] {
// CHECK-NEXT:      kernel.nest [4, 480, 300] into (%s) {
// CHECK:           kernel.nest [4, 480] into (%p) {
// CHECK:           kernel.nest [4, 480, 16] into (%out0) {

// Scores are those of a tile, and so are their places in memory.  What lies outside of the band is
// seen from where the tile begins, and named in the outermost loop that knows this.
// LOOPS-LABEL: func.func @attention(
// LOOPS:         loop.for [[H:%.+]] = <0> to <4> step 1 parallel {
// LOOPS-NEXT:      loop.view %k[d0*4800]([[H]]) : memref<4x300x16xf32>
// LOOPS-NEXT:      loop.view %v[d0*4800]([[H]]) : memref<4x300x16xf32>
// LOOPS-NEXT:      loop.for [[I:%.+]] = <0> to <480> step 60 serial {
// LOOPS-NEXT:        [[S:%.+]] = loop.local : memref<18000xf32>
// LOOPS-NEXT:        [[TILE:%.+]] = loop.view [[S]][0] : memref<1x60x300xf32>
// LOOPS-NEXT:        [[Q:%.+]] = loop.view %q[d0*7680 + d1*16]([[H]], [[I]]) : memref<4x480x16xf32>
// LOOPS:             kernel.nest [1, 60, 300] into ([[TILE]]) {
// LOOPS:               kernel.load [[Q]][d0, d1, d3] : f32
func.func @attention(%q: tensor<4x480x16xf32>, %k: tensor<4x300x16xf32>, %v: tensor<4x300x16xf32>) -> tensor<4x480x16xf32> {
  %t = opc.transpose %k {permutation = [0, 2, 1]}
  %s = opc.matmul %q, %t
  %m = opc.reduce_max %s {axes = [2], keepdims = true}
  %d = opc.sub %s, %m
  %e = opc.exp %d
  %n = opc.reduce_sum %e {axes = [2], keepdims = true}
  %p = opc.div %e, %n
  %o = opc.matmul %p, %v
  func.return %o : tensor<4x480x16xf32>
}

// What all tiles read, 16 MB of weights, would be read from memory for each of them.
// CHECK-LABEL: func.func @layers(
// CHECK-NOT:     schedule.band
func.func @layers(%x: tensor<512x1024xf32>, %w: tensor<1024x2048xf32>, %u: tensor<2048x1024xf32>) -> tensor<512x1024xf32> {
  %a = opc.matmul %x, %w
  %b = opc.relu %a
  %c = opc.matmul %b, %u
  func.return %c : tensor<512x1024xf32>
}
