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

// -----

// CHECK: error: openvino.layer: body does not end in openvino.yield
func.func @layer_c5(%x: tensor<2xf32>) {
  openvino.layer "Loop" opset5 (%x) : (tensor<2xf32>) -> () body "body" "0 -> " {
  ^bb0(%a: tensor<2xf32>):
    func.return
  }
  return
}

// -----

// CHECK: error: openvino.layer: body: an argument is an input of [3], the layer has 1
func.func @layer_c6(%x: tensor<2xf32>) {
  openvino.layer "Loop" opset5 (%x) : (tensor<2xf32>) -> () body "body" "3 -> " {
  ^bb0(%a: tensor<2xf32>):
    openvino.yield
  }
  return
}

// -----

// CHECK: error: openvino.layer: body: 2 arguments and 0 outputs are bound, expected 1 and 0
func.func @layer_c6_counts(%x: tensor<2xf32>) {
  openvino.layer "Loop" opset5 (%x) : (tensor<2xf32>) -> () body "body" "0, iteration -> " {
  ^bb0(%a: tensor<2xf32>):
    openvino.yield
  }
  return
}

// -----

// CHECK: '0, 1' has no ->
func.func @ports() {
  openvino.layer "Loop" opset5 () : () -> () body "body" "0, 1" {
    openvino.yield
  }
  return
}
