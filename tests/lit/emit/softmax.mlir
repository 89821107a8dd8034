// Softmax is three loops over a row under one loop over the rows.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: int softmax_run(
// CHECK:         for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK:           opc_max_number_group_f32x16(row0, in0 + i0 * 10, 10);
// CHECK-NEXT:      const float t0 = opc_max_number_array_f32x16(row0);
// CHECK-NEXT:      OPC_ALIGNED float row1[10];
// CHECK:           for (int64_t [[B:i[0-9]+]] = 0; [[B]] < 10; ++[[B]]) {
// CHECK-NEXT:        row1{{\[}}[[B]]{{\]}} = opc_exp_neg_f32(t0 - in0[i0 * 10 + [[B]]{{\]}});
// CHECK-NEXT:      }
// CHECK-NEXT:      opc_sum_group_f32x16(row2, row1, 10);
// CHECK-NEXT:      const float t1 = opc_sum_array_f32x16(row2);
// CHECK-NEXT:      OPC_ROLLED
// CHECK-NEXT:      for (int64_t [[C:i[0-9]+]] = 0; [[C]] < 10; ++[[C]]) {
// CHECK-NEXT:        out0[i0 * 10 + [[C]]{{\]}} = row1{{\[}}[[C]]{{\]}} / t1;
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
// CHECK:         for (int64_t i0 = begin; i0 < end; i0 += 1024) {
// CHECK:           OPC_ALIGNED float row0[1024];
// CHECK:             opc_max_number_f32(
// CHECK:             out0[{{.*}}] = opc_exp_neg_f32(row0[
// CHECK:             out0[{{.*}}] = out0[{{.*}}] / row1[
// CHECK-LABEL: int columns_run(
// CHECK:           opc_share(columns_loop0_iterations, &data, 0, 2048, 1024,
func.func @columns(%x: tensor<10x2048xf32>) -> tensor<10x2048xf32> {
  %m = opc.reduce_max %x {axes = [0], keepdims = true}
  %c = opc.sub %x, %m
  %e = opc.exp %c
  %s = opc.reduce_sum %e {axes = [0], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<10x2048xf32>
}

// A layer normalization, too, is three loops over a row.
// CHECK-LABEL: static void layer_norm_loop0(
// CHECK:         for (int64_t i0 = begin; i0 < end; ++i0) {
// CHECK:           const float [[S:t[0-9]+]] = opc_sum_array_f32x64(
// CHECK-NEXT:      const float [[M:t[0-9]+]] = [[S]] / 1024.0f;
// CHECK:           - [[M]];
// CHECK:           const float [[V:t[0-9]+]] = opc_sum_array_f32x64(
// CHECK-NEXT:      const float [[D:t[0-9]+]] = opc_sqrt_f32([[V]] / 1024.0f);
// CHECK-NEXT:      for (int64_t [[I:i[0-9]+]] = 0; [[I]] < 1024; ++[[I]]) {
// CHECK-NEXT:        out0[i0 * 1024 + [[I]]{{\]}} = (in0[i0 * 1024 + [[I]]{{\]}} - [[M]]) / [[D]];
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-LABEL: int layer_norm_run(
// CHECK:         layer_norm_loop0(0, 4, in0, out0);
func.func @layer_norm(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %m = opc.reduce_mean %x {axes = [1], keepdims = true}
  %c = opc.sub %x, %m
  %q = opc.mul %c, %c
  %v = opc.reduce_mean %q {axes = [1], keepdims = true}
  %s = opc.sqrt %v
  %r = opc.div %c, %s
  return %r : tensor<4x1024xf32>
}
