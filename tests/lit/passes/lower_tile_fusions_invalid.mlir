// Tile fusions whose tiles are not independent: refused, with the nests and the buffer.
// RUN: not opc-opt --split-input-file %s -p lower-tile-fusions 2>&1 | filecheck %s

// CHECK: :7:5: error: schedule.tile_fusion: tiles touch what others of them write: of %s none has a part of its own; kernel.nest [4] into (%s) writes it along [d0], kernel.nest [4] into (%y) reads it along [d0]
func.func @shared(%x: memref<4xf32>, %s: memref<4xf32>, %y: memref<4xf32>) {
  schedule.tile_fusion by [2] over [d0], [d0] {
    kernel.nest [4] into (%s) {
      %0 = kernel.load %x[d0] : f32
      kernel.store %0 to 0[d0]
    }
    kernel.nest [4] into (%y) {
      %1 = kernel.load %s[0] : f32
      kernel.store %1 to 0[d0]
    }
  }
  return
}

// -----

// CHECK: :24:5: error: schedule.tile_fusion: kernel.nest [4] into (%y) has kernel.load of %x in it, which does not move with a tile along [d0]
func.func @does_not_move(%x: memref<4xf32>, %y: memref<4xf32>) {
  schedule.tile_fusion by [2] over [d0] {
    kernel.nest [4] into (%y) {
      %0 = kernel.load %x[floordiv(d0, 2)] : f32
      kernel.store %0 to 0[d0]
    }
  }
  return
}
