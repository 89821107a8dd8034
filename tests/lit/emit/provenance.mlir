// Each nest says which nodes of the source it computes; a name never becomes code.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,convert-strips,simplify-loops -t c | filecheck %s

// CHECK-LABEL: int fused_run(
// CHECK:         /* sub #1, exp #2 */
// CHECK-NEXT:    for (int64_t i0 = 0;
// CHECK:         /* neg #5 */
// CHECK-NEXT:    for (int64_t i1 = 0;
func.func @fused(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<9xi32>) -> (tensor<4xf32>, tensor<9xi32>) {
  %c = opc.sub %x, %y loc("1:sub")
  %r = opc.exp %c loc("2:exp")
  %s = opc.neg %z loc("5:neg")
  return %r, %s : tensor<4xf32>, tensor<9xi32>
}

// What one operator became keeps its name; a comment with many nodes stays short.
// CHECK-LABEL: int chain_run(
// CHECK:         /* gelu #0, neg #1, neg #2, neg #3, neg #4, neg #5, neg #6, neg #7, neg #8, neg #9, neg #10, neg #11, ... 2 more */
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = opc.gelu %x loc("0:gelu")
  %1 = opc.neg %0 loc("1:neg")
  %2 = opc.neg %1 loc("2:neg")
  %3 = opc.neg %2 loc("3:neg")
  %4 = opc.neg %3 loc("4:neg")
  %5 = opc.neg %4 loc("5:neg")
  %6 = opc.neg %5 loc("6:neg")
  %7 = opc.neg %6 loc("7:neg")
  %8 = opc.neg %7 loc("8:neg")
  %9 = opc.neg %8 loc("9:neg")
  %10 = opc.neg %9 loc("10:neg")
  %11 = opc.neg %10 loc("11:neg")
  %12 = opc.neg %11 loc("12:neg")
  %13 = opc.neg %12 loc("13:neg")
  return %13 : tensor<4xf32>
}

// Other locations say nothing.
// CHECK-LABEL: int hostile_run(
// CHECK-NOT:     system
// CHECK-NOT:     /*
// CHECK:         for (int64_t i0 = 0;
func.func @hostile(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.neg %x loc("3:*/ system(1); /*")
  return %r : tensor<4xf32>
}
