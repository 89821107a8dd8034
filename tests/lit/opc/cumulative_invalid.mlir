// What totals along an axis refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:20: error: opc.cum_sum: axis 2 is outside [-2, 1] for rank 2
func.func @cumulative_c1(%x: tensor<4x8xf32>) {
  %r = opc.cum_sum %x {axis = 2}
  return
}

// -----

// CHECK: :14:21: error: opc.cum_prod: axis 0 given for a tensor of rank 0
func.func @cumulative_c1_scalar(%x: tensor<f32>) {
  %r = opc.cum_prod %x
  return
}
