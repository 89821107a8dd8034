// What a row of unknown extent leaves over after full vectors is computed as one more vector.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,cut-chains,fill-vectors,simplify-loops | filecheck %s

// What is the same for a row is read where it was.
// CHECK-LABEL: func.func @columns(
// CHECK:                  loop.prefetch %x[N*d1 + d0 + N, min(1024, -d0 + N)]([[A:%.+]], [[B:%.+]])
// CHECK-NEXT:             loop.for [[C:%.+]] = <0> to <floordiv(min(1024, -d0 + N), 16)*16>([[A]]) step 1 vector {
// CHECK-NEXT:               [[D:%.+]] = loop.load %x[N*d1 + d0 + d2]([[A]], [[B]], [[C]]) : f32
// CHECK-NEXT:               [[E:%.+]] = scalar.apply exp([[D]]) : f32
// CHECK-NEXT:               [[F:%.+]] = loop.load [[G:%.+]][d0]([[C]]) : f32
// CHECK-NEXT:               [[H:%.+]] = scalar.apply add([[F]], [[E]]) : f32
// CHECK-NEXT:               loop.store [[H]] to [[G]][d0]([[C]])
// CHECK-NEXT:             }
// CHECK-NEXT:             loop.for [[I:%.+]] = <0> to <min(mod(min(1024, -d0 + N), 16), 1)>([[A]]) step 1 serial {
// CHECK-NEXT:               [[J:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:               loop.widen %x[N*d1 + d0 + floordiv(min(1024, -d0 + N), 16)*16, mod(min(1024, -d0 + N), 16)]([[A]], [[B]]) to [[J]]
// CHECK-NEXT:               [[K:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:               loop.widen [[G]][floordiv(min(1024, -d0 + N), 16)*16, mod(min(1024, -d0 + N), 16)]([[A]]) to [[K]]
// CHECK-NEXT:               loop.for [[L:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:                 [[M:%.+]] = loop.load [[J]][d0]([[L]]) : f32
// CHECK-NEXT:                 [[N:%.+]] = scalar.apply exp([[M]]) : f32
// CHECK-NEXT:                 [[O:%.+]] = loop.load [[K]][d0]([[L]]) : f32
// CHECK-NEXT:                 [[P:%.+]] = scalar.apply add([[O]], [[N]]) : f32
// CHECK-NEXT:                 loop.store [[P]] to [[K]][d0]([[L]])
// CHECK-NEXT:               }
// CHECK-NEXT:               loop.narrow [[K]] to [[G]][floordiv(min(1024, -d0 + N), 16)*16, mod(min(1024, -d0 + N), 16)]([[A]])
// CHECK-NEXT:             }
func.func @columns(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %e = opc.exp %x
  %r = opc.reduce_sum %e {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Simple operations are left to the C compiler, and so is a single row.
// CHECK-LABEL: func.func @simple(
// CHECK-NOT:     loop.widen
// CHECK:         func.return
func.func @simple(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %e = opc.abs %x
  %r = opc.reduce_sum %e {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// CHECK-LABEL: func.func @one_row(
// CHECK-NOT:     loop.widen
// CHECK:         func.return
func.func @one_row(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xf32, #opc.dims<N>> {
  %e = opc.exp %x
  return %e : tensor<?xf32, #opc.dims<N>>
}

// The array between two functions has room for full vectors, and needs no copies.
// CHECK-LABEL: func.func @chain(
// CHECK:         [[ROW:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:    loop.for [[I:%.+]] = <0> to <floordiv({{.*}}, 16)*16>
// CHECK:           loop.store {{%.+}} to [[ROW]][d0]([[I]])
// CHECK:         loop.widen %x
// CHECK:           loop.store {{%.+}} to [[ROW]][{{d.}} + floordiv({{.*}}, 16)*16](
// CHECK-NOT:     loop.widen [[ROW]]
// CHECK-NOT:     loop.narrow {{%.+}} to [[ROW]]
// CHECK:         func.return
func.func @chain(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %e = opc.exp %x
  %t = opc.tanh %e
  %r = opc.reduce_sum %t {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}
