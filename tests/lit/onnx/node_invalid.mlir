// What no node can be.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: onnx.node: expected tensors, found i32
func.func @node_c1() {
  %y = "onnx.node"() <{operator = "Add", since = #builtin.int<7>}> : () -> i32
  return
}

// -----

// CHECK: onnx.node: [3] are no positions of inputs
func.func @node_c2(%a: tensor<f32>) {
  %y = "onnx.node"(%a) <{operator = "Add", since = #builtin.int<7>, absent = array<i64: 3>}> : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// CHECK: onnx.node: version 0, expected 1 or more
func.func @node_c3(%a: tensor<f32>) {
  %y = onnx.node "Neg" since 0 (%a) : (tensor<f32>) -> (tensor<f32>)
  return
}

// -----

// CHECK: error: onnx.node: a graph does not end in onnx.yield
func.func @node_c4(%c: tensor<i1>) {
  %r = onnx.node "If" since 13 (%c) : (tensor<i1>) -> (!onnx.unknown) graph "then_branch" {
    %a = opc.neg %c : tensor<i1> -> tensor<i1>
  }
  return
}
