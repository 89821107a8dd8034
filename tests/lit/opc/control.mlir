// Loops and choices, whose bodies are private functions.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @loop
// CHECK: %h, %y = opc.scan @step <3> carry (%h0) over (%x) with (%w) reversed [0] [0] index : (tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>)
func.func @loop(%h0: tensor<4xf32>, %x: tensor<3x4xf32>, %w: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<3x4xf32>) {
  %h, %y = opc.scan @step <3> carry (%h0) over (%x) with (%w) reversed [0] [0] index
      : (tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>)
  return %h, %y : tensor<4xf32>, tensor<3x4xf32>
}
func.func private @step(%k: tensor<i64>, %h: tensor<4xf32>, %x: tensor<4xf32>, %w: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %a = opc.mul %h, %w
  %b = opc.add %a, %x
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @until
// CHECK: opc.scan @halve <0> carry (%c, %x) trip (%n) while : (tensor<i1>, tensor<4xf32>, tensor<i64>) -> (tensor<i1>, tensor<4xf32>)
func.func @until(%c: tensor<i1>, %x: tensor<4xf32>, %n: tensor<i64>)
    -> (tensor<i1>, tensor<4xf32>) {
  %d, %y = opc.scan @halve <0> carry (%c, %x) trip (%n) while
      : (tensor<i1>, tensor<4xf32>, tensor<i64>) -> (tensor<i1>, tensor<4xf32>)
  return %d, %y : tensor<i1>, tensor<4xf32>
}
func.func private @halve(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) {
  %half = opc.constant dense<0.5> : tensor<f32>
  %y = opc.mul %x, %half
  return %c, %y : tensor<i1>, tensor<4xf32>
}

// CHECK-LABEL: func.func @choice
// CHECK: %r = opc.if %c then @same (%x) else @negated (%x) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
func.func @choice(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.if %c then @same (%x) else @negated (%x)
      : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  return %r : tensor<4xf32>
}
func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @negated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = opc.neg %x
  return %y : tensor<4xf32>
}
