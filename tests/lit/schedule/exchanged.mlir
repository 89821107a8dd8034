// Nests and loops that somebody moved in a schedule: refused, with what they break.
// RUN: not opc compile --emit c %s 2>&1 | filecheck %s

// CHECK: exchanged.mlir:8:3: error: kernel.nest [8] into (%y) reads %q, which nothing before it writes
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %workspace: memref<?xi8>) attributes {
    opc.input_names = ["x"], opc.result_names = ["y"], opc.outputs = 1 : i64, opc.workspace = #opc.index<64>} {
  %q = loop.slice %workspace[0] : memref<8xf32>
  kernel.nest [8] into (%y) {
    %0 = kernel.load %q[d0] : f32
    kernel.store %0 to 0[d0]
    schedule.tree {
      schedule.for [d0] by 1 vector {
        schedule.run out
      }
    }
  }
  kernel.nest [8] into (%q) {
    %0 = kernel.load %x[d0] : f32
    kernel.store %0 to 0[d0]
    schedule.tree {
      schedule.for [d0] by 1 vector {
        schedule.run out
      }
    }
  }
  func.return
}
