// Sums down columns: a block of points side by side, of which each has its lanes.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

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

// 20 columns have 2 lanes, which are neighbouring rows: after a group of 16 rows, one lane has two more
// and one has one.
// CHECK-LABEL: func.func @few_columns(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<40xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <40> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <40> step 1 vector {
// CHECK-NEXT:       [[E:%.+]] = loop.load %x[d0]([[D]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0 + 40]([[D]]) : f32
// CHECK-NEXT:       [[G:%.+]] = loop.load %x[d0 + 80]([[D]]) : f32
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0 + 120]([[D]]) : f32
// CHECK-NEXT:       [[I:%.+]] = loop.load %x[d0 + 160]([[D]]) : f32
// CHECK-NEXT:       [[J:%.+]] = loop.load %x[d0 + 200]([[D]]) : f32
// CHECK-NEXT:       [[K:%.+]] = loop.load %x[d0 + 240]([[D]]) : f32
// CHECK-NEXT:       [[L:%.+]] = loop.load %x[d0 + 280]([[D]]) : f32
// CHECK-NEXT:       [[M:%.+]] = scalar.apply add([[E]], [[F]]) : f32
// CHECK-NEXT:       [[N:%.+]] = scalar.apply add([[G]], [[H]]) : f32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply add([[I]], [[J]]) : f32
// CHECK-NEXT:       [[P:%.+]] = scalar.apply add([[K]], [[L]]) : f32
// CHECK-NEXT:       [[Q:%.+]] = scalar.apply add([[M]], [[N]]) : f32
// CHECK-NEXT:       [[R:%.+]] = scalar.apply add([[O]], [[P]]) : f32
// CHECK-NEXT:       [[S:%.+]] = scalar.apply add([[Q]], [[R]]) : f32
// CHECK-NEXT:       [[T:%.+]] = loop.load [[A]][d0]([[D]]) : f32
// CHECK-NEXT:       [[U:%.+]] = scalar.apply add([[T]], [[S]]) : f32
// CHECK-NEXT:       loop.store [[U]] to [[A]][d0]([[D]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[V:%.+]] = <0> to <20> step 1 vector {
// CHECK-NEXT:       [[W:%.+]] = loop.load %x[d0 + 320]([[V]]) : f32
// CHECK-NEXT:       [[X:%.+]] = loop.load %x[d0 + 360]([[V]]) : f32
// CHECK-NEXT:       [[Y:%.+]] = scalar.apply add([[W]], [[X]]) : f32
// CHECK-NEXT:       [[Z:%.+]] = loop.load [[A]][d0]([[V]]) : f32
// CHECK-NEXT:       [[AA:%.+]] = scalar.apply add([[Z]], [[Y]]) : f32
// CHECK-NEXT:       loop.store [[AA]] to [[A]][d0]([[V]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AB:%.+]] = <20> to <40> step 1 vector {
// CHECK-NEXT:       [[AC:%.+]] = loop.load %x[d0 + 320]([[AB]]) : f32
// CHECK-NEXT:       [[AD:%.+]] = loop.load [[A]][d0]([[AB]]) : f32
// CHECK-NEXT:       [[AE:%.+]] = scalar.apply add([[AD]], [[AC]]) : f32
// CHECK-NEXT:       loop.store [[AE]] to [[A]][d0]([[AB]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AG:%.+]] = <0> to <20> step 1 vector {
// CHECK-NEXT:       [[AH:%.+]] = loop.load [[A]][d0 + 20]([[AG]]) : f32
// CHECK-NEXT:       [[AI:%.+]] = loop.load [[A]][d0]([[AG]]) : f32
// CHECK-NEXT:       [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:       loop.store [[AJ]] to [[A]][d0]([[AG]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AK:%.+]] = <0> to <20> step 1 vector {
// CHECK-NEXT:       [[AL:%.+]] = loop.load [[A]][d0]([[AK]]) : f32
// CHECK-NEXT:       loop.store [[AL]] to %out0[d0]([[AK]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @few_columns(%x: tensor<19x20xf32>) -> tensor<20xf32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<20xf32>
}

