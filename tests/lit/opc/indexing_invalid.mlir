// What operators refuse whose indices are data.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: opc.gather: axes [1, 0] do not ascend, or there is none
func.func @indexing_c1(%x: tensor<4x9xf32>, %i: tensor<2xi64>) {
  %r = opc.gather %x, %i, %i {axes = [1, 0]} : tensor<4x9xf32>, tensor<2xi64>, tensor<2xi64>
  return
}

// -----

// CHECK: error: opc.gather: 1 tensors of indices for 2 axes
func.func @indexing_c2(%x: tensor<4x9xf32>, %i: tensor<2xi64>) {
  %r = opc.gather %x, %i {axes = [0, 1]} : tensor<4x9xf32>, tensor<2xi64>
  return
}

// -----

// CHECK: error: opc.gather_elements: indices are f32, expected integers
func.func @indexing_c2_type(%x: tensor<4xf32>) {
  %r = opc.gather_elements %x, %x {axis = 0} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// CHECK: error: opc.gather: 2 axes in common, for axes [1] and indices [4, 2]
func.func @gather_c1(%x: tensor<4x9xf32>, %i: tensor<4x2xi64>) {
  %r = opc.gather %x, %i {axes = [1], batch = 2} : tensor<4x9xf32>, tensor<4x2xi64>
  return
}

// -----

// CHECK: error: opc.gather: [4, 9] and indices [3, 2] differ in the first 1
func.func @gather_c2(%x: tensor<4x9xf32>, %i: tensor<3x2xi64>) {
  %r = opc.gather %x, %i {axes = [1], batch = 1} : tensor<4x9xf32>, tensor<3x2xi64>
  return
}

// -----

// CHECK: error: opc.gather_elements: indices [5, 2] do not fit in [4, 9] beside axis 1
func.func @elements_c1(%x: tensor<4x9xf32>, %i: tensor<5x2xi64>) {
  %r = opc.gather_elements %x, %i {axis = 1} : tensor<4x9xf32>, tensor<5x2xi64>
  return
}

// -----

// CHECK: error: opc.scatter: updates are f64, expected f32
func.func @scatter_c1(%x: tensor<4xf32>, %u: tensor<2xf64>, %i: tensor<2xi64>) {
  %r = opc.scatter %x, %u, %i {axes = [0]} : tensor<4xf32>, tensor<2xf64>, tensor<2xi64>
  return
}

// -----

// CHECK: error: opc.scatter: cannot add i1, expected one of f64 f32
func.func @scatter_c2(%x: tensor<4xi1>, %u: tensor<2xi1>, %i: tensor<2xi64>) {
  %r = opc.scatter %x, %u, %i {axes = [0], reduction = "add"} : tensor<4xi1>, tensor<2xi1>, tensor<2xi64>
  return
}

// -----

// CHECK: error: opc.scatter: updates [3, 9] for places [2, 9] of [4, 9]
func.func @scatter_c3(%x: tensor<4x9xf32>, %u: tensor<3x9xf32>, %i: tensor<2xi64>) {
  %r = opc.scatter %x, %u, %i {axes = [0]} : tensor<4x9xf32>, tensor<3x9xf32>, tensor<2xi64>
  return
}

// -----

// CHECK: error: opc.scatter_elements: updates [3] for indices [2]
func.func @scatter_elements_c1(%x: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<2xi64>) {
  %r = opc.scatter_elements %x, %u, %i {axis = 0} : tensor<4xf32>, tensor<3xf32>, tensor<2xi64>
  return
}

// -----

// CHECK: error: opc.require_range: expected one expression for each bound
func.func @require_range_c1(%i: tensor<4xi64>) {
  opc.require_range %i from <0, 1> to <4> "outside" : tensor<4xi64>
  return
}

// -----

// CHECK: error: opc.require_range: values must be integers, found tensor<4xf32>
func.func @require_range_c2(%x: tensor<4xf32>) {
  opc.require_range %x from <0> to <4> "outside" : tensor<4xf32>
  return
}
