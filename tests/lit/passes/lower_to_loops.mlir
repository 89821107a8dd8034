// Every nest becomes loops over buffers, with row-major offsets.
// RUN: opc-opt %s -p form-kernels,plan-buffers,lower-to-loops | filecheck %s

// Dimensions that memory does not tell apart are one loop.
// CHECK-LABEL: func.func @collapsed(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <24> step 1 vector {
// CHECK-NEXT:     [[B:%.+]] = loop.load %x[d0]([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply neg([[B]]) : f32
// CHECK-NEXT:     loop.store [[C]] to %out0[d0]([[A]])
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @collapsed(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = opc.apply neg(%x) : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @collapsed_symbolic(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <M*N> step 1 vector {
// CHECK-NEXT:     [[B:%.+]] = loop.load %x[d0]([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply neg([[B]]) : f32
// CHECK-NEXT:     loop.store [[C]] to %out0[d0]([[A]])
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @collapsed_symbolic(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.apply neg(%x) : tensor<?x?xf32, #opc.dims<M, N>> -> tensor<?x?xf32, #opc.dims<M, N>>
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// The outermost of several loops can be shared by threads, the innermost is for vectors.
// CHECK-LABEL: func.func @transpose(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <8> step 1 parallel {
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = loop.load %x[d0 + d1*8]([[A]], [[B]]) : f32
// CHECK-NEXT:       loop.store [[C]] to %out0[d0*4 + d1]([[A]], [[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @transpose(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %r = opc.transpose %x {permutation = [1, 0]}
  return %r : tensor<8x4xf32>
}

// Broadcast over the middle axis: the two others do not touch.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0*4 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         loop.store [[D]] to %out0[d0*12 + d1*4 + d2]([[A]], [[B]], [[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @broadcast(%x: tensor<2x1x4xf32>) -> tensor<2x3x4xf32> {
  %r = opc.broadcast %x -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// Over the first axes they do.
// CHECK-LABEL: func.func @broadcast_outer(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <6> step 1 parallel {
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = loop.load %x[d0]([[B]]) : f32
// CHECK-NEXT:       loop.store [[C]] to %out0[d0*4 + d1]([[A]], [[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @broadcast_outer(%x: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %r = opc.broadcast %x -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT:   [[A:%.+]] = loop.load %x[0] : f32
// CHECK-NEXT:   [[B:%.+]] = scalar.apply neg([[A]]) : f32
// CHECK-NEXT:   loop.store [[B]] to %out0[0]
// CHECK-NEXT:   func.return
func.func @scalar(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = opc.apply neg(%x) : tensor<1x1xf32> -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// A short sum is a plain loop.
// CHECK-LABEL: func.func @serial_sum(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<f32>
// CHECK-NEXT:     [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:     loop.store [[C]] to [[B]][0]
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <16> step 1 serial {
// CHECK-NEXT:       [[E:%.+]] = loop.load %x[d0*16 + d1]([[A]], [[D]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply add([[F]], [[E]]) : f32
// CHECK-NEXT:       loop.store [[G]] to [[B]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[H:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:     loop.store [[H]] to %out0[d0]([[A]])
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @serial_sum(%x: tensor<4x16xf32>) -> tensor<4xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<4xf32>
}

// 40 values go to 16 lanes, the last 8 of them to the last lanes; these are combined at the end.
// CHECK-LABEL: func.func @lanes(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:     [[B:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:     loop.fill [[B]] to [[A]]
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <32> step 16 serial {
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0 + d1]([[C]], [[D]]) : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.accumulate sum %x[d0]([[C]]) to [[A]]
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:       [[G:%.+]] = loop.load %x[d0 + 24]([[F]]) : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.accumulate sum %x[24, 8] to [[A]]
// CHECK-NEXT:     [[H:%.+]] = loop.combine sum [[A]] : f32
// CHECK-NEXT:     loop.store [[H]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @lanes(%x: tensor<40xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// Extremes of a short row are taken from both of its ends at once, and no value is left over.
// CHECK-LABEL: func.func @tail(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[C:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:     loop.store [[C]] to [[A]][0]
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:     loop.store [[D]] to [[B]][0]
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <16> step 1 serial {
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0]([[E]]) : f32
// CHECK-NEXT:       [[G:%.+]] = loop.load %x[d0 + 4]([[E]]) : f32
// CHECK-NEXT:       [[H:%.+]] = scalar.apply order([[F]]) : i32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply order([[G]]) : i32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply max([[H]], [[I]]) : i32
// CHECK-NEXT:       [[K:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[L:%.+]] = scalar.apply max([[K]], [[J]]) : i32
// CHECK-NEXT:       loop.store [[L]] to [[A]][0]
// CHECK-NEXT:       [[M:%.+]] = scalar.apply min([[H]], [[I]]) : i32
// CHECK-NEXT:       [[N:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply min([[N]], [[M]]) : i32
// CHECK-NEXT:       loop.store [[O]] to [[B]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[P:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:     [[Q:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:     [[R:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:     [[S:%.+]] = scalar.apply lt([[Q]], [[R]]) : i1
// CHECK-NEXT:     [[T:%.+]] = scalar.apply select([[S]], [[Q]], [[P]]) : i32
// CHECK-NEXT:     [[U:%.+]] = scalar.apply unorder([[T]]) : f32
// CHECK-NEXT:     loop.store [[U]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @tail(%x: tensor<20xf32>) -> tensor<f32> {
  %r = opc.reduce_max %x {axes = [0]}
  return %r : tensor<f32>
}

// Adjacent reduced axes are one: 6 x 8 is 48 values.
// CHECK-LABEL: func.func @collapsed_sum(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <48> step 16 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:           [[F:%.+]] = loop.load %x[d0*48 + d1 + d2]([[A]], [[D]], [[E]]) : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum %x[d0*48 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[G:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[G]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @collapsed_sum(%x: tensor<2x6x8xf32>) -> tensor<2xf32> {
  %r = opc.reduce_sum %x {axes = [1, 2]}
  return %r : tensor<2xf32>
}

// Others go on with the same lanes.
// CHECK-LABEL: func.func @outer_and_inner(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <3> step 3 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <32> step 16 serial {
// CHECK-NEXT:           loop.for [[F:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:             [[G:%.+]] = loop.load %x[d0*32 + d1*64 + d2 + d3]([[A]], [[D]], [[E]], [[F]]) : f32
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.accumulate sum %x[d0*32 + d1*64 + d2]([[A]], [[D]], [[E]]) to [[B]]
// CHECK-NEXT:           loop.for [[H:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:             [[I:%.+]] = loop.load %x[d0*32 + d1*64 + d2 + d3 + 64]([[A]], [[D]], [[E]], [[H]]) : f32
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.accumulate sum %x[d0*32 + d1*64 + d2 + 64]([[A]], [[D]], [[E]]) to [[B]]
// CHECK-NEXT:           loop.for [[J:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:             [[K:%.+]] = loop.load %x[d0*32 + d1*64 + d2 + d3 + 128]([[A]], [[D]], [[E]], [[J]]) : f32
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.accumulate sum %x[d0*32 + d1*64 + d2 + 128]([[A]], [[D]], [[E]]) to [[B]]
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[L:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[L]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @outer_and_inner(%x: tensor<3x2x32xf32>) -> tensor<2xf32> {
  %r = opc.reduce_sum %x {axes = [0, 2]}
  return %r : tensor<2xf32>
}

// More than 32 values for each of 64 lanes: blocks, whose sums are added pairwise.
// CHECK-LABEL: func.func @cascade(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     [[B:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:     loop.fill [[B]] to [[A]]
// CHECK-NEXT:     [[C:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[D]] to [[C]][0]
// CHECK-NEXT:     [[E:%.+]] = loop.local : memref<896xf32>
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <9984> step 2048 serial {
// CHECK-NEXT:       loop.cascade next [[A]], [[E]], [[C]]
// CHECK-NEXT:       [[G:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[H:%.+]] = loop.load [[C]][0] : i64
// CHECK-NEXT:       [[I:%.+]] = scalar.apply add([[H]], [[G]]) : i64
// CHECK-NEXT:       loop.store [[I]] to [[C]][0]
// CHECK-NEXT:       loop.for [[J:%.+]] = <d0> to <min(d0 + 2048, 9984)>([[F]]) step 64 serial {
// CHECK-NEXT:         loop.for [[K:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[L:%.+]] = loop.load %x[d0 + d1]([[J]], [[K]]) : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum %x[d0]([[J]]) to [[A]]
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade next [[A]], [[E]], [[C]]
// CHECK-NEXT:     [[M:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:     [[N:%.+]] = loop.load [[C]][0] : i64
// CHECK-NEXT:     [[O:%.+]] = scalar.apply add([[N]], [[M]]) : i64
// CHECK-NEXT:     loop.store [[O]] to [[C]][0]
// CHECK-NEXT:     loop.for [[P:%.+]] = <32> to <64> step 1 vector {
// CHECK-NEXT:       [[Q:%.+]] = loop.load %x[d0 + 9936]([[P]]) : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.accumulate sum %x[9936, 16] to [[A]]
// CHECK-NEXT:     loop.cascade finish [[A]], [[E]], [[C]]
// CHECK-NEXT:     [[R:%.+]] = loop.combine sum [[A]] : f32
// CHECK-NEXT:     loop.store [[R]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @cascade(%x: tensor<10000xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// A product needs no cascade.
// CHECK-LABEL: func.func @no_cascade(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     [[B:%.+]] = scalar.constant 1.000000e+00 : f32
// CHECK-NEXT:     loop.fill [[B]] to [[A]]
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <9984> step 64 serial {
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0 + d1]([[C]], [[D]]) : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.accumulate prod %x[d0]([[C]]) to [[A]]
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[F:%.+]] = <32> to <64> step 1 vector {
// CHECK-NEXT:       [[G:%.+]] = loop.load %x[d0 + 9936]([[F]]) : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.accumulate prod %x[9936, 16] to [[A]]
// CHECK-NEXT:     [[H:%.+]] = loop.combine prod [[A]] : f32
// CHECK-NEXT:     loop.store [[H]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @no_cascade(%x: tensor<10000xf32>) -> tensor<f32> {
  %r = opc.reduce_prod %x {axes = [0]}
  return %r : tensor<f32>
}

// Integers need no order, and so no lanes.
// CHECK-LABEL: func.func @integers(
// CHECK-NEXT:   [[A:%.+]] = loop.local : memref<i32>
// CHECK:   loop.for [[B:%.+]] = <0> to <1000> step 1 serial {
// CHECK-NEXT:     [[C:%.+]] = loop.load %x[d0]([[B]]) : i32
func.func @integers(%x: tensor<1000xi32>) -> tensor<i32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<i32>
}

// A maximum of floats is one of integers, and a minimum as well, for the sake of NaN.
// CHECK-LABEL: func.func @extremes(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[C:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:     loop.store [[C]] to [[A]][0]
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:     loop.store [[D]] to [[B]][0]
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <112> step 1 serial {
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0]([[E]]) : f32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply order([[F]]) : i32
// CHECK-NEXT:       [[H:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply max([[H]], [[G]]) : i32
// CHECK-NEXT:       loop.store [[I]] to [[A]][0]
// CHECK-NEXT:       [[J:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       [[K:%.+]] = scalar.apply min([[J]], [[G]]) : i32
// CHECK-NEXT:       loop.store [[K]] to [[B]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[L:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:     [[M:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:     [[N:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:     [[O:%.+]] = scalar.apply lt([[M]], [[N]]) : i1
// CHECK-NEXT:     [[P:%.+]] = scalar.apply select([[O]], [[M]], [[L]]) : i32
// CHECK-NEXT:     [[Q:%.+]] = scalar.apply unorder([[P]]) : f32
// CHECK-NEXT:     loop.store [[Q]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @extremes(%x: tensor<112xf32>) -> tensor<f32> {
  %r = opc.reduce_max %x {axes = [0]}
  return %r : tensor<f32>
}

// What is more than the first-level cache holds is read ahead a row at a time, if rows are short.
// CHECK-LABEL: func.func @ahead(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <100> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0 : i32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       loop.prefetch %x[d0*200 + 200, 200]([[A]])
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <200> step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0*200 + d1]([[A]], [[D]]) : i32
// CHECK-NEXT:         [[F:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[G:%.+]] = scalar.apply add([[F]], [[E]]) : i32
// CHECK-NEXT:         loop.store [[G]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[H:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       loop.store [[H]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @ahead(%x: tensor<100x200xi32>) -> tensor<100xi32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<100xi32>
}

