// Sums down columns: a block of points side by side, of which each has its lanes.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,lower-to-loops,simplify-loops | filecheck %s

// 64 columns and more: one lane, 8 rows at a time.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <16> step 8 serial {
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[F:%.+]] = loop.load %x[d0*64 + d1]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*64 + d1 + 64]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0*64 + d1 + 128]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0*64 + d1 + 192]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[J:%.+]] = loop.load %x[d0*64 + d1 + 256]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[K:%.+]] = loop.load %x[d0*64 + d1 + 320]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[L:%.+]] = loop.load %x[d0*64 + d1 + 384]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[M:%.+]] = loop.load %x[d0*64 + d1 + 448]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply add([[F]], [[G]]) : f32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply add([[H]], [[I]]) : f32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply add([[J]], [[K]]) : f32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply add([[L]], [[M]]) : f32
// CHECK-NEXT:         [[R:%.+]] = scalar.apply add([[N]], [[O]]) : f32
// CHECK-NEXT:         [[S:%.+]] = scalar.apply add([[P]], [[Q]]) : f32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply add([[R]], [[S]]) : f32
// CHECK-NEXT:         [[U:%.+]] = loop.load [[A]][d0]([[E]]) : f32
// CHECK-NEXT:         [[V:%.+]] = scalar.apply add([[U]], [[T]]) : f32
// CHECK-NEXT:         loop.store [[V]] to [[A]][d0]([[E]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[W:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[X:%.+]] = loop.load [[A]][d0]([[W]]) : f32
// CHECK-NEXT:       loop.store [[X]] to %out0[d0]([[W]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<16x64xf32>) -> tensor<64xf32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<64xf32>
}

// 20 columns have 2 lanes, which are neighbouring rows: what is left of a group of 16 rows is one row.
// CHECK-LABEL: func.func @few_columns(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<40xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <40> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<40xf32>
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <40> step 1 vector {
// CHECK-NEXT:       [[F:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[F]] to [[D]][d0]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <20> step 1 vector {
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0 + 40]([[G]]) : f32
// CHECK-NEXT:       loop.store [[H]] to [[D]][d0]([[G]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[I:%.+]] = <0> to <40> step 1 vector {
// CHECK-NEXT:       [[J:%.+]] = loop.load %x[d0]([[I]]) : f32
// CHECK-NEXT:       [[K:%.+]] = loop.load [[D]][d0]([[I]]) : f32
// CHECK-NEXT:       [[L:%.+]] = scalar.apply add([[J]], [[K]]) : f32
// CHECK-NEXT:       [[M:%.+]] = loop.load [[A]][d0]([[I]]) : f32
// CHECK-NEXT:       [[N:%.+]] = scalar.apply add([[M]], [[L]]) : f32
// CHECK-NEXT:       loop.store [[N]] to [[A]][d0]([[I]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[O:%.+]] = <0> to <20> step 1 vector {
// CHECK-NEXT:       [[P:%.+]] = loop.load [[A]][d0 + 20]([[O]]) : f32
// CHECK-NEXT:       [[Q:%.+]] = loop.load [[A]][d0]([[O]]) : f32
// CHECK-NEXT:       [[R:%.+]] = scalar.apply add([[Q]], [[P]]) : f32
// CHECK-NEXT:       loop.store [[R]] to [[A]][d0]([[O]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[S:%.+]] = <0> to <20> step 1 vector {
// CHECK-NEXT:       [[T:%.+]] = loop.load [[A]][d0]([[S]]) : f32
// CHECK-NEXT:       loop.store [[T]] to %out0[d0]([[S]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @few_columns(%x: tensor<3x20xf32>) -> tensor<20xf32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<20xf32>
}

