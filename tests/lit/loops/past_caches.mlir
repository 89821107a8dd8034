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
// CHECK-NEXT:       [[C:%.+]] = loop.misaligned %out0
// CHECK-NEXT:       loop.for [[D:%.+]] = <d0> to <min(d0 + 16, 8192)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.if <atleast(d1, d0 + 1)>([[A]], [[D]]) {
// CHECK-NEXT:           loop.for [[E:%.+]] = <0> to <mod(-mod(d0 + d1*1025, 16) + 16, 16)>([[C]], [[D]]) step 1 vector {
// CHECK-NEXT:             [[F:%.+]] = loop.load %x[d0*1025 + d1]([[D]], [[E]]) : f32
// CHECK-NEXT:             [[G:%.+]] = loop.load %b[d0]([[E]]) : f32
// CHECK-NEXT:             [[H:%.+]] = scalar.apply sub([[F]], [[G]]) : f32
// CHECK-NEXT:             loop.store [[H]] to [[B]][d2 + mod(d0 + d1*1025, 16)]([[C]], [[D]], [[E]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.stream [[B]] to %out0[0, d1*1025 - mod(d0 + d1*1025, 16), atleast(mod(d0 + d1*1025, 16), 1)*16, atleast(mod(d0 + d1*1025, 16), 1)*16]([[C]], [[D]])
// CHECK-NEXT:         } else {
// CHECK-NEXT:           loop.for [[I:%.+]] = <0> to <mod(-mod(d0 + d1*1025, 16) + 16, 16)>([[C]], [[D]]) step 1 vector {
// CHECK-NEXT:             [[J:%.+]] = loop.load %x[d0*1025 + d1]([[D]], [[I]]) : f32
// CHECK-NEXT:             [[K:%.+]] = loop.load %b[d0]([[I]]) : f32
// CHECK-NEXT:             [[L:%.+]] = scalar.apply sub([[J]], [[K]]) : f32
// CHECK-NEXT:             loop.store [[L]] to %out0[d0*1025 + d1]([[D]], [[I]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[M:%.+]] = <mod(-mod(d0 + d1*1025, 16) + 16, 16)> to <-mod(d0 + d1*1025 + 1, 16) + 1025>([[C]], [[D]]) step 128 parallel {
// CHECK-NEXT:           [[N:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:           loop.for [[O:%.+]] = <0> to <min(128, -d2 - mod(d0 + d1*1025 + 1, 16) + 1025)>([[C]], [[D]], [[M]]) step 1 vector {
// CHECK-NEXT:             [[P:%.+]] = loop.load %x[d0*1025 + d1 + d2]([[D]], [[M]], [[O]]) : f32
// CHECK-NEXT:             [[Q:%.+]] = loop.load %b[d0 + d1]([[M]], [[O]]) : f32
// CHECK-NEXT:             [[R:%.+]] = scalar.apply sub([[P]], [[Q]]) : f32
// CHECK-NEXT:             loop.store [[R]] to [[N]][d0]([[O]])
// CHECK-NEXT:           }
// CHECK-NEXT:           loop.stream [[N]] to %out0[0, d1*1025 + d2, min(128, -d2 - mod(d0 + d1*1025 + 1, 16) + 1025), min(128, -d2 - mod(d0 + d1*1025 + 1, 16) + 1025)]([[C]], [[D]], [[M]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.if <atleast(d1 + 1, min(d0 + 16, 8192))>([[A]], [[D]]) {
// CHECK-NEXT:           loop.for [[S:%.+]] = <0> to <mod(d0 + d1*1025 + 1, 16)>([[C]], [[D]]) step 1 vector {
// CHECK-NEXT:             [[T:%.+]] = loop.load %x[d1*1025 + d2 - mod(d0 + d1*1025 + 1, 16) + 1025]([[C]], [[D]], [[S]]) : f32
// CHECK-NEXT:             [[U:%.+]] = loop.load %b[d2 - mod(d0 + d1*1025 + 1, 16) + 1025]([[C]], [[D]], [[S]]) : f32
// CHECK-NEXT:             [[V:%.+]] = scalar.apply sub([[T]], [[U]]) : f32
// CHECK-NEXT:             loop.store [[V]] to %out0[d1*1025 + d2 - mod(d0 + d1*1025 + 1, 16) + 1025]([[C]], [[D]], [[S]])
// CHECK-NEXT:           }
// CHECK-NEXT:         } else {
// CHECK-NEXT:           loop.for [[W:%.+]] = <0> to <mod(d0 + d1*1025 + 1, 16)>([[C]], [[D]]) step 1 vector {
// CHECK-NEXT:             [[X:%.+]] = loop.load %x[d1*1025 + d2 - mod(d0 + d1*1025 + 1, 16) + 1025]([[C]], [[D]], [[W]]) : f32
// CHECK-NEXT:             [[Y:%.+]] = loop.load %b[d2 - mod(d0 + d1*1025 + 1, 16) + 1025]([[C]], [[D]], [[W]]) : f32
// CHECK-NEXT:             [[Z:%.+]] = scalar.apply sub([[X]], [[Y]]) : f32
// CHECK-NEXT:             loop.store [[Z]] to [[B]][d0]([[W]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @heads(%x: tensor<8192x1025xf32>, %b: tensor<1025xf32>) -> tensor<8192x1025xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<8192x1025xf32>
}

// So it is with short rows of whole lines: the result may begin within a line.
// CHECK-LABEL: func.func @short(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <65536> step 16 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<16xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.misaligned %out0
// CHECK:              loop.stream [[B]] to %out0[0, d1*128 - mod(d0, 16), atleast(mod(d0, 16), 1)*16, atleast(mod(d0, 16), 1)*16]([[C]], {{%.+}})
// CHECK:              loop.for {{%.+}} = <mod(-mod(d0, 16) + 16, 16)> to <-mod(d0, 16) + 128>([[C]]) step 128 parallel {
func.func @short(%x: tensor<65536x128xf32>, %b: tensor<128xf32>) -> tensor<65536x128xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<65536x128xf32>
}

// Pieces of long rows are as long as each other if possible, and no shorter than a burst.
// CHECK-LABEL: func.func @pieces(
// CHECK:              loop.for {{%.+}} = <0> to <3136> step 224 parallel {
func.func @pieces(%x: tensor<3000x3136xf32>, %b: tensor<3136xf32>) -> tensor<3000x3136xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<3000x3136xf32>
}

// What is enough for one thread, but not for several, is there twice.
// CHECK-LABEL: func.func @alone(
// CHECK-NEXT:     loop.if <alone()> {
// CHECK-NEXT:       loop.for [[A:%.+]] = <0> to <4096000> step 128 parallel {
// CHECK-NEXT:         [[B:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:         loop.for [[C:%.+]] = <0> to <128> step 1 vector {
// CHECK-NEXT:           [[D:%.+]] = loop.load %x[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:           [[E:%.+]] = scalar.apply neg([[D]]) : f32
// CHECK-NEXT:           loop.store [[E]] to [[B]][d0]([[C]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.stream [[B]] to %out0[0, d0, 128, 128]([[A]])
// CHECK-NEXT:       }
// CHECK-NEXT:     } else {
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <4096000> step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0]([[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply neg([[G]]) : f32
// CHECK-NEXT:         loop.store [[H]] to %out0[d0]([[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @alone(%x: tensor<4000x1024xf32>) -> tensor<4000x1024xf32> {
  %r = opc.neg %x
  return %r : tensor<4000x1024xf32>
}
