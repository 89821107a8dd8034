// Each nest says which nodes of the source it computes; a name never becomes code.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: int fused_run(
// CHECK:         /* sub #1, exp #2 */
// CHECK-NEXT:    for (int64_t i0 = 0;
// CHECK:         /* neg #5 */
// CHECK-NEXT:    for (int64_t i1 = 0;
func.func @fused(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<19xi32>) -> (tensor<4xf32>, tensor<19xi32>) {
  %c = opc.sub %x, %y loc("1:sub")
  %r = opc.exp %c loc("2:exp")
  %s = opc.neg %z loc("5:neg")
  return %r, %s : tensor<4xf32>, tensor<19xi32>
}

// What one operator became keeps its name; a comment with many nodes stays short.
// CHECK-LABEL: int chain_run(
// CHECK:         /* gelu #0, sqrt #1, sqrt #2, sqrt #3, sqrt #4, sqrt #5, sqrt #6, sqrt #7, sqrt #8, sqrt #9,
// CHECK-NEXT:     sqrt #10, sqrt #11, ... 2 more */
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = opc.gelu %x loc("0:gelu")
  %1 = opc.sqrt %0 loc("1:sqrt")
  %2 = opc.sqrt %1 loc("2:sqrt")
  %3 = opc.sqrt %2 loc("3:sqrt")
  %4 = opc.sqrt %3 loc("4:sqrt")
  %5 = opc.sqrt %4 loc("5:sqrt")
  %6 = opc.sqrt %5 loc("6:sqrt")
  %7 = opc.sqrt %6 loc("7:sqrt")
  %8 = opc.sqrt %7 loc("8:sqrt")
  %9 = opc.sqrt %8 loc("9:sqrt")
  %10 = opc.sqrt %9 loc("10:sqrt")
  %11 = opc.sqrt %10 loc("11:sqrt")
  %12 = opc.sqrt %11 loc("12:sqrt")
  %13 = opc.sqrt %12 loc("13:sqrt")
  return %13 : tensor<4xf32>
}

// Other locations say nothing.
// CHECK-LABEL: int hostile_run(
// CHECK-NOT:     system
// CHECK-NOT:     /*
// CHECK:         for (int64_t i0 = 0;
func.func @hostile(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.sqrt %x loc("3:*/ system(1); /*")
  return %r : tensor<4xf32>
}
