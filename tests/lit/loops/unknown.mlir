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
// CHECK-NEXT:       loop.if <atleast(N, 512)> {
// CHECK-NEXT:         loop.for [[H:%.+]] = <0> to <N> step 8192 serial {
// CHECK-NEXT:           loop.cascade next [[B]], [[G]], [[E]]
// CHECK-NEXT:           [[I:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:           [[J:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:           [[K:%.+]] = scalar.apply add([[I]], [[J]]) : i64
// CHECK-NEXT:           loop.store [[K]] to [[E]][0]
// CHECK-NEXT:           loop.for [[L:%.+]] = <d0> to <min(d0 + 8192, N - mod(N, 512))>([[H]]) step 512 serial {
// CHECK-NEXT:             [[M:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:             loop.for [[N:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[O:%.+]] = loop.load %x[N*d0 + d1 + d2]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:               [[P:%.+]] = loop.load %x[N*d0 + d1 + d2 + 64]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:               [[Q:%.+]] = scalar.apply add([[O]], [[P]]) : f32
// CHECK-NEXT:               loop.store [[Q]] to [[M]][d0]([[N]])
// CHECK-NEXT:             }
// CHECK-NEXT:             [[R:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:             loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[T:%.+]] = loop.load %x[N*d0 + d1 + d2 + 128]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:               [[U:%.+]] = loop.load %x[N*d0 + d1 + d2 + 192]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:               [[V:%.+]] = scalar.apply add([[T]], [[U]]) : f32
// CHECK-NEXT:               [[W:%.+]] = loop.load [[M]][d0]([[S]]) : f32
// CHECK-NEXT:               [[X:%.+]] = scalar.apply add([[W]], [[V]]) : f32
// CHECK-NEXT:               loop.store [[X]] to [[R]][d0]([[S]])
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.for [[Y:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[Z:%.+]] = loop.load %x[N*d0 + d1 + d2 + 256]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:               [[AA:%.+]] = loop.load %x[N*d0 + d1 + d2 + 320]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:               [[AB:%.+]] = scalar.apply add([[Z]], [[AA]]) : f32
// CHECK-NEXT:               loop.store [[AB]] to [[M]][d0]([[Y]])
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[AD:%.+]] = loop.load %x[N*d0 + d1 + d2 + 384]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:               [[AE:%.+]] = loop.load %x[N*d0 + d1 + d2 + 448]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:               [[AF:%.+]] = scalar.apply add([[AD]], [[AE]]) : f32
// CHECK-NEXT:               [[AG:%.+]] = loop.load [[M]][d0]([[AC]]) : f32
// CHECK-NEXT:               [[AH:%.+]] = scalar.apply add([[AG]], [[AF]]) : f32
// CHECK-NEXT:               [[AI:%.+]] = loop.load [[R]][d0]([[AC]]) : f32
// CHECK-NEXT:               [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:               [[AK:%.+]] = loop.load [[B]][d0]([[AC]]) : f32
// CHECK-NEXT:               [[AL:%.+]] = scalar.apply add([[AK]], [[AJ]]) : f32
// CHECK-NEXT:               loop.store [[AL]] to [[B]][d0]([[AC]])
// CHECK-NEXT:             }
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

