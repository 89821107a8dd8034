// A maximum of floats is one of integers, and a minimum as well, for the sake of NaN.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// CHECK-LABEL: func.func @maximum(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[B:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:     loop.store [[B]] to [[A]][0]
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <112> step 1 serial {
// CHECK-NEXT:       [[D:%.+]] = loop.load %x[d0]([[C]]) : f32
// CHECK-NEXT:       [[E:%.+]] = scalar.apply order([[D]]) : i32
// CHECK-NEXT:       [[F:%.+]] = scalar.constant -8388607 : i32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply add([[E]], [[F]]) : i32
// CHECK-NEXT:       [[H:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply max([[H]], [[G]]) : i32
// CHECK-NEXT:       loop.store [[I]] to [[A]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[J:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:     [[K:%.+]] = scalar.constant 8388607 : i32
// CHECK-NEXT:     [[L:%.+]] = scalar.apply add([[J]], [[K]]) : i32
// CHECK-NEXT:     [[M:%.+]] = scalar.apply unorder([[L]]) : f32
// CHECK-NEXT:     loop.store [[M]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @maximum(%x: tensor<112xf32>) -> tensor<f32> {
  %r = opc.reduce_max %x {axes = [0]}
  return %r : tensor<f32>
}

// What is more than the first cache holds is one loop, too.
// CHECK-LABEL: func.func @large(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <8192> step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0*8192 + d1]([[A]], [[D]]) : i32
// CHECK-NEXT:         [[F:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[G:%.+]] = scalar.apply max([[F]], [[E]]) : i32
// CHECK-NEXT:         loop.store [[G]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[H:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       loop.store [[H]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @large(%x: tensor<2x8192xi32>) -> tensor<2xi32> {
  %r = opc.reduce_max %x {axes = [1]}
  return %r : tensor<2xi32>
}
