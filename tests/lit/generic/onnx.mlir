// Passes of xDSL on nodes and layers: numbers that are drawn without a seed are others each time.
// RUN: opc-opt -p cse %s | filecheck %s --check-prefix CSE
// RUN: opc-opt -p dce %s | filecheck %s --check-prefix DCE

// CSE-LABEL: func.func @nodes
// CSE-COUNT-1: onnx.node "Exp"
// CSE-NOT: onnx.node "Exp"
// CSE: return
// DCE-LABEL: func.func @nodes
// DCE-COUNT-2: onnx.node "Exp"
// DCE-NEXT: return
func.func @nodes(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = onnx.node "Exp" since 13 (%x) : (tensor<4xf32>) -> (tensor<4xf32>)
  %b = onnx.node "Exp" since 13 (%x) : (tensor<4xf32>) -> (tensor<4xf32>)
  %c = onnx.node "Neg" since 13 (%x) : (tensor<4xf32>) -> (tensor<4xf32>)
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CSE-LABEL: func.func @random
// CSE-COUNT-2: onnx.node "RandomUniform" since 1 () {shape = [4 : i64]}
// CSE-NEXT: [[C:%.+]] = onnx.node "RandomUniform" since 1 () {shape = [4 : i64], seed
// CSE-NEXT: openvino.layer "RandomUniform"
// CSE-NEXT: openvino.layer "RandomUniform"
// CSE-NEXT: return [[C]], [[C]]
// DCE-LABEL: func.func @random
// DCE-COUNT-2: onnx.node "RandomUniform" since 1 () {shape = [4 : i64]}
// DCE-COUNT-2: onnx.node "RandomUniform" since 1 () {shape = [4 : i64], seed
// DCE-COUNT-2: openvino.layer "RandomUniform"
// DCE: return
func.func @random(%x: tensor<1xi64>, %l: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %a = onnx.node "RandomUniform" since 1 () {shape = [4]} : () -> (tensor<4xf32>)
  %b = onnx.node "RandomUniform" since 1 () {shape = [4]} : () -> (tensor<4xf32>)
  %c = onnx.node "RandomUniform" since 1 () {shape = [4], seed = 1.0 : f32}
      : () -> (tensor<4xf32>)
  %d = onnx.node "RandomUniform" since 1 () {shape = [4], seed = 1.0 : f32}
      : () -> (tensor<4xf32>)
  %e = openvino.layer "RandomUniform" opset8 (%x, %l, %l) {output_type = "f32"}
      : (tensor<1xi64>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>)
  %f = openvino.layer "RandomUniform" opset8 (%x, %l, %l) {output_type = "f32"}
      : (tensor<1xi64>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>)
  return %c, %d : tensor<4xf32>, tensor<4xf32>
}

// A graph inside draws for the node around it.
// DCE-LABEL: func.func @graphs
// DCE-COUNT-1: onnx.node "If"
// DCE-NOT: onnx.node "If"
func.func @graphs(%c: tensor<i1>, %x: tensor<4xf32>) {
  %a = onnx.node "If" since 13 (%c) : (tensor<i1>) -> (!onnx.unknown)
      graph "then_branch" {
        %r = onnx.node "RandomUniform" since 1 () {shape = [4]} : () -> (tensor<4xf32>)
        onnx.yield %r : tensor<4xf32>
      } graph "else_branch" { onnx.yield %x : tensor<4xf32> }
  %b = onnx.node "If" since 13 (%c) : (tensor<i1>) -> (!onnx.unknown)
      graph "then_branch" { onnx.yield %x : tensor<4xf32> }
      graph "else_branch" { onnx.yield %x : tensor<4xf32> }
  return
}
