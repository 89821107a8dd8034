// What binary operators refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:18: error: opc.where: the condition must be i1, found f32
func.func @where_c1(%c: tensor<4xf32>, %x: tensor<4xf32>) {
  %r = opc.where %c, %x, %x
  return
}

// -----

// CHECK: :14:18: error: opc.where: element types differ: f32 and i32
func.func @where_branches(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xi32>) {
  %r = opc.where %c, %x, %y
  return
}

// -----

// CHECK: :22:16: error: opc.add: shapes [2, 4] and [3] cannot be broadcast: extents 4 and 3 differ at result axis 1
func.func @extents_differ(%x: tensor<2x4xf32>, %y: tensor<3xf32>) {
  %r = opc.add %x, %y
  return
}

// -----

// CHECK: :30:23: error: opc.shift_left: element type f32 is not one of i8 i16 i32 i64 ui8 ui16 ui32 ui64
func.func @shift_float(%x: tensor<4xf32>) {
  %r = opc.shift_left %x, %x
  return
}

// -----

// CHECK: :38:16: error: opc.and: element type i32 is not one of i1
func.func @and_integer(%x: tensor<4xi32>) {
  %r = opc.and %x, %x
  return
}

// -----

// CHECK: :46:3: error: opc.less: result type is tensor<4xi1>, declared tensor<4xf32>
func.func @comparison_result(%x: tensor<4xf32>) {
  %r = opc.less %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// CHECK: :54:16: error: opc.mod: attribute fmod: expected true or false, found 1 : i64
func.func @mod_fmod(%x: tensor<4xf32>) {
  %r = opc.mod %x, %x {fmod = 1}
  return
}

// -----

// CHECK: :62:17: error: opc.clip: expected 3 operands, found 2
func.func @clip_two(%x: tensor<4xf32>) {
  %r = opc.clip %x, %x
  return
}