// It is not where the next row is elsewhere in memory: then two rows go in turns; ...
// CHECK-LABEL: func.func @elsewhere(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<32xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       [[D:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[E:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[E]] to [[D]][0]
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<416xf32>
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <32> step 2 serial {
// CHECK-NEXT:         loop.for [[H:%.+]] = <0> to <128> step 512 serial {
// CHECK-NEXT:           loop.cascade next [[B]], [[F]], [[D]]
// CHECK-NEXT:           [[I:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:           [[J:%.+]] = loop.load [[D]][0] : i64
// CHECK-NEXT:           [[K:%.+]] = scalar.apply add([[J]], [[I]]) : i64
// CHECK-NEXT:           loop.store [[K]] to [[D]][0]
// CHECK-NEXT:           loop.for [[L:%.+]] = <d0> to <min(d0 + 512, 128)>([[H]]) step 32 serial {
// CHECK-NEXT:             loop.for [[M:%.+]] = <0> to <32> step 1 vector {
// CHECK-NEXT:               [[N:%.+]] = loop.load %x[d0*128 + d1*512 + d2 + d3]([[A]], [[G]], [[L]], [[M]]) : f32
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.accumulate sum %x[d0*128 + d1*512 + d2]([[A]], [[G]], [[L]]) to [[B]]
// CHECK-NEXT:             loop.for [[O:%.+]] = <0> to <32> step 1 vector {
// CHECK-NEXT:               [[P:%.+]] = loop.load %x[d0*128 + d1*512 + d2 + d3 + 512]([[A]], [[G]], [[L]], [[O]]) : f32
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.accumulate sum %x[d0*128 + d1*512 + d2 + 512]([[A]], [[G]], [[L]]) to [[B]]
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.cascade finish [[B]], [[F]], [[D]]
// CHECK-NEXT:       [[Q:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[Q]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @elsewhere(%x: tensor<32x4x128xf32>) -> tensor<4xf32> {
  %r = opc.reduce_sum %x {axes = [0, 2]}
  return %r : tensor<4xf32>
}