// Up to 8 values of a run are taken at once.
// CHECK-LABEL: func.func @at_once(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = loop.load %x[d0]([[B]]) : f32
// CHECK-NEXT:       [[D:%.+]] = loop.load %x[d0 + 64]([[B]]) : f32
// CHECK-NEXT:       [[E:%.+]] = loop.load %x[d0 + 128]([[B]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0 + 192]([[B]]) : f32
// CHECK-NEXT:       [[G:%.+]] = loop.load %x[d0 + 256]([[B]]) : f32
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0 + 320]([[B]]) : f32
// CHECK-NEXT:       [[I:%.+]] = loop.load %x[d0 + 384]([[B]]) : f32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply add([[C]], [[D]]) : f32
// CHECK-NEXT:       [[K:%.+]] = scalar.apply add([[E]], [[F]]) : f32
// CHECK-NEXT:       [[L:%.+]] = scalar.apply add([[G]], [[H]]) : f32
// CHECK-NEXT:       [[M:%.+]] = scalar.apply add([[J]], [[K]]) : f32
// CHECK-NEXT:       [[N:%.+]] = scalar.apply add([[L]], [[I]]) : f32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply add([[M]], [[N]]) : f32
// CHECK-NEXT:       [[P:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       [[Q:%.+]] = scalar.apply add([[P]], [[O]]) : f32
// CHECK-NEXT:       loop.store [[Q]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[R:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[S:%.+]] = loop.load [[A]][d0]([[R]]) : f32
// CHECK-NEXT:       loop.store [[S]] to %out0[d0]([[R]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @at_once(%x: tensor<7x64xf32>) -> tensor<64xf32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<64xf32>
}

// A maximum goes 8 rows at a time as well.
// CHECK-LABEL: func.func @extremes(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xi32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <40> step 8 serial {
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[F:%.+]] = loop.load %x[d0*64 + d1]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*64 + d1 + 64]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0*64 + d1 + 128]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0*64 + d1 + 192]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[J:%.+]] = loop.load %x[d0*64 + d1 + 256]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[K:%.+]] = loop.load %x[d0*64 + d1 + 320]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[L:%.+]] = loop.load %x[d0*64 + d1 + 384]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[M:%.+]] = loop.load %x[d0*64 + d1 + 448]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply order([[F]]) : i32
// CHECK-NEXT:         [[O:%.+]] = scalar.constant -8388607 : i32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply add([[N]], [[O]]) : i32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply order([[G]]) : i32
// CHECK-NEXT:         [[R:%.+]] = scalar.apply add([[Q]], [[O]]) : i32
// CHECK-NEXT:         [[S:%.+]] = scalar.apply order([[H]]) : i32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply add([[S]], [[O]]) : i32
// CHECK-NEXT:         [[U:%.+]] = scalar.apply order([[I]]) : i32
// CHECK-NEXT:         [[V:%.+]] = scalar.apply add([[U]], [[O]]) : i32
// CHECK-NEXT:         [[W:%.+]] = scalar.apply order([[J]]) : i32
// CHECK-NEXT:         [[X:%.+]] = scalar.apply add([[W]], [[O]]) : i32
// CHECK-NEXT:         [[Y:%.+]] = scalar.apply order([[K]]) : i32
// CHECK-NEXT:         [[Z:%.+]] = scalar.apply add([[Y]], [[O]]) : i32
// CHECK-NEXT:         [[AA:%.+]] = scalar.apply order([[L]]) : i32
// CHECK-NEXT:         [[AB:%.+]] = scalar.apply add([[AA]], [[O]]) : i32
// CHECK-NEXT:         [[AC:%.+]] = scalar.apply order([[M]]) : i32
// CHECK-NEXT:         [[AD:%.+]] = scalar.apply add([[AC]], [[O]]) : i32
// CHECK-NEXT:         [[AE:%.+]] = scalar.apply max([[P]], [[R]]) : i32
// CHECK-NEXT:         [[AF:%.+]] = scalar.apply max([[AE]], [[T]]) : i32
// CHECK-NEXT:         [[AG:%.+]] = scalar.apply max([[AF]], [[V]]) : i32
// CHECK-NEXT:         [[AH:%.+]] = scalar.apply max([[AG]], [[X]]) : i32
// CHECK-NEXT:         [[AI:%.+]] = scalar.apply max([[AH]], [[Z]]) : i32
// CHECK-NEXT:         [[AJ:%.+]] = scalar.apply max([[AI]], [[AB]]) : i32
// CHECK-NEXT:         [[AK:%.+]] = scalar.apply max([[AJ]], [[AD]]) : i32
// CHECK-NEXT:         [[AL:%.+]] = loop.load [[A]][d0]([[E]]) : i32
// CHECK-NEXT:         [[AM:%.+]] = scalar.apply max([[AL]], [[AK]]) : i32
// CHECK-NEXT:         loop.store [[AM]] to [[A]][d0]([[E]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AN:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[AO:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AP:%.+]] = loop.load [[A]][d0]([[AO]]) : i32
// CHECK-NEXT:       [[AQ:%.+]] = scalar.constant 8388607 : i32
// CHECK-NEXT:       [[AR:%.+]] = scalar.apply add([[AP]], [[AQ]]) : i32
// CHECK-NEXT:       [[AS:%.+]] = scalar.apply unorder([[AR]]) : f32
// CHECK-NEXT:       loop.store [[AS]] to [[AN]][d0]([[AO]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AT:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AU:%.+]] = loop.load [[AN]][d0]([[AT]]) : f32
// CHECK-NEXT:       loop.store [[AU]] to %out0[d0]([[AT]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @extremes(%x: tensor<40x64xf32>) -> tensor<64xf32> {
  %r = opc.reduce_max %x {axes = [0]}
  return %r : tensor<64xf32>
}

