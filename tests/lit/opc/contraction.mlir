// Contractions.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @matmul
// CHECK: opc.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %r = opc.matmul %a, %b
  return %r : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @matmul_batched
// CHECK: opc.matmul %a, %b : tensor<5x1x2x3xi32>, tensor<7x3x4xi32> -> tensor<5x7x2x4xi32>
func.func @matmul_batched(%a: tensor<5x1x2x3xi32>, %b: tensor<7x3x4xi32>) -> tensor<5x7x2x4xi32> {
  %r = opc.matmul %a, %b
  return %r : tensor<5x7x2x4xi32>
}

// CHECK-LABEL: func.func @matmul_vectors
// CHECK: opc.matmul %a, %b : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
func.func @matmul_vectors(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<f32> {
  %r = opc.matmul %a, %b
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @matmul_row
// CHECK: opc.matmul %a, %b : tensor<3xf32>, tensor<3x4xf32> -> tensor<4xf32>
func.func @matmul_row(%a: tensor<3xf32>, %b: tensor<3x4xf32>) -> tensor<4xf32> {
  %r = opc.matmul %a, %b
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @conv
// CHECK: opc.conv %x, %w {pads = [1, 1, 0, 2], strides = [2, 1], groups = 2} : tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32> -> tensor<1x6x4x9xf32>
func.func @conv(%x: tensor<1x4x8x8xf32>, %w: tensor<6x2x3x3xf32>) -> tensor<1x6x4x9xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 0, 2], strides = [2, 1], groups = 2}
  return %r : tensor<1x6x4x9xf32>
}

// CHECK-LABEL: func.func @conv_one_axis
// CHECK: opc.conv %x, %w {dilations = [3]} : tensor<2x4x?xf64, #opc.dims<2, 4, N>>, tensor<6x4x3xf64> -> tensor<2x6x?xf64, #opc.dims<2, 6, N - 6>>
func.func @conv_one_axis(%x: tensor<2x4x?xf64, #opc.dims<2, 4, N>>, %w: tensor<6x4x3xf64>) {
  %r = opc.conv %x, %w {dilations = [3]}
  return
}

// CHECK-LABEL: func.func @conv_transpose
// CHECK: opc.conv_transpose %x, %w {output_padding = [1, 0], pads = [1, 1, 0, 2], strides = [2, 1], groups = 2} : tensor<1x4x8x8xf32>, tensor<4x3x3x3xf32> -> tensor<1x6x17x7xf32>
func.func @conv_transpose(%x: tensor<1x4x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x6x17x7xf32> {
  %r = opc.conv_transpose %x, %w {output_padding = [1, 0], pads = [1, 1, 0, 2], strides = [2, 1], groups = 2}
  return %r : tensor<1x6x17x7xf32>
}

// CHECK-LABEL: func.func @conv_transpose_one_axis
// CHECK: opc.conv_transpose %x, %w {dilations = [3], strides = [2]} : tensor<2x4x?xi32, #opc.dims<2, 4, N>>, tensor<4x6x3xi32> -> tensor<2x6x?xi32, #opc.dims<2, 6, N*2 + 5>>
func.func @conv_transpose_one_axis(%x: tensor<2x4x?xi32, #opc.dims<2, 4, N>>, %w: tensor<4x6x3xi32>) {
  %r = opc.conv_transpose %x, %w {dilations = [3], strides = [2]}
  return
}

// CHECK-LABEL: func.func @contract
// CHECK: opc.contract %a, %b {equation = "bij,bjk->bik"} : tensor<5x2x3xf32>, tensor<5x3x4xf32> -> tensor<5x2x4xf32>
func.func @contract(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %r = opc.contract %a, %b {equation = "bij,bjk->bik"}
  return %r : tensor<5x2x4xf32>
}

// A diagonal, an operand without axes, and one that is the same for all of an axis.
// CHECK-LABEL: func.func @contract_four
// CHECK: opc.contract %a, %b, %c, %d {equation = "iiX,,iX,j->Xij"} : tensor<3x3x4xi64>, tensor<i64>, tensor<1x4xi64>, tensor<2xi64> -> tensor<4x3x2xi64>
func.func @contract_four(%a: tensor<3x3x4xi64>, %b: tensor<i64>, %c: tensor<1x4xi64>, %d: tensor<2xi64>) {
  %r = opc.contract %a, %b, %c, %d {equation = "iiX,,iX,j->Xij"}
  return
}

// CHECK-LABEL: func.func @contract_to_one
// CHECK: opc.contract %a {equation = "ij->"} : tensor<?x3xi1, #opc.dims<N, 3>> -> tensor<i1>
func.func @contract_to_one(%a: tensor<?x3xi1, #opc.dims<N, 3>>) {
  %r = opc.contract %a {equation = "ij->"}
  return
}

// A label has the extent that is a number, if there is one.
// CHECK-LABEL: func.func @contract_symbols
// CHECK: opc.contract %a, %b {equation = "ij,ij->ij"} : tensor<?x?xf16, #opc.dims<N, M>>, tensor<?x4xf16, #opc.dims<K, 4>> -> tensor<?x4xf16, #opc.dims<N, 4>>
func.func @contract_symbols(%a: tensor<?x?xf16, #opc.dims<N, M>>, %b: tensor<?x4xf16, #opc.dims<K, 4>>) {
  %r = opc.contract %a, %b {equation = "ij,ij->ij"}
  return
}
