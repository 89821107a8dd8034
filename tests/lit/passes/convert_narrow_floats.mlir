// f16 and bf16 are converted in staging buffers of 64, and rounded in f32.
// RUN: opc-opt %s -p convert-narrow-floats,simplify-loops | filecheck %s

// The scalar operand is converted where it stands.
// CHECK-LABEL: func.func @whole(
// CHECK-NEXT:   loop.for %0 = <0> to <1024> step 64 parallel {
// CHECK-NEXT:     %1 = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.widen %x[d0, 64](%0) to %1
// CHECK-NEXT:     %2 = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for %3 = <0> to <64> step 1 vector {
// CHECK-NEXT:       %a = loop.load %1[d0](%3) : f32
// CHECK-NEXT:       %s = loop.load %y[0] : f16
// CHECK-NEXT:       %b = scalar.apply cast(%s) : f32
// CHECK-NEXT:       %c = scalar.apply sub(%a, %b) : f32
// CHECK-NEXT:       loop.store %c to %2[d0](%3)
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.narrow %2 to %z[d0, 64](%0)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @whole(%x: memref<1024xf16>, %y: memref<f16>, %z: memref<1024xf16>) {
  loop.for %i = <0> to <1024> step 1 vector {
    %v = loop.load %x[d0](%i) : f16
    %a = scalar.apply cast(%v) : f32
    %s = loop.load %y[0] : f16
    %b = scalar.apply cast(%s) : f32
    %c = scalar.apply sub(%a, %b) : f32
    %r = scalar.apply cast(%c) : f16
    loop.store %r to %z[d0](%i)
  }
  return
}

// What is left over is a staging buffer of its own; fewer elements than a vector are converted in place.
// CHECK-LABEL: func.func @rest(
// CHECK-NEXT:   loop.for %i = <0> to <N> step 1 parallel {
// CHECK-NEXT:     loop.for %0 = <0> to <M - mod(M, 64)> step 64 serial {
// CHECK:            loop.widen %x[M*d0 + d1, 64](%i, %0) to
// CHECK-NEXT:       loop.for [[K:%.+]] = <0> to <64> step 1 vector {
// CHECK:              loop.store %{{.+}} to %y[M*d0 + d1 + d2](%i, %0, [[K]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %{{.+}} = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.widen %x[M*d0 + M - mod(M, 64), mod(M, 64)](%i) to [[W:%.+]]
// CHECK-NEXT:     loop.for [[L:%.+]] = <0> to <mod(M, 64)> step 1 vector {
// CHECK-NEXT:       [[V:%.+]] = loop.load [[W]][d0]([[L]]) : f32
// CHECK-NEXT:       loop.store [[V]] to %y[M*d0 + d1 + M - mod(M, 64)](%i, [[L]])
// CHECK-NEXT:     }
func.func @rest(%x: memref<?x?xbf16, #opc.dims<N, M>>, %y: memref<?x?xf32, #opc.dims<N, M>>) {
  loop.for %i = <0> to <N> step 1 parallel {
    loop.for %j = <0> to <M> step 1 vector {
      %v = loop.load %x[d0*M + d1](%i, %j) : bf16
      %a = scalar.apply cast(%v) : f32
      loop.store %a to %y[d0*M + d1](%i, %j)
    }
  }
  return
}

// CHECK-LABEL: func.func @few(
// CHECK-NEXT:   %{{.+}} = loop.local : memref<20xf32>
// CHECK-NEXT:   loop.widen %x[0, 20] to
// CHECK:        loop.for %j = <0> to <3> step 1 vector {
// CHECK-NEXT:     %{{.+}} = loop.load %x[d0](%j) : f16
func.func @few(%x: memref<20xf16>, %y: memref<20xf32>) {
  loop.for %i = <0> to <20> step 1 vector {
    %v = loop.load %x[d0](%i) : f16
    %a = scalar.apply cast(%v) : f32
    loop.store %a to %y[d0](%i)
  }
  loop.for %j = <0> to <3> step 1 vector {
    %v = loop.load %x[d0](%j) : f16
    %a = scalar.apply cast(%v) : f32
    loop.store %a to %y[d0](%j)
  }
  return
}

