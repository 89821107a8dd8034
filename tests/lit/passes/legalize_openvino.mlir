// Layers become operators, by the row of their type and opset.
// RUN: opc-opt %s -p legalize-openvino | filecheck %s
// RUN: opc-opt %s -p legalize-openvino,legalize-openvino | filecheck %s

// CHECK-LABEL: func.func @reduction(
// CHECK:         %r = opc.reduce_sum %x {axes = [2, 3], keepdims = true} : tensor<6x12x10x24xf32> -> tensor<6x12x1x1xf32>
func.func @reduction(%x: tensor<6x12x10x24xf32>) -> tensor<6x12x1x1xf32> {
  %a = opc.constant dense<[2, -1]> : tensor<2xi32>
  %r = openvino.layer "ReduceSum" opset1 (%x, %a) {keep_dims = "true"} : (tensor<6x12x10x24xf32>, tensor<2xi32>) -> (tensor<6x12x1x1xf32>)
  return %r : tensor<6x12x1x1xf32>
}

// CHECK-LABEL: func.func @run_time_axes(
// CHECK-NEXT:    %r = opc.reduce_min %x, %a : tensor<2x3xf32>, tensor<1xi64> -> tensor<?xf32>
func.func @run_time_axes(%x: tensor<2x3xf32>, %a: tensor<1xi64>) -> tensor<?xf32> {
  %r = openvino.layer "ReduceMin" opset1 (%x, %a) : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<?xf32>)
  return %r : tensor<?xf32>
}

// Integers are divided downwards unless the layer says otherwise.
// CHECK-LABEL: func.func @divide(
// CHECK-NEXT:    [[Q:%.+]] = opc.div %x, %y
// CHECK-NEXT:    [[F:%.+]] = opc.mod %x, %y : tensor<2xi32>
// CHECK-NEXT:    [[T:%.+]] = opc.mod %x, %y {fmod = true}
// CHECK-NEXT:    [[N:%.+]] = opc.not_equal [[F]], [[T]]
// CHECK-NEXT:    [[C:%.+]] = opc.cast [[N]] : tensor<2xi1> -> tensor<2xi32>
// CHECK-NEXT:    %r = opc.sub [[Q]], [[C]]
// CHECK-NEXT:    %s = opc.div %r, %y
func.func @divide(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = openvino.layer "Divide" opset1 (%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>)
  %s = openvino.layer "Divide" opset1 (%r, %y) {m_pythondiv = "false"} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>)
  return %s : tensor<2xi32>
}

// CHECK-LABEL: func.func @pdpd(
// CHECK-NEXT:    [[R:%.+]] = opc.reshape %y : tensor<3x1xf32> -> tensor<3x1x1xf32>
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast [[R]] : tensor<3x1x1xf32> -> tensor<2x3x4x5xf32>
// CHECK-NEXT:    %r = opc.add %x, [[B]]
func.func @pdpd(%x: tensor<2x3x4x5xf32>, %y: tensor<3x1xf32>) -> tensor<2x3x4x5xf32> {
  %r = openvino.layer "Add" opset1 (%x, %y) {auto_broadcast = "pdpd", axis = "1"} : (tensor<2x3x4x5xf32>, tensor<3x1xf32>) -> (tensor<2x3x4x5xf32>)
  return %r : tensor<2x3x4x5xf32>
}

// A shape that is computed from shapes needs nothing when the function runs but that its type has it.
// CHECK-LABEL: func.func @shapes(%x: tensor<?x4xf32, #opc.dims<s0, 4>>, %y: tensor<?xf32, #opc.dims<s1>>)
// CHECK-NEXT:    opc.require within<s0, 2147483647> "Convert: an extent exceeds i32"
// CHECK-NEXT:    %r = opc.broadcast %y : tensor<?xf32, #opc.dims<s1>> -> tensor<?x4xf32, #opc.dims<s0, 4>>
func.func @shapes(%x: tensor<?x4xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %s = openvino.layer "ShapeOf" opset3 (%x) {output_type = "i32"} : (tensor<?x4xf32>) -> (tensor<2xi32>)
  %c = openvino.layer "Convert" opset1 (%s) {destination_type = "i64"} : (tensor<2xi32>) -> (tensor<2xi64>)
  %r = openvino.layer "Broadcast" opset3 (%y, %c) : (tensor<?xf32>, tensor<2xi64>) -> (tensor<?x?xf32>)
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @read_extents(
// CHECK-NEXT:    opc.read_extents reshape %t of <s0, 4> -> ["v0", "v1", "v2"] : tensor<3xi64>
// CHECK-NEXT:    %r = opc.reshape %x : tensor<?x4xf32, #opc.dims<s0, 4>> -> tensor<?x?x?xf32, #opc.dims<v0, v1, v2>>
func.func @read_extents(%x: tensor<?x4xf32>, %t: tensor<3xi64>) -> tensor<?x?x?xf32> {
  %r = openvino.layer "Reshape" opset1 (%x, %t) {special_zero = "true"} : (tensor<?x4xf32>, tensor<3xi64>) -> (tensor<?x?x?xf32>)
  return %r : tensor<?x?x?xf32>
}

// f16 is computed in f32 and rounded once.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:    [[X:%.+]] = opc.cast %x : tensor<2x3xf16> -> tensor<2x3xf32>
// CHECK-NEXT:    [[M:%.+]] = opc.reduce_max [[X]] {axes = [1], keepdims = true}
// CHECK-NEXT:    [[D:%.+]] = opc.sub [[X]], [[M]]
// CHECK-NEXT:    [[E:%.+]] = opc.exp_softmax [[D]]
// CHECK-NEXT:    [[S:%.+]] = opc.reduce_sum [[E]] {axes = [1], keepdims = true}
// CHECK-NEXT:    [[Q:%.+]] = opc.div [[E]], [[S]]
// CHECK-NEXT:    %r = opc.cast [[Q]] : tensor<2x3xf32> -> tensor<2x3xf16>
func.func @softmax(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  %r = openvino.layer "SoftMax" opset8 (%x) {axis = "-1"} : (tensor<2x3xf16>) -> (tensor<2x3xf16>)
  return %r : tensor<2x3xf16>
}
