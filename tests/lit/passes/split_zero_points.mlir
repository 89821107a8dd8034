// Zero points are taken off after products of 8-bit integers, on machines that multiply bytes; on others, those of
// constants are, as they are: unsigned ones stay.
// RUN: opc-opt --split-input-file %s -p 'split-zero-points{target=avx512-vnni}' | filecheck %s
// RUN: opc-opt --split-input-file %s -p 'split-zero-points{target=avx2}' | filecheck %s --check-prefix=WIDE
// RUN: opc-opt --split-input-file %s -p 'split-zero-points{target=baseline}' | filecheck %s --check-prefix=ROW

// The zero point is an argument.
// CHECK-LABEL: func.func @left(
// CHECK-DAG:    [[A:%.+]] = opc.cast %a : tensor<2x8xui8> -> tensor<2x8xi32>
// CHECK-DAG:    [[Z:%.+]] = opc.cast %z : tensor<ui8> -> tensor<i32>
// CHECK-DAG:    [[B:%.+]] = opc.cast %b : tensor<8x3xi8> -> tensor<8x3xi32>
// CHECK:        [[P:%.+]] = opc.matmul [[A]], [[B]]
// CHECK-NEXT:   [[S:%.+]] = opc.reduce_sum [[B]] {axes = [0]}
// CHECK-NEXT:   [[R:%.+]] = opc.reshape [[S]] : tensor<3xi32> -> tensor<1x3xi32>
// CHECK-NEXT:   [[M:%.+]] = opc.mul [[Z]], [[R]]
// CHECK-NEXT:   [[Y:%.+]] = opc.sub [[P]], [[M]]
// CHECK-NEXT:   func.return [[Y]]
// WIDE-LABEL: func.func @left(
// WIDE:         [[D:%.+]] = opc.sub
// WIDE:         opc.matmul [[D]],
// WIDE-NEXT:    func.return
func.func @left(%a: tensor<2x8xui8>, %z: tensor<ui8>) -> tensor<2x3xi32> {
  %b = opc.constant dense<5> : tensor<8x3xi8>
  %0 = opc.cast %a : tensor<2x8xui8> -> tensor<2x8xi32>
  %1 = opc.cast %z : tensor<ui8> -> tensor<i32>
  %2 = opc.sub %0, %1 : tensor<2x8xi32>, tensor<i32> -> tensor<2x8xi32>
  %3 = opc.cast %b : tensor<8x3xi8> -> tensor<8x3xi32>
  %4 = opc.matmul %2, %3 : tensor<2x8xi32>, tensor<8x3xi32> -> tensor<2x3xi32>
  return %4 : tensor<2x3xi32>
}

// -----

// Both are unsigned: the constant becomes signed, and its zero point 120 - 128.
// CHECK-LABEL: func.func @unsigned(
// CHECK-DAG:    [[A:%.+]] = opc.cast %a
// CHECK-DAG:    [[B:%.+]] = opc.constant dense<{{.+}}> : tensor<8x16xi8>
// CHECK-DAG:    [[W:%.+]] = opc.cast [[B]]
// CHECK-DAG:    opc.constant dense<-8> : tensor<i8>
// CHECK:        [[P:%.+]] = opc.matmul [[A]], [[W]]
// CHECK:        opc.reduce_sum [[A]] {axes = [1]}
// WIDE-LABEL: func.func @unsigned(
// WIDE-DAG:     [[A:%.+]] = opc.cast %a
// WIDE-DAG:     [[B:%.+]] = opc.cast %every
// WIDE:         [[P:%.+]] = opc.matmul [[A]], [[B]]
// WIDE-NEXT:    opc.reduce_sum [[A]] {axes = [1]}
func.func @unsigned(%a: tensor<2x8xui8>) -> tensor<2x16xi32> {
  %b = opc.constant dense<[[0, 255, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]]> : tensor<1x16xui8>
  %every = opc.broadcast %b : tensor<1x16xui8> -> tensor<8x16xui8>
  %z = opc.constant dense<120> : tensor<ui8>
  %0 = opc.cast %a : tensor<2x8xui8> -> tensor<2x8xi32>
  %1 = opc.cast %z : tensor<ui8> -> tensor<i32>
  %2 = opc.cast %every : tensor<8x16xui8> -> tensor<8x16xi32>
  %3 = opc.sub %2, %1 : tensor<8x16xi32>, tensor<i32> -> tensor<8x16xi32>
  %4 = opc.matmul %0, %3 : tensor<2x8xi32>, tensor<8x16xi32> -> tensor<2x16xi32>
  return %4 : tensor<2x16xi32>
}

// -----

