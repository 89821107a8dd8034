// What scalar operations refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: scalar.apply: unknown function sinc
func.func @scalar_apply_c1(%x: f32) {
  %r = scalar.apply sinc(%x) : f32
  return
}

// -----

// CHECK: :14:3: error: scalar.apply add: expected 2 operands
func.func @scalar_apply_c2(%x: f32) {
  %r = scalar.apply add(%x) : f32
  return
}

// -----

// CHECK: :22:3: error: scalar.apply add: operands are f32, f64, expected one of f64 f32 i8 i16 i32 i64 ui8 ui16 ui32 ui64
func.func @scalar_apply_c3(%x: f32, %y: f64) {
  %r = scalar.apply add(%x, %y) : f32
  return
}

// -----

// CHECK: :30:3: error: scalar.apply exp: operands are i32, expected one of f64 f32
func.func @scalar_apply_c3_type(%x: i32) {
  %r = scalar.apply exp(%x) : i32
  return
}

// -----

// CHECK: :38:3: error: scalar.apply neg: operands are f16, expected one of f64 f32 i8 i16 i32 i64 ui8 ui16 ui32 ui64
func.func @scalar_apply_c3_small_float(%x: f16) {
  %r = scalar.apply neg(%x) : f16
  return
}

// -----

// CHECK: :46:3: error: scalar.apply select: the condition must be i1
func.func @scalar_apply_c3_condition(%x: f32) {
  %r = scalar.apply select(%x, %x, %x) : f32
  return
}

// -----

// CHECK: :54:3: error: scalar.apply select: operands are f32, i32, expected one of f64 f32 i8 i16 i32 i64 ui8 ui16 ui32 ui64 i1
func.func @scalar_apply_c3_select(%c: i1, %x: f32, %y: i32) {
  %r = scalar.apply select(%c, %x, %y) : i32
  return
}

// -----

// CHECK: :62:3: error: scalar.apply lt: result type is i1
func.func @scalar_apply_c4(%x: f32, %y: f32) {
  %r = scalar.apply lt(%x, %y) : f32
  return
}

// -----

// CHECK: :70:3: error: expected a scalar, found tensor<4xf32>
func.func @scalar_apply_tensor(%x: tensor<4xf32>) {
  %r = scalar.apply neg(%x) : f32
  return
}

// -----

// CHECK: :78:3: error: scalar.apply bitcast: f32 and i64 differ in width
func.func @scalar_apply_c5(%x: f32) {
  %r = scalar.apply bitcast(%x) : i64
  return
}

// -----

// CHECK: :86:3: error: scalar.constant: the value is not of the result type
func.func @scalar_constant_c1() {
  %r = "scalar.constant"() {value = 1 : i32} : () -> i64
  return
}

// -----

// CHECK: :95:3: error: scalar.constant: expected a number and its type
func.func @scalar_constant_kind() {
  %r = scalar.constant "one"
  return
}

// -----

// CHECK: :102:3: error: expected a scalar, found index
func.func @scalar_constant_type() {
  %r = scalar.constant 1 : index
  return
}

// -----

// CHECK: :110:3: error: scalar.index: expected one expression and an i64 result
func.func @scalar_index_c1(%i: index) {
  %r = scalar.index <d0, d0>(%i) : i64
  return
}

// -----

// CHECK: :118:3: error: scalar.index: expected one expression and an i64 result
func.func @scalar_index_c1_type(%i: index) {
  %r = scalar.index <d0>(%i) : i32
  return
}

// -----

// CHECK: :126:3: error: scalar.index: d0 + d1 has more dimensions than the 1 values given
func.func @scalar_index_c2(%i: index) {
  %r = scalar.index <d0 + d1>(%i) : i64
  return
}

// -----

// CHECK: :134:34: error: floordiv does not take 1 arguments
func.func @scalar_index_arguments(%i: index) {
  %r = scalar.index <floordiv(d0)>(%i) : i64
  return
}
