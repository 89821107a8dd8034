// Contractions get their loops: tiles in registers, panels, blocks for caches and threads.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule{target=avx512}' | filecheck %s

// Each block of columns lays out its own panel, for all rows, which are read where they lie.
// CHECK-LABEL: func.func @square(
// CHECK-SAME:    opc.machine = "avx512: 32 vectors of 64 bytes, fma, caches of 32/512/8192 KiB"
// CHECK:           kernel.store [[A:%.+]] to 0[d0, d1]
// CHECK-NEXT:      schedule.tree {
// CHECK-NEXT:        schedule.for [d1] by 64 parallel {
// CHECK-NEXT:          schedule.pack right by 64
// CHECK-NEXT:          schedule.for [d0] by 6 serial {
// CHECK-NEXT:              schedule.run init
// CHECK-NEXT:              schedule.for [d2] by 1 serial {
// CHECK-NEXT:                schedule.for [d0] by 1 unroll {
// CHECK-NEXT:                  schedule.for [d1] by 16 vector {
// CHECK-NEXT:                    schedule.run step
// CHECK:                   schedule.run finish
// CHECK-NEXT:              schedule.for [d0] by 1 serial {
// CHECK-NEXT:                schedule.for [d1] by 1 vector {
// CHECK-NEXT:                  schedule.run out
func.func @square(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %r = opc.matmul %x, %w
  return %r : tensor<512x512xf32>
}

// One row: the matrix is read where it lies, 22 lines of each row at a time.
// CHECK-LABEL: func.func @one_row(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.for [d1] by 352 parallel {
// CHECK-NEXT:          schedule.run init
// CHECK-NEXT:          schedule.for [d2] by 1 serial {
// CHECK-NEXT:            schedule.for [d1] by 16 vector {
// CHECK-NEXT:              schedule.run step
func.func @one_row(%x: tensor<1x512xf32>, %w: tensor<512x1024xf32>) -> tensor<1x1024xf32> {
  %r = opc.matmul %x, %w
  return %r : tensor<1x1024xf32>
}

// One column: results fill vectors all the same, so squares of the matrix are turned around in
// registers.
// CHECK-LABEL: func.func @one_column(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.for [d0] by 16 parallel {
// CHECK-NEXT:          schedule.run init
// CHECK-NEXT:          schedule.for [d2] by 16 serial {
// CHECK-NEXT:            schedule.pack right by 16
// CHECK-NEXT:            schedule.for [d2] by 1 serial {
// CHECK-NEXT:              schedule.for [d0] by 16 vector {
func.func @one_column(%x: tensor<1024x512xf32>, %w: tensor<512x1xf32>) -> tensor<1024x1xf32> {
  %r = opc.matmul %x, %w
  return %r : tensor<1024x1xf32>
}

// A long chain is several, which are added to totals. Rows of a batch are one axis where weights
// are the same for all of it.
// CHECK-LABEL: func.func @long(
// CHECK:           schedule.tree {
// CHECK:             schedule.for [d0, d1] by
// CHECK:               schedule.run start
// CHECK-NEXT:          schedule.for [d3] by 512 serial {
// CHECK-NEXT:            schedule.run init
// CHECK-NEXT:            schedule.for [d3] by 1 serial {
func.func @long(%x: tensor<4x32x5000xf32>, %w: tensor<5000x64xf32>) -> tensor<4x32x64xf32> {
  %r = opc.matmul %x, %w
  return %r : tensor<4x32x64xf32>
}

// Batches are outermost; what is packed is so in the loops that leave one panel of it.
// CHECK-LABEL: func.func @batches(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.for [d0] by 1 parallel {
// CHECK-NEXT:          schedule.for [d2] by 32 parallel {
// CHECK-NEXT:            schedule.pack right by 32
func.func @batches(%x: tensor<12x128x64xf32>, %w: tensor<12x64x128xf32>) -> tensor<12x128x128xf32> {
  %r = opc.matmul %x, %w
  return %r : tensor<12x128x128xf32>
}

