// An operand is packed in front of all loops: full panels, and one that is not.
// RUN: opc-opt %s -p lower-schedules,simplify-loops | filecheck %s

// The last of 50 columns fills the panel in a loop of its own: a minimum in the index of the copy makes
// C compilers gather values one by one.
// CHECK-LABEL: func.func @panel(
// CHECK:         loop.for [[K:%.+]] = <0> to <8> step 1 serial {
// CHECK-NEXT:      loop.for [[I:%.+]] = <0> to <50> step 1 vector {
// CHECK-NEXT:        [[A:%.+]] = loop.load %w[d0*99 + d1*2]([[K]], [[I]]) : f32
// CHECK-NEXT:        loop.store [[A]] to [[B:%.+]][d0*64 + d1]([[K]], [[I]])
// CHECK:           loop.for [[J:%.+]] = <50> to <64> step 1 vector {
// CHECK-NEXT:        [[C:%.+]] = loop.load %w[d0*99 + 98]([[K]]) : f32
// CHECK-NEXT:        loop.store [[C]] to [[B]][d0*64 + d1]([[K]], [[J]])
func.func @panel(%x: memref<6x8xf32>, %w: memref<8x99xf32>, %y: memref<6x50xf32>,
                 %workspace: memref<?xi8>) attributes {opc.workspace = #opc.index<0>,
                                                       opc.outputs = 1 : i64} {
  kernel.nest [6, 50] into (%y) {
    %0 = kernel.sweep [8] (dot) {
      %1 = kernel.load %x[d0, d2] : f32
      %2 = kernel.load %w[d2, d1 * 2] : f32
      %3 = scalar.apply mul(%1, %2) : f32
      kernel.yield %3
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.pack right by 64
      schedule.for [d0] by 6 parallel {
        schedule.for [d1] by 64 serial {
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
