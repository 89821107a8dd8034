// Loops over rows that are short, that do not fill vectors, or that are searched.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops | filecheck %s

// Rows of 12 values go in blocks that are turned around: 160 rows each, and what is left.
// CHECK-LABEL: func.func @turned(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 144 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<144xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<144xi32>
// CHECK-NEXT:       [[D:%.+]] = loop.local : memref<144xi32>
// CHECK-NEXT:       [[E:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:       loop.fill [[E]] to [[C]]
// CHECK-NEXT:       [[F:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:       loop.fill [[F]] to [[D]]
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<1728xf32>
// CHECK-NEXT:       loop.transpose %x to [[G]][d0*12, 12, 0, 144, min(144, -d0 + 1000), 12]([[A]])
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <12> step 1 serial {
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <min(144, -d0 + 1000)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[J:%.+]] = loop.load [[G]][d0*144 + d1]([[H]], [[I]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply order([[J]]) : i32
// CHECK-NEXT:           [[L:%.+]] = loop.load [[C]][d0]([[I]]) : i32
// CHECK-NEXT:           [[M:%.+]] = scalar.apply max([[L]], [[K]]) : i32
// CHECK-NEXT:           loop.store [[M]] to [[C]][d0]([[I]])
// CHECK-NEXT:           [[N:%.+]] = loop.load [[D]][d0]([[I]]) : i32
// CHECK-NEXT:           [[O:%.+]] = scalar.apply min([[N]], [[K]]) : i32
// CHECK-NEXT:           loop.store [[O]] to [[D]][d0]([[I]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[P:%.+]] = <0> to <min(144, -d0 + 1000)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[Q:%.+]] = loop.load [[C]][d0]([[P]]) : i32
// CHECK-NEXT:         [[R:%.+]] = loop.load [[D]][d0]([[P]]) : i32
// CHECK-NEXT:         [[S:%.+]] = scalar.apply lt([[R]], [[E]]) : i1
// CHECK-NEXT:         [[T:%.+]] = scalar.apply select([[S]], [[R]], [[Q]]) : i32
// CHECK-NEXT:         [[U:%.+]] = scalar.apply unorder([[T]]) : f32
// CHECK-NEXT:         loop.store [[U]] to [[B]][d0]([[P]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[V:%.+]] = loop.local : memref<1728xf32>
// CHECK-NEXT:       loop.for [[W:%.+]] = <0> to <12> step 1 serial {
// CHECK-NEXT:         loop.for [[X:%.+]] = <0> to <min(144, -d0 + 1000)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[Y:%.+]] = loop.load [[G]][d0*144 + d1]([[W]], [[X]]) : f32
// CHECK-NEXT:           [[Z:%.+]] = loop.load [[B]][d0]([[X]]) : f32
// CHECK-NEXT:           [[AA:%.+]] = scalar.apply sub([[Y]], [[Z]]) : f32
// CHECK-NEXT:           loop.store [[AA]] to [[V]][d0*144 + d1]([[W]], [[X]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.transpose [[V]] to %out0[0, 144, d0*12, 12, 12, min(144, -d0 + 1000)]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @turned(%x: tensor<1000x12xf32>) -> tensor<1000x12xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %r = opc.sub %x, %m
  return %r : tensor<1000x12xf32>
}

// The second pass for a position is over the block of 256 where the first found the best value.
// CHECK-LABEL: func.func @search(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<ui32>
// CHECK-NEXT:       [[D:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[E:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[E]] to [[D]][0]
// CHECK-NEXT:       [[F:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[F]] to [[B]][0]
// CHECK-NEXT:       [[G:%.+]] = scalar.constant 4294967295 : ui32
// CHECK-NEXT:       loop.store [[G]] to [[C]][0]
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <1000> step 128 serial {
// CHECK-NEXT:         [[I:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:         loop.store [[F]] to [[I]][0]
// CHECK-NEXT:         loop.for [[J:%.+]] = <d0> to <min(d0 + 128, 1000)>([[H]]) step 1 serial {
// CHECK-NEXT:           [[K:%.+]] = loop.load %x[d0*1000 + d1]([[A]], [[J]]) : i32
// CHECK-NEXT:           [[L:%.+]] = loop.load [[I]][0] : i32
// CHECK-NEXT:           [[M:%.+]] = scalar.apply max([[L]], [[K]]) : i32
// CHECK-NEXT:           loop.store [[M]] to [[I]][0]
// CHECK-NEXT:         }
// CHECK-NEXT:         [[N:%.+]] = loop.load [[I]][0] : i32
// CHECK-NEXT:         [[O:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply gt([[N]], [[O]]) : i1
// CHECK-NEXT:         [[Q:%.+]] = scalar.index <d0>([[H]]) : i64
// CHECK-NEXT:         [[R:%.+]] = loop.load [[D]][0] : i64
// CHECK-NEXT:         [[S:%.+]] = scalar.apply select([[P]], [[Q]], [[R]]) : i64
// CHECK-NEXT:         loop.store [[S]] to [[D]][0]
// CHECK-NEXT:         [[T:%.+]] = scalar.apply max([[N]], [[O]]) : i32
// CHECK-NEXT:         loop.store [[T]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[U:%.+]] = loop.load [[D]][0] : i64
// CHECK-NEXT:       loop.for [[V:%.+]] = <d0> to <min(d0 + 128, 1000)>([[U]]) step 1 serial {
// CHECK-NEXT:         [[W:%.+]] = loop.load %x[d0*1000 + d1]([[A]], [[V]]) : i32
// CHECK-NEXT:         [[X:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[Y:%.+]] = scalar.apply ne([[W]], [[X]]) : i1
// CHECK-NEXT:         [[Z:%.+]] = scalar.apply cast([[Y]]) : ui32
// CHECK-NEXT:         [[AA:%.+]] = scalar.apply neg([[Z]]) : ui32
// CHECK-NEXT:         [[AB:%.+]] = scalar.index <d0>([[V]]) : i64
// CHECK-NEXT:         [[AC:%.+]] = scalar.apply cast([[AB]]) : ui32
// CHECK-NEXT:         [[AD:%.+]] = scalar.apply bitwise_or([[AC]], [[AA]]) : ui32
// CHECK-NEXT:         [[AE:%.+]] = loop.load [[C]][0] : ui32
// CHECK-NEXT:         [[AF:%.+]] = scalar.apply min([[AE]], [[AD]]) : ui32
// CHECK-NEXT:         loop.store [[AF]] to [[C]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[AG:%.+]] = loop.load [[C]][0] : ui32
// CHECK-NEXT:       [[AH:%.+]] = scalar.apply cast([[AG]]) : i64
// CHECK-NEXT:       loop.store [[AH]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @search(%x: tensor<4x1000xi32>) -> tensor<4xi64> {
  %r = opc.argmax %x {axis = 1}
  return %r : tensor<4xi64>
}

// The last values of a row are stored twice, so that they fill vectors.
// CHECK-LABEL: func.func @overlap(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[D:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:       loop.store [[D]] to [[B]][0]
// CHECK-NEXT:       [[E:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:       loop.store [[E]] to [[C]][0]
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*101 + d1]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0*101 + d1 + 37]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply order([[G]]) : i32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply order([[H]]) : i32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply max([[I]], [[J]]) : i32
// CHECK-NEXT:         [[L:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply max([[L]], [[K]]) : i32
// CHECK-NEXT:         loop.store [[M]] to [[B]][0]
// CHECK-NEXT:         [[N:%.+]] = scalar.apply min([[I]], [[J]]) : i32
// CHECK-NEXT:         [[O:%.+]] = loop.load [[C]][0] : i32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply min([[O]], [[N]]) : i32
// CHECK-NEXT:         loop.store [[P]] to [[C]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[Q:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       [[R:%.+]] = loop.load [[C]][0] : i32
// CHECK-NEXT:       [[S:%.+]] = scalar.apply lt([[R]], [[D]]) : i1
// CHECK-NEXT:       [[T:%.+]] = scalar.apply select([[S]], [[R]], [[Q]]) : i32
// CHECK-NEXT:       [[U:%.+]] = scalar.apply unorder([[T]]) : f32
// CHECK-NEXT:       loop.for [[V:%.+]] = <0> to <96> step 1 vector {
// CHECK-NEXT:         [[W:%.+]] = loop.load %x[d0*101 + d1]([[A]], [[V]]) : f32
// CHECK-NEXT:         [[X:%.+]] = scalar.apply sub([[W]], [[U]]) : f32
// CHECK-NEXT:         loop.store [[X]] to %out0[d0*101 + d1]([[A]], [[V]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[Y:%.+]] = <69> to <101> step 1 vector {
// CHECK-NEXT:         [[Z:%.+]] = loop.load %x[d0*101 + d1]([[A]], [[Y]]) : f32
// CHECK-NEXT:         [[AA:%.+]] = scalar.apply sub([[Z]], [[U]]) : f32
// CHECK-NEXT:         loop.store [[AA]] to %out0[d0*101 + d1]([[A]], [[Y]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @overlap(%x: tensor<4x101xf32>) -> tensor<4x101xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %r = opc.sub %x, %m
  return %r : tensor<4x101xf32>
}

