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

// CHECK-LABEL: func.func @several_outputs(
// CHECK-NEXT:    {{%.+}}, {{%.+}} = openvino.layer "TopK" opset11 () : () -> (tensor<1xf32>, tensor<1xi64>)
func.func @several_outputs() {
  %r, %i = openvino.layer "TopK" opset11 () : () -> (tensor<1xf32>, tensor<1xi64>)
  return
}
