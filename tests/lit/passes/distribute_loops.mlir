// A few short rows at a time go through a sweep before the next one: that waits for what it finds.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops,distribute-loops,simplify-loops | filecheck %s

// The least of a row waits for memory: in the second stage the rows of the next block are asked for.
// CHECK-LABEL: func.func @least(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1024> step 8 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<8xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(-d0 + 1024, 8)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[D:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:         [[E:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:         [[F:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:         loop.store [[F]] to [[D]][0]
// CHECK-NEXT:         [[G:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:         loop.store [[G]] to [[E]][0]
// CHECK-NEXT:         loop.for [[H:%.+]] = <0> to <128> step 1 serial {
// CHECK-NEXT:           [[I:%.+]] = loop.load %x[d0 + d1*128 + d2*128]([[H]], [[A]], [[C]]) : f32
// CHECK-NEXT:           [[J:%.+]] = scalar.apply order([[I]]) : i32
// CHECK-NEXT:           [[K:%.+]] = loop.load [[D]][0] : i32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply max([[K]], [[J]]) : i32
// CHECK-NEXT:           loop.store [[L]] to [[D]][0]
// CHECK-NEXT:           [[M:%.+]] = loop.load [[E]][0] : i32
// CHECK-NEXT:           [[N:%.+]] = scalar.apply min([[M]], [[J]]) : i32
// CHECK-NEXT:           loop.store [[N]] to [[E]][0]
// CHECK-NEXT:         }
// CHECK-NEXT:         [[O:%.+]] = loop.load [[D]][0] : i32
// CHECK-NEXT:         [[P:%.+]] = loop.load [[E]][0] : i32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply gt([[O]], [[G]]) : i1
// CHECK-NEXT:         [[R:%.+]] = scalar.apply select([[Q]], [[O]], [[P]]) : i32
// CHECK-NEXT:         [[S:%.+]] = scalar.apply unorder([[R]]) : f32
// CHECK-NEXT:         loop.store [[S]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[T:%.+]] = <0> to <min(-d0 + 1024, 8)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*128 + d1*128 + 1024, 128]([[A]], [[T]])
// CHECK-NEXT:         [[U:%.+]] = loop.load [[B]][d0]([[T]]) : f32
// CHECK-NEXT:         loop.for [[V:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:           [[W:%.+]] = loop.load %x[d0 + d1*128 + d2*128]([[V]], [[A]], [[T]]) : f32
// CHECK-NEXT:           [[X:%.+]] = scalar.apply sub([[W]], [[U]]) : f32
// CHECK-NEXT:           loop.store [[X]] to %out0[d0 + d1*128 + d2*128]([[V]], [[A]], [[T]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @least(%x: tensor<1024x128xf32>) -> tensor<1024x128xf32> {
  %m = opc.reduce_min %x {axes = [1], keepdims = true}
  %r = opc.sub %x, %m
  func.return %r : tensor<1024x128xf32>
}

// A row of what the first sweep computes is kept for each of the rows.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <60> step 8 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<384xf64>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<8xf64>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <min(-d0 + 60, 8)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:         [[F:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:         [[G:%.+]] = scalar.constant -9218868437227405313 : i64
// CHECK-NEXT:         loop.store [[G]] to [[E]][0]
// CHECK-NEXT:         [[H:%.+]] = scalar.constant 9218868437227405312 : i64
// CHECK-NEXT:         loop.store [[H]] to [[F]][0]
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <48> step 1 serial {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0 + d1*48 + d2*48]([[I]], [[A]], [[D]]) : f64
// CHECK-NEXT:           [[K:%.+]] = scalar.apply exp([[J]]) : f64
// CHECK-NEXT:           loop.store [[K]] to [[B]][d0 + d1*48]([[I]], [[D]])
// CHECK-NEXT:           [[L:%.+]] = scalar.apply order([[K]]) : i64
// CHECK-NEXT:           [[M:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:           [[N:%.+]] = scalar.apply max([[M]], [[L]]) : i64
// CHECK-NEXT:           loop.store [[N]] to [[E]][0]
// CHECK-NEXT:           [[O:%.+]] = loop.load [[F]][0] : i64
// CHECK-NEXT:           [[P:%.+]] = scalar.apply min([[O]], [[L]]) : i64
// CHECK-NEXT:           loop.store [[P]] to [[F]][0]
// CHECK-NEXT:         }
// CHECK-NEXT:         [[Q:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:         [[R:%.+]] = loop.load [[F]][0] : i64
// CHECK-NEXT:         [[S:%.+]] = scalar.apply lt([[R]], [[G]]) : i1
// CHECK-NEXT:         [[T:%.+]] = scalar.apply select([[S]], [[R]], [[Q]]) : i64
// CHECK-NEXT:         [[U:%.+]] = scalar.apply unorder([[T]]) : f64
// CHECK-NEXT:         loop.store [[U]] to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[V:%.+]] = <0> to <min(-d0 + 60, 8)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[W:%.+]] = loop.load [[C]][d0]([[V]]) : f64
// CHECK-NEXT:         loop.for [[X:%.+]] = <0> to <48> step 1 vector {
// CHECK-NEXT:           [[Y:%.+]] = loop.load [[B]][d0 + d1*48]([[X]], [[V]]) : f64
// CHECK-NEXT:           [[Z:%.+]] = scalar.apply div([[Y]], [[W]]) : f64
// CHECK-NEXT:           loop.store [[Z]] to %out0[d0 + d1*48 + d2*48]([[X]], [[A]], [[V]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @kept(%x: tensor<60x48xf64>) -> tensor<60x48xf64> {
  %e = opc.exp %x
  %m = opc.reduce_max %e {axes = [1], keepdims = true}
  %r = opc.div %e, %m
  func.return %r : tensor<60x48xf64>
}

