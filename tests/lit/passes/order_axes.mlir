// What contractions of small integers add up lies side by side, and what goes along with it.
// RUN: opc-opt --split-input-file %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-integers,order-axes | filecheck %s

// Channels of an image become innermost; the nest that stores them follows.
// CHECK-LABEL: func.func @channels(
// CHECK:         [[X:%.+]] = kernel.nest [1, 5, 6, 8] {
// CHECK-NEXT:    kernel.load %x[d0, d3, d1, d2] : f32
// CHECK:         kernel.store {{.+}} to 0[d0, d1, d2, d3]
// CHECK-NEXT:    } : tensor<1x5x6x8xui8>
// CHECK:         kernel.load [[X]][d0, d2 + d4 - 1, d3 + d5 - 1, d6] else 0 : ui8
func.func @channels(%x: tensor<1x8x5x6xf32>, %w: tensor<4x8x3x3xi8>) -> tensor<1x4x5x6xi32> {
  %q = opc.cast %x : tensor<1x8x5x6xf32> -> tensor<1x8x5x6xui8>
  %i = opc.cast %q : tensor<1x8x5x6xui8> -> tensor<1x8x5x6xi32>
  %j = opc.cast %w : tensor<4x8x3x3xi8> -> tensor<4x8x3x3xi32>
  %r = opc.conv %i, %j {pads = [1, 1, 1, 1]}
  return %r : tensor<1x4x5x6xi32>
}

// -----

// What is added to a sum lies as it does, also where no contraction reads it.
// CHECK-LABEL: func.func @beside(
// CHECK:         } : tensor<1x5x6x4xi32>
// CHECK:         } : tensor<1x5x6x4xui8>
// CHECK:         } : tensor<1x2x5x6xi32>
func.func @beside(%x: tensor<1x8x5x6xui8>, %v: tensor<4x8x1x1xi8>, %w: tensor<2x4x1x1xi8>)
    -> tensor<1x2x5x6xi32> {
  %i = opc.cast %x : tensor<1x8x5x6xui8> -> tensor<1x8x5x6xi32>
  %j = opc.cast %v : tensor<4x8x1x1xi8> -> tensor<4x8x1x1xi32>
  %a = opc.conv %i, %j
  %b = opc.conv %i, %j
  %s = opc.sub %a, %b
  %q = opc.cast %s : tensor<1x4x5x6xi32> -> tensor<1x4x5x6xui8>
  %k = opc.cast %q : tensor<1x4x5x6xui8> -> tensor<1x4x5x6xi32>
  %l = opc.cast %w : tensor<2x4x1x1xi8> -> tensor<2x4x1x1xi32>
  %r = opc.conv %k, %l
  return %r : tensor<1x2x5x6xi32>
}

// -----

// What the function returns stays as it is.
// CHECK-LABEL: func.func @returned(
// CHECK:         } : tensor<8x5xui8>
func.func @returned(%x: tensor<8x5xf32>, %w: tensor<4x8xi8>)
    -> (tensor<8x5xui8>, tensor<4x5xi32>) {
  %q = opc.cast %x : tensor<8x5xf32> -> tensor<8x5xui8>
  %i = opc.cast %q : tensor<8x5xui8> -> tensor<8x5xi32>
  %j = opc.cast %w : tensor<4x8xi8> -> tensor<4x8xi32>
  %r = opc.matmul %j, %i
  return %q, %r : tensor<8x5xui8>, tensor<4x5xi32>
}

// -----

// So are what a window sees of it, with its padding, and what is read there.
// CHECK-LABEL: func.func @window(
// CHECK:         } : tensor<1x7x8x4xf32>
// CHECK:         } : tensor<1x5x6x4xui8>
// CHECK:         } : tensor<1x2x5x6xi32>
func.func @window(%x: tensor<1x4x5x6xf32>, %w: tensor<2x4x1x1xi8>) -> tensor<1x2x5x6xi32> {
  %z = opc.constant dense<0.0> : tensor<f32>
  %b = opc.broadcast %z : tensor<f32> -> tensor<1x4x1x6xf32>
  %c = opc.concat %b, %x, %b {axis = 2} : tensor<1x4x1x6xf32>, tensor<1x4x5x6xf32>, tensor<1x4x1x6xf32> -> tensor<1x4x7x6xf32>
  %d = opc.broadcast %z : tensor<f32> -> tensor<1x4x7x1xf32>
  %e = opc.concat %d, %c, %d {axis = 3} : tensor<1x4x7x1xf32>, tensor<1x4x7x6xf32>, tensor<1x4x7x1xf32> -> tensor<1x4x7x8xf32>
  %v = opc.windows %e {sizes = [3, 3], strides = [1, 1], dilations = [1, 1]} : tensor<1x4x7x8xf32> -> tensor<1x4x5x6x3x3xf32>
  %m = opc.reduce_max %v {axes = [-2, -1]} : tensor<1x4x5x6x3x3xf32> -> tensor<1x4x5x6xf32>
  %q = opc.cast %m : tensor<1x4x5x6xf32> -> tensor<1x4x5x6xui8>
  %i = opc.cast %q : tensor<1x4x5x6xui8> -> tensor<1x4x5x6xi32>
  %j = opc.cast %w : tensor<2x4x1x1xi8> -> tensor<2x4x1x1xi32>
  %r = opc.conv %i, %j
  return %r : tensor<1x2x5x6xi32>
}

