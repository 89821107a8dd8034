// Loops down columns that are too few to fill vectors, and extremes of computed f16.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops | filecheck %s

// Rows of 7 columns lie side by side, 32 of them; what each row has one of is laid out for them.
// CHECK-LABEL: func.func @beside(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<224xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <224> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[E:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[E]] to [[D]][0]
// CHECK-NEXT:     [[F:%.+]] = loop.local : memref<448xf32>
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <1000> step 512 serial {
// CHECK-NEXT:       loop.cascade next [[A]], [[F]], [[D]]
// CHECK-NEXT:       [[H:%.+]] = loop.load [[D]][0] : i64
// CHECK-NEXT:       [[I:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[J:%.+]] = scalar.apply add([[H]], [[I]]) : i64
// CHECK-NEXT:       loop.store [[J]] to [[D]][0]
// CHECK-NEXT:       loop.for [[K:%.+]] = <d0> to <min(d0 + 512, 1000) - mod(-d0 + min(d0 + 512, 1000), 32)>([[G]]) step 32 serial {
// CHECK-NEXT:         [[L:%.+]] = loop.local : memref<224xf32>
// CHECK-NEXT:         loop.for [[M:%.+]] = <0> to <32> step 1 serial {
// CHECK-NEXT:           loop.for [[N:%.+]] = <0> to <7> step 1 serial {
// CHECK-NEXT:             [[O:%.+]] = loop.load %y[d0 + d1]([[K]], [[M]]) : f32
// CHECK-NEXT:             loop.store [[O]] to [[L]][d0*7 + d1]([[M]], [[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[P:%.+]] = <0> to <224> step 1 vector {
// CHECK-NEXT:           [[Q:%.+]] = loop.load %x[d0*7 + d1]([[K]], [[P]]) : f32
// CHECK-NEXT:           [[R:%.+]] = loop.load [[L]][d0]([[P]]) : f32
// CHECK-NEXT:           [[S:%.+]] = scalar.apply sub([[Q]], [[R]]) : f32
// CHECK-NEXT:           [[T:%.+]] = loop.load [[A]][d0]([[P]]) : f32
// CHECK-NEXT:           [[U:%.+]] = scalar.apply add([[T]], [[S]]) : f32
// CHECK-NEXT:           loop.store [[U]] to [[A]][d0]([[P]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[V:%.+]] = loop.local : memref<224xf32>
// CHECK-NEXT:       loop.for [[W:%.+]] = <0> to <mod(-d0 + min(d0 + 512, 1000), 32)>([[G]]) step 1 serial {
// CHECK-NEXT:         loop.for [[X:%.+]] = <0> to <7> step 1 serial {
// CHECK-NEXT:           [[Y:%.+]] = loop.load %y[d1 + min(d0 + 512, 1000) - mod(-d0 + min(d0 + 512, 1000), 32)]([[G]], [[W]]) : f32
// CHECK-NEXT:           loop.store [[Y]] to [[V]][d0*7 + d1]([[W]], [[X]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[Z:%.+]] = <0> to <mod(-d0 + min(d0 + 512, 1000), 32)*7>([[G]]) step 1 vector {
// CHECK-NEXT:         [[AA:%.+]] = loop.load %x[d1 + min(d0 + 512, 1000)*7 - mod(-d0 + min(d0 + 512, 1000), 32)*7]([[G]], [[Z]]) : f32
// CHECK-NEXT:         [[AB:%.+]] = loop.load [[V]][d0]([[Z]]) : f32
// CHECK-NEXT:         [[AC:%.+]] = scalar.apply sub([[AA]], [[AB]]) : f32
// CHECK-NEXT:         [[AD:%.+]] = loop.load [[A]][d0]([[Z]]) : f32
// CHECK-NEXT:         [[AE:%.+]] = scalar.apply add([[AD]], [[AC]]) : f32
// CHECK-NEXT:         loop.store [[AE]] to [[A]][d0]([[Z]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade finish [[A]], [[F]], [[D]]
// CHECK-NEXT:     loop.for [[AF:%.+]] = <0> to <112> step 1 vector {
// CHECK-NEXT:       [[AG:%.+]] = loop.load [[A]][d0]([[AF]]) : f32
// CHECK-NEXT:       [[AH:%.+]] = loop.load [[A]][d0 + 112]([[AF]]) : f32
// CHECK-NEXT:       [[AI:%.+]] = scalar.apply add([[AG]], [[AH]]) : f32
// CHECK-NEXT:       loop.store [[AI]] to [[A]][d0]([[AF]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AJ:%.+]] = <0> to <56> step 1 vector {
// CHECK-NEXT:       [[AK:%.+]] = loop.load [[A]][d0]([[AJ]]) : f32
// CHECK-NEXT:       [[AL:%.+]] = loop.load [[A]][d0 + 56]([[AJ]]) : f32
// CHECK-NEXT:       [[AM:%.+]] = scalar.apply add([[AK]], [[AL]]) : f32
// CHECK-NEXT:       loop.store [[AM]] to [[A]][d0]([[AJ]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AN:%.+]] = <0> to <28> step 1 vector {
// CHECK-NEXT:       [[AO:%.+]] = loop.load [[A]][d0]([[AN]]) : f32
// CHECK-NEXT:       [[AP:%.+]] = loop.load [[A]][d0 + 28]([[AN]]) : f32
// CHECK-NEXT:       [[AQ:%.+]] = scalar.apply add([[AO]], [[AP]]) : f32
// CHECK-NEXT:       loop.store [[AQ]] to [[A]][d0]([[AN]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AR:%.+]] = <0> to <14> step 1 vector {
// CHECK-NEXT:       [[AS:%.+]] = loop.load [[A]][d0]([[AR]]) : f32
// CHECK-NEXT:       [[AT:%.+]] = loop.load [[A]][d0 + 14]([[AR]]) : f32
// CHECK-NEXT:       [[AU:%.+]] = scalar.apply add([[AS]], [[AT]]) : f32
// CHECK-NEXT:       loop.store [[AU]] to [[A]][d0]([[AR]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AV:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:       [[AW:%.+]] = loop.load [[A]][d0]([[AV]]) : f32
// CHECK-NEXT:       [[AX:%.+]] = loop.load [[A]][d0 + 7]([[AV]]) : f32
// CHECK-NEXT:       [[AY:%.+]] = scalar.apply add([[AW]], [[AX]]) : f32
// CHECK-NEXT:       loop.store [[AY]] to [[A]][d0]([[AV]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AZ:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:       [[BA:%.+]] = loop.load [[A]][d0]([[AZ]]) : f32
// CHECK-NEXT:       loop.store [[BA]] to %out0[d0]([[AZ]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @beside(%x: tensor<1000x7xf32>, %y: tensor<1000x1xf32>) -> tensor<7xf32> {
  %d = opc.sub %x, %y
  %s = opc.reduce_sum %d {axes = [0]}
  return %s : tensor<7xf32>
}

