// Reductions: lanes, groups, blocks, a cascade, and the helpers that end them.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: int sum_run(
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    OPC_ALIGNED float column0[64];
// CHECK:         int64_t acc0 = INT64_C(0);
// CHECK-NEXT:    OPC_ALIGNED float levels0[128];
// CHECK-NEXT:    for (int64_t i1 = 0; i1 < 10000; i1 += 8192) {
// CHECK-NEXT:      opc_cascade_next_f32(column0, levels0, acc0, 64);
// CHECK-NEXT:      acc0 = opc_add_i64(acc0, INT64_C(1));
// CHECK-NEXT:      const int64_t end0 = i1 + 8192 < 9728 ? i1 + 8192 : 9728;
// CHECK-NEXT:      for (int64_t i2 = i1; i2 < end0; i2 += 512) {
// CHECK:           row0[i3] = in0[i2 + i3] + in0[i2 + i3 + 64];
// CHECK:           row1[i4] = row0[i4] + (in0[i2 + i4 + 128] + in0[i2 + i4 + 192]);
// CHECK:           row0[i5] = in0[i2 + i5 + 256] + in0[i2 + i5 + 320];
// CHECK:         opc_sum_group_f32x64(column0, in0 + 9728, 272);
// CHECK:         opc_cascade_finish_f32x64(column0, levels0, acc0, 64);
// CHECK-NEXT:    const float [[T:t[0-9]+]] = opc_sum_array_f32x64(column0);
// CHECK-NEXT:    out0[0] = [[T]];
// CHECK-NEXT:    return 0;
func.func @sum(%x: tensor<10000xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x
  return %r : tensor<f32>
}

// CHECK-LABEL: int position_run(
// CHECK-NEXT:      const int32_t *OPC_RESTRICT in0,
// CHECK-NEXT:      int64_t *OPC_RESTRICT out0,
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    int32_t acc0 = INT32_MIN;
// CHECK-NEXT:    uint32_t acc1 = 4294967295u;
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 40; ++i0) {
// CHECK-NEXT:      acc0 = opc_max_i32(acc0, in0[i0]);
// CHECK-NEXT:    }
// CHECK-NEXT:    for (int64_t i1 = 0; i1 < 40; ++i1) {
// CHECK-NEXT:      const uint32_t t0 = opc_min_u32(acc1, (uint32_t)i1 | opc_neg_u32((uint32_t)(in0[i1] != acc0)));
// CHECK-NEXT:      acc1 = t0;
// CHECK-NEXT:    }
// CHECK-NEXT:    out0[0] = (int64_t)acc1;
// CHECK-NEXT:    return 0;
func.func @position(%x: tensor<40xi32>) -> tensor<i64> {
  %r = opc.argmax %x {axis = 0}
  return %r : tensor<i64>
}

// One sweep adds up two values, each in the lanes of its own array.
// CHECK-LABEL: int steps_run(
// CHECK:         OPC_ALIGNED float row0[64];
// CHECK:         OPC_ALIGNED float row1[64];
// CHECK:         for (int64_t i2 = 0; i2 < 50; ++i2) {
// CHECK-NEXT:      const float t0 = in0[i2];
// CHECK-NEXT:      row2[i2] = -t0;
// CHECK-NEXT:      row3[i2] = t0;
// CHECK-NEXT:    }
// CHECK-NEXT:    opc_sum_group_f32x64(row0, row2, 50);
// CHECK-NEXT:    opc_sum_group_f32x64(row1, row3, 50);
// CHECK-NEXT:    const float t1 = opc_sum_array_f32x64(row0);
// CHECK-NEXT:    const float t2 = opc_sum_array_f32x64(row1);
// CHECK-NEXT:    out0[0] = t1;
// CHECK-NEXT:    out1[0] = t2;
// CHECK-NEXT:    return 0;
func.func @steps(%x: tensor<50xf32>) -> (tensor<f32>, tensor<f32>) {
  %n = opc.neg %x
  %r = opc.reduce_sum %n {axes = [0]}
  %s = opc.reduce_sum %x {axes = [0]}
  return %r, %s : tensor<f32>, tensor<f32>
}
