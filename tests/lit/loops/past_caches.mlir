// What goes past the caches is written to an array, from there to memory, a block at a time.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Rows one by one: what lies ahead of a cache line of the result goes through the caches.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <9000> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.ahead %out0[d0*1024]([[A]]) : index
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(d0, 1024)>([[B]]) step 1 serial {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0*1024 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[E:%.+]] = loop.load %b[d0]([[C]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply sub([[D]], [[E]]) : f32
// CHECK-NEXT:         loop.store [[F]] to %out0[d0*1024 + d1]([[A]], [[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[G:%.+]] = <min(d0, 1024)> to <1024>([[B]]) step 128 parallel {
// CHECK-NEXT:         [[H:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <-d0 + min(d0 + 128, 1024)>([[G]]) step 1 vector {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0*1024 + d1 + d2]([[A]], [[G]], [[I]]) : f32
// CHECK-NEXT:           [[K:%.+]] = loop.load %b[d0 + d1]([[G]], [[I]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply sub([[J]], [[K]]) : f32
// CHECK-NEXT:           loop.store [[L]] to [[H]][d0]([[I]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.non_temporal [[H]] to %out0[0, d0*1024 + d1, -d1 + min(d1 + 128, 1024), -d1 + min(d1 + 128, 1024)]([[A]], [[G]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @rows(%x: tensor<9000x1024xf32>, %b: tensor<1024xf32>) -> tensor<9000x1024xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<9000x1024xf32>
}

// The last block is shorter.
// CHECK-LABEL: func.func @flat(
// CHECK-NEXT:     [[A:%.+]] = loop.ahead %out0[0] : index
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <min(d0, 9000001)>([[A]]) step 1 serial {
// CHECK-NEXT:       [[C:%.+]] = loop.load %x[d0]([[B]]) : f32
// CHECK-NEXT:       [[D:%.+]] = scalar.apply neg([[C]]) : f32
// CHECK-NEXT:       loop.store [[D]] to %out0[d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[E:%.+]] = <min(d0, 9000001)> to <9000001>([[A]]) step 128 parallel {
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <-d0 + min(d0 + 128, 9000001)>([[E]]) step 1 vector {
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0 + d1]([[E]], [[G]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply neg([[H]]) : f32
// CHECK-NEXT:         loop.store [[I]] to [[F]][d0]([[G]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.non_temporal [[F]] to %out0[0, d0, -d0 + min(d0 + 128, 9000001), -d0 + min(d0 + 128, 9000001)]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @flat(%x: tensor<9000001xf32>) -> tensor<9000001xf32> {
  %r = opc.neg %x
  return %r : tensor<9000001xf32>
}

// Two results of one loop.
// CHECK-LABEL: func.func @two(
// CHECK-NEXT:     [[A:%.+]] = loop.ahead %out0[0] : index
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <min(d0, 8388608)>([[A]]) step 1 serial {
// CHECK-NEXT:       [[C:%.+]] = loop.load %x[d0]([[B]]) : f32
// CHECK-NEXT:       [[D:%.+]] = scalar.apply neg([[C]]) : f32
// CHECK-NEXT:       loop.store [[D]] to %out0[d0]([[B]])
// CHECK-NEXT:       [[E:%.+]] = scalar.apply add([[D]], [[D]]) : f32
// CHECK-NEXT:       loop.store [[E]] to %out1[d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[F:%.+]] = <min(d0, 8388608)> to <8388608>([[A]]) step 128 parallel {
// CHECK-NEXT:       [[G:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       [[H:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:       loop.for [[I:%.+]] = <0> to <-d0 + min(d0 + 128, 8388608)>([[F]]) step 1 vector {
// CHECK-NEXT:         [[J:%.+]] = loop.load %x[d0 + d1]([[F]], [[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply neg([[J]]) : f32
// CHECK-NEXT:         loop.store [[K]] to [[G]][d0]([[I]])
// CHECK-NEXT:         [[L:%.+]] = scalar.apply add([[K]], [[K]]) : f32
// CHECK-NEXT:         loop.store [[L]] to [[H]][d0]([[I]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.non_temporal [[H]] to %out1[0, d0, -d0 + min(d0 + 128, 8388608), -d0 + min(d0 + 128, 8388608)]([[F]])
// CHECK-NEXT:       loop.non_temporal [[G]] to %out0[0, d0, -d0 + min(d0 + 128, 8388608), -d0 + min(d0 + 128, 8388608)]([[F]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @two(%x: tensor<8192x1024xf32>) -> (tensor<8192x1024xf32>, tensor<8192x1024xf32>) {
  %r = opc.neg %x
  %s = opc.add %r, %r
  return %r, %s : tensor<8192x1024xf32>, tensor<8192x1024xf32>
}

// Pieces of long rows are as long as each other if possible, and no shorter than a burst.
// CHECK-LABEL: func.func @pieces(
// CHECK:              loop.for {{%.+}} = <min(d0, 3136)> to <3136>({{.+}}) step 224 parallel {
func.func @pieces(%x: tensor<3000x3136xf32>, %b: tensor<3136xf32>) -> tensor<3000x3136xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<3000x3136xf32>
}
