// Functions that follow one another are computed in loops of their own, a block of points at a time.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,fission,simplify-loops | filecheck %s

// What is read is read again; what was computed before goes through arrays.
// CHECK-LABEL: func.func @two(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4096> step 512 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <512> step 1 vector {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0 + d1]([[A]], [[D]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply exp([[E]]) : f32
// CHECK-NEXT:         loop.store [[F]] to [[B]][d0]([[D]])
// CHECK-NEXT:         [[G:%.+]] = loop.load %y[d0 + d1]([[A]], [[D]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply add([[F]], [[G]]) : f32
// CHECK-NEXT:         loop.store [[H]] to [[C]][d0]([[D]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[I:%.+]] = <0> to <512> step 1 vector {
// CHECK-NEXT:         [[J:%.+]] = loop.load [[C]][d0]([[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply tanh([[J]]) : f32
// CHECK-NEXT:         [[L:%.+]] = loop.load [[B]][d0]([[I]]) : f32
// CHECK-NEXT:         [[M:%.+]] = scalar.apply mul([[K]], [[L]]) : f32
// CHECK-NEXT:         [[N:%.+]] = loop.load %x[d0 + d1]([[A]], [[I]]) : f32
// CHECK-NEXT:         [[O:%.+]] = scalar.apply mul([[M]], [[N]]) : f32
// CHECK-NEXT:         loop.store [[O]] to %out0[d0 + d1]([[A]], [[I]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @two(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %a = opc.exp %x
  %s = opc.add %a, %y
  %t = opc.tanh %s
  %p = opc.mul %t, %a
  %r = opc.mul %p, %x
  return %r : tensor<4096xf32>
}

// The last block of a row is shorter, and an operand that no function needs is computed where it
// is used.
// CHECK-LABEL: func.func @rest(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <40> step 1 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <1000> step 512 serial {
// CHECK-NEXT:         [[C:%.+]] = loop.local : memref<512xf32>
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <min(-d0 + 1000, 512)>([[B]]) step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0*1000 + d1 + d2]([[A]], [[B]], [[D]]) : f32
// CHECK-NEXT:           [[F:%.+]] = scalar.apply exp([[E]]) : f32
// CHECK-NEXT:           loop.store [[F]] to [[C]][d0]([[D]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[G:%.+]] = <0> to <min(-d0 + 1000, 512)>([[B]]) step 1 vector {
// CHECK-NEXT:           [[H:%.+]] = loop.load [[C]][d0]([[G]]) : f32
// CHECK-NEXT:           [[I:%.+]] = scalar.apply tanh([[H]]) : f32
// CHECK-NEXT:           [[J:%.+]] = loop.load %y[d0 + d1]([[B]], [[G]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply neg([[J]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply mul([[I]], [[K]]) : f32
// CHECK-NEXT:           loop.store [[L]] to %out0[d0*1000 + d1 + d2]([[A]], [[B]], [[G]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @rest(%x: tensor<40x1000xf32>, %y: tensor<1000xf32>) -> tensor<40x1000xf32> {
  %n = opc.neg %y
  %a = opc.exp %x
  %t = opc.tanh %a
  %r = opc.mul %t, %n
  return %r : tensor<40x1000xf32>
}

// Two functions side by side.
// CHECK-LABEL: func.func @beside(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <4096> step 1 vector {
// CHECK-NEXT:       [[B:%.+]] = loop.load %x[d0]([[A]]) : f32
// CHECK-NEXT:       [[C:%.+]] = scalar.apply exp([[B]]) : f32
// CHECK-NEXT:       [[D:%.+]] = scalar.apply tanh([[B]]) : f32
// CHECK-NEXT:       [[E:%.+]] = scalar.apply mul([[C]], [[D]]) : f32
// CHECK-NEXT:       loop.store [[E]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @beside(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %a = opc.exp %x
  %b = opc.tanh %x
  %r = opc.mul %a, %b
  return %r : tensor<4096xf32>
}
