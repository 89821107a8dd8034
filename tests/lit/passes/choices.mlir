// Passes over loops look through conditions.
// RUN: opc-opt %s -p fission | filecheck %s --check-prefix FISSION
// RUN: opc-opt %s -p place-buffers | filecheck %s --check-prefix PLACE

// Threads share the blocks of a loop that is outermost but for a condition.
// FISSION-LABEL: func.func @two(
// FISSION:         loop.if <atleast(N, 17)> {
// FISSION:           loop.for %{{.+}} = <0> to <N> step 512 parallel {
func.func @two(%x: memref<?xf32, #opc.dims<N>>, %y: memref<?xf32, #opc.dims<N>>) {
  loop.if <atleast(N, 17)> {
    loop.for %i = <0> to <N> step 1 vector {
      %a = loop.load %x[d0](%i) : f32
      %b = scalar.apply exp(%a) : f32
      %c = scalar.apply tanh(%b) : f32
      loop.store %c to %y[d0](%i)
    }
  }
  return
}

// What is used under a condition is in use as long as that takes.
// PLACE-LABEL: func.func @buffers(
// PLACE-NEXT:    %a = loop.slice %w[0] : memref<16xf32>
// PLACE-NEXT:    %b = loop.slice %w[64] : memref<16xf32>
func.func @buffers(%x: memref<?xf32, #opc.dims<N>>, %v: f32, %w: memref<128xi8>) attributes {opc.outputs = 0 : i64, opc.workspace = #opc.index<128>} {
  %a = loop.slice %w[64] : memref<16xf32>
  %b = loop.slice %w[0] : memref<16xf32>
  loop.store %v to %a[0]
  loop.if <nonunit(N)> {
    loop.store %v to %b[0]
    %c = loop.load %a[0] : f32
    loop.store %c to %b[1]
  }
  return
}
