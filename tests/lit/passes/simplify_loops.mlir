// Loops that run never or once, dead code and repeated constants disappear.
// RUN: opc-opt %s -p simplify-loops | filecheck %s

// CHECK-LABEL: func.func @never(
// CHECK-NEXT:   func.return
func.func @never(%x: memref<4xf32>, %v: f32) {
  loop.for %i = <0> to <0> step 1 serial {
    loop.store %v to %x[d0](%i)
  }
  loop.for %j = <3> to <2> step 1 serial {
    loop.store %v to %x[d0](%j)
  }
  return
}

// The variable becomes its only value, wherever it stands.
// CHECK-LABEL: func.func @once(
// CHECK-NEXT:   loop.for %j = <3> to <8> step 1 serial {
// CHECK-NEXT:     %a = loop.load %x[d0 + 30](%j) : f32
// CHECK-NEXT:     loop.store %a to %x[d0*3](%j)
// CHECK-NEXT:     %k = scalar.index <4> : i64
// CHECK-NEXT:     loop.store %k to %y[d0](%j)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @once(%x: memref<100xf32>, %y: memref<100xi64>, %v: f32) {
  loop.for %i = <3> to <4> step 1 serial {
    loop.for %j = <d0> to <d0 + 5>(%i) step 1 serial {
      %a = loop.load %x[d0*10 + d1](%i, %j) : f32
      loop.store %a to %x[d0*d1](%j, %i)
      %k = scalar.index <d0 + 1>(%i) : i64
      loop.store %k to %y[d0](%j)
    }
  }
  return
}

// One round of 8 steps covers all 5.
// CHECK-LABEL: func.func @once_by_step(
// CHECK-NEXT:   loop.for %j = <0> to <5> step 1 serial {
// CHECK-NEXT:     loop.store %v to %x[d0](%j)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @once_by_step(%x: memref<100xf32>, %v: f32) {
  loop.for %i = <0> to <5> step 8 serial {
    loop.for %j = <d0> to <min(d0 + 8, 5)>(%i) step 1 serial {
      loop.store %v to %x[d0](%j)
    }
  }
  return
}

// Bounds that depend on an outer loop show how often a loop runs, too; it stays if it cannot be named.
// CHECK-LABEL: func.func @once_inside(
// CHECK-NEXT:   loop.for %i = <0> to <5> step 1 serial {
// CHECK-NEXT:     loop.for %k = <d0> to <d0 + 1>(%i) step 1 serial {
// CHECK-NEXT:       loop.store %v to %x[d0](%k)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @once_inside(%x: memref<100xf32>, %v: f32) {
  loop.for %i = <0> to <5> step 1 serial {
    loop.for %j = <d0> to <d0>(%i) step 1 serial {
      loop.store %v to %x[d0](%j)
    }
    loop.for %k = <d0> to <d0 + 1>(%i) step 1 serial {
      loop.store %v to %x[d0](%k)
    }
  }
  return
}

// CHECK-LABEL: func.func @symbolic(
// CHECK-NEXT:   loop.for %i = <0> to <N> step 1 serial {
// CHECK-NEXT:     loop.store %v to %x[d0](%i)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @symbolic(%x: memref<?xf32, #opc.dims<N>>, %v: f32) {
  loop.for %i = <0> to <N> step 1 serial {
    loop.store %v to %x[d0](%i)
  }
  loop.for %j = <0> to <N - N> step 1 serial {
    loop.store %v to %x[d0](%j)
  }
  return
}

// CHECK-LABEL: func.func @dead(
// CHECK-NEXT:   func.return
func.func @dead(%x: memref<4xf32>, %workspace: memref<?xi8>) {
  %a = loop.load %x[0] : f32
  %b = scalar.apply neg(%a) : f32
  %c = scalar.apply abs(%b) : f32
  %d = loop.slice %workspace[0] : memref<4xf32>
  %e = loop.view %d : memref<2x2xf32>
  %f = loop.constant dense<1> : tensor<4xi8> to memref<4xi8>
  %g = scalar.index <5> : i64
  %h = loop.local : memref<f32>
  return
}

// A loop that is left with nothing to do goes too.
// CHECK-LABEL: func.func @dead_loop(
// CHECK-NEXT:   func.return
func.func @dead_loop(%x: memref<4xf32>) {
  loop.for %i = <0> to <4> step 1 serial {
    loop.for %j = <0> to <4> step 1 serial {
      %a = loop.load %x[d0](%j) : f32
      %b = scalar.apply neg(%a) : f32
    }
  }
  return
}

