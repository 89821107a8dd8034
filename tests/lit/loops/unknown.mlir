// Extents that only a run knows.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// What is left of groups belongs to the last block: so many values are added to the lanes.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[F:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[F]] to [[E]][0]
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<2560xf32>
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <N> step 8192 serial {
// CHECK-NEXT:         loop.cascade next [[B]], [[G]], [[E]]
// CHECK-NEXT:         [[I:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:         [[J:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[K:%.+]] = scalar.apply add([[I]], [[J]]) : i64
// CHECK-NEXT:         loop.store [[K]] to [[E]][0]
// CHECK-NEXT:         loop.for [[L:%.+]] = <d0> to <min(d0 + 8192, N - mod(N, 512))>([[H]]) step 512 serial {
// CHECK-NEXT:           [[M:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[N:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[O:%.+]] = loop.load %x[N*d0 + d1 + d2]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:             [[P:%.+]] = loop.load %x[N*d0 + d1 + d2 + 64]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:             [[Q:%.+]] = scalar.apply add([[O]], [[P]]) : f32
// CHECK-NEXT:             loop.store [[Q]] to [[M]][d0]([[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[R:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[T:%.+]] = loop.load %x[N*d0 + d1 + d2 + 128]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:             [[U:%.+]] = loop.load %x[N*d0 + d1 + d2 + 192]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:             [[V:%.+]] = scalar.apply add([[T]], [[U]]) : f32
// CHECK-NEXT:             [[W:%.+]] = loop.load [[M]][d0]([[S]]) : f32
// CHECK-NEXT:             [[X:%.+]] = scalar.apply add([[W]], [[V]]) : f32
// CHECK-NEXT:             loop.store [[X]] to [[R]][d0]([[S]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[Y:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[Z:%.+]] = loop.load %x[N*d0 + d1 + d2 + 256]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = loop.load %x[N*d0 + d1 + d2 + 320]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = scalar.apply add([[Z]], [[AA]]) : f32
// CHECK-NEXT:             loop.store [[AB]] to [[M]][d0]([[Y]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AD:%.+]] = loop.load %x[N*d0 + d1 + d2 + 384]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:             [[AE:%.+]] = loop.load %x[N*d0 + d1 + d2 + 448]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:             [[AF:%.+]] = scalar.apply add([[AD]], [[AE]]) : f32
// CHECK-NEXT:             [[AG:%.+]] = loop.load [[M]][d0]([[AC]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = scalar.apply add([[AG]], [[AF]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = loop.load [[R]][d0]([[AC]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:             [[AK:%.+]] = loop.load [[B]][d0]([[AC]]) : f32
// CHECK-NEXT:             [[AL:%.+]] = scalar.apply add([[AK]], [[AJ]]) : f32
// CHECK-NEXT:             loop.store [[AL]] to [[B]][d0]([[AC]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum %x[N*d0 + N - mod(N, 512), mod(N, 512)]([[A]]) to [[B]]
// CHECK-NEXT:       loop.cascade finish [[B]], [[G]], [[E]]
// CHECK-NEXT:       [[AM:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[AM]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @rows(%x: tensor<4x?xf32, #opc.dims<4, N>>) -> tensor<4xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<4xf32>
}

