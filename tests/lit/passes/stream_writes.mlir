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
// CHECK-NEXT:     loop.for [[P:%.+]] = <0> to <-M*atleast(M*N*8 + N*8, -alone()*14680064 + 33554432)*atleast(N*4, 2752)*atleast(N, 17) + M*atleast(N, 17)> step 1 parallel {
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:         [[R:%.+]] = loop.load %x[N*d0 + d1]([[P]], [[Q]]) : f32
// CHECK-NEXT:         [[S:%.+]] = loop.load %b[d0]([[Q]]) : f32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply sub([[R]], [[S]]) : f32
// CHECK-NEXT:         loop.store [[T]] to %out0[N*d0 + d1]([[P]], [[Q]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[U:%.+]] = <0> to <M*atleast(M*N*8 + N*8, -alone()*14680064 + 33554432)*atleast(N*4, 2752)*atleast(N, 17)> step 1 parallel {
// CHECK-NEXT:       loop.for [[V:%.+]] = <0> to <-mod(N*d0, 16) + 16>([[U]]) step 1 vector {
// CHECK-NEXT:         [[W:%.+]] = loop.load %x[N*d0 + d1]([[U]], [[V]]) : f32
// CHECK-NEXT:         [[X:%.+]] = loop.load %b[d0]([[V]]) : f32
// CHECK-NEXT:         [[Y:%.+]] = scalar.apply sub([[W]], [[X]]) : f32
// CHECK-NEXT:         loop.store [[Y]] to %out0[N*d0 + d1]([[U]], [[V]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[Z:%.+]] = <-mod(N*d0, 16) + 16> to <N>([[U]]) step 128 parallel {
// CHECK-NEXT:         [[AA:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:         loop.for [[AB:%.+]] = <0> to <min(128, -d0 + N)>([[Z]]) step 1 vector {
// CHECK-NEXT:           [[AC:%.+]] = loop.load %x[N*d0 + d1 + d2]([[U]], [[Z]], [[AB]]) : f32
// CHECK-NEXT:           [[AD:%.+]] = loop.load %b[d0 + d1]([[Z]], [[AB]]) : f32
// CHECK-NEXT:           [[AE:%.+]] = scalar.apply sub([[AC]], [[AD]]) : f32
// CHECK-NEXT:           loop.store [[AE]] to [[AA]][d0]([[AB]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream [[AA]] to %out0[0, N*d0 + d1, min(128, -d1 + N), min(128, -d1 + N)]([[U]], [[Z]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @unknown(%x: tensor<?x?xf32, #opc.dims<M, N>>, %b: tensor<?xf32, #opc.dims<N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.sub %x, %b
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// Points before the first whole cache line of a row are written as they are.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <8192> step 1 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <-mod(d0*1025, 16) + 16>([[A]]) step 1 vector {
// CHECK-NEXT:         [[C:%.+]] = loop.load %x[d0*1025 + d1]([[A]], [[B]]) : f32
// CHECK-NEXT:         [[D:%.+]] = loop.load %b[d0]([[B]]) : f32
// CHECK-NEXT:         [[E:%.+]] = scalar.apply sub([[C]], [[D]]) : f32
// CHECK-NEXT:         loop.store [[E]] to %out0[d0*1025 + d1]([[A]], [[B]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[F:%.+]] = <-mod(d0*1025, 16) + 16> to <1025>([[A]]) step 128 parallel {
// CHECK-NEXT:         [[G:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:         loop.for [[H:%.+]] = <0> to <min(128, -d0 + 1025)>([[F]]) step 1 vector {
// CHECK-NEXT:           [[I:%.+]] = loop.load %x[d0*1025 + d1 + d2]([[A]], [[F]], [[H]]) : f32
// CHECK-NEXT:           [[J:%.+]] = loop.load %b[d0 + d1]([[F]], [[H]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply sub([[I]], [[J]]) : f32
// CHECK-NEXT:           loop.store [[K]] to [[G]][d0]([[H]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream [[G]] to %out0[0, d0*1025 + d1, min(128, -d1 + 1025), min(128, -d1 + 1025)]([[A]], [[F]])
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
func.func @odd(%x: tensor<32768x333xf32>, %b: tensor<333xf32>) -> tensor<32768x333xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<32768x333xf32>
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
