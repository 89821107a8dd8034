// What opc.apply refuses.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: opc.apply: the condition must be i1, found f32
func.func @apply_c1(%c: tensor<4xf32>) {
  %r = opc.apply select(%c, %c, %c) : tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// CHECK: :14:3: error: opc.apply: element types differ: f32 and i32
func.func @apply_c2(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  %r = opc.apply add(%x, %y) : tensor<4xf32>, tensor<4xi32> -> tensor<4xf32>
  return
}

// -----

// CHECK: :22:3: error: opc.apply: element type i32 is not one of f64 f32
func.func @apply_c2_type(%x: tensor<4xi32>) {
  %r = opc.apply exp(%x) : tensor<4xi32> -> tensor<4xi32>
  return
}

// -----

// CHECK: :30:3: error: opc.apply: attribute function: expected one of
func.func @apply_unknown(%x: tensor<4xf32>) {
  %r = opc.apply sinc(%x) : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// CHECK: :38:3: error: opc.apply: expected 1 operands, found 2
func.func @apply_c3(%x: tensor<4xf32>) {
  %r = opc.apply exp(%x, %x) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}
