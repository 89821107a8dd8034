// Rows that fill no vector are turned around, so that points lie side by side.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// 3 values in 4 lanes: all of them at once, at each point.
// CHECK-LABEL: func.func @at_once(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:     loop.transpose %x to [[A]][0, 3, 0, 64, 64, 3]
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[D:%.+]] = loop.load [[A]][d0]([[C]]) : f32
// CHECK-NEXT:       [[E:%.+]] = loop.load [[A]][d0 + 64]([[C]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load [[A]][d0 + 128]([[C]]) : f32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply add([[D]], [[F]]) : f32
// CHECK-NEXT:       [[H:%.+]] = scalar.apply add([[G]], [[E]]) : f32
// CHECK-NEXT:       [[I:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply add([[I]], [[H]]) : f32
// CHECK-NEXT:       loop.store [[J]] to [[B]][d0]([[C]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[K:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[L:%.+]] = loop.load [[B]][d0]([[K]]) : f32
// CHECK-NEXT:       loop.store [[L]] to %out0[d0]([[K]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @at_once(%x: tensor<64x3xf32>) -> tensor<64xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<64xf32>
}

// Extremes of short rows.
// CHECK-LABEL: func.func @extremes(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<192xi32>
// CHECK-NEXT:     loop.transpose %x to [[A]][0, 3, 0, 64, 64, 3]
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<64xi32>
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[D:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[F:%.+]] = loop.load [[A]][d0]([[E]]) : i32
// CHECK-NEXT:       [[G:%.+]] = loop.load [[A]][d0 + 64]([[E]]) : i32
// CHECK-NEXT:       [[H:%.+]] = loop.load [[A]][d0 + 128]([[E]]) : i32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply max([[F]], [[G]]) : i32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply max([[I]], [[H]]) : i32
// CHECK-NEXT:       [[K:%.+]] = loop.load [[B]][d0]([[E]]) : i32
// CHECK-NEXT:       [[L:%.+]] = scalar.apply max([[K]], [[J]]) : i32
// CHECK-NEXT:       loop.store [[L]] to [[B]][d0]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[M:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[N:%.+]] = loop.load [[B]][d0]([[M]]) : i32
// CHECK-NEXT:       loop.store [[N]] to %out0[d0]([[M]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @extremes(%x: tensor<64x3xi32>) -> tensor<64xi32> {
  %r = opc.reduce_max %x {axes = [1]}
  return %r : tensor<64xi32>
}
