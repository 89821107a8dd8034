// Softmax is three loops over a row under one loop over the rows.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops -t c | filecheck %s

// CHECK-LABEL: int softmax_run(
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT:      int32_t acc0 = -2139095041;
// CHECK-NEXT:      int32_t acc1 = 2139095040;
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < 10; ++i1) {
// CHECK-NEXT:        const int32_t t0 = opc_order_f32(in0[i0 * 10 + i1]);
// CHECK-NEXT:        acc0 = opc_max_i32(acc0, t0);
// CHECK-NEXT:        acc1 = opc_min_i32(acc1, t0);
// CHECK-NEXT:      }
// CHECK-NEXT:      const int32_t t1 = acc1;
// CHECK-NEXT:      const float t2 = opc_unorder_f32(t1 < -2139095041 ? t1 : acc0);
// CHECK-NEXT:      float row0[10];
// CHECK-NEXT:      float acc2 = 0.0f;
// CHECK-NEXT:      for (int64_t i2 = 0; i2 < 10; ++i2) {
// CHECK-NEXT:        const float t3 = opc_exp_f32(in0[i0 * 10 + i2] - t2);
// CHECK-NEXT:        row0[i2] = t3;
// CHECK-NEXT:        acc2 = acc2 + t3;
// CHECK-NEXT:      }
// CHECK-NEXT:      const float t4 = acc2;
// CHECK-NEXT:      for (int64_t i3 = 0; i3 < 10; ++i3) {
// CHECK-NEXT:        out0[i0 * 10 + i3] = row0[i3] / t4;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return 0;
func.func @softmax(%x: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %c = opc.sub %x, %m
  %e = opc.exp %c
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<4x10xf32>
}
