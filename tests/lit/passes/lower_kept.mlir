// Values that lie in outputs, addressed by the index of each load.
// RUN: opc-opt %s -p plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// What overwrites them has more dimensions than the sweep that keeps them.
// CHECK-LABEL: func.func @higher_rank(
// CHECK:         [[E:%.+]] = scalar.apply exp(
// CHECK:         loop.store [[E]] to %out0[d0*64 + d1]([[I:%.+]], [[J:%.+]])
// CHECK:         [[K:%.+]] = loop.load %out0[d0*64 + d1]([[L:%.+]], [[M:%.+]]) : f32
// CHECK:         loop.store {{%.+}} to %out0[d0*64 + d1]([[L]], [[M]])
func.func @higher_rank(%x: tensor<40x64xf32>) -> tensor<1x40x64xf32> {
  %y = kernel.nest [64] {
    %e, %m = kernel.sweep [40] (keep to 0[0, d1, d0], max) {
      %0 = kernel.load %x[d1, d0] : f32
      %1 = scalar.apply exp(%0) : f32
      kernel.yield %1, %1
    } : tensor<40xf32>, f32
    kernel.sweep [1, 40] {
      %2 = kernel.load %e[d2] : f32
      %3 = scalar.apply div(%2, %m) : f32
      kernel.store %3 to 0[d1, d2, d0]
      kernel.yield
    }
  } : tensor<1x40x64xf32>
  return %y : tensor<1x40x64xf32>
}

// A transposed load keeps dimensions apart that the sweep that keeps goes through as one.
// CHECK-LABEL: func.func @transposed(
// CHECK:         [[E:%.+]] = scalar.apply exp(
// CHECK:         loop.store [[E]] to %out0[d0*64 + d1]([[I:%.+]], [[J:%.+]])
// CHECK:         [[K:%.+]] = loop.load %out0[d0*64 + d1*320 + d2]([[L:%.+]], [[M:%.+]], [[N:%.+]]) : f32
// CHECK:         loop.store {{%.+}} to %out1[d0*448 + d1*64 + d2]([[L]], [[M]], [[N]])
func.func @transposed(%x: tensor<7x5x64xf32>) -> (tensor<7x5x64xf32>, tensor<5x7x64xf32>) {
  %y, %z = kernel.nest [64] {
    %e, %m = kernel.sweep [7, 5] (keep to 0[d1, d2, d0], max) {
      %0 = kernel.load %x[d1, d2, d0] : f32
      %1 = scalar.apply exp(%0) : f32
      kernel.store %1 to 0[d1, d2, d0]
      kernel.yield %1, %1
    } : tensor<7x5xf32>, f32
    kernel.sweep [5, 7] {
      %2 = kernel.load %e[d2, d1] : f32
      %3 = scalar.apply div(%2, %m) : f32
      kernel.store %3 to 1[d1, d2, d0]
      kernel.yield
    }
  } : tensor<7x5x64xf32>, tensor<5x7x64xf32>
  return %y, %z : tensor<7x5x64xf32>, tensor<5x7x64xf32>
}