// ... nor along long rows (see lower_rows for those of which functions are computed).
// CHECK-LABEL: func.func @long_rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <10> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <1088> step 64 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[F:%.+]] = loop.load %x[d0*1088 + d1 + d2]([[A]], [[D]], [[E]]) : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum %x[d0*1088 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[G:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[G]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @long_rows(%x: tensor<10x1088xf32>) -> tensor<10xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<10xf32>
}

// Reading across the rows goes through a tile.
// CHECK-LABEL: func.func @tiled(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <3> step 1 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <100> step 64 serial {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<4096xf32>
// CHECK-NEXT:         loop.transpose %x to [[C]][d0*6400 + d1*64, 64, 0, 64, -d1 + min(d1 + 64, 100), 64]([[A]], [[B]])
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <d0> to <min(d0 + 64, 100)>([[B]]) step 1 vector {
// CHECK-NEXT:             [[F:%.+]] = loop.load [[C]][-d0 + d1*64 + d2]([[B]], [[D]], [[E]]) : f32
// CHECK-NEXT:             loop.store [[F]] to %out0[d0*6400 + d1*100 + d2]([[A]], [[D]], [[E]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @tiled(%x: tensor<3x100x64xf32>) -> tensor<3x64x100xf32> {
  %r = opc.transpose %x {permutation = [0, 2, 1]}
  return %r : tensor<3x64x100xf32>
}

