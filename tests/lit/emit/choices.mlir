// Conditions, and expressions that stand more than once.
// RUN: opc-opt --split-input-file %s -p place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK-LABEL: int chain_run(
// CHECK:         if (n0 < 9) {
// CHECK-NEXT:      out0[0] = 1.0f;
// CHECK-NEXT:    } else if (n0 < 17) {
// CHECK-NEXT:      out0[0] = 2.0f;
// CHECK-NEXT:    } else {
// CHECK-NEXT:      out0[0] = 3.0f;
// CHECK-NEXT:      if (n0 >= 100 && n1 != 1) {
// CHECK-NEXT:        out0[1] = 1.0f;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    if (!(n0 * 4 >= 100 && n0 != 1)) {
// CHECK-NEXT:      out0[2] = 2.0f;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (n0 == 1) {
// CHECK-NEXT:      out0[2] = 3.0f;
// CHECK-NEXT:    }
func.func @chain(%x: memref<?x?xf32, #opc.dims<N, M>>, %y: memref<4xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>} {
  %a = scalar.constant 1.0 : f32
  %b = scalar.constant 2.0 : f32
  %c = scalar.constant 3.0 : f32
  loop.if <1 - atleast(N, 9)> {
    loop.store %a to %y[0]
  } else {
    loop.if <1 - atleast(N, 17)> {
      loop.store %b to %y[0]
    } else {
      loop.store %c to %y[0]
      loop.if <atleast(N, 100) * nonunit(M)> {
        loop.store %a to %y[1]
      }
    }
  }
  loop.if <1 - atleast(N*4, 100) * nonunit(N)> {
    loop.store %b to %y[2]
  }
  loop.if <1 - nonunit(N)> {
    loop.store %c to %y[2]
  }
  return
}

// -----

// A product with what is left of 1 is what must hold and what must not, and what both ask for stands
// where they are computed.
// CHECK-LABEL: int product_run(
// CHECK:         const int64_t e0 = (n0 * 4 >= 100); /* much */
// CHECK-NEXT:    const int64_t e1 = n0 % 16;
// CHECK-NEXT:    const int64_t e2 = (e1 >= 1); /* uneven */
// CHECK-NEXT:    if (e0 != 0 && e2 == 0) {
// CHECK-NEXT:      /* much at once */
// CHECK-NEXT:      out0[0] = 1.0f;
// CHECK-NEXT:    }
func.func @product(%x: memref<?xf32, #opc.dims<N>>, %y: memref<4xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>} {
  %a = scalar.constant 1.0 : f32
  loop.if <atleast(N*4, 100) - atleast(N*4, 100) * atleast(mod(N, 16), 1)> asks ["much", "uneven"] "much at once" {
    loop.store %a to %y[0]
  }
  return
}

// -----

// A name is given where all that an expression is made of is known, and only to what is used.
// CHECK-LABEL: int named_run(
// CHECK:         for (int64_t i0 = 0; i0 < n0; ++i0) {
// CHECK-NEXT:      const int64_t k0 = i0 * 3 % 16;
// CHECK-NEXT:      const int64_t k1 = (16 - k0) % 16;
// CHECK-NEXT:      if (i0 > n0) {
// CHECK-NEXT:        out0[k0] = 1.0f;
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < k1; ++i1) {
// CHECK-NEXT:        const int64_t k2 = (i0 + i1) / 4;
// CHECK-NEXT:        const float t0 = in0[i1 + k1];
// CHECK-NEXT:        out0[k2 + (i1 % 2)] = t0;
// CHECK-NEXT:        out0[k2] = t0;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @named(%x: memref<?xf32, #opc.dims<N>>, %y: memref<40xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>} {
  %a = scalar.constant 1.0 : f32
  loop.for %i = <0> to <N> step 1 serial {
    loop.if <atleast(d0, N + 1)>(%i) {
      loop.store %a to %y[mod(d0*3, 16)](%i)
    }
    loop.for %j = <0> to <mod(16 - mod(d0*3, 16), 16)>(%i) step 1 serial {
      %v = loop.load %x[mod(16 - mod(d0*3, 16), 16) + d1](%i, %j) : f32
      loop.store %v to %y[floordiv(d0 + d1, 4) + mod(d1, 2)](%i, %j)
      loop.store %v to %y[floordiv(d0 + d1, 4)](%i, %j)
    }
  }
  return
}

// -----

// What is divided by an extent is computed only where there are elements.
// CHECK-LABEL: int divided_run(
// CHECK:         for (int64_t i0 = 0; i0 < n0; ++i0) {
// CHECK-NEXT:      for (int64_t i1 = 0; i1 < n1; ++i1) {
// CHECK-NEXT:        out0[(i0 / n1)] = in0[(i0 / n1)];
func.func @divided(%x: memref<?x?xf32, #opc.dims<N, M>>, %y: memref<40xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>} {
  loop.for %i = <0> to <N> step 1 serial {
    loop.for %j = <0> to <M> step 1 serial {
      %v = loop.load %x[floordiv(d0, M)](%i) : f32
      loop.store %v to %y[floordiv(d0, M)](%i)
    }
  }
  return
}

// -----

// Threads share loops under a condition, which are functions, as others are.
// CHECK:         /* 17 values or more */
// CHECK-LABEL: static void shared_loop0(
// CHECK:         /* few values */
// CHECK-LABEL: static void shared_loop1(
// CHECK-LABEL: int shared_run(
// CHECK:         if (n0 >= 17) {
// CHECK-NEXT:      /* 17 values or more */
// CHECK-NEXT:      {
// CHECK-NEXT:        const shared_loop0_data data = {in0, out0};
// CHECK-NEXT:        opc_share(shared_loop0_iterations, &data, 0, n0, 64, OPC_MOST_THREADS, n0 * 8);
// CHECK-NEXT:      }
// CHECK-NEXT:    } else {
// CHECK-NEXT:      /* few values */
// CHECK:             opc_share(shared_loop1_iterations, &data, 0, n0, 64, OPC_MOST_THREADS, n0 * 9);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @shared(%x: memref<?xf32, #opc.dims<N>>, %y: memref<?xf32, #opc.dims<N>>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>} {
  loop.if <atleast(N, 17)> "17 values or more" {
    loop.for %i = <0> to <N> step 1 vector {
      %v = loop.load %x[d0](%i) : f32
      loop.store %v to %y[d0](%i)
    }
  } else "few values" {
    loop.for %i = <0> to <N> step 1 vector {
      %v = loop.load %x[d0](%i) : f32
      %u = scalar.apply neg(%v) : f32
      loop.store %u to %y[d0](%i)
    }
  }
  return
}
