// What loops and choices refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: opc.scan: found tensor<4xf64>, expected tensor<4xf32>
func.func @control_c1(%h: tensor<4xf64>, %x: tensor<3x4xf32>) {
  %r0, %r1 = opc.scan @step <3> carry (%h) over (%x) : (tensor<4xf64>, tensor<3x4xf32>) -> (tensor<4xf64>, tensor<3x4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %h, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: there is no function @other
func.func @control_c2(%h: tensor<4xf32>, %x: tensor<3x4xf32>) {
  %r0, %r1 = opc.scan @other <3> carry (%h) over (%x) : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %h, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: 1 results, the body gives 2
func.func @control_c3(%h: tensor<4xf32>, %x: tensor<3x4xf32>) {
  %r0 = opc.scan @step <3> carry (%h) over (%x) : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %h, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: body @step needs itself
func.func @control_c4(%h: tensor<4xf32>) {
  %r0 = opc.scan @step <3> carry (%h) : (tensor<4xf32>) -> (tensor<4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.scan @step <3> carry (%h) : (tensor<4xf32>) -> (tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: body @step takes 2, found 1
func.func @control_c5(%h: tensor<4xf32>, %x: tensor<3x4xf32>) {
  %r0, %r1 = opc.scan @step <3> carry (%h) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %h, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: cannot go over tensor<f32>
func.func @scan_c1(%h: tensor<4xf32>, %x: tensor<f32>) {
  %r0 = opc.scan @step <3> carry (%h) over (%x) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<f32>) -> tensor<4xf32> {
  return %h : tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: 2 carried values, the body gives 1
func.func @scan_c2(%h: tensor<4xf32>) {
  %r0, %r1 = opc.scan @step <3> carry (%h, %h) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  return %h : tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: trip and while exclude over and reversed
func.func @scan_c3(%h: tensor<4xf32>, %x: tensor<3x4xf32>, %n: tensor<i64>) {
  %r0, %r1 = opc.scan @step <3> carry (%h) over (%x) trip (%n) : (tensor<4xf32>, tensor<3x4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<3x4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %h, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: trip excludes stacked results
func.func @scan_c3_stacked(%h: tensor<4xf32>, %n: tensor<i64>) {
  %r0, %r1 = opc.scan @step <3> carry (%h) trip (%n) : (tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<3x4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %h, %h : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: expected i64 of rank 0 for trip or while
func.func @scan_c4(%h: tensor<4xf32>, %n: tensor<i32>) {
  %r0 = opc.scan @step <0> carry (%h) trip (%n) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>) -> tensor<4xf32> {
  return %h : tensor<4xf32>
}

// -----

// CHECK: error: opc.scan: reversed: there is no tensor 1
func.func @scan_c5(%h: tensor<4xf32>, %x: tensor<3x4xf32>) {
  %r0, %r1 = opc.scan @step <3> carry (%h) over (%x) reversed [1] [] : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %h, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: error: opc.if: the condition is tensor<1xi1>
func.func @if_c1(%c: tensor<1xi1>) {
  %r0 = opc.if %c then @a () else @a () : (tensor<1xi1>) -> (tensor<f32>)
  return
}
func.func private @a() -> tensor<f32> {
  %x = opc.constant dense<1.0> : tensor<f32>
  return %x : tensor<f32>
}

// -----

// CHECK: error: opc.if: the bodies give 1 and 2 results
func.func @if_c2(%c: tensor<i1>) {
  %r0 = opc.if %c then @a () else @b () : (tensor<i1>) -> (tensor<f32>)
  return
}
func.func private @a() -> tensor<f32> {
  %x = opc.constant dense<1.0> : tensor<f32>
  return %x : tensor<f32>
}
func.func private @b() -> (tensor<f32>, tensor<f32>) {
  %x = opc.constant dense<1.0> : tensor<f32>
  return %x, %x : tensor<f32>, tensor<f32>
}

// -----

// CHECK: error: opc.scan: -1 iterations
func.func @scan_c6(%h: tensor<4xf32>) {
  %r0 = opc.scan @step <-1> carry (%h) : (tensor<4xf32>) -> (tensor<4xf32>)
  return
}
func.func private @step(%h: tensor<4xf32>) -> (tensor<4xf32>) {
  return %h : tensor<4xf32>
}
