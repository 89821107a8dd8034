// What every operator refuses, whatever its family.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: opc.exp: unknown attribute alpha; it has none
func.func @op_c1(%x: tensor<4xf32>) {
  %r = opc.exp %x {alpha = 1.0}
  return
}

// -----

// CHECK: :14:3: error: opc.exp: expected ranked tensors, found tensor<*xf32>
func.func @op_c2(%x: tensor<*xf32>) {
  %r = opc.exp %x : tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

// CHECK: :22:3: error: opc.exp: expected ranked tensors, found f32
func.func @op_c2_scalar(%x: f32) {
  %r = opc.exp %x : f32 -> f32
  return
}

// -----

// CHECK: :30:3: error: opc.identity: element type index is not supported
func.func @op_c2_element(%x: tensor<4xindex>) {
  %r = opc.identity %x : tensor<4xindex> -> tensor<4xindex>
  return
}

// -----

// CHECK: :38:3: error: opc.exp: result type is tensor<4xf32>, declared tensor<5xf32>
func.func @op_c3(%x: tensor<4xf32>) {
  %r = opc.exp %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

// CHECK: :46:3: error: opc.exp: result type is tensor<4xf32>, declared tensor<4xf64>
func.func @op_c3_element(%x: tensor<4xf32>) {
  %r = opc.exp %x : tensor<4xf32> -> tensor<4xf64>
  return
}

// -----

// CHECK: :54:3: error: opc.exp: result type is tensor<4xf32>, declared tensor<1x4xf32>
func.func @op_c3_rank(%x: tensor<4xf32>) {
  %r = opc.exp %x : tensor<4xf32> -> tensor<1x4xf32>
  return
}

// -----

// CHECK: :62:3: error: opc.exp: rank 17 exceeds 16
func.func @op_c4(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  %r = opc.exp %x
  return
}

// -----

// CHECK: :70:3: error: opc.add: shape [9999999, 9999999, 9999999] needs more than 2^48 bytes
func.func @op_c4_size(%x: tensor<9999999x9999999xf32>, %y: tensor<9999999x1x1xf32>) {
  %r = opc.add %x, %y
  return
}

// -----

// CHECK: :78:3: error: opc.exp: expected 1 operands, found 2
func.func @op_c5(%x: tensor<4xf32>) {
  %r = opc.exp %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// CHECK: :86:16: error: opc.add: expected 2 operands, found 1
func.func @op_c5_few(%x: tensor<4xf32>) {
  %r = opc.add %x
  return
}

// -----

// CHECK: :94:3: error: opc.max: expected at least 1 operands, found 0
func.func @op_c5_none() {
  %r = opc.max : tensor<4xf32>
  return
}

// -----

// CHECK: :102:16: error: opc.add: element types differ: f32 and f64
func.func @types_c1(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  %r = opc.add %x, %y
  return
}

// -----

// CHECK: :110:16: error: opc.exp: element type i32 is not one of f64 f32 f16 bf16
func.func @types_c2(%x: tensor<4xi32>) {
  %r = opc.exp %x
  return
}

// -----

// CHECK: :118:17: error: opc.relu: element type ui8 is not one of f64 f32 f16 bf16 i8 i16 i32 i64
func.func @types_c2_unsigned(%x: tensor<4xui8>) {
  %r = opc.relu %x
  return
}
