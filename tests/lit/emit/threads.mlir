// What one thread does of a loop is a function; where it is too little, the loop stays in place.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,convert-strips,simplify-loops -t c | filecheck %s

// Parts of a sum go in an array of the caller; the threads that divide by it begin at full vectors.
// CHECK-LABEL: static void total_loop0(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT part0) {
// CHECK-NEXT:    OPC_ROLLED
// CHECK-NEXT:    for (int64_t i1 = begin; i1 < end; ++i1) {
// CHECK:           part0[i1] = t0;
// CHECK-LABEL: static void total_loop1(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      float *OPC_RESTRICT buffer0) {
// CHECK-NEXT:    for (int64_t i4 = begin; i4 < end; ++i4) {
// CHECK-NEXT:      out0[i4] = in0[i4] / buffer0[0];
// CHECK-LABEL: int total_run(
// CHECK:         float part0[32];
// CHECK:       #ifdef _OPENMP
// CHECK-NEXT:  #pragma omp parallel
// CHECK-NEXT:  #endif
// CHECK-NEXT:    {
// CHECK-NEXT:      const opc_share share = opc_share_of(0, {{[0-9]+}}, 1);
// CHECK-NEXT:      total_loop0(share.begin, share.end, in0, part0);
// CHECK-NEXT:    }
// CHECK:           const opc_share share = opc_share_of(0, 4194304, 64);
// CHECK-NEXT:      total_loop1(share.begin, share.end, in0, out0, buffer0);
func.func @total(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {
  %s = opc.reduce_sum %x {keepdims = true}
  %y = opc.div %x, %s
  func.return %y : tensor<4194304xf32>
}

// CHECK-LABEL: int few_run(
// CHECK-NOT:     opc_share
// CHECK:         for (int64_t i0 = 0; i0 < 4096; ++i0) {
// CHECK-NEXT:      const float t0 = in0[i0];
// CHECK-NEXT:      out0[i0] = t0 + t0;
func.func @few(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %y = opc.add %x, %x
  func.return %y : tensor<4096xf32>
}
