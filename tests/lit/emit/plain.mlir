// Only helpers that are used are there, and here none is.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// The check of clang's flags is in each file.
// CHECK:             opc_refuse_flags();
// CHECK-NOT:   opc_
// CHECK-LABEL: int plain_run(
// CHECK-NOT:   opc_
// CHECK:           out0[i0] = ([[X:t[0-9]+]] + 1.0f) * [[X]] / -[[X]];
func.func @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = opc.constant dense<1.0> : tensor<f32>
  %a = opc.add %x, %one
  %b = opc.mul %a, %x
  %c = opc.neg %x
  %r = opc.div %b, %c
  return %r : tensor<4xf32>
}

// CHECK:             opc_refuse_flags();
// CHECK-NOT:   opc_
// CHECK-LABEL: int nothing_run(
// CHECK-NEXT:      void *OPC_RESTRICT workspace) {
// CHECK-NEXT:    (void)workspace;
// CHECK-NEXT:    return 0;
func.func @nothing() {
  return
}
