// Arrays for which the stack has no room lie at the start of the workspace.
// RUN: opc-opt %s -p place-arrays | filecheck %s

// Small ones stay.  Those of threads have a place in each thread's part.
// CHECK-LABEL: func.func @large(
// CHECK-SAME:    opc.arrays = #opc.index<65536, 32768>
// CHECK-NEXT:    loop.for %i = <0> to <8> step 1 serial function loop0 {
// CHECK-NEXT:      %a = loop.local at 0 : memref<16384xf32>
// CHECK-NEXT:      %b = loop.local : memref<16xf32>
// CHECK:         loop.for %{{.+}} = <0> to <8> step 1 parallel threads <N> by 1 function loop1 {
// CHECK-NEXT:      %{{.+}} = loop.local at 0 of thread : memref<8192xf32>
func.func @large(%x: memref<100xf32>, %v: f32) {
  loop.for %i = <0> to <8> step 1 serial function loop0 {
    %a = loop.local : memref<16384xf32>
    %b = loop.local : memref<16xf32>
    loop.store %v to %a[0]
    loop.store %v to %b[0]
  }
  loop.for %i = <0> to <8> step 1 parallel threads <N> by 1 function loop1 {
    %a = loop.local : memref<8192xf32>
    loop.store %v to %a[0]
  }
  return
}

// Where there is no room for all, arrays that follow one another share memory.
// CHECK-LABEL: func.func @one(
// CHECK-NOT:     attributes
// CHECK-NEXT:    loop.for %i = <0> to <8> step 1 serial function loop0 marks [own_frame] {
// CHECK-NEXT:      %a = loop.local : memref<2048xf32>
// CHECK-NEXT:      loop.store %v to %a[0]
// CHECK-NEXT:      %b = loop.local in %a : memref<2048xf32>
// CHECK-NEXT:      loop.store %v to %b[1]
func.func @one(%x: memref<100xf32>, %v: f32) {
  loop.for %i = <0> to <8> step 1 serial function loop0 {
    %a = loop.local : memref<2048xf32>
    loop.store %v to %a[0]
    %b = loop.local : memref<2048xf32>
    loop.store %v to %b[1]
  }
  return
}

// The text of a function has the addresses of those inside: loops that are equal but for these are
// apart, and those with equal addresses have one function.
// CHECK-LABEL: func.func @apart(
// CHECK-SAME:    opc.arrays = #opc.index<131072, 0>
// CHECK-NEXT:    loop.for {{.+}} function loop1 {
// CHECK-NEXT:      loop.for {{.+}} function loop0 {
// CHECK-NEXT:        {{.+}} = loop.local at 0 : memref<16384xf32>
// CHECK:         loop.for {{.+}} function loop1 {
// CHECK-NEXT:      loop.for {{.+}} function loop0 {
// CHECK-NEXT:        {{.+}} = loop.local at 0 : memref<16384xf32>
// CHECK:         {{.+}} = loop.local at 0 : memref<16384xf32>
// CHECK:         loop.for {{.+}} function loop3 {
// CHECK-NEXT:      loop.for {{.+}} function loop2 {
// CHECK-NEXT:        {{.+}} = loop.local at 65536 : memref<16384xf32>
// CHECK:         loop.for {{.+}} function loop4 {
// CHECK:         loop.for {{.+}} function loop4 {
func.func @apart(%x: memref<100xf32>, %v: f32) {
  loop.for %i = <0> to <8> step 1 serial function loop1 {
    loop.for %j = <0> to <8> step 1 serial function loop0 {
      %a = loop.local : memref<16384xf32>
      loop.store %v to %a[0]
    }
  }
  loop.for %i = <0> to <8> step 1 serial function loop1 {
    loop.for %j = <0> to <8> step 1 serial function loop0 {
      %a = loop.local : memref<16384xf32>
      loop.store %v to %a[0]
    }
  }
  %c = loop.local : memref<16384xf32>
  loop.store %v to %c[0]
  loop.for %i = <0> to <8> step 1 serial function loop1 {
    loop.for %j = <0> to <8> step 1 serial function loop0 {
      %a = loop.local : memref<16384xf32>
      loop.store %v to %a[0]
    }
  }
  loop.store %v to %c[1]
  loop.for %i = <0> to <8> step 1 serial function loop2 {
    loop.store %v to %x[0]
  }
  loop.for %i = <0> to <8> step 1 serial function loop2 {
    loop.store %v to %x[0]
  }
  return
}