// A function of each sum is a stage of its own, in vectors.
// CHECK-LABEL: func.func @function(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <N> step 16 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(-d0 + N, 16)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[D:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:         [[E:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.fill [[E]] to [[D]]
// CHECK-NEXT:         loop.for [[F:%.+]] = <0> to <96> step 16 serial {
// CHECK-NEXT:           loop.prefetch %x[d0 + d1*100 + d2*100 + 1024, 16]([[F]], [[A]], [[C]])
// CHECK-NEXT:           loop.accumulate sum %x[d0 + d1*100 + d2*100]([[F]], [[A]], [[C]]) to [[D]]
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum %x[d0*100 + d1*100 + 84, 4]([[A]], [[C]]) to [[D]]
// CHECK-NEXT:         [[G:%.+]] = loop.combine sum [[D]] : f32
// CHECK-NEXT:         loop.store [[G]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <min(-d0 + N, 16)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[I:%.+]] = loop.load [[B]][d0]([[H]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply tanh([[I]]) : f32
// CHECK-NEXT:         loop.store [[J]] to %out0[d0 + d1]([[A]], [[H]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @function(%x: tensor<?x100xf32, #opc.dims<N, 100>>) -> tensor<?x1xf32, #opc.dims<N, 1>> {
  %s = opc.reduce_sum %x {axes = [1], keepdims = true}
  %r = opc.tanh %s
  func.return %r : tensor<?x1xf32, #opc.dims<N, 1>>
}

// Nothing waits, too few rows, and rows that are long enough.
// CHECK-LABEL: func.func @square(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1024> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<32xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <128> step 32 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*128 + d1 + 1024, 32]([[A]], [[D]])
// CHECK-NEXT:         loop.accumulate sum %x[d0*128 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       [[F:%.+]] = scalar.apply mul([[E]], [[E]]) : f32
// CHECK-NEXT:       loop.store [[F]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @square(%x: tensor<1024x128xf32>) -> tensor<1024x1xf32> {
  %s = opc.reduce_sum %x {axes = [1], keepdims = true}
  %r = opc.mul %s, %s
  func.return %r : tensor<1024x1xf32>
}

// CHECK-LABEL: func.func @few(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <7> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<32xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <128> step 32 serial {
// CHECK-NEXT:         loop.accumulate sum %x[d0*128 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*128 + d1]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply sub([[G]], [[E]]) : f32
// CHECK-NEXT:         loop.store [[H]] to %out0[d0*128 + d1]([[A]], [[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @few(%x: tensor<7x128xf32>) -> tensor<7x128xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %r = opc.sub %x, %m
  func.return %r : tensor<7x128xf32>
}

// CHECK-LABEL: func.func @long(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1024> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <256> step 64 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*300 + d1 + 1024, 64]([[A]], [[D]])
// CHECK-NEXT:         loop.accumulate sum %x[d0*300 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.accumulate sum %x[d0*300 + 236, 44]([[A]]) to [[B]]
// CHECK-NEXT:       [[E:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <288> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*300 + d1]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply sub([[G]], [[E]]) : f32
// CHECK-NEXT:         loop.store [[H]] to %out0[d0*300 + d1]([[A]], [[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[I:%.+]] = <268> to <300> step 1 vector {
// CHECK-NEXT:         [[J:%.+]] = loop.load %x[d0*300 + d1]([[A]], [[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply sub([[J]], [[E]]) : f32
// CHECK-NEXT:         loop.store [[K]] to %out0[d0*300 + d1]([[A]], [[I]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @long(%x: tensor<1024x300xf32>) -> tensor<1024x300xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %r = opc.sub %x, %m
  func.return %r : tensor<1024x300xf32>
}

