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

// Values are computed of bytes that lie along the chain: in vectors of these, whose rows are transposed then.
// CHECK-LABEL: func.func @rows(
// CHECK:         [[T:%.+]] = loop.local : memref<128xf32>
// CHECK:         loop.for [[K:%.+]] = <0> to <32> step 16 serial {
// CHECK-NEXT:      loop.for [[R:%.+]] = <0> to <8> step 1 serial {
// CHECK-NEXT:        loop.for [[V:%.+]] = <0> to <16> step 1 vector {
// CHECK:               loop.load %w[
// CHECK-NEXT:          [[A:%.+]] = scalar.apply cast(%{{.+}}) : f32
// CHECK-NEXT:          loop.store [[A]] to [[T]][d0*16 + d1]([[R]], [[V]])
// CHECK:           loop.transpose [[T]] to %{{.+}}[0, 16, d0*8, 8, 8, 16]([[K]])
func.func @rows(%x: memref<6x32xf32>, %w: memref<16x32xi8>, %y: memref<6x16xf32>,
                %workspace: memref<?xi8>) attributes {opc.workspace = #opc.index<0>,
                                                      opc.outputs = 1 : i64} {
  kernel.nest [6, 16] into (%y) {
    %0 = kernel.sweep [32] (dot) {
      %1 = kernel.load %x[d0, d2] : f32
      %2 = kernel.load %w[d1, d2] : i8
      %3 = scalar.apply cast(%2) : f32
      %4 = scalar.apply mul(%1, %3) : f32
      kernel.yield %4
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.for [d1] by 8 parallel {
        schedule.pack right by 8
        schedule.for [d0] by 6 serial {
          schedule.run init
          schedule.for [d2] by 1 serial {
            schedule.for [d0] by 1 unroll {
              schedule.for [d1] by 8 vector {
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
