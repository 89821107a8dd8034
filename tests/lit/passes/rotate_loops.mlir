// The last sweep of a long row goes with the first one of the next row, between long functions.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,narrow-domains,plan-buffers,lower-to-loops,simplify-loops,rotate-loops,simplify-loops | filecheck %s

// Of a softmax, the sweeps of three rows go together.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <100> step 16 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0xff800000 : f32
// CHECK-NEXT:       [[D:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       [[E:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[F:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <1024> step 64 serial "The first sweep of the first row." {
// CHECK-NEXT:         loop.prefetch %x[d0 + d1*1024 + 1024, 64]([[G]], [[A]])
// CHECK-NEXT:         loop.accumulate max_number %x[d0 + d1*1024]([[G]], [[A]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[H:%.+]] = loop.combine max_number [[B]] : f32
// CHECK-NEXT:       loop.fill [[F]] to [[E]]
// CHECK-NEXT:       loop.for [[I:%.+]] = <0> to <1024> step 64 serial "The middle sweep of the first row." {
// CHECK-NEXT:         loop.for [[J:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[K:%.+]] = loop.load %x[d0 + d1 + d2*1024]([[I]], [[J]], [[A]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply sub([[H]], [[K]]) : f32
// CHECK-NEXT:           [[M:%.+]] = scalar.apply exp_neg([[L]]) : f32
// CHECK-NEXT:           loop.store [[M]] to [[D]][d0 + d1]([[I]], [[J]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum [[D]][d0]([[I]]) to [[E]]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[N:%.+]] = <0> to <1024> step 64 serial "The first sweep of the second row." {
// CHECK-NEXT:         loop.prefetch %x[d0 + min(d1 + 1, 99)*1024 + 1024, 64]([[N]], [[A]])
// CHECK-NEXT:         loop.accumulate max_number %x[d0 + min(d1 + 1, 99)*1024]([[N]], [[A]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[O:%.+]] = <d0> to <min(d0 + 16, 100) - 1>([[A]]) step 1 serial {
// CHECK-NEXT:         [[P:%.+]] = loop.combine sum [[E]] : f32
// CHECK-NEXT:         [[Q:%.+]] = loop.combine max_number [[B]] : f32
// CHECK-NEXT:         loop.fill [[F]] to [[E]]
// CHECK-NEXT:         loop.fill [[C]] to [[B]]
// CHECK-NEXT:         loop.for [[R:%.+]] = <0> to <1024> step 64 serial "The last sweep of this row, the middle one of the next, the first one of the third." {
// CHECK-NEXT:           loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[T:%.+]] = loop.load [[D]][d0 + d1]([[R]], [[S]]) : f32
// CHECK-NEXT:             [[U:%.+]] = scalar.apply div([[T]], [[P]]) : f32
// CHECK-NEXT:             loop.store [[U]] to %out0[d0*1024 + d1 + d2]([[O]], [[R]], [[S]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[V:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[W:%.+]] = loop.load %x[d0 + d1 + d2*1024 + 1024]([[R]], [[V]], [[O]]) : f32
// CHECK-NEXT:             [[X:%.+]] = scalar.apply sub([[Q]], [[W]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = scalar.apply exp_neg([[X]]) : f32
// CHECK-NEXT:             loop.store [[Y]] to [[D]][d0 + d1]([[R]], [[V]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.accumulate sum [[D]][d0]([[R]]) to [[E]]
// CHECK-NEXT:           loop.prefetch %x[d0 + min(d1 + 2, 99)*1024 + 256, 64]([[R]], [[O]])
// CHECK-NEXT:           loop.accumulate max_number %x[d0 + min(d1 + 2, 99)*1024]([[R]], [[O]]) to [[B]]
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[Z:%.+]] = loop.combine sum [[E]] : f32
// CHECK-NEXT:       loop.for [[AA:%.+]] = <0> to <1024> step 1 vector "The last sweep of the last row." {
// CHECK-NEXT:         [[AB:%.+]] = loop.load [[D]][d0]([[AA]]) : f32
// CHECK-NEXT:         [[AC:%.+]] = scalar.apply div([[AB]], [[Z]]) : f32
// CHECK-NEXT:         loop.store [[AC]] to %out0[d0 + min(d1 + 16, 100)*1024 - 1024]([[AA]], [[A]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @softmax(%x: tensor<100x1024xf32>) -> tensor<100x1024xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  func.return %r : tensor<100x1024xf32>
}