// -----

// A depthwise window is stored as its vectors go, and a copy has channels innermost.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         } : tensor<1x4x5x6xui8>
// CHECK-NEXT:    [[Y:%.+]] = kernel.nest [1, 4, 5, 6] {
// CHECK-NEXT:      {{.+}} = kernel.sweep [3, 3, 1] (dot) {
// CHECK:         } : tensor<1x4x5x6xui8>
// CHECK:         kernel.nest [1, 5, 6, 4] {
// CHECK-NEXT:      [[Q:%.+]] = kernel.load [[Y]][d0, d3, d1, d2] : ui8
// CHECK-NEXT:      kernel.store [[Q]] to 0[d0, d1, d2, d3]
// CHECK-NEXT:    } : tensor<1x5x6x4xui8>
func.func @depthwise(%x: tensor<1x4x5x6xui8>, %w: tensor<4x1x3x3xi8>, %v: tensor<2x4x1x1xi8>) -> tensor<1x2x5x6xi32> {
  %i = opc.cast %x : tensor<1x4x5x6xui8> -> tensor<1x4x5x6xi32>
  %j = opc.cast %w : tensor<4x1x3x3xi8> -> tensor<4x1x3x3xi32>
  %y = opc.conv %i, %j {pads = [1, 1, 1, 1], groups = 4}
  %f = opc.cast %y : tensor<1x4x5x6xi32> -> tensor<1x4x5x6xf32>
  %q = opc.cast %f : tensor<1x4x5x6xf32> -> tensor<1x4x5x6xui8>
  %k = opc.cast %q : tensor<1x4x5x6xui8> -> tensor<1x4x5x6xi32>
  %l = opc.cast %v : tensor<2x4x1x1xi8> -> tensor<2x4x1x1xi32>
  %r = opc.conv %k, %l
  return %r : tensor<1x2x5x6xi32>
}

// -----

// Parts of a concatenation lie as its result does, and its sweeps follow memory.  The padding is
// stored there, too.
// CHECK-LABEL: func.func @joined(
// CHECK:         [[A:%.+]] = kernel.nest [1, 5, 6, 8] {
// CHECK:         } : tensor<1x5x6x8xui8>
// CHECK:         [[B:%.+]] = kernel.nest [1, 5, 6, 4] {
// CHECK:         } : tensor<1x5x6x4xui8>
// CHECK:         [[C:%.+]] = kernel.nest [1] {
// CHECK-NEXT:      kernel.sweep [5, 6, 8] {
// CHECK-NEXT:        {{.+}} = kernel.load [[A]][d0, d1, d2, d3] : ui8
// CHECK-NEXT:        kernel.store {{.+}} to 0[d0, d1, d2, d3]
// CHECK:           kernel.sweep [5, 6, 2] {
// CHECK-NEXT:        {{.+}} = scalar.constant 7 : ui8
// CHECK-NEXT:        kernel.store {{.+}} to 0[d0, d1, d2, d3 + 8]
// CHECK:           kernel.sweep [5, 6, 4] {
// CHECK-NEXT:        {{.+}} = kernel.load [[B]][d0, d1, d2, d3] : ui8
// CHECK-NEXT:        kernel.store {{.+}} to 0[d0, d1, d2, d3 + 10]
// CHECK:         } : tensor<1x5x6x14xui8>
// CHECK:         kernel.load [[C]][d0, d2, d3, d6] : ui8
func.func @joined(%x: tensor<1x8x5x6xf32>, %y: tensor<1x4x5x6xf32>, %w: tensor<4x14x1x1xi8>) -> tensor<1x4x5x6xi32> {
  %a = opc.cast %x : tensor<1x8x5x6xf32> -> tensor<1x8x5x6xui8>
  %b = opc.cast %y : tensor<1x4x5x6xf32> -> tensor<1x4x5x6xui8>
  %c = opc.constant dense<7> : tensor<ui8>
  %p = opc.broadcast %c : tensor<ui8> -> tensor<1x2x5x6xui8>
  %q = opc.concat %a, %p, %b {axis = 1}
  %i = opc.cast %q : tensor<1x14x5x6xui8> -> tensor<1x14x5x6xi32>
  %j = opc.cast %w : tensor<4x14x1x1xi8> -> tensor<4x14x1x1xi32>
  %r = opc.conv %i, %j
  return %r : tensor<1x4x5x6xi32>
}

