// What is the same in each iteration of a loop that stores bytes is computed in front of it.
// RUN: opc-opt %s -p hoist-invariants | filecheck %s

// CHECK-LABEL: func.func @scaled(
// CHECK:         [[S:%.+]] = loop.load %s[0] : f32
// CHECK-NEXT:    [[C:%.+]] = scalar.constant 2.550000e+02 : f32
// CHECK-NEXT:    [[D:%.+]] = scalar.apply div([[S]], [[C]]) : f32
// CHECK-NEXT:    loop.for [[I:%.+]] = <0> to <8> step 1 vector {
// CHECK-NEXT:      [[X:%.+]] = loop.load %x[d0]([[I]]) : f32
// CHECK-NEXT:      [[Y:%.+]] = scalar.apply div([[X]], [[D]]) : f32
// CHECK-NEXT:      [[Q:%.+]] = scalar.apply cast([[Y]]) : i8
// CHECK-NEXT:      loop.store [[Q]] to %y[d0]([[I]])
func.func @scaled(%x: memref<8xf32>, %s: memref<f32>, %y: memref<8xi8>) {
  loop.for %i = <0> to <8> step 1 vector {
    %0 = loop.load %x[d0](%i) : f32
    %1 = loop.load %s[0] : f32
    %2 = scalar.constant 255.0 : f32
    %3 = scalar.apply div(%1, %2) : f32
    %4 = scalar.apply div(%0, %3) : f32
    %5 = scalar.apply cast(%4) : i8
    loop.store %5 to %y[d0](%i)
  }
  return
}

// A buffer that the loop writes is read in it, and so is one that may be empty as the loop is.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT:    loop.for
func.func @stays(%n: memref<?xf32, #opc.dims<n>>, %y: memref<8xi8>) {
  loop.for %i = <0> to <n> step 1 vector {
    %0 = loop.load %n[0] : f32
    %1 = loop.load %y[0] : i8
    %2 = scalar.apply cast(%1) : f32
    %3 = scalar.apply add(%0, %2) : f32
    %4 = scalar.apply cast(%3) : i8
    loop.store %4 to %y[0]
  }
  return
}

// Outside of an inner loop is inside of the outer one.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    loop.for [[R:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:      loop.load %s[d0]([[R]]) : f32
// CHECK-NEXT:      loop.for
func.func @rows(%x: memref<4x8xf32>, %s: memref<4xf32>, %y: memref<4x8xi8>) {
  loop.for %r = <0> to <4> step 1 parallel {
    loop.for %i = <0> to <8> step 1 vector {
      %0 = loop.load %x[d0 * 8 + d1](%r, %i) : f32
      %1 = loop.load %s[d0](%r) : f32
      %2 = scalar.apply mul(%0, %1) : f32
      %3 = scalar.apply cast(%2) : i8
      loop.store %3 to %y[d0 * 8 + d1](%r, %i)
    }
  }
  return
}

// Stores of other types reach no buffer of another type, as C compilers know.
// CHECK-LABEL: func.func @floats(
// CHECK-NEXT:    loop.for
func.func @floats(%x: memref<8xf32>, %s: memref<f32>, %y: memref<8xf32>) {
  loop.for %i = <0> to <8> step 1 vector {
    %0 = loop.load %x[d0](%i) : f32
    %1 = loop.load %s[0] : f32
    %2 = scalar.apply div(%0, %1) : f32
    loop.store %2 to %y[d0](%i)
  }
  return
}

// A store to registers reaches no memory: the C compiler sees what is the same.
// CHECK-LABEL: func.func @registers(
// CHECK:         loop.for
// CHECK-NEXT:      loop.load %x[0] : i8
func.func @registers(%x: memref<i8>) {
  %r = loop.local registers 4 : memref<8xi8>
  loop.for %i = <0> to <8> step 1 vector {
    %0 = loop.load %x[0] : i8
    %1 = loop.load %r[d0](%i) : i8
    %2 = scalar.apply mul(%0, %1) : i8
    loop.store %2 to %r[d0](%i)
  }
  return
}