// Groups of 3 columns are one row; what is the same in all rows is laid out once.
// CHECK-LABEL: func.func @folded(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<192xi32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:         [[D:%.+]] = loop.load %y[d0]([[B]]) : i32
// CHECK-NEXT:         loop.store [[D]] to [[A]][d0*3 + d1]([[B]], [[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[E:%.+]] = loop.local : memref<192xi32>
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:       [[G:%.+]] = loop.load [[A]][d0]([[F]]) : i32
// CHECK-NEXT:       loop.store [[G]] to [[E]][d0]([[F]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[H:%.+]] = loop.local : memref<192xi32>
// CHECK-NEXT:     loop.for [[I:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:       [[J:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[J]] to [[H]][d0]([[I]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[K:%.+]] = <0> to <1000> step 1 serial {
// CHECK-NEXT:       loop.for [[L:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:         [[M:%.+]] = loop.load %x[d0*192 + d1]([[K]], [[L]]) : i32
// CHECK-NEXT:         [[N:%.+]] = loop.load [[E]][d0]([[L]]) : i32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply sub([[M]], [[N]]) : i32
// CHECK-NEXT:         [[P:%.+]] = loop.load [[H]][d0]([[L]]) : i32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply max([[P]], [[O]]) : i32
// CHECK-NEXT:         loop.store [[Q]] to [[H]][d0]([[L]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[R:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:       [[S:%.+]] = loop.load [[H]][d0]([[R]]) : i32
// CHECK-NEXT:       loop.store [[S]] to %out0[d0]([[R]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @folded(%x: tensor<1000x64x3xi32>, %y: tensor<64x1xi32>) -> tensor<64x3xi32> {
  %d = opc.sub %x, %y
  %s = opc.reduce_max %d {axes = [0]}
  return %s : tensor<64x3xi32>
}

