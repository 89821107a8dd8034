// Schedules of nests that are no contractions print what they parse.
// RUN: opc-opt %s | opc-opt | filecheck %s

// CHECK-LABEL: func.func @nests(
// CHECK-NEXT:    schedule.tree {
// CHECK-NEXT:      schedule.if <-atleast(N, 17) + 1> asks ["long rows"] "short rows as one" {
// CHECK-NEXT:        schedule.for [d0] by <floordiv(1024, N)> parallel {
// CHECK-NEXT:          schedule.coalesce [d0], [d1, d2] {
// CHECK-NEXT:            schedule.run out
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      } else {
// CHECK-NEXT:        schedule.for [d0] by 16 parallel {
// CHECK-NEXT:          schedule.transpose loads [0, 2] {
// CHECK-NEXT:            schedule.prefetch 0 along [d1]
// CHECK-NEXT:            schedule.non_temporal stores [0] {
// CHECK-NEXT:              schedule.for [d1] by 1 vector {
// CHECK-NEXT:                schedule.run out
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:          schedule.pack_rows
// CHECK-NEXT:          schedule.pipeline [d0] sweep 1 by 64 {
// CHECK-NEXT:            schedule.run init 0
// CHECK-NEXT:            schedule.for [d1] by <floordiv(M, 4)> parallel {
// CHECK-NEXT:              schedule.for [d1] by 512 serial pad <16> {
// CHECK-NEXT:                schedule.run value 0
// CHECK-NEXT:                schedule.for [d1] by 64 lanes {
// CHECK-NEXT:                  schedule.run step 0
// CHECK-NEXT:                }
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:            schedule.run finish 0
// CHECK-NEXT:          } beside {
// CHECK-NEXT:            schedule.run locate 1
// CHECK-NEXT:            schedule.run out
func.func @nests() {
  schedule.tree {
    schedule.if <1 - atleast(N, 17)> asks ["long rows"] "short rows as one" {
      schedule.for [d0] by <floordiv(1024, N)> parallel {
        schedule.coalesce [d0], [d1, d2] {
          schedule.run out
        }
      }
    } else {
      schedule.for [d0] by 16 parallel {
        schedule.transpose loads [0, 2] {
          schedule.prefetch 0 along [d1]
          schedule.non_temporal stores [0] {
            schedule.for [d1] by 1 vector {
              schedule.run out
            }
          }
        }
        schedule.pack_rows
        schedule.pipeline [d0] sweep 1 by 64 {
          schedule.run init 0
          schedule.for [d1] by <floordiv(M, 4)> parallel {
            schedule.for [d1] by 512 serial pad <16> {
              schedule.run value 0
              schedule.for [d1] by 64 lanes {
                schedule.run step 0
              }
            }
          }
          schedule.run finish 0
        } beside {
          schedule.run locate 1
          schedule.run out
        }
      }
    }
  }
  return
}

// Nothing is done for no points, and the lanes of unknown columns are read as they are written.
// CHECK-LABEL: func.func @none(
// CHECK:           kernel.sweep [M] lanes pow2(floordiv(64, max(N, 1))) (sum)
// CHECK:           schedule.tree {
// CHECK-NEXT:      }
func.func @none(%x: memref<?x?xf32, #opc.dims<M, N>>, %y: memref<?xf32, #opc.dims<N>>) {
  kernel.nest [N] into (%y) {
    %0 = kernel.sweep [M] lanes pow2(floordiv(64, max(N, 1))) (sum) {
      %1 = kernel.load %x[d1, d0] : f32
      kernel.yield %1
    } : f32
    kernel.store %0 to 0[d0]
    schedule.tree {
    }
  }
  return
}
