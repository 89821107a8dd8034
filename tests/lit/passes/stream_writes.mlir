// What memory bounds is written past the caches, a block at a time.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,narrow-domains,plan-buffers,lower-to-loops,simplify-loops,prefetch-writes,rotate-loops,stream-writes | filecheck %s

// Rows one by one.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <9000> step 1 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <1024> step 128 parallel {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0*1024 + d1 + d2]([[A]], [[B]], [[D]]) : f32
// CHECK-NEXT:           [[F:%.+]] = loop.load %b[d0 + d1]([[B]], [[D]]) : f32
// CHECK-NEXT:           [[G:%.+]] = scalar.apply sub([[E]], [[F]]) : f32
// CHECK-NEXT:           loop.store [[G]] to [[C]][d0]([[D]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream [[C]] to %out0[0, d0*1024 + d1, 128, 128]([[A]], [[B]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @rows(%x: tensor<9000x1024xf32>, %b: tensor<1024xf32>) -> tensor<9000x1024xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<9000x1024xf32>
}

// The last block is shorter.
// CHECK-LABEL: func.func @flat(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <9000001> step 128 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(128, -d0 + 9000001)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[E:%.+]] = scalar.apply neg([[D]]) : f32
// CHECK-NEXT:         loop.store [[E]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[B]] to %out0[0, d0, min(128, -d0 + 9000001), min(128, -d0 + 9000001)]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @flat(%x: tensor<9000001xf32>) -> tensor<9000001xf32> {
  %r = opc.neg %x
  return %r : tensor<9000001xf32>
}

// Two results of one loop.
// CHECK-LABEL: func.func @two(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <8388608> step 128 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0 + d1]([[A]], [[D]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply neg([[E]]) : f32
// CHECK-NEXT:         loop.store [[F]] to [[B]][d0]([[D]])
// CHECK-NEXT:         [[G:%.+]] = scalar.apply add([[F]], [[F]]) : f32
// CHECK-NEXT:         loop.store [[G]] to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[C]] to %out1[0, d0, 128, 128]([[A]])
// CHECK-NEXT:       loop.stream [[B]] to %out0[0, d0, 128, 128]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @two(%x: tensor<8192x1024xf32>) -> (tensor<8192x1024xf32>, tensor<8192x1024xf32>) {
  %r = opc.neg %x
  %s = opc.add %r, %r
  return %r, %s : tensor<8192x1024xf32>, tensor<8192x1024xf32>
}

// Rows that a sweep before asks for: it writes what the round before has computed, and asks for what
// is read two rounds later.
// CHECK-LABEL: func.func @later(
// CHECK:          loop.for [[A:%.+]] = <0> to <8192> step 64 parallel {
// CHECK:            [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <d0> to <d0 + 64>([[A]]) step 1 serial {
// CHECK:              [[D:%.+]] = loop.local : memref<1024xf32>
// CHECK:              loop.for [[E:%.+]] = <0> to <1024> step 64 serial {
// CHECK:                loop.stream [[B]] to %out0[d0, d0 + d1*1024 - min(1, d1 - d2)*1024, min(1, d1 - d2)*64, 1024]([[E]], [[C]], [[A]])
// CHECK-NEXT:           loop.prefetch %x[d0 + d1*1024 + 2048, 64]([[E]], [[C]])
// CHECK-NOT:            loop.prefetch
// CHECK:              loop.for [[F:%.+]] = <0> to <1024> step 1 serial "The last sweep of this row with the first one of the next." {
// CHECK:                scalar.apply div
// CHECK-NEXT:           loop.store {{%.+}} to [[B]][d0]([[F]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[B]] to %out0[0, d0*1024 + 64512, 1024, 1024]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @later(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %s = opc.reduce_min %x {axes = [1], keepdims = true}
  %u = opc.sub %s, %x
  %e = opc.exp %u
  %t = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %t
  return %r : tensor<8192x1024xf32>
}

