// What reductions refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:23: error: opc.reduce_sum: axis 2 is outside [-2, 1] for rank 2
func.func @reduce_c1(%x: tensor<4x8xf32>) {
  %r = opc.reduce_sum %x {axes = [2]}
  return
}

// -----

// CHECK: :14:23: error: opc.reduce_sum: axis -3 is outside [-2, 1] for rank 2
func.func @reduce_c1_negative(%x: tensor<4x8xf32>) {
  %r = opc.reduce_sum %x {axes = [-3]}
  return
}

// -----

// CHECK: :22:23: error: opc.reduce_sum: axis 0 given for a tensor of rank 0
func.func @reduce_c1_scalar(%x: tensor<f32>) {
  %r = opc.reduce_sum %x {axes = [0]}
  return
}

// -----

// CHECK: :30:23: error: opc.reduce_sum: axes [1, -1] name an axis twice
func.func @reduce_c2(%x: tensor<4x8xf32>) {
  %r = opc.reduce_sum %x {axes = [1, -1]}
  return
}

// -----

// CHECK: :38:23: error: opc.reduce_sum: axes are given as an attribute and as an operand
func.func @reduce_c3(%x: tensor<4x8xf32>, %axes: tensor<1xi64>) {
  %r = opc.reduce_sum %x, %axes {axes = [1]}
  return
}

// -----

// CHECK: :46:23: error: opc.reduce_sum: axes must be a scalar or 1-D integer tensor, found tensor<1xf32>
func.func @reduce_c4(%x: tensor<4x8xf32>, %axes: tensor<1xf32>) {
  %r = opc.reduce_sum %x, %axes
  return
}

// -----

// CHECK: :54:23: error: opc.reduce_sum: axes must be a scalar or 1-D integer tensor, found tensor<1x1xi64>
func.func @reduce_c4_rank(%x: tensor<4x8xf32>, %axes: tensor<1x1xi64>) {
  %r = opc.reduce_sum %x, %axes
  return
}

// -----

// CHECK: :62:23: error: opc.reduce_sum: the number of run-time axes must be known unless keepdims is set
func.func @reduce_c5(%x: tensor<4x8xf32>, %axes: tensor<?xi64>) {
  %r = opc.reduce_sum %x, %axes
  return
}

// -----

// CHECK: :70:23: error: opc.reduce_sum: 2 axes given for a tensor of rank 1
func.func @reduce_c6(%x: tensor<4xf32>, %axes: tensor<2xi64>) {
  %r = opc.reduce_sum %x, %axes
  return
}

// -----

// CHECK: :78:19: error: opc.argmax: axis 1 is empty
func.func @arg_c1(%x: tensor<4x0xf32>) {
  %r = opc.argmax %x {axis = 1}
  return
}

// -----

// CHECK: :86:19: error: opc.argmax: axis 2 is outside [-2, 1] for rank 2
func.func @argmax_axis(%x: tensor<4x8xf32>) {
  %r = opc.argmax %x {axis = 2}
  return
}

// -----

// CHECK: :94:23: error: opc.reduce_any: element type f32 is not one of i1
func.func @any_float(%x: tensor<4x8xf32>) {
  %r = opc.reduce_any %x
  return
}

// -----

// CHECK: :102:23: error: opc.reduce_max: attribute keepdims: expected true or false, found 1 : i64
func.func @keepdims_integer(%x: tensor<4x8xf32>) {
  %r = opc.reduce_max %x {keepdims = 1}
  return
}

// -----

// CHECK: :110:23: error: opc.reduce_max: attribute axes: expected a list of integers, found 1 : i64
func.func @axes_number(%x: tensor<4x8xf32>) {
  %r = opc.reduce_max %x {axes = 1}
  return
}

// -----

// CHECK: :118:3: error: opc.reduce_max: attribute axes: expected an integer, found 1.000000e+00 : f64
func.func @axes_of_floats(%x: tensor<4x8xf32>) {
  %r = opc.reduce_max %x {axes = [1.0]}
  return
}

// -----

// CHECK: :126:23: error: opc.reduce_max: attribute empty_axes: expected one of "identity", "all", found "none"
func.func @empty_axes(%x: tensor<4x8xf32>) {
  %r = opc.reduce_max %x {empty_axes = "none"}
  return
}

// -----

// CHECK: :134:23: error: opc.reduce_sum: no order along axes [0, 2] of tensor<4x8x2xf32>
func.func @reduce_c7(%x: tensor<4x8x2xf32>) {
  %r = opc.reduce_sum %x {axes = [0, 2], order = #opc.order<lanes 64>}
  return
}

// -----

// CHECK: :142:23: error: opc.reduce_sum: no order along axes [0] of tensor<4xi32>
func.func @reduce_c7_integers(%x: tensor<4xi32>) {
  %r = opc.reduce_sum %x {axes = [0], order = #opc.order<lanes 64>}
  return
}

// -----

// CHECK: :150:24: error: opc.reduce_prod: the order has 8 lanes, found 64
func.func @reduce_c8(%x: tensor<4x8xf32>) {
  %r = opc.reduce_prod %x {axes = [0], order = #opc.order<lanes 64>}
  return
}

// -----

// CHECK: :158:3: error: opc.reduce_max: unknown attribute order; it has axes, empty_axes, keepdims
func.func @order_of_extremes(%x: tensor<4x8xf32>) {
  %r = opc.reduce_max %x {axes = [0], order = #opc.order<lanes 8>}
  return
}
