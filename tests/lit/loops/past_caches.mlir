// What goes past the caches is written to an array, from there to memory, a block at a time.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,plan-stores,schedule,lower-to-loops,simplify-loops | filecheck %s

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

// What a row leaves of a cache line is written with the first points of the next row.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <8192> step 16 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <d0> to <min(d0 + 16, 8192)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <mod(-mod(d0*1025, 16) + 16, 16)>([[C]]) step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0*1025 + d1]([[C]], [[D]]) : f32
// CHECK-NEXT:           [[F:%.+]] = loop.load %b[d0]([[D]]) : f32
// CHECK-NEXT:           [[G:%.+]] = scalar.apply sub([[E]], [[F]]) : f32
// CHECK-NEXT:           loop.store [[G]] to [[B]][d1 + mod(d0*1025, 16)]([[C]], [[D]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream lines [[B]] to %out0[0, d0*1025 - mod(d0*1025, 16), mod(-mod(d0*1025, 16) + 16, 16) + mod(d0*1025, 16), mod(-mod(d0*1025, 16) + 16, 16) + mod(d0*1025, 16)]([[C]])
// CHECK-NEXT:         loop.for [[H:%.+]] = <mod(-mod(d0*1025, 16) + 16, 16)> to <-mod(d0*1025 + 1, 16) + 1025>([[C]]) step 128 parallel {
// CHECK-NEXT:           [[I:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:           loop.for [[J:%.+]] = <0> to <min(128, -d1 - mod(d0*1025 + 1, 16) + 1025)>([[C]], [[H]]) step 1 vector {
// CHECK-NEXT:             [[K:%.+]] = loop.load %x[d0*1025 + d1 + d2]([[C]], [[H]], [[J]]) : f32
// CHECK-NEXT:             [[L:%.+]] = loop.load %b[d0 + d1]([[H]], [[J]]) : f32
// CHECK-NEXT:             [[M:%.+]] = scalar.apply sub([[K]], [[L]]) : f32
// CHECK-NEXT:             loop.store [[M]] to [[I]][d0]([[J]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.stream lines [[I]] to %out0[0, d0*1025 + d1, min(128, -d1 - mod(d0*1025 + 1, 16) + 1025), min(128, -d1 - mod(d0*1025 + 1, 16) + 1025)]([[C]], [[H]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[N:%.+]] = <0> to <-atleast(d1 + 1, min(d0 + 16, 8192))*mod(d1*1025 + 1, 16) + mod(d1*1025 + 1, 16)>([[A]], [[C]]) step 1 vector {
// CHECK-NEXT:           [[O:%.+]] = loop.load %x[d0*1025 + d1 - mod(d0*1025 + 1, 16) + 1025]([[C]], [[N]]) : f32
// CHECK-NEXT:           [[P:%.+]] = loop.load %b[d1 - mod(d0*1025 + 1, 16) + 1025]([[C]], [[N]]) : f32
// CHECK-NEXT:           [[Q:%.+]] = scalar.apply sub([[O]], [[P]]) : f32
// CHECK-NEXT:           loop.store [[Q]] to [[B]][d0]([[N]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[R:%.+]] = <0> to <atleast(d1 + 1, min(d0 + 16, 8192))*mod(d1*1025 + 1, 16)>([[A]], [[C]]) step 1 vector {
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
