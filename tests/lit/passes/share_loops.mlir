// Threads share outermost loops, and parallel ones inside of others, that may do enough work.
// RUN: opc-opt %s -p share-loops | filecheck %s

// An iteration is a load, an exponential and a store.
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:    loop.for %i = <0> to <N> step 1 parallel threads <N*224> by 1 {
// CHECK-NEXT:      loop.for %j = <0> to <8> step 1 vector {
func.func @unknown(%x: memref<?x8xf32, #opc.dims<N, 8>>, %y: memref<?x8xf32, #opc.dims<N, 8>>) {
  loop.for %i = <0> to <N> step 1 parallel {
    loop.for %j = <0> to <8> step 1 vector {
      %v = loop.load %x[d0*8 + d1](%i, %j) : f32
      %e = scalar.apply exp(%v) : f32
      loop.store %e to %y[d0*8 + d1](%i, %j)
    }
  }
  return
}

// Threads divide vector loops by whole vectors, other ones by their step.
// CHECK-LABEL: func.func @vectors(
// CHECK-NEXT:    loop.for %i = <0> to <1048576> step 1 vector threads <8388608> by 64 {
// CHECK:         loop.for %{{.+}} = <0> to <1048576> step 2 parallel threads <4194304> by 2 {
func.func @vectors(%x: memref<1048576xf32>, %y: memref<1048576xf32>) {
  loop.for %i = <0> to <1048576> step 1 vector {
    %v = loop.load %x[d0](%i) : f32
    loop.store %v to %y[d0](%i)
  }
  loop.for %i = <0> to <1048576> step 2 parallel {
    %v = loop.load %x[d0](%i) : f32
    loop.store %v to %y[d0](%i)
  }
  return
}

// A look-up of bytes counts them, those of a block at most.
// CHECK-LABEL: func.func @looked_up(
// CHECK-NEXT:    loop.for %i = <0> to <N> step 4096 parallel threads <N> by 4096 {
// CHECK:         loop.for %j = <0> to <M> step 1 parallel threads <M*N> by 1 {
func.func @looked_up(%x: memref<?xui8, #opc.dims<N*M>>, %t: memref<256xui8>) {
  loop.for %i = <0> to <N> step 4096 parallel {
    loop.look_up %x in %t to %x[d0, d0, min(-d0 + N, 4096)](%i)
  }
  loop.for %j = <0> to <M> step 1 parallel {
    loop.look_up %x in %t to %x[d0*N, d0*N, N](%j)
  }
  return
}

// Too little work; and a scalar of the surroundings that changes.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     threads
func.func @alone(%x: memref<1048576xf32>, %y: memref<1xf32>) {
  loop.for %i = <0> to <64> step 1 parallel {
    %v = loop.load %x[d0](%i) : f32
    loop.store %v to %x[d0](%i)
  }
  %last = loop.local : memref<f32>
  loop.for %i = <0> to <1048576> step 1 parallel {
    %v = loop.load %x[d0](%i) : f32
    loop.store %v to %last[0]
  }
  %v = loop.load %last[0] : f32
  loop.store %v to %y[0]
  return
}

// CHECK-LABEL: func.func @inside(
// CHECK-NEXT:    loop.for %i = <0> to <4> step 1 serial {
// CHECK-NEXT:      loop.for %j = <0> to <N> step 1 parallel threads
// CHECK-NEXT:        loop.for %k = <0> to <N> step 1 parallel {
// CHECK:           loop.for %l = <0> to <N> step 1 vector {
func.func @inside(%x: memref<?xf32, #opc.dims<N>>, %v: f32) {
  loop.for %i = <0> to <4> step 1 serial {
    loop.for %j = <0> to <N> step 1 parallel {
      loop.for %k = <0> to <N> step 1 parallel {
        loop.store %v to %x[d0](%k)
      }
    }
    loop.for %l = <0> to <N> step 1 vector {
      loop.store %v to %x[d0](%l)
    }
  }
  return
}
