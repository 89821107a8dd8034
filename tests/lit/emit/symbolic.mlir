// Symbolic extents are parameters; what must hold for them is checked first.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: static void broadcast_loop1(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK-NEXT:      int64_t n1,
// CHECK-NEXT:      int64_t e0,
// CHECK-NEXT:      int64_t e4,
// CHECK-NEXT:      int64_t e5,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      const float *OPC_RESTRICT in1,
// CHECK-NEXT:      float *OPC_RESTRICT out0) {
// CHECK-NEXT:    for (int64_t i4 = begin; i4 < end; ++i4) {
// CHECK-NEXT:      for (int64_t i5 = 0; i5 < e0; ++i5) {
// CHECK-NEXT:        out0[e0 * i4 + i5] = in0[i4 * n1 + i5 * e4] + in1[i5 * e5];
// CHECK-LABEL: int broadcast_run(
// CHECK-NEXT:      int64_t n0,
// CHECK-NEXT:      int64_t n1,
// CHECK-NEXT:      int64_t n2,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      const float *OPC_RESTRICT in1,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    if (4.0 * opc_extent(n0) * opc_extent(n1) + 4.0 * opc_extent(n0) * opc_extent(n2) > (double)(PTRDIFF_MAX / 2)) {
// CHECK-NEXT:      return -1;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (n1 != n2 && n1 != 1 && n2 != 1) {
// CHECK-NEXT:      return 1;
// CHECK-NEXT:    }
// CHECK-NEXT:    const int64_t e0 = (n1 == 1 ? n2 : n1);
// CHECK-NEXT:    const int64_t e1 = (n0 * n1 * 4 + e0 * n0 * 4 + n2 * 4 >= 18874368); /* more than the caches hold */
// CHECK-NEXT:    const int64_t e2 = e0 % 16;
// CHECK-NEXT:    const int64_t e3 = (e2 >= 1); /* rows end within a cache line */
// CHECK-NEXT:    const int64_t e4 = (n1 != 1);
// CHECK-NEXT:    const int64_t e5 = (n2 != 1);
// CHECK-NEXT:    if (e1 != 0 && e3 == 0) {
// CHECK-NEXT:      /* past the caches */
// CHECK:             opc_share(broadcast_loop0_iterations, &data, 0, n0, 1, OPC_MOST_THREADS, e0 * n0 * 23);
// CHECK-NEXT:      }
// CHECK-NEXT:    } else {
// CHECK-NEXT:      /* through the caches */
// CHECK-NEXT:      {
// CHECK-NEXT:        const broadcast_loop1_data data = {n1, e0, e4, e5, in0, in1, out0};
// CHECK-NEXT:        opc_share(broadcast_loop1_iterations, &data, 0, n0, 1, OPC_MOST_THREADS, e0 * n0 * 13);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK:       int broadcast_plan(
// CHECK:         if (n1 != n2 && n1 != 1 && n2 != 1) {
// CHECK-NEXT:      return 1;
// CHECK-NEXT:    }
// CHECK-NEXT:    const int64_t e0 = (n1 == 1 ? n2 : n1);
// CHECK-NEXT:    shapes[0] = n0;
// CHECK-NEXT:    shapes[1] = e0;
// CHECK-NEXT:    *workspace_bytes = (size_t)0;
// CHECK-NEXT:    return 0;
func.func @broadcast(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = opc.add %x, %y
  return %r : tensor<?x?xf32>
}

// One name is one extent; all loops that touch memory in order are one.
// CHECK-LABEL: static void equal_loop0(
// CHECK:         for (int64_t i0 = begin; i0 < end; ++i0) {
// CHECK-NEXT:      out0[i0] = opc_exp_f32(in0[i0]) + in1[i0];
// CHECK-LABEL: int equal_run(
// CHECK-NEXT:      int64_t n0,
// CHECK-NEXT:      int64_t n1,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK:           opc_share(equal_loop0_iterations, &data, 0, n0 * n1, 64, OPC_MOST_THREADS,
func.func @equal(%x: tensor<?x?xf32, #opc.dims<M, N>>, %y: tensor<?x?xf32, #opc.dims<M, N>>)
    -> tensor<?x?xf32, #opc.dims<M, N>> {
  %e = opc.exp %x
  %r = opc.add %e, %y
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// A product divides a product.
// CHECK-LABEL: int reshape_run(
// CHECK:         if (n1 * 2 == 0 || n0 * 4 % (n1 * 2) != 0) {
// CHECK:       int reshape_plan(
// CHECK:         const int64_t e0 = n1 * 2 == 0 ? 0 : n0 * 4 / (n1 * 2);
// CHECK-NEXT:    shapes[0] = e0;
// CHECK-NEXT:    shapes[1] = n1;
// CHECK-NEXT:    shapes[2] = 2;
func.func @reshape(%x: tensor<?x4xf32, #opc.dims<N, 4>>, %y: tensor<?xf32, #opc.dims<M>>)
    -> tensor<?x?x2xf32, #opc.dims<?, M, 2>> {
  %r = opc.reshape %x -> tensor<?x?x2xf32, #opc.dims<?, M, 2>>
  return %r : tensor<?x?x2xf32, #opc.dims<?, M, 2>>
}

// The sum is at the start of the workspace, the symbolic tensor behind it.
// CHECK-LABEL: int workspace_run(
// CHECK:         float *const buffer0 = (float *)(void *)((char *)workspace + 0);
// CHECK-NEXT:    float *const buffer1 = (float *)(void *)((char *)workspace + 64);
// CHECK:       int workspace_plan(
// CHECK:         const int64_t e0 = (n0 * 4 + 63) / 64;
// CHECK-NEXT:    shapes[0] = n0;
// CHECK-NEXT:    *workspace_bytes = (size_t)(e0 * 64 + 64);
func.func @workspace(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xi1, #opc.dims<N>> {
  %e = opc.exp %x
  %s = opc.reduce_sum %e
  %t = opc.exp %e
  %r = opc.greater %t, %s
  return %r : tensor<?xi1, #opc.dims<N>>
}
