// What scalar operations refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: scalar.apply: unknown function sinc
func.func @scalar_apply_c1(%x: f32) {
  %r = scalar.apply sinc(%x) : f32
  return
}

// -----

func.func @scalar_apply_c2(%x: f32) {
  %r = scalar.apply add(%x) : f32
  return
}

// -----

func.func @scalar_apply_c3(%x: f32, %y: f64) {
  %r = scalar.apply add(%x, %y) : f32
  return
}

// -----

func.func @scalar_apply_c3_type(%x: i32) {
  %r = scalar.apply exp(%x) : i32
  return
}

// -----

func.func @scalar_apply_c3_small_float(%x: f16) {
  %r = scalar.apply neg(%x) : f16
  return
}

// -----

func.func @scalar_apply_c3_condition(%x: f32) {
  %r = scalar.apply select(%x, %x, %x) : f32
  return
}

// -----

func.func @scalar_apply_c3_select(%c: i1, %x: f32, %y: i32) {
  %r = scalar.apply select(%c, %x, %y) : i32
  return
}

// -----

func.func @scalar_apply_c4(%x: f32, %y: f32) {
  %r = scalar.apply lt(%x, %y) : f32
  return
}

// -----

func.func @scalar_apply_tensor(%x: tensor<4xf32>) {
  %r = scalar.apply neg(%x) : f32
  return
}

// -----

func.func @scalar_apply_bitcast(%x: f32) {
  %r = scalar.apply bitcast(%x) : i64
  return
}

// -----

func.func @scalar_constant_c1() {
  %r = "scalar.constant"() {value = 1 : i32} : () -> i64
  return
}

// -----

func.func @scalar_constant_kind() {
  %r = scalar.constant "one"
  return
}

// -----

func.func @scalar_constant_type() {
  %r = scalar.constant 1 : index
  return
}

// -----

func.func @scalar_index_c1(%i: index) {
  %r = scalar.index <d0, d0>(%i) : i64
  return
}

// -----

func.func @scalar_index_c1_type(%i: index) {
  %r = scalar.index <d0>(%i) : i32
  return
}

// -----

func.func @scalar_index_c2(%i: index) {
  %r = scalar.index <d0 + d1>(%i) : i64
  return
}

// -----

func.func @scalar_index_arguments(%i: index) {
  %r = scalar.index <floordiv(d0)>(%i) : i64
  return
}