// Of three stages the one in between asks for what the last one writes.
// CHECK-LABEL: func.func @three(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1024> step 16 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <min(-d0 + 1024, 16)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:         [[F:%.+]] = loop.local : memref<i32>
// CHECK-NEXT:         [[G:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:         loop.store [[G]] to [[E]][0]
// CHECK-NEXT:         [[H:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:         loop.store [[H]] to [[F]][0]
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0 + d1*64 + d2*64]([[I]], [[A]], [[D]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply order([[J]]) : i32
// CHECK-NEXT:           [[L:%.+]] = loop.load [[E]][0] : i32
// CHECK-NEXT:           [[M:%.+]] = scalar.apply max([[L]], [[K]]) : i32
// CHECK-NEXT:           loop.store [[M]] to [[E]][0]
// CHECK-NEXT:           [[N:%.+]] = loop.load [[F]][0] : i32
// CHECK-NEXT:           [[O:%.+]] = scalar.apply min([[N]], [[K]]) : i32
// CHECK-NEXT:           loop.store [[O]] to [[F]][0]
// CHECK-NEXT:         }
// CHECK-NEXT:         [[P:%.+]] = loop.load [[E]][0] : i32
// CHECK-NEXT:         [[Q:%.+]] = loop.load [[F]][0] : i32
// CHECK-NEXT:         [[R:%.+]] = scalar.apply gt([[P]], [[H]]) : i1
// CHECK-NEXT:         [[S:%.+]] = scalar.apply select([[R]], [[P]], [[Q]]) : i32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply unorder([[S]]) : f32
// CHECK-NEXT:         loop.store [[T]] to [[B]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[U:%.+]] = <0> to <min(-d0 + 1024, 16)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*64 + d1*64 + 1024, 64]([[A]], [[U]])
// CHECK-NEXT:         loop.prefetch write %out0[d0*64 + d1*64, 64]([[A]], [[U]])
// CHECK-NEXT:         [[V:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:         [[W:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.fill [[W]] to [[V]]
// CHECK-NEXT:         [[X:%.+]] = loop.load [[B]][d0]([[U]]) : f32
// CHECK-NEXT:         loop.for [[Y:%.+]] = <0> to <64> step 16 serial {
// CHECK-NEXT:           [[Z:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:           loop.for [[AA:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:             [[AB:%.+]] = loop.load %x[d0 + d1 + d2*64 + d3*64]([[Y]], [[AA]], [[A]], [[U]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply sub([[AB]], [[X]]) : f32
// CHECK-NEXT:             loop.store [[AC]] to [[Z]][d0]([[AA]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.accumulate sum [[Z]][0] to [[V]]
// CHECK-NEXT:         }
// CHECK-NEXT:         [[AD:%.+]] = loop.combine sum [[V]] : f32
// CHECK-NEXT:         loop.store [[AD]] to [[C]][d0]([[U]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[AE:%.+]] = <0> to <min(-d0 + 1024, 16)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[AF:%.+]] = loop.load [[B]][d0]([[AE]]) : f32
// CHECK-NEXT:         [[AG:%.+]] = loop.load [[C]][d0]([[AE]]) : f32
// CHECK-NEXT:         loop.for [[AH:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[AI:%.+]] = loop.load %x[d0 + d1*64 + d2*64]([[AH]], [[A]], [[AE]]) : f32
// CHECK-NEXT:           [[AJ:%.+]] = scalar.apply sub([[AI]], [[AF]]) : f32
// CHECK-NEXT:           [[AK:%.+]] = scalar.apply div([[AJ]], [[AG]]) : f32
// CHECK-NEXT:           loop.store [[AK]] to %out0[d0 + d1*64 + d2*64]([[AH]], [[A]], [[AE]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @three(%x: tensor<1024x64xf32>) -> tensor<1024x64xf32> {
  %m = opc.reduce_min %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %s = opc.reduce_sum %d {axes = [1], keepdims = true}
  %r = opc.div %d, %s
  func.return %r : tensor<1024x64xf32>
}
