// Long reductions: lanes, blocks, a cascade, and the helpers that end them.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops -t c | filecheck %s

// CHECK-LABEL: int sum_run(
// CHECK:         float lanes0[64];
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 64; ++i0) {
// CHECK-NEXT:      lanes0[i0] = 0.0f;
// CHECK-NEXT:    }
// CHECK-NEXT:    int64_t acc0 = INT64_C(0);
// CHECK-NEXT:    float levels0[896];
// CHECK-NEXT:    for (int64_t i1 = 0; i1 < 9984; i1 += 2048) {
// CHECK-NEXT:      for (int64_t i2 = 0; i2 < 64; ++i2) {
// CHECK-NEXT:        lanes0[i2] = 0.0f;
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int64_t i3 = i1; i3 < (i1 + 2048 < 9984 ? i1 + 2048 : 9984); i3 += 64) {
// CHECK-NEXT:        for (int64_t i4 = 0; i4 < 64; ++i4) {
// CHECK-NEXT:          lanes0[i4] = lanes0[i4] + in0[i3 + i4];
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      opc_cascade_push_f32(lanes0, levels0, acc0, 64);
// CHECK-NEXT:      acc0 = opc_add_i64(acc0, INT64_C(1));
// CHECK-NEXT:    }
// CHECK:         for (int64_t i6 = 0; i6 < 16; ++i6) {
// CHECK-NEXT:      lanes0[i6] = lanes0[i6] + in0[i6 + 9984];
// CHECK-NEXT:    }
// CHECK-NEXT:    opc_cascade_push_f32(lanes0, levels0, acc0, 64);
// CHECK-NEXT:    acc0 = opc_add_i64(acc0, INT64_C(1));
// CHECK-NEXT:    opc_cascade_finish_f32(lanes0, levels0, acc0, 64);
// CHECK-NEXT:    const float [[SUM:t[0-9]+]] = opc_lanes_sum_f32(lanes0, 64);
// CHECK-NEXT:    out0[0] = [[SUM]];
// CHECK-NEXT:    return 0;
func.func @sum(%x: tensor<10000xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x
  return %r : tensor<f32>
}

// CHECK-LABEL: int position_run(
// CHECK:         int64_t acc1 = INT64_C(0);
// CHECK-NEXT:    int32_t acc0 = INT32_MIN;
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 40; ++i0) {
// CHECK-NEXT:      const int32_t [[X:t[0-9]+]] = in0[i0];
// CHECK-NEXT:      const int32_t [[BEST:t[0-9]+]] = acc0;
// CHECK-NEXT:      const bool [[BETTER:t[0-9]+]] = [[X]] > [[BEST]];
// CHECK-NEXT:      acc0 = [[BETTER]] ? [[X]] : [[BEST]];
// CHECK-NEXT:      acc1 = [[BETTER]] ? i0 : acc1;
// CHECK-NEXT:    }
// CHECK-NEXT:    out0[0] = acc1;
func.func @position(%x: tensor<40xi32>) -> tensor<i64> {
  %r = opc.argmax %x {axis = 0}
  return %r : tensor<i64>
}
