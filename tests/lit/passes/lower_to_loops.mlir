// Every nest becomes loops over buffers, with row-major offsets; tests/lit/loops has reductions.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,schedule,lower-to-loops | filecheck %s

// Dimensions that memory does not tell apart are one loop.
// CHECK-LABEL: func.func @collapsed(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <24> step 1 vector {
// CHECK-NEXT:     [[B:%.+]] = loop.load %x[d0]([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply neg([[B]]) : f32
// CHECK-NEXT:     loop.store [[C]] to %out0[d0]([[A]])
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @collapsed(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = opc.apply neg(%x) : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @collapsed_symbolic(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <M*N> step 1 vector {
// CHECK-NEXT:     [[B:%.+]] = loop.load %x[d0]([[A]]) : f32
// CHECK-NEXT:     [[C:%.+]] = scalar.apply exp([[B]]) : f32
// CHECK-NEXT:     loop.store [[C]] to %out0[d0]([[A]])
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @collapsed_symbolic(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %r = opc.apply exp(%x) : tensor<?x?xf32, #opc.dims<M, N>> -> tensor<?x?xf32, #opc.dims<M, N>>
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// The outermost of several loops can be shared by threads, the innermost is for vectors.
// CHECK-LABEL: func.func @transpose(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <8> step 1 parallel {
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = loop.load %x[d0 + d1*8]([[A]], [[B]]) : f32
// CHECK-NEXT:       loop.store [[C]] to %out0[d0*4 + d1]([[A]], [[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @transpose(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %r = opc.transpose %x {permutation = [1, 0]}
  return %r : tensor<8x4xf32>
}

// Broadcast over the middle axis: the two others do not touch.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0*4 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         loop.store [[D]] to %out0[d0*12 + d1*4 + d2]([[A]], [[B]], [[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @broadcast(%x: tensor<2x1x4xf32>) -> tensor<2x3x4xf32> {
  %r = opc.broadcast %x -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// Over the first axes they do.
// CHECK-LABEL: func.func @broadcast_outer(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <6> step 1 parallel {
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = loop.load %x[d0]([[B]]) : f32
// CHECK-NEXT:       loop.store [[C]] to %out0[d0*4 + d1]([[A]], [[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @broadcast_outer(%x: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %r = opc.broadcast %x -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT:   [[A:%.+]] = loop.load %x[0] : f32
// CHECK-NEXT:   [[B:%.+]] = scalar.apply neg([[A]]) : f32
// CHECK-NEXT:   loop.store [[B]] to %out0[0]
// CHECK-NEXT:   func.return
func.func @scalar(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = opc.apply neg(%x) : tensor<1x1xf32> -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// Reading across the rows goes through a tile.
// CHECK-LABEL: func.func @tiled(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <3> step 1 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <100> step 64 serial {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<4096xf32>
// CHECK-NEXT:         loop.transpose %x to [[C]][d0*6400 + d1*64, 64, 0, 64, -d1 + min(d1 + 64, 100), 64]([[A]], [[B]])
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <64> step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <d0> to <min(d0 + 64, 100)>([[B]]) step 1 vector {
// CHECK-NEXT:             [[F:%.+]] = loop.load [[C]][-d0 + d1*64 + d2]([[B]], [[D]], [[E]]) : f32
// CHECK-NEXT:             loop.store [[F]] to %out0[d0*6400 + d1*100 + d2]([[A]], [[D]], [[E]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @tiled(%x: tensor<3x100x64xf32>) -> tensor<3x64x100xf32> {
  %r = opc.transpose %x {permutation = [0, 2, 1]}
  return %r : tensor<3x64x100xf32>
}

// Of more than caches hold, each line of a block asks for one of the next, whose rows are down here.
// What is left over after full lines asks for none.
// CHECK-LABEL: func.func @tiles_ahead(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1024> step 128 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <1500> step 96 serial {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<12288xf32>
// CHECK-NEXT:         loop.transpose %x to [[C]][d0 + d1*1024, 1024, 0, 96, -d1 + min(d1 + 96, 1500), 128]([[A]], [[B]])
// CHECK-NEXT:         loop.for [[D:%.+]] = <d0> to <d0 + 128>([[A]]) step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <d0> to <min(d0 + 96, 1488)>([[B]]) step 16 serial {
// CHECK-NEXT:             loop.prefetch %x[d0 + d2*1024 + floordiv(-d0 + d1, 8)*1024 + mod(-d0 + d1, 8)*16 + 98304, 16]([[A]], [[D]], [[E]])
// CHECK-NEXT:             loop.for [[F:%.+]] = <d0> to <d0 + 16>([[E]]) step 1 vector {
// CHECK-NEXT:               [[G:%.+]] = loop.load [[C]][-d0*96 - d1 + d2*96 + d3]([[A]], [[B]], [[D]], [[F]]) : f32
// CHECK-NEXT:               loop.store [[G]] to %out0[d0*1500 + d1]([[D]], [[F]])
// CHECK-NEXT:             }
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[H:%.+]] = <min(d0 + 96, 1488)> to <min(d0 + 96, 1500)>([[B]]) step 1 vector {
// CHECK-NEXT:             [[I:%.+]] = loop.load [[C]][-d0*96 - d1 + d2*96 + d3]([[A]], [[B]], [[D]], [[H]]) : f32
// CHECK-NEXT:             loop.store [[I]] to %out0[d0*1500 + d1]([[D]], [[H]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @tiles_ahead(%x: tensor<1500x1024xf32>) -> tensor<1024x1500xf32> {
  %r = opc.transpose %x {permutation = [1, 0]}
  return %r : tensor<1024x1500xf32>
}

// Unknown extents are taken for long ones.
// CHECK-LABEL: func.func @tiles_symbolic(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <M> step 64 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <N> step 48 serial {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<3072xf64>
// CHECK-NEXT:         loop.transpose %x to [[C]][M*d1 + d0, M, 0, 48, -d1 + min(d1 + 48, N), -d0 + min(d0 + 64, M)]([[A]], [[B]])
// CHECK-NEXT:         loop.for [[D:%.+]] = <d0> to <min(d0 + 64, M)>([[A]]) step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <d0> to <min(d0 + 48, floordiv(N, 8)*8)>([[B]]) step 8 serial {
// CHECK-NEXT:             loop.prefetch %x[M*d2 + M*floordiv(-d0 + d1, 8) + d0 + M*48 + mod(-d0 + d1, 8)*8, 8]([[A]], [[D]], [[E]])
// CHECK-NEXT:             loop.for [[F:%.+]] = <d0> to <d0 + 8>([[E]]) step 1 vector {
// CHECK-NEXT:               [[G:%.+]] = loop.load [[C]][-d0*48 - d1 + d2*48 + d3]([[A]], [[B]], [[D]], [[F]]) : f64
// CHECK-NEXT:               loop.store [[G]] to %out0[N*d0 + d1]([[D]], [[F]])
// CHECK-NEXT:             }
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.for [[H:%.+]] = <min(d0 + 48, floordiv(N, 8)*8)> to <min(d0 + 48, N)>([[B]]) step 1 vector {
// CHECK-NEXT:             [[I:%.+]] = loop.load [[C]][-d0*48 - d1 + d2*48 + d3]([[A]], [[B]], [[D]], [[H]]) : f64
// CHECK-NEXT:             loop.store [[I]] to %out0[N*d0 + d1]([[D]], [[H]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @tiles_symbolic(%x: tensor<?x?xf64, #opc.dims<N, M>>) -> tensor<?x?xf64, #opc.dims<M, N>> {
  %r = opc.transpose %x {permutation = [1, 0]}
  return %r : tensor<?x?xf64, #opc.dims<M, N>>
}
