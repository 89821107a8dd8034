// What memory bounds is written past the caches, a block at a time.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,narrow-domains,plan-buffers,lower-to-loops,simplify-loops,prefetch-writes,rotate-loops,stream-writes | filecheck %s

// Rows one by one.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <9000> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <1024> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0*1024 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[E:%.+]] = loop.load %b[d0]([[C]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply sub([[D]], [[E]]) : f32
// CHECK-NEXT:         loop.store [[F]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[B]] to %out0[0, d0*1024, 1024, 1024]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @rows(%x: tensor<9000x1024xf32>, %b: tensor<1024xf32>) -> tensor<9000x1024xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<9000x1024xf32>
}

// The last block is shorter.
// CHECK-LABEL: func.func @flat(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <9000001> step 1024 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(1024, -d0 + 9000001)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[E:%.+]] = scalar.apply neg([[D]]) : f32
// CHECK-NEXT:         loop.store [[E]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[B]] to %out0[0, d0, min(1024, -d0 + 9000001), min(1024, -d0 + 9000001)]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @flat(%x: tensor<9000001xf32>) -> tensor<9000001xf32> {
  %r = opc.neg %x
  return %r : tensor<9000001xf32>
}

// Two results of one loop.
// CHECK-LABEL: func.func @two(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <8388608> step 1024 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <1024> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0 + d1]([[A]], [[D]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply neg([[E]]) : f32
// CHECK-NEXT:         loop.store [[F]] to [[B]][d0]([[D]])
// CHECK-NEXT:         [[G:%.+]] = scalar.apply add([[F]], [[F]]) : f32
// CHECK-NEXT:         loop.store [[G]] to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[C]] to %out1[0, d0, 1024, 1024]([[A]])
// CHECK-NEXT:       loop.stream [[B]] to %out0[0, d0, 1024, 1024]([[A]])
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
// CHECK-NEXT:     loop.for [[P:%.+]] = <0> to <-M*atleast(M*N*8 + N*4, 33554432)*atleast(N*4, 2048)*atleast(N, 17) + M*atleast(N, 17)> step 1 parallel {
// CHECK-NEXT:       loop.for [[Q:%.+]] = <0> to <N> step 1 vector {
// CHECK-NEXT:         [[R:%.+]] = loop.load %x[N*d0 + d1]([[P]], [[Q]]) : f32
// CHECK-NEXT:         [[S:%.+]] = loop.load %b[d0]([[Q]]) : f32
// CHECK-NEXT:         [[T:%.+]] = scalar.apply sub([[R]], [[S]]) : f32
// CHECK-NEXT:         loop.store [[T]] to %out0[N*d0 + d1]([[P]], [[Q]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[U:%.+]] = <0> to <M*atleast(M*N*8 + N*4, 33554432)*atleast(N*4, 2048)*atleast(N, 17)> step 1 parallel {
// CHECK-NEXT:       loop.for [[V:%.+]] = <0> to <N> step 1024 parallel {
// CHECK-NEXT:         [[W:%.+]] = loop.local : memref<1024xf32>
// CHECK-NEXT:         loop.for [[X:%.+]] = <0> to <min(1024, -d0 + N)>([[V]]) step 1 vector {
// CHECK-NEXT:           [[Y:%.+]] = loop.load %x[N*d0 + d1 + d2]([[U]], [[V]], [[X]]) : f32
// CHECK-NEXT:           [[Z:%.+]] = loop.load %b[d0 + d1]([[V]], [[X]]) : f32
// CHECK-NEXT:           [[AA:%.+]] = scalar.apply sub([[Y]], [[Z]]) : f32
// CHECK-NEXT:           loop.store [[AA]] to [[W]][d0]([[X]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream [[W]] to %out0[0, N*d0 + d1, min(1024, -d1 + N), min(1024, -d1 + N)]([[U]], [[V]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @unknown(%x: tensor<?x?xf32, #opc.dims<M, N>>, %b: tensor<?xf32, #opc.dims<N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.sub %x, %b
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// Not what caches may hold, nor rows that are no whole number of cache lines, nor long ones,
// nor what takes its time to compute, nor what a sweep before asks for.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: loop.stream
// CHECK-LABEL: func.func @odd(
// CHECK-NOT: loop.stream
// CHECK-LABEL: func.func @long(
// CHECK-NOT: loop.stream
// CHECK-LABEL: func.func @costly(
// CHECK-NOT: loop.stream
// CHECK-LABEL: func.func @asked(
// CHECK-NOT: loop.stream
func.func @small(%x: tensor<4000x1024xf32>) -> tensor<4000x1024xf32> {
  %r = opc.neg %x
  return %r : tensor<4000x1024xf32>
}
func.func @odd(%x: tensor<8192x1025xf32>, %b: tensor<1025xf32>) -> tensor<8192x1025xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<8192x1025xf32>
}
func.func @long(%x: tensor<8192x1040xf32>, %b: tensor<1040xf32>) -> tensor<8192x1040xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<8192x1040xf32>
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