// Of more than caches hold, each line of a block asks for one of the next, whose rows are down here.
// What is left over after full lines asks for none.
// CHECK-LABEL: func.func @tiles_ahead(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1024> step 128 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <1500> step 96 serial {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<12288xf32>
// CHECK-NEXT:         loop.transpose %x to [[C]][d0 + d1*1024, 1024, 0, 96, -d1 + min(d1 + 96, 1500), 128]([[A]], [[B]])
// CHECK-NEXT:         loop.for [[D:%.+]] = <d0> to <d0 + 128>([[A]]) step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <d0> to <min(d0 + 96, 1488)>([[B]]) step 16 serial {
// CHECK-NEXT:             loop.prefetch %x[d0 + d2*1024 + floordiv(-d0 + d1, 8)*1024 + mod(-d0 + d1, 8)*16 + 98304, 16]([[A]], [[D]], [[E]])
// CHECK-NEXT:             loop.for [[F:%.+]] = <d0> to <d0 + 16>([[E]]) step 1 vector {
// CHECK-NEXT:               [[G:%.+]] = loop.load [[C]][-d0*96 - d1 + d2*96 + d3]([[A]], [[B]], [[D]], [[F]]) : f32
// CHECK-NEXT:               loop.store [[G]] to %out0[d0*1500 + d1]([[D]], [[F]])
// CHECK-NEXT:             }
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[H:%.+]] = <min(d0 + 96, 1488)> to <min(d0 + 96, 1500)>([[B]]) step 1 vector {
// CHECK-NEXT:             [[I:%.+]] = loop.load [[C]][-d0*96 - d1 + d2*96 + d3]([[A]], [[B]], [[D]], [[H]]) : f32
// CHECK-NEXT:             loop.store [[I]] to %out0[d0*1500 + d1]([[D]], [[H]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @tiles_ahead(%x: tensor<1500x1024xf32>) -> tensor<1024x1500xf32> {
  %r = opc.transpose %x {permutation = [1, 0]}
  return %r : tensor<1024x1500xf32>
}

