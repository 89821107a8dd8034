// Several blocks of 16 groups, whose totals are added in a tree.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Groups of 512 values in blocks of 8192: what memory gives next is asked for a page ahead.
// CHECK-LABEL: func.func @cascade(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[F:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[F]] to [[E]][0]
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <16384> step 8192 serial {
// CHECK-NEXT:         loop.cascade next [[B]], [[G]], [[E]]
// CHECK-NEXT:         [[I:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:         [[J:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[K:%.+]] = scalar.apply add([[I]], [[J]]) : i64
// CHECK-NEXT:         loop.store [[K]] to [[E]][0]
// CHECK-NEXT:         loop.for [[L:%.+]] = <d0> to <d0 + 8192>([[H]]) step 512 serial {
// CHECK-NEXT:           [[M:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[N:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[O:%.+]] = loop.load %x[d0*16384 + d1 + d2]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:             [[P:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 64]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:             [[Q:%.+]] = scalar.apply add([[O]], [[P]]) : f32
// CHECK-NEXT:             loop.store [[Q]] to [[M]][d0]([[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[R:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[T:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 128]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:             [[U:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 192]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:             [[V:%.+]] = scalar.apply add([[T]], [[U]]) : f32
// CHECK-NEXT:             [[W:%.+]] = loop.load [[M]][d0]([[S]]) : f32
// CHECK-NEXT:             [[X:%.+]] = scalar.apply add([[W]], [[V]]) : f32
// CHECK-NEXT:             loop.store [[X]] to [[R]][d0]([[S]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[Y:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[Z:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 256]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 320]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = scalar.apply add([[Z]], [[AA]]) : f32
// CHECK-NEXT:             loop.store [[AB]] to [[M]][d0]([[Y]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AD:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 384]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:             [[AE:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 448]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:             [[AF:%.+]] = scalar.apply add([[AD]], [[AE]]) : f32
// CHECK-NEXT:             [[AG:%.+]] = loop.load [[M]][d0]([[AC]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = scalar.apply add([[AG]], [[AF]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = loop.load [[R]][d0]([[AC]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:             [[AK:%.+]] = loop.load [[B]][d0]([[AC]]) : f32
// CHECK-NEXT:             [[AL:%.+]] = scalar.apply add([[AK]], [[AJ]]) : f32
// CHECK-NEXT:             loop.store [[AL]] to [[B]][d0]([[AC]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.cascade finish [[B]], [[G]], [[E]]
// CHECK-NEXT:       [[AM:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[AM]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @cascade(%x: tensor<2x16384xf32>) -> tensor<2xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<2xf32>
}

// One point: threads share chunks of 8 blocks, and the tree over the chunks is the same tree.
// CHECK-LABEL: func.func @chunks(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[E]] to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[G:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[G]] to [[F]][0]
// CHECK-NEXT:       [[H:%.+]] = loop.local : memref<320xf32>
// CHECK-NEXT:       loop.for [[I:%.+]] = <d0*65536> to <d0*65536 + 65536>([[B]]) step 8192 serial {
// CHECK-NEXT:         loop.cascade next [[C]], [[H]], [[F]]
// CHECK-NEXT:         [[J:%.+]] = loop.load [[F]][0] : i64
// CHECK-NEXT:         [[K:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[L:%.+]] = scalar.apply add([[J]], [[K]]) : i64
// CHECK-NEXT:         loop.store [[L]] to [[F]][0]
// CHECK-NEXT:         loop.for [[M:%.+]] = <d0> to <d0 + 8192>([[I]]) step 512 serial {
// CHECK-NEXT:           [[N:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[O:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[P:%.+]] = loop.load %x[d0 + d1]([[M]], [[O]]) : f32
// CHECK-NEXT:             [[Q:%.+]] = loop.load %x[d0 + d1 + 64]([[M]], [[O]]) : f32
// CHECK-NEXT:             [[R:%.+]] = scalar.apply add([[P]], [[Q]]) : f32
// CHECK-NEXT:             loop.store [[R]] to [[N]][d0]([[O]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[S:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[T:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[U:%.+]] = loop.load %x[d0 + d1 + 128]([[M]], [[T]]) : f32
// CHECK-NEXT:             [[V:%.+]] = loop.load %x[d0 + d1 + 192]([[M]], [[T]]) : f32
// CHECK-NEXT:             [[W:%.+]] = scalar.apply add([[U]], [[V]]) : f32
// CHECK-NEXT:             [[X:%.+]] = loop.load [[N]][d0]([[T]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = scalar.apply add([[X]], [[W]]) : f32
// CHECK-NEXT:             loop.store [[Y]] to [[S]][d0]([[T]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[Z:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AA:%.+]] = loop.load %x[d0 + d1 + 256]([[M]], [[Z]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = loop.load %x[d0 + d1 + 320]([[M]], [[Z]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply add([[AA]], [[AB]]) : f32
// CHECK-NEXT:             loop.store [[AC]] to [[N]][d0]([[Z]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AD:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AE:%.+]] = loop.load %x[d0 + d1 + 384]([[M]], [[AD]]) : f32
// CHECK-NEXT:             [[AF:%.+]] = loop.load %x[d0 + d1 + 448]([[M]], [[AD]]) : f32
// CHECK-NEXT:             [[AG:%.+]] = scalar.apply add([[AE]], [[AF]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = loop.load [[N]][d0]([[AD]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = scalar.apply add([[AH]], [[AG]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = loop.load [[S]][d0]([[AD]]) : f32
// CHECK-NEXT:             [[AK:%.+]] = scalar.apply add([[AJ]], [[AI]]) : f32
// CHECK-NEXT:             [[AL:%.+]] = loop.load [[C]][d0]([[AD]]) : f32
// CHECK-NEXT:             [[AM:%.+]] = scalar.apply add([[AL]], [[AK]]) : f32
// CHECK-NEXT:             loop.store [[AM]] to [[C]][d0]([[AD]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.cascade finish [[C]], [[H]], [[F]]
// CHECK-NEXT:       loop.for [[AN:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[AO:%.+]] = loop.load [[C]][d0]([[AN]]) : f32
// CHECK-NEXT:         loop.store [[AO]] to [[A]][d0*64 + d1]([[B]], [[AN]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AP:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[AQ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AR:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[AR]] to [[AP]][d0]([[AQ]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AS:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[AT:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[AT]] to [[AS]][0]
// CHECK-NEXT:     [[AU:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:     loop.for [[AV:%.+]] = <0> to <2> step 1 serial {
// CHECK-NEXT:       loop.cascade next [[AP]], [[AU]], [[AS]]
// CHECK-NEXT:       [[AW:%.+]] = loop.load [[AS]][0] : i64
// CHECK-NEXT:       [[AX:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[AY:%.+]] = scalar.apply add([[AW]], [[AX]]) : i64
// CHECK-NEXT:       loop.store [[AY]] to [[AS]][0]
// CHECK-NEXT:       loop.for [[AZ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[BA:%.+]] = loop.load [[A]][d0*64 + d1]([[AV]], [[AZ]]) : f32
// CHECK-NEXT:         loop.store [[BA]] to [[AP]][d0]([[AZ]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade finish [[AP]], [[AU]], [[AS]]
// CHECK-NEXT:     [[BB:%.+]] = loop.combine sum [[AP]] : f32
// CHECK-NEXT:     loop.store [[BB]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @chunks(%x: tensor<131072xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}
