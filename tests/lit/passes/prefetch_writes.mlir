// The sweep before the one that writes a row asks for the memory.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,narrow-domains,plan-buffers,lower-to-loops,simplify-loops,prefetch-writes,simplify-loops | filecheck %s

// The first sweep waits for memory itself, the second one asks.
// CHECK-LABEL: func.func @variance(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <100> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <640> step 64 serial {
// CHECK-NEXT:         loop.prefetch %x[d0*640 + d1 + 1024, 64]([[A]], [[D]])
// CHECK-NEXT:         loop.accumulate sum %x[d0*640 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.fill [[C]] to [[F]]
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <640> step 64 serial {
// CHECK-NEXT:         [[H:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0*640 + d1 + d2]([[A]], [[G]], [[I]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply sub([[J]], [[E]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply mul([[K]], [[K]]) : f32
// CHECK-NEXT:           loop.store [[L]] to [[H]][d0]([[I]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum [[H]][0] to [[F]]
// CHECK-NEXT:         loop.prefetch write %out0[d0 + d1*640, 64]([[G]], [[A]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[M:%.+]] = loop.combine sum [[F]] : f32
// CHECK-NEXT:       loop.for [[N:%.+]] = <0> to <640> step 1 vector {
// CHECK-NEXT:         [[O:%.+]] = loop.load %x[d0*640 + d1]([[A]], [[N]]) : f32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply sub([[O]], [[E]]) : f32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply div([[P]], [[M]]) : f32
// CHECK-NEXT:         loop.store [[Q]] to %out0[d0*640 + d1]([[A]], [[N]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @variance(%x: tensor<100x640xf32>) -> tensor<100x640xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %s = opc.reduce_sum %q {axes = [1], keepdims = true}
  %r = opc.div %d, %s
  func.return %r : tensor<100x640xf32>
}

// The first-level cache holds the result.
// CHECK-LABEL: func.func @small(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <8> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.fill [[C]] to [[B]]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <640> step 64 serial {
// CHECK-NEXT:         loop.accumulate sum %x[d0*640 + d1]([[A]], [[D]]) to [[B]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[E:%.+]] = loop.combine sum [[B]] : f32
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.fill [[C]] to [[F]]
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <640> step 64 serial {
// CHECK-NEXT:         [[H:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0*640 + d1 + d2]([[A]], [[G]], [[I]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply sub([[J]], [[E]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply mul([[K]], [[K]]) : f32
// CHECK-NEXT:           loop.store [[L]] to [[H]][d0]([[I]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.accumulate sum [[H]][0] to [[F]]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[M:%.+]] = loop.combine sum [[F]] : f32
// CHECK-NEXT:       loop.for [[N:%.+]] = <0> to <640> step 1 vector {
// CHECK-NEXT:         [[O:%.+]] = loop.load %x[d0*640 + d1]([[A]], [[N]]) : f32
// CHECK-NEXT:         [[P:%.+]] = scalar.apply sub([[O]], [[E]]) : f32
// CHECK-NEXT:         [[Q:%.+]] = scalar.apply div([[P]], [[M]]) : f32
// CHECK-NEXT:         loop.store [[Q]] to %out0[d0*640 + d1]([[A]], [[N]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @small(%x: tensor<8x640xf32>) -> tensor<8x640xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %s = opc.reduce_sum %q {axes = [1], keepdims = true}
  %r = opc.div %d, %s
  func.return %r : tensor<8x640xf32>
}

// The second sweep keeps its values where the last one divides them.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:     loop.prefetch write
func.func @unknown(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  func.return %r : tensor<?x?xf32, #opc.dims<M, N>>
}
