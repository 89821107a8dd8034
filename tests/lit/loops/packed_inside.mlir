// What a loop leaves of an operand is packed in it, into an array of its own. Where it is peeled, there
// is a part in front of the first cache line, whole lines, and what is left.
// RUN: opc-opt %s -p lower-schedules,simplify-loops | filecheck %s

// The last 16 of 40 rows begin early, so that squares are full; of 30 products, 14 are a part.
// CHECK-LABEL: func.func @column(
// CHECK:         loop.for %0 = <0> to <40> step 16 parallel {
// CHECK:           [[A:%.+]] = loop.local : memref<256xf32>
// CHECK-NEXT:      loop.transpose %x to [[A]][min(d0, 24)*30, 30, 0, 16, 16, 16](%0)
// CHECK-NEXT:      loop.for {{%.+}} = <0> to <16> step 1 serial {
// CHECK:           [[B:%.+]] = loop.local : memref<256xf32>
// CHECK-NEXT:      loop.transpose %x to [[B]][min(d0, 24)*30 + 16, 30, 0, 16, 16, 14](%0)
// CHECK-NEXT:      loop.for {{%.+}} = <16> to <30> step 1 serial {
// CHECK:           loop.for {{%.+}} = <d0> to <min(d0 + 16, 40)>(%0) step 1 vector {
func.func @column(%x: memref<40x30xf32>, %w: memref<30x1xf32>, %y: memref<40x1xf32>,
                  %workspace: memref<?xi8>) attributes {opc.workspace = #opc.index<0>,
                                                        opc.outputs = 1 : i64} {
  kernel.nest [40, 1] into (%y) {
    %0 = kernel.sweep [30] (dot) {
      %1 = kernel.load %x[d0, d2] : f32
      %2 = kernel.load %w[d2, d1] : f32
      %3 = scalar.apply mul(%1, %2) : f32
      kernel.yield %3
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.for [d0] by 16 parallel {
        schedule.run init
        schedule.for [d2] by 16 serial {
          schedule.pack right by 16
          schedule.for [d2] by 1 serial {
            schedule.for [d0] by 16 vector {
              schedule.run step
            }
          }
        }
        schedule.run finish
        schedule.for [d0] by 1 vector {
          schedule.run out
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @lines(
// CHECK:           loop.for [[B:%.+]] = <0> to <1024> step 512 serial {
// CHECK:             [[N:%.+]] = loop.ahead %x[d1 + min(d0, 24)*1024]({{%.+}}, [[B]]) : index
// CHECK-NEXT:        loop.for {{%.+}} = <d0> to <min(d0 + d1, min(d0 + 512, 1024))>([[B]], [[N]]) step 16 serial {
// CHECK:               loop.transpose %x to {{.*}}, 1024, 0, 16, 16, -d3 + min(
// CHECK:             loop.for {{%.+}} = <min(d0 + d1, min(d0 + 512, 1024))> to <{{.*}}>([[B]], [[N]]) step 16 serial {
// CHECK:               loop.transpose %x to {{.*}}, 1024, 0, 16, 16, 16]
// CHECK:             loop.for {{.*}} to <min(d0 + 512, 1024)>([[B]], [[N]]) step 16 serial {
// CHECK:               loop.transpose %x to {{.*}}, 1024, 0, 16, 16, -d2 + min(
func.func @lines(%x: memref<40x1024xf32>, %w: memref<1024x1xf32>, %y: memref<40x1xf32>,
                  %workspace: memref<?xi8>) attributes {opc.workspace = #opc.index<0>,
                                                        opc.outputs = 1 : i64} {
  kernel.nest [40, 1] into (%y) {
    %0 = kernel.sweep [1024] (dot) {
      %1 = kernel.load %x[d0, d2] : f32
      %2 = kernel.load %w[d2, d1] : f32
      %3 = scalar.apply mul(%1, %2) : f32
      kernel.yield %3
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.for [d0] by 16 parallel {
        schedule.run start
        schedule.for [d2] by 512 serial {
          schedule.run init
          schedule.for [d2] by 16 serial peel {
            schedule.pack right by 16
            schedule.for [d2] by 1 serial {
              schedule.for [d0] by 16 vector {
                schedule.run step
              }
            }
          }
          schedule.run finish
        }
        schedule.for [d0] by 1 vector {
          schedule.run out
        }
      }
    }
  }
  return
}
