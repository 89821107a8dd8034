// Loops that are equal but for their buffers are one C function, as are those that threads share.
// RUN: opc-opt %s -p outline-loops | filecheck %s

// Loops of a few operations are better read where they are.
// CHECK-LABEL: func.func @layers(
// CHECK-COUNT-2: loop.for %{{.+}} = <0> to <64> step 1 vector function loop0 {
// CHECK:         loop.for %{{.+}} = <0> to <63> step 1 vector {
// CHECK:         loop.for %{{.+}} = <0> to <32> step 1 vector {
// CHECK:         loop.for %{{.+}} = <0> to <32> step 1 vector {
func.func @layers(%x: memref<64xf32>, %y: memref<64xf32>, %out: memref<64xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64} {
  %z = loop.slice %workspace[0] : memref<64xf32>
  loop.for %i = <0> to <64> step 1 vector {
    %a = loop.load %x[d0](%i) : f32
    %b = scalar.apply neg(%a) : f32
    %c = scalar.apply neg(%b) : f32
    %d = scalar.apply neg(%c) : f32
    %e = scalar.apply neg(%d) : f32
    %f = scalar.apply neg(%e) : f32
    %g = scalar.apply neg(%f) : f32
    %h = scalar.apply neg(%g) : f32
    %j = scalar.apply neg(%h) : f32
    %k = scalar.apply neg(%j) : f32
    loop.store %k to %z[d0](%i)
  }
  loop.for %i = <0> to <64> step 1 vector {
    %a = loop.load %y[d0](%i) : f32
    %b = scalar.apply neg(%a) : f32
    %c = scalar.apply neg(%b) : f32
    %d = scalar.apply neg(%c) : f32
    %e = scalar.apply neg(%d) : f32
    %f = scalar.apply neg(%e) : f32
    %g = scalar.apply neg(%f) : f32
    %h = scalar.apply neg(%g) : f32
    %j = scalar.apply neg(%h) : f32
    %k = scalar.apply neg(%j) : f32
    loop.store %k to %out[d0](%i)
  }
  loop.for %i = <0> to <63> step 1 vector {
    %a = loop.load %x[d0](%i) : f32
    loop.store %a to %out[d0](%i)
  }
  loop.for %i = <0> to <32> step 1 vector {
    %a = loop.load %x[d0](%i) : f32
    loop.store %a to %out[d0](%i)
  }
  loop.for %i = <0> to <32> step 1 vector {
    %a = loop.load %y[d0](%i) : f32
    loop.store %a to %z[d0](%i)
  }
  return
}

// Loops that load from other elements on, and are equal otherwise, load from views.  What they store to stays.
// CHECK-LABEL: func.func @starts(
// CHECK:         [[A:%.+]] = loop.view %x[3] : memref<64xf32>
// CHECK-NEXT:    loop.for %{{.+}} = <0> to <8> step 1 vector function loop0 {
// CHECK-NEXT:      {{.+}} = loop.load [[A]][d0*8](%{{.+}}) : f32
// CHECK-NEXT:      {{.+}} = loop.load [[A]][d0*8 + 2](%{{.+}}) : f32
// CHECK:         [[B:%.+]] = loop.view %x[5] : memref<64xf32>
// CHECK-NEXT:    loop.for %{{.+}} = <0> to <8> step 1 vector function loop0 {
// CHECK-NEXT:      {{.+}} = loop.load [[B]][d0*8](%{{.+}}) : f32
func.func @starts(%x: memref<64xf32>, %out: memref<8xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64} {
  loop.for %i = <0> to <8> step 1 vector {
    %a = loop.load %x[d0*8 + 3](%i) : f32
    %s = loop.load %x[d0*8 + 5](%i) : f32
    %b = scalar.apply neg(%a) : f32
    %c = scalar.apply neg(%b) : f32
    %d = scalar.apply neg(%c) : f32
    %e = scalar.apply neg(%d) : f32
    %f = scalar.apply neg(%e) : f32
    %g = scalar.apply neg(%f) : f32
    %h = scalar.apply neg(%g) : f32
    %l = scalar.apply neg(%h) : f32
    %j = scalar.apply neg(%l) : f32
    %k = scalar.apply add(%j, %s) : f32
    loop.store %k to %out[d0](%i)
  }
  loop.for %i = <0> to <8> step 1 vector {
    %a = loop.load %x[d0*8 + 5](%i) : f32
    %s = loop.load %x[d0*8 + 7](%i) : f32
    %b = scalar.apply neg(%a) : f32
    %c = scalar.apply neg(%b) : f32
    %d = scalar.apply neg(%c) : f32
    %e = scalar.apply neg(%d) : f32
    %f = scalar.apply neg(%e) : f32
    %g = scalar.apply neg(%f) : f32
    %h = scalar.apply neg(%g) : f32
    %l = scalar.apply neg(%h) : f32
    %j = scalar.apply neg(%l) : f32
    %k = scalar.apply add(%j, %s) : f32
    loop.store %k to %out[d0](%i)
  }
  return
}

// Names count in the order of the text of C, in which inner functions come first.
// CHECK-LABEL: func.func @shared(
// CHECK-NEXT:    loop.for %i = <0> to <8> step 1 serial function loop1 {
// CHECK-NEXT:      %a = loop.local
// CHECK-NEXT:      loop.for %j = <0> to <N> step 1 parallel threads <N> by 1 function loop0 {
// CHECK:         loop.for %{{.+}} = <0> to <N> step 1 parallel threads <N> by 1 function loop2 {
func.func @shared(%x: memref<?xf32, #opc.dims<N>>, %v: f32) {
  loop.for %i = <0> to <8> step 1 serial {
    %a = loop.local : memref<4096xf32>
    loop.for %j = <0> to <N> step 1 parallel threads <N> by 1 {
      loop.store %v to %x[d0](%j)
    }
  }
  loop.for %i = <0> to <N> step 1 parallel threads <N> by 1 {
    loop.store %v to %x[d0](%i)
  }
  return
}

// Sums in registers are not inlined, and no function takes them from its surroundings.
// CHECK-LABEL: func.func @registers(
// CHECK-NEXT:    loop.for %i = <0> to <8> step 1 serial threads <N> by 1 function loop0 marks [own_frame] {
// CHECK-NEXT:      %a = loop.local registers 16
// CHECK-NEXT:      loop.for %j = <0> to <16> step 1 vector {
func.func @registers(%x: memref<?xf32, #opc.dims<N>>, %v: f32) {
  loop.for %i = <0> to <8> step 1 serial threads <N> by 1 {
    %a = loop.local registers 16 : memref<16xf32>
    loop.for %j = <0> to <16> step 1 vector {
      loop.store %v to %a[d0](%j)
    }
  }
  return
}

// Many divisions in an index, of which gcc 12 makes wrong vectors.
// CHECK-LABEL: func.func @divisions(
// CHECK-NEXT:    loop.for %i = <0> to <99> step 1 vector function loop0 {
func.func @divisions(%x: memref<100xf32>, %y: memref<100xf32>) {
  loop.for %i = <0> to <99> step 1 vector {
    %a = loop.load %x[floordiv(d0, 7) + mod(d0, 5) + floordiv(d0, 3)](%i) : f32
    loop.store %a to %y[d0](%i)
  }
  return
}