// What filters see is laid out once, with its padding; filters are columns.  Where all of them fit
// into the second cache beside what a row of the result sees, rows go outermost.
// CHECK-LABEL: func.func @conv(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.pad left
// CHECK-NEXT:        schedule.pack right by {{[0-9]+}}
// CHECK-NEXT:        schedule.for [d2] by 1 parallel {
// CHECK-NEXT:          schedule.for [d1] by {{[0-9]+}} serial {
// CHECK-NEXT:            schedule.for [d3] by {{[0-9]+}} serial {
// CHECK-NEXT:              schedule.run init
// CHECK-NEXT:              schedule.for [d4] by 1 serial {
// CHECK-NEXT:                schedule.for [d5] by 1 serial {
// CHECK-NEXT:                  schedule.for [d6] by 1 serial {
// CHECK-NEXT:                    schedule.for [d3] by 1 unroll {
// CHECK-NEXT:                      schedule.for [d1] by 16 vector {
// CHECK:                   schedule.for [d1] by 1 serial {
// CHECK-NEXT:                schedule.for [d3] by 1 vector {
// CHECK-NEXT:                  schedule.run out
func.func @conv(%x: tensor<1x48x28x28xf32>, %w: tensor<96x48x3x3xf32>) -> tensor<1x96x28x28xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  return %r : tensor<1x96x28x28xf32>
}

// Few products are added: results lie in order, and columns go along the window.
// CHECK-LABEL: func.func @first(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.for [d2] by 1 parallel {
// CHECK-NEXT:          schedule.pad right
// CHECK-NEXT:          schedule.for [d3] by {{[0-9]+}} serial {
// CHECK-NEXT:            schedule.for [d1] by {{[0-9]+}} serial {
// CHECK:                   schedule.for [d1] by 1 serial {
// CHECK-NEXT:                schedule.for [d3] by 1 vector {
// CHECK-NEXT:                  schedule.run out
func.func @first(%x: tensor<1x3x224x224xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<1x32x112x112xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1], strides = [2, 2]}
  return %r : tensor<1x32x112x112xf32>
}

// A filter for each channel goes over rows and columns; some channels lay out what they see at once.
// Each row of it goes to all rows of results that see it.
// CHECK-LABEL: func.func @each_channel(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.for [d1] by 2 parallel {
// CHECK-NEXT:          schedule.pad right
// CHECK-NEXT:          schedule.for [d1] by 1 serial {
// CHECK-NEXT:            schedule.for [d3] by 32 serial {
// CHECK-NEXT:              schedule.for [d2] by 1 rotating {
// CHECK-NEXT:                schedule.run init
// CHECK-NEXT:                schedule.for [d5] by 1 unroll {
// CHECK-NEXT:                  schedule.for [d4] by 1 unroll {
// CHECK-NEXT:                    schedule.for [d3] by 16 vector {
// CHECK-NEXT:                      schedule.run step
// CHECK:                     schedule.run finish
// CHECK-NEXT:                schedule.for [d3] by 1 vector {
// CHECK-NEXT:                  schedule.run out
func.func @each_channel(%x: tensor<1x96x28x28xf32>, %w: tensor<96x1x3x3xf32>)
    -> tensor<1x96x28x28xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1], groups = 96}
  return %r : tensor<1x96x28x28xf32>
}

// Of large channels, some rows at a time.
// CHECK-LABEL: func.func @large_channels(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.for [d1] by 1 parallel {
// CHECK-NEXT:          schedule.for [d2] by {{[0-9]+}} serial {
// CHECK-NEXT:            schedule.pad right
// CHECK-NEXT:            schedule.for [d3] by {{[0-9]+}} serial {
// CHECK-NEXT:              schedule.for [d2] by 1 rotating {
func.func @large_channels(%x: tensor<1x8x112x112xf32>, %w: tensor<8x1x3x3xf32>)
    -> tensor<1x8x112x112xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1], groups = 8}
  return %r : tensor<1x8x112x112xf32>
}

// A long chain along several axes is cut where it has so many products.
// CHECK-LABEL: func.func @long_conv(
// CHECK:           schedule.tree {
// CHECK:               schedule.run start
// CHECK-NEXT:          schedule.for [d4, d5, d6] by 512 serial {
// CHECK-NEXT:            schedule.run init
// CHECK-NEXT:            schedule.for [d4] by 1 serial {
func.func @long_conv(%x: tensor<1x512x7x7xf32>, %w: tensor<64x512x3x3xf32>)
    -> tensor<1x64x7x7xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  return %r : tensor<1x64x7x7xf32>
}

