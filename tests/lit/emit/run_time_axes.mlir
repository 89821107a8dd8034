// Axes that are only known when the function runs: checked, then extents 1 or all.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: int keepdims_run(
// CHECK:         uint32_t axes0;
// CHECK-NEXT:    if (!opc_axes_i64(in1, 1, 2, &axes0)) {
// CHECK-NEXT:      return 1;
// CHECK-NEXT:    }
// CHECK-NEXT:    const int64_t m0 = (axes0 >> 0 & 1) != 0 ? 1 : 2;
// CHECK-NEXT:    const int64_t m2 = (axes0 >> 0 & 1) != 0 ? 2 : 1;
// CHECK-NEXT:    const int64_t m1 = (axes0 >> 1 & 1) != 0 ? 1 : 3;
// CHECK-NEXT:    const int64_t m3 = (axes0 >> 1 & 1) != 0 ? 3 : 1;
// CHECK-NOT:     kept
// CHECK:       int keepdims_plan(
// CHECK:         shapes[0] = m0;
// CHECK-NEXT:    shapes[1] = m1;
func.func @keepdims(%x: tensor<2x3xf32>, %axes: tensor<1xi64>) -> tensor<?x?xf32> {
  %r = opc.reduce_max %x, %axes {keepdims = true} : tensor<2x3xf32>, tensor<1xi64> -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The axes that stay are packed to the front.
// CHECK-LABEL: int packed_plan(
// CHECK:         int64_t axes0_kept[2] = {0};
// CHECK-NEXT:    const int64_t axes0_outer[2] = {m0, m1};
// CHECK-NEXT:    for (int k = 0, n = 0; k < 2; ++k) {
// CHECK-NEXT:      if ((axes0 >> k & 1) == 0) {
// CHECK-NEXT:        axes0_kept[n++] = axes0_outer[k];
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    const int64_t [[KEPT:m[0-9]]] = axes0_kept[0];
// CHECK-NEXT:    if ({{.+}} 4.0 * opc_extent([[KEPT]]) > (double)(PTRDIFF_MAX / 2)) {
// CHECK-NEXT:      return -1;
// CHECK-NEXT:    }
// CHECK:         shapes[0] = [[KEPT]];
func.func @packed(%x: tensor<2x3xf32>, %axes: tensor<1xi32>) -> tensor<?xf32> {
  %r = opc.reduce_max %x, %axes : tensor<2x3xf32>, tensor<1xi32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}
