// Schedules print what they parse.
// RUN: opc-opt %s | opc-opt | filecheck %s

// CHECK-LABEL: func.func @tree(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.pack left by 2
// CHECK-NEXT:        schedule.pack right by 4
// CHECK-NEXT:        schedule.for [d1] by 4 parallel {
// CHECK-NEXT:          schedule.for [d0] by 2 serial {
// CHECK-NEXT:            schedule.run init
// CHECK-NEXT:            schedule.for [d2] by 1 serial {
// CHECK-NEXT:              schedule.for [d0] by 1 unroll {
// CHECK-NEXT:                schedule.for [d1] by 4 vector {
// CHECK-NEXT:                  schedule.run step
func.func @tree(%x: memref<6x8xf32>, %w: memref<8x4xf32>, %y: memref<6x4xf32>) {
  kernel.nest [6, 4] into (%y) {
    %0 = kernel.sweep [8] (dot) {
      %1 = kernel.load %x[d0, d2] : f32
      %2 = kernel.load %w[d2, d1] : f32
      %3 = scalar.apply mul(%1, %2) : f32
      kernel.yield %3
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.pack left by 2
      schedule.pack right by 4
      schedule.for [d1] by 4 parallel {
        schedule.for [d0] by 2 serial {
          schedule.run init
          schedule.for [d2] by 1 serial {
            schedule.for [d0] by 1 unroll {
              schedule.for [d1] by 4 vector {
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

// In loops, what they leave is packed; parts of a chain go in a loop of their own.
// CHECK-LABEL: func.func @inside(
// CHECK:           schedule.for [d2] by 16 serial {
// CHECK-NEXT:        schedule.pack right by 16
// CHECK-NEXT:        schedule.for [d2] by 1 serial {
func.func @inside() {
  schedule.tree {
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
  }
  return
}

// The first part may end where a cache line begins.
// CHECK-LABEL: func.func @peeled(
// CHECK:           schedule.for [d2] by 16 serial peel {
func.func @peeled() {
  schedule.tree {
    schedule.for [d2] by 16 serial peel {
      schedule.pack right by 16
    }
  }
  return
}

// What is laid out with its padding has no panels.
// CHECK-LABEL: func.func @padded(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.pad left
// CHECK-NEXT:        schedule.pack right by 4
func.func @padded() {
  schedule.tree {
    schedule.pad left
    schedule.pack right by 4
  }
  return
}

// Steps prefetch what lies behind the rows of a panel that they read.
// CHECK-LABEL: func.func @rows(
// CHECK:           schedule.pack right by 4 prefetch 2048
func.func @rows() {
  schedule.tree {
    schedule.pack right by 4 prefetch 2048
  }
  return
}

// Steps prefetch panels.
// CHECK-LABEL: func.func @prefetched(
// CHECK:           schedule.for [d2] by 1 serial {
// CHECK-NEXT:        schedule.prefetch_panel right
// CHECK-NEXT:        schedule.run step
func.func @prefetched() {
  schedule.tree {
    schedule.pack right by 4
    schedule.for [d2] by 1 serial {
      schedule.prefetch_panel right
      schedule.run step
    }
  }
  return
}

// Steps prefetch what the next tile reads.
// CHECK-LABEL: func.func @ahead(
// CHECK:           schedule.for [d2] by 1 serial {
// CHECK-NEXT:        schedule.prefetch_tile left
// CHECK-NEXT:        schedule.run step
func.func @ahead() {
  schedule.tree {
    schedule.for [d2] by 1 serial {
      schedule.prefetch_tile left
      schedule.run step
    }
  }
  return
}

// A tail is filled up.
// CHECK-LABEL: func.func @tails(
// CHECK:           schedule.for [d1] by 1 unroll pad <8, 16> {
// CHECK-NEXT:        schedule.run step 0
func.func @tails() {
  schedule.tree {
    schedule.for [d1] by 1 unroll pad <8, 16> {
      schedule.run step 0
    }
  }
  return
}

// Rows are laid out in vectors.
// CHECK-LABEL: func.func @vectors(
// CHECK:           schedule.coalesce [d0], [d1] by 16 {
func.func @vectors() {
  schedule.tree {
    schedule.coalesce [d0], [d1] by 16 {
      schedule.run out
    }
  }
  return
}

// Two values along the chain side by side, of which a step takes both.
// CHECK-LABEL: func.func @groups
// CHECK:             schedule.pack left by 2 group 2
// CHECK-NEXT:        schedule.pack right by 4 group 2
// CHECK:             schedule.for [d2] by 2 serial {
func.func @groups() {
  schedule.tree {
    schedule.pack left by 2 group 2
    schedule.pack right by 4 group 2
    schedule.for [d2] by 2 serial {
      schedule.run step
    }
  }
  func.return
}

// Constants are laid out as they are stored, and computed for some rows.
// CHECK-LABEL: func.func @stored
// CHECK:             schedule.pack right by 64 stored lanes 8 prefetch 2048
// CHECK-NEXT:        schedule.for [d1] by 32 parallel {
// CHECK-NEXT:          schedule.pack right by 32
func.func @stored() {
  schedule.tree {
    schedule.pack right by 64 stored lanes 8 prefetch 2048
    schedule.for [d1] by 32 parallel {
      schedule.pack right by 32
      schedule.run step
    }
  }
  func.return
}