// What is computed goes to a strip first.
// CHECK-LABEL: func.func @squares(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[F:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[F]] to [[E]][0]
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<2560xf32>
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <N> step 8192 serial {
// CHECK-NEXT:         loop.cascade next [[B]], [[G]], [[E]]
// CHECK-NEXT:         [[I:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:         [[J:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[K:%.+]] = scalar.apply add([[I]], [[J]]) : i64
// CHECK-NEXT:         loop.store [[K]] to [[E]][0]
// CHECK-NEXT:         loop.for [[L:%.+]] = <d0> to <min(d0 + 8192, N - mod(N, 512))>([[H]]) step 512 serial {
// CHECK-NEXT:           [[M:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[N:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[O:%.+]] = loop.load %x[N*d0 + d1 + d2]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:             [[P:%.+]] = scalar.apply mul([[O]], [[O]]) : f32
// CHECK-NEXT:             [[Q:%.+]] = loop.load %x[N*d0 + d1 + d2 + 64]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:             [[R:%.+]] = scalar.apply mul([[Q]], [[Q]]) : f32
// CHECK-NEXT:             [[S:%.+]] = scalar.apply add([[P]], [[R]]) : f32
// CHECK-NEXT:             loop.store [[S]] to [[M]][d0]([[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[T:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[U:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[V:%.+]] = loop.load %x[N*d0 + d1 + d2 + 128]([[A]], [[L]], [[U]]) : f32
// CHECK-NEXT:             [[W:%.+]] = scalar.apply mul([[V]], [[V]]) : f32
// CHECK-NEXT:             [[X:%.+]] = loop.load %x[N*d0 + d1 + d2 + 192]([[A]], [[L]], [[U]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = scalar.apply mul([[X]], [[X]]) : f32
// CHECK-NEXT:             [[Z:%.+]] = scalar.apply add([[W]], [[Y]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = loop.load [[M]][d0]([[U]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = scalar.apply add([[AA]], [[Z]]) : f32
// CHECK-NEXT:             loop.store [[AB]] to [[T]][d0]([[U]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AD:%.+]] = loop.load %x[N*d0 + d1 + d2 + 256]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:             [[AE:%.+]] = scalar.apply mul([[AD]], [[AD]]) : f32
// CHECK-NEXT:             [[AF:%.+]] = loop.load %x[N*d0 + d1 + d2 + 320]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:             [[AG:%.+]] = scalar.apply mul([[AF]], [[AF]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = scalar.apply add([[AE]], [[AG]]) : f32
// CHECK-NEXT:             loop.store [[AH]] to [[M]][d0]([[AC]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AI:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AJ:%.+]] = loop.load %x[N*d0 + d1 + d2 + 384]([[A]], [[L]], [[AI]]) : f32
// CHECK-NEXT:             [[AK:%.+]] = scalar.apply mul([[AJ]], [[AJ]]) : f32
// CHECK-NEXT:             [[AL:%.+]] = loop.load %x[N*d0 + d1 + d2 + 448]([[A]], [[L]], [[AI]]) : f32
// CHECK-NEXT:             [[AM:%.+]] = scalar.apply mul([[AL]], [[AL]]) : f32
// CHECK-NEXT:             [[AN:%.+]] = scalar.apply add([[AK]], [[AM]]) : f32
// CHECK-NEXT:             [[AO:%.+]] = loop.load [[M]][d0]([[AI]]) : f32
// CHECK-NEXT:             [[AP:%.+]] = scalar.apply add([[AO]], [[AN]]) : f32
// CHECK-NEXT:             [[AQ:%.+]] = loop.load [[T]][d0]([[AI]]) : f32
// CHECK-NEXT:             [[AR:%.+]] = scalar.apply add([[AQ]], [[AP]]) : f32
// CHECK-NEXT:             [[AS:%.+]] = loop.load [[B]][d0]([[AI]]) : f32
// CHECK-NEXT:             [[AT:%.+]] = scalar.apply add([[AS]], [[AR]]) : f32
// CHECK-NEXT:             loop.store [[AT]] to [[B]][d0]([[AI]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[AU:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:       loop.for [[AV:%.+]] = <0> to <mod(N, 512)> step 1 vector {
// CHECK-NEXT:         [[AW:%.+]] = loop.load %x[N*d0 + d1 + N - mod(N, 512)]([[A]], [[AV]]) : f32
// CHECK-NEXT:         [[AX:%.+]] = scalar.apply mul([[AW]], [[AW]]) : f32
// CHECK-NEXT:         loop.store [[AX]] to [[AU]][d0]([[AV]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum [[AU]][0, mod(N, 512)] to [[B]]
// CHECK-NEXT:       loop.cascade finish [[B]], [[G]], [[E]]
// CHECK-NEXT:       [[AY:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[AY]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @squares(%x: tensor<4x?xf32, #opc.dims<4, N>>) -> tensor<4xf32> {
  %s = opc.mul %x, %x
  %r = opc.reduce_sum %s {axes = [1]}
  return %r : tensor<4xf32>
}

