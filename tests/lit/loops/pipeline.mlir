// A row is finished while functions are computed of the next one, 64 values of each in turns.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Of a block of 4 the first row goes alone up to its last sweep, which of the last row goes alone.
// CHECK-LABEL: func.func @shares(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <64> step 4 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<f32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       [[D:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[F:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[F]] to [[D]][d0]([[E]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0*128 + d1]([[A]], [[G]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply exp([[H]]) : f32
// CHECK-NEXT:         loop.store [[I]] to [[C]][d0]([[G]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[J:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[K:%.+]] = loop.load [[C]][d0]([[J]]) : f32
// CHECK-NEXT:         [[L:%.+]] = loop.load [[C]][d0 + 64]([[J]]) : f32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply add([[K]], [[L]]) : f32
// CHECK-NEXT:         [[N:%.+]] = loop.load [[D]][d0]([[J]]) : f32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply add([[N]], [[M]]) : f32
// CHECK-NEXT:         loop.store [[O]] to [[D]][d0]([[J]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[P:%.+]] = loop.combine sum [[D]] : f32
// CHECK-NEXT:       loop.store [[P]] to [[B]][0]
// CHECK-NEXT:       loop.for [[Q:%.+]] = <d0> to <d0 + 3>([[A]]) step 1 serial {
// CHECK-NEXT:         [[R:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:         [[S:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.for [[T:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[U:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[U]] to [[S]][d0]([[T]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[V:%.+]] = <0> to <128> step 64 serial {
// CHECK-NEXT:           loop.for [[W:%.+]] = <d0> to <d0 + 64>([[V]]) step 1 vector {
// CHECK-NEXT:             [[X:%.+]] = loop.load [[C]][d0]([[W]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = scalar.apply div([[X]], [[R]]) : f32
// CHECK-NEXT:             loop.store [[Y]] to %out0[d0*128 + d1]([[Q]], [[W]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[Z:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AA:%.+]] = loop.load %x[d0*128 + d1 + d2 + 128]([[Q]], [[V]], [[Z]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = scalar.apply exp([[AA]]) : f32
// CHECK-NEXT:             loop.store [[AB]] to [[C]][d0 + d1]([[V]], [[Z]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[AD:%.+]] = loop.load [[C]][d0]([[AC]]) : f32
// CHECK-NEXT:           [[AE:%.+]] = loop.load [[C]][d0 + 64]([[AC]]) : f32
// CHECK-NEXT:           [[AF:%.+]] = scalar.apply add([[AD]], [[AE]]) : f32
// CHECK-NEXT:           [[AG:%.+]] = loop.load [[S]][d0]([[AC]]) : f32
// CHECK-NEXT:           [[AH:%.+]] = scalar.apply add([[AG]], [[AF]]) : f32
// CHECK-NEXT:           loop.store [[AH]] to [[S]][d0]([[AC]])
// CHECK-NEXT:         }
// CHECK-NEXT:         [[AI:%.+]] = loop.combine sum [[S]] : f32
// CHECK-NEXT:         loop.store [[AI]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[AJ:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:       loop.for [[AK:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:         [[AL:%.+]] = loop.load [[C]][d0]([[AK]]) : f32
// CHECK-NEXT:         [[AM:%.+]] = scalar.apply div([[AL]], [[AJ]]) : f32
// CHECK-NEXT:         loop.store [[AM]] to %out0[d0*128 + d1 + 384]([[A]], [[AK]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @shares(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<64x128xf32>
}

// What only multiplies and divides goes one row after the other.
// CHECK-LABEL: func.func @norm(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <64> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[F:%.+]] = loop.load %x[d0*128 + d1]([[A]], [[E]]) : f32
// CHECK-NEXT:         [[G:%.+]] = scalar.apply mul([[F]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0*128 + d1 + 64]([[A]], [[E]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply mul([[H]], [[H]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply add([[G]], [[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = loop.load [[B]][d0]([[E]]) : f32
// CHECK-NEXT:         [[L:%.+]] = scalar.apply add([[K]], [[J]]) : f32
// CHECK-NEXT:         loop.store [[L]] to [[B]][d0]([[E]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[M:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.for [[N:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:         [[O:%.+]] = loop.load %x[d0*128 + d1]([[A]], [[N]]) : f32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply div([[O]], [[M]]) : f32
// CHECK-NEXT:         loop.store [[P]] to %out0[d0*128 + d1]([[A]], [[N]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @norm(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = opc.mul %x, %x
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %x, %s
  return %r : tensor<64x128xf32>
}