// A maximum goes 8 rows at a time as well.
// CHECK-LABEL: func.func @extremes(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xi32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<64xi32>
// CHECK-NEXT:     [[C:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:     loop.fill [[C]] to [[A]]
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:     loop.fill [[D]] to [[B]]
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <40> step 8 serial {
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*64 + d1]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0*64 + d1 + 64]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0*64 + d1 + 128]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[J:%.+]] = loop.load %x[d0*64 + d1 + 192]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[K:%.+]] = loop.load %x[d0*64 + d1 + 256]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[L:%.+]] = loop.load %x[d0*64 + d1 + 320]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[M:%.+]] = loop.load %x[d0*64 + d1 + 384]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[N:%.+]] = loop.load %x[d0*64 + d1 + 448]([[E]], [[F]]) : f32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply order([[G]]) : i32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply order([[H]]) : i32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply order([[I]]) : i32
// CHECK-NEXT:         [[R:%.+]] = scalar.apply order([[J]]) : i32
// CHECK-NEXT:         [[S:%.+]] = scalar.apply order([[K]]) : i32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply order([[L]]) : i32
// CHECK-NEXT:         [[U:%.+]] = scalar.apply order([[M]]) : i32
// CHECK-NEXT:         [[V:%.+]] = scalar.apply order([[N]]) : i32
// CHECK-NEXT:         [[W:%.+]] = scalar.apply max([[O]], [[P]]) : i32
// CHECK-NEXT:         [[X:%.+]] = scalar.apply max([[W]], [[Q]]) : i32
// CHECK-NEXT:         [[Y:%.+]] = scalar.apply max([[X]], [[R]]) : i32
// CHECK-NEXT:         [[Z:%.+]] = scalar.apply max([[Y]], [[S]]) : i32
// CHECK-NEXT:         [[AA:%.+]] = scalar.apply max([[Z]], [[T]]) : i32
// CHECK-NEXT:         [[AB:%.+]] = scalar.apply max([[AA]], [[U]]) : i32
// CHECK-NEXT:         [[AC:%.+]] = scalar.apply max([[AB]], [[V]]) : i32
// CHECK-NEXT:         [[AD:%.+]] = loop.load [[A]][d0]([[F]]) : i32
// CHECK-NEXT:         [[AE:%.+]] = scalar.apply max([[AD]], [[AC]]) : i32
// CHECK-NEXT:         loop.store [[AE]] to [[A]][d0]([[F]])
// CHECK-NEXT:         [[AF:%.+]] = scalar.apply min([[O]], [[P]]) : i32
// CHECK-NEXT:         [[AG:%.+]] = scalar.apply min([[AF]], [[Q]]) : i32
// CHECK-NEXT:         [[AH:%.+]] = scalar.apply min([[AG]], [[R]]) : i32
// CHECK-NEXT:         [[AI:%.+]] = scalar.apply min([[AH]], [[S]]) : i32
// CHECK-NEXT:         [[AJ:%.+]] = scalar.apply min([[AI]], [[T]]) : i32
// CHECK-NEXT:         [[AK:%.+]] = scalar.apply min([[AJ]], [[U]]) : i32
// CHECK-NEXT:         [[AL:%.+]] = scalar.apply min([[AK]], [[V]]) : i32
// CHECK-NEXT:         [[AM:%.+]] = loop.load [[B]][d0]([[F]]) : i32
// CHECK-NEXT:         [[AN:%.+]] = scalar.apply min([[AM]], [[AL]]) : i32
// CHECK-NEXT:         loop.store [[AN]] to [[B]][d0]([[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AO:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[AP:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AQ:%.+]] = loop.load [[A]][d0]([[AP]]) : i32
// CHECK-NEXT:       [[AR:%.+]] = loop.load [[B]][d0]([[AP]]) : i32
// CHECK-NEXT:       [[AS:%.+]] = scalar.apply lt([[AR]], [[C]]) : i1
// CHECK-NEXT:       [[AT:%.+]] = scalar.apply select([[AS]], [[AR]], [[AQ]]) : i32
// CHECK-NEXT:       [[AU:%.+]] = scalar.apply unorder([[AT]]) : f32
// CHECK-NEXT:       loop.store [[AU]] to [[AO]][d0]([[AP]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AV:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AW:%.+]] = loop.load [[AO]][d0]([[AV]]) : f32
// CHECK-NEXT:       loop.store [[AW]] to %out0[d0]([[AV]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @extremes(%x: tensor<40x64xf32>) -> tensor<64xf32> {
  %r = opc.reduce_max %x {axes = [0]}
  return %r : tensor<64xf32>
}