// Unknown extents are taken for long ones.
// CHECK-LABEL: func.func @tiles_symbolic(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <M> step 64 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <N> step 48 serial {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<3072xf64>
// CHECK-NEXT:         loop.transpose %x to [[C]][M*d1 + d0, M, 0, 48, -d1 + min(d1 + 48, N), -d0 + min(d0 + 64, M)]([[A]], [[B]])
// CHECK-NEXT:         loop.for [[D:%.+]] = <d0> to <min(d0 + 64, M)>([[A]]) step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <d0> to <min(d0 + 48, floordiv(N, 8)*8)>([[B]]) step 8 serial {
// CHECK-NEXT:             loop.prefetch %x[M*d2 + M*floordiv(-d0 + d1, 8) + d0 + M*48 + mod(-d0 + d1, 8)*8, 8]([[A]], [[D]], [[E]])
// CHECK-NEXT:             loop.for [[F:%.+]] = <d0> to <d0 + 8>([[E]]) step 1 vector {
// CHECK-NEXT:               [[G:%.+]] = loop.load [[C]][-d0*48 - d1 + d2*48 + d3]([[A]], [[B]], [[D]], [[F]]) : f64
// CHECK-NEXT:               loop.store [[G]] to %out0[N*d0 + d1]([[D]], [[F]])
// CHECK-NEXT:             }
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[H:%.+]] = <min(d0 + 48, floordiv(N, 8)*8)> to <min(d0 + 48, N)>([[B]]) step 1 vector {
// CHECK-NEXT:             [[I:%.+]] = loop.load [[C]][-d0*48 - d1 + d2*48 + d3]([[A]], [[B]], [[D]], [[H]]) : f64
// CHECK-NEXT:             loop.store [[I]] to %out0[N*d0 + d1]([[D]], [[H]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @tiles_symbolic(%x: tensor<?x?xf64, #opc.dims<N, M>>) -> tensor<?x?xf64, #opc.dims<M, N>> {
  %r = opc.transpose %x {permutation = [1, 0]}
  return %r : tensor<?x?xf64, #opc.dims<M, N>>
}

// Where memory runs along a kept dimension, a block of columns goes down together.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <200> step 200 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<200xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <200> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <20> step 1 serial {
// CHECK-NEXT:         loop.for [[F:%.+]] = <0> to <200> step 1 vector {
// CHECK-NEXT:           [[G:%.+]] = loop.load %x[d0 + d1*200 + d2]([[A]], [[E]], [[F]]) : f32
// CHECK-NEXT:           [[H:%.+]] = loop.load [[B]][d0]([[F]]) : f32
// CHECK-NEXT:           [[I:%.+]] = scalar.apply add([[H]], [[G]]) : f32
// CHECK-NEXT:           loop.store [[I]] to [[B]][d0]([[F]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[J:%.+]] = <0> to <200> step 1 vector {
// CHECK-NEXT:         [[K:%.+]] = loop.load [[B]][d0]([[J]]) : f32
// CHECK-NEXT:         loop.store [[K]] to %out0[d0 + d1]([[A]], [[J]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<20x200xf32>) -> tensor<200xf32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<200xf32>
}

