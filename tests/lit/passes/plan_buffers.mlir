// Tensors become inputs, outputs, constants or parts of one workspace.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers | filecheck %s

// A kernel writes straight to the output; without intermediate results there is no workspace.
// CHECK-LABEL: func.func @output(
// CHECK-SAME: %x: memref<4xf32>, %out0: memref<4xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>}
// CHECK-NEXT:   kernel.nest [4] into (%out0) {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply neg([[A]]) : f32
// CHECK-NEXT:     kernel.store [[B]] to 0[d0]
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @output(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.apply neg(%x) : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// %a is no longer needed when %c is made, so they share a place; sizes are multiples of 64 bytes.
// CHECK-LABEL: func.func @reuse(
// CHECK-SAME: %x: memref<10x10xf32>, %out0: memref<10x10xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<896>}
// CHECK-NEXT:   %a = loop.slice %workspace[0] : memref<10x10xf32>
// CHECK-NEXT:   %b = loop.slice %workspace[448] : memref<10x10xf32>
// CHECK-NEXT:   %c = loop.slice %workspace[0] : memref<10x10xf32>
// CHECK-NEXT:   kernel.nest [10, 10] into (%a) {
// CHECK:   kernel.nest [10, 10] into (%b) {
// CHECK:   kernel.nest [10, 10] into (%c) {
// CHECK:   kernel.nest [10, 10] into (%out0) {
func.func @reuse(%x: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %a = opc.transpose %x {permutation = [1, 0]} : tensor<10x10xf32> -> tensor<10x10xf32>
  %b = opc.transpose %a {permutation = [1, 0]} : tensor<10x10xf32> -> tensor<10x10xf32>
  %c = opc.transpose %b {permutation = [1, 0]} : tensor<10x10xf32> -> tensor<10x10xf32>
  %r = opc.transpose %c {permutation = [1, 0]} : tensor<10x10xf32> -> tensor<10x10xf32>
  return %r : tensor<10x10xf32>
}

// What is read only where it is written over needs no place of its own.
// CHECK-LABEL: func.func @over(
// CHECK-SAME: %x: memref<100xf32>, %out0: memref<100xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<448>}
// CHECK-NEXT:   %b = loop.slice %workspace[0] : memref<100xf32>
// CHECK-NEXT:   kernel.nest [100] into (%out0) {
// CHECK:   kernel.nest [100] into (%b) {
// CHECK:   kernel.nest [100] into (%out0) {
func.func @over(%x: tensor<100xf32>) -> tensor<100xf32> {
  %a = opc.apply neg(%x) : tensor<100xf32> -> tensor<100xf32>
  %b = opc.apply exp(%a) : tensor<100xf32> -> tensor<100xf32>
  %r = opc.apply add(%a, %b) : tensor<100xf32>, tensor<100xf32> -> tensor<100xf32>
  return %r : tensor<100xf32>
}

// All live to the end, the larger ones first.
// CHECK-LABEL: func.func @together(
// CHECK-SAME: %x: memref<8xf32>, %y: memref<64xf32>, %out0: memref<8x8xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<576>}
// CHECK-NEXT:   %b = loop.slice %workspace[0] : memref<64xf32>
// CHECK-NEXT:   %d = loop.slice %workspace[256] : memref<8x8xf32>
// CHECK-NEXT:   %a = loop.slice %workspace[512] : memref<8xf32>
// CHECK-NEXT:   kernel.nest [8] into (%a) {
// CHECK:   kernel.nest [64] into (%b) {
// CHECK:   %c = loop.view %a : memref<8x1xf32>
// CHECK-NEXT:   kernel.nest [8, 8] into (%d) {
// CHECK:   %e = loop.view %b : memref<8x8xf32>
// CHECK-NEXT:   kernel.nest [8, 8] into (%d) {
// CHECK:   kernel.nest [8, 8] into (%out0) {
func.func @together(%x: tensor<8xf32>, %y: tensor<64xf32>) -> tensor<8x8xf32> {
  %a = opc.apply neg(%x) : tensor<8xf32> -> tensor<8xf32>
  %b = opc.apply neg(%y) : tensor<64xf32> -> tensor<64xf32>
  %c = opc.reshape %a -> tensor<8x1xf32>
  %d = opc.broadcast %c -> tensor<8x8xf32>
  %e = opc.reshape %b -> tensor<8x8xf32>
  %f = opc.apply add(%d, %e) : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %r = opc.transpose %f {permutation = [1, 0]} : tensor<8x8xf32> -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// Symbolic sizes come behind the static ones, and share a place with the same size only.
// CHECK-LABEL: func.func @symbolic(
// CHECK-SAME: %x: memref<?x?xf32, #opc.dims<N, N>>, %y: memref<2x2xf32>, %out0: memref<?x?xf32, #opc.dims<N, N>>, %out1: memref<2x2xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 2 : i64, opc.workspace = #opc.index<floordiv(N*N*2 + 63, 64)*64 + floordiv(N*N*4 + 63, 64)*128 + 64>}
// CHECK-NEXT:   %s = loop.slice %workspace[0] : memref<2x2xf32>
// CHECK-NEXT:   %a = loop.slice %workspace[64] : memref<?x?xf32, #opc.dims<N, N>>
// CHECK-NEXT:   %c = loop.slice %workspace[64] : memref<?x?xf32, #opc.dims<N, N>>
// CHECK-NEXT:   %b = loop.slice %workspace[floordiv(N*N*4 + 63, 64)*64 + 64] : memref<?x?xf32, #opc.dims<N, N>>
// CHECK-NEXT:   %d = loop.slice %workspace[floordiv(N*N*4 + 63, 64)*64 + 64] : memref<?x?xf32, #opc.dims<N, N>>
// CHECK-NEXT:   %h = loop.slice %workspace[floordiv(N*N*4 + 63, 64)*128 + 64] : memref<?x?xf16, #opc.dims<N, N>>
// CHECK-NEXT:   kernel.nest [N, N] into (%a) {
// CHECK:   kernel.nest [2, 2] into (%s) {
// CHECK:   kernel.nest [N, N] into (%b) {
// CHECK:   kernel.nest [N, N] into (%h) {
// CHECK:   kernel.nest [N, N] into (%c) {
// CHECK:   kernel.nest [N, N] into (%d) {
// CHECK:   kernel.nest [N, N] into (%c) {
// CHECK:   kernel.nest [N, N] into (%out0) {
// CHECK:   kernel.nest [2, 2] into (%out1) {
func.func @symbolic(%x: tensor<?x?xf32, #opc.dims<N, N>>, %y: tensor<2x2xf32>) -> (tensor<?x?xf32, #opc.dims<N, N>>, tensor<2x2xf32>) {
  %a = opc.transpose %x {permutation = [1, 0]} : tensor<?x?xf32, #opc.dims<N, N>> -> tensor<?x?xf32, #opc.dims<N, N>>
  %s = opc.transpose %y {permutation = [1, 0]} : tensor<2x2xf32> -> tensor<2x2xf32>
  %b = opc.transpose %a {permutation = [1, 0]} : tensor<?x?xf32, #opc.dims<N, N>> -> tensor<?x?xf32, #opc.dims<N, N>>
  %h = opc.cast %b -> tensor<?x?xf16, #opc.dims<N, N>>
  %c = opc.transpose %b {permutation = [1, 0]} : tensor<?x?xf32, #opc.dims<N, N>> -> tensor<?x?xf32, #opc.dims<N, N>>
  %d = opc.cast %h -> tensor<?x?xf32, #opc.dims<N, N>>
  %e = opc.apply add(%c, %d) : tensor<?x?xf32, #opc.dims<N, N>>, tensor<?x?xf32, #opc.dims<N, N>> -> tensor<?x?xf32, #opc.dims<N, N>>
  %r = opc.transpose %e {permutation = [1, 0]} : tensor<?x?xf32, #opc.dims<N, N>> -> tensor<?x?xf32, #opc.dims<N, N>>
  %t = opc.transpose %s {permutation = [1, 0]} : tensor<2x2xf32> -> tensor<2x2xf32>
  return %r, %t : tensor<?x?xf32, #opc.dims<N, N>>, tensor<2x2xf32>
}

// A returned argument, a returned constant and what is returned twice are copied.
// CHECK-LABEL: func.func @copies(
// CHECK-NEXT:   %c = loop.constant dense<[1, 2]> : tensor<2xi8> to memref<2xi8>
// CHECK-NEXT:   kernel.nest [4] into (%out2) {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0] : f32
// CHECK:     kernel.store [[B:%.+]] to 0[d0]
// CHECK:   kernel.nest [4] into (%out0) {
// CHECK-NEXT:     [[C:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:     kernel.store [[C]] to 0[d0]
// CHECK:   kernel.nest [2] into (%out1) {
// CHECK-NEXT:     [[D:%.+]] = kernel.load %c[d0] : i8
// CHECK-NEXT:     kernel.store [[D]] to 0[d0]
// CHECK:   kernel.nest [4] into (%out3) {
// CHECK-NEXT:     [[E:%.+]] = kernel.load %out2[d0] : f32
// CHECK-NEXT:     kernel.store [[E]] to 0[d0]
func.func @copies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi8>, tensor<4xf32>, tensor<4xf32>) {
  %c = opc.constant dense<[1, 2]> : tensor<2xi8>
  %r = opc.apply neg(%x) : tensor<4xf32> -> tensor<4xf32>
  return %x, %c, %r, %r : tensor<4xf32>, tensor<2xi8>, tensor<4xf32>, tensor<4xf32>
}

// What is returned in another shape is computed in the output, seen in the kernel's shape.
// CHECK-LABEL: func.func @returned_reshape(
// CHECK-SAME: %x: memref<2x3xf32>, %out0: memref<6xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>}
// CHECK-NEXT:   %a = loop.view %out0 : memref<2x3xf32>
// CHECK-NEXT:   kernel.nest [2, 3] into (%a) {
// CHECK-NEXT:     [[A:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:     [[B:%.+]] = scalar.apply neg([[A]]) : f32
// CHECK-NEXT:     kernel.store [[B]] to 0[d0, d1]
// CHECK-NEXT:   }
// CHECK-NEXT:   %r = loop.view %a : memref<6xf32>
// CHECK-NEXT:   func.return
func.func @returned_reshape(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %a = opc.apply neg(%x) : tensor<2x3xf32> -> tensor<2x3xf32>
  %r = opc.reshape %a -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// What a reshape keeps alive is not overwritten.
// CHECK-LABEL: func.func @alive_behind_reshape(
// CHECK-SAME: %x: memref<64xf32>, %out0: memref<8x8xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<512>}
// CHECK-NEXT:   %a = loop.slice %workspace[0] : memref<64xf32>
// CHECK-NEXT:   %c = loop.slice %workspace[256] : memref<64xf32>
// CHECK-NEXT:   kernel.nest [64] into (%a) {
// CHECK:   %b = loop.view %a : memref<8x8xf32>
// CHECK-NEXT:   kernel.nest [64] into (%c) {
// CHECK:   %d = loop.view %c : memref<8x8xf32>
// CHECK-NEXT:   kernel.nest [8, 8] into (%out0) {
func.func @alive_behind_reshape(%x: tensor<64xf32>) -> tensor<8x8xf32> {
  %a = opc.apply neg(%x) : tensor<64xf32> -> tensor<64xf32>
  %b = opc.reshape %a -> tensor<8x8xf32>
  %c = opc.apply exp(%a) : tensor<64xf32> -> tensor<64xf32>
  %d = opc.reshape %c -> tensor<8x8xf32>
  %r = opc.apply add(%b, %d) : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @nothing(
// CHECK-SAME: %x: memref<4xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 0 : i64, opc.workspace = #opc.index<0>}
// CHECK-NEXT:   func.return
func.func @nothing(%x: tensor<4xf32>) {
  return
}

// No elements need no bytes.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %x: memref<0x4xf32>, %out0: memref<0x4xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<0>}
// CHECK-NEXT:   kernel.nest [0, 4] into (%out0) {
// CHECK:   kernel.nest [0, 4] into (%out0) {
func.func @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %a = opc.apply neg(%x) : tensor<0x4xf32> -> tensor<0x4xf32>
  %r = opc.apply exp(%a) : tensor<0x4xf32> -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// What is concatenated is computed where the whole wants it: parts of a part lie in both.  What also
// leaves the function, and what is no one piece of the whole or starts within a cache line, is
// copied.
// CHECK-LABEL: func.func @parts(
// CHECK-NEXT:    [[B:%.+]] = loop.view %out0[64] : memref<1x32xf32>
// CHECK-NEXT:    [[A:%.+]] = loop.view %out0[32] : memref<1x32xf32>
// CHECK-NEXT:    kernel.nest [1, 32] into ([[A]]) {
// CHECK:         kernel.nest [1, 32] into ([[B]]) {
// CHECK:         kernel.nest [1] into (%out0) {
// CHECK-NEXT:      kernel.sweep [32] {
// CHECK-NEXT:        kernel.load %x[d0, d1]
// CHECK-NOT:       kernel.sweep
func.func @parts(%x: tensor<1x32xf32>) -> tensor<1x96xf32> {
  %a = opc.apply neg(%x) : tensor<1x32xf32> -> tensor<1x32xf32>
  %b = opc.apply exp(%a) : tensor<1x32xf32> -> tensor<1x32xf32>
  %c = opc.concat %x, %a, %b {axis = 1} : tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32> -> tensor<1x96xf32>
  return %c : tensor<1x96xf32>
}
// CHECK-LABEL: func.func @copied(
// CHECK-NOT:     loop.view
// CHECK-COUNT-6: kernel.sweep
func.func @copied(%x: tensor<2x32xf32>, %y: tensor<1x7xf32>) -> (tensor<2x32xf32>, tensor<4x32xf32>, tensor<2x64xf32>, tensor<1x14xf32>) {
  %a = opc.apply neg(%x) : tensor<2x32xf32> -> tensor<2x32xf32>
  %c = opc.concat %x, %a {axis = 0} : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<4x32xf32>
  %b = opc.apply exp(%x) : tensor<2x32xf32> -> tensor<2x32xf32>
  %d = opc.concat %x, %b {axis = 1} : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<2x64xf32>
  %e = opc.apply exp(%y) : tensor<1x7xf32> -> tensor<1x7xf32>
  %f = opc.concat %y, %e {axis = 1} : tensor<1x7xf32>, tensor<1x7xf32> -> tensor<1x14xf32>
  return %a, %c, %d, %f : tensor<2x32xf32>, tensor<4x32xf32>, tensor<2x64xf32>, tensor<1x14xf32>
}
