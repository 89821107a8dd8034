// Of rows that are read backwards and not all of them, gcc makes no vectors of several rounds.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK: #define OPC_NO_VECTORS __asm__ volatile("")

// CHECK-LABEL: int every_second_run(
// CHECK:      for (int64_t [[I:i[0-9]+]] = 0; [[I]] < 500; ++[[I]]) {
// CHECK-NEXT:   OPC_NO_VECTORS;
func.func @every_second(%x: tensor<1000x4xf32>) -> tensor<500x4xf32> {
  %r = opc.slice %x {starts = [999, 0], stops = [-1001, 4], steps = [-2, 1]}
  return %r : tensor<500x4xf32>
}

// Reversed rows are without gaps, and so is what is read forwards up to the last round.
// CHECK-NOT: OPC_NO_VECTORS;
func.func @all(%x: tensor<1000x4xf32>) -> tensor<1000x4xf32> {
  %r = opc.slice %x {starts = [999, 0], stops = [-1001, 4], steps = [-1, 1]}
  return %r : tensor<1000x4xf32>
}

func.func @forwards(%x: tensor<1000x4xf32>) -> tensor<500x4xf32> {
  %r = opc.slice %x {starts = [0, 0], stops = [1000, 4], steps = [2, 1]}
  return %r : tensor<500x4xf32>
}