// Symbolic extents always have the most lanes, blocks and a tail.
// CHECK-LABEL: func.func @symbolic_sum(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<32xf64>
// CHECK-NEXT:     [[B:%.+]] = scalar.constant 0.000000e+00 : f64
// CHECK-NEXT:     loop.fill [[B]] to [[A]]
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <min(32, floordiv(N, 262144) + 1)> step 1 parallel {
// CHECK-NEXT:       [[D:%.+]] = loop.local : memref<32xf64>
// CHECK-NEXT:       [[E:%.+]] = scalar.constant 0.000000e+00 : f64
// CHECK-NEXT:       loop.fill [[E]] to [[D]]
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[G:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[G]] to [[F]][0]
// CHECK-NEXT:       [[H:%.+]] = loop.local : memref<1280xf64>
// CHECK-NEXT:       loop.for [[I:%.+]] = <min(d0*floordiv(N + min(32, floordiv(N, 262144) + 1)*1024 - mod(N, 32) - 1, min(32, floordiv(N, 262144) + 1)*1024)*1024, N - mod(N, 32))> to <min(d0*floordiv(N + min(32, floordiv(N, 262144) + 1)*1024 - mod(N, 32) - 1, min(32, floordiv(N, 262144) + 1)*1024)*1024 + floordiv(N + min(32, floordiv(N, 262144) + 1)*1024 - mod(N, 32) - 1, min(32, floordiv(N, 262144) + 1)*1024)*1024, N - mod(N, 32))>([[C]]) step 1024 serial {
// CHECK-NEXT:         loop.cascade next [[D]], [[H]], [[F]]
// CHECK-NEXT:         [[J:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[K:%.+]] = loop.load [[F]][0] : i64
// CHECK-NEXT:         [[L:%.+]] = scalar.apply add([[K]], [[J]]) : i64
// CHECK-NEXT:         loop.store [[L]] to [[F]][0]
// CHECK-NEXT:         loop.for [[M:%.+]] = <d1> to <min(d1 + 1024, min(d0*floordiv(N + min(32, floordiv(N, 262144) + 1)*1024 - mod(N, 32) - 1, min(32, floordiv(N, 262144) + 1)*1024)*1024 + floordiv(N + min(32, floordiv(N, 262144) + 1)*1024 - mod(N, 32) - 1, min(32, floordiv(N, 262144) + 1)*1024)*1024, N - mod(N, 32)))>([[C]], [[I]]) step 32 serial {
// CHECK-NEXT:           loop.for [[N:%.+]] = <0> to <32> step 1 vector {
// CHECK-NEXT:             [[O:%.+]] = loop.load %x[d0 + d1]([[M]], [[N]]) : f64
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.accumulate sum %x[d0]([[M]]) to [[D]]
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[P:%.+]] = <0> to <floordiv(d0 + 1, min(32, floordiv(N, 262144) + 1))*mod(N, 32)>([[C]]) step 32 serial {
// CHECK-NEXT:         loop.cascade next [[D]], [[H]], [[F]]
// CHECK-NEXT:         [[Q:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[R:%.+]] = loop.load [[F]][0] : i64
// CHECK-NEXT:         [[S:%.+]] = scalar.apply add([[R]], [[Q]]) : i64
// CHECK-NEXT:         loop.store [[S]] to [[F]][0]
// CHECK-NEXT:         [[T:%.+]] = loop.local : memref<32xf64>
// CHECK-NEXT:         [[U:%.+]] = scalar.constant 0.000000e+00 : f64
// CHECK-NEXT:         loop.fill [[U]] to [[T]]
// CHECK-NEXT:         loop.for [[V:%.+]] = <0> to <floordiv(d0 + 1, min(32, floordiv(N, 262144) + 1))*mod(N, 32)>([[C]]) step 1 vector {
// CHECK-NEXT:           [[W:%.+]] = loop.load %x[d0 + N - mod(N, 32)]([[V]]) : f64
// CHECK-NEXT:           loop.store [[W]] to [[T]][-floordiv(d0 + 1, min(32, floordiv(N, 262144) + 1))*mod(N, 32) + d1 + 32]([[C]], [[V]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum [[T]][0] to [[D]]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.cascade finish [[D]], [[H]], [[F]]
// CHECK-NEXT:       [[X:%.+]] = loop.combine sum [[D]] : f64
// CHECK-NEXT:       loop.store [[X]] to [[A]][d0]([[C]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[Y:%.+]] = loop.local : memref<32xf64>
// CHECK-NEXT:     [[Z:%.+]] = scalar.constant 0.000000e+00 : f64
// CHECK-NEXT:     loop.fill [[Z]] to [[Y]]
// CHECK-NEXT:     loop.accumulate sum [[A]][0] to [[Y]]
// CHECK-NEXT:     [[AA:%.+]] = loop.combine sum [[Y]] : f64
// CHECK-NEXT:     loop.store [[AA]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @symbolic_sum(%x: tensor<?xf64, #opc.dims<N>>) -> tensor<f64> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f64>
}

