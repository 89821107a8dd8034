// What unary operators refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: opc.bitcast: f32 has 32 bits, i64 has 64
func.func @bitcast_c1(%x: tensor<4xf32>) {
  %r = opc.bitcast %x : tensor<4xf32> -> tensor<4xi64>
  return
}

// -----

// CHECK: :14:3: error: opc.cast: result type is tensor<4xi64>, declared tensor<5xi64>
func.func @cast_shape(%x: tensor<4xf32>) {
  %r = opc.cast %x : tensor<4xf32> -> tensor<5xi64>
  return
}

// -----

// CHECK: :22:17: error: opc.cast: needs its result type, as in `-> tensor<4x1xf32>`
func.func @cast_without_type(%x: tensor<4xf32>) {
  %r = opc.cast %x
  return
}

// -----

// CHECK: :30:17: error: opc.gelu: attribute approximate: expected one of "none", "tanh", found "sigmoid"
func.func @gelu_approximate(%x: tensor<4xf32>) {
  %r = opc.gelu %x {approximate = "sigmoid"}
  return
}

// -----

// CHECK: :38:16: error: opc.elu: attribute alpha: expected a number, found "one"
func.func @elu_alpha(%x: tensor<4xf32>) {
  %r = opc.elu %x {alpha = "one"}
  return
}

// -----

// CHECK: :46:19: error: opc.is_inf: attribute positive: expected true or false, found 1 : i64
func.func @is_inf_positive(%x: tensor<4xf32>) {
  %r = opc.is_inf %x {positive = 1}
  return
}

// -----

// CHECK: :54:16: error: opc.not: element type f32 is not one of i1
func.func @not_float(%x: tensor<4xf32>) {
  %r = opc.not %x
  return
}

// -----

// CHECK: :62:24: error: opc.bitwise_not: element type i1 is not one of i8 i16 i32 i64 ui8 ui16 ui32 ui64
func.func @bitwise_not_bool(%x: tensor<4xi1>) {
  %r = opc.bitwise_not %x
  return
}
