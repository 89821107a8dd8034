// What operators that hold or move data refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: opc.constant: expected dense<...> : tensor<...>, found 5 : i64
func.func @constant_c1() {
  %r = "opc.constant"() {value = 5 : i64} : () -> tensor<4xf32>
  return
}

// -----

// CHECK: :14:3: error: opc.constant: attribute value is missing
func.func @constant_missing() {
  %r = "opc.constant"() : () -> tensor<4xf32>
  return
}

// -----

// CHECK: :22:34: error: a constant of 399999999996 bytes is too large; opc.broadcast stretches a small one without holding its elements
func.func @constant_too_large() {
  %r = opc.constant dense<0.0> : tensor<99999999999xf32>
  return
}

// -----

// CHECK: :30:27: error: 300 is outside i8
func.func @constant_range() {
  %r = opc.constant dense<300> : tensor<4xi8>
  return
}

// -----

// CHECK: :38:26: error: Shape mismatch in dense literal. Expected [4] shape from the type, but got [2] shape.
func.func @constant_count() {
  %r = opc.constant dense<[1, 2]> : tensor<4xi8>
  return
}

// -----

// CHECK: :47:3: error: Dense literal attribute should have a static shape.
func.func @constant_dynamic() {
  %r = opc.constant dense<1> : tensor<?xi8>
  return
}

// -----

// CHECK: :54:3: error: opc.reshape: 2 extents of the result are unknown, at most 1 can be
func.func @reshape_c1(%x: tensor<4xf32>) {
  %r = opc.reshape %x -> tensor<?x?xf32>
  return
}

// -----

// CHECK: :62:3: error: opc.reshape: [4] has 4 elements, which do not fill [5]
func.func @reshape_c2(%x: tensor<4xf32>) {
  %r = opc.reshape %x -> tensor<5xf32>
  return
}

// -----

// CHECK: :70:3: error: opc.reshape: [4] has 4 elements, which do not fill [3, ?]
func.func @reshape_c2_inferred(%x: tensor<4xf32>) {
  %r = opc.reshape %x -> tensor<3x?xf32>
  return
}

// -----

// CHECK: :78:3: error: opc.reshape: an extent cannot be inferred beside an extent of 0
func.func @reshape_empty(%x: tensor<0xf32>) {
  %r = opc.reshape %x -> tensor<0x?xf32>
  return
}

// -----

// CHECK: :86:3: error: opc.broadcast: rank 2 cannot be broadcast to rank 1
func.func @broadcast_c1(%x: tensor<1x4xf32>) {
  %r = opc.broadcast %x -> tensor<4xf32>
  return
}

// -----

// CHECK: :94:3: error: opc.broadcast: [4] cannot be broadcast to [8]
func.func @broadcast_c2(%x: tensor<4xf32>) {
  %r = opc.broadcast %x -> tensor<8xf32>
  return
}

// -----

// CHECK: :102:22: error: opc.transpose: permutation [0, 0] does not order 2 axes
func.func @transpose_c1(%x: tensor<4x8xf32>) {
  %r = opc.transpose %x {permutation = [0, 0]}
  return
}

// -----

// CHECK: :110:22: error: opc.transpose: permutation [0] does not order 2 axes
func.func @transpose_c1_rank(%x: tensor<4x8xf32>) {
  %r = opc.transpose %x {permutation = [0]}
  return
}

// -----

// CHECK: :118:22: error: opc.transpose: attribute permutation is missing
func.func @transpose_missing(%x: tensor<4x8xf32>) {
  %r = opc.transpose %x
  return
}
