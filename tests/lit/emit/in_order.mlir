// Functions that add up rows read memory in its order; those with exponentials do as gcc likes.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// What they call is inlined although they have options of their own.
// CHECK-LABEL: #define OPC_INLINE __attribute__((always_inline))
// CHECK:       static inline OPC_INLINE float opc_sum_array_f32x64(const float *x) {
// CHECK:       #define OPC_IN_ORDER __attribute__((optimize("no-schedule-insns", "no-tree-ter", "no-ivopts")))
// CHECK-LABEL: OPC_IN_ORDER static void squares_loop0(
func.func @squares(%x: tensor<4096x1024xf32>) -> tensor<4096xf32> {
  %q = opc.mul %x, %x
  %r = opc.reduce_sum %q {axes = [1], keepdims = false}
  return %r : tensor<4096xf32>
}

// CHECK-LABEL: {{^}}static inline float opc_sum_array_f32x64(const float *x) {
// CHECK-NOT:   OPC_IN_ORDER
// CHECK-LABEL: int exponentials_run(
func.func @exponentials(%x: tensor<4096x1024xf32>) -> tensor<4096xf32> {
  %q = opc.exp %x
  %r = opc.reduce_sum %q {axes = [1], keepdims = false}
  return %r : tensor<4096xf32>
}