// Nothing is laid out that is as large as what is reduced.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT:     loop.local : memref<192xi32>
// CHECK:         func.return
func.func @apart(%x: tensor<64x1000x3xi32>, %y: tensor<64x1x1xi32>) -> tensor<64x3xi32> {
  %d = opc.sub %x, %y
  %s = opc.reduce_max %d {axes = [1]}
  return %s : tensor<64x3xi32>
}

// Where functions are computed, groups that lie apart are copied, and so is what a row stores.
// CHECK-LABEL: func.func @copied(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<192xi32>
// CHECK-NEXT:     [[C:%.+]] = loop.local : memref<192xi32>
// CHECK-NEXT:     [[D:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:     loop.fill [[D]] to [[B]]
// CHECK-NEXT:     [[E:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:     loop.fill [[E]] to [[C]]
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <5> step 1 serial {
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0*3 + d1*15 + d2]([[F]], [[H]], [[I]]) : f32
// CHECK-NEXT:           loop.store [[J]] to [[G]][d0*3 + d1]([[H]], [[I]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[K:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:         [[L:%.+]] = loop.load [[G]][d0]([[K]]) : f32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply order([[L]]) : i32
// CHECK-NEXT:         [[N:%.+]] = loop.load [[B]][d0]([[K]]) : i32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply max([[N]], [[M]]) : i32
// CHECK-NEXT:         loop.store [[O]] to [[B]][d0]([[K]])
// CHECK-NEXT:         [[P:%.+]] = loop.load [[C]][d0]([[K]]) : i32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply min([[P]], [[M]]) : i32
// CHECK-NEXT:         loop.store [[Q]] to [[C]][d0]([[K]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[R:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:       [[S:%.+]] = loop.load [[B]][d0]([[R]]) : i32
// CHECK-NEXT:       [[T:%.+]] = loop.load [[C]][d0]([[R]]) : i32
// CHECK-NEXT:       [[U:%.+]] = scalar.apply lt([[T]], [[D]]) : i1
// CHECK-NEXT:       [[V:%.+]] = scalar.apply select([[U]], [[T]], [[S]]) : i32
// CHECK-NEXT:       [[W:%.+]] = scalar.apply unorder([[V]]) : f32
// CHECK-NEXT:       loop.store [[W]] to [[A]][d0]([[R]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[X:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:     loop.for [[Y:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:       [[Z:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[Z]] to [[X]][d0]([[Y]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AA:%.+]] = <0> to <5> step 1 serial {
// CHECK-NEXT:       [[AB:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:       loop.for [[AC:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         loop.for [[AD:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:           [[AE:%.+]] = loop.load %x[d0*3 + d1*15 + d2]([[AA]], [[AC]], [[AD]]) : f32
// CHECK-NEXT:           loop.store [[AE]] to [[AB]][d0*3 + d1]([[AC]], [[AD]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[AF:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:       loop.for [[AG:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:         [[AH:%.+]] = loop.load [[AB]][d0]([[AG]]) : f32
// CHECK-NEXT:         [[AI:%.+]] = loop.load [[A]][d0]([[AG]]) : f32
// CHECK-NEXT:         [[AJ:%.+]] = scalar.apply sub([[AH]], [[AI]]) : f32
// CHECK-NEXT:         [[AK:%.+]] = scalar.apply exp([[AJ]]) : f32
// CHECK-NEXT:         loop.store [[AK]] to [[AF]][d0]([[AG]])
// CHECK-NEXT:         [[AL:%.+]] = loop.load [[X]][d0]([[AG]]) : f32
// CHECK-NEXT:         [[AM:%.+]] = scalar.apply add([[AL]], [[AK]]) : f32
// CHECK-NEXT:         loop.store [[AM]] to [[X]][d0]([[AG]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[AN:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         loop.for [[AO:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:           [[AP:%.+]] = loop.load [[AF]][d0*3 + d1]([[AN]], [[AO]]) : f32
// CHECK-NEXT:           loop.store [[AP]] to %out0[d0*3 + d1*15 + d2]([[AA]], [[AN]], [[AO]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AQ:%.+]] = <0> to <5> step 1 serial {
// CHECK-NEXT:       [[AR:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:       loop.for [[AS:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         loop.for [[AT:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:           [[AU:%.+]] = loop.load %out0[d0*3 + d1*15 + d2]([[AQ]], [[AS]], [[AT]]) : f32
// CHECK-NEXT:           loop.store [[AU]] to [[AR]][d0*3 + d1]([[AS]], [[AT]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[AV:%.+]] = loop.local : memref<192xf32>
// CHECK-NEXT:       loop.for [[AW:%.+]] = <0> to <192> step 1 vector {
// CHECK-NEXT:         [[AX:%.+]] = loop.load [[AR]][d0]([[AW]]) : f32
// CHECK-NEXT:         [[AY:%.+]] = loop.load [[X]][d0]([[AW]]) : f32
// CHECK-NEXT:         [[AZ:%.+]] = scalar.apply div([[AX]], [[AY]]) : f32
// CHECK-NEXT:         loop.store [[AZ]] to [[AV]][d0]([[AW]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BA:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         loop.for [[BB:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:           [[BC:%.+]] = loop.load [[AV]][d0*3 + d1]([[BA]], [[BB]]) : f32
// CHECK-NEXT:           loop.store [[BC]] to %out0[d0*3 + d1*15 + d2]([[AQ]], [[BA]], [[BB]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @copied(%x: tensor<64x5x3xf32>) -> tensor<64x5x3xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<64x5x3xf32>
}

