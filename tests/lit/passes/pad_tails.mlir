// What a row leaves over after full vectors is computed as one more vector.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,fission,pad-tails,simplify-loops | filecheck %s

// A row of a group, on its way into a strip.
// CHECK-LABEL: func.func @columns(
// CHECK:         [[STRIP:%.+]] = loop.local : memref<8192xf32>
// CHECK-NEXT:    loop.for [[ROW:%.+]] = <0> to <8> step 1 serial {
// CHECK-NEXT:      loop.for [[C:%.+]] = <0> to <floordiv(min(1024, -d0 + N), 16)*16>([[A:%.+]]) step 1 vector {
// CHECK-NEXT:        [[D:%.+]] = loop.load %x[N*d1 + N*d2 + d0 + d3]([[A]], [[B:%.+]], [[ROW]], [[C]]) : f32
// CHECK-NEXT:        [[E:%.+]] = scalar.apply exp([[D]]) : f32
// CHECK-NEXT:        loop.store [[E]] to [[STRIP]][d0*1024 + d1]([[ROW]], [[C]])
// CHECK-NEXT:      }
// CHECK-NEXT:      loop.if <atleast(mod(min(1024, -d0 + N), 16), 1)>([[A]]) {
// CHECK-NEXT:        [[J:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:        loop.widen %x[N*d1 + N*d2 + d0 + floordiv(min(1024, -d0 + N), 16)*16, mod(min(1024, -d0 + N), 16)]([[A]], [[B]], [[ROW]]) to [[J]]
// CHECK-NEXT:        [[K:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:        loop.for [[L:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:          [[M:%.+]] = loop.load [[J]][d0]([[L]]) : f32
// CHECK-NEXT:          [[N:%.+]] = scalar.apply exp([[M]]) : f32
// CHECK-NEXT:          loop.store [[N]] to [[K]][d0]([[L]])
// CHECK-NEXT:        }
// CHECK-NEXT:        loop.narrow [[K]] to [[STRIP]][d0*1024 + floordiv(min(1024, -d1 + N), 16)*16, mod(min(1024, -d1 + N), 16)]([[ROW]], [[A]])
// CHECK-NEXT:      }
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
// CHECK:         loop.local : memref<8192xf32>
// CHECK:         [[ROW:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:    loop.for [[I:%.+]] = <0> to <floordiv({{.*}}, 16)*16>
// CHECK:           loop.store {{%.+}} to [[ROW]][d0]([[I]])
// CHECK:         loop.widen %x
// CHECK:           loop.store {{%.+}} to [[ROW]][{{d.}} + floordiv({{.*}}, 16)*16](
// CHECK-NOT:     loop.widen [[ROW]][
// CHECK-NOT:     loop.narrow {{%.+}} to [[ROW]][
// CHECK:         func.return
func.func @chain(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %e = opc.exp %x
  %t = opc.tanh %e
  %r = opc.reduce_sum %t {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// A row of known extent that leaves over few values.
// CHECK-LABEL: func.func @known(
// CHECK:         loop.for {{%.+}} = <0> to <32> step 1 vector {
// CHECK:         loop.widen %x[d0*35 + 32, 3]({{%.+}}) to [[A:%.+]]
// CHECK:         loop.for [[I:%.+]] = <0> to <16> step 1 vector {
// CHECK-NEXT:      [[X:%.+]] = loop.load [[A]][d0]([[I]]) : f32
// CHECK-NEXT:      scalar.apply exp([[X]]) : f32
// CHECK:           loop.store {{%.+}} to {{%.+}}[d0 + 32]([[I]])
func.func @known(%x: tensor<1000x35xf32>) -> tensor<1000xf32> {
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [1]}
  return %s : tensor<1000xf32>
}

// What is left of a run is taken from a strip as vectors: narrower stores would have to be waited for.
// CHECK-LABEL: func.func @strip(
// CHECK:         [[S:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:    loop.for {{%.+}} = <0> to <32> step 1 vector {
// CHECK:         loop.widen %x[d0*35 + 32, 3]({{%.+}}) to [[A:%.+]]
// CHECK:         loop.for [[I:%.+]] = <0> to <16> step 1 vector {
// CHECK:           loop.store {{%.+}} to [[S]][d0 + 32]([[I]])
// CHECK:         loop.group sum [[S]][0, 35] to
func.func @strip(%x: tensor<1000x35xf32>) -> tensor<1000xf32> {
  %e = opc.mul %x, %x
  %s = opc.reduce_sum %e {axes = [1]}
  return %s : tensor<1000xf32>
}
