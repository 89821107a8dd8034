// Contractions of dequantized values become contractions of integers.
// RUN: opc-opt --split-input-file %s -p integer-contractions | filecheck %s

// CHECK-LABEL: func.func @product(
// CHECK-DAG:    [[A:%.+]] = opc.cast %a : tensor<2x8xui8> -> tensor<2x8xi32>
// CHECK-DAG:    [[Z:%.+]] = opc.cast %z : tensor<ui8> -> tensor<i32>
// CHECK:        [[C:%.+]] = opc.sub [[A]], [[Z]]
// CHECK-NEXT:   [[B:%.+]] = opc.cast %b : tensor<8x3xi8> -> tensor<8x3xi32>
// CHECK-NEXT:   [[SUM:%.+]] = opc.matmul [[C]], [[B]] : tensor<2x8xi32>, tensor<8x3xi32> -> tensor<2x3xi32>
// CHECK-NEXT:   [[SCALE:%.+]] = opc.mul %sb, %sa
// CHECK-NEXT:   [[FLOAT:%.+]] = opc.cast [[SUM]] : tensor<2x3xi32> -> tensor<2x3xf32>
// CHECK-NEXT:   [[R:%.+]] = opc.mul [[FLOAT]], [[SCALE]]
// CHECK-NEXT:   func.return [[R]]
func.func @product(%a: tensor<2x8xui8>, %b: tensor<8x3xi8>) -> tensor<2x3xf32> {
  %z = opc.constant dense<128> : tensor<ui8>
  %sa = opc.constant dense<0.5> : tensor<f32>
  %sb = opc.constant dense<[0.25, 0.5, 1.0]> : tensor<3xf32>
  %0 = opc.cast %a : tensor<2x8xui8> -> tensor<2x8xf32>
  %1 = opc.cast %z : tensor<ui8> -> tensor<f32>
  %2 = opc.sub %0, %1 : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = opc.mul %2, %sa : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %4 = opc.cast %b : tensor<8x3xi8> -> tensor<8x3xf32>
  %5 = opc.mul %4, %sb : tensor<8x3xf32>, tensor<3xf32> -> tensor<8x3xf32>
  %6 = opc.matmul %3, %5 : tensor<2x8xf32>, tensor<8x3xf32> -> tensor<2x3xf32>
  return %6 : tensor<2x3xf32>
}

// -----

// Scales that differ along what is contracted cannot be taken out.
// CHECK-LABEL: func.func @along_the_sum(
// CHECK:        opc.matmul {{.+}} : tensor<2x3xf32>, tensor<3x8xf32> -> tensor<2x8xf32>
func.func @along_the_sum(%a: tensor<2x3xui8>, %b: tensor<3x8xi8>) -> tensor<2x8xf32> {
  %sa = opc.constant dense<[0.25, 0.5, 1.0]> : tensor<3xf32>
  %sb = opc.constant dense<0.5> : tensor<f32>
  %0 = opc.cast %a : tensor<2x3xui8> -> tensor<2x3xf32>
  %1 = opc.mul %0, %sa : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  %2 = opc.cast %b : tensor<3x8xi8> -> tensor<3x8xf32>
  %3 = opc.mul %2, %sb : tensor<3x8xf32>, tensor<f32> -> tensor<3x8xf32>
  %4 = opc.matmul %1, %3 : tensor<2x3xf32>, tensor<3x8xf32> -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}

// -----