// The outermost of equal constants stays; -0 and 0, or 1 of two types, are not equal.
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT:   %a = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:   loop.store %a to %x[0]
// CHECK-NEXT:   loop.for %i = <0> to <4> step 1 serial {
// CHECK-NEXT:     %c = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:     %d = scalar.constant 0 : i32
// CHECK-NEXT:     loop.store %a to %x[d0](%i)
// CHECK-NEXT:     loop.store %c to %x[d0](%i)
// CHECK-NEXT:     loop.store %d to %y[d0](%i)
// CHECK-NEXT:     loop.for %j = <0> to <4> step 1 serial {
// CHECK-NEXT:       loop.store %c to %x[d0](%j)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @constants(%x: memref<4xf32>, %y: memref<4xi32>) {
  %a = scalar.constant 0.0 : f32
  loop.store %a to %x[0]
  loop.for %i = <0> to <4> step 1 serial {
    %b = scalar.constant 0.0 : f32
    %c = scalar.constant -0.0 : f32
    %d = scalar.constant 0 : i32
    loop.store %b to %x[d0](%i)
    loop.store %c to %x[d0](%i)
    loop.store %d to %y[d0](%i)
    loop.for %j = <0> to <4> step 1 serial {
      %e = scalar.constant -0.0 : f32
      loop.store %e to %x[d0](%j)
    }
  }
  return
}

// Stores are kept, and what they need; a variable that nothing reads is not.
// CHECK-LABEL: func.func @needed(
// CHECK-NEXT:   %b = loop.load %x[0] : f32
// CHECK-NEXT:   loop.store %b to %x[1]
// CHECK-NEXT:   func.return
func.func @needed(%x: memref<4xf32>) {
  %a = loop.local : memref<f32>
  %l = loop.local : memref<4xf32>
  %b = loop.load %x[0] : f32
  loop.store %b to %a[0]
  loop.store %b to %x[1]
  %c = loop.combine sum %l : f32
  return
}

// An integer is equal to itself; a float may be NaN.
// CHECK-LABEL: func.func @itself(
// CHECK-NEXT:   %f = loop.load %x[0] : f32
// CHECK-NEXT:   %b = scalar.constant true
// CHECK-NEXT:   loop.store %b to %z[0]
// CHECK-NEXT:   %d = scalar.apply eq(%f, %f) : i1
// CHECK-NEXT:   loop.store %d to %z[1]
// CHECK-NEXT:   func.return
func.func @itself(%x: memref<4xf32>, %y: memref<4xi32>, %z: memref<4xi1>) {
  %a = loop.load %y[0] : i32
  %f = loop.load %x[0] : f32
  %b = scalar.apply eq(%a, %a) : i1
  loop.store %b to %z[0]
  %d = scalar.apply eq(%f, %f) : i1
  loop.store %d to %z[1]
  return
}

// A comparison with a limit of the type is decided, and with it the choice.
// CHECK-LABEL: func.func @limits(
// CHECK-NEXT:   %least = scalar.constant -128 : i8
// CHECK-NEXT:   %a = loop.load %x[0] : ui8
// CHECK-NEXT:   %b = loop.load %y[0] : i8
// CHECK-NEXT:   loop.store %a to %x[1]
// CHECK-NEXT:   %e = scalar.constant false
// CHECK-NEXT:   loop.store %e to %z[0]
// CHECK-NEXT:   %f = scalar.apply ge(%least, %b) : i1
// CHECK-NEXT:   loop.store %f to %z[1]
// CHECK-NEXT:   func.return
func.func @limits(%x: memref<4xui8>, %y: memref<4xi8>, %z: memref<4xi1>) {
  %zero = scalar.constant 0 : ui8
  %least = scalar.constant -128 : i8
  %a = loop.load %x[0] : ui8
  %b = loop.load %y[0] : i8
  %c = scalar.apply ge(%a, %zero) : i1
  %d = scalar.apply select(%c, %a, %zero) : ui8
  loop.store %d to %x[1]
  %e = scalar.apply gt(%least, %b) : i1
  loop.store %e to %z[0]
  %f = scalar.apply ge(%least, %b) : i1
  loop.store %f to %z[1]
  return
}

// Of floats nothing is certain.
// CHECK-LABEL: func.func @no_limits(
// CHECK-NEXT:   %most = scalar.constant 0x7f800000 : f32
// CHECK-NEXT:   %a = loop.load %x[0] : f32
// CHECK-NEXT:   %b = scalar.apply le(%a, %most) : i1
// CHECK-NEXT:   loop.store %b to %z[0]
// CHECK-NEXT:   func.return
func.func @no_limits(%x: memref<4xf32>, %z: memref<4xi1>) {
  %most = scalar.constant 0x7f800000 : f32
  %a = loop.load %x[0] : f32
  %b = scalar.apply le(%a, %most) : i1
  loop.store %b to %z[0]
  return
}

// Of a choice that is certain, here once the loop is unrolled, what runs stays.
// CHECK-LABEL: func.func @certain(
// CHECK-NEXT:   loop.store %w to %x[4]
// CHECK-NEXT:   loop.store %v to %x[0]
// CHECK-NEXT:   loop.if <atleast(N, 1)> {
// CHECK-NEXT:     loop.store %v to %x[2]
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @certain(%x: memref<?xf32, #opc.dims<N>>, %v: f32, %w: f32) {
  loop.for %i = <4> to <5> step 1 serial {
    loop.if <atleast(d0, 5)>(%i) {
      loop.store %v to %x[1]
    } else {
      loop.store %w to %x[d0](%i)
    }
  }
  loop.if <1> {
    loop.store %v to %x[0]
  }
  loop.if <0> {
    loop.store %v to %x[0]
  }
  loop.if <atleast(N, 1)> {
    loop.if <1 - atleast(2, 3)> {
      loop.store %v to %x[2]
    }
  }
  return
}
