// What is wrong with a layer, by its name and where it is.
// RUN: not opc-opt --split-input-file -p legalize-openvino %s 2>&1 | filecheck %s

// CHECK: :6:3: error: 2 kinds of nodes are not supported: AdaptiveMinPool opset8 x 2, first layer; Nms opset1 x 1, first layer; what is needed: operators AdaptiveMinPool, Nms
func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = openvino.layer "AdaptiveMinPool" opset8 (%x) : (tensor<2xf32>) -> (tensor<2xf32>)
  %s = openvino.layer "AdaptiveMinPool" opset8 (%r) : (tensor<2xf32>) -> (tensor<2xf32>)
  %t = openvino.layer "Nms" opset1 (%s) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %t : tensor<2xf32>
}

// -----

// CHECK: error: layer "my sum" (ReduceSum opset1): axes [1, -1] name an axis twice
func.func @twice(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %a = opc.constant dense<[1, -1]> : tensor<2xi64>
  %r = openvino.layer "ReduceSum" opset1 (%x, %a) {openvino.name = "my sum"} : (tensor<2x3xf32>, tensor<2xi64>) -> (tensor<2xf32>)
  return %r : tensor<2xf32>
}

// -----

// CHECK: error: layer (ReduceSum opset1): axis 2 is outside [-2, 1] for rank 2
func.func @outside(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %a = opc.constant dense<2> : tensor<i8>
  %r = openvino.layer "ReduceSum" opset1 (%x, %a) : (tensor<2x3xf32>, tensor<i8>) -> (tensor<2xf32>)
  return %r : tensor<2xf32>
}

// -----

// CHECK: error: layer (ReduceSum opset1): input data is i1, expected one of f64 f32 f16 bf16
func.func @element_type(%x: tensor<2x3xi1>, %a: tensor<1xi64>) -> tensor<2xi1> {
  %r = openvino.layer "ReduceSum" opset1 (%x, %a) : (tensor<2x3xi1>, tensor<1xi64>) -> (tensor<2xi1>)
  return %r : tensor<2xi1>
}

// -----

// CHECK: error: layer (Add opset1): inputs are f32 and i32, expected one type
func.func @two_types(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xf32> {
  %r = openvino.layer "Add" opset1 (%x, %y) : (tensor<2xf32>, tensor<2xi32>) -> (tensor<2xf32>)
  return %r : tensor<2xf32>
}

// -----

// CHECK: error: layer (Add opset1): shapes [2, 3] and [3] differ, and auto_broadcast is none
func.func @no_broadcast(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = openvino.layer "Add" opset1 (%x, %y) {auto_broadcast = "none"} : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>)
  return %r : tensor<2x3xf32>
}

// -----

// CHECK: error: layer (Add opset1): the result is tensor<2x3xf32>, but the port says tensor<3x2xf32>
func.func @port(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = openvino.layer "Add" opset1 (%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<3x2xf32>)
  return %r : tensor<3x2xf32>
}

// -----

// CHECK: error: layer (SoftMax opset1): axis -1 is negative, which is allowed from opset8 on
func.func @softmax(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = openvino.layer "SoftMax" opset1 (%x) {axis = "-1"} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return %r : tensor<2x3xf32>
}

// -----

// CHECK: error: layer (MVN opset6): attribute eps is missing
func.func @attribute(%x: tensor<2x3xf32>, %a: tensor<1xi64>) -> tensor<2x3xf32> {
  %r = openvino.layer "MVN" opset6 (%x, %a) {normalize_variance = "true"} : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<2x3xf32>)
  return %r : tensor<2x3xf32>
}
