// What cannot be inferred, or contradicts itself.
// RUN: not opc-opt %s -p infer-shapes --split-input-file 2>&1 | filecheck %s

// CHECK: :5:1: error: extent d0: d0, d1, ... name loop dimensions, use another name
func.func @loop_dimension(%x: tensor<?xf32, #opc.dims<d0>>) {
  return
}

// -----

// CHECK: :16:3: error: opc.add: shapes [2] and [3] cannot be broadcast: extents 2 and 3 differ at result axis 0
func.func @found_late(%x: tensor<?xf32>) {
  %y = opc.constant dense<1.0> : tensor<2xf32>
  %z = opc.constant dense<1.0> : tensor<3xf32>
  %w = opc.reshape %z : tensor<3xf32> -> tensor<?xf32>
  %r = opc.add %y, %w : tensor<2xf32>, tensor<?xf32> -> tensor<?xf32>
  return
}

// -----

// CHECK: :25:3: error: opc.neg: result type is tensor<3xf32>, declared tensor<4xf32>
func.func @declared(%x: tensor<3xf32>) -> tensor<4xf32> {
  %z = opc.reshape %x : tensor<3xf32> -> tensor<?xf32>
  %r = opc.neg %z : tensor<?xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK: :33:3: error: opc.broadcast: an extent of the result tensor<?x3xf32> cannot be inferred
func.func @unknown(%x: tensor<3xf32>) {
  %r = opc.broadcast %x : tensor<3xf32> -> tensor<?x3xf32>
  return
}

// -----

// CHECK: :41:3: error: extent K is not an extent of any argument
func.func @unbound(%x: tensor<?xf32>) {
  %r = opc.reshape %x : tensor<?xf32> -> tensor<?xf32, #opc.dims<K>>
  return
}

// -----

// CHECK: :50:3: error: opc.reduce_sum: axes [0, -2] name an axis twice
func.func @constant_axes(%x: tensor<3x3xf32>) {
  %axes = opc.constant dense<[0, -2]> : tensor<2xi64>
  %r = opc.reduce_sum %x, %axes : tensor<3x3xf32>, tensor<2xi64> -> tensor<f32>
  return
}

// -----

// CHECK: :59:3: error: opc.reduce_sum: axes are computed, expected a constant or an argument of the function
func.func @computed_axes(%x: tensor<3xf32>, %n: tensor<1xi64>) {
  %axes = opc.neg %n : tensor<1xi64> -> tensor<1xi64>
  %r = opc.reduce_sum %x, %axes {keepdims = true} : tensor<3xf32>, tensor<1xi64> -> tensor<?xf32>
  return
}

// -----

// -1 as ui8 is 255, which names no axis.
// CHECK: :69:3: error: opc.reduce_sum: axes are computed
func.func @axes_change_sign(%x: tensor<3xf32>, %n: tensor<1xi64>) {
  %axes = opc.cast %n : tensor<1xi64> -> tensor<1xui8>
  %r = opc.reduce_sum %x, %axes {keepdims = true} : tensor<3xf32>, tensor<1xui8> -> tensor<?xf32>
  return
}

// -----

// CHECK: :77:3: error: opc.reduce_sum: run-time axes of a tensor of rank 9, expected at most 8
func.func @split_rank(%x: tensor<1x1x1x1x1x1x1x1x2xf32>, %n: tensor<8xi64>) {
  %r = opc.reduce_sum %x, %n : tensor<1x1x1x1x1x1x1x1x2xf32>, tensor<8xi64> -> tensor<?xf32>
  return
}
