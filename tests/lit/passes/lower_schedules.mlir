// A loop for each loop of a schedule.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule{target=avx512},lower-schedules' | filecheck %s

// CHECK-LABEL: func.func @panels(
// CHECK-SAME:    opc.workspace = #opc.index<0>
// Each block of columns lays out its own panel; rows are read where they lie.
// CHECK-NEXT:    loop.for [[J:%.+]] = <0> to <512> step 64 parallel {
// CHECK-NEXT:      [[R:%.+]] = loop.local : memref<4096xf32>
// CHECK:             loop.store {{.+}} to [[R]][d0*64 + d1]
// The tile: sums in registers, one fused multiply-add for each vector and row.  The last one begins
// early.
// CHECK:           loop.for [[M:%.+]] = <0> to <200> step 6 serial {
// CHECK-NEXT:        [[T:%.+]] = loop.local : memref<384xf32>
// CHECK-NEXT:        [[S:%.+]] = loop.local registers 16 : memref<384xf32>
// CHECK:             loop.for [[K:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:          loop.for [[I:%.+]] = <0> to <6> step 1 unroll {
// CHECK-NEXT:            loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:              [[A:%.+]] = loop.load %x[d1 + d2*64 + min(d0, 194)*64]([[M]], [[K]], [[I]]) : f32
// CHECK-NEXT:              [[B:%.+]] = loop.load [[R]][d0*64 + d1]([[K]], [[C]]) : f32
// CHECK-NEXT:              [[D:%.+]] = loop.load [[S]][d0*64 + d1]([[I]], [[C]]) : f32
// CHECK-NEXT:              [[E:%.+]] = scalar.apply fma([[A]], [[B]], [[D]]) : f32
// CHECK-NEXT:              loop.store [[E]] to [[S]][d0*64 + d1]([[I]], [[C]])
// What follows the sum, for the rows that there are.
// CHECK:             loop.for [[I:%.+]] = <d0> to <min(d0 + 6, 200)>([[M]]) step 1 serial {
// CHECK-NEXT:          loop.for [[C:%.+]] = <d0> to <min(d0 + 64, 512)>([[J]]) step 1 vector {
// CHECK-NEXT:            [[A:%.+]] = loop.load [[T]]
// CHECK-NEXT:            [[B:%.+]] = loop.load %b[d0]([[C]]) : f32
// CHECK-NEXT:            [[D:%.+]] = scalar.apply add([[A]], [[B]]) : f32
// CHECK-NEXT:            loop.store [[D]] to %out0[d0*512 + d1]([[I]], [[C]])
func.func @panels(%x: tensor<200x64xf32>, %w: tensor<64x512xf32>, %b: tensor<512xf32>)
    -> tensor<200x512xf32> {
  %r = opc.matmul %x, %w
  %y = opc.add %r, %b
  return %y : tensor<200x512xf32>
}

// Of rows whose number a call knows there may be fewer than a tile has: blocks lay them out.  Whole
// panels are blocks of the matrix turned around; the last one is filled up with the last row.
// CHECK-LABEL: func.func @rows(
// CHECK:         loop.for [[B:%.+]] = <0> to <s0> step 1024 parallel {
// CHECK-NEXT:      [[L:%.+]] = loop.local : memref<65536xf32>
// CHECK-NEXT:      loop.for [[P:%.+]] = <d0> to <min(floordiv(s0, 2)*2, min(d0 + 1024, s0))>([[B]]) step 2 serial {
// CHECK-NEXT:        loop.transpose %x to [[L]][d1*64, 64, -d0*64 + d1*64, 2, 2, 64]([[B]], [[P]])
// CHECK:           loop.for {{.+}} = <max(d0, floordiv(s0, 2)*2)> to <min(d0 + 1024, s0)>([[B]]) step 2 serial {
// CHECK:             loop.transpose %x to {{.+}}, -d1 + s0, 64]
// CHECK:               = loop.load %x[d0 + s0*64 - 64]
func.func @rows(%x: tensor<?x64xf32>, %w: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %r = opc.matmul %x, %w
  return %r : tensor<?x64xf32>
}

// Rows of padding are written, then each row with padding around the source, turned so that
// channels are innermost.  A chain of several blocks goes along the last axis as far as the block does.
// CHECK-LABEL: func.func @window(
// CHECK-NEXT:    [[X:%.+]] = loop.slice %workspace[0] : memref<
// CHECK:         loop.for {{.+}} = <0> to <4500> step 1 vector {
// CHECK:         loop.for {{.+}} = <36000> to <40500> step 1 vector {
// CHECK:         loop.for [[H:%.+]] = <0> to <7> step 1 parallel {
// CHECK-NEXT:      loop.for [[J:%.+]] = <0> to <500> step 1 vector {
// CHECK-NEXT:        [[Z:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:        loop.store [[Z]] to [[X]][d0*4500 + d1 + 4500]([[H]], [[J]])
// CHECK:           loop.for {{.+}} = <4000> to <4500> step 1 vector {
// CHECK:           loop.transpose %x to [[X]][d0*7, 49, d0*4500 + 5000, 500, 500, 7]([[H]])
// CHECK:         loop.for [[B:%.+]] = <0> to <4500> step 512 serial {
// CHECK:           loop.for [[R:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:        loop.for [[S:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:          loop.for {{.+}} = <max(d0, d1*1500 + d2*500)> to <min(min(d0 + 512, 4500), d1*1500 + d2*500 + 500)>([[B]], [[R]], [[S]]) step 1 serial {
func.func @window(%x: tensor<1x500x7x7xf32>, %w: tensor<32x500x3x3xf32>) -> tensor<1x32x7x7xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  return %r : tensor<1x32x7x7xf32>
}

// Channels lay out what they see, each row with what is missing at its ends.  Columns that are 2 apart
// are taken apart, even ones and odd ones, and what a tile sees of them has a name.
// CHECK-LABEL: func.func @each_channel(
// CHECK-NEXT:    loop.for [[C:%.+]] = <0> to <64> step 4 parallel {
// CHECK-NEXT:      [[X:%.+]] = loop.local : memref<
// CHECK:           loop.for [[I:%.+]] = <d0> to <min(64, d0 + 4)>([[C]]) step 1 serial {
// CHECK:             loop.for [[H:%.+]] = <0> to <{{.+}}> step 1 serial {
// CHECK:               loop.for [[W:%.+]] = <1> to <10> step 1 vector {
// CHECK-NEXT:            [[A:%.+]] = loop.load %x[d0*400 + d1*20 + d2*2 - 1]([[I]], [[H]], [[W]])
// CHECK-NEXT:            loop.store [[A]] to [[X]]
// CHECK-NEXT:            [[B:%.+]] = loop.load %x[d0*400 + d1*20 + d2*2]([[I]], [[H]], [[W]])
// CHECK-NEXT:            loop.store [[B]] to [[X]]
// CHECK:               loop.view [[X]]
func.func @each_channel(%x: tensor<1x64x20x20xf32>, %w: tensor<64x1x3x3xf32>)
    -> tensor<1x64x10x10xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1], strides = [2, 2], groups = 64}
  return %r : tensor<1x64x10x10xf32>
}
