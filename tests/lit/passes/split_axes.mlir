// The last axis of a nest is split where memory is in pieces along it.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,split-axes | filecheck %s

// Heads of 64 values, one after the other.
// CHECK-LABEL: func.func @merge(
// CHECK:         kernel.nest [4, 128, 8, 64] into
// CHECK-NEXT:      [[A:%.+]] = kernel.load %x[d0, d2, d1, d3] : f32
// CHECK-NEXT:      [[B:%.+]] = kernel.load %b[d2*64 + d3] : f32
// CHECK-NEXT:      [[C:%.+]] = scalar.apply add([[A]], [[B]]) : f32
// CHECK-NEXT:      kernel.store [[C]] to 0[d0, d1, d2*64 + d3]
func.func @merge(%x: tensor<4x8x128x64xf32>, %b: tensor<512xf32>) -> tensor<4x128x512xf32> {
  %t = opc.transpose %x {permutation = [0, 2, 1, 3]}
  %m = opc.reshape %t : tensor<4x128x8x64xf32> -> tensor<4x128x512xf32>
  %r = opc.add %m, %b
  return %r : tensor<4x128x512xf32>
}

// An axis of extent 1 behind it does not count, and what is left in the one before it may stay.
// CHECK-LABEL: func.func @before_one(
// CHECK:         kernel.nest [12, 32, 1] into
// CHECK-NEXT:      kernel.load %x[d1, mod(d0, 3), floordiv(d0, 3)] : f32
// CHECK:           kernel.store {{%.+}} to 0[d0*32 + d1, d2]
func.func @before_one(%x: tensor<32x3x4xf32>) -> tensor<384x1xf32> {
  %t = opc.transpose %x {permutation = [2, 1, 0]}
  %m = opc.reshape %t : tensor<4x3x32xf32> -> tensor<384x1xf32>
  %r = opc.neg %m
  return %r : tensor<384x1xf32>
}

// Pieces of 8 values fill no vector; sums go along the axis as it is.
// CHECK-LABEL: func.func @whole(
// CHECK:         kernel.nest [128, 64] into
// CHECK:         kernel.nest [128] into
// CHECK-NEXT:      kernel.sweep [512] lanes 64 (sum) {
func.func @whole(%x: tensor<8x128x8xf32>, %y: tensor<8x128x64xf32>) -> (tensor<128x64xf32>, tensor<128xf32>) {
  %t = opc.transpose %x {permutation = [1, 0, 2]}
  %m = opc.reshape %t : tensor<128x8x8xf32> -> tensor<128x64xf32>
  %r = opc.neg %m
  %u = opc.transpose %y {permutation = [1, 0, 2]}
  %n = opc.reshape %u : tensor<128x8x64xf32> -> tensor<128x512xf32>
  %s = opc.reduce_sum %n {axes = [1]}
  return %r, %s : tensor<128x64xf32>, tensor<128xf32>
}

// Places of a pixel shuffle, of which some are cut off: a vector takes two neighbours apart.
// CHECK-LABEL: func.func @shuffle(
// CHECK:         kernel.nest [64, 32, 2] into
// CHECK-NEXT:      kernel.load %x[mod(d2 + 1, 2), d0, d1 + floordiv(d2 + 1, 2)] : f32
// CHECK-NEXT:      kernel.store {{%.+}} to 0[d0, d1*2 + d2]
// CHECK:         kernel.nest [64, 65] into
func.func @shuffle(%x: tensor<2x64x33xf32>) -> (tensor<64x64xf32>, tensor<64x65xf32>) {
  %t = opc.transpose %x {permutation = [1, 2, 0]}
  %m = opc.reshape %t : tensor<64x33x2xf32> -> tensor<64x66xf32>
  %r = opc.slice %m {starts = [0, 1], stops = [64, 65], steps = [1, 1]}
  %s = opc.slice %m {starts = [0, 1], stops = [64, 66], steps = [1, 1]}
  return %r, %s : tensor<64x64xf32>, tensor<64x65xf32>
}

// The same of unknown extents, in two directions: axes that a reshape joins two by two go by
// themselves, so that nothing is divided by an extent that only a run knows.
// CHECK-LABEL: func.func @shuffle_of_unknown_extents(
// CHECK:         kernel.nest [H*2, W, 2] into
// CHECK-NEXT:      {{%.+}} = kernel.load %x[mod(d0, 2), d2, floordiv(d0, 2), d1] : f32
// CHECK-NEXT:      [[N:%.+]] = scalar.apply neg({{%.+}}) : f32
// CHECK-NEXT:      kernel.store [[N]] to 0[d0, d1*2 + d2]
func.func @shuffle_of_unknown_extents(%x: tensor<2x2x?x?xf32, #opc.dims<2, 2, H, W>>)
    -> tensor<?x?xf32, #opc.dims<H*2, W*2>> {
  %t = opc.transpose %x {permutation = [2, 0, 3, 1]} : tensor<2x2x?x?xf32, #opc.dims<2, 2, H, W>> -> tensor<?x2x?x2xf32, #opc.dims<H, 2, W, 2>>
  %m = opc.reshape %t : tensor<?x2x?x2xf32, #opc.dims<H, 2, W, 2>> -> tensor<?x?xf32, #opc.dims<H*2, W*2>>
  %r = opc.neg %m
  return %r : tensor<?x?xf32, #opc.dims<H*2, W*2>>
}
