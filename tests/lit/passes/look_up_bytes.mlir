// Runs of bytes are looked up at once; threads share blocks of a long one.
// RUN: opc-opt --split-input-file %s -p look-up-bytes | filecheck %s

// CHECK-LABEL: func.func @long(
// CHECK-NEXT:    loop.for [[I:%.+]] = <0> to <N> step 4096 parallel {
// CHECK-NEXT:      loop.look_up %x in %t to %y[d0 + 3, d0, min(-d0 + N, 4096)]([[I]])
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @long(%x: memref<?xui8, #opc.dims<N + 3>>, %t: memref<256xui8>, %y: memref<?xui8, #opc.dims<N>>) {
  loop.for %i = <0> to <N> step 1 vector {
    %b = loop.load %x[d0 + 3](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    loop.store %v to %y[d0](%i)
  }
  return
}

// -----

// A table of signed bytes begins with the least one.  Rows in other loops stay whole, in place, too.
// CHECK-LABEL: func.func @rows(
// CHECK:         loop.for [[R:%.+]] = <0> to <7> step 1 parallel {
// CHECK-NEXT:      loop.look_up %x in %t to %x[d0*9000, d0*9000, 9000]([[R]])
// CHECK-NEXT:    }
func.func @rows(%x: memref<63000xi8>, %t: memref<256xi8>) {
  %l = scalar.constant -128 : i64
  loop.for %r = <0> to <7> step 1 parallel {
    loop.for %i = <0> to <9000> step 1 vector {
      %b = loop.load %x[d0*9000 + d1](%r, %i) : i8
      %n = scalar.apply cast(%b) : i64
      %k = scalar.apply sub(%n, %l) : i64
      %v = loop.gather %t[d0](%k) : i8
      loop.store %v to %x[d0*9000 + d1](%r, %i)
    }
  }
  return
}

// -----

// What is computed of an entry reads it from an array.
// CHECK-LABEL: func.func @behind(
// CHECK:         loop.for [[B:%.+]] = <0> to <2048> step 512 parallel {
// CHECK-NEXT:      [[A:%.+]] = loop.local : memref<512xui8>
// CHECK-NEXT:      loop.look_up %x in %t to [[A]][d0, 0, 512]([[B]])
// CHECK-NEXT:      loop.for [[K:%.+]] = <0> to <512> step 1 vector {
// CHECK-NEXT:        [[V:%.+]] = loop.load [[A]][d0]([[K]]) : ui8
// CHECK-NEXT:        [[F:%.+]] = scalar.apply cast([[V]]) : f32
// CHECK-NEXT:        loop.store [[F]] to %y[d0 + d1]([[B]], [[K]])
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @behind(%x: memref<2048xui8>, %t: memref<256xui8>, %y: memref<2048xf32>) {
  loop.for %i = <0> to <2048> step 1 vector {
    %b = loop.load %x[d0](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    %f = scalar.apply cast(%v) : f32
    loop.store %f to %y[d0](%i)
  }
  return
}

// -----

// Not from a wider table, with a step, of few bytes, of a signed byte that is not counted from the least one, nor
// from a table or of bytes that the loop itself writes.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     loop.look_up
// CHECK:         return
func.func @others(%x: memref<2048xui8>, %s: memref<64xi8>, %t: memref<256xui8>, %w: memref<256xf32>,
                  %y: memref<64xui8>, %f: memref<64xf32>) {
  loop.for %i = <0> to <64> step 1 vector {
    %b = loop.load %x[d0](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %w[d0](%n) : f32
    loop.store %v to %f[d0](%i)
  }
  loop.for %i = <0> to <64> step 1 vector {
    %b = loop.load %x[d0*2](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    loop.store %v to %y[d0](%i)
  }
  loop.for %i = <0> to <31> step 1 vector {
    %b = loop.load %x[d0](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    loop.store %v to %y[d0](%i)
  }
  loop.for %i = <0> to <64> step 1 vector {
    %b = loop.load %s[d0](%i) : i8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    loop.store %v to %y[d0](%i)
  }
  loop.for %i = <0> to <64> step 1 vector {
    %b = loop.load %x[d0](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    loop.store %v to %t[d0](%i)
  }
  loop.for %i = <0> to <64> step 1 vector {
    %b = loop.load %x[d0](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    loop.store %v to %x[d0 + 64](%i)
  }
  return
}

// -----

// A machine without vectors keeps its loops.
// CHECK-LABEL: func.func @scalars(
// CHECK-NOT:     loop.look_up
// CHECK:         return
func.func @scalars(%x: memref<64xui8>, %t: memref<256xui8>, %y: memref<64xui8>) attributes {opc.scalars} {
  loop.for %i = <0> to <64> step 1 vector {
    %b = loop.load %x[d0](%i) : ui8
    %n = scalar.apply cast(%b) : i64
    %v = loop.gather %t[d0](%n) : ui8
    loop.store %v to %y[d0](%i)
  }
  return
}
