// Each sweep of a norm takes 16 rows, one after the other; roots of their sums are in vectors.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// CHECK-LABEL: func.func @norm(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <70> step 16 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(16, -d0 + 70)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[D:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[F:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[F]] to [[D]][d0]([[E]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[G:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[H:%.+]] = loop.load %x[d0*128 + d1*128 + d2]([[A]], [[C]], [[G]]) : f32
// CHECK-NEXT:           [[I:%.+]] = scalar.apply mul([[H]], [[H]]) : f32
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0*128 + d1*128 + d2 + 64]([[A]], [[C]], [[G]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply mul([[J]], [[J]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply add([[I]], [[K]]) : f32
// CHECK-NEXT:           [[M:%.+]] = loop.load [[D]][d0]([[G]]) : f32
// CHECK-NEXT:           [[N:%.+]] = scalar.apply add([[M]], [[L]]) : f32
// CHECK-NEXT:           loop.store [[N]] to [[D]][d0]([[G]])
// CHECK-NEXT:         }
// CHECK-NEXT:         [[O:%.+]] = loop.combine sum [[D]] : f32
// CHECK-NEXT:         loop.store [[O]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[P:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <min(16, -d0 + 70)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[R:%.+]] = loop.load [[B]][d0]([[Q]]) : f32
// CHECK-NEXT:         [[S:%.+]] = scalar.apply sqrt([[R]]) : f32
// CHECK-NEXT:         loop.store [[S]] to [[P]][d0]([[Q]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[T:%.+]] = <0> to <min(16, -d0 + 70)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[U:%.+]] = loop.load [[P]][d0]([[T]]) : f32
// CHECK-NEXT:         loop.for [[V:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:           [[W:%.+]] = loop.load %x[d0*128 + d1*128 + d2]([[A]], [[T]], [[V]]) : f32
// CHECK-NEXT:           [[X:%.+]] = scalar.apply div([[W]], [[U]]) : f32
// CHECK-NEXT:           loop.store [[X]] to %out0[d0*128 + d1*128 + d2]([[A]], [[T]], [[V]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
func.func @norm(%x: tensor<70x128xf32>) -> tensor<70x128xf32> {
  %q = opc.mul %x, %x
  %v = opc.reduce_sum %q {axes = [1], keepdims = true}
  %s = opc.sqrt %v
  %r = opc.div %x, %s
  return %r : tensor<70x128xf32>
}
