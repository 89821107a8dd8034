// Several blocks of 16 groups, whose totals are added in a tree.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,lower-to-loops,simplify-loops | filecheck %s

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
// CHECK-NEXT:             loop.store [[O]] to [[M]][d0]([[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[P:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[Q:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[R:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 64]([[A]], [[L]], [[Q]]) : f32
// CHECK-NEXT:             [[S:%.+]] = loop.load [[M]][d0]([[Q]]) : f32
// CHECK-NEXT:             [[T:%.+]] = scalar.apply add([[S]], [[R]]) : f32
// CHECK-NEXT:             loop.store [[T]] to [[P]][d0]([[Q]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[U:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[V:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 128]([[A]], [[L]], [[U]]) : f32
// CHECK-NEXT:             loop.store [[V]] to [[M]][d0]([[U]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[W:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[X:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[Y:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 192]([[A]], [[L]], [[X]]) : f32
// CHECK-NEXT:             [[Z:%.+]] = loop.load [[M]][d0]([[X]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = scalar.apply add([[Z]], [[Y]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = loop.load [[P]][d0]([[X]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply add([[AB]], [[AA]]) : f32
// CHECK-NEXT:             loop.store [[AC]] to [[W]][d0]([[X]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AD:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AE:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 256]([[A]], [[L]], [[AD]]) : f32
// CHECK-NEXT:             loop.store [[AE]] to [[M]][d0]([[AD]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AF:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AG:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 320]([[A]], [[L]], [[AF]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = loop.load [[M]][d0]([[AF]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = scalar.apply add([[AH]], [[AG]]) : f32
// CHECK-NEXT:             loop.store [[AI]] to [[P]][d0]([[AF]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AJ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AK:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 384]([[A]], [[L]], [[AJ]]) : f32
// CHECK-NEXT:             loop.store [[AK]] to [[M]][d0]([[AJ]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AL:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AM:%.+]] = loop.load %x[d0*16384 + d1 + d2 + 448]([[A]], [[L]], [[AL]]) : f32
// CHECK-NEXT:             [[AN:%.+]] = loop.load [[M]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AO:%.+]] = scalar.apply add([[AN]], [[AM]]) : f32
// CHECK-NEXT:             [[AP:%.+]] = loop.load [[P]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AQ:%.+]] = scalar.apply add([[AP]], [[AO]]) : f32
// CHECK-NEXT:             [[AR:%.+]] = loop.load [[W]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AS:%.+]] = scalar.apply add([[AR]], [[AQ]]) : f32
// CHECK-NEXT:             [[AT:%.+]] = loop.load [[B]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AU:%.+]] = scalar.apply add([[AT]], [[AS]]) : f32
// CHECK-NEXT:             loop.store [[AU]] to [[B]][d0]([[AL]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.cascade finish [[B]], [[G]], [[E]]
// CHECK-NEXT:       [[AV:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[AV]] to %out0[d0]([[A]])
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
// CHECK-NEXT:             loop.store [[P]] to [[N]][d0]([[O]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[Q:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[R:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[S:%.+]] = loop.load %x[d0 + d1 + 64]([[M]], [[R]]) : f32
// CHECK-NEXT:             [[T:%.+]] = loop.load [[N]][d0]([[R]]) : f32
// CHECK-NEXT:             [[U:%.+]] = scalar.apply add([[T]], [[S]]) : f32
// CHECK-NEXT:             loop.store [[U]] to [[Q]][d0]([[R]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[V:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[W:%.+]] = loop.load %x[d0 + d1 + 128]([[M]], [[V]]) : f32
// CHECK-NEXT:             loop.store [[W]] to [[N]][d0]([[V]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[X:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[Y:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[Z:%.+]] = loop.load %x[d0 + d1 + 192]([[M]], [[Y]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = loop.load [[N]][d0]([[Y]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = scalar.apply add([[AA]], [[Z]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = loop.load [[Q]][d0]([[Y]]) : f32
// CHECK-NEXT:             [[AD:%.+]] = scalar.apply add([[AC]], [[AB]]) : f32
// CHECK-NEXT:             loop.store [[AD]] to [[X]][d0]([[Y]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AE:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AF:%.+]] = loop.load %x[d0 + d1 + 256]([[M]], [[AE]]) : f32
// CHECK-NEXT:             loop.store [[AF]] to [[N]][d0]([[AE]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AG:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AH:%.+]] = loop.load %x[d0 + d1 + 320]([[M]], [[AG]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = loop.load [[N]][d0]([[AG]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:             loop.store [[AJ]] to [[Q]][d0]([[AG]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AK:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AL:%.+]] = loop.load %x[d0 + d1 + 384]([[M]], [[AK]]) : f32
// CHECK-NEXT:             loop.store [[AL]] to [[N]][d0]([[AK]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AM:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AN:%.+]] = loop.load %x[d0 + d1 + 448]([[M]], [[AM]]) : f32
// CHECK-NEXT:             [[AO:%.+]] = loop.load [[N]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AP:%.+]] = scalar.apply add([[AO]], [[AN]]) : f32
// CHECK-NEXT:             [[AQ:%.+]] = loop.load [[Q]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AR:%.+]] = scalar.apply add([[AQ]], [[AP]]) : f32
// CHECK-NEXT:             [[AS:%.+]] = loop.load [[X]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AT:%.+]] = scalar.apply add([[AS]], [[AR]]) : f32
// CHECK-NEXT:             [[AU:%.+]] = loop.load [[C]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AV:%.+]] = scalar.apply add([[AU]], [[AT]]) : f32
// CHECK-NEXT:             loop.store [[AV]] to [[C]][d0]([[AM]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.cascade finish [[C]], [[H]], [[F]]
// CHECK-NEXT:       loop.for [[AW:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[AX:%.+]] = loop.load [[C]][d0]([[AW]]) : f32
// CHECK-NEXT:         loop.store [[AX]] to [[A]][d0*64 + d1]([[B]], [[AW]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AY:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[AZ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[BA:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[BA]] to [[AY]][d0]([[AZ]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[BB:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[BC:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[BC]] to [[BB]][0]
// CHECK-NEXT:     [[BD:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:     loop.for [[BE:%.+]] = <0> to <2> step 1 serial {
// CHECK-NEXT:       loop.cascade next [[AY]], [[BD]], [[BB]]
// CHECK-NEXT:       [[BF:%.+]] = loop.load [[BB]][0] : i64
// CHECK-NEXT:       [[BG:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[BH:%.+]] = scalar.apply add([[BF]], [[BG]]) : i64
// CHECK-NEXT:       loop.store [[BH]] to [[BB]][0]
// CHECK-NEXT:       loop.for [[BI:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[BJ:%.+]] = loop.load [[A]][d0*64 + d1]([[BE]], [[BI]]) : f32
// CHECK-NEXT:         loop.store [[BJ]] to [[AY]][d0]([[BI]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade finish [[AY]], [[BD]], [[BB]]
// CHECK-NEXT:     [[BK:%.+]] = loop.combine sum [[AY]] : f32
// CHECK-NEXT:     loop.store [[BK]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @chunks(%x: tensor<131072xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}