// What is computed goes to f16 before it is compared, as integers of 16 bits.
// CHECK-LABEL: func.func @narrow_row(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i16>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<i16>
// CHECK-NEXT:     [[C:%.+]] = scalar.constant -31745 : i16
// CHECK-NEXT:     loop.store [[C]] to [[A]][0]
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 31744 : i16
// CHECK-NEXT:     loop.store [[D]] to [[B]][0]
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <1000> step 512 serial {
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<512xf16>
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <min(-d0 + 1000, 512)>([[E]]) step 1 vector {
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0 + d1]([[E]], [[G]]) : f16
// CHECK-NEXT:         [[I:%.+]] = scalar.apply cast([[H]]) : f32
// CHECK-NEXT:         [[J:%.+]] = loop.load %y[d0 + d1]([[E]], [[G]]) : f16
// CHECK-NEXT:         [[K:%.+]] = scalar.apply cast([[J]]) : f32
// CHECK-NEXT:         [[L:%.+]] = scalar.apply sub([[I]], [[K]]) : f32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply cast([[L]]) : f16
// CHECK-NEXT:         loop.store [[M]] to [[F]][d0]([[G]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[N:%.+]] = <0> to <min(-d0 + 1000, 512)>([[E]]) step 1 serial {
// CHECK-NEXT:         [[O:%.+]] = loop.load [[F]][d0]([[N]]) : f16
// CHECK-NEXT:         [[P:%.+]] = scalar.apply order([[O]]) : i16
// CHECK-NEXT:         [[Q:%.+]] = loop.load [[A]][0] : i16
// CHECK-NEXT:         [[R:%.+]] = scalar.apply max([[Q]], [[P]]) : i16
// CHECK-NEXT:         loop.store [[R]] to [[A]][0]
// CHECK-NEXT:         [[S:%.+]] = loop.load [[B]][0] : i16
// CHECK-NEXT:         [[T:%.+]] = scalar.apply min([[S]], [[P]]) : i16
// CHECK-NEXT:         loop.store [[T]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[U:%.+]] = loop.load [[A]][0] : i16
// CHECK-NEXT:     [[V:%.+]] = loop.load [[B]][0] : i16
// CHECK-NEXT:     [[W:%.+]] = scalar.apply lt([[V]], [[C]]) : i1
// CHECK-NEXT:     [[X:%.+]] = scalar.apply select([[W]], [[V]], [[U]]) : i16
// CHECK-NEXT:     [[Y:%.+]] = scalar.apply unorder([[X]]) : f16
// CHECK-NEXT:     [[Z:%.+]] = scalar.apply cast([[Y]]) : f32
// CHECK-NEXT:     [[AA:%.+]] = scalar.apply cast([[Z]]) : f16
// CHECK-NEXT:     loop.store [[AA]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @narrow_row(%x: tensor<1000xf16>, %y: tensor<1000xf16>) -> tensor<f16> {
  %d = opc.sub %x, %y
  %m = opc.reduce_max %d {axes = [0]}
  return %m : tensor<f16>
}

