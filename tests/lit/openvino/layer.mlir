// Layers as a model writes them: the form that is printed is the one that is parsed.
// RUN: opc-opt %s | filecheck %s
// RUN: opc-opt %s | opc-opt | filecheck %s

// CHECK-LABEL: func.func @names(
// CHECK-NEXT:    %r = openvino.layer "ReLU" opset1 (%x) {openvino.name = "a \22b\22"} : (tensor<2xf32>) -> (tensor<2xf32>)
func.func @names(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = openvino.layer "ReLU" opset1 (%x) {openvino.name = "a \"b\""} : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r : tensor<2xf32>
}

// A port need not state extents or a precision.
// CHECK-LABEL: func.func @unstated(
// CHECK-NEXT:    %r = openvino.layer "Add" opset1 (%x, %x) {auto_broadcast = "pdpd", auto_broadcast.auto_broadcast_axis = "1"} : (tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xnone>)
func.func @unstated(%x: tensor<?x2xf32>) -> tensor<?x2xnone> {
  %r = openvino.layer "Add" opset1 (%x, %x) {auto_broadcast = "pdpd", auto_broadcast.auto_broadcast_axis = "1"} : (tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xnone>)
  return %r : tensor<?x2xnone>
}

// Bodies, and how they are bound.
// CHECK-LABEL: func.func @bodies(
// CHECK-NEXT:    %r = openvino.layer "If" opset8 (%c, %x) : (tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>) body "then_body" "1 -> 0" {
// CHECK-NEXT:    ^{{.+}}(%a: tensor<2xf32>):
// CHECK-NEXT:      openvino.yield %a : tensor<2xf32>
// CHECK-NEXT:    } body "else_body" "-> 0" {
// CHECK-NEXT:      openvino.yield %x : tensor<2xf32>
// CHECK:         %s, %t = openvino.layer "Loop" opset5 (%c, %x) : (tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) body "body" "iteration, 1 back 0 -> 0, 1 axis 0 start 0 end -1 stride 1 size 1 while 2" {
func.func @bodies(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = openvino.layer "If" opset8 (%c, %x) : (tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>) body "then_body" "1 -> 0" {
  ^bb0(%a: tensor<2xf32>):
    openvino.yield %a : tensor<2xf32>
  } body "else_body" "-> 0" {
    openvino.yield %x : tensor<2xf32>
  }
  %s, %t = openvino.layer "Loop" opset5 (%c, %x) : (tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) body "body" "iteration, 1 back 0 -> 0, 1 axis 0 start 0 end -1 stride 1 size 1 while 2" {
  ^bb0(%n: tensor<i64>, %h: tensor<2xf32>):
    openvino.yield %h, %h, %c : tensor<2xf32>, tensor<2xf32>, tensor<i1>
  }
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @several_outputs(
// CHECK-NEXT:    {{%.+}}, {{%.+}} = openvino.layer "TopK" opset11 () : () -> (tensor<1xf32>, tensor<1xi64>)
func.func @several_outputs() {
  %r, %i = openvino.layer "TopK" opset11 () : () -> (tensor<1xf32>, tensor<1xi64>)
  return
}