// Where no order shows, few columns go side by side with those of the next rows, as in a sum: 4 columns
// have 16 lanes.
// CHECK-LABEL: func.func @few_extremes(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xi32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[E:%.+]] = loop.load %x[d0]([[D]]) : i32
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0 + 64]([[D]]) : i32
// CHECK-NEXT:       [[G:%.+]] = loop.load %x[d0 + 128]([[D]]) : i32
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0 + 192]([[D]]) : i32
// CHECK-NEXT:       [[I:%.+]] = loop.load %x[d0 + 256]([[D]]) : i32
// CHECK-NEXT:       [[J:%.+]] = loop.load %x[d0 + 320]([[D]]) : i32
// CHECK-NEXT:       [[K:%.+]] = loop.load %x[d0 + 384]([[D]]) : i32
// CHECK-NEXT:       [[L:%.+]] = loop.load %x[d0 + 448]([[D]]) : i32
// CHECK-NEXT:       [[M:%.+]] = scalar.apply max([[E]], [[F]]) : i32
// CHECK-NEXT:       [[N:%.+]] = scalar.apply max([[G]], [[H]]) : i32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply max([[I]], [[J]]) : i32
// CHECK-NEXT:       [[P:%.+]] = scalar.apply max([[K]], [[L]]) : i32
// CHECK-NEXT:       [[Q:%.+]] = scalar.apply max([[M]], [[N]]) : i32
// CHECK-NEXT:       [[R:%.+]] = scalar.apply max([[O]], [[P]]) : i32
// CHECK-NEXT:       [[S:%.+]] = scalar.apply max([[Q]], [[R]]) : i32
// CHECK-NEXT:       [[T:%.+]] = loop.load [[A]][d0]([[D]]) : i32
// CHECK-NEXT:       [[U:%.+]] = scalar.apply max([[T]], [[S]]) : i32
// CHECK-NEXT:       loop.store [[U]] to [[A]][d0]([[D]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[V:%.+]] = <0> to <32> step 1 vector {
// CHECK-NEXT:       [[W:%.+]] = loop.load [[A]][d0 + 32]([[V]]) : i32
// CHECK-NEXT:       [[X:%.+]] = loop.load [[A]][d0]([[V]]) : i32
// CHECK-NEXT:       [[Y:%.+]] = scalar.apply max([[X]], [[W]]) : i32
// CHECK-NEXT:       loop.store [[Y]] to [[A]][d0]([[V]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[Z:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:       [[AA:%.+]] = loop.load [[A]][d0 + 16]([[Z]]) : i32
// CHECK-NEXT:       [[AB:%.+]] = loop.load [[A]][d0]([[Z]]) : i32
// CHECK-NEXT:       [[AC:%.+]] = scalar.apply max([[AB]], [[AA]]) : i32
// CHECK-NEXT:       loop.store [[AC]] to [[A]][d0]([[Z]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AD:%.+]] = <0> to <8> step 1 vector {
// CHECK-NEXT:       [[AE:%.+]] = loop.load [[A]][d0 + 8]([[AD]]) : i32
// CHECK-NEXT:       [[AF:%.+]] = loop.load [[A]][d0]([[AD]]) : i32
// CHECK-NEXT:       [[AG:%.+]] = scalar.apply max([[AF]], [[AE]]) : i32
// CHECK-NEXT:       loop.store [[AG]] to [[A]][d0]([[AD]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AH:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[AI:%.+]] = loop.load [[A]][d0 + 4]([[AH]]) : i32
// CHECK-NEXT:       [[AJ:%.+]] = loop.load [[A]][d0]([[AH]]) : i32
// CHECK-NEXT:       [[AK:%.+]] = scalar.apply max([[AJ]], [[AI]]) : i32
// CHECK-NEXT:       loop.store [[AK]] to [[A]][d0]([[AH]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AL:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[AM:%.+]] = loop.load [[A]][d0]([[AL]]) : i32
// CHECK-NEXT:       loop.store [[AM]] to %out0[d0]([[AL]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @few_extremes(%x: tensor<128x4xi32>) -> tensor<4xi32> {
  %r = opc.reduce_max %x {axes = [0]}
  return %r : tensor<4xi32>
}
