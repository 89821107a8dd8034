// f16 and bf16 are reduced in f32.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Rows are taken in pairs, as those of f32 are: each loop is one that is converted in strips.
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
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<i16>
// CHECK-NEXT:     [[C:%.+]] = scalar.constant -31745 : i16
// CHECK-NEXT:     loop.store [[C]] to [[A]][0]
// CHECK-NEXT:     [[D:%.+]] = scalar.constant 31744 : i16
// CHECK-NEXT:     loop.store [[D]] to [[B]][0]
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <700> step 512 serial {
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<512xf16>
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <min(512, -d0 + 700)>([[E]]) step 1 vector {
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0 + d1]([[E]], [[G]]) : f16
// CHECK-NEXT:         [[I:%.+]] = scalar.apply cast([[H]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply mul([[I]], [[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply cast([[J]]) : f16
// CHECK-NEXT:         loop.store [[K]] to [[F]][d0]([[G]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[L:%.+]] = <0> to <min(512, -d0 + 700)>([[E]]) step 1 serial {
// CHECK-NEXT:         [[M:%.+]] = loop.load [[F]][d0]([[L]]) : f16
// CHECK-NEXT:         [[N:%.+]] = scalar.apply order([[M]]) : i16
// CHECK-NEXT:         [[O:%.+]] = loop.load [[A]][0] : i16
// CHECK-NEXT:         [[P:%.+]] = scalar.apply max([[O]], [[N]]) : i16
// CHECK-NEXT:         loop.store [[P]] to [[A]][0]
// CHECK-NEXT:         [[Q:%.+]] = loop.load [[B]][0] : i16
// CHECK-NEXT:         [[R:%.+]] = scalar.apply min([[Q]], [[N]]) : i16
// CHECK-NEXT:         loop.store [[R]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     [[S:%.+]] = loop.load [[A]][0] : i16
// CHECK-NEXT:     [[T:%.+]] = loop.load [[B]][0] : i16
// CHECK-NEXT:     [[U:%.+]] = scalar.apply lt([[T]], [[C]]) : i1
// CHECK-NEXT:     [[V:%.+]] = scalar.apply select([[U]], [[T]], [[S]]) : i16
// CHECK-NEXT:     [[W:%.+]] = scalar.apply unorder([[V]]) : f16
// CHECK-NEXT:     [[X:%.+]] = scalar.apply cast([[W]]) : f32
// CHECK-NEXT:     [[Y:%.+]] = scalar.apply cast([[X]]) : f16
// CHECK-NEXT:     loop.store [[Y]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @apart(%x: tensor<700xf16>) -> tensor<f16> {
  %0 = opc.mul %x, %x
  %r = opc.reduce_max %0 {axes = [0]}
  return %r : tensor<f16>
}
