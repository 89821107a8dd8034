// Reductions of small windows become expressions, and what is compared more than once is stored as it is compared.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,unroll-windows | filecheck %s

// A value of the window is in each lane; lanes are added by halving, to 0.
// CHECK-LABEL: func.func @sum(
// CHECK-NEXT:    kernel.nest [2, 7] {
// CHECK-NEXT:      [[A:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:      [[B:%.+]] = kernel.load %x[d0, d1 + 1] : f32
// CHECK-NEXT:      [[C:%.+]] = kernel.load %x[d0, d1 + 2] : f32
// CHECK-NEXT:      [[D:%.+]] = scalar.apply add([[A]], [[C]]) : f32
// CHECK-NEXT:      [[E:%.+]] = scalar.apply add([[D]], [[B]]) : f32
// CHECK-NEXT:      [[F:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:      [[G:%.+]] = scalar.apply add([[F]], [[E]]) : f32
// CHECK-NEXT:      kernel.store [[G]] to 0[d0, d1]
// CHECK-NEXT:    } : tensor<2x7xf32>
func.func @sum(%x: tensor<2x9xf32>) -> tensor<2x7xf32> {
  %w = opc.windows %x {sizes = [3], strides = [1], dilations = [1]}
  %r = opc.reduce_sum %w {axes = [2], keepdims = false}
  return %r : tensor<2x7xf32>
}

// Floats are compared as integers; an input stays what it is.
// CHECK-LABEL: func.func @greatest(
// CHECK-NEXT:    kernel.nest [2, 4] {
// CHECK-NEXT:      [[A:%.+]] = kernel.load %x[d0, d1*2] : f32
// CHECK-NEXT:      [[B:%.+]] = kernel.load %x[d0, d1*2 + 1] : f32
// CHECK-NEXT:      [[C:%.+]] = scalar.apply order([[A]]) : i32
// CHECK-NEXT:      [[D:%.+]] = scalar.constant -8388607 : i32
// CHECK-NEXT:      [[E:%.+]] = scalar.apply add([[C]], [[D]]) : i32
// CHECK:           [[F:%.+]] = scalar.apply max([[E]], {{.+}}) : i32
// CHECK-NEXT:      [[G:%.+]] = scalar.constant 8388607 : i32
// CHECK-NEXT:      [[H:%.+]] = scalar.apply add([[F]], [[G]]) : i32
// CHECK-NEXT:      scalar.apply unorder([[H]]) : f32
func.func @greatest(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = opc.windows %x {sizes = [2], strides = [2], dilations = [1]}
  %r = opc.reduce_max %w {axes = [2], keepdims = false}
  return %r : tensor<2x4xf32>
}

// What only a window sees is stored as integers.
// CHECK-LABEL: func.func @stored(
// CHECK:           scalar.apply exp(
// CHECK-NEXT:      [[A:%.+]] = scalar.apply order(
// CHECK:           kernel.store
// CHECK-NEXT:    } : tensor<2x8xi32>
// CHECK-NEXT:    kernel.nest [2, 6] {
// CHECK-COUNT-3:   kernel.load {{.*}} : i32
// CHECK-NOT:       apply order(
func.func @stored(%x: tensor<2x8xf32>) -> tensor<2x6xf32> {
  %e = opc.exp %x
  %w = opc.windows %e {sizes = [3], strides = [1], dilations = [1]}
  %r = opc.reduce_min %w {axes = [2], keepdims = false}
  return %r : tensor<2x6xf32>
}

// A lane of a larger window has two values, or three.
// CHECK-LABEL: func.func @lanes(
// CHECK-NOT:     kernel.sweep
// CHECK-COUNT-129: kernel.load
// CHECK:         [[A:%.+]] = scalar.apply add(%0, %64) : f32
// CHECK-NEXT:    [[B:%.+]] = scalar.apply add([[A]], %128) : f32
// CHECK-NEXT:    scalar.apply add(%1, %65) : f32
func.func @lanes(%x: tensor<160xf32>) -> tensor<32xf32> {
  %w = opc.windows %x {sizes = [129], strides = [1], dilations = [1]}
  %r = opc.reduce_sum %w {axes = [1], keepdims = false}
  return %r : tensor<32xf32>
}

// What stays: rows of values, large windows, and searches.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: kernel.sweep
// CHECK-NOT:     kernel.sweep
func.func @others(%x: tensor<20x9xf32>, %z: tensor<2x349xf32>) -> (tensor<20xf32>, tensor<2x50xf32>, tensor<2x347xi64>) {
  %a = opc.reduce_max %x {axes = [1], keepdims = false}
  %l = opc.windows %z {sizes = [300], strides = [1], dilations = [1]}
  %c = opc.reduce_sum %l {axes = [2], keepdims = false}
  %p = opc.windows %z {sizes = [3], strides = [1], dilations = [1]}
  %d = opc.argmax %p {axis = 2, keepdims = false}
  return %a, %c, %d : tensor<20xf32>, tensor<2x50xf32>, tensor<2x347xi64>
}
