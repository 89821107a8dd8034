// What one thread does of a loop is a function; where it is too little, the loop stays in place.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// Parts of a sum go in an array of the caller; the threads that divide by it begin at full vectors.
// CHECK-LABEL: OPC_OWN_FRAME static void total_loop0(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT part0) {
// CHECK-NEXT:    for (int64_t i0 = begin; i0 < end; ++i0) {
// CHECK:             part0[i0 * 64 + [[I:i[0-9]+]]{{\]}} = column0{{\[}}[[I]]{{\]}};
// What a thread calls finds these in a struct.
// CHECK:       typedef struct {
// CHECK-NEXT:    const float *in0;
// CHECK-NEXT:    float *part0;
// CHECK-NEXT:  } total_loop0_data;
// CHECK:       static void total_loop0_iterations(
// CHECK-NEXT:      const void *given, int64_t begin, int64_t end, int64_t thread) {
// CHECK-NEXT:    const total_loop0_data *const data = (const total_loop0_data *)given;
// CHECK-NEXT:    (void)thread;
// CHECK-NEXT:    total_loop0(begin, end, data->in0, data->part0);
// CHECK-LABEL: static void total_loop1(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0,
// CHECK-NEXT:      float *OPC_RESTRICT buffer0) {
// CHECK-NEXT:    for (int64_t [[K:i[0-9]+]] = begin; [[K]] < end; ++[[K]]) {
// CHECK-NEXT:      out0{{\[}}[[K]]{{\]}} = in0{{\[}}[[K]]{{\]}} / buffer0[0];
// CHECK-LABEL: int total_run(
// CHECK:         OPC_ALIGNED float part0[1024];
// CHECK:           const total_loop0_data data = {in0, part0};
// CHECK-NEXT:      opc_share(total_loop0_iterations, &data, 0, {{[0-9]+}}, 1, OPC_MOST_THREADS, {{[0-9]+}});
// CHECK:           const total_loop1_data data = {in0, out0, buffer0};
// CHECK-NEXT:      opc_share(total_loop1_iterations, &data, 0, 1048576, 64, OPC_MOST_THREADS, {{[0-9]+}});
func.func @total(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %s = opc.reduce_sum %x {keepdims = true}
  %y = opc.div %x, %s
  func.return %y : tensor<1048576xf32>
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
