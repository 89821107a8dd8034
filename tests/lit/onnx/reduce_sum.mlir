// What each version of ReduceSum means.
// RUN: opc-opt -p legalize-onnx %s | filecheck %s

// CHECK-LABEL: func.func @version_1
// CHECK: opc.reduce_sum %x {axes = [0, 2], keepdims = true} : tensor<2x3x4xf32> -> tensor<1x3x1xf32>
func.func @version_1(%x: tensor<2x3x4xf32>) -> !onnx.unknown {
  %y = onnx.node "ReduceSum" since 1 (%x) {axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// CHECK-LABEL: func.func @version_11
// CHECK: opc.reduce_sum %x {axes = [2]} : tensor<2x3x4xf32> -> tensor<2x3xf32>
func.func @version_11(%x: tensor<2x3x4xf32>) -> !onnx.unknown {
  %y = onnx.node "ReduceSum" since 11 (%x) {axes = array<i64: -1>, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// CHECK-LABEL: func.func @version_11_all
// CHECK: opc.reduce_sum %x {keepdims = true} : tensor<2x3xf32> -> tensor<1x1xf32>
func.func @version_11_all(%x: tensor<2x3xf32>) -> !onnx.unknown {
  %y = onnx.node "ReduceSum" since 11 (%x) : (tensor<2x3xf32>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// CHECK-LABEL: func.func @version_13_constant_axes
// CHECK-NOT: opc.constant
// CHECK: opc.reduce_sum %x {axes = [1], keepdims = true} : tensor<2x3xf32> -> tensor<2x1xf32>
func.func @version_13_constant_axes(%x: tensor<2x3xf32>) -> !onnx.unknown {
  %axes = opc.constant dense<[-1]> : tensor<1xi64>
  %y = onnx.node "ReduceSum" since 13 (%x, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// CHECK-LABEL: func.func @version_13_run_time_axes
// CHECK: opc.reduce_sum %x, %axes {empty_axes = "all"} : tensor<2x3xf32>, tensor<1xi64> -> tensor<?xf32>
func.func @version_13_run_time_axes(%x: tensor<2x3xf32>, %axes: tensor<1xi64>) -> !onnx.unknown {
  %y = onnx.node "ReduceSum" since 13 (%x, %axes) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// Whether the list is empty is not known, so that neither is what happens.
// CHECK-LABEL: func.func @version_13_noop_at_run_time
// CHECK: opc.reduce_sum %x, %axes {keepdims = true}
func.func @version_13_noop_at_run_time(%x: tensor<2x3xf32>, %axes: tensor<?xi64>) -> !onnx.unknown {
  %y = onnx.node "ReduceSum" since 13 (%x, %axes) {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<?xi64>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// CHECK-LABEL: func.func @version_13_noop
// CHECK: opc.identity %x
func.func @version_13_noop(%x: tensor<2x3xf32>) -> !onnx.unknown {
  %y = onnx.node "ReduceSum" since 13 (%x) {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}
