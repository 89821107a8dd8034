// What the versions of Sub refuse.
// RUN: not opc-opt --split-input-file -p legalize-onnx %s 2>&1 | filecheck %s

// CHECK: node 0 "d" (Sub-6): shapes differ, and broadcast is not set: [2, 3] and [3]
func.func @no_broadcast(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 6 (%a, %b) {onnx.name = "d"} : (tensor<2x3xf32>, tensor<3xf32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// -----

// CHECK: node 0 (Sub-6): [3] is not a run of extents of [3, 2], from axis 1 on
func.func @no_run(%a: tensor<3x2xf32>, %b: tensor<3xf32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 6 (%a, %b) {broadcast = 1 : i64} : (tensor<3x2xf32>, tensor<3xf32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// -----

// CHECK: node 0 (Sub-7): attribute 'broadcast' is not in this version; it has: none
func.func @later(%a: tensor<3xf32>, %b: tensor<3xf32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 7 (%a, %b) {broadcast = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// -----

// CHECK: node 0 (Sub-1): input A has element type i32, expected one of f64 f32 f16
func.func @types_of_version_1(%a: tensor<3xi32>, %b: tensor<3xi32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 1 (%a, %b) : (tensor<3xi32>, tensor<3xi32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// -----

// CHECK: 1 kind of nodes is not supported: Sub-2 x 1, first node 0; what is needed: Sub of a version among 1, 6, 7, 13, 14
func.func @no_such_version(%a: tensor<3xf32>, %b: tensor<3xf32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 2 (%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}