// One point: threads share chunks of a power of two of blocks, 8 or more.
// CHECK-LABEL: func.func @chunks(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<2048xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <floordiv(floordiv(N + 8191, 8192) + max(8, pow2(floordiv(N + 8191, 131072))) - 1, max(8, pow2(floordiv(N + 8191, 131072))))> step 1 parallel {
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[E]] to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[G:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[G]] to [[F]][0]
// CHECK-NEXT:       [[H:%.+]] = loop.local : memref<2560xf32>
// CHECK-NEXT:       loop.for [[I:%.+]] = <d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192> to <min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N)>([[B]]) step 8192 serial {
// CHECK-NEXT:         loop.cascade next [[C]], [[H]], [[F]]
// CHECK-NEXT:         [[J:%.+]] = loop.load [[F]][0] : i64
// CHECK-NEXT:         [[K:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[L:%.+]] = scalar.apply add([[J]], [[K]]) : i64
// CHECK-NEXT:         loop.store [[L]] to [[F]][0]
// CHECK-NEXT:         loop.for [[M:%.+]] = <d1> to <min(d1 + 8192, min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N) - mod(min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N), 512))>([[B]], [[I]]) step 512 serial {
// CHECK-NEXT:           [[N:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[O:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[P:%.+]] = loop.load %x[d0 + d1]([[M]], [[O]]) : f32
// CHECK-NEXT:             [[Q:%.+]] = loop.load %x[d0 + d1 + 64]([[M]], [[O]]) : f32
// CHECK-NEXT:             [[R:%.+]] = scalar.apply add([[P]], [[Q]]) : f32
// CHECK-NEXT:             loop.store [[R]] to [[N]][d0]([[O]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[S:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[T:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[U:%.+]] = loop.load %x[d0 + d1 + 128]([[M]], [[T]]) : f32
// CHECK-NEXT:             [[V:%.+]] = loop.load %x[d0 + d1 + 192]([[M]], [[T]]) : f32
// CHECK-NEXT:             [[W:%.+]] = scalar.apply add([[U]], [[V]]) : f32
// CHECK-NEXT:             [[X:%.+]] = loop.load [[N]][d0]([[T]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = scalar.apply add([[X]], [[W]]) : f32
// CHECK-NEXT:             loop.store [[Y]] to [[S]][d0]([[T]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[Z:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AA:%.+]] = loop.load %x[d0 + d1 + 256]([[M]], [[Z]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = loop.load %x[d0 + d1 + 320]([[M]], [[Z]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply add([[AA]], [[AB]]) : f32
// CHECK-NEXT:             loop.store [[AC]] to [[N]][d0]([[Z]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AD:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AE:%.+]] = loop.load %x[d0 + d1 + 384]([[M]], [[AD]]) : f32
// CHECK-NEXT:             [[AF:%.+]] = loop.load %x[d0 + d1 + 448]([[M]], [[AD]]) : f32
// CHECK-NEXT:             [[AG:%.+]] = scalar.apply add([[AE]], [[AF]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = loop.load [[N]][d0]([[AD]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = scalar.apply add([[AH]], [[AG]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = loop.load [[S]][d0]([[AD]]) : f32
// CHECK-NEXT:             [[AK:%.+]] = scalar.apply add([[AJ]], [[AI]]) : f32
// CHECK-NEXT:             [[AL:%.+]] = loop.load [[C]][d0]([[AD]]) : f32
// CHECK-NEXT:             [[AM:%.+]] = scalar.apply add([[AL]], [[AK]]) : f32
// CHECK-NEXT:             loop.store [[AM]] to [[C]][d0]([[AD]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum %x[min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N) - mod(min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N), 512), mod(min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N), 512)]([[B]]) to [[C]]
// CHECK-NEXT:       loop.cascade finish [[C]], [[H]], [[F]]
// CHECK-NEXT:       loop.for [[AN:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[AO:%.+]] = loop.load [[C]][d0]([[AN]]) : f32
// CHECK-NEXT:         loop.store [[AO]] to [[A]][d0*64 + d1]([[B]], [[AN]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AP:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[AQ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[AR:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[AR]] to [[AP]][d0]([[AQ]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AS:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[AT:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[AT]] to [[AS]][0]
// CHECK-NEXT:     [[AU:%.+]] = loop.local : memref<384xf32>
// CHECK-NEXT:     loop.for [[AV:%.+]] = <0> to <floordiv(floordiv(N + 8191, 8192) + max(8, pow2(floordiv(N + 8191, 131072))) - 1, max(8, pow2(floordiv(N + 8191, 131072))))> step 1 serial {
// CHECK-NEXT:       loop.cascade next [[AP]], [[AU]], [[AS]]
// CHECK-NEXT:       [[AW:%.+]] = loop.load [[AS]][0] : i64
// CHECK-NEXT:       [[AX:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[AY:%.+]] = scalar.apply add([[AW]], [[AX]]) : i64
// CHECK-NEXT:       loop.store [[AY]] to [[AS]][0]
// CHECK-NEXT:       loop.for [[AZ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[BA:%.+]] = loop.load [[A]][d0*64 + d1]([[AV]], [[AZ]]) : f32
// CHECK-NEXT:         loop.store [[BA]] to [[AP]][d0]([[AZ]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade finish [[AP]], [[AU]], [[AS]]
// CHECK-NEXT:     [[BB:%.+]] = loop.combine sum [[AP]] : f32
// CHECK-NEXT:     loop.store [[BB]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @chunks(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// Short rows are turned around, and filled up to 8, 16 or 32 values; long ones go one by one.  One of
// the loops has iterations.
// CHECK-LABEL: func.func @short(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <-N*atleast(M, 33) + N> step 64 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<2048xf32>
// CHECK-NEXT:       loop.transpose %x to [[B]][M*d0, M, 0, 64, min(64, -d0 + N), M]([[A]])
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <-atleast(M, 9) + 1> step 1 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <M*64> to <512> step 1 vector {
// CHECK-NEXT:           [[F:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[F]] to [[B]][d0]([[E]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[G:%.+]] = <0> to <min(64, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[H:%.+]] = loop.load [[B]][d0]([[G]]) : f32
// CHECK-NEXT:           [[I:%.+]] = loop.load [[B]][d0 + 64]([[G]]) : f32
// CHECK-NEXT:           [[J:%.+]] = loop.load [[B]][d0 + 128]([[G]]) : f32
// CHECK-NEXT:           [[K:%.+]] = loop.load [[B]][d0 + 192]([[G]]) : f32
// CHECK-NEXT:           [[L:%.+]] = loop.load [[B]][d0 + 256]([[G]]) : f32
// CHECK-NEXT:           [[M:%.+]] = loop.load [[B]][d0 + 320]([[G]]) : f32
// CHECK-NEXT:           [[N:%.+]] = loop.load [[B]][d0 + 384]([[G]]) : f32
// CHECK-NEXT:           [[O:%.+]] = loop.load [[B]][d0 + 448]([[G]]) : f32
// CHECK-NEXT:           [[P:%.+]] = scalar.apply add([[H]], [[L]]) : f32
// CHECK-NEXT:           [[Q:%.+]] = scalar.apply add([[I]], [[M]]) : f32
// CHECK-NEXT:           [[R:%.+]] = scalar.apply add([[J]], [[N]]) : f32
// CHECK-NEXT:           [[S:%.+]] = scalar.apply add([[K]], [[O]]) : f32
// CHECK-NEXT:           [[T:%.+]] = scalar.apply add([[P]], [[R]]) : f32
// CHECK-NEXT:           [[U:%.+]] = scalar.apply add([[Q]], [[S]]) : f32
// CHECK-NEXT:           [[V:%.+]] = scalar.apply add([[T]], [[U]]) : f32
// CHECK-NEXT:           [[W:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           [[X:%.+]] = scalar.apply add([[W]], [[V]]) : f32
// CHECK-NEXT:           loop.store [[X]] to [[C]][d0]([[G]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[Y:%.+]] = <0> to <-atleast(M, 17) + atleast(M, 9)> step 1 serial {
// CHECK-NEXT:         loop.for [[Z:%.+]] = <M*64> to <1024> step 1 vector {
// CHECK-NEXT:           [[AA:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[AA]] to [[B]][d0]([[Z]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AB:%.+]] = <0> to <min(64, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[AC:%.+]] = loop.load [[B]][d0]([[AB]]) : f32
// CHECK-NEXT:           [[AD:%.+]] = loop.load [[B]][d0 + 64]([[AB]]) : f32
// CHECK-NEXT:           [[AE:%.+]] = loop.load [[B]][d0 + 128]([[AB]]) : f32
// CHECK-NEXT:           [[AF:%.+]] = loop.load [[B]][d0 + 192]([[AB]]) : f32
// CHECK-NEXT:           [[AG:%.+]] = loop.load [[B]][d0 + 256]([[AB]]) : f32
// CHECK-NEXT:           [[AH:%.+]] = loop.load [[B]][d0 + 320]([[AB]]) : f32
// CHECK-NEXT:           [[AI:%.+]] = loop.load [[B]][d0 + 384]([[AB]]) : f32
// CHECK-NEXT:           [[AJ:%.+]] = loop.load [[B]][d0 + 448]([[AB]]) : f32
// CHECK-NEXT:           [[AK:%.+]] = loop.load [[B]][d0 + 512]([[AB]]) : f32
// CHECK-NEXT:           [[AL:%.+]] = loop.load [[B]][d0 + 576]([[AB]]) : f32
// CHECK-NEXT:           [[AM:%.+]] = loop.load [[B]][d0 + 640]([[AB]]) : f32
// CHECK-NEXT:           [[AN:%.+]] = loop.load [[B]][d0 + 704]([[AB]]) : f32
// CHECK-NEXT:           [[AO:%.+]] = loop.load [[B]][d0 + 768]([[AB]]) : f32
// CHECK-NEXT:           [[AP:%.+]] = loop.load [[B]][d0 + 832]([[AB]]) : f32
// CHECK-NEXT:           [[AQ:%.+]] = loop.load [[B]][d0 + 896]([[AB]]) : f32
// CHECK-NEXT:           [[AR:%.+]] = loop.load [[B]][d0 + 960]([[AB]]) : f32
// CHECK-NEXT:           [[AS:%.+]] = scalar.apply add([[AC]], [[AK]]) : f32
// CHECK-NEXT:           [[AT:%.+]] = scalar.apply add([[AD]], [[AL]]) : f32
// CHECK-NEXT:           [[AU:%.+]] = scalar.apply add([[AE]], [[AM]]) : f32
// CHECK-NEXT:           [[AV:%.+]] = scalar.apply add([[AF]], [[AN]]) : f32
// CHECK-NEXT:           [[AW:%.+]] = scalar.apply add([[AG]], [[AO]]) : f32
// CHECK-NEXT:           [[AX:%.+]] = scalar.apply add([[AH]], [[AP]]) : f32
// CHECK-NEXT:           [[AY:%.+]] = scalar.apply add([[AI]], [[AQ]]) : f32
// CHECK-NEXT:           [[AZ:%.+]] = scalar.apply add([[AJ]], [[AR]]) : f32
// CHECK-NEXT:           [[BA:%.+]] = scalar.apply add([[AS]], [[AW]]) : f32
// CHECK-NEXT:           [[BB:%.+]] = scalar.apply add([[AT]], [[AX]]) : f32
// CHECK-NEXT:           [[BC:%.+]] = scalar.apply add([[AU]], [[AY]]) : f32
// CHECK-NEXT:           [[BD:%.+]] = scalar.apply add([[AV]], [[AZ]]) : f32
// CHECK-NEXT:           [[BE:%.+]] = scalar.apply add([[BA]], [[BC]]) : f32
// CHECK-NEXT:           [[BF:%.+]] = scalar.apply add([[BB]], [[BD]]) : f32
// CHECK-NEXT:           [[BG:%.+]] = scalar.apply add([[BE]], [[BF]]) : f32
// CHECK-NEXT:           [[BH:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           [[BI:%.+]] = scalar.apply add([[BH]], [[BG]]) : f32
// CHECK-NEXT:           loop.store [[BI]] to [[C]][d0]([[AB]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BJ:%.+]] = <0> to <atleast(M, 17)> step 1 serial {
// CHECK-NEXT:         loop.for [[BK:%.+]] = <M*64> to <2048> step 1 vector {
// CHECK-NEXT:           [[BL:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[BL]] to [[B]][d0]([[BK]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[BM:%.+]] = <0> to <min(64, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[BN:%.+]] = loop.load [[B]][d0]([[BM]]) : f32
// CHECK-NEXT:           [[BO:%.+]] = loop.load [[B]][d0 + 64]([[BM]]) : f32
// CHECK-NEXT:           [[BP:%.+]] = loop.load [[B]][d0 + 128]([[BM]]) : f32
// CHECK-NEXT:           [[BQ:%.+]] = loop.load [[B]][d0 + 192]([[BM]]) : f32
// CHECK-NEXT:           [[BR:%.+]] = loop.load [[B]][d0 + 256]([[BM]]) : f32
// CHECK-NEXT:           [[BS:%.+]] = loop.load [[B]][d0 + 320]([[BM]]) : f32
// CHECK-NEXT:           [[BT:%.+]] = loop.load [[B]][d0 + 384]([[BM]]) : f32
// CHECK-NEXT:           [[BU:%.+]] = loop.load [[B]][d0 + 448]([[BM]]) : f32
// CHECK-NEXT:           [[BV:%.+]] = loop.load [[B]][d0 + 512]([[BM]]) : f32
// CHECK-NEXT:           [[BW:%.+]] = loop.load [[B]][d0 + 576]([[BM]]) : f32
// CHECK-NEXT:           [[BX:%.+]] = loop.load [[B]][d0 + 640]([[BM]]) : f32
// CHECK-NEXT:           [[BY:%.+]] = loop.load [[B]][d0 + 704]([[BM]]) : f32
// CHECK-NEXT:           [[BZ:%.+]] = loop.load [[B]][d0 + 768]([[BM]]) : f32
// CHECK-NEXT:           [[CA:%.+]] = loop.load [[B]][d0 + 832]([[BM]]) : f32
// CHECK-NEXT:           [[CB:%.+]] = loop.load [[B]][d0 + 896]([[BM]]) : f32
// CHECK-NEXT:           [[CC:%.+]] = loop.load [[B]][d0 + 960]([[BM]]) : f32
// CHECK-NEXT:           [[CD:%.+]] = loop.load [[B]][d0 + 1024]([[BM]]) : f32
// CHECK-NEXT:           [[CE:%.+]] = loop.load [[B]][d0 + 1088]([[BM]]) : f32
// CHECK-NEXT:           [[CF:%.+]] = loop.load [[B]][d0 + 1152]([[BM]]) : f32
// CHECK-NEXT:           [[CG:%.+]] = loop.load [[B]][d0 + 1216]([[BM]]) : f32
// CHECK-NEXT:           [[CH:%.+]] = loop.load [[B]][d0 + 1280]([[BM]]) : f32
// CHECK-NEXT:           [[CI:%.+]] = loop.load [[B]][d0 + 1344]([[BM]]) : f32
// CHECK-NEXT:           [[CJ:%.+]] = loop.load [[B]][d0 + 1408]([[BM]]) : f32
// CHECK-NEXT:           [[CK:%.+]] = loop.load [[B]][d0 + 1472]([[BM]]) : f32
// CHECK-NEXT:           [[CL:%.+]] = loop.load [[B]][d0 + 1536]([[BM]]) : f32
// CHECK-NEXT:           [[CM:%.+]] = loop.load [[B]][d0 + 1600]([[BM]]) : f32
// CHECK-NEXT:           [[CN:%.+]] = loop.load [[B]][d0 + 1664]([[BM]]) : f32
// CHECK-NEXT:           [[CO:%.+]] = loop.load [[B]][d0 + 1728]([[BM]]) : f32
// CHECK-NEXT:           [[CP:%.+]] = loop.load [[B]][d0 + 1792]([[BM]]) : f32
// CHECK-NEXT:           [[CQ:%.+]] = loop.load [[B]][d0 + 1856]([[BM]]) : f32
// CHECK-NEXT:           [[CR:%.+]] = loop.load [[B]][d0 + 1920]([[BM]]) : f32
// CHECK-NEXT:           [[CS:%.+]] = loop.load [[B]][d0 + 1984]([[BM]]) : f32
// CHECK-NEXT:           [[CT:%.+]] = scalar.apply add([[BN]], [[CD]]) : f32
// CHECK-NEXT:           [[CU:%.+]] = scalar.apply add([[BO]], [[CE]]) : f32
// CHECK-NEXT:           [[CV:%.+]] = scalar.apply add([[BP]], [[CF]]) : f32
// CHECK-NEXT:           [[CW:%.+]] = scalar.apply add([[BQ]], [[CG]]) : f32
// CHECK-NEXT:           [[CX:%.+]] = scalar.apply add([[BR]], [[CH]]) : f32
// CHECK-NEXT:           [[CY:%.+]] = scalar.apply add([[BS]], [[CI]]) : f32
// CHECK-NEXT:           [[CZ:%.+]] = scalar.apply add([[BT]], [[CJ]]) : f32
// CHECK-NEXT:           [[DA:%.+]] = scalar.apply add([[BU]], [[CK]]) : f32
// CHECK-NEXT:           [[DB:%.+]] = scalar.apply add([[BV]], [[CL]]) : f32
// CHECK-NEXT:           [[DC:%.+]] = scalar.apply add([[BW]], [[CM]]) : f32
// CHECK-NEXT:           [[DD:%.+]] = scalar.apply add([[BX]], [[CN]]) : f32
// CHECK-NEXT:           [[DE:%.+]] = scalar.apply add([[BY]], [[CO]]) : f32
// CHECK-NEXT:           [[DF:%.+]] = scalar.apply add([[BZ]], [[CP]]) : f32
// CHECK-NEXT:           [[DG:%.+]] = scalar.apply add([[CA]], [[CQ]]) : f32
// CHECK-NEXT:           [[DH:%.+]] = scalar.apply add([[CB]], [[CR]]) : f32
// CHECK-NEXT:           [[DI:%.+]] = scalar.apply add([[CC]], [[CS]]) : f32
// CHECK-NEXT:           [[DJ:%.+]] = scalar.apply add([[CT]], [[DB]]) : f32
// CHECK-NEXT:           [[DK:%.+]] = scalar.apply add([[CU]], [[DC]]) : f32
// CHECK-NEXT:           [[DL:%.+]] = scalar.apply add([[CV]], [[DD]]) : f32
// CHECK-NEXT:           [[DM:%.+]] = scalar.apply add([[CW]], [[DE]]) : f32
// CHECK-NEXT:           [[DN:%.+]] = scalar.apply add([[CX]], [[DF]]) : f32
// CHECK-NEXT:           [[DO:%.+]] = scalar.apply add([[CY]], [[DG]]) : f32
// CHECK-NEXT:           [[DP:%.+]] = scalar.apply add([[CZ]], [[DH]]) : f32
// CHECK-NEXT:           [[DQ:%.+]] = scalar.apply add([[DA]], [[DI]]) : f32
// CHECK-NEXT:           [[DR:%.+]] = scalar.apply add([[DJ]], [[DN]]) : f32
// CHECK-NEXT:           [[DS:%.+]] = scalar.apply add([[DK]], [[DO]]) : f32
// CHECK-NEXT:           [[DT:%.+]] = scalar.apply add([[DL]], [[DP]]) : f32
// CHECK-NEXT:           [[DU:%.+]] = scalar.apply add([[DM]], [[DQ]]) : f32
// CHECK-NEXT:           [[DV:%.+]] = scalar.apply add([[DR]], [[DT]]) : f32
// CHECK-NEXT:           [[DW:%.+]] = scalar.apply add([[DS]], [[DU]]) : f32
// CHECK-NEXT:           [[DX:%.+]] = scalar.apply add([[DV]], [[DW]]) : f32
// CHECK-NEXT:           [[DY:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           [[DZ:%.+]] = scalar.apply add([[DY]], [[DX]]) : f32
// CHECK-NEXT:           loop.store [[DZ]] to [[C]][d0]([[BM]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[EA:%.+]] = <0> to <min(64, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[EB:%.+]] = loop.load [[C]][d0]([[EA]]) : f32
// CHECK-NEXT:         loop.store [[EB]] to %out0[d0 + d1]([[A]], [[EA]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[EC:%.+]] = <0> to <N*atleast(M, 33)> step 1 parallel {
// CHECK-NEXT:       [[ED:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[EE:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[EF:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[EF]] to [[ED]][d0]([[EE]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[EG:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:       [[EH:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:       loop.store [[EH]] to [[EG]][0]
// CHECK-NEXT:       [[EI:%.+]] = loop.local : memref<2560xf32>
// CHECK-NEXT:       loop.for [[EJ:%.+]] = <0> to <M> step 8192 serial {
// CHECK-NEXT:         loop.cascade next [[ED]], [[EI]], [[EG]]
// CHECK-NEXT:         [[EK:%.+]] = loop.load [[EG]][0] : i64
// CHECK-NEXT:         [[EL:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:         [[EM:%.+]] = scalar.apply add([[EK]], [[EL]]) : i64
// CHECK-NEXT:         loop.store [[EM]] to [[EG]][0]
// CHECK-NEXT:         loop.for [[EN:%.+]] = <d0> to <min(d0 + 8192, M - mod(M, 512))>([[EJ]]) step 512 serial {
// CHECK-NEXT:           [[EO:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[EP:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[EQ:%.+]] = loop.load %x[M*d0 + d1 + d2]([[EC]], [[EN]], [[EP]]) : f32
// CHECK-NEXT:             [[ER:%.+]] = loop.load %x[M*d0 + d1 + d2 + 64]([[EC]], [[EN]], [[EP]]) : f32
// CHECK-NEXT:             [[ES:%.+]] = scalar.apply add([[EQ]], [[ER]]) : f32
// CHECK-NEXT:             loop.store [[ES]] to [[EO]][d0]([[EP]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[ET:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[EU:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[EV:%.+]] = loop.load %x[M*d0 + d1 + d2 + 128]([[EC]], [[EN]], [[EU]]) : f32
// CHECK-NEXT:             [[EW:%.+]] = loop.load %x[M*d0 + d1 + d2 + 192]([[EC]], [[EN]], [[EU]]) : f32
// CHECK-NEXT:             [[EX:%.+]] = scalar.apply add([[EV]], [[EW]]) : f32
// CHECK-NEXT:             [[EY:%.+]] = loop.load [[EO]][d0]([[EU]]) : f32
// CHECK-NEXT:             [[EZ:%.+]] = scalar.apply add([[EY]], [[EX]]) : f32
// CHECK-NEXT:             loop.store [[EZ]] to [[ET]][d0]([[EU]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[FA:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[FB:%.+]] = loop.load %x[M*d0 + d1 + d2 + 256]([[EC]], [[EN]], [[FA]]) : f32
// CHECK-NEXT:             [[FC:%.+]] = loop.load %x[M*d0 + d1 + d2 + 320]([[EC]], [[EN]], [[FA]]) : f32
// CHECK-NEXT:             [[FD:%.+]] = scalar.apply add([[FB]], [[FC]]) : f32
// CHECK-NEXT:             loop.store [[FD]] to [[EO]][d0]([[FA]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[FE:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[FF:%.+]] = loop.load %x[M*d0 + d1 + d2 + 384]([[EC]], [[EN]], [[FE]]) : f32
// CHECK-NEXT:             [[FG:%.+]] = loop.load %x[M*d0 + d1 + d2 + 448]([[EC]], [[EN]], [[FE]]) : f32
// CHECK-NEXT:             [[FH:%.+]] = scalar.apply add([[FF]], [[FG]]) : f32
// CHECK-NEXT:             [[FI:%.+]] = loop.load [[EO]][d0]([[FE]]) : f32
// CHECK-NEXT:             [[FJ:%.+]] = scalar.apply add([[FI]], [[FH]]) : f32
// CHECK-NEXT:             [[FK:%.+]] = loop.load [[ET]][d0]([[FE]]) : f32
// CHECK-NEXT:             [[FL:%.+]] = scalar.apply add([[FK]], [[FJ]]) : f32
// CHECK-NEXT:             [[FM:%.+]] = loop.load [[ED]][d0]([[FE]]) : f32
// CHECK-NEXT:             [[FN:%.+]] = scalar.apply add([[FM]], [[FL]]) : f32
// CHECK-NEXT:             loop.store [[FN]] to [[ED]][d0]([[FE]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum %x[M*d0 + M - mod(M, 512), mod(M, 512)]([[EC]]) to [[ED]]
// CHECK-NEXT:       loop.cascade finish [[ED]], [[EI]], [[EG]]
// CHECK-NEXT:       [[FO:%.+]] = loop.combine sum [[ED]] : f32
// CHECK-NEXT:       loop.store [[FO]] to %out0[d0]([[EC]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @short(%x: tensor<?x?xf32, #opc.dims<N, M>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Columns: the loops are there twice, for one lane, where there are 33 columns or more, and for more
// lanes, in which all columns go side by side with those of the next rows.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <N*atleast(N, 1025)> step 1024 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(1024, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0 + d1 + N]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[F:%.+]] = loop.load %x[d0 + d1 + N*2]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0 + d1 + N*3]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply add([[D]], [[E]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply add([[F]], [[G]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply add([[H]], [[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         [[L:%.+]] = scalar.apply add([[K]], [[J]]) : f32
// CHECK-NEXT:         loop.store [[L]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[M:%.+]] = <0> to <min(1024, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[N:%.+]] = loop.load [[B]][d0]([[M]]) : f32
// CHECK-NEXT:         loop.store [[N]] to %out0[d0 + d1]([[A]], [[M]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[O:%.+]] = <0> to <-N*atleast(N, 1025) + N> step 1024 serial {
// CHECK-NEXT:       [[P:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <1024> step 1 vector {
// CHECK-NEXT:         [[R:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[R]] to [[P]][d0]([[Q]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[S:%.+]] = <0> to <floordiv(-mod(4, pow2(floordiv(64, max(N, 1)))*8) + pow2(floordiv(64, max(N, 1)))*8 + 3, pow2(floordiv(64, max(N, 1)))*8)> step 1 serial {
// CHECK-NEXT:         loop.for [[T:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))> step 1 vector {
// CHECK-NEXT:           [[U:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[V:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1))) + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[W:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*2 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[X:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*3 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[Y:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*4 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[Z:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*5 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[AA:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*6 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[AB:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*7 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:           [[AC:%.+]] = scalar.apply add([[U]], [[V]]) : f32
// CHECK-NEXT:           [[AD:%.+]] = scalar.apply add([[W]], [[X]]) : f32
// CHECK-NEXT:           [[AE:%.+]] = scalar.apply add([[Y]], [[Z]]) : f32
// CHECK-NEXT:           [[AF:%.+]] = scalar.apply add([[AA]], [[AB]]) : f32
// CHECK-NEXT:           [[AG:%.+]] = scalar.apply add([[AC]], [[AD]]) : f32
// CHECK-NEXT:           [[AH:%.+]] = scalar.apply add([[AE]], [[AF]]) : f32
// CHECK-NEXT:           [[AI:%.+]] = scalar.apply add([[AG]], [[AH]]) : f32
// CHECK-NEXT:           [[AJ:%.+]] = loop.load [[P]][d0]([[T]]) : f32
// CHECK-NEXT:           [[AK:%.+]] = scalar.apply add([[AJ]], [[AI]]) : f32
// CHECK-NEXT:           loop.store [[AK]] to [[P]][d0]([[T]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[AL:%.+]] = <0> to <floordiv(mod(4, pow2(floordiv(64, max(N, 1)))*8) + pow2(floordiv(64, max(N, 1)))*8 - 1, pow2(floordiv(64, max(N, 1)))*8)> step 1 serial {
// CHECK-NEXT:         [[AM:%.+]] = loop.local : memref<8192xf32>
// CHECK-NEXT:         loop.for [[AN:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))*8> step 1 vector {
// CHECK-NEXT:           [[AO:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[AO]] to [[AM]][d0]([[AN]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AP:%.+]] = <0> to <N*mod(4, pow2(floordiv(64, max(N, 1)))*8)> step 1 vector {
// CHECK-NEXT:           [[AQ:%.+]] = loop.load %x[-N*mod(4, pow2(floordiv(64, max(N, 1)))*8) + d0 + d1 + N*4]([[O]], [[AP]]) : f32
// CHECK-NEXT:           loop.store [[AQ]] to [[AM]][d0]([[AP]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AR:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))> step 1 vector {
// CHECK-NEXT:           [[AS:%.+]] = loop.load [[AM]][d0]([[AR]]) : f32
// CHECK-NEXT:           [[AT:%.+]] = loop.load [[AM]][N*pow2(floordiv(64, max(N, 1))) + d0]([[AR]]) : f32
// CHECK-NEXT:           [[AU:%.+]] = loop.load [[AM]][N*pow2(floordiv(64, max(N, 1)))*2 + d0]([[AR]]) : f32
// CHECK-NEXT:           [[AV:%.+]] = loop.load [[AM]][N*pow2(floordiv(64, max(N, 1)))*3 + d0]([[AR]]) : f32
// CHECK-NEXT:           [[AW:%.+]] = loop.load [[AM]][N*pow2(floordiv(64, max(N, 1)))*4 + d0]([[AR]]) : f32
// CHECK-NEXT:           [[AX:%.+]] = loop.load [[AM]][N*pow2(floordiv(64, max(N, 1)))*5 + d0]([[AR]]) : f32
// CHECK-NEXT:           [[AY:%.+]] = loop.load [[AM]][N*pow2(floordiv(64, max(N, 1)))*6 + d0]([[AR]]) : f32
// CHECK-NEXT:           [[AZ:%.+]] = loop.load [[AM]][N*pow2(floordiv(64, max(N, 1)))*7 + d0]([[AR]]) : f32
// CHECK-NEXT:           [[BA:%.+]] = scalar.apply add([[AS]], [[AT]]) : f32
// CHECK-NEXT:           [[BB:%.+]] = scalar.apply add([[AU]], [[AV]]) : f32
// CHECK-NEXT:           [[BC:%.+]] = scalar.apply add([[AW]], [[AX]]) : f32
// CHECK-NEXT:           [[BD:%.+]] = scalar.apply add([[AY]], [[AZ]]) : f32
// CHECK-NEXT:           [[BE:%.+]] = scalar.apply add([[BA]], [[BB]]) : f32
// CHECK-NEXT:           [[BF:%.+]] = scalar.apply add([[BC]], [[BD]]) : f32
// CHECK-NEXT:           [[BG:%.+]] = scalar.apply add([[BE]], [[BF]]) : f32
// CHECK-NEXT:           [[BH:%.+]] = loop.load [[P]][d0]([[AR]]) : f32
// CHECK-NEXT:           [[BI:%.+]] = scalar.apply add([[BH]], [[BG]]) : f32
// CHECK-NEXT:           loop.store [[BI]] to [[P]][d0]([[AR]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BJ:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 33)*32> step 1 vector {
// CHECK-NEXT:         [[BK:%.+]] = loop.load [[P]][d0 + N*32]([[BJ]]) : f32
// CHECK-NEXT:         [[BL:%.+]] = loop.load [[P]][d0]([[BJ]]) : f32
// CHECK-NEXT:         [[BM:%.+]] = scalar.apply add([[BL]], [[BK]]) : f32
// CHECK-NEXT:         loop.store [[BM]] to [[P]][d0]([[BJ]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BN:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 17)*16> step 1 vector {
// CHECK-NEXT:         [[BO:%.+]] = loop.load [[P]][d0 + N*16]([[BN]]) : f32
// CHECK-NEXT:         [[BP:%.+]] = loop.load [[P]][d0]([[BN]]) : f32
// CHECK-NEXT:         [[BQ:%.+]] = scalar.apply add([[BP]], [[BO]]) : f32
// CHECK-NEXT:         loop.store [[BQ]] to [[P]][d0]([[BN]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BR:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 9)*8> step 1 vector {
// CHECK-NEXT:         [[BS:%.+]] = loop.load [[P]][d0 + N*8]([[BR]]) : f32
// CHECK-NEXT:         [[BT:%.+]] = loop.load [[P]][d0]([[BR]]) : f32
// CHECK-NEXT:         [[BU:%.+]] = scalar.apply add([[BT]], [[BS]]) : f32
// CHECK-NEXT:         loop.store [[BU]] to [[P]][d0]([[BR]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BV:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 5)*4> step 1 vector {
// CHECK-NEXT:         [[BW:%.+]] = loop.load [[P]][d0 + N*4]([[BV]]) : f32
// CHECK-NEXT:         [[BX:%.+]] = loop.load [[P]][d0]([[BV]]) : f32
// CHECK-NEXT:         [[BY:%.+]] = scalar.apply add([[BX]], [[BW]]) : f32
// CHECK-NEXT:         loop.store [[BY]] to [[P]][d0]([[BV]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BZ:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 3)*2> step 1 vector {
// CHECK-NEXT:         [[CA:%.+]] = loop.load [[P]][d0 + N*2]([[BZ]]) : f32
// CHECK-NEXT:         [[CB:%.+]] = loop.load [[P]][d0]([[BZ]]) : f32
// CHECK-NEXT:         [[CC:%.+]] = scalar.apply add([[CB]], [[CA]]) : f32
// CHECK-NEXT:         loop.store [[CC]] to [[P]][d0]([[BZ]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[CD:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 2)> step 1 vector {
// CHECK-NEXT:         [[CE:%.+]] = loop.load [[P]][d0 + N]([[CD]]) : f32
// CHECK-NEXT:         [[CF:%.+]] = loop.load [[P]][d0]([[CD]]) : f32
// CHECK-NEXT:         [[CG:%.+]] = scalar.apply add([[CF]], [[CE]]) : f32
// CHECK-NEXT:         loop.store [[CG]] to [[P]][d0]([[CD]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[CH:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:         [[CI:%.+]] = loop.load [[P]][d0]([[CH]]) : f32
// CHECK-NEXT:         loop.store [[CI]] to %out0[d0 + d1]([[O]], [[CH]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<4x?xf32, #opc.dims<4, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}
