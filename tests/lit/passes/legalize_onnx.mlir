// Nodes of ONNX models become operators; shapes that are computed are known.
// RUN: opc-opt -p legalize-onnx %s | filecheck %s
// RUN: opc-opt -p legalize-onnx,legalize-onnx,infer-shapes %s | filecheck %s

// A module without nodes is untouched.
// CHECK-LABEL: func.func @untouched
// CHECK: opc.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
func.func @untouched(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = opc.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @shapes
// CHECK-NEXT: [[Y:%.+]] = opc.reshape %x : tensor<?x3x4xf32, #opc.dims<N, 3, 4>> -> tensor<?x12xf32, #opc.dims<N, 12>>
// CHECK-NEXT: return [[Y]] : tensor<?x12xf32, #opc.dims<N, 12>>
func.func @shapes(%x: tensor<?x3x4xf32, #opc.dims<N, 3, 4>>) -> !onnx.unknown {
  %zero = opc.constant dense<0> : tensor<1xi64>
  %minus = opc.constant dense<-1> : tensor<1xi64>
  %s = onnx.node "Shape" since 15 (%x) : (tensor<?x3x4xf32, #opc.dims<N, 3, 4>>) -> (!onnx.unknown)
  %n = onnx.node "Gather" since 13 (%s, %zero) : (!onnx.unknown, tensor<1xi64>) -> (!onnx.unknown)
  %t = onnx.node "Concat" since 13 (%n, %minus) {axis = 0 : i64} : (!onnx.unknown, tensor<1xi64>) -> (!onnx.unknown)
  %y = onnx.node "Reshape" since 14 (%x, %t) : (tensor<?x3x4xf32, #opc.dims<N, 3, 4>>, !onnx.unknown) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// An extent that has no name gets one.
// CHECK-LABEL: func.func @unknown_extents
// CHECK-SAME: %x: tensor<?xf32, #opc.dims<s0>>
// CHECK: opc.extent <s0> : tensor<i64>
func.func @unknown_extents(%x: tensor<?xf32>) -> !onnx.unknown {
  %s = onnx.node "Size" since 13 (%x) : (tensor<?xf32>) -> (!onnx.unknown)
  return %s : !onnx.unknown
}

// A shape that an input holds is read.
// CHECK-LABEL: func.func @run_time_shape
// CHECK: opc.read_extents reshape %shape of <6> -> ["k0", "k1"] : tensor<2xi64>
// CHECK: opc.reshape %x : tensor<6xf32> -> tensor<?x?xf32, #opc.dims<k0, k1>>
func.func @run_time_shape(%x: tensor<6xf32>, %shape: tensor<2xi64>) -> !onnx.unknown {
  %y = onnx.node "Reshape" since 13 (%x, %shape) : (tensor<6xf32>, tensor<2xi64>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// f16 is computed in f32 and rounded once.
// CHECK-LABEL: func.func @softmax
// CHECK: opc.cast %x : tensor<2x3xf16> -> tensor<2x3xf32>
// CHECK: opc.reduce_max
// CHECK: opc.sub
// CHECK: opc.exp
// CHECK: opc.reduce_sum
// CHECK: opc.div
// CHECK: opc.cast %{{.+}} : tensor<2x3xf32> -> tensor<2x3xf16>
func.func @softmax(%x: tensor<2x3xf16>) -> !onnx.unknown {
  %y = onnx.node "Softmax" since 13 (%x) : (tensor<2x3xf16>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// Graphs of nodes become bodies, which take what they use from outside.
// CHECK-LABEL: func.func @branches
// CHECK:         opc.if %c then @body0 (%x) else @body1 (%x, %y)
// CHECK:       func.func private @body0(%{{.*}}: tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT:    opc.exp
// CHECK:       func.func private @body1(%{{.*}}: tensor<3xf32>, %{{.*}}: tensor<3xf32>)
// CHECK-NEXT:    opc.add
func.func @branches(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %r = onnx.node "If" since 13 (%c) : (tensor<i1>) -> (tensor<3xf32>) graph "then_branch" {
    %a = onnx.node "Exp" since 13 (%x) : (tensor<3xf32>) -> (!onnx.unknown)
    onnx.yield %a : !onnx.unknown
  } graph "else_branch" {
    %b = onnx.node "Add" since 14 (%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> (!onnx.unknown)
    onnx.yield %b : !onnx.unknown
  }
  func.return %r : tensor<3xf32>
}
