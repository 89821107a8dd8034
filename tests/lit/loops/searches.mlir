// Positions of extremes, in two passes.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Short: both passes are over all values.
// CHECK-LABEL: func.func @short(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<ui32>
// CHECK-NEXT:       [[D:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:       loop.store [[D]] to [[B]][0]
// CHECK-NEXT:       [[E:%.+]] = scalar.constant 4294967295 : ui32
// CHECK-NEXT:       loop.store [[E]] to [[C]][0]
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*40 + d1]([[A]], [[F]]) : i32
// CHECK-NEXT:         [[H:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply max([[H]], [[G]]) : i32
// CHECK-NEXT:         loop.store [[I]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[J:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:         [[K:%.+]] = loop.load %x[d0*40 + d1]([[A]], [[J]]) : i32
// CHECK-NEXT:         [[L:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply ne([[K]], [[L]]) : i1
// CHECK-NEXT:         [[N:%.+]] = scalar.apply cast([[M]]) : ui32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply neg([[N]]) : ui32
// CHECK-NEXT:         [[P:%.+]] = scalar.index <d0>([[J]]) : i64
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply cast([[P]]) : ui32
// CHECK-NEXT:         [[R:%.+]] = scalar.apply bitwise_or([[Q]], [[O]]) : ui32
// CHECK-NEXT:         [[S:%.+]] = loop.load [[C]][0] : ui32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply min([[S]], [[R]]) : ui32
// CHECK-NEXT:         loop.store [[T]] to [[C]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[U:%.+]] = loop.load [[C]][0] : ui32
// CHECK-NEXT:       [[V:%.+]] = scalar.apply cast([[U]]) : i64
// CHECK-NEXT:       loop.store [[V]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @short(%x: tensor<4x40xi32>) -> tensor<4xi64> {
  %r = opc.argmax %x {axis = 1}
  return %r : tensor<4xi64>
}

// Long: the second pass is over the block of 128 that has the best value.  NaN is the best of all.
// CHECK-LABEL: func.func @long(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<ui32>
// CHECK-NEXT:     [[C:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[D]] to [[C]][0]
// CHECK-NEXT:     [[E:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:     loop.store [[E]] to [[A]][0]
// CHECK-NEXT:     [[F:%.+]] = scalar.constant 4294967295 : ui32
// CHECK-NEXT:     loop.store [[F]] to [[B]][0]
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <256> step 128 serial {
// CHECK-NEXT:       [[H:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       loop.store [[E]] to [[H]][0]
// CHECK-NEXT:       loop.for [[I:%.+]] = <d0> to <min(d0 + 128, 256)>([[G]]) step 1 serial {
// CHECK-NEXT:         [[J:%.+]] = loop.load %x[d0]([[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = loop.load [[H]][0] : i32
// CHECK-NEXT:         [[L:%.+]] = scalar.apply neg([[J]]) : f32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply rank([[L]]) : i32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply max([[K]], [[M]]) : i32
// CHECK-NEXT:         loop.store [[N]] to [[H]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[O:%.+]] = loop.load [[H]][0] : i32
// CHECK-NEXT:       [[P:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[Q:%.+]] = scalar.apply gt([[O]], [[P]]) : i1
// CHECK-NEXT:       [[R:%.+]] = scalar.index <d0>([[G]]) : i64
// CHECK-NEXT:       [[S:%.+]] = loop.load [[C]][0] : i64
// CHECK-NEXT:       [[T:%.+]] = scalar.apply select([[Q]], [[R]], [[S]]) : i64
// CHECK-NEXT:       loop.store [[T]] to [[C]][0]
// CHECK-NEXT:       [[U:%.+]] = scalar.apply max([[O]], [[P]]) : i32
// CHECK-NEXT:       loop.store [[U]] to [[A]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[V:%.+]] = loop.load [[C]][0] : i64
// CHECK-NEXT:     loop.for [[W:%.+]] = <d0> to <min(d0 + 128, 256)>([[V]]) step 1 serial {
// CHECK-NEXT:       [[X:%.+]] = loop.load %x[d0]([[W]]) : f32
// CHECK-NEXT:       [[Y:%.+]] = scalar.apply neg([[X]]) : f32
// CHECK-NEXT:       [[Z:%.+]] = scalar.apply rank([[Y]]) : i32
// CHECK-NEXT:       [[AA:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[AB:%.+]] = scalar.apply ne([[Z]], [[AA]]) : i1
// CHECK-NEXT:       [[AC:%.+]] = scalar.apply cast([[AB]]) : ui32
// CHECK-NEXT:       [[AD:%.+]] = scalar.apply neg([[AC]]) : ui32
// CHECK-NEXT:       [[AE:%.+]] = scalar.index <d0>([[W]]) : i64
// CHECK-NEXT:       [[AF:%.+]] = scalar.apply cast([[AE]]) : ui32
// CHECK-NEXT:       [[AG:%.+]] = scalar.apply bitwise_or([[AF]], [[AD]]) : ui32
// CHECK-NEXT:       [[AH:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:       [[AI:%.+]] = scalar.apply min([[AH]], [[AG]]) : ui32
// CHECK-NEXT:       loop.store [[AI]] to [[B]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AJ:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:     [[AK:%.+]] = scalar.apply cast([[AJ]]) : i64
// CHECK-NEXT:     loop.store [[AK]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @long(%x: tensor<256xf32>) -> tensor<i64> {
  %r = opc.argmin %x {axis = 0}
  return %r : tensor<i64>
}

// Down columns, value and position go together.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<16xi32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 2147483647 : i32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<16xi32>
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:       [[F:%.+]] = scalar.constant 0 : i32
// CHECK-NEXT:       loop.store [[F]] to [[D]][d0]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0*16 + d1]([[G]], [[H]]) : i32
// CHECK-NEXT:         [[J:%.+]] = scalar.index <d0>([[G]]) : i64
// CHECK-NEXT:         [[K:%.+]] = scalar.apply cast([[J]]) : i32
// CHECK-NEXT:         [[L:%.+]] = loop.load [[A]][d0]([[H]]) : i32
// CHECK-NEXT:         [[M:%.+]] = loop.load [[D]][d0]([[H]]) : i32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply le([[I]], [[L]]) : i1
// CHECK-NEXT:         [[O:%.+]] = scalar.apply select([[N]], [[I]], [[L]]) : i32
// CHECK-NEXT:         loop.store [[O]] to [[A]][d0]([[H]])
// CHECK-NEXT:         [[P:%.+]] = scalar.apply select([[N]], [[K]], [[M]]) : i32
// CHECK-NEXT:         loop.store [[P]] to [[D]][d0]([[H]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[Q:%.+]] = loop.local : memref<16xi64>
// CHECK-NEXT:     loop.for [[R:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:       [[S:%.+]] = loop.load [[D]][d0]([[R]]) : i32
// CHECK-NEXT:       [[T:%.+]] = scalar.apply cast([[S]]) : i64
// CHECK-NEXT:       loop.store [[T]] to [[Q]][d0]([[R]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[U:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:       [[V:%.+]] = loop.load [[Q]][d0]([[U]]) : i64
// CHECK-NEXT:       loop.store [[V]] to %out0[d0]([[U]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<40x16xi32>) -> tensor<16xi64> {
  %r = opc.argmin %x {axis = 0, select_last_index = true}
  return %r : tensor<16xi64>
}
