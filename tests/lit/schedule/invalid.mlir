// What the operations of a schedule refuse, wherever they stand.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: schedule.for: an axis is a list of dimensions
func.func @schedule_for_c1() {
  schedule.for [d0 + 1] by 1 serial {
    schedule.run out
  }
  return
}

// -----

// CHECK: :16:3: error: schedule.for: dimensions (2, 0) are not in order
func.func @schedule_for_c1_order() {
  schedule.for [d2, d0] by 1 serial {
    schedule.run out
  }
  return
}

// -----

// CHECK: :26:3: error: schedule.for: found by 0, kind serial
func.func @schedule_for_c2() {
  schedule.for [d0] by 0 serial {
    schedule.run out
  }
  return
}

// -----

// CHECK: :36:3: error: schedule.pack: found panels of 0, expected 1 or more
func.func @schedule_pack_c1() {
  schedule.pack left by 0
  return
}

// -----

// CHECK: :44:3: error: schedule.run: found stage begin, expected one of start, init, value,
func.func @schedule_run_c1() {
  schedule.run begin
  return
}

// -----

// CHECK: :52:3: error: schedule.pad: found operand middle, expected left or right
func.func @schedule_pad_c1() {
  schedule.pad middle
  return
}

// -----

// CHECK: schedule.tile_fusion: dimensions of 1 nests are needed
func.func @band_c1(%x: memref<4xf32>, %y: memref<4xf32>) {
  schedule.tile_fusion by [2] over [d0], [d0] {
    kernel.nest [4] into (%y) {
      %0 = kernel.load %x[d0] : f32
      kernel.store %0 to 0[d0]
    }
  }
  return
}

// -----

// CHECK: schedule.tile_fusion: tiles of 3 do not fill 4
func.func @band_c2(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  schedule.tile_fusion by [3, 2] over [d0, d1] {
    kernel.nest [4, 4] into (%y) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.store %0 to 0[d0, d1]
    }
  }
  return
}

// -----

// CHECK: schedule.if: found <d0>, expected one expression over extents
func.func @schedule_if_c1() {
  schedule.if <d0> {
    schedule.run out
  } else {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.coalesce: found [d0], expected several axes
func.func @schedule_coalesce_c1() {
  schedule.coalesce [d0] {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.transpose: found [], expected different numbers
func.func @schedule_transpose_c1() {
  schedule.transpose loads [] {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.transpose: found [1, 1], expected different numbers from 0 on
func.func @schedule_transpose_c1_twice() {
  schedule.transpose loads [1, 1] {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.prefetch: dimensions (1, 0) are not in order
func.func @schedule_prefetch_c1() {
  schedule.prefetch 0 along [d1, d0]
  return
}

// -----

// CHECK: schedule.pipeline: turns of 0 values
func.func @schedule_pipeline_c1_turns() {
  schedule.pipeline [d0] sweep 0 by 0 {
    schedule.run init 0
  } beside {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.pipeline: dimensions (1, 0) are not in order
func.func @schedule_pipeline_c1() {
  schedule.pipeline [d1, d0] sweep 0 by 64 {
    schedule.run init 0
  } beside {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.run: found out 1, expected no number
func.func @schedule_run_c1_number() {
  schedule.run out 1
  return
}

// -----

// CHECK: :171:5: error: schedule.tree: found schedule.tree after it, expected the end of a nest
func.func @schedule_tree_c1(%x: memref<4xf32>, %y: memref<4xf32>) {
  kernel.nest [4] into (%y) {
    %0 = kernel.load %x[d0] : f32
    kernel.store %0 to 0[d0]
    schedule.tree {
    }
    schedule.tree {
    }
  }
  return
}

// -----

// CHECK: schedule.if: remark 'a\nb' is more than words
func.func @remarks_c1() {
  schedule.if <atleast(N, 1)> "a\nb" {
    schedule.run out
  } else {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.for: found pad <16, 8>, expected ascending numbers
func.func @schedule_for_c4() {
  schedule.tree {
    schedule.for [d0] by 1 unroll pad <16, 8> {
      schedule.run step 0
    }
  }
  return
}

// -----

// CHECK: schedule.coalesce: vectors of 0 values
func.func @schedule_coalesce_c2() {
  schedule.coalesce [d0], [d1] by 0 {
    schedule.run out
  }
  return
}

// -----

// CHECK: schedule.pack: found lanes 8, expected vectors that fill 12 values
func.func @schedule_pack_c2() {
  schedule.pack right by 12 stored lanes 8
  return
}

// -----

// CHECK: schedule.pack: found prefetch 0, expected 1 to {{[0-9]+}} bytes
func.func @schedule_pack_c3() {
  schedule.pack right by 16 prefetch 0
  return
}
