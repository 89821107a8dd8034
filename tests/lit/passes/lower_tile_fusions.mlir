// The nests of a tile fusion are those of a tile, in the loops of the tile fusion.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,split-axes,form-tile-fusions{target=avx512},schedule{target=avx512},lower-tile-fusions' | filecheck %s

// Scores are those of a tile, and so are their places in memory.  What lies outside of the tile fusion is
// seen from where the tile begins, and named in the outermost loop that knows this.
// CHECK-LABEL: func.func @attention(
// CHECK:         loop.for [[H:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:      loop.view %k[d0*4800]([[H]]) : memref<4x300x16xf32>
// CHECK-NEXT:      loop.view %v[d0*4800]([[H]]) : memref<4x300x16xf32>
// CHECK-NEXT:      loop.for [[I:%.+]] = <0> to <480> step 60 serial {
// CHECK-NEXT:        [[S:%.+]] = loop.local : memref<18000xf32>
// CHECK-NEXT:        [[TILE:%.+]] = loop.view [[S]][0] : memref<1x60x300xf32>
// CHECK-NEXT:        [[Q:%.+]] = loop.view %q[d0*7680 + d1*16]([[H]], [[I]]) : memref<4x480x16xf32>
// CHECK:             kernel.nest [1, 60, 300] into ([[TILE]]) {
// CHECK:               kernel.load [[Q]][d0, d1, d3] : f32
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
