// What is read along one axis and written along another goes through tiles.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,split-axes,schedule{target=avx512}' | filecheck %s

// All of a short axis, and some cache lines of the other one.
// CHECK-LABEL: func.func @transpose(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 16 parallel {
// CHECK-NEXT:      schedule.for [d1] by 304 serial {
// CHECK-NEXT:        schedule.transpose loads [0] {
// CHECK-NEXT:          schedule.for [d0] by 1 serial {
// CHECK-NEXT:            schedule.for [d1] by 1 vector {
// CHECK-NEXT:              schedule.run out
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @transpose(%x: tensor<300x500xf32>) -> tensor<500x300xf32> {
  %t = opc.transpose %x {permutation = [1, 0]}
  return %t : tensor<500x300xf32>
}

// From memory, the next block is prefetched; results go past the caches.
// CHECK-LABEL: func.func @large_transpose(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 128 parallel {
// CHECK-NEXT:      schedule.for [d1] by 96 serial {
// CHECK-NEXT:        schedule.transpose loads [0] {
// CHECK-NEXT:          schedule.prefetch 0 along [d1]
// CHECK-NEXT:          schedule.for [d0] by 1 serial {
// CHECK-NEXT:            schedule.non_temporal stores [0] {
// CHECK-NEXT:              schedule.for [d1] by 1 vector {
// CHECK-NEXT:                schedule.run out
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @large_transpose(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %t = opc.transpose %x {permutation = [1, 0]}
  %r = opc.neg %t
  return %r : tensor<4096x4096xf32>
}
