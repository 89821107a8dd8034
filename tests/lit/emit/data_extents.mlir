// What an extent is that a function finds, and what follows from it, C computes where it is known.
// RUN: opc-opt %s -p infer-shapes,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,lower-schedules,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: int first_run(
// CHECK:           void *OPC_RESTRICT workspace,
// CHECK-NEXT:      int64_t *OPC_RESTRICT shapes) {
// CHECK:         const int64_t m0 = in0[0];
// CHECK-NEXT:    if (m0 < 0 || m0 > n0) {
// CHECK-NEXT:      return 1;
// CHECK-NEXT:    }
// CHECK:           opc_share(first_loop0_iterations, &data, 0, m0, 64, OPC_MOST_THREADS, m0 * 4);
// CHECK:         shapes[0] = m0;
// CHECK-NEXT:    return 0;

// The plan says how large the output can be.
// CHECK-LABEL: int first_plan(
// CHECK:         shapes[0] = n0;
// CHECK:         *workspace_bytes
func.func @first(%n: tensor<i64>, %y: tensor<?xf32, #opc.dims<N>>) -> tensor<?xi64, #opc.dims<k>> {
  opc.data_extent %n most <N> -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  return %i : tensor<?xi64, #opc.dims<k>>
}

// A capacity is a parameter; where it is too small, the call says which power of 2 suffices.
// CHECK-LABEL: int room_run(
// CHECK-NEXT:      int64_t n0,
// CHECK:         const int64_t m0 = in0[0];
// CHECK-NEXT:    if (m0 < 0) {
// CHECK-NEXT:      return {{[0-9]+}};
// CHECK-NEXT:    }
// CHECK-NEXT:    if (m0 > n0) {
// CHECK-NEXT:      return -(64 + opc_bits(m0));
// CHECK-NEXT:    }
// CHECK-LABEL: int room_plan(
// CHECK:         shapes[0] = n0;
func.func @room(%n: tensor<i64>) -> tensor<?xi64, #opc.dims<k>> {
  opc.given_extents ["c"]
  opc.data_extent %n most <c> of "c" -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  return %i : tensor<?xi64, #opc.dims<k>>
}