// -----

// A part that the function returns stays as it is, and a sweep turns it.
// CHECK-LABEL: func.func @turned(
// CHECK:         [[A:%.+]] = kernel.nest [1, 8, 5, 6] {
// CHECK:         kernel.nest [1] {
// CHECK-NEXT:      kernel.sweep [5, 6, 8] {
// CHECK-NEXT:        {{.+}} = kernel.load [[A]][d0, d3, d1, d2] : ui8
// CHECK-NEXT:        kernel.store {{.+}} to 0[d0, d1, d2, d3]
// CHECK:         return [[A]],
func.func @turned(%x: tensor<1x8x5x6xf32>, %y: tensor<1x4x5x6xf32>, %w: tensor<4x12x1x1xi8>) -> (tensor<1x8x5x6xui8>, tensor<1x4x5x6xi32>) {
  %a = opc.cast %x : tensor<1x8x5x6xf32> -> tensor<1x8x5x6xui8>
  %b = opc.cast %y : tensor<1x4x5x6xf32> -> tensor<1x4x5x6xui8>
  %q = opc.concat %a, %b {axis = 1}
  %i = opc.cast %q : tensor<1x12x5x6xui8> -> tensor<1x12x5x6xi32>
  %j = opc.cast %w : tensor<4x12x1x1xi8> -> tensor<4x12x1x1xi32>
  %r = opc.conv %i, %j
  return %a, %r : tensor<1x8x5x6xui8>, tensor<1x4x5x6xi32>
}

// -----

// Reshapes that have the axis let it move: pixels are repeated along a row, of all channels.
// CHECK-LABEL: func.func @repeated(
// CHECK-NEXT:    {{.+}} = kernel.nest [1, 5, 6, 2, 8] {
// CHECK-NEXT:      {{.+}} = kernel.load %x[0, d4, d1, d2] : f32
// CHECK:           kernel.store {{.+}} to 0[d0, d1, d2, d3, d4]
// CHECK:         } : tensor<1x5x6x2x8xui8>
// CHECK-NEXT:    {{.+}} = opc.reshape {{.+}} : tensor<1x5x6x2x8xui8> -> tensor<1x5x12x8xui8>
func.func @repeated(%x: tensor<1x8x5x6xf32>, %w: tensor<4x8x3x3xi8>) -> tensor<1x4x5x12xi32> {
  %a = opc.cast %x : tensor<1x8x5x6xf32> -> tensor<1x8x5x6xui8>
  %s = opc.reshape %a : tensor<1x8x5x6xui8> -> tensor<1x8x5x6x1xui8>
  %b = opc.broadcast %s : tensor<1x8x5x6x1xui8> -> tensor<1x8x5x6x2xui8>
  %q = opc.reshape %b : tensor<1x8x5x6x2xui8> -> tensor<1x8x5x12xui8>
  %i = opc.cast %q : tensor<1x8x5x12xui8> -> tensor<1x8x5x12xi32>
  %j = opc.cast %w : tensor<4x8x3x3xi8> -> tensor<4x8x3x3xi32>
  %r = opc.conv %i, %j {pads = [1, 1, 1, 1]}
  return %r : tensor<1x4x5x12xi32>
}

// -----

// One that splits or joins the axis does not.
// CHECK-LABEL: func.func @split(
// CHECK:         } : tensor<1x4x2x30xui8>
// CHECK:         opc.reshape {{.+}} : tensor<1x4x2x30xui8> -> tensor<1x8x5x6xui8>
func.func @split(%x: tensor<1x4x2x30xf32>, %w: tensor<4x8x1x1xi8>) -> tensor<1x4x5x6xi32> {
  %a = opc.cast %x : tensor<1x4x2x30xf32> -> tensor<1x4x2x30xui8>
  %q = opc.reshape %a : tensor<1x4x2x30xui8> -> tensor<1x8x5x6xui8>
  %i = opc.cast %q : tensor<1x8x5x6xui8> -> tensor<1x8x5x6xi32>
  %j = opc.cast %w : tensor<4x8x1x1xi8> -> tensor<4x8x1x1xi32>
  %r = opc.conv %i, %j
  return %r : tensor<1x4x5x6xi32>
}
