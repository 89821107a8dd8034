// What one sweep computes for a later one is kept in an array, from which it is summed, too.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Of a softmax, the exponentials.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[D:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:       loop.store [[D]] to [[B]][0]
// CHECK-NEXT:       [[E:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:       loop.store [[E]] to [[C]][0]
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*64 + d1]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply order([[G]]) : i32
// CHECK-NEXT:         [[I:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply max([[I]], [[H]]) : i32
// CHECK-NEXT:         loop.store [[J]] to [[B]][0]
// CHECK-NEXT:         [[K:%.+]] = loop.load [[C]][0] : i32
// CHECK-NEXT:         [[L:%.+]] = scalar.apply min([[K]], [[H]]) : i32
// CHECK-NEXT:         loop.store [[L]] to [[C]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[M:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       [[N:%.+]] = loop.load [[C]][0] : i32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply lt([[N]], [[D]]) : i1
// CHECK-NEXT:       [[P:%.+]] = scalar.apply select([[O]], [[N]], [[M]]) : i32
// CHECK-NEXT:       [[Q:%.+]] = scalar.apply unorder([[P]]) : f32
// CHECK-NEXT:       [[R:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[S:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[T:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[U:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[U]] to [[S]][d0]([[T]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[V:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[W:%.+]] = loop.load %x[d0*64 + d1]([[A]], [[V]]) : f32
// CHECK-NEXT:         [[X:%.+]] = scalar.apply sub([[W]], [[Q]]) : f32
// CHECK-NEXT:         [[Y:%.+]] = scalar.apply exp([[X]]) : f32
// CHECK-NEXT:         loop.store [[Y]] to [[R]][d0]([[V]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[Z:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[AA:%.+]] = loop.load [[R]][d0]([[Z]]) : f32
// CHECK-NEXT:         [[AB:%.+]] = loop.load [[S]][d0]([[Z]]) : f32
// CHECK-NEXT:         [[AC:%.+]] = scalar.apply add([[AB]], [[AA]]) : f32
// CHECK-NEXT:         loop.store [[AC]] to [[S]][d0]([[Z]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[AD:%.+]] = loop.combine sum [[S]] : f32
// CHECK-NEXT:       loop.for [[AE:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[AF:%.+]] = loop.load [[R]][d0]([[AE]]) : f32
// CHECK-NEXT:         [[AG:%.+]] = scalar.apply div([[AF]], [[AD]]) : f32
// CHECK-NEXT:         loop.store [[AG]] to %out0[d0*64 + d1]([[A]], [[AE]])
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