// CHECK-LABEL: func.func @narrow_columns(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<100xf32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<100xi16>
// CHECK-NEXT:     [[C:%.+]] = loop.local : memref<100xi16>
// CHECK-NEXT:     [[D:%.+]] = scalar.constant -32641 : i16
// CHECK-NEXT:     loop.fill [[D]] to [[B]]
// CHECK-NEXT:     [[E:%.+]] = scalar.constant 32640 : i16
// CHECK-NEXT:     loop.fill [[E]] to [[C]]
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <20> step 1 serial {
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<100xbf16>
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <100> step 1 vector {
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0*100 + d1]([[F]], [[H]]) : bf16
// CHECK-NEXT:         [[J:%.+]] = scalar.apply cast([[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = loop.load %y[d0*100 + d1]([[F]], [[H]]) : bf16
// CHECK-NEXT:         [[L:%.+]] = scalar.apply cast([[K]]) : f32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply sub([[J]], [[L]]) : f32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply cast([[M]]) : bf16
// CHECK-NEXT:         loop.store [[N]] to [[G]][d0]([[H]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[O:%.+]] = <0> to <100> step 1 vector {
// CHECK-NEXT:         [[P:%.+]] = loop.load [[G]][d0]([[O]]) : bf16
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply order([[P]]) : i16
// CHECK-NEXT:         [[R:%.+]] = loop.load [[B]][d0]([[O]]) : i16
// CHECK-NEXT:         [[S:%.+]] = scalar.apply max([[R]], [[Q]]) : i16
// CHECK-NEXT:         loop.store [[S]] to [[B]][d0]([[O]])
// CHECK-NEXT:         [[T:%.+]] = loop.load [[C]][d0]([[O]]) : i16
// CHECK-NEXT:         [[U:%.+]] = scalar.apply min([[T]], [[Q]]) : i16
// CHECK-NEXT:         loop.store [[U]] to [[C]][d0]([[O]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[V:%.+]] = <0> to <100> step 1 vector {
// CHECK-NEXT:       [[W:%.+]] = loop.load [[B]][d0]([[V]]) : i16
// CHECK-NEXT:       [[X:%.+]] = loop.load [[C]][d0]([[V]]) : i16
// CHECK-NEXT:       [[Y:%.+]] = scalar.apply gt([[W]], [[E]]) : i1
// CHECK-NEXT:       [[Z:%.+]] = scalar.apply select([[Y]], [[W]], [[X]]) : i16
// CHECK-NEXT:       [[AA:%.+]] = scalar.apply unorder([[Z]]) : bf16
// CHECK-NEXT:       [[AB:%.+]] = scalar.apply cast([[AA]]) : f32
// CHECK-NEXT:       loop.store [[AB]] to [[A]][d0]([[V]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AC:%.+]] = <0> to <100> step 1 vector {
// CHECK-NEXT:       [[AD:%.+]] = loop.load [[A]][d0]([[AC]]) : f32
// CHECK-NEXT:       [[AE:%.+]] = scalar.apply cast([[AD]]) : bf16
// CHECK-NEXT:       loop.store [[AE]] to %out0[d0]([[AC]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @narrow_columns(%x: tensor<20x100xbf16>, %y: tensor<20x100xbf16>) -> tensor<100xbf16> {
  %d = opc.sub %x, %y
  %m = opc.reduce_min %d {axes = [0]}
  return %m : tensor<100xbf16>
}

// Of an unknown number of columns, rows go side by side if there are few: as many as have 256 values.
// CHECK-LABEL: func.func @unknown_columns(
// CHECK:         loop.for [[A:%.+]] = <0> to <-L*atleast(N, 17) + L> step 1 parallel {
// CHECK:           [[ACC:%.+]] = loop.local : memref<272xf32>
// CHECK:           loop.for [[B:%.+]] = <0> to <floordiv({{.*}}min(floordiv(256, N), 20){{.*}})> step 1 serial {
// CHECK-NEXT:        loop.for [[C:%.+]] = <0> to <N*min({{.*}}, 16)> step 1 vector {
// CHECK:               loop.store {{%.+}} to [[ACC]][d0]([[C]])
// CHECK:         loop.for {{%.+}} = <0> to <L*atleast(N, 17)> step 1 parallel {
// CHECK:           loop.for {{%.+}} = <0> to <N> step 1024 serial {
func.func @unknown_columns(%x: tensor<?x20x?xf32, #opc.dims<L, 20, N>>) -> tensor<?x?xf32, #opc.dims<L, N>> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<?x?xf32, #opc.dims<L, N>>
}