// Positions are searched in order, with the value and its place.
// CHECK-LABEL: func.func @argmax(
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
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0*40 + d1]([[A]], [[H]]) : i32
// CHECK-NEXT:         [[J:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply max([[J]], [[I]]) : i32
// CHECK-NEXT:         loop.store [[K]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[L:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:         [[M:%.+]] = loop.load %x[d0*40 + d1]([[A]], [[L]]) : i32
// CHECK-NEXT:         [[N:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply ne([[M]], [[N]]) : i1
// CHECK-NEXT:         [[P:%.+]] = scalar.apply cast([[O]]) : ui32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply neg([[P]]) : ui32
// CHECK-NEXT:         [[R:%.+]] = scalar.index <d0>([[L]]) : i64
// CHECK-NEXT:         [[S:%.+]] = scalar.apply cast([[R]]) : ui32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply bitwise_or([[S]], [[Q]]) : ui32
// CHECK-NEXT:         [[U:%.+]] = loop.load [[C]][0] : ui32
// CHECK-NEXT:         [[V:%.+]] = scalar.apply min([[U]], [[T]]) : ui32
// CHECK-NEXT:         loop.store [[V]] to [[C]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[W:%.+]] = loop.load [[C]][0] : ui32
// CHECK-NEXT:       [[X:%.+]] = scalar.apply cast([[W]]) : i64
// CHECK-NEXT:       loop.store [[X]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @argmax(%x: tensor<4x40xi32>) -> tensor<4xi64> {
  %r = opc.argmax %x {axis = 1}
  return %r : tensor<4xi64>
}

// The first NaN is the greatest of all.
// CHECK-LABEL: func.func @argmin_of_floats(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<ui32>
// CHECK-NEXT:     [[C:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[D]] to [[C]][0]
// CHECK-NEXT:     [[E:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:     loop.store [[E]] to [[A]][0]
// CHECK-NEXT:     [[F:%.+]] = scalar.constant 4294967295 : ui32
// CHECK-NEXT:     loop.store [[F]] to [[B]][0]
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0]([[G]]) : f32
// CHECK-NEXT:       [[I:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply neg([[H]]) : f32
// CHECK-NEXT:       [[K:%.+]] = scalar.apply rank([[J]]) : i32
// CHECK-NEXT:       [[L:%.+]] = scalar.apply max([[I]], [[K]]) : i32
// CHECK-NEXT:       loop.store [[L]] to [[A]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[M:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:       [[N:%.+]] = loop.load %x[d0]([[M]]) : f32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply neg([[N]]) : f32
// CHECK-NEXT:       [[P:%.+]] = scalar.apply rank([[O]]) : i32
// CHECK-NEXT:       [[Q:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[R:%.+]] = scalar.apply ne([[P]], [[Q]]) : i1
// CHECK-NEXT:       [[S:%.+]] = scalar.apply cast([[R]]) : ui32
// CHECK-NEXT:       [[T:%.+]] = scalar.apply neg([[S]]) : ui32
// CHECK-NEXT:       [[U:%.+]] = scalar.index <d0>([[M]]) : i64
// CHECK-NEXT:       [[V:%.+]] = scalar.apply cast([[U]]) : ui32
// CHECK-NEXT:       [[W:%.+]] = scalar.apply bitwise_or([[V]], [[T]]) : ui32
// CHECK-NEXT:       [[X:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:       [[Y:%.+]] = scalar.apply min([[X]], [[W]]) : ui32
// CHECK-NEXT:       loop.store [[Y]] to [[B]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[Z:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:     [[AA:%.+]] = scalar.apply cast([[Z]]) : i64
// CHECK-NEXT:     loop.store [[AA]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @argmin_of_floats(%x: tensor<40xf32>) -> tensor<i64> {
  %r = opc.argmin %x {axis = 0}
  return %r : tensor<i64>
}

