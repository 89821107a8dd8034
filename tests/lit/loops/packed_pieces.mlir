// Filters whose memory runs along what is contracted, but not in its order, go into their panels a
// piece at a time: it is turned around, and its values go to their places.
// RUN: opc-opt %s -p lower-schedules,simplify-loops | filecheck %s

// 32 channels of 6 taps for 16 rows are 12 KiB, twice as many too much. The last piece has 4.
// CHECK-LABEL: func.func @pieces(
// CHECK:         loop.for %1 = <0> to <32> step 16 parallel {
// CHECK-NEXT:      loop.for %2 = <0> to <100> step 32 serial {
// CHECK-NEXT:        [[A:%.+]] = loop.local : memref<3072xf32>
// CHECK-NEXT:        loop.transpose %w to [[A]][d0*600 + d1*6, 600, 0, 16, 16, -d1*6 + min(d1 + 32, 100)*6](%1, %2)
// CHECK-NEXT:        loop.for %4 = <0> to <2> step 1 serial {
// CHECK-NEXT:          loop.for %5 = <0> to <3> step 1 serial {
// CHECK-NEXT:            loop.for %6 = <d0> to <min(d0 + 32, 100)>(%2) step 1 serial {
// CHECK-NEXT:              loop.for %7 = <0> to <16> step 1 vector {
// CHECK-NEXT:                [[V:%.+]] = loop.load [[A]][-d0*96 + d1*48 + d2*16 + d3*96 + d4](%2, %4, %5, %6, %7) : f32
// CHECK-NEXT:                loop.store [[V]] to %0[d0*600 + d1*4800 + d2*1600 + d3*16 + d4](%1, %4, %5, %6, %7)
func.func @pieces(%x: memref<100x3x6xf32>, %w: memref<32x100x2x3xf32>, %y: memref<32x2x4xf32>,
                  %workspace: memref<?xi8>) attributes {opc.workspace = #opc.index<0>,
                                                        opc.outputs = 1 : i64} {
  kernel.nest [32, 2, 4] into (%y) {
    %0 = kernel.sweep [2, 3, 100] (dot) {
      %1 = kernel.load %x[d5, d1 + d3, d2 + d4] : f32
      %2 = kernel.load %w[d0, d5, d3, d4] : f32
      %3 = scalar.apply mul(%1, %2) : f32
      kernel.yield %3
    } : f32
    kernel.store %0 to 0[d0, d1, d2]
    schedule.tree {
      schedule.pack right by 16
      schedule.for [d0] by 16 parallel {
        schedule.for [d1] by 1 serial {
          schedule.for [d2] by 4 serial {
            schedule.run start
            schedule.for [d3, d4, d5] by 512 serial {
              schedule.run init
              schedule.for [d3] by 1 serial {
                schedule.for [d4] by 1 serial {
                  schedule.for [d5] by 1 serial {
                    schedule.for [d2] by 1 unroll {
                      schedule.for [d0] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                }
              }
              schedule.run finish
            }
            schedule.for [d0] by 1 serial {
              schedule.for [d2] by 1 vector {
                schedule.run out
              }
            }
          }
        }
      }
    }
  }
  func.return
}
