// Extents that only a run knows.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops | filecheck %s

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
// CHECK-NEXT:             loop.store [[O]] to [[M]][d0]([[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[P:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[Q:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[R:%.+]] = loop.load %x[N*d0 + d1 + d2 + 64]([[A]], [[L]], [[Q]]) : f32
// CHECK-NEXT:             [[S:%.+]] = loop.load [[M]][d0]([[Q]]) : f32
// CHECK-NEXT:             [[T:%.+]] = scalar.apply add([[S]], [[R]]) : f32
// CHECK-NEXT:             loop.store [[T]] to [[P]][d0]([[Q]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[U:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[V:%.+]] = loop.load %x[N*d0 + d1 + d2 + 128]([[A]], [[L]], [[U]]) : f32
// CHECK-NEXT:             loop.store [[V]] to [[M]][d0]([[U]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[W:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[X:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[Y:%.+]] = loop.load %x[N*d0 + d1 + d2 + 192]([[A]], [[L]], [[X]]) : f32
// CHECK-NEXT:             [[Z:%.+]] = loop.load [[M]][d0]([[X]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = scalar.apply add([[Z]], [[Y]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = loop.load [[P]][d0]([[X]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply add([[AB]], [[AA]]) : f32
// CHECK-NEXT:             loop.store [[AC]] to [[W]][d0]([[X]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AD:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AE:%.+]] = loop.load %x[N*d0 + d1 + d2 + 256]([[A]], [[L]], [[AD]]) : f32
// CHECK-NEXT:             loop.store [[AE]] to [[M]][d0]([[AD]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AF:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AG:%.+]] = loop.load %x[N*d0 + d1 + d2 + 320]([[A]], [[L]], [[AF]]) : f32
// CHECK-NEXT:             [[AH:%.+]] = loop.load [[M]][d0]([[AF]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = scalar.apply add([[AH]], [[AG]]) : f32
// CHECK-NEXT:             loop.store [[AI]] to [[P]][d0]([[AF]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AJ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AK:%.+]] = loop.load %x[N*d0 + d1 + d2 + 384]([[A]], [[L]], [[AJ]]) : f32
// CHECK-NEXT:             loop.store [[AK]] to [[M]][d0]([[AJ]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AL:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AM:%.+]] = loop.load %x[N*d0 + d1 + d2 + 448]([[A]], [[L]], [[AL]]) : f32
// CHECK-NEXT:             [[AN:%.+]] = loop.load [[M]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AO:%.+]] = scalar.apply add([[AN]], [[AM]]) : f32
// CHECK-NEXT:             [[AP:%.+]] = loop.load [[P]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AQ:%.+]] = scalar.apply add([[AP]], [[AO]]) : f32
// CHECK-NEXT:             [[AR:%.+]] = loop.load [[W]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AS:%.+]] = scalar.apply add([[AR]], [[AQ]]) : f32
// CHECK-NEXT:             [[AT:%.+]] = loop.load [[B]][d0]([[AL]]) : f32
// CHECK-NEXT:             [[AU:%.+]] = scalar.apply add([[AT]], [[AS]]) : f32
// CHECK-NEXT:             loop.store [[AU]] to [[B]][d0]([[AL]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum %x[N*d0 + N - mod(N, 512), mod(N, 512)]([[A]]) to [[B]]
// CHECK-NEXT:       loop.cascade finish [[B]], [[G]], [[E]]
// CHECK-NEXT:       [[AV:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[AV]] to %out0[d0]([[A]])
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
// CHECK-NEXT:             loop.store [[P]] to [[M]][d0]([[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[Q:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[R:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[S:%.+]] = loop.load %x[N*d0 + d1 + d2 + 64]([[A]], [[L]], [[R]]) : f32
// CHECK-NEXT:             [[T:%.+]] = scalar.apply mul([[S]], [[S]]) : f32
// CHECK-NEXT:             [[U:%.+]] = loop.load [[M]][d0]([[R]]) : f32
// CHECK-NEXT:             [[V:%.+]] = scalar.apply add([[U]], [[T]]) : f32
// CHECK-NEXT:             loop.store [[V]] to [[Q]][d0]([[R]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[W:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[X:%.+]] = loop.load %x[N*d0 + d1 + d2 + 128]([[A]], [[L]], [[W]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = scalar.apply mul([[X]], [[X]]) : f32
// CHECK-NEXT:             loop.store [[Y]] to [[M]][d0]([[W]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[Z:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[AA:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AB:%.+]] = loop.load %x[N*d0 + d1 + d2 + 192]([[A]], [[L]], [[AA]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = scalar.apply mul([[AB]], [[AB]]) : f32
// CHECK-NEXT:             [[AD:%.+]] = loop.load [[M]][d0]([[AA]]) : f32
// CHECK-NEXT:             [[AE:%.+]] = scalar.apply add([[AD]], [[AC]]) : f32
// CHECK-NEXT:             [[AF:%.+]] = loop.load [[Q]][d0]([[AA]]) : f32
// CHECK-NEXT:             [[AG:%.+]] = scalar.apply add([[AF]], [[AE]]) : f32
// CHECK-NEXT:             loop.store [[AG]] to [[Z]][d0]([[AA]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AH:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AI:%.+]] = loop.load %x[N*d0 + d1 + d2 + 256]([[A]], [[L]], [[AH]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = scalar.apply mul([[AI]], [[AI]]) : f32
// CHECK-NEXT:             loop.store [[AJ]] to [[M]][d0]([[AH]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AK:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AL:%.+]] = loop.load %x[N*d0 + d1 + d2 + 320]([[A]], [[L]], [[AK]]) : f32
// CHECK-NEXT:             [[AM:%.+]] = scalar.apply mul([[AL]], [[AL]]) : f32
// CHECK-NEXT:             [[AN:%.+]] = loop.load [[M]][d0]([[AK]]) : f32
// CHECK-NEXT:             [[AO:%.+]] = scalar.apply add([[AN]], [[AM]]) : f32
// CHECK-NEXT:             loop.store [[AO]] to [[Q]][d0]([[AK]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AP:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AQ:%.+]] = loop.load %x[N*d0 + d1 + d2 + 384]([[A]], [[L]], [[AP]]) : f32
// CHECK-NEXT:             [[AR:%.+]] = scalar.apply mul([[AQ]], [[AQ]]) : f32
// CHECK-NEXT:             loop.store [[AR]] to [[M]][d0]([[AP]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AS:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AT:%.+]] = loop.load %x[N*d0 + d1 + d2 + 448]([[A]], [[L]], [[AS]]) : f32
// CHECK-NEXT:             [[AU:%.+]] = scalar.apply mul([[AT]], [[AT]]) : f32
// CHECK-NEXT:             [[AV:%.+]] = loop.load [[M]][d0]([[AS]]) : f32
// CHECK-NEXT:             [[AW:%.+]] = scalar.apply add([[AV]], [[AU]]) : f32
// CHECK-NEXT:             [[AX:%.+]] = loop.load [[Q]][d0]([[AS]]) : f32
// CHECK-NEXT:             [[AY:%.+]] = scalar.apply add([[AX]], [[AW]]) : f32
// CHECK-NEXT:             [[AZ:%.+]] = loop.load [[Z]][d0]([[AS]]) : f32
// CHECK-NEXT:             [[BA:%.+]] = scalar.apply add([[AZ]], [[AY]]) : f32
// CHECK-NEXT:             [[BB:%.+]] = loop.load [[B]][d0]([[AS]]) : f32
// CHECK-NEXT:             [[BC:%.+]] = scalar.apply add([[BB]], [[BA]]) : f32
// CHECK-NEXT:             loop.store [[BC]] to [[B]][d0]([[AS]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       [[BD:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:       loop.for [[BE:%.+]] = <0> to <mod(N, 512)> step 1 vector {
// CHECK-NEXT:         [[BF:%.+]] = loop.load %x[N*d0 + d1 + N - mod(N, 512)]([[A]], [[BE]]) : f32
// CHECK-NEXT:         [[BG:%.+]] = scalar.apply mul([[BF]], [[BF]]) : f32
// CHECK-NEXT:         loop.store [[BG]] to [[BD]][d0]([[BE]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum [[BD]][0, mod(N, 512)] to [[B]]
// CHECK-NEXT:       loop.cascade finish [[B]], [[G]], [[E]]
// CHECK-NEXT:       [[BH:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       loop.store [[BH]] to %out0[d0]([[A]])
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
// CHECK-NEXT:             loop.store [[P]] to [[N]][d0]([[O]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[Q:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[R:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[S:%.+]] = loop.load %x[d0 + d1 + 64]([[M]], [[R]]) : f32
// CHECK-NEXT:             [[T:%.+]] = loop.load [[N]][d0]([[R]]) : f32
// CHECK-NEXT:             [[U:%.+]] = scalar.apply add([[T]], [[S]]) : f32
// CHECK-NEXT:             loop.store [[U]] to [[Q]][d0]([[R]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[V:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[W:%.+]] = loop.load %x[d0 + d1 + 128]([[M]], [[V]]) : f32
// CHECK-NEXT:             loop.store [[W]] to [[N]][d0]([[V]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[X:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[Y:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[Z:%.+]] = loop.load %x[d0 + d1 + 192]([[M]], [[Y]]) : f32
// CHECK-NEXT:             [[AA:%.+]] = loop.load [[N]][d0]([[Y]]) : f32
// CHECK-NEXT:             [[AB:%.+]] = scalar.apply add([[AA]], [[Z]]) : f32
// CHECK-NEXT:             [[AC:%.+]] = loop.load [[Q]][d0]([[Y]]) : f32
// CHECK-NEXT:             [[AD:%.+]] = scalar.apply add([[AC]], [[AB]]) : f32
// CHECK-NEXT:             loop.store [[AD]] to [[X]][d0]([[Y]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AE:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AF:%.+]] = loop.load %x[d0 + d1 + 256]([[M]], [[AE]]) : f32
// CHECK-NEXT:             loop.store [[AF]] to [[N]][d0]([[AE]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AG:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AH:%.+]] = loop.load %x[d0 + d1 + 320]([[M]], [[AG]]) : f32
// CHECK-NEXT:             [[AI:%.+]] = loop.load [[N]][d0]([[AG]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = scalar.apply add([[AI]], [[AH]]) : f32
// CHECK-NEXT:             loop.store [[AJ]] to [[Q]][d0]([[AG]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AK:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AL:%.+]] = loop.load %x[d0 + d1 + 384]([[M]], [[AK]]) : f32
// CHECK-NEXT:             loop.store [[AL]] to [[N]][d0]([[AK]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[AM:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[AN:%.+]] = loop.load %x[d0 + d1 + 448]([[M]], [[AM]]) : f32
// CHECK-NEXT:             [[AO:%.+]] = loop.load [[N]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AP:%.+]] = scalar.apply add([[AO]], [[AN]]) : f32
// CHECK-NEXT:             [[AQ:%.+]] = loop.load [[Q]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AR:%.+]] = scalar.apply add([[AQ]], [[AP]]) : f32
// CHECK-NEXT:             [[AS:%.+]] = loop.load [[X]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AT:%.+]] = scalar.apply add([[AS]], [[AR]]) : f32
// CHECK-NEXT:             [[AU:%.+]] = loop.load [[C]][d0]([[AM]]) : f32
// CHECK-NEXT:             [[AV:%.+]] = scalar.apply add([[AU]], [[AT]]) : f32
// CHECK-NEXT:             loop.store [[AV]] to [[C]][d0]([[AM]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum %x[min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N) - mod(min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N), 512), mod(min(d0*max(8, pow2(floordiv(N + 8191, 131072)))*8192 + max(8, pow2(floordiv(N + 8191, 131072)))*8192, N), 512)]([[B]]) to [[C]]
// CHECK-NEXT:       loop.cascade finish [[C]], [[H]], [[F]]
// CHECK-NEXT:       loop.for [[AW:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[AX:%.+]] = loop.load [[C]][d0]([[AW]]) : f32
// CHECK-NEXT:         loop.store [[AX]] to [[A]][d0*64 + d1]([[B]], [[AW]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AY:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[AZ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[BA:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[BA]] to [[AY]][d0]([[AZ]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[BB:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[BC:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[BC]] to [[BB]][0]
// CHECK-NEXT:     [[BD:%.+]] = loop.local : memref<384xf32>
// CHECK-NEXT:     loop.for [[BE:%.+]] = <0> to <floordiv(floordiv(N + 8191, 8192) + max(8, pow2(floordiv(N + 8191, 131072))) - 1, max(8, pow2(floordiv(N + 8191, 131072))))> step 1 serial {
// CHECK-NEXT:       loop.cascade next [[AY]], [[BD]], [[BB]]
// CHECK-NEXT:       [[BF:%.+]] = loop.load [[BB]][0] : i64
// CHECK-NEXT:       [[BG:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[BH:%.+]] = scalar.apply add([[BF]], [[BG]]) : i64
// CHECK-NEXT:       loop.store [[BH]] to [[BB]][0]
// CHECK-NEXT:       loop.for [[BI:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[BJ:%.+]] = loop.load [[A]][d0*64 + d1]([[BE]], [[BI]]) : f32
// CHECK-NEXT:         loop.store [[BJ]] to [[AY]][d0]([[BI]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade finish [[AY]], [[BD]], [[BB]]
// CHECK-NEXT:     [[BK:%.+]] = loop.combine sum [[AY]] : f32
// CHECK-NEXT:     loop.store [[BK]] to %out0[0]
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
// CHECK-NEXT:             loop.store [[EQ]] to [[EO]][d0]([[EP]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[ER:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[ES:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[ET:%.+]] = loop.load %x[M*d0 + d1 + d2 + 64]([[EC]], [[EN]], [[ES]]) : f32
// CHECK-NEXT:             [[EU:%.+]] = loop.load [[EO]][d0]([[ES]]) : f32
// CHECK-NEXT:             [[EV:%.+]] = scalar.apply add([[EU]], [[ET]]) : f32
// CHECK-NEXT:             loop.store [[EV]] to [[ER]][d0]([[ES]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[EW:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[EX:%.+]] = loop.load %x[M*d0 + d1 + d2 + 128]([[EC]], [[EN]], [[EW]]) : f32
// CHECK-NEXT:             loop.store [[EX]] to [[EO]][d0]([[EW]])
// CHECK-NEXT:           }
// CHECK-NEXT:           [[EY:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:           loop.for [[EZ:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[FA:%.+]] = loop.load %x[M*d0 + d1 + d2 + 192]([[EC]], [[EN]], [[EZ]]) : f32
// CHECK-NEXT:             [[FB:%.+]] = loop.load [[EO]][d0]([[EZ]]) : f32
// CHECK-NEXT:             [[FC:%.+]] = scalar.apply add([[FB]], [[FA]]) : f32
// CHECK-NEXT:             [[FD:%.+]] = loop.load [[ER]][d0]([[EZ]]) : f32
// CHECK-NEXT:             [[FE:%.+]] = scalar.apply add([[FD]], [[FC]]) : f32
// CHECK-NEXT:             loop.store [[FE]] to [[EY]][d0]([[EZ]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[FF:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[FG:%.+]] = loop.load %x[M*d0 + d1 + d2 + 256]([[EC]], [[EN]], [[FF]]) : f32
// CHECK-NEXT:             loop.store [[FG]] to [[EO]][d0]([[FF]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[FH:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[FI:%.+]] = loop.load %x[M*d0 + d1 + d2 + 320]([[EC]], [[EN]], [[FH]]) : f32
// CHECK-NEXT:             [[FJ:%.+]] = loop.load [[EO]][d0]([[FH]]) : f32
// CHECK-NEXT:             [[FK:%.+]] = scalar.apply add([[FJ]], [[FI]]) : f32
// CHECK-NEXT:             loop.store [[FK]] to [[ER]][d0]([[FH]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[FL:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[FM:%.+]] = loop.load %x[M*d0 + d1 + d2 + 384]([[EC]], [[EN]], [[FL]]) : f32
// CHECK-NEXT:             loop.store [[FM]] to [[EO]][d0]([[FL]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[FN:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:             [[FO:%.+]] = loop.load %x[M*d0 + d1 + d2 + 448]([[EC]], [[EN]], [[FN]]) : f32
// CHECK-NEXT:             [[FP:%.+]] = loop.load [[EO]][d0]([[FN]]) : f32
// CHECK-NEXT:             [[FQ:%.+]] = scalar.apply add([[FP]], [[FO]]) : f32
// CHECK-NEXT:             [[FR:%.+]] = loop.load [[ER]][d0]([[FN]]) : f32
// CHECK-NEXT:             [[FS:%.+]] = scalar.apply add([[FR]], [[FQ]]) : f32
// CHECK-NEXT:             [[FT:%.+]] = loop.load [[EY]][d0]([[FN]]) : f32
// CHECK-NEXT:             [[FU:%.+]] = scalar.apply add([[FT]], [[FS]]) : f32
// CHECK-NEXT:             [[FV:%.+]] = loop.load [[ED]][d0]([[FN]]) : f32
// CHECK-NEXT:             [[FW:%.+]] = scalar.apply add([[FV]], [[FU]]) : f32
// CHECK-NEXT:             loop.store [[FW]] to [[ED]][d0]([[FN]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group sum %x[M*d0 + M - mod(M, 512), mod(M, 512)]([[EC]]) to [[ED]]
// CHECK-NEXT:       loop.cascade finish [[ED]], [[EI]], [[EG]]
// CHECK-NEXT:       [[FX:%.+]] = loop.combine sum [[ED]] : f32
// CHECK-NEXT:       loop.store [[FX]] to %out0[d0]([[EC]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @short(%x: tensor<?x?xf32, #opc.dims<N, M>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Columns: the loops are there twice, for one lane, where there are 33 columns or more, and for more
// lanes, in which all columns go side by side with those of the next rows.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <-N*atleast(pow2(floordiv(64, max(N, 1))), 2) + N> step 1024 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <1024> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <min(1024, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[F:%.+]] = loop.load %x[d0 + d1]([[A]], [[E]]) : f32
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0 + d1 + N]([[A]], [[E]]) : f32
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0 + d1 + N*2]([[A]], [[E]]) : f32
// CHECK-NEXT:         [[I:%.+]] = loop.load %x[d0 + d1 + N*3]([[A]], [[E]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply add([[F]], [[G]]) : f32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply add([[H]], [[I]]) : f32
// CHECK-NEXT:         [[L:%.+]] = scalar.apply add([[J]], [[K]]) : f32
// CHECK-NEXT:         [[M:%.+]] = loop.load [[B]][d0]([[E]]) : f32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply add([[M]], [[L]]) : f32
// CHECK-NEXT:         loop.store [[N]] to [[B]][d0]([[E]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[O:%.+]] = <0> to <min(1024, -d0 + N)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[P:%.+]] = loop.load [[B]][d0]([[O]]) : f32
// CHECK-NEXT:         loop.store [[P]] to %out0[d0 + d1]([[A]], [[O]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[Q:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 2)> step 32 serial {
// CHECK-NEXT:       [[R:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[T:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[T]] to [[R]][d0]([[S]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[U:%.+]] = <0> to <floordiv(-mod(4, pow2(floordiv(64, max(N, 1)))*8) + pow2(floordiv(64, max(N, 1)))*8 + 3, pow2(floordiv(64, max(N, 1)))*8)> step 1 serial {
// CHECK-NEXT:         loop.for [[V:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))> step 1 vector {
// CHECK-NEXT:           [[W:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[X:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1))) + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[Y:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*2 + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[Z:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*3 + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[AA:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*4 + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[AB:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*5 + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[AC:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*6 + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[AD:%.+]] = loop.load %x[N*d1*pow2(floordiv(64, max(N, 1)))*8 + N*pow2(floordiv(64, max(N, 1)))*7 + d0 + d2]([[Q]], [[U]], [[V]]) : f32
// CHECK-NEXT:           [[AE:%.+]] = scalar.apply add([[W]], [[X]]) : f32
// CHECK-NEXT:           [[AF:%.+]] = scalar.apply add([[Y]], [[Z]]) : f32
// CHECK-NEXT:           [[AG:%.+]] = scalar.apply add([[AA]], [[AB]]) : f32
// CHECK-NEXT:           [[AH:%.+]] = scalar.apply add([[AC]], [[AD]]) : f32
// CHECK-NEXT:           [[AI:%.+]] = scalar.apply add([[AE]], [[AF]]) : f32
// CHECK-NEXT:           [[AJ:%.+]] = scalar.apply add([[AG]], [[AH]]) : f32
// CHECK-NEXT:           [[AK:%.+]] = scalar.apply add([[AI]], [[AJ]]) : f32
// CHECK-NEXT:           [[AL:%.+]] = loop.load [[R]][d0]([[V]]) : f32
// CHECK-NEXT:           [[AM:%.+]] = scalar.apply add([[AL]], [[AK]]) : f32
// CHECK-NEXT:           loop.store [[AM]] to [[R]][d0]([[V]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[AN:%.+]] = <0> to <floordiv(mod(4, pow2(floordiv(64, max(N, 1)))*8) + pow2(floordiv(64, max(N, 1)))*8 - 1, pow2(floordiv(64, max(N, 1)))*8)> step 1 serial {
// CHECK-NEXT:         [[AO:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:         loop.for [[AP:%.+]] = <0> to <512> step 1 vector {
// CHECK-NEXT:           [[AQ:%.+]] = scalar.constant -0.000000e+00 : f32
// CHECK-NEXT:           loop.store [[AQ]] to [[AO]][d0]([[AP]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AR:%.+]] = <0> to <N*mod(4, pow2(floordiv(64, max(N, 1)))*8)> step 1 vector {
// CHECK-NEXT:           [[AS:%.+]] = loop.load %x[-N*mod(4, pow2(floordiv(64, max(N, 1)))*8) + d0 + d1 + N*4]([[Q]], [[AR]]) : f32
// CHECK-NEXT:           loop.store [[AS]] to [[AO]][d0]([[AR]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AT:%.+]] = <0> to <N*pow2(floordiv(64, max(N, 1)))> step 1 vector {
// CHECK-NEXT:           [[AU:%.+]] = loop.load [[AO]][d0]([[AT]]) : f32
// CHECK-NEXT:           [[AV:%.+]] = loop.load [[AO]][N*pow2(floordiv(64, max(N, 1))) + d0]([[AT]]) : f32
// CHECK-NEXT:           [[AW:%.+]] = loop.load [[AO]][N*pow2(floordiv(64, max(N, 1)))*2 + d0]([[AT]]) : f32
// CHECK-NEXT:           [[AX:%.+]] = loop.load [[AO]][N*pow2(floordiv(64, max(N, 1)))*3 + d0]([[AT]]) : f32
// CHECK-NEXT:           [[AY:%.+]] = loop.load [[AO]][N*pow2(floordiv(64, max(N, 1)))*4 + d0]([[AT]]) : f32
// CHECK-NEXT:           [[AZ:%.+]] = loop.load [[AO]][N*pow2(floordiv(64, max(N, 1)))*5 + d0]([[AT]]) : f32
// CHECK-NEXT:           [[BA:%.+]] = loop.load [[AO]][N*pow2(floordiv(64, max(N, 1)))*6 + d0]([[AT]]) : f32
// CHECK-NEXT:           [[BB:%.+]] = loop.load [[AO]][N*pow2(floordiv(64, max(N, 1)))*7 + d0]([[AT]]) : f32
// CHECK-NEXT:           [[BC:%.+]] = scalar.apply add([[AU]], [[AV]]) : f32
// CHECK-NEXT:           [[BD:%.+]] = scalar.apply add([[AW]], [[AX]]) : f32
// CHECK-NEXT:           [[BE:%.+]] = scalar.apply add([[AY]], [[AZ]]) : f32
// CHECK-NEXT:           [[BF:%.+]] = scalar.apply add([[BA]], [[BB]]) : f32
// CHECK-NEXT:           [[BG:%.+]] = scalar.apply add([[BC]], [[BD]]) : f32
// CHECK-NEXT:           [[BH:%.+]] = scalar.apply add([[BE]], [[BF]]) : f32
// CHECK-NEXT:           [[BI:%.+]] = scalar.apply add([[BG]], [[BH]]) : f32
// CHECK-NEXT:           [[BJ:%.+]] = loop.load [[R]][d0]([[AT]]) : f32
// CHECK-NEXT:           [[BK:%.+]] = scalar.apply add([[BJ]], [[BI]]) : f32
// CHECK-NEXT:           loop.store [[BK]] to [[R]][d0]([[AT]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BL:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 33)*32> step 1 vector {
// CHECK-NEXT:         [[BM:%.+]] = loop.load [[R]][d0 + N*32]([[BL]]) : f32
// CHECK-NEXT:         [[BN:%.+]] = loop.load [[R]][d0]([[BL]]) : f32
// CHECK-NEXT:         [[BO:%.+]] = scalar.apply add([[BN]], [[BM]]) : f32
// CHECK-NEXT:         loop.store [[BO]] to [[R]][d0]([[BL]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BP:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 17)*16> step 1 vector {
// CHECK-NEXT:         [[BQ:%.+]] = loop.load [[R]][d0 + N*16]([[BP]]) : f32
// CHECK-NEXT:         [[BR:%.+]] = loop.load [[R]][d0]([[BP]]) : f32
// CHECK-NEXT:         [[BS:%.+]] = scalar.apply add([[BR]], [[BQ]]) : f32
// CHECK-NEXT:         loop.store [[BS]] to [[R]][d0]([[BP]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BT:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 9)*8> step 1 vector {
// CHECK-NEXT:         [[BU:%.+]] = loop.load [[R]][d0 + N*8]([[BT]]) : f32
// CHECK-NEXT:         [[BV:%.+]] = loop.load [[R]][d0]([[BT]]) : f32
// CHECK-NEXT:         [[BW:%.+]] = scalar.apply add([[BV]], [[BU]]) : f32
// CHECK-NEXT:         loop.store [[BW]] to [[R]][d0]([[BT]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[BX:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 5)*4> step 1 vector {
// CHECK-NEXT:         [[BY:%.+]] = loop.load [[R]][d0 + N*4]([[BX]]) : f32
// CHECK-NEXT:         [[BZ:%.+]] = loop.load [[R]][d0]([[BX]]) : f32
// CHECK-NEXT:         [[CA:%.+]] = scalar.apply add([[BZ]], [[BY]]) : f32
// CHECK-NEXT:         loop.store [[CA]] to [[R]][d0]([[BX]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[CB:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 3)*2> step 1 vector {
// CHECK-NEXT:         [[CC:%.+]] = loop.load [[R]][d0 + N*2]([[CB]]) : f32
// CHECK-NEXT:         [[CD:%.+]] = loop.load [[R]][d0]([[CB]]) : f32
// CHECK-NEXT:         [[CE:%.+]] = scalar.apply add([[CD]], [[CC]]) : f32
// CHECK-NEXT:         loop.store [[CE]] to [[R]][d0]([[CB]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[CF:%.+]] = <0> to <N*atleast(pow2(floordiv(64, max(N, 1))), 2)> step 1 vector {
// CHECK-NEXT:         [[CG:%.+]] = loop.load [[R]][d0 + N]([[CF]]) : f32
// CHECK-NEXT:         [[CH:%.+]] = loop.load [[R]][d0]([[CF]]) : f32
// CHECK-NEXT:         [[CI:%.+]] = scalar.apply add([[CH]], [[CG]]) : f32
// CHECK-NEXT:         loop.store [[CI]] to [[R]][d0]([[CF]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[CJ:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:         [[CK:%.+]] = loop.load [[R]][d0]([[CJ]]) : f32
// CHECK-NEXT:         loop.store [[CK]] to %out0[d0 + d1]([[Q]], [[CJ]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<4x?xf32, #opc.dims<4, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}