// Filters with a scale each; the bias stays where it is.
// CHECK-LABEL: func.func @convolution(
// CHECK:        opc.conv {{.+}} : tensor<1x2x4x4xi32>, tensor<3x2x1x1xi32> -> tensor<1x3x4x4xi32>
// CHECK:        opc.reshape {{.+}} -> tensor<3x1x1xf32>
func.func @convolution(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x1x1xi8>) -> tensor<1x3x4x4xf32> {
  %sx = opc.constant dense<0.5> : tensor<f32>
  %sw = opc.constant dense<[[[[0.25]]], [[[0.5]]], [[[1.0]]]]> : tensor<3x1x1x1xf32>
  %0 = opc.cast %x : tensor<1x2x4x4xui8> -> tensor<1x2x4x4xf32>
  %1 = opc.mul %0, %sx : tensor<1x2x4x4xf32>, tensor<f32> -> tensor<1x2x4x4xf32>
  %2 = opc.cast %w : tensor<3x2x1x1xi8> -> tensor<3x2x1x1xf32>
  %3 = opc.mul %2, %sw : tensor<3x2x1x1xf32>, tensor<3x1x1x1xf32> -> tensor<3x2x1x1xf32>
  %4 = opc.conv %1, %3 : tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32> -> tensor<1x3x4x4xf32>
  return %4 : tensor<1x3x4x4xf32>
}

// -----

// Of a transposed one, each group has the filters with these scales.
// CHECK-LABEL: func.func @transposed_convolution(
// CHECK:        opc.conv_transpose {{.+}} {strides = [2], groups = 2} : tensor<1x4x4xi32>, tensor<4x2x2xi32> -> tensor<1x4x8xi32>
// CHECK:        opc.broadcast {{.+}} : tensor<1x2xf32> -> tensor<2x2xf32>
// CHECK-NEXT:   opc.reshape {{.+}} -> tensor<4x1xf32>
func.func @transposed_convolution(%x: tensor<1x4x4xui8>, %w: tensor<4x2x2xi8>) -> tensor<1x4x8xf32> {
  %sx = opc.constant dense<0.5> : tensor<f32>
  %sw = opc.constant dense<[[[0.25], [0.5]]]> : tensor<1x2x1xf32>
  %0 = opc.cast %x : tensor<1x4x4xui8> -> tensor<1x4x4xf32>
  %1 = opc.mul %0, %sx : tensor<1x4x4xf32>, tensor<f32> -> tensor<1x4x4xf32>
  %2 = opc.cast %w : tensor<4x2x2xi8> -> tensor<4x2x2xf32>
  %3 = opc.mul %2, %sw : tensor<4x2x2xf32>, tensor<1x2x1xf32> -> tensor<4x2x2xf32>
  %4 = opc.conv_transpose %1, %3 {strides = [2], groups = 2}
  return %4 : tensor<1x4x8xf32>
}

// -----

// Scales of the channels that are added up cannot be taken out.
// CHECK-LABEL: func.func @transposed_along_the_sum(
// CHECK:        opc.conv_transpose {{.+}} : tensor<1x2x4xf32>, tensor<2x3x2xf32> -> tensor<1x3x5xf32>
func.func @transposed_along_the_sum(%x: tensor<1x2x4xui8>, %w: tensor<2x3x2xi8>) -> tensor<1x3x5xf32> {
  %sx = opc.constant dense<0.5> : tensor<f32>
  %sw = opc.constant dense<[[[0.25]], [[0.5]]]> : tensor<2x1x1xf32>
  %0 = opc.cast %x : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %1 = opc.mul %0, %sx : tensor<1x2x4xf32>, tensor<f32> -> tensor<1x2x4xf32>
  %2 = opc.cast %w : tensor<2x3x2xi8> -> tensor<2x3x2xf32>
  %3 = opc.mul %2, %sw : tensor<2x3x2xf32>, tensor<2x1x1xf32> -> tensor<2x3x2xf32>
  %4 = opc.conv_transpose %1, %3
  return %4 : tensor<1x3x5xf32>
}

// -----

// Of more products than 32 bits hold for certain, 64 bits hold the sum.
// CHECK-LABEL: func.func @unknown_length(
// CHECK:        opc.matmul {{.+}} : tensor<2x?xi64, #opc.dims<2, K>>, tensor<?x8xi64, #opc.dims<K, 8>> -> tensor<2x8xi64>
func.func @unknown_length(%a: tensor<2x?xui8, #opc.dims<2, K>>, %b: tensor<?x8xi8, #opc.dims<K, 8>>) -> tensor<2x8xf32> {
  %s = opc.constant dense<0.5> : tensor<f32>
  %0 = opc.cast %a : tensor<2x?xui8, #opc.dims<2, K>> -> tensor<2x?xf32, #opc.dims<2, K>>
  %1 = opc.mul %0, %s
  %2 = opc.cast %b : tensor<?x8xi8, #opc.dims<K, 8>> -> tensor<?x8xf32, #opc.dims<K, 8>>
  %3 = opc.mul %2, %s
  %4 = opc.matmul %1, %3
  return %4 : tensor<2x8xf32>
}