// What is stored both in f32, rounded, and narrow is rounded, and narrowed besides.
// CHECK-LABEL: func.func @rounded(
// CHECK-NEXT:   %step = loop.local : memref<64xf32>
// CHECK-NEXT:   [[N:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:   [[R:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:   loop.for [[L:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:     %a = loop.load %x[d0]([[L]]) : f32
// CHECK-NEXT:     loop.store %a to [[R]][d0]([[L]])
// CHECK-NEXT:     loop.store %a to [[N]][d0]([[L]])
// CHECK-NEXT:   }
// CHECK-NEXT:   loop.round [[R]][64] to bf16
// CHECK-NEXT:   loop.for [[M:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:     [[V:%.+]] = loop.load [[R]][d0]([[M]]) : f32
// CHECK-NEXT:     loop.store [[V]] to %step[d0]([[M]])
// CHECK-NEXT:   }
// CHECK-NEXT:   loop.narrow [[N]] to %y[0, 64]
// CHECK-NEXT:   %t = loop.combine sum %step : f32
// CHECK-NEXT:   loop.store %t to %lanes[0]
func.func @rounded(%x: memref<64xf32>, %y: memref<64xbf16>, %lanes: memref<64xf32>) {
  %step = loop.local : memref<64xf32>
  loop.for %l = <0> to <64> step 1 vector {
    %a = loop.load %x[d0](%l) : f32
    %r = scalar.apply cast(%a) : bf16
    %b = scalar.apply cast(%r) : f32
    loop.store %r to %y[d0](%l)
    loop.store %b to %step[d0](%l)
  }
  %t = loop.combine sum %step : f32
  loop.store %t to %lanes[0]
  return
}

// A loop is cut where it rounds.  Of what is needed on both sides, loads and what is the same for
// all points are repeated, and the rest is kept in arrays.
// CHECK-LABEL: func.func @cut(
// CHECK-NEXT:   [[KEPT:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:   [[WIDE:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:   loop.for [[I:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:     %a = loop.load %x[d0]([[I]]) : f32
// CHECK-NEXT:     %s = loop.load %y[0] : f32
// CHECK-NEXT:     %b = scalar.apply mul(%a, %s) : f32
// CHECK-NEXT:     loop.store %b to [[KEPT]][d0]([[I]])
// CHECK-NEXT:     %c = scalar.apply neg(%b) : f32
// CHECK-NEXT:     loop.store %c to [[WIDE]][d0]([[I]])
// CHECK-NEXT:   }
// CHECK-NEXT:   loop.round [[WIDE]][64] to f16
// CHECK-NEXT:   loop.for [[J:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:     [[R:%.+]] = loop.load [[WIDE]][d0]([[J]]) : f32
// CHECK-NEXT:     [[B:%.+]] = loop.load [[KEPT]][d0]([[J]]) : f32
// CHECK-NEXT:     %t = scalar.apply add([[R]], [[B]]) : f32
// CHECK-NEXT:     %{{.+}} = loop.load %x[d0]([[J]]) : f32
func.func @cut(%x: memref<64xf32>, %y: memref<f32>, %z: memref<64xf32>) {
  loop.for %i = <0> to <64> step 1 vector {
    %a = loop.load %x[d0](%i) : f32
    %s = loop.load %y[0] : f32
    %b = scalar.apply mul(%a, %s) : f32
    %c = scalar.apply neg(%b) : f32
    %h = scalar.apply cast(%c) : f16
    %r = scalar.apply cast(%h) : f32
    %t = scalar.apply add(%r, %b) : f32
    %u = scalar.apply add(%t, %a) : f32
    %v = scalar.apply add(%u, %s) : f32
    loop.store %v to %z[d0](%i)
  }
  return
}

