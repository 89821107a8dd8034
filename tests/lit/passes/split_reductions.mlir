// Reductions over outer axes and short inner ones become two.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,split-reductions | filecheck %s

// CHECK-LABEL: func.func @sum(
// CHECK-NEXT: [[A:%.+]] = opc.reduce_sum %x {axes = [0]} : tensor<50x40x12xf32> -> tensor<40x12xf32>
// CHECK-NEXT: [[B:%.+]] = opc.reduce_sum [[A]] {axes = [1]} : tensor<40x12xf32> -> tensor<40xf32>
// CHECK-NEXT: func.return [[B]]
func.func @sum(%x: tensor<50x40x12xf32>) -> tensor<40xf32> {
  %r = opc.reduce_sum %x {axes = [0, 2]}
  return %r : tensor<40xf32>
}

// Axes of extent 1 do not count; several inner ones go together, and so do several outer ones.
// CHECK-LABEL: func.func @several(
// CHECK-NEXT: [[A:%.+]] = opc.reduce_max %x {axes = [0, 2]} : tensor<5x40x6x8x1x7x7xf32> -> tensor<40x8x1x7x7xf32>
// CHECK-NEXT: [[B:%.+]] = opc.reduce_max [[A]] {axes = [3, 4]} : tensor<40x8x1x7x7xf32> -> tensor<40x8x1xf32>
func.func @several(%x: tensor<5x40x6x8x1x7x7xf32>) -> tensor<40x8x1xf32> {
  %r = opc.reduce_max %x {axes = [0, 2, 5, 6]}
  return %r : tensor<40x8x1xf32>
}

