// f16 and bf16 are reduced in f32.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Rows are taken in pairs, as those of f32 are: each loop is one that is converted in staging buffers.
// CHECK-LABEL: func.func @widened(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0]([[E]]) : f16
// CHECK-NEXT:       [[G:%.+]] = scalar.apply cast([[F]]) : f32
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0 + 64]([[E]]) : f16
// CHECK-NEXT:       [[I:%.+]] = scalar.apply cast([[H]]) : f32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply add([[G]], [[I]]) : f32
// CHECK-NEXT:       loop.store [[J]] to [[D]][d0]([[E]])
// CHECK-NEXT:     }
func.func @widened(%x: tensor<512xf16>) -> tensor<f16> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f16>
}

// Extremes of what is computed go to memory as f16 first, and are compared as integers of 16 bits.
// CHECK-LABEL: func.func @apart(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<i16>
// CHECK-NEXT:     [[B:%.+]] = scalar.constant -32768 : i16
// CHECK-NEXT:     loop.store [[B]] to [[A]][0]
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <700> step 512 serial {
// CHECK-NEXT:       [[D:%.+]] = loop.local : memref<512xf16>
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <min(512, -d0 + 700)>([[C]]) step 1 vector {
// CHECK-NEXT:         [[F:%.+]] = loop.load %x[d0 + d1]([[C]], [[E]]) : f16
// CHECK-NEXT:         [[G:%.+]] = scalar.apply cast([[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply mul([[G]], [[G]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply cast([[H]]) : f16
// CHECK-NEXT:         loop.store [[I]] to [[D]][d0]([[E]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[J:%.+]] = <0> to <min(512, -d0 + 700)>([[C]]) step 1 serial {
// CHECK-NEXT:         [[K:%.+]] = loop.load [[D]][d0]([[J]]) : f16
// CHECK-NEXT:         [[L:%.+]] = scalar.apply order([[K]]) : i16
// CHECK-NEXT:         [[M:%.+]] = scalar.constant -1023 : i16
// CHECK-NEXT:         [[N:%.+]] = scalar.apply add([[L]], [[M]]) : i16
// CHECK-NEXT:         [[O:%.+]] = loop.load [[A]][0] : i16
// CHECK-NEXT:         [[P:%.+]] = scalar.apply max([[O]], [[N]]) : i16
// CHECK-NEXT:         loop.store [[P]] to [[A]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[Q:%.+]] = loop.load [[A]][0] : i16
// CHECK-NEXT:     [[R:%.+]] = scalar.constant 1023 : i16
// CHECK-NEXT:     [[S:%.+]] = scalar.apply add([[Q]], [[R]]) : i16
// CHECK-NEXT:     [[T:%.+]] = scalar.apply unorder([[S]]) : f16
// CHECK-NEXT:     [[U:%.+]] = scalar.apply cast([[T]]) : f32
// CHECK-NEXT:     [[V:%.+]] = scalar.apply cast([[U]]) : f16
// CHECK-NEXT:     loop.store [[V]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @apart(%x: tensor<700xf16>) -> tensor<f16> {
  %0 = opc.mul %x, %x
  %r = opc.reduce_max %0 {axes = [0]}
  return %r : tensor<f16>
}
