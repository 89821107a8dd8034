// Nests that work on each other's results share their outer loops.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,split-axes,form-tile-fusions{target=avx512}' | filecheck %s

// The rows of q go in tiles; all of them read the keys and values of a head.
// CHECK-LABEL: func.func @attention(
// CHECK:         schedule.tile_fusion by [1, 60] over [d0, d1], [d0, d1], [d0, d1] {
// CHECK-NEXT:      kernel.nest [4, 480, 300] into (%s) {
// CHECK:           kernel.nest [4, 480] into (%p) {
// CHECK:           kernel.nest [4, 480, 16] into (%out0) {

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
// CHECK-NOT:     schedule.tile_fusion
func.func @layers(%x: tensor<512x1024xf32>, %w: tensor<1024x2048xf32>, %u: tensor<2048x1024xf32>) -> tensor<512x1024xf32> {
  %a = opc.matmul %x, %w
  %b = opc.relu %a
  %c = opc.matmul %b, %u
  func.return %c : tensor<512x1024xf32>
}

// Channels go a few at a time, so that not all results are in memory; padding is laid out in loops.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         schedule.tile_fusion by [12] over [d1], [d1] {
// CHECK-NEXT:      kernel.nest [1, 144, 56, 56] into (%a) {
// CHECK:           kernel.nest [1, 144, 56, 56] into (%out0) {
func.func @depthwise(%x: tensor<1x24x56x56xf32>, %w: tensor<144x24x1x1xf32>, %d: tensor<144x1x3x3xf32>) -> tensor<1x144x56x56xf32> {
  %a = opc.conv %x, %w
  %b = opc.conv %a, %d {pads = [1, 1, 1, 1], groups = 144}
  func.return %b : tensor<1x144x56x56xf32>
}

// Rows that neighbours see as well are in no tile.
// CHECK-LABEL: func.func @windows(
// CHECK-NOT:     schedule.tile_fusion
func.func @windows(%x: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %a = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  func.return %a : tensor<1x64x56x56xf32>
}
