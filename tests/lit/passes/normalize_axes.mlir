// Axes become explicit, sorted and counted from the front; keepdims becomes a reshape.
// RUN: opc-opt %s -p normalize-axes | filecheck %s
// RUN: opc-opt %s -p normalize-axes,normalize-axes | filecheck %s

// CHECK-LABEL: func.func @sorted(
// CHECK-NEXT:    %r = opc.reduce_sum %x {axes = [0, 2]} : tensor<2x3x4xf32> -> tensor<3xf32>
// CHECK-NEXT:    func.return %r
func.func @sorted(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %r = opc.reduce_sum %x {axes = [-1, 0]}
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @all_axes(
// CHECK-NEXT:    opc.reduce_prod %x {axes = [0, 1]} : tensor<2x3xf32> -> tensor<f32>
// CHECK-NEXT:    opc.reduce_l2 %x {axes = [0, 1]} : tensor<2x3xf32> -> tensor<f32>
func.func @all_axes(%x: tensor<2x3xf32>) -> (tensor<f32>, tensor<f32>) {
  %r = opc.reduce_prod %x
  %s = opc.reduce_l2 %x {axes = [], empty_axes = "all"}
  return %r, %s : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @keepdims(
// CHECK-NEXT:    [[R:%.+]] = opc.reduce_max %x {axes = [0]} : {{.*}} -> tensor<?xf32, #opc.dims<N>>
// CHECK-NEXT:    %r = opc.reshape [[R]] : {{.*}} -> tensor<1x?xf32, #opc.dims<1, N>>
func.func @keepdims(%x: tensor<2x?xf32, #opc.dims<2, N>>) -> tensor<1x?xf32, #opc.dims<1, N>> {
  %r = opc.reduce_max %x {axes = [0], keepdims = true}
  return %r : tensor<1x?xf32, #opc.dims<1, N>>
}

// CHECK-LABEL: func.func @no_axes(
// CHECK-NEXT:    func.return %x : tensor<2x3xf32>
func.func @no_axes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = opc.reduce_sum_square %x {axes = []}
  return %r : tensor<2x3xf32>
}

// All axes of a scalar are none, and its sum is the scalar, but its L1 norm is not.
// CHECK-LABEL: func.func @rank_0(
// CHECK-NEXT:    %s = opc.reduce_l1 %x : tensor<f32> -> tensor<f32>
// CHECK-NEXT:    func.return %x, %s
func.func @rank_0(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r = opc.reduce_sum %x {keepdims = true}
  %s = opc.reduce_l1 %x {keepdims = true}
  return %r, %s : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @arg(
// CHECK-NEXT:    %r = opc.argmax %x {axis = 1, select_last_index = true} : tensor<2x3xf32> -> tensor<2xi64>
// CHECK-NEXT:    [[S:%.+]] = opc.argmin %x : tensor<2x3xf32> -> tensor<3xi64>
// CHECK-NEXT:    %s = opc.reshape [[S]] : tensor<3xi64> -> tensor<1x3xi64>
func.func @arg(%x: tensor<2x3xf32>) -> (tensor<2xi64>, tensor<1x3xi64>) {
  %r = opc.argmax %x {axis = -1, select_last_index = true}
  %s = opc.argmin %x {keepdims = true}
  return %r, %s : tensor<2xi64>, tensor<1x3xi64>
}

// CHECK-LABEL: func.func @matmul(
// CHECK-NEXT:    [[A:%.+]] = opc.reshape %a : tensor<3xf32> -> tensor<1x3xf32>
// CHECK-NEXT:    [[B:%.+]] = opc.reshape %b : tensor<3xf32> -> tensor<3x1xf32>
// CHECK-NEXT:    [[R:%.+]] = opc.matmul [[A]], [[B]] : {{.*}} -> tensor<1x1xf32>
// CHECK-NEXT:    %r = opc.reshape [[R]] : tensor<1x1xf32> -> tensor<f32>
// CHECK-NEXT:    [[B2:%.+]] = opc.reshape %b : tensor<3xf32> -> tensor<3x1xf32>
// CHECK-NEXT:    [[S:%.+]] = opc.matmul %c, [[B2]] : {{.*}} -> tensor<5x2x1xf32>
// CHECK-NEXT:    %s = opc.reshape [[S]] : tensor<5x2x1xf32> -> tensor<5x2xf32>
func.func @matmul(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<5x2x3xf32>)
    -> (tensor<f32>, tensor<5x2xf32>) {
  %r = opc.matmul %a, %b
  %s = opc.matmul %c, %b
  return %r, %s : tensor<f32>, tensor<5x2xf32>
}

// CHECK-LABEL: func.func @totals(
// CHECK-NEXT:    opc.cum_sum %x {axis = 2, reverse = true} : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
func.func @totals(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = opc.cum_sum %x {axis = -1, reverse = true}
  return %r : tensor<2x3x4xf32>
}