// Down columns, four rows at a time; of those left over in the last block, one after the other.
// CHECK-LABEL: func.func @fours(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<128xf64>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f64
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[E:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[E]] to [[D]][0]
// CHECK-NEXT:     [[F:%.+]] = loop.local : memref<256xf64>
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <105> step 64 serial {
// CHECK-NEXT:       loop.cascade next [[A]], [[F]], [[D]]
// CHECK-NEXT:       [[H:%.+]] = loop.load [[D]][0] : i64
// CHECK-NEXT:       [[I:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[J:%.+]] = scalar.apply add([[H]], [[I]]) : i64
// CHECK-NEXT:       loop.store [[J]] to [[D]][0]
// CHECK-NEXT:       loop.for [[K:%.+]] = <d0> to <min(d0 + 64, 105) - mod(-d0 + min(d0 + 64, 105), 4)>([[G]]) step 4 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*128 + 512, 128]([[K]])
// CHECK-NEXT:         loop.prefetch %x[d0*128 + 640, 128]([[K]])
// CHECK-NEXT:         loop.prefetch %x[d0*128 + 768, 128]([[K]])
// CHECK-NEXT:         loop.prefetch %x[d0*128 + 896, 128]([[K]])
// CHECK-NEXT:         loop.for [[L:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:           [[M:%.+]] = loop.load %x[d0*128 + d1]([[K]], [[L]]) : f64
// CHECK-NEXT:           [[N:%.+]] = loop.load %x[d0*128 + d1 + 128]([[K]], [[L]]) : f64
// CHECK-NEXT:           [[O:%.+]] = loop.load %x[d0*128 + d1 + 256]([[K]], [[L]]) : f64
// CHECK-NEXT:           [[P:%.+]] = loop.load %x[d0*128 + d1 + 384]([[K]], [[L]]) : f64
// CHECK-NEXT:           [[Q:%.+]] = scalar.apply add([[M]], [[N]]) : f64
// CHECK-NEXT:           [[R:%.+]] = scalar.apply add([[O]], [[P]]) : f64
// CHECK-NEXT:           [[S:%.+]] = scalar.apply add([[Q]], [[R]]) : f64
// CHECK-NEXT:           [[T:%.+]] = loop.load [[A]][d0]([[L]]) : f64
// CHECK-NEXT:           [[U:%.+]] = scalar.apply add([[T]], [[S]]) : f64
// CHECK-NEXT:           loop.store [[U]] to [[A]][d0]([[L]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[V:%.+]] = <min(d0 + 64, 105) - mod(-d0 + min(d0 + 64, 105), 4)> to <min(d0 + 64, 105)>([[G]]) step 1 serial {
// CHECK-NEXT:         loop.for [[W:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:           [[X:%.+]] = loop.load %x[d0*128 + d1]([[V]], [[W]]) : f64
// CHECK-NEXT:           [[Y:%.+]] = loop.load [[A]][d0]([[W]]) : f64
// CHECK-NEXT:           [[Z:%.+]] = scalar.apply add([[Y]], [[X]]) : f64
// CHECK-NEXT:           loop.store [[Z]] to [[A]][d0]([[W]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade finish [[A]], [[F]], [[D]]
// CHECK-NEXT:     loop.for [[AA:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:       [[AB:%.+]] = loop.load [[A]][d0]([[AA]]) : f64
// CHECK-NEXT:       loop.store [[AB]] to %out0[d0]([[AA]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @fours(%x: tensor<105x128xf64>) -> tensor<128xf64> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<128xf64>
}

