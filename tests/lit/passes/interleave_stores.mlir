// Loops that store neighbours become one, whose values C compilers interleave in registers.
// RUN: opc-opt %s -p interleave-stores | filecheck %s

// CHECK-LABEL: func.func @three(
// CHECK-NEXT:    loop.for [[I:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:      [[A:%.+]] = loop.load %a[d0]([[I]]) : ui8
// CHECK-NEXT:      loop.store [[A]] to %y[d0*3]([[I]])
// CHECK-NEXT:      [[B:%.+]] = loop.load %b[d0]([[I]]) : ui8
// CHECK-NEXT:      loop.store [[B]] to %y[d0*3 + 2]([[I]])
// CHECK-NEXT:      [[C:%.+]] = loop.load %a[d0]([[I]]) : ui8
// CHECK-NEXT:      loop.store [[C]] to %y[d0*3 + 1]([[I]])
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @three(%a: memref<64xui8>, %b: memref<64xui8>, %y: memref<192xui8>) {
  loop.for %i = <0> to <64> step 1 vector {
    %0 = loop.load %a[d0](%i) : ui8
    loop.store %0 to %y[d0*3](%i)
  }
  loop.for %j = <0> to <64> step 1 vector {
    %1 = loop.load %b[d0](%j) : ui8
    loop.store %1 to %y[d0*3 + 2](%j)
  }
  loop.for %k = <0> to <64> step 1 vector {
    %2 = loop.load %a[d0](%k) : ui8
    loop.store %2 to %y[d0*3 + 1](%k)
  }
  return
}

// What the second loop reads, the first one writes.
// CHECK-LABEL: func.func @read(
// CHECK-COUNT-2: loop.for
// CHECK:         return
func.func @read(%a: memref<64xui8>, %y: memref<128xui8>) {
  loop.for %i = <0> to <64> step 1 vector {
    %0 = loop.load %a[d0](%i) : ui8
    loop.store %0 to %y[d0*2](%i)
  }
  loop.for %j = <0> to <64> step 1 vector {
    %1 = loop.load %y[-d0*2 + 126](%j) : ui8
    loop.store %1 to %y[d0*2 + 1](%j)
  }
  return
}

// The second loop writes over what the first one wrote.
// CHECK-LABEL: func.func @over(
// CHECK-COUNT-2: loop.for
// CHECK:         return
func.func @over(%a: memref<64xui8>, %b: memref<64xui8>, %y: memref<130xui8>) {
  loop.for %i = <0> to <64> step 1 vector {
    %0 = loop.load %a[d0](%i) : ui8
    loop.store %0 to %y[d0*2](%i)
  }
  loop.for %j = <0> to <64> step 1 vector {
    %1 = loop.load %b[d0](%j) : ui8
    loop.store %1 to %y[d0*2 + 2](%j)
  }
  return
}

// Other numbers of values, and rows that are contiguous, stay apart.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-3: loop.for
// CHECK:         return
func.func @apart(%a: memref<64xui8>, %y: memref<128xui8>) {
  loop.for %i = <0> to <64> step 1 vector {
    %0 = loop.load %a[d0](%i) : ui8
    loop.store %0 to %y[d0*2](%i)
  }
  loop.for %j = <0> to <63> step 1 vector {
    %1 = loop.load %a[d0](%j) : ui8
    loop.store %1 to %y[d0 + 64](%j)
  }
  loop.for %k = <0> to <63> step 1 vector {
    %2 = loop.load %a[d0](%k) : ui8
    loop.store %2 to %y[d0](%k)
  }
  return
}