// CHECK-LABEL: func.func @argmin_last_of_floats(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:     [[C:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[D]] to [[C]][0]
// CHECK-NEXT:     [[E:%.+]] = scalar.constant -2147483648 : i32
// CHECK-NEXT:     loop.store [[E]] to [[A]][0]
// CHECK-NEXT:     [[F:%.+]] = scalar.constant -1 : i32
// CHECK-NEXT:     loop.store [[F]] to [[B]][0]
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0]([[G]]) : f32
// CHECK-NEXT:       [[I:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply neg([[H]]) : f32
// CHECK-NEXT:       [[K:%.+]] = scalar.apply rank([[J]]) : i32
// CHECK-NEXT:       [[L:%.+]] = scalar.apply max([[I]], [[K]]) : i32
// CHECK-NEXT:       loop.store [[L]] to [[A]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[M:%.+]] = <0> to <40> step 1 serial {
// CHECK-NEXT:       [[N:%.+]] = loop.load %x[d0]([[M]]) : f32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply neg([[N]]) : f32
// CHECK-NEXT:       [[P:%.+]] = scalar.apply rank([[O]]) : i32
// CHECK-NEXT:       [[Q:%.+]] = loop.load [[A]][0] : i32
// CHECK-NEXT:       [[R:%.+]] = scalar.apply ne([[P]], [[Q]]) : i1
// CHECK-NEXT:       [[S:%.+]] = scalar.apply cast([[R]]) : i32
// CHECK-NEXT:       [[T:%.+]] = scalar.apply neg([[S]]) : i32
// CHECK-NEXT:       [[U:%.+]] = scalar.index <d0>([[M]]) : i64
// CHECK-NEXT:       [[V:%.+]] = scalar.apply cast([[U]]) : i32
// CHECK-NEXT:       [[W:%.+]] = scalar.apply bitwise_or([[V]], [[T]]) : i32
// CHECK-NEXT:       [[X:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:       [[Y:%.+]] = scalar.apply max([[X]], [[W]]) : i32
// CHECK-NEXT:       loop.store [[Y]] to [[B]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[Z:%.+]] = loop.load [[B]][0] : i32
// CHECK-NEXT:     [[AA:%.+]] = scalar.apply cast([[Z]]) : i64
// CHECK-NEXT:     loop.store [[AA]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @argmin_last_of_floats(%x: tensor<40xf32>) -> tensor<i64> {
  %r = opc.argmin %x {axis = 0, select_last_index = true}
  return %r : tensor<i64>
}

// Nothing is added, and the sum is 0.
// CHECK-LABEL: func.func @sum_of_nothing(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<f32>
// CHECK-NEXT:     [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:     loop.store [[C]] to [[B]][0]
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <0> step 1 serial {
// CHECK-NEXT:       [[E:%.+]] = loop.load %x[d0]([[D]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply add([[F]], [[E]]) : f32
// CHECK-NEXT:       loop.store [[G]] to [[B]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     [[H:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:     loop.store [[H]] to %out0[d0]([[A]])
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @sum_of_nothing(%x: tensor<2x0xf32>) -> tensor<2xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<2xf32>
}
