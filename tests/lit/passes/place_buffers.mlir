// Tensors and panels of the workspace are placed together, by the loops that use them.
// RUN: opc-opt %s -p place-buffers | filecheck %s

// %panel was behind both tensors; it is needed with one of them at a time.
// CHECK-LABEL: func.func @panels(
// CHECK-SAME:    opc.workspace = #opc.index<512>
// CHECK-NEXT:   %a = loop.slice %workspace[0] : memref<64xf32>
// CHECK-NEXT:   %b = loop.slice %workspace[0] : memref<64xf32>
// CHECK-NEXT:   %panel = loop.slice %workspace[256] : memref<64xf32>
func.func @panels(%x: memref<64xf32>, %out0: memref<64xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<768>} {
  %a = loop.slice %workspace[0] : memref<64xf32>
  %b = loop.slice %workspace[256] : memref<64xf32>
  %panel = loop.slice %workspace[512] : memref<64xf32>
  loop.for %i0 = <0> to <64> step 1 vector {
    %v0 = loop.load %x[d0](%i0) : f32
    loop.store %v0 to %a[d0](%i0)
  }
  loop.for %i1 = <0> to <64> step 1 vector {
    %v1 = loop.load %a[d0](%i1) : f32
    loop.store %v1 to %panel[d0](%i1)
  }
  // A view is a use of the buffer.
  %view = loop.view %panel : memref<8x8xf32>
  loop.for %i2 = <0> to <64> step 1 vector {
    %v2 = loop.load %view[d0](%i2) : f32
    loop.store %v2 to %b[d0](%i2)
  }
  loop.for %i3 = <0> to <64> step 1 vector {
    %v3 = loop.load %b[d0](%i3) : f32
    loop.store %v3 to %out0[d0](%i3)
  }
  func.return
}

// Of unknown sizes, equal ones share a place.
// CHECK-LABEL: func.func @unknown(
// CHECK:        %a = loop.slice %workspace[0] :
// CHECK-NEXT:   %b = loop.slice %workspace[floordiv(N*4 + 63, 64)*64] :
// CHECK-NEXT:   %c = loop.slice %workspace[0] :
func.func @unknown(%x: memref<?xf32, #opc.dims<N>>, %out0: memref<?xf32, #opc.dims<N>>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>} {
  %a = loop.slice %workspace[0] : memref<?xf32, #opc.dims<N>>
  %b = loop.slice %workspace[floordiv(N*4 + 63, 64)*64] : memref<?xf32, #opc.dims<N>>
  %c = loop.slice %workspace[floordiv(N*4 + 63, 64)*128] : memref<?xf32, #opc.dims<N>>
  loop.for %i0 = <0> to <N> step 1 vector {
    %v0 = loop.load %x[d0](%i0) : f32
    loop.store %v0 to %a[d0](%i0)
  }
  loop.for %i1 = <0> to <N> step 1 vector {
    %v1 = loop.load %a[d0](%i1) : f32
    loop.store %v1 to %b[d0](%i1)
  }
  loop.for %i2 = <0> to <N> step 1 vector {
    %v2 = loop.load %b[d0](%i2) : f32
    loop.store %v2 to %c[d0](%i2)
  }
  loop.for %i3 = <0> to <N> step 1 vector {
    %v3 = loop.load %c[d0](%i3) : f32
    loop.store %v3 to %out0[d0](%i3)
  }
  func.return
}
