// Rows that are too short for vectors are coalesced.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,split-axes,schedule{target=avx512}' | filecheck %s

// As many rows at once as fill vectors.
// CHECK-LABEL: func.func @coalesced(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 160 parallel {
// CHECK-NEXT:      schedule.coalesce [d0], [d1] {
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @coalesced(%x: tensor<5000x7xf32>, %b: tensor<7xf32>) -> tensor<5000x7xf32> {
  %r = opc.sub %x, %b
  %e = opc.exp %r
  return %e : tensor<5000x7xf32>
}
