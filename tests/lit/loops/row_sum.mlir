// Sums and products along rows: 64 lanes, groups of 8 values of each in pairs.
// RUN: opc-opt %s -p fix-orders,form-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// A group: pairs of rows of 64 as they lie in memory, totals of 2 and 4 rows, one combination of the
// lanes.
// CHECK-LABEL: func.func @group(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[E:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[F:%.+]] = loop.load %x[d0]([[E]]) : f32
// CHECK-NEXT:       [[G:%.+]] = loop.load %x[d0 + 64]([[E]]) : f32
// CHECK-NEXT:       [[H:%.+]] = scalar.apply add([[F]], [[G]]) : f32
// CHECK-NEXT:       loop.store [[H]] to [[D]][d0]([[E]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[I:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[J:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[K:%.+]] = loop.load %x[d0 + 128]([[J]]) : f32
// CHECK-NEXT:       [[L:%.+]] = loop.load %x[d0 + 192]([[J]]) : f32
// CHECK-NEXT:       [[M:%.+]] = scalar.apply add([[K]], [[L]]) : f32
// CHECK-NEXT:       [[N:%.+]] = loop.load [[D]][d0]([[J]]) : f32
// CHECK-NEXT:       [[O:%.+]] = scalar.apply add([[N]], [[M]]) : f32
// CHECK-NEXT:       loop.store [[O]] to [[I]][d0]([[J]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[P:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[Q:%.+]] = loop.load %x[d0 + 256]([[P]]) : f32
// CHECK-NEXT:       [[R:%.+]] = loop.load %x[d0 + 320]([[P]]) : f32
// CHECK-NEXT:       [[S:%.+]] = scalar.apply add([[Q]], [[R]]) : f32
// CHECK-NEXT:       loop.store [[S]] to [[D]][d0]([[P]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[T:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[U:%.+]] = loop.load %x[d0 + 384]([[T]]) : f32
// CHECK-NEXT:       [[V:%.+]] = loop.load %x[d0 + 448]([[T]]) : f32
// CHECK-NEXT:       [[W:%.+]] = scalar.apply add([[U]], [[V]]) : f32
// CHECK-NEXT:       [[X:%.+]] = loop.load [[D]][d0]([[T]]) : f32
// CHECK-NEXT:       [[Y:%.+]] = scalar.apply add([[X]], [[W]]) : f32
// CHECK-NEXT:       [[Z:%.+]] = loop.load [[I]][d0]([[T]]) : f32
// CHECK-NEXT:       [[AA:%.+]] = scalar.apply add([[Z]], [[Y]]) : f32
// CHECK-NEXT:       [[AB:%.+]] = loop.load [[A]][d0]([[T]]) : f32
// CHECK-NEXT:       [[AC:%.+]] = scalar.apply add([[AB]], [[AA]]) : f32
// CHECK-NEXT:       loop.store [[AC]] to [[A]][d0]([[T]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[AD:%.+]] = loop.combine sum [[A]] : f32
// CHECK-NEXT:     loop.store [[AD]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @group(%x: tensor<512xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// What is left: 64 values, then 6 lanes have one more. One operation takes them.
// CHECK-LABEL: func.func @rest(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.group sum %x[0, 70] to [[A]]
// CHECK-NEXT:     [[D:%.+]] = loop.combine sum [[A]] : f32
// CHECK-NEXT:     loop.store [[D]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @rest(%x: tensor<70xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// Fewer values than lanes: as many lanes as have one.
// CHECK-LABEL: func.func @few(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<4xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <4> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[D:%.+]] = <0> to <3> step 1 vector {
// CHECK-NEXT:       [[E:%.+]] = loop.load %x[d0]([[D]]) : f32
// CHECK-NEXT:       [[F:%.+]] = loop.load [[A]][d0]([[D]]) : f32
// CHECK-NEXT:       [[G:%.+]] = scalar.apply add([[F]], [[E]]) : f32
// CHECK-NEXT:       loop.store [[G]] to [[A]][d0]([[D]])
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[H:%.+]] = <0> to <2> step 1 vector {
// CHECK-NEXT:       [[I:%.+]] = loop.load [[A]][d0 + 2]([[H]]) : f32
// CHECK-NEXT:       [[J:%.+]] = loop.load [[A]][d0]([[H]]) : f32
// CHECK-NEXT:       [[K:%.+]] = scalar.apply add([[J]], [[I]]) : f32
// CHECK-NEXT:       loop.store [[K]] to [[A]][d0]([[H]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[L:%.+]] = loop.load [[A]][1] : f32
// CHECK-NEXT:     [[M:%.+]] = loop.load [[A]][0] : f32
// CHECK-NEXT:     [[N:%.+]] = scalar.apply add([[M]], [[L]]) : f32
// CHECK-NEXT:     loop.store [[N]] to [[A]][0]
// CHECK-NEXT:     [[O:%.+]] = loop.load [[A]][0] : f32
// CHECK-NEXT:     loop.store [[O]] to %out0[0]
// CHECK-NEXT:     func.return
func.func @few(%x: tensor<3xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<f32>
}

// A product has the same order, and 1 for what is not there.
// CHECK-LABEL: func.func @product(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<64xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <64> step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = scalar.constant 1.000000e+00 : f32
// CHECK-NEXT:         loop.store [[D]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.group prod %x[d0*70, 70]([[A]]) to [[B]]
// CHECK-NEXT:       [[E:%.+]] = loop.combine prod [[B]] : f32
// CHECK-NEXT:       loop.store [[E]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @product(%x: tensor<2x70xf32>) -> tensor<2xf32> {
  %r = opc.reduce_prod %x {axes = [1]}
  return %r : tensor<2xf32>
}

// Nothing is added, and the sum is 0.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<f32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       [[D:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:       loop.store [[D]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @nothing(%x: tensor<2x0xf32>) -> tensor<2xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<2xf32>
}

// Integers need no order, and so no lanes.
// CHECK-LABEL: func.func @integers(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <2> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<ui32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0 : ui32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <1000> step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0*1000 + d1]([[A]], [[D]]) : i32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply cast([[E]]) : ui32
// CHECK-NEXT:         [[G:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply add([[G]], [[F]]) : ui32
// CHECK-NEXT:         loop.store [[H]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[I:%.+]] = loop.load [[B]][0] : ui32
// CHECK-NEXT:       [[J:%.+]] = scalar.apply cast([[I]]) : i32
// CHECK-NEXT:       loop.store [[J]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @integers(%x: tensor<2x1000xi32>) -> tensor<2xi32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<2xi32>
}