// The zero point surrounds the image.
// CHECK-LABEL: func.func @padded(
// CHECK-DAG:    [[Z:%.+]] = opc.broadcast {{.+}} : tensor<ui8> -> tensor<1x4x1x8xui8>
// CHECK:        opc.concat [[Z]], {{.+}} {axis = 2}
// CHECK:        [[X:%.+]] = opc.concat {{.+}} {axis = 3}
// CHECK:        [[I:%.+]] = opc.cast [[X]] : tensor<1x4x10x10xui8> -> tensor<1x4x10x10xi32>
// CHECK:        opc.conv [[I]], {{.+}} -> tensor<1x2x8x8xi32>
// CHECK:        opc.reduce_sum {{.+}} {axes = [1, 2, 3]}
// WIDE-LABEL: func.func @padded(
// WIDE-NOT:     opc.concat
// WIDE:         opc.conv {{.+}} {pads = [1, 1, 1, 1]}
func.func @padded(%x: tensor<1x4x8x8xui8>, %z: tensor<ui8>) -> tensor<1x2x8x8xi32> {
  %w = opc.constant dense<7> : tensor<2x4x3x3xi8>
  %0 = opc.cast %x : tensor<1x4x8x8xui8> -> tensor<1x4x8x8xi32>
  %1 = opc.cast %z : tensor<ui8> -> tensor<i32>
  %2 = opc.sub %0, %1 : tensor<1x4x8x8xi32>, tensor<i32> -> tensor<1x4x8x8xi32>
  %3 = opc.cast %w : tensor<2x4x3x3xi8> -> tensor<2x4x3x3xi32>
  %4 = opc.conv %2, %3 {pads = [1, 1, 1, 1]} : tensor<1x4x8x8xi32>, tensor<2x4x3x3xi32> -> tensor<1x2x8x8xi32>
  return %4 : tensor<1x2x8x8xi32>
}

// -----

// A part of the constant has a zero point of its own.
// CHECK-LABEL: func.func @part(
// CHECK-NOT:    opc.sub %{{.+}}, %{{.+}} : tensor<1x2xi32>
// CHECK:        [[C:%.+]] = opc.constant dense<{{.+}}> : tensor<4x2xi8>
// CHECK-NEXT:   [[W:%.+]] = opc.cast [[C]]
// CHECK:        opc.matmul {{.+}}, [[W]]
func.func @part(%a: tensor<1x4xui8>, %z: tensor<ui8>) -> tensor<1x2xi32> {
  %b = opc.constant dense<[[[100, 104], [101, 105], [102, 106], [103, 107]], [[8, 9], [9, 8], [9, 9], [8, 8]]]> : tensor<2x4x2xui8>
  %y = opc.constant dense<[90, 91]> : tensor<2xui8>
  %0 = opc.cast %a : tensor<1x4xui8> -> tensor<1x4xi32>
  %1 = opc.cast %z : tensor<ui8> -> tensor<i32>
  %2 = opc.sub %0, %1 : tensor<1x4xi32>, tensor<i32> -> tensor<1x4xi32>
  %part = opc.slice %b {starts = [0, 0, 0], stops = [1, 4, 2], steps = [1, 1, 1]} : tensor<2x4x2xui8> -> tensor<1x4x2xui8>
  %one = opc.reshape %part : tensor<1x4x2xui8> -> tensor<4x2xui8>
  %3 = opc.cast %one : tensor<4x2xui8> -> tensor<4x2xi32>
  %4 = opc.cast %y : tensor<2xui8> -> tensor<2xi32>
  %5 = opc.sub %3, %4 : tensor<4x2xi32>, tensor<2xi32> -> tensor<4x2xi32>
  %6 = opc.matmul %2, %5 : tensor<1x4xi32>, tensor<4x2xi32> -> tensor<1x2xi32>
  return %6 : tensor<1x2xi32>
}

// -----

// 255 - 128 has 8 bits, as has what a difference of constants needs: nothing is split.
// CHECK-LABEL: func.func @fits(
// CHECK-DAG:    [[X:%.+]] = opc.sub
// CHECK-DAG:    [[C:%.+]] = opc.constant dense<10> : tensor<8x3xi8>
// CHECK-DAG:    [[W:%.+]] = opc.cast [[C]]
// CHECK:        opc.matmul [[X]], [[W]]
// CHECK-NEXT:   func.return
func.func @fits(%a: tensor<2x8xui8>) -> tensor<2x3xi32> {
  %b = opc.constant dense<100> : tensor<8x3xui8>
  %y = opc.constant dense<90> : tensor<ui8>
  %z = opc.constant dense<128> : tensor<ui8>
  %0 = opc.cast %a : tensor<2x8xui8> -> tensor<2x8xi32>
  %1 = opc.cast %z : tensor<ui8> -> tensor<i32>
  %2 = opc.sub %0, %1 : tensor<2x8xi32>, tensor<i32> -> tensor<2x8xi32>
  %3 = opc.cast %b : tensor<8x3xui8> -> tensor<8x3xi32>
  %4 = opc.cast %y : tensor<ui8> -> tensor<i32>
  %5 = opc.sub %3, %4 : tensor<8x3xi32>, tensor<i32> -> tensor<8x3xi32>
  %6 = opc.matmul %2, %5 : tensor<2x8xi32>, tensor<8x3xi32> -> tensor<2x3xi32>
  return %6 : tensor<2x3xi32>
}