// A mean that is subtracted comes back: short rows are split all the same, rows of 16 stay.
// CHECK-LABEL: func.func @mean(
// CHECK: opc.reduce_sum %x {axes = [0]}
// CHECK: opc.reduce_sum {{%.+}} {axes = [1]}
// CHECK: opc.reduce_sum %y {axes = [0, 2]}
func.func @mean(%x: tensor<50x40x12xf32>, %y: tensor<50x40x16xf32>) -> (tensor<50x40x12xf32>, tensor<50x40x16xf32>) {
  %m = opc.reduce_mean %x {axes = [0, 2], keepdims = true}
  %n = opc.reduce_mean %y {axes = [0, 2], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.sub %y, %n
  return %d, %e : tensor<50x40x12xf32>, tensor<50x40x16xf32>
}

// Long rows, rows of unknown length, few columns, and what has no outer axis stay.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-3: axes = [0, 2]
// CHECK: axes = [1, 2]
// CHECK-NEXT: func.return
func.func @left(%x: tensor<5x40x72xf32>, %y: tensor<5x40x?xf32>, %z: tensor<50x7x4xf32>) -> (tensor<40xf32>, tensor<40xf32>, tensor<7xf32>, tensor<50xf32>) {
  %r = opc.reduce_sum %x {axes = [0, 2]}
  %s = opc.reduce_sum %y {axes = [0, 2]}
  %t = opc.reduce_sum %z {axes = [0, 2]}
  %u = opc.reduce_sum %z {axes = [1, 2]}
  return %r, %s, %t, %u : tensor<40xf32>, tensor<40xf32>, tensor<7xf32>, tensor<50xf32>
}

// What a broadcast keeps apart from the axes right before becomes two as well: nothing stays between.
// CHECK-LABEL: func.func @apart(
// CHECK: [[P:%.+]] = opc.apply
// CHECK-NEXT: [[A:%.+]] = opc.reduce_sum [[P]] {axes = [0, 1]} : tensor<40x5x12xf32> -> tensor<12xf32>
// CHECK-NEXT: [[B:%.+]] = opc.reduce_sum [[A]] {axes = [0]} : tensor<12xf32> -> tensor<f32>
func.func @apart(%x: tensor<40x5x12xf32>, %y: tensor<12xf32>) -> tensor<f32> {
  %p = opc.mul %x, %y
  %r = opc.reduce_sum %p {axes = [0, 1, 2]}
  return %r : tensor<f32>
}

// Rows of 100 and 33 leave values over after full vectors: they are split, even where the result
// comes back if no cache holds the values.
// CHECK-LABEL: func.func @left_over(
// CHECK-COUNT-2: axes = [0]
// CHECK-NOT: axes = [0, 2]
// CHECK: func.return
func.func @left_over(%x: tensor<50x40x100xf32>, %y: tensor<3000x40x33xf32>) -> (tensor<40xf32>, tensor<3000x40x33xf32>) {
  %m = opc.reduce_max %x {axes = [0, 2]}
  %n = opc.reduce_mean %y {axes = [0, 2], keepdims = true}
  %e = opc.sub %y, %n
  return %m, %e : tensor<40xf32>, tensor<3000x40x33xf32>
}

// Not what is broadcast alike, long rows, few rows, and kinds that gain nothing.
// CHECK-LABEL: func.func @together(
// CHECK-COUNT-5: axes = [0, 1]
// CHECK-NOT: axes
func.func @together(%x: tensor<99x12xf32>, %y: tensor<12x99xf32>, %z: tensor<f32>, %w: tensor<12xf32>, %v: tensor<99xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>) {
  %a = opc.mul %x, %z
  %b = opc.mul %y, %v
  %c = opc.mul %x, %w
  %n = opc.less %c, %x
  %r = opc.reduce_sum %a {axes = [0, 1]}
  %s = opc.reduce_sum %b {axes = [0, 1]}
  %t = opc.reduce_max %b {axes = [0, 1]}
  %u = opc.reduce_sum %x {axes = [0, 1]}
  %q = opc.reduce_any %n {axes = [0, 1]}
  return %r, %s, %t, %u, %q : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>
}

// Of an unknown number, floats are: but not integers, nor where the result comes back.
// CHECK-LABEL: func.func @unknown(
// CHECK: opc.reduce_sum {{%.+}} {axes = [0]
// CHECK: opc.reduce_sum {{%.+}} {axes = [0]
// CHECK: opc.reduce_sum {{%.+}} {axes = [0, 1]
// CHECK: opc.reduce_max {{%.+}} {axes = [0, 1]
func.func @unknown(%x: tensor<99x?xf32, #opc.dims<99, N>>, %y: tensor<99x1xf32>, %i: tensor<99x?xi32, #opc.dims<99, N>>, %j: tensor<99x1xi32>) -> (tensor<f32>, tensor<i32>, tensor<99x?xf32, #opc.dims<99, N>>) {
  %a = opc.mul %x, %y
  %b = opc.mul %i, %j
  %c = opc.sub %x, %y
  %r = opc.reduce_sum %a {axes = [0, 1]}
  %s = opc.reduce_sum %b {axes = [0, 1]}
  %t = opc.reduce_max %c {axes = [0, 1]}
  %u = opc.sub %c, %t
  return %r, %s, %u : tensor<f32>, tensor<i32>, tensor<99x?xf32, #opc.dims<99, N>>
}

// Long rows are reduced first, but not where the result comes back.
// CHECK-LABEL: func.func @long_rows(
// CHECK: [[ROWS:%.+]] = opc.reduce_sum %x {axes = [2]
// CHECK: opc.reduce_sum [[ROWS]] {axes = [0]
// CHECK: opc.reduce_max %x {axes = [0, 2]
func.func @long_rows(%x: tensor<8x40x512xf32>) -> (tensor<40xf32>, tensor<8x40x512xf32>) {
  %m = opc.reduce_sum %x {axes = [0, 2]}
  %t = opc.reduce_max %x {axes = [0, 2], keepdims = true}
  %u = opc.sub %x, %t
  return %m, %u : tensor<40xf32>, tensor<8x40x512xf32>
}
