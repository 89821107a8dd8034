// Bodies that one operation calls have its constants themselves.
// RUN: opc-opt %s -p sink-constants | filecheck %s

// CHECK-LABEL: func.func @loop(
// CHECK-NOT:     opc.constant
// CHECK:         opc.scan @step <T> carry (%h) over (%x) :
// CHECK:       func.func private @step(%h: tensor<1x2xf32>, %x: tensor<1x2xf32>) -> tensor<1x2xf32> {
// CHECK-NEXT:    %{{.+}} = opc.constant dense<{{.+}}> : tensor<2x2xf32>
// CHECK-NEXT:    %{{.+}} = opc.matmul
func.func @loop(%h: tensor<1x2xf32>, %x: tensor<?x1x2xf32, #opc.dims<T, 1, 2>>) -> tensor<1x2xf32> {
  %w = opc.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = opc.scan @step <T> carry (%h) over (%x) with (%w) : (tensor<1x2xf32>, tensor<?x1x2xf32, #opc.dims<T, 1, 2>>, tensor<2x2xf32>) -> (tensor<1x2xf32>)
  return %r : tensor<1x2xf32>
}
func.func private @step(%h: tensor<1x2xf32>, %x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %p = opc.matmul %h, %w : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<1x2xf32>
  %s = opc.add %p, %x : tensor<1x2xf32>, tensor<1x2xf32> -> tensor<1x2xf32>
  return %s : tensor<1x2xf32>
}

// Of two bodies, each has its own; what is no constant stays.
// CHECK-LABEL: func.func @choice(
// CHECK:         opc.if %c then @one (%x) else @other () :
// CHECK:       func.func private @one(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %{{.+}} = opc.constant dense<1.000000e+00>
// CHECK:       func.func private @other() -> tensor<2xf32> {
// CHECK-NEXT:    %{{.+}} = opc.constant dense<1.000000e+00>
func.func @choice(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %k = opc.constant dense<1.0> : tensor<2xf32>
  %r = opc.if %c then @one (%x, %k) else @other (%k) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
  return %r : tensor<2xf32>
}
func.func private @one(%x: tensor<2xf32>, %k: tensor<2xf32>) -> tensor<2xf32> {
  %s = opc.add %x, %k : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %s : tensor<2xf32>
}
func.func private @other(%k: tensor<2xf32>) -> tensor<2xf32> {
  %s = opc.neg %k : tensor<2xf32> -> tensor<2xf32>
  return %s : tensor<2xf32>
}

// Parts of constants are constants of the body; what is computed of one is not.
// CHECK-LABEL: func.func @parts(
// CHECK:         opc.scan @part <T> carry (%h) over (%x) with (%c) :
// CHECK:       func.func private @part(%h: tensor<1x2xf32>, %x: tensor<1x2xf32>, %c: tensor<2x2xf32>) -> tensor<1x2xf32> {
// CHECK-NEXT:    %{{.+}} = opc.constant dense<{{.+}}> : tensor<2x2xf32>
func.func @parts(%h: tensor<1x2xf32>, %x: tensor<?x1x2xf32, #opc.dims<T, 1, 2>>) -> tensor<1x2xf32> {
  %both = opc.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %part = opc.slice %both {starts = [1, 0, 0], stops = [2, 2, 2], steps = [1, 1, 1]} : tensor<2x2x2xf32> -> tensor<1x2x2xf32>
  %w = opc.reshape %part : tensor<1x2x2xf32> -> tensor<2x2xf32>
  %c = opc.neg %w : tensor<2x2xf32> -> tensor<2x2xf32>
  %r = opc.scan @part <T> carry (%h) over (%x) with (%w, %c) : (tensor<1x2xf32>, tensor<?x1x2xf32, #opc.dims<T, 1, 2>>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<1x2xf32>)
  return %r : tensor<1x2xf32>
}
func.func private @part(%h: tensor<1x2xf32>, %x: tensor<1x2xf32>, %w: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %p = opc.matmul %h, %w : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<1x2xf32>
  %q = opc.matmul %p, %c : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<1x2xf32>
  %s = opc.add %q, %x : tensor<1x2xf32>, tensor<1x2xf32> -> tensor<1x2xf32>
  return %s : tensor<1x2xf32>
}

// Two operations may give a body different values.
// CHECK-LABEL: func.func @twice(
// CHECK:         opc.if %c then @same (%k) else @same (%l) :
func.func @twice(%c: tensor<i1>) -> tensor<2xf32> {
  %k = opc.constant dense<1.0> : tensor<2xf32>
  %l = opc.constant dense<2.0> : tensor<2xf32>
  %r = opc.if %c then @same (%k) else @same (%l) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
  return %r : tensor<2xf32>
}
func.func private @same(%k: tensor<2xf32>) -> tensor<2xf32> {
  %s = opc.exp %k : tensor<2xf32> -> tensor<2xf32>
  return %s : tensor<2xf32>
}
