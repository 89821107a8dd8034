// Binary and n-ary operators, broadcast against each other.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @add
// CHECK: opc.add %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @add(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.add %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @and
// CHECK: opc.and %a, %b : tensor<4x1xi1>, tensor<8xi1> -> tensor<4x8xi1>
func.func @and(%a: tensor<4x1xi1>, %b: tensor<8xi1>) -> tensor<4x8xi1> {
  %r = opc.and %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @bitwise_and
// CHECK: opc.bitwise_and %a, %b : tensor<4x1xi32>, tensor<8xi32> -> tensor<4x8xi32>
func.func @bitwise_and(%a: tensor<4x1xi32>, %b: tensor<8xi32>) -> tensor<4x8xi32> {
  %r = opc.bitwise_and %a, %b
  return %r : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bitwise_or
// CHECK: opc.bitwise_or %a, %b : tensor<4x1xi32>, tensor<8xi32> -> tensor<4x8xi32>
func.func @bitwise_or(%a: tensor<4x1xi32>, %b: tensor<8xi32>) -> tensor<4x8xi32> {
  %r = opc.bitwise_or %a, %b
  return %r : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bitwise_xor
// CHECK: opc.bitwise_xor %a, %b : tensor<4x1xi32>, tensor<8xi32> -> tensor<4x8xi32>
func.func @bitwise_xor(%a: tensor<4x1xi32>, %b: tensor<8xi32>) -> tensor<4x8xi32> {
  %r = opc.bitwise_xor %a, %b
  return %r : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @clip
// CHECK: opc.clip %a, %low, %high : tensor<4x8xf32>, tensor<f32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @clip(%a: tensor<4x8xf32>, %low: tensor<f32>, %high: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.clip %a, %low, %high
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @div
// CHECK: opc.div %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @div(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.div %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @equal
// CHECK: opc.equal %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xi1>
func.func @equal(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xi1> {
  %r = opc.equal %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @greater
// CHECK: opc.greater %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xi1>
func.func @greater(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xi1> {
  %r = opc.greater %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @greater_equal
// CHECK: opc.greater_equal %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xi1>
func.func @greater_equal(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xi1> {
  %r = opc.greater_equal %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @less
// CHECK: opc.less %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xi1>
func.func @less(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xi1> {
  %r = opc.less %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @less_equal
// CHECK: opc.less_equal %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xi1>
func.func @less_equal(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xi1> {
  %r = opc.less_equal %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @max
// CHECK: opc.max %a, %b, %c : tensor<4x1xf32>, tensor<8xf32>, tensor<f32> -> tensor<4x8xf32>
func.func @max(%a: tensor<4x1xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<4x8xf32> {
  %r = opc.max %a, %b, %c
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @mean
// CHECK: opc.mean %a, %b, %c : tensor<4x1xf32>, tensor<8xf32>, tensor<f32> -> tensor<4x8xf32>
func.func @mean(%a: tensor<4x1xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<4x8xf32> {
  %r = opc.mean %a, %b, %c
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @min
// CHECK: opc.min %a, %b, %c : tensor<4x1xf32>, tensor<8xf32>, tensor<f32> -> tensor<4x8xf32>
func.func @min(%a: tensor<4x1xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<4x8xf32> {
  %r = opc.min %a, %b, %c
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @mod
// CHECK: opc.mod %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @mod(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.mod %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @mod_fmod
// CHECK: opc.mod %a, %b {fmod = true} : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @mod_fmod(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.mod %a, %b {fmod = true}
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @mul
// CHECK: opc.mul %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @mul(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.mul %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @not_equal
// CHECK: opc.not_equal %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xi1>
func.func @not_equal(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xi1> {
  %r = opc.not_equal %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @or
// CHECK: opc.or %a, %b : tensor<4x1xi1>, tensor<8xi1> -> tensor<4x8xi1>
func.func @or(%a: tensor<4x1xi1>, %b: tensor<8xi1>) -> tensor<4x8xi1> {
  %r = opc.or %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @pow
// CHECK: opc.pow %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @pow(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.pow %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @prelu
// CHECK: opc.prelu %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @prelu(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.prelu %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @shift_left
// CHECK: opc.shift_left %a, %b : tensor<4x1xi32>, tensor<8xi32> -> tensor<4x8xi32>
func.func @shift_left(%a: tensor<4x1xi32>, %b: tensor<8xi32>) -> tensor<4x8xi32> {
  %r = opc.shift_left %a, %b
  return %r : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @shift_right
// CHECK: opc.shift_right %a, %b : tensor<4x1xi32>, tensor<8xi32> -> tensor<4x8xi32>
func.func @shift_right(%a: tensor<4x1xi32>, %b: tensor<8xi32>) -> tensor<4x8xi32> {
  %r = opc.shift_right %a, %b
  return %r : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @sub
// CHECK: opc.sub %a, %b : tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @sub(%a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.sub %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sum
// CHECK: opc.sum %a, %b, %c : tensor<4x1xf32>, tensor<8xf32>, tensor<f32> -> tensor<4x8xf32>
func.func @sum(%a: tensor<4x1xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<4x8xf32> {
  %r = opc.sum %a, %b, %c
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @where
// CHECK: opc.where %c, %a, %b : tensor<8xi1>, tensor<4x1xf32>, tensor<8xf32> -> tensor<4x8xf32>
func.func @where(%c: tensor<8xi1>, %a: tensor<4x1xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = opc.where %c, %a, %b
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @xor
// CHECK: opc.xor %a, %b : tensor<4x1xi1>, tensor<8xi1> -> tensor<4x8xi1>
func.func @xor(%a: tensor<4x1xi1>, %b: tensor<8xi1>) -> tensor<4x8xi1> {
  %r = opc.xor %a, %b
  return %r : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @one_operand
// CHECK: opc.max %a : tensor<4xf32> -> tensor<4xf32>
func.func @one_operand(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.max %a
  return %r : tensor<4xf32>
}