// Sums go in steps, and what is left of a row after full steps on its own.
// CHECK-LABEL: func.func @centred(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <64> step 4 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<32xf64>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f64
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <288> step 32 serial "The first sweep of the first row." {
// CHECK-NEXT:         loop.prefetch %x[d0 + d1*300 + 512, 32]([[D]], [[A]])
// CHECK-NEXT:         loop.accumulate sum %x[d0 + d1*300]([[D]], [[A]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.accumulate sum %x[d0*300 + 268, 12]([[A]]) to [[B]]
// CHECK-NEXT:       loop.for [[E:%.+]] = <d0> to <d0 + 4>([[A]]) step 1 serial {
// CHECK-NEXT:         [[F:%.+]] = loop.combine sum [[B]] : f64
// CHECK-NEXT:         [[G:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:         [[H:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:         [[I:%.+]] = scalar.constant -9218868437227405313 : i64
// CHECK-NEXT:         loop.store [[I]] to [[G]][0]
// CHECK-NEXT:         [[J:%.+]] = scalar.constant 9218868437227405312 : i64
// CHECK-NEXT:         loop.store [[J]] to [[H]][0]
// CHECK-NEXT:         loop.for [[K:%.+]] = <0> to <300> step 1 serial {
// CHECK-NEXT:           [[L:%.+]] = loop.load %x[d0 + d1*300]([[K]], [[E]]) : f64
// CHECK-NEXT:           [[M:%.+]] = scalar.apply sub([[L]], [[F]]) : f64
// CHECK-NEXT:           [[N:%.+]] = scalar.apply tanh([[M]]) : f64
// CHECK-NEXT:           [[O:%.+]] = scalar.apply order([[N]]) : i64
// CHECK-NEXT:           [[P:%.+]] = loop.load [[G]][0] : i64
// CHECK-NEXT:           [[Q:%.+]] = scalar.apply max([[P]], [[O]]) : i64
// CHECK-NEXT:           loop.store [[Q]] to [[G]][0]
// CHECK-NEXT:           [[R:%.+]] = loop.load [[H]][0] : i64
// CHECK-NEXT:           [[S:%.+]] = scalar.apply min([[R]], [[O]]) : i64
// CHECK-NEXT:           loop.store [[S]] to [[H]][0]
// CHECK-NEXT:         }
// CHECK-NEXT:         [[T:%.+]] = loop.load [[G]][0] : i64
// CHECK-NEXT:         [[U:%.+]] = loop.load [[H]][0] : i64
// CHECK-NEXT:         [[V:%.+]] = scalar.apply lt([[U]], [[I]]) : i1
// CHECK-NEXT:         [[W:%.+]] = scalar.apply select([[V]], [[U]], [[T]]) : i64
// CHECK-NEXT:         [[X:%.+]] = scalar.apply unorder([[W]]) : f64
// CHECK-NEXT:         loop.fill [[C]] to [[B]]
// CHECK-NEXT:         loop.for [[Y:%.+]] = <0> to <288> step 32 serial "The last sweep of this row with the first one of the next." {
// CHECK-NEXT:           loop.prefetch %x[d0 + min(d1 + 1, 63)*300 + 512, 32]([[Y]], [[E]])
// CHECK-NEXT:           loop.accumulate sum %x[d0 + min(d1 + 1, 63)*300]([[Y]], [[E]]) to [[B]]
// CHECK-NEXT:           loop.for [[Z:%.+]] = <0> to <32> step 1 vector {
// CHECK-NEXT:             [[AA:%.+]] = loop.load %x[d0*300 + d1 + d2]([[E]], [[Y]], [[Z]]) : f64
// CHECK-NEXT:             [[AB:%.+]] = scalar.apply sub([[AA]], [[F]]) : f64
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply sub([[AB]], [[X]]) : f64
// CHECK-NEXT:             loop.store [[AC]] to %out0[d0*300 + d1 + d2]([[E]], [[Y]], [[Z]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum %x[min(d0 + 1, 63)*300 + 268, 12]([[E]]) to [[B]]
// CHECK-NEXT:         loop.for [[AD:%.+]] = <268> to <300> step 1 vector {
// CHECK-NEXT:           [[AE:%.+]] = loop.load %x[d0 + d1*300]([[AD]], [[E]]) : f64
// CHECK-NEXT:           [[AF:%.+]] = scalar.apply sub([[AE]], [[F]]) : f64
// CHECK-NEXT:           [[AG:%.+]] = scalar.apply sub([[AF]], [[X]]) : f64
// CHECK-NEXT:           loop.store [[AG]] to %out0[d0 + d1*300]([[AD]], [[E]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @centred(%x: tensor<64x300xf64>) -> tensor<64x300xf64> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.tanh %d
  %s = opc.reduce_max %e {axes = [1], keepdims = true}
  %r = opc.sub %d, %s
  func.return %r : tensor<64x300xf64>
}

// No function in between, and more than the caches hold: memory would read and write at once.
// CHECK-LABEL: func.func @large(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4096> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <1024> step 64 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*1024 + d1 + 1024, 64]([[A]], [[D]])
// CHECK-NEXT:         loop.accumulate sum %x[d0*1024 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <1024> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*1024 + d1]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply div([[G]], [[E]]) : f32
// CHECK-NEXT:         loop.store [[H]] to %out0[d0*1024 + d1]([[A]], [[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @large(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %r = opc.div %x, %m
  func.return %r : tensor<4096x1024xf32>
}

// The first sweep computes functions, which take longer than what it would go with.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <64> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[D]] to [[C]]
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <1024> step 64 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*1024 + d1 + 1024, 64]([[A]], [[E]])
// CHECK-NEXT:         loop.for [[F:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[G:%.+]] = loop.load %x[d0*1024 + d1 + d2]([[A]], [[E]], [[F]]) : f32
// CHECK-NEXT:           [[H:%.+]] = scalar.apply exp([[G]]) : f32
// CHECK-NEXT:           loop.store [[H]] to %out1[d0*1024 + d1 + d2]([[A]], [[E]], [[F]])
// CHECK-NEXT:           loop.store [[H]] to [[B]][d0 + d1]([[E]], [[F]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum [[B]][d0]([[E]]) to [[C]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[I:%.+]] = loop.combine sum [[C]] : f32
// CHECK-NEXT:       loop.for [[J:%.+]] = <0> to <1024> step 1 vector {
// CHECK-NEXT:         [[K:%.+]] = loop.load [[B]][d0]([[J]]) : f32
// CHECK-NEXT:         [[L:%.+]] = scalar.apply div([[K]], [[I]]) : f32
// CHECK-NEXT:         loop.store [[L]] to %out0[d0*1024 + d1]([[A]], [[J]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @kept(%x: tensor<64x1024xf32>) -> (tensor<64x1024xf32>, tensor<64x1024xf32>) {
  %y = opc.exp %x
  %m = opc.reduce_sum %y {axes = [1], keepdims = true}
  %r = opc.div %y, %m
  func.return %r, %y : tensor<64x1024xf32>, tensor<64x1024xf32>
}