// Between the dimensions of an axis may be one of a single value.
// CHECK-LABEL: func.func @single_values(
// CHECK:           schedule.tree {
// CHECK:             schedule.for [d0, d1, d3] by {{[0-9]+}} parallel {
func.func @single_values(%x: tensor<5x7x1x3x4xf32>, %w: tensor<4x1xf32>)
    -> tensor<5x7x1x3x1xf32> {
  %r = opc.matmul %x, %w
  return %r : tensor<5x7x1x3x1xf32>
}

// Of rows that only a run knows there may be few: threads share parts of the columns, of which each
// goes over the rows, in blocks where those read less again than tiles of columns would.  One row has
// a version of its own, which packs nothing, since nothing is read again.
// CHECK-LABEL: func.func @some_rows(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.if <-atleast(N, 2) + 1> "one row" {
// CHECK-NEXT:          schedule.for [d1] by {{[0-9]+}} parallel {
// CHECK-NEXT:            schedule.for [d0] by 1 serial {
// CHECK-NOT:             schedule.pack
// CHECK:               } else "more rows" {
// CHECK-NEXT:        schedule.pack left by
// CHECK-NEXT:        schedule.for [d1] by {{[0-9]+}} parallel {
// CHECK-NEXT:          schedule.pack right by [[N:[0-9]+]]
// CHECK-NEXT:          schedule.for [d0] by {{[0-9]+}} serial {
// CHECK-NEXT:            schedule.for [d1] by [[N]] serial {
func.func @some_rows(%x: tensor<?x768xf32, #opc.dims<N, 768>>, %w: tensor<768x3072xf32>)
    -> tensor<?x3072xf32, #opc.dims<N, 3072>> {
  %r = opc.matmul %x, %w
  return %r : tensor<?x3072xf32, #opc.dims<N, 3072>>
}

// CHECK-LABEL: func.func @some_long_rows(
// CHECK:           schedule.tree {
// CHECK:               } else "more rows" {
// CHECK:             schedule.for [d1] by {{[0-9]+}} parallel {
// CHECK-NEXT:          schedule.pack right by [[N:[0-9]+]]
// CHECK-NEXT:          schedule.for [d1] by [[N]] serial {
func.func @some_long_rows(%x: tensor<?x3072xf32, #opc.dims<N, 3072>>, %w: tensor<3072x768xf32>)
    -> tensor<?x768xf32, #opc.dims<N, 768>> {
  %r = opc.matmul %x, %w
  return %r : tensor<?x768xf32, #opc.dims<N, 768>>
}

// Weights lie in panels for both versions: they are stored once.
// CHECK-LABEL: func.func @some_rows_of_constants(
// CHECK:           schedule.tree {
// CHECK-NEXT:        schedule.pack right by [[N:[0-9]+]]
// CHECK-NEXT:        schedule.if <-atleast(N, 2) + 1> "one row" {
// CHECK-NEXT:          schedule.for [d1] by [[N]] parallel {
// CHECK-NEXT:            schedule.for [d0] by 1 serial {
// CHECK:               } else "more rows" {
// CHECK-NEXT:          schedule.for [d0] by
func.func @some_rows_of_constants(%x: tensor<?x64xf32, #opc.dims<N, 64>>)
    -> tensor<?x96xf32, #opc.dims<N, 96>> {
  %w = opc.constant dense<0.5> : tensor<64x96xf32>
  %r = opc.matmul %x, %w
  return %r : tensor<?x96xf32, #opc.dims<N, 96>>
}

// Of an even number of rows, the fewest are two: they have a version.
// CHECK-LABEL: func.func @pairs_of_rows(
// CHECK:               schedule.if <-atleast(N*2, 3) + 1> "few rows" {
// CHECK:               } else "more rows" {
func.func @pairs_of_rows(%x: tensor<?x2x64xf32, #opc.dims<N, 2, 64>>, %w: tensor<64x96xf32>)
    -> tensor<?x2x96xf32, #opc.dims<N, 2, 96>> {
  %r = opc.matmul %x, %w
  return %r : tensor<?x2x96xf32, #opc.dims<N, 2, 96>>
}
