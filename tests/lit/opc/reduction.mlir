// Reductions: all axes, some, none, and axes that are only known at run time.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @argmax
// CHECK: opc.argmax %x : tensor<4x8x16xf32> -> tensor<8x16xi64>
func.func @argmax(%x: tensor<4x8x16xf32>) -> tensor<8x16xi64> {
  %r = opc.argmax %x
  return %r : tensor<8x16xi64>
}

// CHECK-LABEL: func.func @argmax_attributes
// CHECK: opc.argmax %x {axis = -1, keepdims = true, select_last_index = true} : tensor<4x8x16xf32> -> tensor<4x8x1xi64>
func.func @argmax_attributes(%x: tensor<4x8x16xf32>) -> tensor<4x8x1xi64> {
  %r = opc.argmax %x {axis = -1, keepdims = true, select_last_index = true}
  return %r : tensor<4x8x1xi64>
}

// CHECK-LABEL: func.func @argmin
// CHECK: opc.argmin %x : tensor<4x8x16xf32> -> tensor<8x16xi64>
func.func @argmin(%x: tensor<4x8x16xf32>) -> tensor<8x16xi64> {
  %r = opc.argmin %x
  return %r : tensor<8x16xi64>
}

// CHECK-LABEL: func.func @argmin_attributes
// CHECK: opc.argmin %x {axis = -1, keepdims = true, select_last_index = true} : tensor<4x8x16xf32> -> tensor<4x8x1xi64>
func.func @argmin_attributes(%x: tensor<4x8x16xf32>) -> tensor<4x8x1xi64> {
  %r = opc.argmin %x {axis = -1, keepdims = true, select_last_index = true}
  return %r : tensor<4x8x1xi64>
}

// CHECK-LABEL: func.func @reduce_all
// CHECK: opc.reduce_all %x : tensor<4x8x16xi1> -> tensor<i1>
func.func @reduce_all(%x: tensor<4x8x16xi1>) -> tensor<i1> {
  %r = opc.reduce_all %x
  return %r : tensor<i1>
}

// CHECK-LABEL: func.func @reduce_all_axes
// CHECK: opc.reduce_all %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xi1> -> tensor<1x8x1xi1>
func.func @reduce_all_axes(%x: tensor<4x8x16xi1>) -> tensor<1x8x1xi1> {
  %r = opc.reduce_all %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xi1>
}

// CHECK-LABEL: func.func @reduce_any
// CHECK: opc.reduce_any %x : tensor<4x8x16xi1> -> tensor<i1>
func.func @reduce_any(%x: tensor<4x8x16xi1>) -> tensor<i1> {
  %r = opc.reduce_any %x
  return %r : tensor<i1>
}

// CHECK-LABEL: func.func @reduce_any_axes
// CHECK: opc.reduce_any %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xi1> -> tensor<1x8x1xi1>
func.func @reduce_any_axes(%x: tensor<4x8x16xi1>) -> tensor<1x8x1xi1> {
  %r = opc.reduce_any %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xi1>
}

// CHECK-LABEL: func.func @reduce_l1
// CHECK: opc.reduce_l1 %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_l1(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_l1 %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_l1_axes
// CHECK: opc.reduce_l1 %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_l1_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_l1 %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_l2
// CHECK: opc.reduce_l2 %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_l2(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_l2 %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_l2_axes
// CHECK: opc.reduce_l2 %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_l2_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_l2 %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_log_sum
// CHECK: opc.reduce_log_sum %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_log_sum(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_log_sum %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_log_sum_axes
// CHECK: opc.reduce_log_sum %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_log_sum_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_log_sum %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_log_sum_exp
// CHECK: opc.reduce_log_sum_exp %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_log_sum_exp(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_log_sum_exp %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_log_sum_exp_axes
// CHECK: opc.reduce_log_sum_exp %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_log_sum_exp_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_log_sum_exp %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_max
// CHECK: opc.reduce_max %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_max(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_max %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_max_axes
// CHECK: opc.reduce_max %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_max_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_max %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_mean
// CHECK: opc.reduce_mean %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_mean(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_mean %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_mean_axes
// CHECK: opc.reduce_mean %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_mean_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_mean %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_min
// CHECK: opc.reduce_min %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_min(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_min %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_min_axes
// CHECK: opc.reduce_min %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_min_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_min %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_prod
// CHECK: opc.reduce_prod %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_prod(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_prod %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_prod_axes
// CHECK: opc.reduce_prod %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_prod_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_prod %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_sum
// CHECK: opc.reduce_sum %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_sum(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_sum_axes
// CHECK: opc.reduce_sum %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_sum_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_sum %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @reduce_sum_square
// CHECK: opc.reduce_sum_square %x : tensor<4x8x16xf32> -> tensor<f32>
func.func @reduce_sum_square(%x: tensor<4x8x16xf32>) -> tensor<f32> {
  %r = opc.reduce_sum_square %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_sum_square_axes
// CHECK: opc.reduce_sum_square %x {axes = [-1, 0], keepdims = true} : tensor<4x8x16xf32> -> tensor<1x8x1xf32>
func.func @reduce_sum_square_axes(%x: tensor<4x8x16xf32>) -> tensor<1x8x1xf32> {
  %r = opc.reduce_sum_square %x {axes = [-1, 0], keepdims = true}
  return %r : tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @no_axes
// CHECK: opc.reduce_sum %x {axes = []} : tensor<4xf32> -> tensor<4xf32>
func.func @no_axes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.reduce_sum %x {axes = []}
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @no_axes_is_all
// CHECK: opc.reduce_sum %x {axes = [], empty_axes = "all"} : tensor<4xf32> -> tensor<f32>
func.func @no_axes_is_all(%x: tensor<4xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [], empty_axes = "all"}
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @scalar
// CHECK: opc.reduce_sum %x : tensor<f32> -> tensor<f32>
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = opc.reduce_sum %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @symbolic
// CHECK: opc.reduce_sum %x {axes = [1]} : tensor<?x8xf32, #opc.dims<N, 8>> -> tensor<?xf32, #opc.dims<N>>
func.func @symbolic(%x: tensor<?x8xf32, #opc.dims<N, 8>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// CHECK-LABEL: func.func @run_time_axes
// CHECK: opc.reduce_sum %x, %axes : tensor<4x8xf32>, tensor<1xi64> -> tensor<?xf32>
func.func @run_time_axes(%x: tensor<4x8xf32>, %axes: tensor<1xi64>) -> tensor<?xf32> {
  %r = opc.reduce_sum %x, %axes
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @run_time_axes_kept
// CHECK: opc.reduce_sum %x, %axes {keepdims = true} : tensor<4x1xf32>, tensor<?xi32> -> tensor<?x1xf32>
func.func @run_time_axes_kept(%x: tensor<4x1xf32>, %axes: tensor<?xi32>) -> tensor<?x1xf32> {
  %r = opc.reduce_sum %x, %axes {keepdims = true}
  return %r : tensor<?x1xf32>
}
