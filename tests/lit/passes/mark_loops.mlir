// What C compilers must do with loops, or must not.
// RUN: opc-opt %s -p mark-loops | filecheck %s

// Loops over sums in registers, and loops around them, are unrolled.  Others of a kind are not.
// CHECK-LABEL: func.func @sums(
// CHECK:         loop.for %{{.+}} = <0> to <4> step 1 unroll marks [unroll] {
// CHECK-NEXT:      loop.for %{{.+}} = <0> to <16> step 1 vector marks [unroll] {
// CHECK:         loop.for %{{.+}} = <0> to <4> step 1 unroll {
// CHECK:         loop.for %{{.+}} = <0> to <4> step 1 rolled marks [few] {
func.func @sums(%x: memref<64xf32>, %v: f32) {
  %a = loop.local registers 16 : memref<64xf32>
  loop.for %i = <0> to <4> step 1 unroll {
    loop.for %j = <0> to <16> step 1 vector {
      loop.store %v to %a[d0*16 + d1](%i, %j)
    }
  }
  loop.for %i = <0> to <4> step 1 unroll {
    loop.store %v to %x[d0](%i)
  }
  loop.for %i = <0> to <4> step 1 rolled {
    loop.store %v to %x[d0](%i)
  }
  return
}

// Without vectors, loops over single sums are unrolled, and none needs a mark for vectors.
// CHECK-LABEL: func.func @single(
// CHECK:         loop.for %{{.+}} = <0> to <4> step 1 vector marks [unroll] {
// CHECK:         loop.for %{{.+}} = <0> to <4> step 1 rolled {
// CHECK:         loop.for %{{.+}} = <0> to <8> step 1 vector {
func.func @single(%x: memref<64xf32>, %v: f32) attributes {opc.scalars} {
  %a = loop.local registers 1 : memref<4xf32>
  loop.for %i = <0> to <4> step 1 vector {
    loop.store %v to %a[d0](%i)
  }
  loop.for %i = <0> to <4> step 1 rolled {
    loop.store %v to %x[d0](%i)
  }
  loop.for %i = <0> to <8> step 1 vector {
    %w = loop.load %x[d0](%i) : f32
    loop.store %w to %x[d0 + 8](%i)
  }
  return
}

// gcc unrolls loops of so few iterations before it looks for vectors.
// CHECK-LABEL: func.func @few(
// CHECK-NEXT:    loop.for %{{.+}} = <0> to <8> step 1 vector marks [rolled] {
// CHECK:         loop.for %{{.+}} = <0> to <64> step 1 vector {
func.func @few(%x: memref<64xf32>, %y: memref<64xf32>) {
  loop.for %i = <0> to <8> step 1 vector {
    %w = loop.load %x[d0](%i) : f32
    loop.store %w to %y[d0](%i)
  }
  loop.for %i = <0> to <64> step 1 vector {
    %w = loop.load %x[d0](%i) : f32
    loop.store %w to %y[d0](%i)
  }
  return
}

// Every second row backwards: vectors of gcc 12 would read the rows between.
// CHECK-LABEL: func.func @backwards(
// CHECK-NEXT:    loop.for %{{.+}} = <0> to <500> step 1 serial marks [no_vectors] {
// CHECK-NEXT:      loop.for %{{.+}} = <0> to <4> step 1 vector {
// CHECK:         loop.for %{{.+}} = <0> to <1000> step 1 serial {
func.func @backwards(%x: memref<4000xf32>, %y: memref<4000xf32>) {
  loop.for %i = <0> to <500> step 1 serial {
    loop.for %j = <0> to <4> step 1 vector {
      %w = loop.load %x[d1 - d0*8 + 3996](%i, %j) : f32
      loop.store %w to %y[d0*4 + d1](%i, %j)
    }
  }
  loop.for %i = <0> to <1000> step 1 serial {
    loop.for %j = <0> to <4> step 1 vector {
      %w = loop.load %x[d1 - d0*4 + 3996](%i, %j) : f32
      loop.store %w to %y[d0*4 + d1](%i, %j)
    }
  }
  return
}

// Functions that add up rows read them in order; what else they have is kept.
// CHECK-LABEL: func.func @functions(
// CHECK:         loop.for %{{.+}} = <0> to <8> step 1 serial function loop0 marks [own_frame, in_order] {
// CHECK:         loop.for %{{.+}} = <0> to <8> step 1 serial {
// CHECK:         loop.for %{{.+}} = <0> to <99> step 1 vector function loop1 marks [as_it_stands] {
func.func @functions(%x: memref<100xf32>, %y: memref<100xf32>) {
  %a = loop.local : memref<64xf32>
  loop.for %i = <0> to <8> step 1 serial function loop0 marks [own_frame] {
    %s = loop.combine sum %a : f32
    loop.store %s to %y[d0](%i)
  }
  loop.for %i = <0> to <8> step 1 serial {
    %s = loop.combine sum %a : f32
    loop.store %s to %y[d0](%i)
  }
  loop.for %i = <0> to <99> step 1 vector function loop1 {
    %w = loop.load %x[floordiv(d0, 7) + mod(d0, 5) + floordiv(d0, 3)](%i) : f32
    loop.store %w to %y[d0](%i)
  }
  return
}
