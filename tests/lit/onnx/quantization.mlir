// Quantized values, and contractions of them.
// RUN: opc-opt -p legalize-onnx %s | filecheck %s

// Conversions to 8 bits and more saturate; a scale for each index of an axis is a column.
// CHECK-LABEL: func.func @quantize
// CHECK: [[S:%.+]] = opc.reshape %s : tensor<3xf32> -> tensor<3x1xf32>
// CHECK-NEXT: [[Q:%.+]] = opc.div %x, [[S]]
// CHECK-NEXT: [[R:%.+]] = opc.round [[Q]]
// CHECK-NEXT: [[Z:%.+]] = opc.cast {{%.+}} : tensor<3x1xi8> -> tensor<3x1xf32>
// CHECK-NEXT: [[M:%.+]] = opc.add [[R]], [[Z]]
// CHECK-NEXT: opc.cast [[M]] : tensor<2x3x4xf32> -> tensor<2x3x4xi8>
func.func @quantize(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>, %z: tensor<3xi8>) -> !onnx.unknown {
  %y = onnx.node "QuantizeLinear" since 13 (%x, %s, %z) : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xi8>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// Conversions to fewer bits would drop some, so that what is beyond is cut off before.
// CHECK-LABEL: func.func @quantize_4
// CHECK: [[L:%.+]] = opc.constant dense<-8.000000e+00> : tensor<f32>
// CHECK-NEXT: [[H:%.+]] = opc.constant dense<7.000000e+00> : tensor<f32>
// CHECK-NEXT: [[C:%.+]] = opc.clip {{%.+}}, [[L]], [[H]]
// CHECK-NEXT: opc.cast [[C]] : tensor<4xf32> -> tensor<4xi4>
func.func @quantize_4(%x: tensor<4xf32>, %s: tensor<f32>) -> !onnx.unknown {
  %y = onnx.node "QuantizeLinear" since 21 (%x, %s) {output_dtype = 22 : i64} : (tensor<4xf32>, tensor<f32>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// A scale for each block of 2 values is repeated, and its last block cut off.
// CHECK-LABEL: func.func @dequantize_blocks
// CHECK: [[A:%.+]] = opc.reshape %s : tensor<3xf32> -> tensor<3x1xf32>
// CHECK-NEXT: [[B:%.+]] = opc.broadcast [[A]] : tensor<3x1xf32> -> tensor<3x2xf32>
// CHECK-NEXT: [[C:%.+]] = opc.reshape [[B]] : tensor<3x2xf32> -> tensor<6xf32>
// CHECK-NEXT: [[D:%.+]] = opc.slice [[C]]
// CHECK: opc.mul {{%.+}}, [[D]] : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
func.func @dequantize_blocks(%x: tensor<5xi8>, %s: tensor<3xf32>) -> !onnx.unknown {
  %y = onnx.node "DequantizeLinear" since 21 (%x, %s) {axis = 0 : i64, block_size = 2 : i64} : (tensor<5xi8>, tensor<3xf32>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}

// A zero point for each row is a column of the matrix.
// CHECK-LABEL: func.func @matmul_integer
// CHECK: [[A:%.+]] = opc.cast %a : tensor<2x3xui8> -> tensor<2x3xi32>
// CHECK: opc.sub [[A]], {{%.+}} : tensor<2x3xi32>, tensor<2x1xi32> -> tensor<2x3xi32>
// CHECK: opc.matmul {{%.+}} : tensor<2x3xi32>, tensor<3x4xi32> -> tensor<2x4xi32>
func.func @matmul_integer(%a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %z: tensor<2xui8>) -> !onnx.unknown {
  %y = onnx.node "MatMulInteger" since 10 (%a, %b, %z) : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<2xui8>) -> (!onnx.unknown)
  return %y : !onnx.unknown
}
