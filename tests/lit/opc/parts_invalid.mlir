// What operators refuse that take parts of tensors, or put them together.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: opc.slice: 1 starts for rank 2
func.func @slice_c1(%x: tensor<4x9xf32>) {
  %r = opc.slice %x {starts = [1], stops = [3, 4], steps = [1, 1]} : tensor<4x9xf32>
  return
}

// -----

// CHECK: error: opc.slice: a step is 0
func.func @slice_c2(%x: tensor<4xf32>) {
  %r = opc.slice %x {starts = [1], stops = [3], steps = [0]} : tensor<4xf32>
  return
}

// -----

// CHECK: error: opc.concat: element types differ: f32 and f64
func.func @concat_c1(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  %r = opc.concat %x, %y {axis = 0} : tensor<4xf32>, tensor<4xf64>
  return
}

// -----

// CHECK: error: opc.concat: ranks differ: [4] and [4, 1]
func.func @concat_c1_ranks(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  %r = opc.concat %x, %y {axis = 0} : tensor<4xf32>, tensor<4x1xf32>
  return
}

// -----

// CHECK: error: opc.concat: axis 1 is outside [-1, 0] for rank 1
func.func @concat_c2(%x: tensor<4xf32>) {
  %r = opc.concat %x {axis = 1} : tensor<4xf32>
  return
}

// -----

// CHECK: error: opc.concat: [4, 2] and [3, 2] differ beside axis 1
func.func @concat_c3(%x: tensor<4x2xf32>, %y: tensor<3x2xf32>) {
  %r = opc.concat %x, %y {axis = 1} : tensor<4x2xf32>, tensor<3x2xf32>
  return
}

// -----

// CHECK: error: opc.slice: the bound M - 1 of an extent N may be negative
func.func @slice_c3(%x: tensor<?xf32, #opc.dims<N>>, %y: tensor<?xf32, #opc.dims<M>>) {
  %r = opc.slice %x {starts = #opc.dims<M - 1>, stops = [9], steps = [1]} : tensor<?xf32, #opc.dims<N>>
  return
}

// -----

// CHECK: error: opc.windows: strides [0] are not 1 positive ones
func.func @windows_c1(%x: tensor<9xf32>) {
  %r = opc.windows %x {sizes = [3], strides = [0], dilations = [1]} : tensor<9xf32>
  return
}

// -----

// CHECK: error: opc.windows: 2 windowed axes for rank 1
func.func @windows_c2(%x: tensor<9xf32>) {
  %r = opc.windows %x {sizes = [3, 3], strides = [1, 1], dilations = [1, 1]} : tensor<9xf32>
  return
}

// -----

// CHECK: error: opc.windows: strides [281474976710657]: one exceeds 2^48
func.func @windows_c3(%x: tensor<9xf32>) {
  %r = opc.windows %x {sizes = [3], strides = [281474976710657], dilations = [1]} : tensor<9xf32>
  return
}