// A number of f16 stays what it is when it is rounded to f16.
// CHECK-LABEL: func.func @already(
// CHECK:        %a = scalar.apply cast(%v) : f32
// CHECK-NEXT:   loop.store %a to %y[0]
func.func @already(%x: memref<f16>, %y: memref<f32>) {
  %v = loop.load %x[0] : f16
  %a = scalar.apply cast(%v) : f32
  %r = scalar.apply cast(%a) : f16
  %b = scalar.apply cast(%r) : f32
  loop.store %b to %y[0]
  return
}

// A point may overwrite what only it reads; what is not contiguous is not converted ahead.
// CHECK-LABEL: func.func @in_place(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1024> step 64 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.widen %x[d0, 64]([[A]]) to [[B]]
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         %a = loop.load [[B]][d0]([[D]]) : f32
// CHECK-NEXT:         %w = loop.load %y[d0*2 + d1*2]([[A]], [[D]]) : f16
// CHECK-NEXT:         %b = scalar.apply cast(%w) : f32
// CHECK-NEXT:         %c = scalar.apply add(%a, %b) : f32
// CHECK-NEXT:         loop.store %c to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.narrow [[C]] to %x[d0, 64]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @in_place(%x: memref<1024xf16>, %y: memref<2048xf16>) {
  loop.for %i = <0> to <1024> step 1 vector {
    %v = loop.load %x[d0](%i) : f16
    %w = loop.load %y[d0*2](%i) : f16
    %a = scalar.apply cast(%v) : f32
    %b = scalar.apply cast(%w) : f32
    %c = scalar.apply add(%a, %b) : f32
    %r = scalar.apply cast(%c) : f16
    loop.store %r to %x[d0](%i)
  }
  return
}

// Nothing is converted ahead or afterwards that the loop writes elsewhere.
// CHECK-LABEL: func.func @behind(
// CHECK-NEXT:   loop.for %i = <0> to <1024> step 1 vector {
// CHECK-NOT:    loop.widen
// CHECK-NOT:    loop.narrow
// CHECK:        func.return
func.func @behind(%x: memref<1025xf16>) {
  loop.for %i = <0> to <1024> step 1 vector {
    %v = loop.load %x[d0](%i) : f16
    %a = scalar.apply cast(%v) : f32
    %c = scalar.apply add(%a, %a) : f32
    %r = scalar.apply cast(%c) : f16
    loop.store %r to %x[d0 + 1](%i)
  }
  return
}

// The greater of two numbers of f16 is one, also of what was rounded to f16.
// CHECK-LABEL: func.func @greater(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.widen %x[0, 64] to [[A]]
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.widen %y[0, 64] to [[B]]
// CHECK-NEXT:     [[C:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       %a = loop.load [[A]][d0]([[D]]) : f32
// CHECK-NEXT:       %b = loop.load [[B]][d0]([[D]]) : f32
// CHECK-NEXT:       %c = scalar.apply add(%a, %b) : f32
// CHECK-NEXT:       loop.store %c to [[C]][d0]([[D]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.round [[C]][64] to f16
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       %a_1 = loop.load [[A]][d0]([[E]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load [[C]][d0]([[E]]) : f32
// CHECK-NEXT:       %m = scalar.apply max(%a_1, [[F]]) : f32
// CHECK-NEXT:       loop.store %m to %z[d0]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @greater(%x: memref<64xf16>, %y: memref<64xf16>, %z: memref<64xf32>) {
  loop.for %i = <0> to <64> step 1 vector {
    %v = loop.load %x[d0](%i) : f16
    %w = loop.load %y[d0](%i) : f16
    %a = scalar.apply cast(%v) : f32
    %b = scalar.apply cast(%w) : f32
    %c = scalar.apply add(%a, %b) : f32
    %r = scalar.apply cast(%c) : f16
    %d = scalar.apply cast(%r) : f32
    %m = scalar.apply max(%a, %d) : f32
    %t = scalar.apply cast(%m) : f16
    %u = scalar.apply cast(%t) : f32
    loop.store %u to %z[d0](%i)
  }
  return
}
