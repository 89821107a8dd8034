// Indices are checked, each is loaded once for what lies at it, and the innermost loop copies.
// RUN: opc-opt %s -p infer-shapes,require-ranges,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,lower-schedules,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK:       static inline bool opc_within_i64(
// CHECK-LABEL: static void lookup_loop0(
// CHECK:         for (int64_t i0 = begin; i0 < end; ++i0) {
// CHECK-NEXT:      const int64_t t0 = in1[i0];
// CHECK-NEXT:      const int64_t t1 = t0 < INT64_C(0) ? opc_add_i64(t0, INT64_C(30522)) : t0;
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < 768; ++i1) {
// CHECK-NEXT:        out0[i0 * 768 + i1] = in0[i1 + t1 * 768];
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-LABEL: int lookup_run(
// CHECK:         if (!opc_within_i64(in1, 512, -30522, 30521)) {
// CHECK-NEXT:      return 1;
// CHECK-NEXT:    }
// CHECK:           opc_share(lookup_loop0_iterations, &data, 0, 512, 1,
func.func @lookup(%x: tensor<30522x768xf32>, %i: tensor<512xi64>) -> tensor<512x768xf32> {
  %r = opc.gather %x, %i {axes = [0]} : tensor<30522x768xf32>, tensor<512xi64>
  return %r : tensor<512x768xf32>
}

// CHECK-LABEL: int scatter_run(
// CHECK:         if (!opc_within_u8(in2, n0, 0, 8)) {
// CHECK:         out0[i0] = in0[i0];
// CHECK:         for (int64_t i1 = 0; i1 < n0; ++i1) {
// CHECK-NEXT:      const int64_t t0 = (int64_t)in2[i1];
// CHECK-NEXT:      for (int64_t i2 = 0; i2 < 4; ++i2) {
// CHECK-NEXT:        out0[i2 + t0 * 4] = out0[i2 + t0 * 4] + in1[i1 * 4 + i2];
func.func @scatter(%x: tensor<9x4xf32>, %u: tensor<?x4xf32, #opc.dims<N, 4>>, %i: tensor<?xui8, #opc.dims<N>>) -> tensor<9x4xf32> {
  %r = opc.scatter %x, %u, %i {axes = [0], reduction = "add"} : tensor<9x4xf32>, tensor<?x4xf32, #opc.dims<N, 4>>, tensor<?xui8, #opc.dims<N>>
  return %r : tensor<9x4xf32>
}
