// Operators that hold or move data.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @constant
// CHECK: opc.constant dense<1.000000e+00> : tensor<4xf32>
func.func @constant() -> tensor<4xf32> {
  %r = opc.constant dense<1.000000e+00> : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant_list
// CHECK: opc.constant dense<[1, -2, 3]> : tensor<3xi8>
func.func @constant_list() -> tensor<3xi8> {
  %r = opc.constant dense<[1, -2, 3]> : tensor<3xi8>
  return %r : tensor<3xi8>
}

// CHECK-LABEL: func.func @constant_matrix
// CHECK{LITERAL}: opc.constant dense<[[1.000000e+00, 2.500000e+00], [-0.000000e+00, 0x7f800000]]> : tensor<2x2xf32>
func.func @constant_matrix() -> tensor<2x2xf32> {
  %r = opc.constant dense<[[1.000000e+00, 2.500000e+00], [-0.000000e+00, 0x7f800000]]> : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @constant_scalar
// CHECK: opc.constant dense<true> : tensor<i1>
func.func @constant_scalar() -> tensor<i1> {
  %r = opc.constant dense<true> : tensor<i1>
  return %r : tensor<i1>
}

// CHECK-LABEL: func.func @constant_empty
// CHECK: opc.constant dense<> : tensor<0x3xf32>
func.func @constant_empty() -> tensor<0x3xf32> {
  %r = opc.constant dense<> : tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// CHECK-LABEL: func.func @constant_unsigned
// CHECK: opc.constant dense<255> : tensor<2xui8>
func.func @constant_unsigned() -> tensor<2xui8> {
  %r = opc.constant dense<255> : tensor<2xui8>
  return %r : tensor<2xui8>
}

// CHECK-LABEL: func.func @constant_bf16
// CHECK: opc.constant dense<1.500000e+00> : tensor<2xbf16>
func.func @constant_bf16() -> tensor<2xbf16> {
  %r = opc.constant dense<1.500000e+00> : tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// CHECK-LABEL: func.func @reshape
// CHECK: opc.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>
func.func @reshape(%x: tensor<4x8xf32>) -> tensor<2x16xf32> {
  %r = opc.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>
  return %r : tensor<2x16xf32>
}

// CHECK-LABEL: func.func @reshape_inferred
// CHECK: opc.reshape %x : tensor<4x8xf32> -> tensor<2x?xf32>
func.func @reshape_inferred(%x: tensor<4x8xf32>) -> tensor<2x?xf32> {
  %r = opc.reshape %x : tensor<4x8xf32> -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @broadcast
// CHECK: opc.broadcast %x : tensor<8xf32> -> tensor<4x8xf32>
func.func @broadcast(%x: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.broadcast %x -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @transpose
// CHECK: opc.transpose %x {permutation = [2, 0, 1]} : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %r = opc.transpose %x {permutation = [2, 0, 1]}
  return %r : tensor<4x2x3xf32>
}
