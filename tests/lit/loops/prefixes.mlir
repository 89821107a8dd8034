// Totals that are handed on: in vectors along points, or a chain for each of a few points.
// RUN: opc-opt %s -p form-kernels,form-sweeps,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// Of columns four values are in a loop, and those that are left one by one.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <8> step 4 serial {
// CHECK-NEXT:       loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[T:%.+]] = loop.load [[A]][d0]([[E]]) : f32
// CHECK-NEXT:         [[X0:%.+]] = loop.load %x[d0*64 + d1]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[T0:%.+]] = scalar.apply add([[T]], [[X0]]) : f32
// CHECK-NEXT:         loop.store [[T0]] to %out0[d0*64 + d1]([[D]], [[E]])
// CHECK-NEXT:         [[X1:%.+]] = loop.load %x[d0*64 + d1 + 64]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[T1:%.+]] = scalar.apply add([[T0]], [[X1]]) : f32
// CHECK-NEXT:         loop.store [[T1]] to %out0[d0*64 + d1 + 64]([[D]], [[E]])
// CHECK-NEXT:         [[X2:%.+]] = loop.load %x[d0*64 + d1 + 128]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[T2:%.+]] = scalar.apply add([[T1]], [[X2]]) : f32
// CHECK-NEXT:         loop.store [[T2]] to %out0[d0*64 + d1 + 128]([[D]], [[E]])
// CHECK-NEXT:         [[X3:%.+]] = loop.load %x[d0*64 + d1 + 192]([[D]], [[E]]) : f32
// CHECK-NEXT:         [[T3:%.+]] = scalar.apply add([[T2]], [[X3]]) : f32
// CHECK-NEXT:         loop.store [[T3]] to %out0[d0*64 + d1 + 192]([[D]], [[E]])
// CHECK-NEXT:         loop.store [[T3]] to [[A]][d0]([[E]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[G:%.+]] = loop.load [[A]][d0]([[F]]) : f32
// CHECK-NEXT:       [[H:%.+]] = loop.load %x[d0 + 512]([[F]]) : f32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply add([[G]], [[H]]) : f32
// CHECK-NEXT:       loop.store [[I]] to %out0[d0 + 512]([[F]])
// CHECK-NEXT:       loop.store [[I]] to [[A]][d0]([[F]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<9x64xf32>) -> tensor<9x64xf32> {
  %r = opc.cum_sum %x {axis = 0}
  return %r : tensor<9x64xf32>
}

// Integers wrap; an exclusive total is read before it goes on, a reversed one from the end.
// CHECK-LABEL: func.func @one(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<ui32>
// CHECK-NEXT:     [[B:%.+]] = scalar.constant 1 : ui32
// CHECK-NEXT:     loop.store [[B]] to [[A]][0]
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <9> step 1 serial {
// CHECK-NEXT:       [[E:%.+]] = loop.load [[A]][0] : ui32
// CHECK-NEXT:       [[D:%.+]] = loop.load %x[-d0 + 8]([[C]]) : i32
// CHECK-NEXT:       [[F:%.+]] = scalar.apply cast([[D]]) : ui32
// CHECK-NEXT:       [[H:%.+]] = scalar.apply mul([[E]], [[F]]) : ui32
// CHECK-NEXT:       [[I:%.+]] = scalar.apply cast([[E]]) : i32
// CHECK-NEXT:       loop.store [[I]] to %out0[-d0 + 8]([[C]])
// CHECK-NEXT:       loop.store [[H]] to [[A]][0]
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @one(%x: tensor<9xi32>) -> tensor<9xi32> {
  %r = opc.cum_prod %x {exclusive = true, reverse = true}
  return %r : tensor<9xi32>
}

// Four rows are in each loop, but the last ones, which are too few.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <6> step 4 parallel {
// CHECK-NEXT:       loop.if <atleast({{.+}}, 4)>
// CHECK:              loop.for [[B:%.+]] = <0> to <9> step 1 serial {
// CHECK:                loop.store {{%.+}} to %out0[d0*9 + d1]([[A]], [[B]])
// CHECK:                loop.load %x[d0*9 + d1 + 9]([[A]], [[B]]) : f32
// CHECK:                loop.store {{%.+}} to %out0[d0*9 + d1 + 9]([[A]], [[B]])
// CHECK:                loop.store {{%.+}} to %out0[d0*9 + d1 + 18]([[A]], [[B]])
// CHECK:                loop.store {{%.+}} to %out0[d0*9 + d1 + 27]([[A]], [[B]])
// CHECK-NEXT:           loop.store
// CHECK-NEXT:         }
// CHECK-NEXT:       } else {
// CHECK-NEXT:         loop.for [[C:%.+]] = <0> to <min(4, -d0 + 6)>([[A]]) step 1 serial {
// CHECK:                loop.for [[D:%.+]] = <0> to <9> step 1 serial {
// CHECK:                  loop.load %x[d0*9 + d1*9 + d2]([[A]], [[C]], [[D]]) : f32
func.func @rows(%x: tensor<6x9xf32>) -> tensor<6x9xf32> {
  %r = opc.cum_sum %x {axis = 1}
  return %r : tensor<6x9xf32>
}
