// What walks refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: opc.walk: x is tensor<3x2xf16>, expected a matrix of f32 or f64
func.func @walk_c1(%x: tensor<3x2xf16>) {
  %n = opc.constant dense<[[0, 0, 1, -1], [1, 0, -1, -2]]> : tensor<2x4xi32>
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = opc.walk %x, %n, %r, %v
  return
}

// -----

// CHECK: error: opc.walk: nodes and roots are tensor<2x4xi64> and tensor<1xi32>
func.func @walk_c2(%x: tensor<3x2xf32>) {
  %n = opc.constant dense<[[0, 0, 1, -1], [1, 0, -1, -2]]> : tensor<2x4xi64>
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = opc.walk %x, %n, %r, %v
  return
}

// -----

// CHECK: error: opc.walk: nodes are [1, 3], expected [n, 4]
func.func @walk_c2_columns(%x: tensor<3x2xf32>) {
  %n = opc.constant dense<[[0, 0, -1]]> : tensor<1x3xi32>
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = opc.walk %x, %n, %r, %v
  return
}

// -----

// CHECK: error: opc.walk: values are []
func.func @walk_c3(%x: tensor<3x2xf32>) {
  %n = opc.constant dense<[[0, 0, 1, -1], [1, 0, -1, -2]]> : tensor<2x4xi32>
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<1.0> : tensor<f32>
  %y = opc.walk %x, %n, %r, %v
  return
}

// -----

// CHECK: error: opc.walk: nodes and roots are no constants
func.func @walk_c4(%x: tensor<3x2xf32>, %n: tensor<2x4xi32>) {
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = opc.walk %x, %n, %r, %v
  return
}

// -----

// CHECK: error: opc.walk: feature 2 of 2
func.func @walk_c5(%x: tensor<3x2xf32>) {
  %n = opc.constant dense<[[2, 0, -1, -1]]> : tensor<1x4xi32>
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = opc.walk %x, %n, %r, %v
  return
}

// -----

// CHECK: error: opc.walk: a step from node 0 to 0, of 1 nodes and 2 values
func.func @walk_c6(%x: tensor<3x2xf32>) {
  %n = opc.constant dense<[[0, 0, 0, -1]]> : tensor<1x4xi32>
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = opc.walk %x, %n, %r, %v
  return
}

// -----

// CHECK: error: opc.walk: a step from node 0 to -3, of 1 nodes and 2 values
func.func @walk_c6_value(%x: tensor<3x2xf32>) {
  %n = opc.constant dense<[[0, 0, -3, -1]]> : tensor<1x4xi32>
  %r = opc.constant dense<[0]> : tensor<1xi32>
  %v = opc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = opc.walk %x, %n, %r, %v
  return
}