// Eight long rows at a time, in strips that C compilers unroll; the processor reads them ahead.
// CHECK-LABEL: func.func @eights(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<400xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <400> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <24> step 8 serial {
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <384> step 64 serial {
// CHECK-NEXT:         loop.for [[F:%.+]] = <d0> to <d0 + 64>([[E]]) step 1 vector {
// CHECK-NEXT:           [[G:%.+]] = loop.load %x[d0*400 + d1]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[H:%.+]] = loop.load %x[d0*400 + d1 + 400]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[I:%.+]] = loop.load %x[d0*400 + d1 + 800]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0*400 + d1 + 1200]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[K:%.+]] = loop.load %x[d0*400 + d1 + 1600]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[L:%.+]] = loop.load %x[d0*400 + d1 + 2000]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[M:%.+]] = loop.load %x[d0*400 + d1 + 2400]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[N:%.+]] = loop.load %x[d0*400 + d1 + 2800]([[D]], [[F]]) : f32
// CHECK-NEXT:           [[O:%.+]] = scalar.apply add([[G]], [[H]]) : f32
// CHECK-NEXT:           [[P:%.+]] = scalar.apply add([[I]], [[J]]) : f32
// CHECK-NEXT:           [[Q:%.+]] = scalar.apply add([[K]], [[L]]) : f32
// CHECK-NEXT:           [[R:%.+]] = scalar.apply add([[M]], [[N]]) : f32
// CHECK-NEXT:           [[S:%.+]] = scalar.apply add([[O]], [[P]]) : f32
// CHECK-NEXT:           [[T:%.+]] = scalar.apply add([[Q]], [[R]]) : f32
// CHECK-NEXT:           [[U:%.+]] = scalar.apply add([[S]], [[T]]) : f32
// CHECK-NEXT:           [[V:%.+]] = loop.load [[A]][d0]([[F]]) : f32
// CHECK-NEXT:           [[W:%.+]] = scalar.apply add([[V]], [[U]]) : f32
// CHECK-NEXT:           loop.store [[W]] to [[A]][d0]([[F]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[X:%.+]] = <384> to <400> step 1 vector {
// CHECK-NEXT:         [[Y:%.+]] = loop.load %x[d0*400 + d1]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[Z:%.+]] = loop.load %x[d0*400 + d1 + 400]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[AA:%.+]] = loop.load %x[d0*400 + d1 + 800]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[AB:%.+]] = loop.load %x[d0*400 + d1 + 1200]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[AC:%.+]] = loop.load %x[d0*400 + d1 + 1600]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[AD:%.+]] = loop.load %x[d0*400 + d1 + 2000]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[AE:%.+]] = loop.load %x[d0*400 + d1 + 2400]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[AF:%.+]] = loop.load %x[d0*400 + d1 + 2800]([[D]], [[X]]) : f32
// CHECK-NEXT:         [[AG:%.+]] = scalar.apply add([[Y]], [[Z]]) : f32
// CHECK-NEXT:         [[AH:%.+]] = scalar.apply add([[AA]], [[AB]]) : f32
// CHECK-NEXT:         [[AI:%.+]] = scalar.apply add([[AC]], [[AD]]) : f32
// CHECK-NEXT:         [[AJ:%.+]] = scalar.apply add([[AE]], [[AF]]) : f32
// CHECK-NEXT:         [[AK:%.+]] = scalar.apply add([[AG]], [[AH]]) : f32
// CHECK-NEXT:         [[AL:%.+]] = scalar.apply add([[AI]], [[AJ]]) : f32
// CHECK-NEXT:         [[AM:%.+]] = scalar.apply add([[AK]], [[AL]]) : f32
// CHECK-NEXT:         [[AN:%.+]] = loop.load [[A]][d0]([[X]]) : f32
// CHECK-NEXT:         [[AO:%.+]] = scalar.apply add([[AN]], [[AM]]) : f32
// CHECK-NEXT:         loop.store [[AO]] to [[A]][d0]([[X]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AP:%.+]] = <24> to <26> step 1 serial {
// CHECK-NEXT:       loop.for [[AQ:%.+]] = <0> to <400> step 1 vector {
// CHECK-NEXT:         [[AR:%.+]] = loop.load %x[d0*400 + d1]([[AP]], [[AQ]]) : f32
// CHECK-NEXT:         [[AS:%.+]] = loop.load [[A]][d0]([[AQ]]) : f32
// CHECK-NEXT:         [[AT:%.+]] = scalar.apply add([[AS]], [[AR]]) : f32
// CHECK-NEXT:         loop.store [[AT]] to [[A]][d0]([[AQ]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AU:%.+]] = <0> to <400> step 1 vector {
// CHECK-NEXT:       [[AV:%.+]] = loop.load [[A]][d0]([[AU]]) : f32
// CHECK-NEXT:       loop.store [[AV]] to %out0[d0]([[AU]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @eights(%x: tensor<26x400xf32>) -> tensor<400xf32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<400xf32>
}

