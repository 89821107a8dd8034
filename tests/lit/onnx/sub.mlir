// What each version of Sub means.
// RUN: opc-opt -p legalize-onnx %s | filecheck %s

// CHECK-LABEL: func.func @version_1
// CHECK: [[B:%.+]] = opc.reshape %b : tensor<3x4xf32> -> tensor<3x4x1xf32>
// CHECK-NEXT: opc.sub %a, [[B]] : tensor<2x3x4x5xf32>, tensor<3x4x1xf32> -> tensor<2x3x4x5xf32>
func.func @version_1(%a: tensor<2x3x4x5xf32>, %b: tensor<3x4xf32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 1 (%a, %b) {axis = 1 : i64, broadcast = 1 : i64, consumed_inputs = array<i64: 0>} : (tensor<2x3x4x5xf32>, tensor<3x4xf32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// The last axes, where no axis is given.
// CHECK-LABEL: func.func @version_6_suffix
// CHECK-NOT: opc.reshape
// CHECK: opc.sub %a, %b : tensor<2x3x4xi32>, tensor<3x4xi32> -> tensor<2x3x4xi32>
func.func @version_6_suffix(%a: tensor<2x3x4xi32>, %b: tensor<3x4xi32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 6 (%a, %b) {broadcast = 1 : i64} : (tensor<2x3x4xi32>, tensor<3x4xi32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// CHECK-LABEL: func.func @version_6_one_element
// CHECK: [[B:%.+]] = opc.reshape %b : tensor<1x1xf32> -> tensor<f32>
// CHECK-NEXT: opc.sub %a, [[B]] : tensor<2x3xf32>, tensor<f32> -> tensor<2x3xf32>
func.func @version_6_one_element(%a: tensor<2x3xf32>, %b: tensor<1x1xf32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 6 (%a, %b) {broadcast = 1 : i64} : (tensor<2x3xf32>, tensor<1x1xf32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// Extents that only a run knows are compared then.
// CHECK-LABEL: func.func @version_6_symbols
// CHECK: opc.require equal<N, M> "Sub: shapes differ, and broadcast is not set"
// CHECK: opc.sub %a, %b
func.func @version_6_symbols(%a: tensor<?xf32, #opc.dims<N>>, %b: tensor<?xf32, #opc.dims<M>>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 6 (%a, %b) : (tensor<?xf32, #opc.dims<N>>, tensor<?xf32, #opc.dims<M>>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// CHECK-LABEL: func.func @version_7
// CHECK: opc.sub %a, %b : tensor<2x1xf64>, tensor<3xf64> -> tensor<2x3xf64>
func.func @version_7(%a: tensor<2x1xf64>, %b: tensor<3xf64>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 7 (%a, %b) : (tensor<2x1xf64>, tensor<3xf64>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// CHECK-LABEL: func.func @version_13
// CHECK: opc.sub %a, %b : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
func.func @version_13(%a: tensor<2xbf16>, %b: tensor<2xbf16>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 13 (%a, %b) : (tensor<2xbf16>, tensor<2xbf16>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// CHECK-LABEL: func.func @version_14
// CHECK: opc.sub %a, %b : tensor<2xui8>, tensor<ui8> -> tensor<2xui8>
func.func @version_14(%a: tensor<2xui8>, %b: tensor<ui8>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 14 (%a, %b) : (tensor<2xui8>, tensor<ui8>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}