// -----

// What moves dequantized values moves the integers, with their scales.
// CHECK-LABEL: func.func @moved(
// CHECK:         [[T:%.+]] = opc.transpose %b {permutation = [1, 0]} : tensor<3x8xi8> -> tensor<8x3xi8>
// CHECK:         opc.matmul {{.+}} : tensor<2x8xi32>, tensor<8x3xi32> -> tensor<2x3xi32>
func.func @moved(%a: tensor<2x2x4xui8>, %b: tensor<3x8xi8>) -> tensor<2x3xf32> {
  %sa = opc.constant dense<0.5> : tensor<1x1x1xf32>
  %sb = opc.constant dense<[[0.25], [0.5], [1.0]]> : tensor<3x1xf32>
  %0 = opc.cast %a : tensor<2x2x4xui8> -> tensor<2x2x4xf32>
  %1 = opc.mul %0, %sa : tensor<2x2x4xf32>, tensor<1x1x1xf32> -> tensor<2x2x4xf32>
  %2 = opc.reshape %1 : tensor<2x2x4xf32> -> tensor<2x8xf32>
  %3 = opc.cast %b : tensor<3x8xi8> -> tensor<3x8xf32>
  %4 = opc.mul %3, %sb : tensor<3x8xf32>, tensor<3x1xf32> -> tensor<3x8xf32>
  %5 = opc.transpose %4 {permutation = [1, 0]} : tensor<3x8xf32> -> tensor<8x3xf32>
  %6 = opc.matmul %2, %5
  return %6 : tensor<2x3xf32>
}

// -----