// What is computed goes to a staging buffer first.
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
// CHECK-NEXT:       loop.if <atleast(N, 512)> {
// CHECK-NEXT:         loop.for [[H:%.+]] = <0> to <N> step 8192 serial {
// CHECK-NEXT:           loop.cascade next [[B]], [[G]], [[E]]
// CHECK-NEXT:           [[I:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:           [[J:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:           [[K:%.+]] = scalar.apply add([[I]], [[J]]) : i64
// CHECK-NEXT:           loop.store [[K]] to [[E]][0]
// CHECK-NEXT:           loop.for [[L:%.+]] = <d0> to <min(d0 + 8192, N - mod(N, 512))>([[H]]) step 512 serial {
// CHECK-NEXT:             [[M:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:             loop.for [[N:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[O:%.+]] = loop.load %x[N*d0 + d1 + d2]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:               [[P:%.+]] = scalar.apply mul([[O]], [[O]]) : f32
// CHECK-NEXT:               [[Q:%.+]] = loop.load %x[N*d0 + d1 + d2 + 64]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:               [[R:%.+]] = scalar.apply mul([[Q]], [[Q]]) : f32
// CHECK-NEXT:               [[S:%.+]] = scalar.apply add([[P]], [[R]]) : f32
// CHECK-NEXT:               loop.store [[S]] to [[M]][d0]([[N]])
// CHECK-NEXT:             }
// CHECK-NEXT:             [[T:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:             loop.for [[U:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[V:%.+]] = loop.load %x[N*d0 + d1 + d2 + 128]([[A]], [[L]], [[U]]) : f32
// CHECK-NEXT:               [[W:%.+]] = scalar.apply mul([[V]], [[V]]) : f32
// CHECK-NEXT:               [[X:%.+]] = loop.load %x[N*d0 + d1 + d2 + 192]([[A]], [[L]], [[U]]) : f32
// CHECK-NEXT:               [[Y:%.+]] = scalar.apply mul([[X]], [[X]]) : f32
// CHECK-NEXT:               [[Z:%.+]] = scalar.apply add([[W]], [[Y]]) : f32
// CHECK-NEXT:               [[AA:%.+]] = loop.load [[M]][d0]([[U]]) : f32
// CHECK-NEXT:               [[AB:%.+]] = scalar.apply add([[AA]], [[Z]]) : f32
// CHECK-NEXT:               loop.store [[AB]] to [[T]][d0]([[U]])
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[AD:%.+]] = loop.load %x[N*d0 + d1 + d2 + 256]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:               [[AE:%.+]] = scalar.apply mul([[AD]], [[AD]]) : f32
// CHECK-NEXT:               [[AF:%.+]] = loop.load %x[N*d0 + d1 + d2 + 320]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:               [[AG:%.+]] = scalar.apply mul([[AF]], [[AF]]) : f32
// CHECK-NEXT:               [[AH:%.+]] = scalar.apply add([[AE]], [[AG]]) : f32
// CHECK-NEXT:               loop.store [[AH]] to [[M]][d0]([[AC]])
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.for [[AI:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:               [[AJ:%.+]] = loop.load %x[N*d0 + d1 + d2 + 384]([[A]], [[L]], [[AI]]) : f32
// CHECK-NEXT:               [[AK:%.+]] = scalar.apply mul([[AJ]], [[AJ]]) : f32
// CHECK-NEXT:               [[AL:%.+]] = loop.load %x[N*d0 + d1 + d2 + 448]([[A]], [[L]], [[AI]]) : f32
// CHECK-NEXT:               [[AM:%.+]] = scalar.apply mul([[AL]], [[AL]]) : f32
// CHECK-NEXT:               [[AN:%.+]] = scalar.apply add([[AK]], [[AM]]) : f32
// CHECK-NEXT:               [[AO:%.+]] = loop.load [[M]][d0]([[AI]]) : f32
// CHECK-NEXT:               [[AP:%.+]] = scalar.apply add([[AO]], [[AN]]) : f32
// CHECK-NEXT:               [[AQ:%.+]] = loop.load [[T]][d0]([[AI]]) : f32
// CHECK-NEXT:               [[AR:%.+]] = scalar.apply add([[AQ]], [[AP]]) : f32
// CHECK-NEXT:               [[AS:%.+]] = loop.load [[B]][d0]([[AI]]) : f32
// CHECK-NEXT:               [[AT:%.+]] = scalar.apply add([[AS]], [[AR]]) : f32
// CHECK-NEXT:               loop.store [[AT]] to [[B]][d0]([[AI]])
// CHECK-NEXT:             }
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
// CHECK-NEXT:       [[BE:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[BE]] to %out0[d0]([[A]])
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

// Short rows are turned around, and filled up to 8, 16 or 32 values; long ones go one by one.
// CHECK-LABEL: func.func @short(
// CHECK-NEXT:     loop.if <atleast(M, 33)> "longer rows" {
// CHECK-NEXT:       loop.for [[A:%.+]] = <0> to <N> step 1 parallel {
// CHECK-NEXT:         [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:         }
// CHECK-NEXT:         [[E:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:         [[F:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:         loop.store [[F]] to [[E]][0]
// CHECK-NEXT:         [[G:%.+]] = loop.local : memref<2560xf32>
// CHECK-NEXT:         loop.if <atleast(M, 512)> {
// CHECK-NEXT:           loop.for [[H:%.+]] = <0> to <M> step 8192 serial {
// CHECK-NEXT:             loop.cascade next [[B]], [[G]], [[E]]
// CHECK-NEXT:             [[I:%.+]] = loop.load [[E]][0] : i64
// CHECK-NEXT:             [[J:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:             [[K:%.+]] = scalar.apply add([[I]], [[J]]) : i64
// CHECK-NEXT:             loop.store [[K]] to [[E]][0]
// CHECK-NEXT:             loop.for [[L:%.+]] = <d0> to <min(d0 + 8192, M - mod(M, 512))>([[H]]) step 512 serial {
// CHECK-NEXT:               [[M:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:               loop.for [[N:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:                 [[O:%.+]] = loop.load %x[M*d0 + d1 + d2]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:                 [[P:%.+]] = loop.load %x[M*d0 + d1 + d2 + 64]([[A]], [[L]], [[N]]) : f32
// CHECK-NEXT:                 [[Q:%.+]] = scalar.apply add([[O]], [[P]]) : f32
// CHECK-NEXT:                 loop.store [[Q]] to [[M]][d0]([[N]])
// CHECK-NEXT:               }
// CHECK-NEXT:               [[R:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:               loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:                 [[T:%.+]] = loop.load %x[M*d0 + d1 + d2 + 128]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:                 [[U:%.+]] = loop.load %x[M*d0 + d1 + d2 + 192]([[A]], [[L]], [[S]]) : f32
// CHECK-NEXT:                 [[V:%.+]] = scalar.apply add([[T]], [[U]]) : f32
// CHECK-NEXT:                 [[W:%.+]] = loop.load [[M]][d0]([[S]]) : f32
// CHECK-NEXT:                 [[X:%.+]] = scalar.apply add([[W]], [[V]]) : f32
// CHECK-NEXT:                 loop.store [[X]] to [[R]][d0]([[S]])
// CHECK-NEXT:               }
// CHECK-NEXT:               loop.for [[Y:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:                 [[Z:%.+]] = loop.load %x[M*d0 + d1 + d2 + 256]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:                 [[AA:%.+]] = loop.load %x[M*d0 + d1 + d2 + 320]([[A]], [[L]], [[Y]]) : f32
// CHECK-NEXT:                 [[AB:%.+]] = scalar.apply add([[Z]], [[AA]]) : f32
// CHECK-NEXT:                 loop.store [[AB]] to [[M]][d0]([[Y]])
// CHECK-NEXT:               }
// CHECK-NEXT:               loop.for [[AC:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:                 [[AD:%.+]] = loop.load %x[M*d0 + d1 + d2 + 384]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:                 [[AE:%.+]] = loop.load %x[M*d0 + d1 + d2 + 448]([[A]], [[L]], [[AC]]) : f32
// CHECK-NEXT:                 [[AF:%.+]] = scalar.apply add([[AD]], [[AE]]) : f32
// CHECK-NEXT:                 [[AG:%.+]] = loop.load [[M]][d0]([[AC]]) : f32
// CHECK-NEXT:                 [[AH:%.+]] = scalar.apply add([[AG]], [[AF]]) : f32
// CHECK-NEXT:                 [[AI:%.+]] = loop.load [[R]][d0]([[AC]]) : f32
// CHECK-NEXT:                 [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:                 [[AK:%.+]] = loop.load [[B]][d0]([[AC]]) : f32
// CHECK-NEXT:                 [[AL:%.+]] = scalar.apply add([[AK]], [[AJ]]) : f32
// CHECK-NEXT:                 loop.store [[AL]] to [[B]][d0]([[AC]])
// CHECK-NEXT:               }
// CHECK-NEXT:             }
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.group sum %x[M*d0 + M - mod(M, 512), mod(M, 512)]([[A]]) to [[B]]
// CHECK-NEXT:         loop.cascade finish [[B]], [[G]], [[E]]
// CHECK-NEXT:         [[AM:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:         loop.store [[AM]] to %out0[d0]([[A]])
// CHECK-NEXT:       }
// CHECK-NEXT:     } else "short rows side by side" {
// CHECK-NEXT:       loop.for [[AN:%.+]] = <0> to <N> step 64 parallel {
// CHECK-NEXT:         [[AO:%.+]] = loop.local : memref<2048xf32>
// CHECK-NEXT:         loop.transpose %x to [[AO]][M*d0, M, 0, 64, min(64, -d0 + N), M]([[AN]])
// CHECK-NEXT:         [[AP:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.if <-atleast(M, 9) + 1> {
// CHECK-NEXT:           loop.for [[AQ:%.+]] = <M*64> to <512> step 1 vector {
// CHECK-NEXT:             [[AR:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:             loop.store [[AR]] to [[AO]][d0]([[AQ]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AS:%.+]] = <0> to <min(64, -d0 + N)>([[AN]]) step 1 vector {
// CHECK-NEXT:             [[AT:%.+]] = loop.load [[AO]][d0]([[AS]]) : f32
// CHECK-NEXT:             [[AU:%.+]] = loop.load [[AO]][d0 + 64]([[AS]]) : f32
// CHECK-NEXT:             [[AV:%.+]] = loop.load [[AO]][d0 + 128]([[AS]]) : f32
// CHECK-NEXT:             [[AW:%.+]] = loop.load [[AO]][d0 + 192]([[AS]]) : f32
// CHECK-NEXT:             [[AX:%.+]] = loop.load [[AO]][d0 + 256]([[AS]]) : f32
// CHECK-NEXT:             [[AY:%.+]] = loop.load [[AO]][d0 + 320]([[AS]]) : f32
// CHECK-NEXT:             [[AZ:%.+]] = loop.load [[AO]][d0 + 384]([[AS]]) : f32
// CHECK-NEXT:             [[BA:%.+]] = loop.load [[AO]][d0 + 448]([[AS]]) : f32
// CHECK-NEXT:             [[BB:%.+]] = scalar.apply add([[AT]], [[AX]]) : f32
// CHECK-NEXT:             [[BC:%.+]] = scalar.apply add([[AU]], [[AY]]) : f32
// CHECK-NEXT:             [[BD:%.+]] = scalar.apply add([[AV]], [[AZ]]) : f32
// CHECK-NEXT:             [[BE:%.+]] = scalar.apply add([[AW]], [[BA]]) : f32
// CHECK-NEXT:             [[BF:%.+]] = scalar.apply add([[BB]], [[BD]]) : f32
// CHECK-NEXT:             [[BG:%.+]] = scalar.apply add([[BC]], [[BE]]) : f32
// CHECK-NEXT:             [[BH:%.+]] = scalar.apply add([[BF]], [[BG]]) : f32
// CHECK-NEXT:             [[BI:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:             [[BJ:%.+]] = scalar.apply add([[BI]], [[BH]]) : f32
// CHECK-NEXT:             loop.store [[BJ]] to [[AP]][d0]([[AS]])
// CHECK-NEXT:           }
// CHECK-NEXT:         } else {
// CHECK-NEXT:           loop.if <-atleast(M, 17) + 1> {
// CHECK-NEXT:             loop.for [[BK:%.+]] = <M*64> to <1024> step 1 vector {
// CHECK-NEXT:               [[BL:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:               loop.store [[BL]] to [[AO]][d0]([[BK]])
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.for [[BM:%.+]] = <0> to <min(64, -d0 + N)>([[AN]]) step 1 vector {
// CHECK-NEXT:               [[BN:%.+]] = loop.load [[AO]][d0]([[BM]]) : f32
// CHECK-NEXT:               [[BO:%.+]] = loop.load [[AO]][d0 + 64]([[BM]]) : f32
// CHECK-NEXT:               [[BP:%.+]] = loop.load [[AO]][d0 + 128]([[BM]]) : f32
// CHECK-NEXT:               [[BQ:%.+]] = loop.load [[AO]][d0 + 192]([[BM]]) : f32
// CHECK-NEXT:               [[BR:%.+]] = loop.load [[AO]][d0 + 256]([[BM]]) : f32
// CHECK-NEXT:               [[BS:%.+]] = loop.load [[AO]][d0 + 320]([[BM]]) : f32
// CHECK-NEXT:               [[BT:%.+]] = loop.load [[AO]][d0 + 384]([[BM]]) : f32
// CHECK-NEXT:               [[BU:%.+]] = loop.load [[AO]][d0 + 448]([[BM]]) : f32
// CHECK-NEXT:               [[BV:%.+]] = loop.load [[AO]][d0 + 512]([[BM]]) : f32
// CHECK-NEXT:               [[BW:%.+]] = loop.load [[AO]][d0 + 576]([[BM]]) : f32
// CHECK-NEXT:               [[BX:%.+]] = loop.load [[AO]][d0 + 640]([[BM]]) : f32
// CHECK-NEXT:               [[BY:%.+]] = loop.load [[AO]][d0 + 704]([[BM]]) : f32
// CHECK-NEXT:               [[BZ:%.+]] = loop.load [[AO]][d0 + 768]([[BM]]) : f32
// CHECK-NEXT:               [[CA:%.+]] = loop.load [[AO]][d0 + 832]([[BM]]) : f32
// CHECK-NEXT:               [[CB:%.+]] = loop.load [[AO]][d0 + 896]([[BM]]) : f32
// CHECK-NEXT:               [[CC:%.+]] = loop.load [[AO]][d0 + 960]([[BM]]) : f32
// CHECK-NEXT:               [[CD:%.+]] = scalar.apply add([[BN]], [[BV]]) : f32
// CHECK-NEXT:               [[CE:%.+]] = scalar.apply add([[BO]], [[BW]]) : f32
// CHECK-NEXT:               [[CF:%.+]] = scalar.apply add([[BP]], [[BX]]) : f32
// CHECK-NEXT:               [[CG:%.+]] = scalar.apply add([[BQ]], [[BY]]) : f32
// CHECK-NEXT:               [[CH:%.+]] = scalar.apply add([[BR]], [[BZ]]) : f32
// CHECK-NEXT:               [[CI:%.+]] = scalar.apply add([[BS]], [[CA]]) : f32
// CHECK-NEXT:               [[CJ:%.+]] = scalar.apply add([[BT]], [[CB]]) : f32
// CHECK-NEXT:               [[CK:%.+]] = scalar.apply add([[BU]], [[CC]]) : f32
// CHECK-NEXT:               [[CL:%.+]] = scalar.apply add([[CD]], [[CH]]) : f32
// CHECK-NEXT:               [[CM:%.+]] = scalar.apply add([[CE]], [[CI]]) : f32
// CHECK-NEXT:               [[CN:%.+]] = scalar.apply add([[CF]], [[CJ]]) : f32
// CHECK-NEXT:               [[CO:%.+]] = scalar.apply add([[CG]], [[CK]]) : f32
// CHECK-NEXT:               [[CP:%.+]] = scalar.apply add([[CL]], [[CN]]) : f32
// CHECK-NEXT:               [[CQ:%.+]] = scalar.apply add([[CM]], [[CO]]) : f32
// CHECK-NEXT:               [[CR:%.+]] = scalar.apply add([[CP]], [[CQ]]) : f32
// CHECK-NEXT:               [[CS:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:               [[CT:%.+]] = scalar.apply add([[CS]], [[CR]]) : f32
// CHECK-NEXT:               loop.store [[CT]] to [[AP]][d0]([[BM]])
// CHECK-NEXT:             }
// CHECK-NEXT:           } else {
// CHECK-NEXT:             loop.for [[CU:%.+]] = <M*64> to <2048> step 1 vector {
// CHECK-NEXT:               [[CV:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:               loop.store [[CV]] to [[AO]][d0]([[CU]])
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.for [[CW:%.+]] = <0> to <min(64, -d0 + N)>([[AN]]) step 1 vector {
// CHECK-NEXT:               [[CX:%.+]] = loop.load [[AO]][d0]([[CW]]) : f32
// CHECK-NEXT:               [[CY:%.+]] = loop.load [[AO]][d0 + 64]([[CW]]) : f32
// CHECK-NEXT:               [[CZ:%.+]] = loop.load [[AO]][d0 + 128]([[CW]]) : f32
// CHECK-NEXT:               [[DA:%.+]] = loop.load [[AO]][d0 + 192]([[CW]]) : f32
// CHECK-NEXT:               [[DB:%.+]] = loop.load [[AO]][d0 + 256]([[CW]]) : f32
// CHECK-NEXT:               [[DC:%.+]] = loop.load [[AO]][d0 + 320]([[CW]]) : f32
// CHECK-NEXT:               [[DD:%.+]] = loop.load [[AO]][d0 + 384]([[CW]]) : f32
// CHECK-NEXT:               [[DE:%.+]] = loop.load [[AO]][d0 + 448]([[CW]]) : f32
// CHECK-NEXT:               [[DF:%.+]] = loop.load [[AO]][d0 + 512]([[CW]]) : f32
// CHECK-NEXT:               [[DG:%.+]] = loop.load [[AO]][d0 + 576]([[CW]]) : f32
// CHECK-NEXT:               [[DH:%.+]] = loop.load [[AO]][d0 + 640]([[CW]]) : f32
// CHECK-NEXT:               [[DI:%.+]] = loop.load [[AO]][d0 + 704]([[CW]]) : f32
// CHECK-NEXT:               [[DJ:%.+]] = loop.load [[AO]][d0 + 768]([[CW]]) : f32
// CHECK-NEXT:               [[DK:%.+]] = loop.load [[AO]][d0 + 832]([[CW]]) : f32
// CHECK-NEXT:               [[DL:%.+]] = loop.load [[AO]][d0 + 896]([[CW]]) : f32
// CHECK-NEXT:               [[DM:%.+]] = loop.load [[AO]][d0 + 960]([[CW]]) : f32
// CHECK-NEXT:               [[DN:%.+]] = loop.load [[AO]][d0 + 1024]([[CW]]) : f32
// CHECK-NEXT:               [[DO:%.+]] = loop.load [[AO]][d0 + 1088]([[CW]]) : f32
// CHECK-NEXT:               [[DP:%.+]] = loop.load [[AO]][d0 + 1152]([[CW]]) : f32
// CHECK-NEXT:               [[DQ:%.+]] = loop.load [[AO]][d0 + 1216]([[CW]]) : f32
// CHECK-NEXT:               [[DR:%.+]] = loop.load [[AO]][d0 + 1280]([[CW]]) : f32
// CHECK-NEXT:               [[DS:%.+]] = loop.load [[AO]][d0 + 1344]([[CW]]) : f32
// CHECK-NEXT:               [[DT:%.+]] = loop.load [[AO]][d0 + 1408]([[CW]]) : f32
// CHECK-NEXT:               [[DU:%.+]] = loop.load [[AO]][d0 + 1472]([[CW]]) : f32
// CHECK-NEXT:               [[DV:%.+]] = loop.load [[AO]][d0 + 1536]([[CW]]) : f32
// CHECK-NEXT:               [[DW:%.+]] = loop.load [[AO]][d0 + 1600]([[CW]]) : f32
// CHECK-NEXT:               [[DX:%.+]] = loop.load [[AO]][d0 + 1664]([[CW]]) : f32
// CHECK-NEXT:               [[DY:%.+]] = loop.load [[AO]][d0 + 1728]([[CW]]) : f32
// CHECK-NEXT:               [[DZ:%.+]] = loop.load [[AO]][d0 + 1792]([[CW]]) : f32
// CHECK-NEXT:               [[EA:%.+]] = loop.load [[AO]][d0 + 1856]([[CW]]) : f32
// CHECK-NEXT:               [[EB:%.+]] = loop.load [[AO]][d0 + 1920]([[CW]]) : f32
// CHECK-NEXT:               [[EC:%.+]] = loop.load [[AO]][d0 + 1984]([[CW]]) : f32
// CHECK-NEXT:               [[ED:%.+]] = scalar.apply add([[CX]], [[DN]]) : f32
// CHECK-NEXT:               [[EE:%.+]] = scalar.apply add([[CY]], [[DO]]) : f32
// CHECK-NEXT:               [[EF:%.+]] = scalar.apply add([[CZ]], [[DP]]) : f32
// CHECK-NEXT:               [[EG:%.+]] = scalar.apply add([[DA]], [[DQ]]) : f32
// CHECK-NEXT:               [[EH:%.+]] = scalar.apply add([[DB]], [[DR]]) : f32
// CHECK-NEXT:               [[EI:%.+]] = scalar.apply add([[DC]], [[DS]]) : f32
// CHECK-NEXT:               [[EJ:%.+]] = scalar.apply add([[DD]], [[DT]]) : f32
// CHECK-NEXT:               [[EK:%.+]] = scalar.apply add([[DE]], [[DU]]) : f32
// CHECK-NEXT:               [[EL:%.+]] = scalar.apply add([[DF]], [[DV]]) : f32
// CHECK-NEXT:               [[EM:%.+]] = scalar.apply add([[DG]], [[DW]]) : f32
// CHECK-NEXT:               [[EN:%.+]] = scalar.apply add([[DH]], [[DX]]) : f32
// CHECK-NEXT:               [[EO:%.+]] = scalar.apply add([[DI]], [[DY]]) : f32
// CHECK-NEXT:               [[EP:%.+]] = scalar.apply add([[DJ]], [[DZ]]) : f32
// CHECK-NEXT:               [[EQ:%.+]] = scalar.apply add([[DK]], [[EA]]) : f32
// CHECK-NEXT:               [[ER:%.+]] = scalar.apply add([[DL]], [[EB]]) : f32
// CHECK-NEXT:               [[ES:%.+]] = scalar.apply add([[DM]], [[EC]]) : f32
// CHECK-NEXT:               [[ET:%.+]] = scalar.apply add([[ED]], [[EL]]) : f32
// CHECK-NEXT:               [[EU:%.+]] = scalar.apply add([[EE]], [[EM]]) : f32
// CHECK-NEXT:               [[EV:%.+]] = scalar.apply add([[EF]], [[EN]]) : f32
// CHECK-NEXT:               [[EW:%.+]] = scalar.apply add([[EG]], [[EO]]) : f32
// CHECK-NEXT:               [[EX:%.+]] = scalar.apply add([[EH]], [[EP]]) : f32
// CHECK-NEXT:               [[EY:%.+]] = scalar.apply add([[EI]], [[EQ]]) : f32
// CHECK-NEXT:               [[EZ:%.+]] = scalar.apply add([[EJ]], [[ER]]) : f32
// CHECK-NEXT:               [[FA:%.+]] = scalar.apply add([[EK]], [[ES]]) : f32
// CHECK-NEXT:               [[FB:%.+]] = scalar.apply add([[ET]], [[EX]]) : f32
// CHECK-NEXT:               [[FC:%.+]] = scalar.apply add([[EU]], [[EY]]) : f32
// CHECK-NEXT:               [[FD:%.+]] = scalar.apply add([[EV]], [[EZ]]) : f32
// CHECK-NEXT:               [[FE:%.+]] = scalar.apply add([[EW]], [[FA]]) : f32
// CHECK-NEXT:               [[FF:%.+]] = scalar.apply add([[FB]], [[FD]]) : f32
// CHECK-NEXT:               [[FG:%.+]] = scalar.apply add([[FC]], [[FE]]) : f32
// CHECK-NEXT:               [[FH:%.+]] = scalar.apply add([[FF]], [[FG]]) : f32
// CHECK-NEXT:               [[FI:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:               [[FJ:%.+]] = scalar.apply add([[FI]], [[FH]]) : f32
// CHECK-NEXT:               loop.store [[FJ]] to [[AP]][d0]([[CW]])
// CHECK-NEXT:             }
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[FK:%.+]] = <0> to <min(64, -d0 + N)>([[AN]]) step 1 vector {
// CHECK-NEXT:           [[FL:%.+]] = loop.load [[AP]][d0]([[FK]]) : f32
// CHECK-NEXT:           loop.store [[FL]] to %out0[d0 + d1]([[AN]], [[FK]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @short(%x: tensor<?x?xf32, #opc.dims<N, M>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Columns: the loops are there twice, for one lane, where there are 33 columns or more, and for more
// lanes, in which all columns go side by side with those of the next rows.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     loop.if <atleast(N, 1025)> "one lane" {
// CHECK-NEXT:       loop.for [[A:%.+]] = <0> to <N> step 1024 parallel {
// CHECK-NEXT:         [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:         loop.for [[C:%.+]] = <0> to <min(1024, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[D:%.+]] = loop.load %x[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0 + d1 + N]([[A]], [[C]]) : f32
// CHECK-NEXT:           [[F:%.+]] = loop.load %x[d0 + d1 + N*2]([[A]], [[C]]) : f32
// CHECK-NEXT:           [[G:%.+]] = loop.load %x[d0 + d1 + N*3]([[A]], [[C]]) : f32
// CHECK-NEXT:           [[H:%.+]] = scalar.apply add([[D]], [[E]]) : f32
// CHECK-NEXT:           [[I:%.+]] = scalar.apply add([[F]], [[G]]) : f32
// CHECK-NEXT:           [[J:%.+]] = scalar.apply add([[H]], [[I]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply add([[K]], [[J]]) : f32
// CHECK-NEXT:           loop.store [[L]] to [[B]][d0]([[C]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[M:%.+]] = <0> to <min(1024, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:           [[N:%.+]] = loop.load [[B]][d0]([[M]]) : f32
// CHECK-NEXT:           loop.store [[N]] to %out0[d0 + d1]([[A]], [[M]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     } else "more lanes" {
// CHECK-NEXT:       loop.for [[O:%.+]] = <0> to <N> step 1024 serial {
// CHECK-NEXT:         [[P:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:         loop.for [[Q:%.+]] = <0> to <1024> step 1 vector {
// CHECK-NEXT:           [[R:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[R]] to [[P]][d0]([[Q]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[S:%.+]] = <0> to <floordiv(-mod(4, pow2(floordiv(64, max(N, 1)))*8) + pow2(floordiv(64, max(N, 1)))*8 + 3, pow2(floordiv(64, max(N, 1)))*8)> step 1 serial {
// CHECK-NEXT:           loop.for [[T:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))> step 1 vector {
// CHECK-NEXT:             [[U:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[V:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1))) + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[W:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*2 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[X:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*3 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*4 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[Z:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*5 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*6 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*7 + d0 + d2]([[O]], [[S]], [[T]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply add([[U]], [[V]]) : f32
// CHECK-NEXT:             [[AD:%.+]] = scalar.apply add([[W]], [[X]]) : f32
// CHECK-NEXT:             [[AE:%.+]] = scalar.apply add([[Y]], [[Z]]) : f32
// CHECK-NEXT:             [[AF:%.+]] = scalar.apply add([[AA]], [[AB]]) : f32
// CHECK-NEXT:             [[AG:%.+]] = scalar.apply add([[AC]], [[AD]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = scalar.apply add([[AE]], [[AF]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = scalar.apply add([[AG]], [[AH]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = loop.load [[P]][d0]([[T]]) : f32
// CHECK-NEXT:             [[AK:%.+]] = scalar.apply add([[AJ]], [[AI]]) : f32
// CHECK-NEXT:             loop.store [[AK]] to [[P]][d0]([[T]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(mod(4, pow2(floordiv(64, max(N, 1)))*8), 1)> {
// CHECK-NEXT:           [[AL:%.+]] = loop.local : memref<8192xf32>
// CHECK-NEXT:           loop.for [[AM:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))*8> step 1 vector {
// CHECK-NEXT:             [[AN:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:             loop.store [[AN]] to [[AL]][d0]([[AM]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AO:%.+]] = <0> to <N*mod(4, pow2(floordiv(64, max(N, 1)))*8)> step 1 vector {
// CHECK-NEXT:             [[AP:%.+]] = loop.load %x[-N*mod(4, pow2(floordiv(64, max(N, 1)))*8) + d0 + d1 + N*4]([[O]], [[AO]]) : f32
// CHECK-NEXT:             loop.store [[AP]] to [[AL]][d0]([[AO]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AQ:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))> step 1 vector {
// CHECK-NEXT:             [[AR:%.+]] = loop.load [[AL]][d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AS:%.+]] = loop.load [[AL]][N*pow2(floordiv(64, max(N, 1))) + d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AT:%.+]] = loop.load [[AL]][N*pow2(floordiv(64, max(N, 1)))*2 + d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AU:%.+]] = loop.load [[AL]][N*pow2(floordiv(64, max(N, 1)))*3 + d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AV:%.+]] = loop.load [[AL]][N*pow2(floordiv(64, max(N, 1)))*4 + d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AW:%.+]] = loop.load [[AL]][N*pow2(floordiv(64, max(N, 1)))*5 + d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AX:%.+]] = loop.load [[AL]][N*pow2(floordiv(64, max(N, 1)))*6 + d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AY:%.+]] = loop.load [[AL]][N*pow2(floordiv(64, max(N, 1)))*7 + d0]([[AQ]]) : f32
// CHECK-NEXT:             [[AZ:%.+]] = scalar.apply add([[AR]], [[AS]]) : f32
// CHECK-NEXT:             [[BA:%.+]] = scalar.apply add([[AT]], [[AU]]) : f32
// CHECK-NEXT:             [[BB:%.+]] = scalar.apply add([[AV]], [[AW]]) : f32
// CHECK-NEXT:             [[BC:%.+]] = scalar.apply add([[AX]], [[AY]]) : f32
// CHECK-NEXT:             [[BD:%.+]] = scalar.apply add([[AZ]], [[BA]]) : f32
// CHECK-NEXT:             [[BE:%.+]] = scalar.apply add([[BB]], [[BC]]) : f32
// CHECK-NEXT:             [[BF:%.+]] = scalar.apply add([[BD]], [[BE]]) : f32
// CHECK-NEXT:             [[BG:%.+]] = loop.load [[P]][d0]([[AQ]]) : f32
// CHECK-NEXT:             [[BH:%.+]] = scalar.apply add([[BG]], [[BF]]) : f32
// CHECK-NEXT:             loop.store [[BH]] to [[P]][d0]([[AQ]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(pow2(floordiv(64, max(N, 1))), 33)> {
// CHECK-NEXT:           loop.for [[BI:%.+]] = <0> to <N*32> step 1 vector {
// CHECK-NEXT:             [[BJ:%.+]] = loop.load [[P]][d0 + N*32]([[BI]]) : f32
// CHECK-NEXT:             [[BK:%.+]] = loop.load [[P]][d0]([[BI]]) : f32
// CHECK-NEXT:             [[BL:%.+]] = scalar.apply add([[BK]], [[BJ]]) : f32
// CHECK-NEXT:             loop.store [[BL]] to [[P]][d0]([[BI]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(pow2(floordiv(64, max(N, 1))), 17)> {
// CHECK-NEXT:           loop.for [[BM:%.+]] = <0> to <N*16> step 1 vector {
// CHECK-NEXT:             [[BN:%.+]] = loop.load [[P]][d0 + N*16]([[BM]]) : f32
// CHECK-NEXT:             [[BO:%.+]] = loop.load [[P]][d0]([[BM]]) : f32
// CHECK-NEXT:             [[BP:%.+]] = scalar.apply add([[BO]], [[BN]]) : f32
// CHECK-NEXT:             loop.store [[BP]] to [[P]][d0]([[BM]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(pow2(floordiv(64, max(N, 1))), 9)> {
// CHECK-NEXT:           loop.for [[BQ:%.+]] = <0> to <N*8> step 1 vector {
// CHECK-NEXT:             [[BR:%.+]] = loop.load [[P]][d0 + N*8]([[BQ]]) : f32
// CHECK-NEXT:             [[BS:%.+]] = loop.load [[P]][d0]([[BQ]]) : f32
// CHECK-NEXT:             [[BT:%.+]] = scalar.apply add([[BS]], [[BR]]) : f32
// CHECK-NEXT:             loop.store [[BT]] to [[P]][d0]([[BQ]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(pow2(floordiv(64, max(N, 1))), 5)> {
// CHECK-NEXT:           loop.for [[BU:%.+]] = <0> to <N*4> step 1 vector {
// CHECK-NEXT:             [[BV:%.+]] = loop.load [[P]][d0 + N*4]([[BU]]) : f32
// CHECK-NEXT:             [[BW:%.+]] = loop.load [[P]][d0]([[BU]]) : f32
// CHECK-NEXT:             [[BX:%.+]] = scalar.apply add([[BW]], [[BV]]) : f32
// CHECK-NEXT:             loop.store [[BX]] to [[P]][d0]([[BU]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(pow2(floordiv(64, max(N, 1))), 3)> {
// CHECK-NEXT:           loop.for [[BY:%.+]] = <0> to <N*2> step 1 vector {
// CHECK-NEXT:             [[BZ:%.+]] = loop.load [[P]][d0 + N*2]([[BY]]) : f32
// CHECK-NEXT:             [[CA:%.+]] = loop.load [[P]][d0]([[BY]]) : f32
// CHECK-NEXT:             [[CB:%.+]] = scalar.apply add([[CA]], [[BZ]]) : f32
// CHECK-NEXT:             loop.store [[CB]] to [[P]][d0]([[BY]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(pow2(floordiv(64, max(N, 1))), 2)> {
// CHECK-NEXT:           loop.for [[CC:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:             [[CD:%.+]] = loop.load [[P]][d0 + N]([[CC]]) : f32
// CHECK-NEXT:             [[CE:%.+]] = loop.load [[P]][d0]([[CC]]) : f32
// CHECK-NEXT:             [[CF:%.+]] = scalar.apply add([[CE]], [[CD]]) : f32
// CHECK-NEXT:             loop.store [[CF]] to [[P]][d0]([[CC]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[CG:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:           [[CH:%.+]] = loop.load [[P]][d0]([[CG]]) : f32
// CHECK-NEXT:           loop.store [[CH]] to %out0[d0 + d1]([[O]], [[CG]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<4x?xf32, #opc.dims<4, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}
