// A tile stores as many columns as it has where it is whole, and what is left of them at the end.
// RUN: opc-opt %s -p lower-schedules,simplify-loops | filecheck %s

// CHECK-LABEL: func.func @scores(
// CHECK:         loop.for [[T:%.+]] = <0> to <40> step 16 serial {
// CHECK:           loop.if <atleast(-d0 + min(d0 + 16, 40), 16)>([[T]]) {
// CHECK-NEXT:        loop.for {{%.+}} = <0> to <4> step 1 serial {
// CHECK-NEXT:          loop.for {{%.+}} = <d0> to <d0 + 16>([[T]]) step 1 vector {
// CHECK:           } else {
// CHECK-NEXT:        loop.for {{%.+}} = <0> to <4> step 1 serial {
// CHECK-NEXT:          loop.for {{%.+}} = <d0> to <min(d0 + 16, 40)>([[T]]) step 1 vector {
func.func @scores(%x: memref<4x8xf32>, %w: memref<8x40xf32>, %y: memref<4x40xf32>,
                  %workspace: memref<?xi8>) attributes {opc.workspace = #opc.index<0>,
                                                        opc.outputs = 1 : i64} {
  kernel.nest [4, 40] into (%y) {
    %0 = kernel.sweep [8] (dot) {
      %1 = kernel.load %x[d0, d2] : f32
      %2 = kernel.load %w[d2, d1] : f32
      %3 = scalar.apply mul(%1, %2) : f32
      kernel.yield %3
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.for [d0] by 4 parallel {
        schedule.for [d1] by 16 serial {
          schedule.run init
          schedule.for [d2] by 1 serial {
            schedule.for [d0] by 1 unroll {
              schedule.for [d1] by 16 vector {
                schedule.run step
              }
            }
          }
          schedule.run finish
          schedule.for [d0] by 1 serial {
            schedule.for [d1] by 1 vector {
              schedule.run out
            }
          }
        }
      }
    }
  }
  return
}