// Of unknown extents, one loop for few bytes and short rows, and one for all else.
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <-atleast(N, 17)*floordiv(M + floordiv(1024, N) - 1, floordiv(1024, N)) + floordiv(M + floordiv(1024, N) - 1, floordiv(1024, N))> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1040xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:         loop.store [[E]] to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %b[d0]([[F]]) : f32
// CHECK-NEXT:         loop.store [[G]] to [[C]][d0]([[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <min(floordiv(1024, N), -d0*floordiv(1024, N) + M)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <N> step 16 serial {
// CHECK-NEXT:           loop.for [[J:%.+]] = <0> to <16> step 1 serial {
// CHECK-NEXT:             [[K:%.+]] = loop.load [[C]][d0 + d1]([[I]], [[J]]) : f32
// CHECK-NEXT:             loop.store [[K]] to [[B]][N*d0 + d1 + d2]([[H]], [[I]], [[J]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[L:%.+]] = <0> to <N*min(floordiv(1024, N), -d0*floordiv(1024, N) + M)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[M:%.+]] = loop.load %x[N*d0*floordiv(1024, N) + d1]([[A]], [[L]]) : f32
// CHECK-NEXT:         [[N:%.+]] = loop.load [[B]][d0]([[L]]) : f32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply sub([[M]], [[N]]) : f32
// CHECK-NEXT:         loop.store [[O]] to %out0[N*d0*floordiv(1024, N) + d1]([[A]], [[L]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[P:%.+]] = <0> to <-M*atleast(M*N*8 + N*8, -alone()*14680064 + 33554432)*atleast(N*4, 256)*atleast(N, 17) + M*atleast(N, 17)> step 1 parallel {
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:         [[R:%.+]] = loop.load %x[N*d0 + d1]([[P]], [[Q]]) : f32
// CHECK-NEXT:         [[S:%.+]] = loop.load %b[d0]([[Q]]) : f32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply sub([[R]], [[S]]) : f32
// CHECK-NEXT:         loop.store [[T]] to %out0[N*d0 + d1]([[P]], [[Q]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[U:%.+]] = <0> to <atleast(M*N*8 + N*8, -alone()*14680064 + 33554432)*atleast(N*4, 256)*floordiv(M*atleast(N, 17) + min(16, floordiv(M*atleast(N, 17), 8) + 1) - 1, min(16, floordiv(M*atleast(N, 17), 8) + 1))> step 1 parallel {
// CHECK-NEXT:       [[V:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[W:%.+]] = <d0*min(16, floordiv(M*atleast(N, 17), 8) + 1)> to <min(d0*min(16, floordiv(M*atleast(N, 17), 8) + 1) + min(16, floordiv(M*atleast(N, 17), 8) + 1), M*atleast(N, 17))>([[U]]) step 1 serial {
// CHECK-NEXT:         loop.for [[X:%.+]] = <0> to <-atleast(d0, d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + 1)*mod(-mod(N*d0, 16) + 16, 16) + mod(-mod(N*d0, 16) + 16, 16)>([[W]], [[U]]) step 1 vector {
// CHECK-NEXT:           [[Y:%.+]] = loop.load %x[N*d0 + d1]([[W]], [[X]]) : f32
// CHECK-NEXT:           [[Z:%.+]] = loop.load %b[d0]([[X]]) : f32
// CHECK-NEXT:           [[AA:%.+]] = scalar.apply sub([[Y]], [[Z]]) : f32
// CHECK-NEXT:           loop.store [[AA]] to %out0[N*d0 + d1]([[W]], [[X]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AB:%.+]] = <0> to <atleast(d0, d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + 1)*mod(-mod(N*d0, 16) + 16, 16)>([[W]], [[U]]) step 1 vector {
// CHECK-NEXT:           [[AC:%.+]] = loop.load %x[N*d0 + d1]([[W]], [[AB]]) : f32
// CHECK-NEXT:           [[AD:%.+]] = loop.load %b[d0]([[AB]]) : f32
// CHECK-NEXT:           [[AE:%.+]] = scalar.apply sub([[AC]], [[AD]]) : f32
// CHECK-NEXT:           loop.store [[AE]] to [[V]][d0 + mod(N*d1, 16)]([[AB]], [[W]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream lines [[V]] to %out0[0, N*d0 - mod(N*d0, 16), atleast(d0, d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + 1)*mod(-mod(N*d0, 16) + 16, 16) + atleast(d0, d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + 1)*mod(N*d0, 16), atleast(d0, d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + 1)*mod(-mod(N*d0, 16) + 16, 16) + atleast(d0, d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + 1)*mod(N*d0, 16)]([[W]], [[U]])
// CHECK-NEXT:         loop.for [[AF:%.+]] = <mod(-mod(N*d0, 16) + 16, 16)> to <N - mod(N*d0 + N, 16)>([[W]]) step 128 parallel {
// CHECK-NEXT:           [[AG:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:           loop.for [[AH:%.+]] = <0> to <min(128, -d0 + N - mod(N*d1 + N, 16))>([[AF]], [[W]]) step 1 vector {
// CHECK-NEXT:             [[AI:%.+]] = loop.load %x[N*d0 + d1 + d2]([[W]], [[AF]], [[AH]]) : f32
// CHECK-NEXT:             [[AJ:%.+]] = loop.load %b[d0 + d1]([[AF]], [[AH]]) : f32
// CHECK-NEXT:             [[AK:%.+]] = scalar.apply sub([[AI]], [[AJ]]) : f32
// CHECK-NEXT:             loop.store [[AK]] to [[AG]][d0]([[AH]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.stream lines [[AG]] to %out0[0, N*d0 + d1, min(128, -d1 + N - mod(N*d0 + N, 16)), min(128, -d1 + N - mod(N*d0 + N, 16))]([[W]], [[AF]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AL:%.+]] = <0> to <-atleast(d0 + 1, min(d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + min(16, floordiv(M*atleast(N, 17), 8) + 1), M*atleast(N, 17)))*mod(N*d0 + N, 16) + mod(N*d0 + N, 16)>([[W]], [[U]]) step 1 vector {
// CHECK-NEXT:           [[AM:%.+]] = loop.load %x[N*d0 + d1 + N - mod(N*d0 + N, 16)]([[W]], [[AL]]) : f32
// CHECK-NEXT:           [[AN:%.+]] = loop.load %b[d1 + N - mod(N*d0 + N, 16)]([[W]], [[AL]]) : f32
// CHECK-NEXT:           [[AO:%.+]] = scalar.apply sub([[AM]], [[AN]]) : f32
// CHECK-NEXT:           loop.store [[AO]] to [[V]][d0]([[AL]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[AP:%.+]] = <0> to <atleast(d0 + 1, min(d1*min(16, floordiv(M*atleast(N, 17), 8) + 1) + min(16, floordiv(M*atleast(N, 17), 8) + 1), M*atleast(N, 17)))*mod(N*d0 + N, 16)>([[W]], [[U]]) step 1 vector {
// CHECK-NEXT:           [[AQ:%.+]] = loop.load %x[N*d0 + d1 + N - mod(N*d0 + N, 16)]([[W]], [[AP]]) : f32
// CHECK-NEXT:           [[AR:%.+]] = loop.load %b[d1 + N - mod(N*d0 + N, 16)]([[W]], [[AP]]) : f32
// CHECK-NEXT:           [[AS:%.+]] = scalar.apply sub([[AQ]], [[AR]]) : f32
// CHECK-NEXT:           loop.store [[AS]] to %out0[N*d0 + d1 + N - mod(N*d0 + N, 16)]([[W]], [[AP]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @unknown(%x: tensor<?x?xf32, #opc.dims<M, N>>, %b: tensor<?xf32, #opc.dims<N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.sub %x, %b
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// What a row leaves of a cache line is written with the first points of the next row.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <8192> step 16 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <d0> to <min(d0 + 16, 8192)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <mod(-mod(d0*1025, 16) + 16, 16)>([[C]], [[A]]) step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0*1025 + d1]([[C]], [[D]]) : f32
// CHECK-NEXT:           [[F:%.+]] = loop.load %b[d0]([[D]]) : f32
// CHECK-NEXT:           [[G:%.+]] = scalar.apply sub([[E]], [[F]]) : f32
// CHECK-NEXT:           loop.store [[G]] to [[B]][d0 + mod(d1*1025, 16)]([[D]], [[C]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream lines [[B]] to %out0[0, d0*1025 - mod(d0*1025, 16), mod(-mod(d0*1025, 16) + 16, 16) + mod(d0*1025, 16), mod(-mod(d0*1025, 16) + 16, 16) + mod(d0*1025, 16)]([[C]], [[A]])
// CHECK-NEXT:         loop.for [[H:%.+]] = <mod(-mod(d0*1025, 16) + 16, 16)> to <-mod(d0*1025 + 1, 16) + 1025>([[C]]) step 128 parallel {
// CHECK-NEXT:           [[I:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:           loop.for [[J:%.+]] = <0> to <min(128, -d0 - mod(d1*1025 + 1, 16) + 1025)>([[H]], [[C]]) step 1 vector {
// CHECK-NEXT:             [[K:%.+]] = loop.load %x[d0*1025 + d1 + d2]([[C]], [[H]], [[J]]) : f32
// CHECK-NEXT:             [[L:%.+]] = loop.load %b[d0 + d1]([[H]], [[J]]) : f32
// CHECK-NEXT:             [[M:%.+]] = scalar.apply sub([[K]], [[L]]) : f32
// CHECK-NEXT:             loop.store [[M]] to [[I]][d0]([[J]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.stream lines [[I]] to %out0[0, d0*1025 + d1, min(128, -d1 - mod(d0*1025 + 1, 16) + 1025), min(128, -d1 - mod(d0*1025 + 1, 16) + 1025)]([[C]], [[H]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[N:%.+]] = <0> to <-atleast(d0 + 1, min(d1 + 16, 8192))*mod(d0*1025 + 1, 16) + mod(d0*1025 + 1, 16)>([[C]], [[A]]) step 1 vector {
// CHECK-NEXT:           [[O:%.+]] = loop.load %x[d0*1025 + d1 - mod(d0*1025 + 1, 16) + 1025]([[C]], [[N]]) : f32
// CHECK-NEXT:           [[P:%.+]] = loop.load %b[d1 - mod(d0*1025 + 1, 16) + 1025]([[C]], [[N]]) : f32
// CHECK-NEXT:           [[Q:%.+]] = scalar.apply sub([[O]], [[P]]) : f32
// CHECK-NEXT:           loop.store [[Q]] to [[B]][d0]([[N]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[R:%.+]] = <0> to <atleast(d0 + 1, min(d1 + 16, 8192))*mod(d0*1025 + 1, 16)>([[C]], [[A]]) step 1 vector {
// CHECK-NEXT:           [[S:%.+]] = loop.load %x[d0*1025 + d1 - mod(d0*1025 + 1, 16) + 1025]([[C]], [[R]]) : f32
// CHECK-NEXT:           [[T:%.+]] = loop.load %b[d1 - mod(d0*1025 + 1, 16) + 1025]([[C]], [[R]]) : f32
// CHECK-NEXT:           [[U:%.+]] = scalar.apply sub([[S]], [[T]]) : f32
// CHECK-NEXT:           loop.store [[U]] to %out0[d0*1025 + d1 - mod(d0*1025 + 1, 16) + 1025]([[C]], [[R]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @heads(%x: tensor<8192x1025xf32>, %b: tensor<1025xf32>) -> tensor<8192x1025xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<8192x1025xf32>
}

