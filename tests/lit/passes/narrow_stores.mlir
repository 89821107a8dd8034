// Floats that become integers of 8 bits are narrowed in a loop of their own, if there is a tail of a vector.
// RUN: opc-opt %s -p narrow-stores | filecheck %s

// CHECK-LABEL: func.func @tail(
// CHECK:         [[A:%.+]] = loop.local {{.+}}28xi32>
// CHECK-NEXT:    loop.for [[I:%.+]] = <0> to <28> step 1 vector {
// CHECK-NEXT:      [[X:%.+]] = loop.load %x[d0]([[I]]) : f32
// CHECK-NEXT:      [[Q:%.+]] = scalar.apply cast([[X]]) : ui8
// CHECK-NEXT:      [[W:%.+]] = scalar.apply cast([[Q]]) : i32
// CHECK-NEXT:      loop.store [[W]] to [[A]][d0]([[I]])
// CHECK:         loop.for [[J:%.+]] = <0> to <28> step 1 vector {
// CHECK-NEXT:      [[B:%.+]] = loop.load [[A]][d0]([[J]]) : i32
// CHECK-NEXT:      [[N:%.+]] = scalar.apply cast([[B]]) : ui8
// CHECK-NEXT:      loop.store [[N]] to %y[d0]([[J]])
func.func @tail(%x: memref<28xf32>, %y: memref<28xui8>) {
  loop.for %i = <0> to <28> step 1 vector {
    %0 = loop.load %x[d0](%i) : f32
    %1 = scalar.apply cast(%0) : ui8
    loop.store %1 to %y[d0](%i)
  }
  return
}

// Whole vectors have none.
// CHECK-LABEL: func.func @whole(
// CHECK-NEXT:    loop.for {{.+}} vector {
// CHECK-NEXT:      loop.load
// CHECK-NEXT:      scalar.apply cast({{.+}}) : ui8
// CHECK-NEXT:      loop.store
func.func @whole(%x: memref<64xf32>, %y: memref<64xui8>) {
  loop.for %i = <0> to <64> step 1 vector {
    %0 = loop.load %x[d0](%i) : f32
    %1 = scalar.apply cast(%0) : ui8
    loop.store %1 to %y[d0](%i)
  }
  return
}

// Integers are copied as they are.
// CHECK-LABEL: func.func @copied(
// CHECK-NEXT:    loop.for {{.+}} vector {
// CHECK-NEXT:      loop.load %x
// CHECK-NEXT:      loop.store
func.func @copied(%x: memref<28xui8>, %y: memref<28xui8>) {
  loop.for %i = <0> to <28> step 1 vector {
    %0 = loop.load %x[d0](%i) : ui8
    loop.store %0 to %y[d0](%i)
  }
  return
}
