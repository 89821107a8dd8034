// What one sweep computes for a later one is kept in an array, from which it is summed, too.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Of a softmax, the exponentials.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0*64 + d1]([[A]], [[D]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply order([[E]]) : i32
// CHECK-NEXT:         [[G:%.+]] = scalar.constant -8388607 : i32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply add([[F]], [[G]]) : i32
// CHECK-NEXT:         [[I:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply max([[I]], [[H]]) : i32
// CHECK-NEXT:         loop.store [[J]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[K:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       [[L:%.+]] = scalar.constant 8388607 : i32
// CHECK-NEXT:       [[M:%.+]] = scalar.apply add([[K]], [[L]]) : i32
// CHECK-NEXT:       [[N:%.+]] = scalar.apply unorder([[M]]) : f32
// CHECK-NEXT:       [[O:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[P:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[R:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[R]] to [[P]][d0]([[Q]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[T:%.+]] = loop.load %x[d0*64 + d1]([[A]], [[S]]) : f32
// CHECK-NEXT:         [[U:%.+]] = scalar.apply sub([[T]], [[N]]) : f32
// CHECK-NEXT:         [[V:%.+]] = scalar.apply exp([[U]]) : f32
// CHECK-NEXT:         loop.store [[V]] to [[O]][d0]([[S]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[W:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[X:%.+]] = loop.load [[O]][d0]([[W]]) : f32
// CHECK-NEXT:         [[Y:%.+]] = loop.load [[P]][d0]([[W]]) : f32
// CHECK-NEXT:         [[Z:%.+]] = scalar.apply add([[Y]], [[X]]) : f32
// CHECK-NEXT:         loop.store [[Z]] to [[P]][d0]([[W]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[AA:%.+]] = loop.combine sum [[P]] : f32
// CHECK-NEXT:       loop.for [[AB:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[AC:%.+]] = loop.load [[O]][d0]([[AB]]) : f32
// CHECK-NEXT:         [[AD:%.+]] = scalar.apply div([[AC]], [[AA]]) : f32
// CHECK-NEXT:         loop.store [[AD]] to %out0[d0*64 + d1]([[A]], [[AB]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @softmax(%x: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<2x64xf32>
}