// -----

// Each step of few rows widens the constant, which takes longer for signed bytes on some machines: 0 + 128.
// CHECK-LABEL: func.func @row(
// CHECK-NOT:    opc.sub
// WIDE-LABEL: func.func @row(
// WIDE-NOT:     opc.sub
// ROW-LABEL: func.func @row(
// ROW-DAG:      [[A:%.+]] = opc.cast %a
// ROW-DAG:      [[C:%.+]] = opc.constant dense<228> : tensor<8x16xui8>
// ROW-DAG:      [[W:%.+]] = opc.cast [[C]]
// ROW:          [[P:%.+]] = opc.matmul [[A]], [[W]]
// ROW-NEXT:     opc.reduce_sum [[A]] {axes = [1]}
func.func @row(%a: tensor<2x8xui8>) -> tensor<2x16xi32> {
  %b = opc.constant dense<100> : tensor<8x16xi8>
  %0 = opc.cast %a : tensor<2x8xui8> -> tensor<2x8xi32>
  %1 = opc.cast %b : tensor<8x16xi8> -> tensor<8x16xi32>
  %2 = opc.matmul %0, %1 : tensor<2x8xi32>, tensor<8x16xi32> -> tensor<2x16xi32>
  return %2 : tensor<2x16xi32>
}

// -----

// 16 filters share the sums of the windows of their group; fewer do not.
// CHECK-LABEL: func.func @filters(
// CHECK:        [[X:%.+]] = opc.cast %x
// CHECK:        opc.conv [[X]], {{.+}} groups = 2} {{.+}} -> tensor<1x32x8x8xi32>
// CHECK:        [[G:%.+]] = opc.reshape [[X]] : tensor<1x6x8x8xi32> -> tensor<1x2x3x8x8xi32>
// CHECK-NEXT:   [[S:%.+]] = opc.reduce_sum [[G]] {axes = [2]}
// CHECK:        opc.conv [[S]], {{.+}} groups = 2} {{.+}} -> tensor<1x2x8x8xi32>
// CHECK:        opc.broadcast {{.+}} -> tensor<1x2x16x8x8xi32>
// CHECK:        opc.mul
// CHECK-NEXT:   opc.sub
// CHECK-LABEL: func.func @few(
// CHECK-NOT:    opc.reduce_sum
// WIDE-LABEL: func.func @filters(
// WIDE:         opc.reduce_sum
func.func @filters(%x: tensor<1x6x8x8xi8>) -> tensor<1x32x8x8xi32> {
  %w = opc.constant dense<[[[[0]]], [[[255]]]]> : tensor<2x1x1x1xui8>
  %b = opc.reshape %w : tensor<2x1x1x1xui8> -> tensor<1x2x1x1xui8>
  %c = opc.broadcast %b : tensor<1x2x1x1xui8> -> tensor<48x2x3x3xui8>
  %d = opc.reshape %c : tensor<48x2x3x3xui8> -> tensor<32x3x3x3xui8>
  %z = opc.constant dense<3> : tensor<ui8>
  %0 = opc.cast %x : tensor<1x6x8x8xi8> -> tensor<1x6x8x8xi32>
  %1 = opc.cast %d : tensor<32x3x3x3xui8> -> tensor<32x3x3x3xi32>
  %2 = opc.cast %z : tensor<ui8> -> tensor<i32>
  %3 = opc.sub %1, %2 : tensor<32x3x3x3xi32>, tensor<i32> -> tensor<32x3x3x3xi32>
  %4 = opc.conv %0, %3 {groups = 2, pads = [1, 1, 1, 1]} : tensor<1x6x8x8xi32>, tensor<32x3x3x3xi32> -> tensor<1x32x8x8xi32>
  return %4 : tensor<1x32x8x8xi32>
}
func.func @few(%x: tensor<1x6x8x8xi8>) -> tensor<1x2x8x8xi32> {
  %w = opc.constant dense<[[[[0]]], [[[255]]]]> : tensor<2x1x1x1xui8>
  %b = opc.broadcast %w : tensor<2x1x1x1xui8> -> tensor<2x6x3x3xui8>
  %z = opc.constant dense<3> : tensor<ui8>
  %0 = opc.cast %x : tensor<1x6x8x8xi8> -> tensor<1x6x8x8xi32>
  %1 = opc.cast %b : tensor<2x6x3x3xui8> -> tensor<2x6x3x3xi32>
  %2 = opc.cast %z : tensor<ui8> -> tensor<i32>
  %3 = opc.sub %1, %2 : tensor<2x6x3x3xi32>, tensor<i32> -> tensor<2x6x3x3xi32>
  %4 = opc.conv %0, %3 {pads = [1, 1, 1, 1]} : tensor<1x6x8x8xi32>, tensor<2x6x3x3xi32> -> tensor<1x2x8x8xi32>
  return %4 : tensor<1x2x8x8xi32>
}
