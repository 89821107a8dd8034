// Booleans and floats of 16 bits are integers in memory; small integers wrap in their type.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: int boolean_run(
// CHECK-NEXT:      const uint8_t *OPC_RESTRICT in0,
// CHECK-NEXT:      const uint8_t *OPC_RESTRICT in1,
// CHECK-NEXT:      uint8_t *OPC_RESTRICT out0,
// CHECK:           out0[i0] = (uint8_t)((in0[i0] != 0) & (!(in1[i0] != 0)));
func.func @boolean(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %n = opc.not %b
  %r = opc.and %a, %n
  return %r : tensor<4xi1>
}

// Bits of our own need no comparison, without which gcc makes vectors of the loop.
// CHECK-LABEL: int any_run(
// CHECK:             uint8_t acc0 = (uint8_t)false;
// CHECK:               acc0 = (uint8_t)(acc0 | (in0[{{.*}}] != 0));
// CHECK:             out0[i0] = (uint8_t)acc0;
func.func @any(%a: tensor<4x512xi1>) -> tensor<4xi1> {
  %r = opc.reduce_any %a {axes = [1], keepdims = false}
  return %r : tensor<4xi1>
}

// CHECK-LABEL: int half_run(
// CHECK-NEXT:      const uint16_t *OPC_RESTRICT in0,
// CHECK-NEXT:      uint16_t *OPC_RESTRICT out0,
// CHECK:           out0[i0] = opc_cast_f32_f16(-opc_cast_f16_f32(in0[i0]));
func.func @half(%a: tensor<3xf16>) -> tensor<3xf16> {
  %r = opc.neg %a
  return %r : tensor<3xf16>
}

// CHECK-LABEL: int brain_run(
// CHECK-NEXT:      const uint16_t *OPC_RESTRICT in0,
// CHECK-NEXT:      uint16_t *OPC_RESTRICT out0,
// CHECK:           out0[i0] = opc_cast_f32_bf16(-opc_cast_bf16_f32(in0[i0]));
func.func @brain(%a: tensor<3xbf16>) -> tensor<3xbf16> {
  %r = opc.neg %a
  return %r : tensor<3xbf16>
}

// CHECK-LABEL: int staged_run(
// CHECK:           for (int64_t i0 = 0; i0 < 128; i0 += 64) {
// CHECK-NEXT:        OPC_ALIGNED float wide0[64];
// CHECK-NEXT:        opc_widen_f16(wide0, in0 + i0, 64);
// CHECK-NEXT:        OPC_ALIGNED float narrow0[64];
// CHECK-NEXT:        OPC_ALIGNED float wide1[64];
// CHECK-NEXT:        for (int64_t i1 = 0; i1 < 64; ++i1) {
// CHECK-NEXT:          wide1[i1] = opc_sqrt_f32(wide0[i1]);
// CHECK-NEXT:        }
// CHECK-NEXT:        opc_round_staged_f16(wide1, 64);
// CHECK-NEXT:        for (int64_t i2 = 0; i2 < 64; ++i2) {
// CHECK-NEXT:          narrow0[i2] = wide1[i2] * wide0[i2];
// CHECK-NEXT:        }
// CHECK-NEXT:        opc_narrow_f16(out0 + i0, narrow0, 64);
// CHECK-NEXT:      }
func.func @staged(%a: tensor<128xf16>) -> tensor<128xf16> {
  %b = opc.sqrt %a
  %r = opc.mul %b, %a
  return %r : tensor<128xf16>
}

// CHECK-LABEL: int byte_run(
// CHECK-NEXT:      const int8_t *OPC_RESTRICT in0,
// CHECK:           out0[i0] = (int8_t)((int8_t)~[[X:t[0-9]+]] & [[X]]);
func.func @byte(%a: tensor<4xi8>) -> tensor<4xi8> {
  %n = opc.bitwise_not %a
  %r = opc.bitwise_and %n, %a
  return %r : tensor<4xi8>
}

// CHECK-LABEL: int convert_run(
// CHECK:           out0[i0] = opc_cast_f64_i8(in0[i0]);
// CHECK:           out1[i1] = (uint8_t)(in0[i1] != 0);
// CHECK:           out2[i2] = opc_cast_f64_f32(in0[i2]);
func.func @convert(%x: tensor<4xf64>) -> (tensor<4xi8>, tensor<4xi1>, tensor<4xf32>) {
  %r = opc.cast %x -> tensor<4xi8>
  %s = opc.cast %x -> tensor<4xi1>
  %t = opc.cast %x -> tensor<4xf32>
  return %r, %s, %t : tensor<4xi8>, tensor<4xi1>, tensor<4xf32>
}