// Long rows are read ahead where functions are computed of them.
// CHECK-LABEL: func.func @computed_rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <10> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <1088> step 64 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*1088 + d1 + 1024, 64]([[A]], [[D]])
// CHECK-NEXT:         [[E:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.for [[F:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[G:%.+]] = loop.load %x[d0*1088 + d1 + d2]([[A]], [[D]], [[F]]) : f32
// CHECK-NEXT:           [[H:%.+]] = scalar.apply exp([[G]]) : f32
// CHECK-NEXT:           loop.store [[H]] to [[E]][d0]([[F]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum [[E]][0] to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[I:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[I]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @computed_rows(%x: tensor<10x1088xf32>) -> tensor<10xf32> {
  %a = opc.exp %x
  %r = opc.reduce_sum %a {axes = [1]}
  return %r : tensor<10xf32>
}

// Where short rows are swept twice and not written, the second sweep reads ahead.
// CHECK-LABEL: func.func @swept_twice(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <100> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <1024> step 64 serial {
// CHECK-NEXT:         loop.accumulate sum %x[d0*1024 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.fill [[C]] to [[F]]
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <1024> step 64 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*1024 + d1 + 1024, 64]([[A]], [[G]])
// CHECK-NEXT:         [[H:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0*1024 + d1 + d2]([[A]], [[G]], [[I]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply sub([[J]], [[E]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply mul([[K]], [[K]]) : f32
// CHECK-NEXT:           loop.store [[L]] to [[H]][d0]([[I]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum [[H]][0] to [[F]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[M:%.+]] = loop.combine sum [[F]] : f32
// CHECK-NEXT:       loop.store [[M]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @swept_twice(%x: tensor<100x1024xf32>) -> tensor<100xf32> {
  %s = opc.reduce_sum %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %s
  %q = opc.mul %d, %d
  %r = opc.reduce_sum %q {axes = [1]}
  return %r : tensor<100xf32>
}

