// A body is a function that a loop, or one of two branches, calls; what is carried lies in two
// buffers in turn, and elements of what is gone over are addresses in the whole.
// RUN: opc-opt %s -p infer-shapes,fold-constants,require-ranges,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,lower-schedules,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: static void loop_body0(
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      const float *OPC_RESTRICT in1,
// CHECK:         out0[i0] = in0[i0] + in1[i0];
// CHECK-LABEL: int loop_run(
// CHECK:         for (int64_t i0 = 0; i0 < n0; ++i0) {
// CHECK-NEXT:      const bool turn0 = ((n0 - i0) & 1) == 0;
// CHECK-NEXT:      const float *const carried0 = i0 == 0 ? in0 : !turn0 ? buffer0 : out0;
// CHECK-NEXT:      loop_body0(carried0, in1 + i0 * 8, turn0 ? buffer0 : out0, out1 + (n0 * 8 - i0 * 8 - 8), (char *)workspace + 64);
// CHECK:         if (n0 == 0) {
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < 8; ++i1) {
// CHECK-NEXT:        out0[i1] = in0[i1];
func.func @loop(%h0: tensor<8xf32>, %x: tensor<?x8xf32, #opc.dims<T, 8>>)
    -> (tensor<8xf32>, tensor<?x8xf32, #opc.dims<T, 8>>) {
  %h, %y = opc.scan @step <T> carry (%h0) over (%x) reversed [] [0]
      : (tensor<8xf32>, tensor<?x8xf32, #opc.dims<T, 8>>)
      -> (tensor<8xf32>, tensor<?x8xf32, #opc.dims<T, 8>>)
  return %h, %y : tensor<8xf32>, tensor<?x8xf32, #opc.dims<T, 8>>
}
func.func private @step(%h: tensor<8xf32>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = opc.add %h, %x
  return %a, %h : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: int until_run(
// CHECK:         int64_t i0 = 0;
// CHECK-NEXT:    for (; i0 < in2[0] && (i0 == 0 ? in0 : (i0 & 1) != 0 ? buffer{{[01]}} : out0)[0] != 0; ++i0) {
// CHECK:         if (i0 == 0 || (i0 & 1) != 0) {
// CHECK:             out0[i1] = (i0 == 0 ? in0 : buffer{{[01]}})[i1];
func.func @until(%c: tensor<i1>, %x: tensor<f32>, %n: tensor<i64>) -> (tensor<i1>, tensor<f32>) {
  %d, %y = opc.scan @halve <0> carry (%c, %x) trip (%n) while
      : (tensor<i1>, tensor<f32>, tensor<i64>) -> (tensor<i1>, tensor<f32>)
  return %d, %y : tensor<i1>, tensor<f32>
}
func.func private @halve(%c: tensor<i1>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>) {
  %half = opc.constant dense<0.5> : tensor<f32>
  %y = opc.mul %x, %half
  %d = opc.greater %y, %half
  return %d, %y : tensor<i1>, tensor<f32>
}

// What is stacked is 0 behind the iteration that ends a loop.
// CHECK-LABEL: int collect_run(
// CHECK:         for (; i0 < 5 && (i0 == 0 ? in0 : (i0 & 1) != 0 ? buffer{{[0-3]}} : buffer{{[0-3]}})[0] != 0; ++i0) {
// CHECK:           collect_body0({{.+}}, out0 + i0 * 3,
// CHECK:         for (int64_t [[I:i[0-9]+]] = i0 * 3; [[I]] < 15; ++[[I]]) {
// CHECK-NEXT:      out0{{\[}}[[I]]{{\]}} = 0;
func.func @collect(%c: tensor<i1>, %x: tensor<3xf32>) -> tensor<5x3xf32> {
  %d, %y, %every = opc.scan @halves <5> carry (%c, %x) while
      : (tensor<i1>, tensor<3xf32>) -> (tensor<i1>, tensor<3xf32>, tensor<5x3xf32>)
  return %every : tensor<5x3xf32>
}
func.func private @halves(%c: tensor<i1>, %x: tensor<3xf32>)
    -> (tensor<i1>, tensor<3xf32>, tensor<3xf32>) {
  %half = opc.constant dense<0.5> : tensor<f32>
  %y = opc.mul %x, %half
  %most = opc.reduce_max %y {axes = [0], keepdims = false} : tensor<3xf32> -> tensor<f32>
  %d = opc.greater %most, %half
  return %d, %y, %y : tensor<i1>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: int choice_run(
// CHECK:         if (in0[0] != 0) {
// CHECK-NEXT:      choice_body0(in1, out0, workspace);
// CHECK-NEXT:    } else {
// CHECK-NEXT:      choice_body1(in1, out0, workspace);
// CHECK-NEXT:    }
func.func @choice(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.if %c then @same (%x) else @negated (%x)
      : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  return %r : tensor<4xf32>
}
func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @negated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = opc.neg %x
  return %y : tensor<4xf32>
}

// A body whose indices are checked returns the number of the check that failed.
// CHECK-LABEL: static int lookups_body
// CHECK:         if (!opc_within_i64(in0, 1, -4, 3)) {
// CHECK-NEXT:      return 1;
// CHECK:         return 0;
// CHECK-LABEL: int lookups_run(
// CHECK:           const int [[F:failed[0-9]+]] = lookups_body{{.+}}(in0 + i0, in1, out0 + i0, workspace);
// CHECK-NEXT:      if ([[F]] != 0) {
// CHECK-NEXT:        return [[F]];
// CHECK-NEXT:      }
func.func @lookups(%i: tensor<3xi64>, %x: tensor<4xf32>) -> tensor<3xf32> {
  %r = opc.scan @lookup <3> over (%i) with (%x) : (tensor<3xi64>, tensor<4xf32>) -> (tensor<3xf32>)
  return %r : tensor<3xf32>
}
func.func private @lookup(%i: tensor<i64>, %x: tensor<4xf32>) -> tensor<f32> {
  %r = opc.gather %x, %i {axes = [0]} : tensor<4xf32>, tensor<i64> -> tensor<f32>
  return %r : tensor<f32>
}