// Parts with one scale are joined, others are not.
// CHECK-LABEL: func.func @joined(
// CHECK:         opc.concat %a, %b {axis = 1} : tensor<2x4xui8>, tensor<2x4xui8> -> tensor<2x8xui8>
// CHECK:         opc.concat {{.+}} {axis = 1} : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x8xf32>
func.func @joined(%a: tensor<2x4xui8>, %b: tensor<2x4xui8>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %s = opc.constant dense<0.5> : tensor<f32>
  %t = opc.constant dense<0.25> : tensor<f32>
  %0 = opc.cast %a : tensor<2x4xui8> -> tensor<2x4xf32>
  %1 = opc.mul %0, %s : tensor<2x4xf32>, tensor<f32> -> tensor<2x4xf32>
  %2 = opc.cast %b : tensor<2x4xui8> -> tensor<2x4xf32>
  %3 = opc.mul %2, %s : tensor<2x4xf32>, tensor<f32> -> tensor<2x4xf32>
  %4 = opc.mul %2, %t : tensor<2x4xf32>, tensor<f32> -> tensor<2x4xf32>
  %5 = opc.concat %1, %3 {axis = 1} : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x8xf32>
  %6 = opc.concat %1, %4 {axis = 1} : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x8xf32>
  return %5, %6 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// The greatest of a window is that of its integers; padding is the least one.
// CHECK-LABEL: func.func @greatest(
// CHECK:         [[Z:%.+]] = opc.constant dense<0> : tensor<ui8>
// CHECK:         opc.broadcast [[Z]] : tensor<ui8> -> tensor<1x1xui8>
// CHECK:         opc.reduce_max {{.+}} : tensor<1x8x3xui8> -> tensor<1x8xui8>
func.func @greatest(%x: tensor<1x8xui8>) -> tensor<1x8xf32> {
  %z = opc.constant dense<3> : tensor<ui8>
  %s = opc.constant dense<0.5> : tensor<f32>
  %least = opc.constant dense<0xFF800000> : tensor<f32>
  %0 = opc.cast %x : tensor<1x8xui8> -> tensor<1x8xf32>
  %1 = opc.cast %z : tensor<ui8> -> tensor<f32>
  %2 = opc.sub %0, %1 : tensor<1x8xf32>, tensor<f32> -> tensor<1x8xf32>
  %3 = opc.mul %2, %s : tensor<1x8xf32>, tensor<f32> -> tensor<1x8xf32>
  %4 = opc.broadcast %least : tensor<f32> -> tensor<1x1xf32>
  %5 = opc.concat %4, %3, %4 {axis = 1} : tensor<1x1xf32>, tensor<1x8xf32>, tensor<1x1xf32> -> tensor<1x10xf32>
  %6 = opc.windows %5 {sizes = [3], strides = [1], dilations = [1]} : tensor<1x10xf32> -> tensor<1x8x3xf32>
  %7 = opc.reduce_max %6 {axes = [2]} : tensor<1x8x3xf32> -> tensor<1x8xf32>
  return %7 : tensor<1x8xf32>
}

// -----

// A window that may see nothing but padding stays.
// CHECK-LABEL: func.func @of_nothing(
// CHECK:         opc.reduce_max {{.+}} : tensor<1x10x3xf32> -> tensor<1x10xf32>
func.func @of_nothing(%x: tensor<1x8xui8>) -> tensor<1x10xf32> {
  %s = opc.constant dense<0.5> : tensor<f32>
  %least = opc.constant dense<0xFF800000> : tensor<f32>
  %0 = opc.cast %x : tensor<1x8xui8> -> tensor<1x8xf32>
  %1 = opc.mul %0, %s : tensor<1x8xf32>, tensor<f32> -> tensor<1x8xf32>
  %2 = opc.broadcast %least : tensor<f32> -> tensor<1x4xf32>
  %3 = opc.concat %2, %1 {axis = 1} : tensor<1x4xf32>, tensor<1x8xf32> -> tensor<1x12xf32>
  %4 = opc.windows %3 {sizes = [3], strides = [1], dilations = [1]} : tensor<1x12xf32> -> tensor<1x10x3xf32>
  %5 = opc.reduce_max %4 {axes = [2]} : tensor<1x10x3xf32> -> tensor<1x10xf32>
  return %5 : tensor<1x10xf32>
}

// -----

// A constant that is quantized has 8 bits.
// CHECK-LABEL: func.func @quantized(
// CHECK:         opc.constant dense<[0, 2, 255]> : tensor<3xui8>
func.func @quantized() -> tensor<3xui8> {
  %x = opc.constant dense<[-1.0, 2.5, 300.0]> : tensor<3xf32>
  %0 = opc.round %x : tensor<3xf32> -> tensor<3xf32>
  %1 = opc.cast %0 : tensor<3xf32> -> tensor<3xui8>
  return %1 : tensor<3xui8>
}

// -----

// Integers that are dequantized, moved and quantized again with the same scale and zero point are moved.
// CHECK-LABEL: func.func @again(
// CHECK:         [[Y:%.+]] = opc.transpose %q
// CHECK-NEXT:    return [[Y]]
func.func @again(%q: tensor<4x8xi8>) -> tensor<8x4xi8> {
  %z = opc.constant dense<-3> : tensor<i8>
  %s = opc.constant dense<0.02> : tensor<f32>
  %zero = opc.constant dense<-3.0> : tensor<f32>
  %a = opc.cast %q : tensor<4x8xi8> -> tensor<4x8xf32>
  %b = opc.cast %z : tensor<i8> -> tensor<f32>
  %c = opc.sub %a, %b
  %x = opc.mul %c, %s
  %t = opc.transpose %x {permutation = [1, 0]} : tensor<4x8xf32> -> tensor<8x4xf32>
  %d = opc.div %t, %s
  %r = opc.round %d
  %m = opc.add %r, %zero
  %y = opc.cast %m : tensor<8x4xf32> -> tensor<8x4xi8>
  return %y : tensor<8x4xi8>
}
