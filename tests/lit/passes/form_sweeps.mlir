// The axis along which totals are handed on becomes a sweep; all else is points.
// RUN: opc-opt %s -p form-kernels,form-sweeps | filecheck %s

// CHECK-LABEL: func.func @middle(
// CHECK-NEXT:    %r = kernel.nest [16, 64] {
// CHECK-NEXT:      kernel.sweep [512] {
// CHECK-NEXT:        [[A:%.+]] = kernel.load %x[d0, d2, d1] : f32
// CHECK-NEXT:        [[B:%.+]] = kernel.prefix sum([[A]]) : f32
// CHECK-NEXT:        kernel.store [[B]] to 0[d0, d2, d1]
// CHECK-NEXT:        kernel.yield
// CHECK-NEXT:      }
// CHECK-NEXT:    } : tensor<16x512x64xf32>
func.func @middle(%x: tensor<16x512x64xf32>) -> tensor<16x512x64xf32> {
  %r = opc.cum_sum %x {axis = 1}
  return %r : tensor<16x512x64xf32>
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    %r = kernel.nest [] {
// CHECK-NEXT:      kernel.sweep [N] {
// CHECK-NEXT:        [[A:%.+]] = kernel.load %x[d0] : i32
// CHECK-NEXT:        [[B:%.+]] = kernel.prefix prod([[A]]) exclusive reverse : i32
func.func @one(%x: tensor<?xi32, #opc.dims<N>>) -> tensor<?xi32, #opc.dims<N>> {
  %r = opc.cum_prod %x {exclusive = true, reverse = true}
  return %r : tensor<?xi32, #opc.dims<N>>
}

// Nests without totals stay.
// CHECK-LABEL: func.func @none(
// CHECK-NEXT:    %r = kernel.nest [4] {
// CHECK-NEXT:      kernel.load
func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.apply neg(%x) : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