// Short rows within several reduced axes are turned for what is simple, but not for functions.
// CHECK-LABEL: func.func @simple_several(
// CHECK: loop.transpose %x
func.func @simple_several(%x: tensor<100x50x4xf32>, %y: tensor<100x50x1xf32>) -> tensor<100xf32> {
  %p = opc.mul %x, %y
  %r = opc.reduce_sum %p {axes = [1, 2]}
  return %r : tensor<100xf32>
}

// CHECK-LABEL: func.func @functions_several(
// CHECK-NOT: loop.transpose
// CHECK: loop.for {{.*}} = <0> to <50>
// CHECK: scalar.apply exp
func.func @functions_several(%x: tensor<100x50x4xf32>, %y: tensor<100x50x1xf32>) -> tensor<100xf32> {
  %p = opc.mul %x, %y
  %e = opc.exp %p
  %r = opc.reduce_sum %e {axes = [1, 2]}
  return %r : tensor<100xf32>
}

// Rows of unknown extent: short ones are turned around, and 16 lanes do for those of less than 128
// values; one of the three loops has rounds.
// CHECK-LABEL: func.func @unknown_rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <-N*atleast(M, 17) + N> step 128 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(128, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.local : memref<2048xf32>
// CHECK-NEXT:       loop.transpose %x to [[E]][M*d0, M, 0, 128, min(128, -d0 + N), M]([[A]])
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <M> step 1 serial {
// CHECK-NEXT:         loop.for [[G:%.+]] = <0> to <min(128, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[H:%.+]] = loop.load [[E]][d0*128 + d1]([[F]], [[G]]) : f32
// CHECK-NEXT:           [[I:%.+]] = loop.load [[B]][d0]([[G]]) : f32
// CHECK-NEXT:           [[J:%.+]] = scalar.apply add([[I]], [[H]]) : f32
// CHECK-NEXT:           loop.store [[J]] to [[B]][d0]([[G]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[K:%.+]] = <0> to <min(128, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[L:%.+]] = loop.load [[B]][d0]([[K]]) : f32
// CHECK-NEXT:         loop.store [[L]] to %out0[d0 + d1]([[A]], [[K]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[M:%.+]] = <0> to <-N*atleast(M, 128) + N*atleast(M, 17)> step 1 parallel {
// CHECK-NEXT:       [[N:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       [[O:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[O]] to [[N]]
// CHECK-NEXT:       loop.for [[P:%.+]] = <0> to <M - mod(M, 16)> step 16 serial {
// CHECK-NEXT:         loop.accumulate sum %x[M*d0 + d1]([[M]], [[P]]) to [[N]]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <mod(M, 16)> step 16 serial {
// CHECK-NEXT:         loop.accumulate sum %x[M*d0 + M - 16, mod(M, 16)]([[M]]) to [[N]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[R:%.+]] = loop.combine sum [[N]] : f32
// CHECK-NEXT:       loop.store [[R]] to %out0[d0]([[M]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[S:%.+]] = <0> to <N*atleast(M, 128)> step 1 parallel {
// CHECK-NEXT:       [[T:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[U:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[U]] to [[T]]
// CHECK-NEXT:       [[V:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[W:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[W]] to [[V]][0]
// CHECK-NEXT:       [[X:%.+]] = loop.local : memref<2560xf32>
// CHECK-NEXT:       loop.for [[Y:%.+]] = <0> to <M - mod(M, 64)> step 2048 serial {
// CHECK-NEXT:         loop.cascade next [[T]], [[X]], [[V]]
// CHECK-NEXT:         [[Z:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[AA:%.+]] = loop.load [[V]][0] : i64
// CHECK-NEXT:         [[AB:%.+]] = scalar.apply add([[AA]], [[Z]]) : i64
// CHECK-NEXT:         loop.store [[AB]] to [[V]][0]
// CHECK-NEXT:         loop.for [[AC:%.+]] = <d0> to <min(d0 + 2048, M - mod(M, 64))>([[Y]]) step 64 serial {
// CHECK-NEXT:           loop.accumulate sum %x[M*d0 + d1]([[S]], [[AC]]) to [[T]]
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[AD:%.+]] = <0> to <mod(M, 64)> step 64 serial {
// CHECK-NEXT:         loop.cascade next [[T]], [[X]], [[V]]
// CHECK-NEXT:         [[AE:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[AF:%.+]] = loop.load [[V]][0] : i64
// CHECK-NEXT:         [[AG:%.+]] = scalar.apply add([[AF]], [[AE]]) : i64
// CHECK-NEXT:         loop.store [[AG]] to [[V]][0]
// CHECK-NEXT:         loop.accumulate sum %x[M*d0 + M - 64, mod(M, 64)]([[S]]) to [[T]]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.cascade finish [[T]], [[X]], [[V]]
// CHECK-NEXT:       [[AH:%.+]] = loop.combine sum [[T]] : f32
// CHECK-NEXT:       loop.store [[AH]] to %out0[d0]([[S]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @unknown_rows(%x: tensor<?x?xf32, #opc.dims<N, M>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Rows of unknown extent, of which nothing is reduced: short ones go as one loop over their points.
// CHECK-LABEL: func.func @flat_rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <-atleast(M, 17)*floordiv(N + floordiv(1024, M) - 1, floordiv(1024, M)) + floordiv(N + floordiv(1024, M) - 1, floordiv(1024, M))> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1040xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(floordiv(1024, M), -d0*floordiv(1024, M) + N)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[D:%.+]] = loop.load %y[d0*floordiv(1024, M) + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <M> step 16 serial {
// CHECK-NEXT:           loop.for [[F:%.+]] = <0> to <16> step 1 serial {
// CHECK-NEXT:             loop.store [[D]] to [[B]][M*d0 + d1 + d2]([[C]], [[E]], [[F]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<1040xf32>
// CHECK-NEXT:       [[H:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[I:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:         [[J:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[J]] to [[H]][d0]([[I]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[K:%.+]] = <0> to <M> step 1 vector {
// CHECK-NEXT:         [[L:%.+]] = loop.load %z[d0]([[K]]) : f32
// CHECK-NEXT:         loop.store [[L]] to [[H]][d0]([[K]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[M:%.+]] = <0> to <min(floordiv(1024, M), -d0*floordiv(1024, M) + N)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[N:%.+]] = <0> to <M> step 16 serial {
// CHECK-NEXT:           loop.for [[O:%.+]] = <0> to <16> step 1 serial {
// CHECK-NEXT:             [[P:%.+]] = loop.load [[H]][d0 + d1]([[N]], [[O]]) : f32
// CHECK-NEXT:             loop.store [[P]] to [[G]][M*d0 + d1 + d2]([[M]], [[N]], [[O]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <M*min(floordiv(1024, M), -d0*floordiv(1024, M) + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[R:%.+]] = loop.load %x[M*d0*floordiv(1024, M) + d1]([[A]], [[Q]]) : f32
// CHECK-NEXT:         [[S:%.+]] = loop.load [[B]][d0]([[Q]]) : f32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply mul([[R]], [[S]]) : f32
// CHECK-NEXT:         [[U:%.+]] = loop.load [[G]][d0]([[Q]]) : f32
// CHECK-NEXT:         [[V:%.+]] = scalar.apply add([[T]], [[U]]) : f32
// CHECK-NEXT:         loop.store [[V]] to %out0[M*d0*floordiv(1024, M) + d1]([[A]], [[Q]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[W:%.+]] = <0> to <N*atleast(M, 17)> step 1 parallel {
// CHECK-NEXT:       loop.for [[X:%.+]] = <0> to <M> step 1 vector {
// CHECK-NEXT:         [[Y:%.+]] = loop.load %x[M*d0 + d1]([[W]], [[X]]) : f32
// CHECK-NEXT:         [[Z:%.+]] = loop.load %y[d0]([[W]]) : f32
// CHECK-NEXT:         [[AA:%.+]] = scalar.apply mul([[Y]], [[Z]]) : f32
// CHECK-NEXT:         [[AB:%.+]] = loop.load %z[d0]([[X]]) : f32
// CHECK-NEXT:         [[AC:%.+]] = scalar.apply add([[AA]], [[AB]]) : f32
// CHECK-NEXT:         loop.store [[AC]] to %out0[M*d0 + d1]([[W]], [[X]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @flat_rows(%x: tensor<?x?xf32, #opc.dims<N, M>>, %y: tensor<?x1xf32, #opc.dims<N, 1>>, %z: tensor<?xf32, #opc.dims<M>>) -> tensor<?x?xf32, #opc.dims<N, M>> {
  %a = opc.mul %x, %y
  %r = opc.add %a, %z
  return %r : tensor<?x?xf32, #opc.dims<N, M>>
}
