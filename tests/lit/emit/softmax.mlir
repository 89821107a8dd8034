// Softmax is three loops over a row under one loop over the rows.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,narrow-domains,plan-buffers,lower-to-loops,convert-strips,simplify-loops -t c | filecheck %s

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
// CHECK-NEXT:        const float t3 = opc_exp_neg_f32(t2 - in0[i0 * 10 + i2]);
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

// Down the columns the exponentials are kept in the output, since no local array could hold them.
// The loop is a function, so that its arrays are on the stack only while it runs.
// CHECK-LABEL: OPC_OWN_FRAME static void columns_loop0(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0) {
// CHECK-NEXT:    for (int64_t i0 = begin; i0 < end; i0 += 1024) {
// CHECK-NEXT:      float row0[1024];
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < 1024; ++i1) {
// CHECK-NEXT:        row0[i1] = -INFINITY;
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int64_t i2 = 0; i2 < 1024; i2 += 64) {
// CHECK-NEXT:        for (int64_t i3 = i2; i3 < i2 + 64; ++i3) {
// CHECK-NEXT:          const float t0 = opc_max_number_f32(opc_max_number_f32(row0[i3], in0[i0 + i3]), in0[i0 + i3 + 2048]);
// CHECK-NEXT:          const float t1 = opc_max_number_f32(opc_max_number_f32(t0, in0[i0 + i3 + 4096]), in0[i0 + i3 + 6144]);
// CHECK-NEXT:          row0[i3] = opc_max_number_f32(t1, in0[i0 + i3 + 8192]);
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int64_t i4 = 0; i4 < 1024; i4 += 64) {
// CHECK-NEXT:        for (int64_t i5 = i4; i5 < i4 + 64; ++i5) {
// CHECK-NEXT:          const float t2 = opc_max_number_f32(opc_max_number_f32(row0[i5], in0[i0 + i5 + 10240]), in0[i0 + i5 + 12288]);
// CHECK-NEXT:          const float t3 = opc_max_number_f32(opc_max_number_f32(t2, in0[i0 + i5 + 14336]), in0[i0 + i5 + 16384]);
// CHECK-NEXT:          row0[i5] = opc_max_number_f32(t3, in0[i0 + i5 + 18432]);
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      float row1[1024];
// CHECK-NEXT:      for (int64_t i6 = 0; i6 < 1024; ++i6) {
// CHECK-NEXT:        row1[i6] = 0.0f;
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int64_t i7 = 0; i7 < 10; ++i7) {
// CHECK-NEXT:        opc_prefetch(in0, i0 * 4 + i7 * 8192 + 8192, 4096);
// CHECK-NEXT:        for (int64_t i8 = 0; i8 < 1024; ++i8) {
// CHECK-NEXT:          const float t4 = opc_exp_neg_f32(row0[i8] - in0[i0 + i7 * 2048 + i8]);
// CHECK-NEXT:          out0[i0 + i7 * 2048 + i8] = t4;
// CHECK-NEXT:          row1[i8] = row1[i8] + t4;
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int64_t i9 = 0; i9 < 10; ++i9) {
// CHECK-NEXT:        for (int64_t i10 = 0; i10 < 1024; ++i10) {
// CHECK-NEXT:          out0[i0 + i9 * 2048 + i10] = out0[i0 + i9 * 2048 + i10] / row1[i10];
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-LABEL: int columns_run(
// CHECK:           columns_loop0(0, 2048, in0, out0);
// CHECK-NEXT:      return 0;
func.func @columns(%x: tensor<10x2048xf32>) -> tensor<10x2048xf32> {
  %m = opc.reduce_max %x {axes = [0], keepdims = true}
  %c = opc.sub %x, %m
  %e = opc.exp %c
  %s = opc.reduce_sum %e {axes = [0], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<10x2048xf32>
}

// A layer normalization, too, is three loops over a row.
// CHECK-LABEL: int layer_norm_run(
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT:      opc_f32x64 lanes0;
// CHECK-NEXT:      opc_fill_f32x64(&lanes0, 0.0f);
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < 1024; i1 += 64) {
// CHECK-NEXT:        opc_sum_f32x64(&lanes0, in0 + i0 * 1024 + i1);
// CHECK-NEXT:      }
// CHECK-NEXT:      const float t0 = opc_sum_lanes_f32x64(&lanes0);
// CHECK-NEXT:      const float t1 = t0 / 1024.0f;
// CHECK-NEXT:      opc_f32x64 lanes1;
// CHECK-NEXT:      opc_fill_f32x64(&lanes1, 0.0f);
// CHECK-NEXT:      for (int64_t i2 = 0; i2 < 1024; i2 += 64) {
// CHECK-NEXT:        float step0[64];
// CHECK-NEXT:        for (int64_t i3 = 0; i3 < 64; ++i3) {
// CHECK-NEXT:          const float t2 = in0[i0 * 1024 + i2 + i3] - t1;
// CHECK-NEXT:          step0[i3] = t2 * t2;
// CHECK-NEXT:        }
// CHECK-NEXT:        opc_sum_f32x64(&lanes1, step0);
// CHECK-NEXT:      }
// CHECK-NEXT:      const float t3 = opc_sum_lanes_f32x64(&lanes1);
// CHECK-NEXT:      const float t4 = opc_sqrt_f32(t3 / 1024.0f);
// CHECK-NEXT:      for (int64_t i4 = 0; i4 < 1024; ++i4) {
// CHECK-NEXT:        out0[i0 * 1024 + i4] = (in0[i0 * 1024 + i4] - t1) / t4;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return 0;
func.func @layer_norm(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %m = opc.reduce_mean %x {axes = [1], keepdims = true}
  %c = opc.sub %x, %m
  %q = opc.mul %c, %c
  %v = opc.reduce_mean %q {axes = [1], keepdims = true}
  %s = opc.sqrt %v
  %r = opc.div %c, %s
  return %r : tensor<4x1024xf32>
}