// What is enough for one thread, but not for several, is there twice.
// CHECK-LABEL: func.func @alone(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <-alone()*4096000 + 4096000> step 1 vector {
// CHECK-NEXT:       [[B:%.+]] = loop.load %x[d0]([[A]]) : f32
// CHECK-NEXT:       [[C:%.+]] = scalar.apply neg([[B]]) : f32
// CHECK-NEXT:       loop.store [[C]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <alone()*4096000> step 128 parallel {
// CHECK-NEXT:       [[E:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0 + d1]([[D]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply neg([[G]]) : f32
// CHECK-NEXT:         loop.store [[H]] to [[E]][d0]([[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[E]] to %out0[0, d0, 128, 128]([[D]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @alone(%x: tensor<4000x1024xf32>) -> tensor<4000x1024xf32> {
  %r = opc.neg %x
  return %r : tensor<4000x1024xf32>
}

// Not what caches may hold for one thread, nor short rows that are no whole number of cache lines,
// nor what takes its time to compute, nor what a sweep before asks for.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: loop.stream
// CHECK-LABEL: func.func @odd(
// CHECK-NOT: loop.stream
// CHECK-LABEL: func.func @costly(
// CHECK-NOT: loop.stream
// CHECK-LABEL: func.func @asked(
// CHECK-NOT: loop.stream
func.func @small(%x: tensor<2000x1024xf32>) -> tensor<2000x1024xf32> {
  %r = opc.neg %x
  return %r : tensor<2000x1024xf32>
}
func.func @odd(%x: tensor<240000x50xf32>, %b: tensor<50xf32>) -> tensor<240000x50xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<240000x50xf32>
}
func.func @costly(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %r = opc.exp %x
  return %r : tensor<8192x1024xf32>
}
func.func @asked(%x: tensor<8192x640xf32>) -> tensor<8192x640xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %v = opc.reduce_sum %q {axes = [1], keepdims = true}
  %r = opc.div %d, %v
  return %r : tensor<8192x640xf32>
}
