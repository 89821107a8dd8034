// Arrays of a loop for which the stack has no room lie at the start of the workspace, in front of
// the tensors there, and the loop is a function that gets them as parameters.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: OPC_OWN_FRAME static void large_loop0(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK:           float *OPC_RESTRICT levels0,
// CHECK-NEXT:      float *OPC_RESTRICT row0,
// CHECK-NEXT:      float *OPC_RESTRICT row1) {
// CHECK:             OPC_ALIGNED float column0[1024];
// CHECK-LABEL: int large_run(
// CHECK:         float *const buffer0 = (float *)(void *)((char *)workspace + {{[0-9]+}});
// CHECK-NEXT:    float *const part0 = (float *)(void *)((char *)workspace{{.*}});
// CHECK-NEXT:    large_loop0(0, e4, n0, e3, in0, out0, part0, (float *)(void *)((char *)workspace + {{[0-9]+}}),
// CHECK-NEXT:        (float *)(void *)((char *)workspace + {{[0-9]+}}), (float *)(void *)((char *)workspace + {{[0-9]+}}));
// CHECK-LABEL: int large_plan(
// CHECK:         *workspace_bytes = (size_t){{[0-9]+}};
func.func @large(%x: tensor<?x1024xf32, #opc.dims<N, 1024>>) -> tensor<?x1024xf32, #opc.dims<N, 1024>> {
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [0], keepdims = true}
  %y = opc.div %e, %s
  %t = opc.reduce_sum %y {axes = [1], keepdims = true}
  %z = opc.div %y, %t
  return %z : tensor<?x1024xf32, #opc.dims<N, 1024>>
}
