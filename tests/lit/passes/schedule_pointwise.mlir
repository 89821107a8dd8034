// Nests that reduce nothing go point after point, past the caches where that pays.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,split-axes,schedule{target=avx512}' | filecheck %s

// The outermost of several loops is shared by threads, the innermost is for vectors.
// CHECK-LABEL: func.func @plain(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 1 parallel {
// CHECK-NEXT:      schedule.for [d1] by 1 vector {
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @plain(%x: tensor<64x1000xf32>, %b: tensor<64x1xf32>) -> tensor<64x1000xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<64x1000xf32>
}

// Bursts of whole cache lines go past the caches.
// CHECK-LABEL: func.func @past_caches(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 1 parallel {
// CHECK-NEXT:      schedule.for [d1] by 128 parallel peel {
// CHECK-NEXT:        schedule.non_temporal stores [0] {
// CHECK-NEXT:          schedule.for [d1] by 1 vector {
// CHECK-NEXT:            schedule.run out
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @past_caches(%x: tensor<12000x1024xf32>, %b: tensor<1024xf32>) -> tensor<12000x1024xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<12000x1024xf32>
}

// Versions: for what caches hold, and for what goes past them.
// CHECK-LABEL: func.func @unknown(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.if <-atleast(M*N*8, 18874368) + 1> asks ["more than the caches hold"] "through the caches" {
// CHECK-NEXT:      schedule.for [d0, d1] by 1 vector {
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    } else "past the caches" {
// CHECK-NEXT:      schedule.for [d0, d1] by 128 parallel peel {
// CHECK-NEXT:        schedule.non_temporal stores [0] {
// CHECK-NEXT:          schedule.for [d0, d1] by 1 vector {
// CHECK-NEXT:            schedule.run out
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @unknown(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.neg %x
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// Rows that may be short are coalesced; those that turn out to be whole cache lines may go past the
// caches.
// CHECK-LABEL: func.func @rows_of_any_length(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.if <-atleast(N, 17) + 1> "short rows as one" {
// CHECK-NEXT:      schedule.for [d0] by <floordiv(1024, N)> parallel {
// CHECK-NEXT:        schedule.coalesce [d0], [d1] by 16 {
// CHECK-NEXT:          schedule.run out
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    } else "longer rows" {
// CHECK-NEXT:      schedule.if <atleast(M*N*8 + N*8, 18874368)*atleast(mod(N, 16), 1) - atleast(M*N*8 + N*8, 18874368) + 1> asks ["more than the caches hold", "rows end within a cache line"] "through the caches" {
// CHECK-NEXT:        schedule.for [d0] by 1 parallel {
// CHECK-NEXT:          schedule.for [d1] by 1 vector {
// CHECK-NEXT:            schedule.run out
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      } else "past the caches" {
// CHECK-NEXT:        schedule.for [d0] by 1 parallel {
// CHECK-NEXT:          schedule.for [d1] by 128 parallel peel {
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
func.func @rows_of_any_length(%x: tensor<?x?xf32, #opc.dims<M, N>>, %b: tensor<?xf32, #opc.dims<N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.sub %x, %b
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// There is no loop over no points.
// CHECK-LABEL: func.func @nothing(
// CHECK:       schedule.tree {
// CHECK-NEXT:  }
func.func @nothing(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %r = opc.neg %x
  return %r : tensor<0x4xf32>
}

// Neighbours that lie apart are written out in a loop for vectors; those that lie together, or are
// the same value, are not.
// CHECK-LABEL: func.func @phases(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0, d1] by 1 vector {
// CHECK-NEXT:      schedule.for [d2] by 1 unroll {
// CHECK-NEXT:        schedule.run out
// CHECK-NOT:   unroll
func.func @phases(%x: tensor<2x64x32xf32>, %y: tensor<64x32x2xf32>, %z: tensor<64x32x1xf32>) -> (tensor<64x32x2xf32>, tensor<64x32x2xf32>) {
  %t = opc.transpose %x {permutation = [1, 2, 0]}
  %r = opc.neg %t
  %s = opc.mul %y, %z
  return %r, %s : tensor<64x32x2xf32>, tensor<64x32x2xf32>
}
