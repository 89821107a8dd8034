// Loops that compute along what they read and turn around what they write.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops | filecheck %s

// Of two operands only the difference is turned around.
// CHECK-LABEL: func.func @two_operands(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <96> step 48 parallel {
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <200> step 80 serial {
// CHECK-NEXT:       [[C:%.+]] = loop.local : memref<3840xf32>
// CHECK-NEXT:       loop.for [[D:%.+]] = <d0> to <min(d0 + 80, 200)>([[B]]) step 1 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <d0> to <d0 + 48>([[A]]) step 1 vector {
// CHECK-NEXT:           [[F:%.+]] = loop.load %x[d0*96 + d1]([[D]], [[E]]) : f32
// CHECK-NEXT:           [[G:%.+]] = loop.load %y[d0*96 + d1]([[D]], [[E]]) : f32
// CHECK-NEXT:           [[H:%.+]] = scalar.apply sub([[F]], [[G]]) : f32
// CHECK-NEXT:           loop.store [[H]] to [[C]][-d0 - d1*48 + d2*48 + d3]([[A]], [[B]], [[D]], [[E]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[I:%.+]] = <d0> to <d0 + 48>([[A]]) step 16 serial {
// CHECK-NEXT:         loop.transpose [[C]] to %out0[-d0 + d2, 48, d1 + d2*200, 200, -d1 + min(d1 + 80, 200), 16]([[A]], [[B]], [[I]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @two_operands(%x: tensor<200x96xf32>, %y: tensor<200x96xf32>) -> tensor<96x200xf32> {
  %d = opc.sub %x, %y
  %r = opc.transpose %d {permutation = [1, 0]}
  return %r : tensor<96x200xf32>
}

// Rows of results are short: those before them belong to them.  What is left after 16 columns of 40
// goes once more in 16 that end there.
// CHECK-LABEL: func.func @short_rows(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <50> step 4 parallel {
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<3360xf32>
// CHECK-NEXT:     loop.for [[C:%.+]] = <d0> to <min(d0 + 4, 50)>([[A]]) step 1 serial {
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <7> step 1 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:           loop.for [[F:%.+]] = <0> to <40> step 1 vector {
// CHECK-NEXT:             [[G:%.+]] = loop.load %x[d0*840 + d1*40 + d2*280 + d3]([[C]], [[D]], [[E]], [[F]]) : f32
// CHECK-NEXT:             loop.store [[G]] to [[B]][-d0*840 + d1*840 + d2*120 + d3*40 + d4]([[A]], [[C]], [[D]], [[E]], [[F]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[H:%.+]] = <0> to <40> step 16 serial {
// CHECK-NEXT:       loop.transpose [[B]] to %out0[min(d1, 24), 40, d0*21 + min(d1, 24)*1050, 1050, -d0*21 + min(d0 + 4, 50)*21, 16]([[A]], [[H]])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @short_rows(%x: tensor<50x3x7x40xf32>) -> tensor<40x50x7x3xf32> {
  %r = opc.transpose %x {permutation = [3, 0, 2, 1]}
  return %r : tensor<40x50x7x3xf32>
}

// Short rows that follow one another are computed in one loop.
// CHECK-LABEL: func.func @short_rows_read(
// CHECK-NEXT:   loop.for [[A:%.+]] = <0> to <900> step 464 parallel {
// CHECK-NEXT:     [[B:%.+]] = loop.local : memref<3248xf32>
// CHECK-NEXT:     loop.for [[C:%.+]] = <0> to <-d0*7 + min(d0 + 464, 900)*7>([[A]]) step 1 vector {
// CHECK-NEXT:       [[D:%.+]] = loop.load %x[d0*7 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:       [[E:%.+]] = scalar.apply tanh([[D]]) : f32
// CHECK-NEXT:       loop.store [[E]] to [[B]][d0]([[C]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <7> step 4 serial {
// CHECK-NEXT:       loop.transpose [[B]] to %out0[min(d1, 3), 7, d0 + min(d1, 3)*900, 900, -d0 + min(d0 + 464, 900), 4]([[A]], [[F]])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @short_rows_read(%x: tensor<900x7xf32>) -> tensor<7x900xf32> {
  %t = opc.tanh %x
  %r = opc.transpose %t {permutation = [1, 0]}
  return %r : tensor<7x900xf32>
}
