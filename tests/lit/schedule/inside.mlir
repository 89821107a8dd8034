// A nest that got into another one, where a brace was moved: refused, with its line.
// RUN: not opc compile --emit c %s 2>&1 | filecheck %s

// CHECK: inside.mlir:10:5: error: schedule.tree: found kernel.nest after it, expected the end of a nest
func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %z: memref<4xf32>, %workspace: memref<?xi8>) attributes {
    opc.input_names = ["x"], opc.result_names = ["y", "z"], opc.outputs = 2 : i64, opc.workspace = #opc.index<0>} {
  kernel.nest [4, 8] into (%y) {
    %0 = kernel.load %x[d0, d1] : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.for [d0, d1] by 1 vector {
        schedule.run out
      }
    }
    kernel.nest [4] into (%z) {
      %1 = kernel.load %x[d0, 0] : f32
      kernel.store %1 to 0[d0]
      schedule.tree {
        schedule.for [d0] by 1 vector {
          schedule.run out
        }
      }
    }
  }
  func.return
}
