// Long reductions: lanes, blocks, a cascade, and the helpers that end them.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,convert-strips,simplify-loops -t c | filecheck %s

// CHECK-LABEL: int sum_run(
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    opc_f32x64 lanes0;
// CHECK-NEXT:    opc_fill_f32x64(&lanes0, 0.0f);
// CHECK-NEXT:    int64_t acc0 = INT64_C(0);
// CHECK-NEXT:    opc_f32x64 levels0[14];
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 9984; i0 += 2048) {
// CHECK-NEXT:      opc_cascade_next_f32x64(&lanes0, levels0, acc0);
// CHECK-NEXT:      acc0 = opc_add_i64(acc0, INT64_C(1));
// CHECK-NEXT:      const int64_t end0 = i0 + 2048 < 9984 ? i0 + 2048 : 9984;
// CHECK-NEXT:      for (int64_t i1 = i0; i1 < end0; i1 += 64) {
// CHECK-NEXT:        opc_sum_f32x64(&lanes0, in0 + i1);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    opc_cascade_next_f32x64(&lanes0, levels0, acc0);
// CHECK-NEXT:    acc0 = opc_add_i64(acc0, INT64_C(1));
// CHECK-NEXT:    opc_sum_last_f32x64(&lanes0, in0 + 9936, 16);
// CHECK-NEXT:    opc_cascade_finish_f32x64(&lanes0, levels0, acc0);
// CHECK-NEXT:    const float t0 = opc_sum_lanes_f32x64(&lanes0);
// CHECK-NEXT:    out0[0] = t0;
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

// What is computed before it is added goes through a small array, what memory holds does not.
// CHECK-LABEL: int steps_run(
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      float *OPC_RESTRICT out1,
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    opc_f32x16 lanes0;
// CHECK-NEXT:    opc_fill_f32x16(&lanes0, 0.0f);
// CHECK-NEXT:    opc_f32x16 lanes1;
// CHECK-NEXT:    opc_fill_f32x16(&lanes1, 0.0f);
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 48; i0 += 16) {
// CHECK-NEXT:      float step0[16];
// CHECK-NEXT:      OPC_ROLLED
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < 16; ++i1) {
// CHECK-NEXT:        step0[i1] = -in0[i0 + i1];
// CHECK-NEXT:      }
// CHECK-NEXT:      opc_sum_f32x16(&lanes0, step0);
// CHECK-NEXT:      opc_sum_f32x16(&lanes1, in0 + i0);
// CHECK-NEXT:    }
// CHECK-NEXT:    float step1[16];
// CHECK-NEXT:    OPC_ROLLED
// CHECK-NEXT:    for (int64_t i2 = 0; i2 < 16; ++i2) {
// CHECK-NEXT:      step1[i2] = -in0[i2 + 34];
// CHECK-NEXT:    }
// CHECK-NEXT:    opc_sum_last_f32x16(&lanes0, step1, 2);
// CHECK-NEXT:    opc_sum_last_f32x16(&lanes1, in0 + 34, 2);
// CHECK-NEXT:    const float t0 = opc_sum_lanes_f32x16(&lanes0);
// CHECK-NEXT:    const float t1 = opc_sum_lanes_f32x16(&lanes1);
// CHECK-NEXT:    out0[0] = t0;
// CHECK-NEXT:    out1[0] = t1;
// CHECK-NEXT:    return 0;
func.func @steps(%x: tensor<50xf32>) -> (tensor<f32>, tensor<f32>) {
  %n = opc.neg %x
  %r = opc.reduce_sum %n {axes = [0]}
  %s = opc.reduce_sum %x {axes = [0]}
  return %r, %s : tensor<f32>, tensor<f32>
}
