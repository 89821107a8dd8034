// What goes past the caches is written to an array, from there to memory, a block at a time.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

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
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <-d0 + min(d0 + 128, 9000001)>([[A]]) step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:         [[E:%.+]] = scalar.apply neg([[D]]) : f32
// CHECK-NEXT:         loop.store [[E]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.stream [[B]] to %out0[0, d0, -d0 + min(d0 + 128, 9000001), -d0 + min(d0 + 128, 9000001)]([[A]])
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

// Pieces of long rows are as long as each other if possible, and no shorter than a burst.
// CHECK-LABEL: func.func @pieces(
// CHECK:              loop.for {{%.+}} = <0> to <3136> step 224 parallel {
func.func @pieces(%x: tensor<3000x3136xf32>, %b: tensor<3136xf32>) -> tensor<3000x3136xf32> {
  %r = opc.sub %x, %b
  return %r : tensor<3000x3136xf32>
}
