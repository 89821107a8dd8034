// f16 and bf16 are reduced in f32.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Two rows at a time are converted together.
// CHECK-LABEL: func.func @widened(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     [[E:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:     loop.widen %x[0, 128] to [[E]]
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[G:%.+]] = loop.load [[E]][d0]([[F]]) : f32
// CHECK-NEXT:       [[H:%.+]] = loop.load [[E]][d0 + 64]([[F]]) : f32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply add([[G]], [[H]]) : f32
// CHECK-NEXT:       loop.store [[I]] to [[D]][d0]([[F]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[J:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     [[K:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:     loop.widen %x[128, 128] to [[K]]
// CHECK-NEXT:     loop.for [[L:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[M:%.+]] = loop.load [[K]][d0]([[L]]) : f32
// CHECK-NEXT:       [[N:%.+]] = loop.load [[K]][d0 + 64]([[L]]) : f32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply add([[M]], [[N]]) : f32
// CHECK-NEXT:       [[P:%.+]] = loop.load [[D]][d0]([[L]]) : f32
// CHECK-NEXT:       [[Q:%.+]] = scalar.apply add([[P]], [[O]]) : f32
// CHECK-NEXT:       loop.store [[Q]] to [[J]][d0]([[L]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[R:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:     loop.widen %x[256, 128] to [[R]]
// CHECK-NEXT:     loop.for [[S:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[T:%.+]] = loop.load [[R]][d0]([[S]]) : f32
// CHECK-NEXT:       [[U:%.+]] = loop.load [[R]][d0 + 64]([[S]]) : f32
// CHECK-NEXT:       [[V:%.+]] = scalar.apply add([[T]], [[U]]) : f32
// CHECK-NEXT:       loop.store [[V]] to [[D]][d0]([[S]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[W:%.+]] = loop.local : memref<128xf32>
// CHECK-NEXT:     loop.widen %x[384, 128] to [[W]]
// CHECK-NEXT:     loop.for [[X:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[Y:%.+]] = loop.load [[W]][d0]([[X]]) : f32
// CHECK-NEXT:       [[Z:%.+]] = loop.load [[W]][d0 + 64]([[X]]) : f32
// CHECK-NEXT:       [[AA:%.+]] = scalar.apply add([[Y]], [[Z]]) : f32
// CHECK-NEXT:       [[AB:%.+]] = loop.load [[D]][d0]([[X]]) : f32
// CHECK-NEXT:       [[AC:%.+]] = scalar.apply add([[AB]], [[AA]]) : f32
// CHECK-NEXT:       [[AD:%.+]] = loop.load [[J]][d0]([[X]]) : f32
// CHECK-NEXT:       [[AE:%.+]] = scalar.apply add([[AD]], [[AC]]) : f32
// CHECK-NEXT:       [[AF:%.+]] = loop.load [[A]][d0]([[X]]) : f32
// CHECK-NEXT:       [[AG:%.+]] = scalar.apply add([[AF]], [[AE]]) : f32
// CHECK-NEXT:       loop.store [[AG]] to [[A]][d0]([[X]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AH:%.+]] = loop.combine sum [[A]] : f32
// CHECK-NEXT:     [[AI:%.+]] = scalar.apply cast([[AH]]) : f16
// CHECK-NEXT:     loop.store [[AI]] to %out0[0]
// CHECK-NEXT:     func.return
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
