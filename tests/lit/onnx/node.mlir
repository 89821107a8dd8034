// The container of ONNX nodes: inputs that are absent, several outputs, types that are not known.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @attributes
// CHECK: onnx.node "Sub" since 6 (%a, %b) {axis = 1 : i64, broadcast = 1 : i64, onnx.name = "s"} : (tensor<2x3x4xf32>, tensor<3xf32>) -> (!onnx.unknown)
func.func @attributes(%a: tensor<2x3x4xf32>, %b: tensor<3xf32>) -> !onnx.unknown {
  %c = onnx.node "Sub" since 6 (%a, %b) {axis = 1 : i64, broadcast = 1 : i64, onnx.name = "s"} : (tensor<2x3x4xf32>, tensor<3xf32>) -> (!onnx.unknown)
  return %c : !onnx.unknown
}

// CHECK-LABEL: func.func @absent
// CHECK: onnx.node "Clip" since 13 (%x, none, %high) : (tensor<4xf32>, tensor<f32>) -> (tensor<*xf32>)
func.func @absent(%x: tensor<4xf32>, %high: tensor<f32>) -> tensor<*xf32> {
  %y = onnx.node "Clip" since 13 (%x, none, %high) : (tensor<4xf32>, tensor<f32>) -> (tensor<*xf32>)
  return %y : tensor<*xf32>
}

// CHECK-LABEL: func.func @outputs
// CHECK: %{{.+}}, %{{.+}} = onnx.node "Dropout" since 12 (%x) : (tensor<?xf32, #opc.dims<N>>) -> (tensor<?xf32, #opc.dims<N>>, tensor<?xi1>)
func.func @outputs(%x: tensor<?xf32, #opc.dims<N>>) -> (tensor<?xf32, #opc.dims<N>>, tensor<?xi1>) {
  %y, %m = onnx.node "Dropout" since 12 (%x) : (tensor<?xf32, #opc.dims<N>>) -> (tensor<?xf32, #opc.dims<N>>, tensor<?xi1>)
  return %y, %m : tensor<?xf32, #opc.dims<N>>, tensor<?xi1>
}

// CHECK-LABEL: func.func @no_inputs
// CHECK: onnx.node "Constant" since 13 () {value = dense<[1, 2]> : tensor<2xi64>} : () -> (tensor<2xi64>)
func.func @no_inputs() -> tensor<2xi64> {
  %y = onnx.node "Constant" since 13 () {value = dense<[1, 2]> : tensor<2xi64>} : () -> (tensor<2xi64>)
  return %y : tensor<2xi64>
}

// CHECK-LABEL: func.func @graphs
// CHECK:         onnx.node "If" since 13 (%c) : (tensor<i1>) -> (tensor<3xf32>) graph "then_branch" {
// CHECK-NEXT:      onnx.yield %x : tensor<3xf32>
// CHECK-NEXT:    } graph "else_branch" {
// CHECK-NEXT:      onnx.yield %y : tensor<3xf32>
func.func @graphs(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %r = onnx.node "If" since 13 (%c) : (tensor<i1>) -> (tensor<3xf32>) graph "then_branch" {
    onnx.yield %x : tensor<3xf32>
  } graph "else_branch" {
    onnx.yield %y : tensor<3xf32>
  }
  func.return %r : tensor<3xf32>
}
