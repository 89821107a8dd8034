// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: openvino.layer: '*/ evil' opset1 is no operator
func.func @layer_c1() {
  openvino.layer "*/ evil" opset1 () : () -> ()
  return
}

// -----

// CHECK: error: expected an opset, such as opset1
func.func @opset() {
  openvino.layer "Add" extension () : () -> ()
  return
}

// -----

// CHECK: error: openvino.layer: attribute keep_dims is no text, found true
func.func @layer_c2(%x: tensor<2xf32>) {
  %r = openvino.layer "ReLU" opset1 (%x) {keep_dims = true} : (tensor<2xf32>) -> (tensor<2xf32>)
  return
}

// -----

// CHECK: error: openvino.layer: an output cannot be tensor<2xf128>
func.func @layer_c4(%x: tensor<2xf32>) {
  %r = openvino.layer "ReLU" opset1 (%x) : (tensor<2xf32>) -> (tensor<2xf128>)
  return
}
