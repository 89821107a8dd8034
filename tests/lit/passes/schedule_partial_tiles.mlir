// The last tile has fewer points: its nests get a schedule of their own.
// RUN: opc-opt %s -p 'lower-tile-fusions,schedule-partial-tiles{target=avx512}' | filecheck %s

// CHECK:       loop.for {{.*}} = <0> to <96> step 32 parallel {
// CHECK:         kernel.nest [32] into ({{.*}}) {
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.for [d0] by 16 serial {
// CHECK:       kernel.nest [4] into ({{.*}}) {
// CHECK:         schedule.tree {
// CHECK-NEXT:      schedule.for [d0] by 1 vector {
func.func @add(%x: memref<100xf32>, %y: memref<100xf32>, %workspace: memref<?xi8>) {
  schedule.tile_fusion by [32] over [d0] {
    kernel.nest [100] into (%y) {
      %0 = kernel.load %x[d0] : f32
      %1 = scalar.apply add(%0, %0) : f32
      kernel.store %1 to 0[d0]
      schedule.tree {
        schedule.for [d0] by 16 serial {
          schedule.for [d0] by 1 vector {
            schedule.run out
          }
        }
      }
    }
  }
  func.return
}
