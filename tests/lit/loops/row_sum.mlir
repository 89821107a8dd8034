// Sums and products along rows: 64 lanes, groups of 8 values of each in pairs.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,lower-to-loops,simplify-loops | filecheck %s

// A group: rows of 64 in the order of memory, totals of 1, 2 and 4 rows, one combination of the lanes.
// CHECK-LABEL: func.func @group(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0]([[E]]) : f32
// CHECK-NEXT:       loop.store [[F]] to [[D]][d0]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[G:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[H:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[I:%.+]] = loop.load %x[d0 + 64]([[H]]) : f32
// CHECK-NEXT:       [[J:%.+]] = loop.load [[D]][d0]([[H]]) : f32
// CHECK-NEXT:       [[K:%.+]] = scalar.apply add([[J]], [[I]]) : f32
// CHECK-NEXT:       loop.store [[K]] to [[G]][d0]([[H]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[L:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[M:%.+]] = loop.load %x[d0 + 128]([[L]]) : f32
// CHECK-NEXT:       loop.store [[M]] to [[D]][d0]([[L]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[N:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[O:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[P:%.+]] = loop.load %x[d0 + 192]([[O]]) : f32
// CHECK-NEXT:       [[Q:%.+]] = loop.load [[D]][d0]([[O]]) : f32
// CHECK-NEXT:       [[R:%.+]] = scalar.apply add([[Q]], [[P]]) : f32
// CHECK-NEXT:       [[S:%.+]] = loop.load [[G]][d0]([[O]]) : f32
// CHECK-NEXT:       [[T:%.+]] = scalar.apply add([[S]], [[R]]) : f32
// CHECK-NEXT:       loop.store [[T]] to [[N]][d0]([[O]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[U:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[V:%.+]] = loop.load %x[d0 + 256]([[U]]) : f32
// CHECK-NEXT:       loop.store [[V]] to [[D]][d0]([[U]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[W:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[X:%.+]] = loop.load %x[d0 + 320]([[W]]) : f32
// CHECK-NEXT:       [[Y:%.+]] = loop.load [[D]][d0]([[W]]) : f32
// CHECK-NEXT:       [[Z:%.+]] = scalar.apply add([[Y]], [[X]]) : f32
// CHECK-NEXT:       loop.store [[Z]] to [[G]][d0]([[W]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AA:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AB:%.+]] = loop.load %x[d0 + 384]([[AA]]) : f32
// CHECK-NEXT:       loop.store [[AB]] to [[D]][d0]([[AA]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AD:%.+]] = loop.load %x[d0 + 448]([[AC]]) : f32
// CHECK-NEXT:       [[AE:%.+]] = loop.load [[D]][d0]([[AC]]) : f32
// CHECK-NEXT:       [[AF:%.+]] = scalar.apply add([[AE]], [[AD]]) : f32
// CHECK-NEXT:       [[AG:%.+]] = loop.load [[G]][d0]([[AC]]) : f32
// CHECK-NEXT:       [[AH:%.+]] = scalar.apply add([[AG]], [[AF]]) : f32
// CHECK-NEXT:       [[AI:%.+]] = loop.load [[N]][d0]([[AC]]) : f32
// CHECK-NEXT:       [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:       [[AK:%.+]] = loop.load [[A]][d0]([[AC]]) : f32
// CHECK-NEXT:       [[AL:%.+]] = scalar.apply add([[AK]], [[AJ]]) : f32
// CHECK-NEXT:       loop.store [[AL]] to [[A]][d0]([[AC]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AM:%.+]] = loop.combine sum [[A]] : f32
// CHECK-NEXT:     loop.store [[AM]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @group(%x: tensor<512xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// What is left: 64 values, then 6 lanes have one more; the others take -0, which adds nothing.
// CHECK-LABEL: func.func @rest(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[F:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[F]] to [[D]][d0]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <6> step 1 vector {
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0 + 64]([[G]]) : f32
// CHECK-NEXT:       loop.store [[H]] to [[D]][d0]([[G]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[I:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[J:%.+]] = loop.load %x[d0]([[I]]) : f32
// CHECK-NEXT:       [[K:%.+]] = loop.load [[D]][d0]([[I]]) : f32
// CHECK-NEXT:       [[L:%.+]] = scalar.apply add([[J]], [[K]]) : f32
// CHECK-NEXT:       [[M:%.+]] = loop.load [[A]][d0]([[I]]) : f32
// CHECK-NEXT:       [[N:%.+]] = scalar.apply add([[M]], [[L]]) : f32
// CHECK-NEXT:       loop.store [[N]] to [[A]][d0]([[I]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[O:%.+]] = loop.combine sum [[A]] : f32
// CHECK-NEXT:     loop.store [[O]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @rest(%x: tensor<70xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// Fewer values than lanes: as many lanes as have one.
// CHECK-LABEL: func.func @few(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<4xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <3> step 1 vector {
// CHECK-NEXT:       [[E:%.+]] = loop.load %x[d0]([[D]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load [[A]][d0]([[D]]) : f32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply add([[F]], [[E]]) : f32
// CHECK-NEXT:       loop.store [[G]] to [[A]][d0]([[D]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[H:%.+]] = <0> to <2> step 1 vector {
// CHECK-NEXT:       [[I:%.+]] = loop.load [[A]][d0 + 2]([[H]]) : f32
// CHECK-NEXT:       [[J:%.+]] = loop.load [[A]][d0]([[H]]) : f32
// CHECK-NEXT:       [[K:%.+]] = scalar.apply add([[J]], [[I]]) : f32
// CHECK-NEXT:       loop.store [[K]] to [[A]][d0]([[H]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[L:%.+]] = loop.load [[A]][1] : f32
// CHECK-NEXT:     [[M:%.+]] = loop.load [[A]][0] : f32
// CHECK-NEXT:     [[N:%.+]] = scalar.apply add([[M]], [[L]]) : f32
// CHECK-NEXT:     loop.store [[N]] to [[A]][0]
// CHECK-NEXT:     [[O:%.+]] = loop.load [[A]][0] : f32
// CHECK-NEXT:     loop.store [[O]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @few(%x: tensor<3xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// A product has the same order, and 1 for what is not there.
// CHECK-LABEL: func.func @product(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 1.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = scalar.constant 1.000000e+00 : f32
// CHECK-NEXT:         loop.store [[G]] to [[E]][d0]([[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <6> step 1 vector {
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0*70 + d1 + 64]([[A]], [[H]]) : f32
// CHECK-NEXT:         loop.store [[I]] to [[E]][d0]([[H]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[J:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[K:%.+]] = loop.load %x[d0*70 + d1]([[A]], [[J]]) : f32
// CHECK-NEXT:         [[L:%.+]] = loop.load [[E]][d0]([[J]]) : f32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply mul([[K]], [[L]]) : f32
// CHECK-NEXT:         [[N:%.+]] = loop.load [[B]][d0]([[J]]) : f32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply mul([[N]], [[M]]) : f32
// CHECK-NEXT:         loop.store [[O]] to [[B]][d0]([[J]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[P:%.+]] = loop.combine prod [[B]] : f32
// CHECK-NEXT:       loop.store [[P]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @product(%x: tensor<2x70xf32>) -> tensor<2xf32> {
  %r = opc.reduce_prod %x {axes = [1]}
  return %r : tensor<2xf32>
}

// Nothing is added, and the sum is 0.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<f32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       [[D:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:       loop.store [[D]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @nothing(%x: tensor<2x0xf32>) -> tensor<2xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<2xf32>
}

// Integers need no order, and so no lanes.
// CHECK-LABEL: func.func @integers(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<ui32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0 : ui32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <1000> step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0*1000 + d1]([[A]], [[D]]) : i32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply cast([[E]]) : ui32
// CHECK-NEXT:         [[G:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply add([[G]], [[F]]) : ui32
// CHECK-NEXT:         loop.store [[H]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[I:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply cast([[I]]) : i32
// CHECK-NEXT:       loop.store [[J]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @integers(%x: tensor<2x1000xi32>) -> tensor<2xi32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<2xi32>
}
