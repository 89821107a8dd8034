// Rows that are too short for vectors go together, in one loop over all of their points.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,simplify-loops | filecheck %s

// One value of each row is laid out for every point of a block.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 48 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<336xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(48, -d0 + 1000)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:           [[D:%.+]] = loop.load %y[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:           loop.store [[D]] to [[B]][d0*7 + d1]([[C]], [[E]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <min(48, -d0 + 1000)*7>([[A]]) step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*7 + d1]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = loop.load [[B]][d0]([[F]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply mul([[G]], [[H]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply exp([[I]]) : f32
// CHECK-NEXT:         loop.store [[J]] to %out0[d0*7 + d1]([[A]], [[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @rows(%x: tensor<1000x7xf32>, %y: tensor<1000x1xf32>) -> tensor<1000x7xf32> {
  %p = opc.mul %x, %y
  %e = opc.exp %p
  return %e : tensor<1000x7xf32>
}

// Several functions across memory: what they take is put in order first.
// CHECK-LABEL: func.func @turned(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 64 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<320xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(64, -d0 + 1000)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <5> step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0 + d1 + d2*1000]([[A]], [[C]], [[D]]) : f32
// CHECK-NEXT:           loop.store [[E]] to [[B]][d0*5 + d1]([[C]], [[D]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <min(64, -d0 + 1000)*5>([[A]]) step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load [[B]][d0]([[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply exp([[G]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply tanh([[H]]) : f32
// CHECK-NEXT:         loop.store [[I]] to %out0[d0*5 + d1]([[A]], [[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @turned(%x: tensor<5x1000xf32>) -> tensor<1000x5xf32> {
  %p = opc.transpose %x {permutation = [1, 0]}
  %e = opc.exp %p
  %t = opc.tanh %e
  return %t : tensor<1000x5xf32>
}

// Two functions, and what each row has one of between them.
// CHECK-LABEL: func.func @late(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 48 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<336xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <min(48, -d0 + 1000)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[E:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:           [[D:%.+]] = loop.load %y[d0 + d1]([[A]], [[C]]) : f32
// CHECK-NEXT:           loop.store [[D]] to [[B]][d0*7 + d1]([[C]], [[E]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <min(48, -d0 + 1000)*7>([[A]]) step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load %x[d0*7 + d1]([[A]], [[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply exp([[G]]) : f32
// CHECK-NEXT:         [[I:%.+]] = loop.load [[B]][d0]([[F]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply mul([[H]], [[I]]) : f32
// CHECK-NEXT:         [[K:%.+]] = scalar.apply tanh([[J]]) : f32
// CHECK-NEXT:         loop.store [[K]] to %out0[d0*7 + d1]([[A]], [[F]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @late(%x: tensor<1000x7xf32>, %y: tensor<1000x1xf32>) -> tensor<1000x7xf32> {
  %e = opc.exp %x
  %p = opc.mul %e, %y
  %t = opc.tanh %p
  return %t : tensor<1000x7xf32>
}

// 32 points fill vectors.
// CHECK-LABEL: func.func @full(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 1 parallel {
// CHECK-NEXT:       loop.for [[B:%.+]] = <0> to <32> step 1 vector {
// CHECK-NEXT:         [[C:%.+]] = loop.load %x[d0*32 + d1]([[A]], [[B]]) : f32
// CHECK-NEXT:         [[D:%.+]] = loop.load %y[d0]([[A]]) : f32
// CHECK-NEXT:         [[E:%.+]] = scalar.apply mul([[C]], [[D]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply exp([[E]]) : f32
// CHECK-NEXT:         loop.store [[F]] to %out0[d0*32 + d1]([[A]], [[B]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @full(%x: tensor<1000x32xf32>, %y: tensor<1000x1xf32>) -> tensor<1000x32xf32> {
  %p = opc.mul %x, %y
  %e = opc.exp %p
  return %e : tensor<1000x32xf32>
}

// What is the same in every block is laid out once, before them; a place that all points read stays.
// CHECK-LABEL: func.func @repeated(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <3> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1120xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <20> step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <8> step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:             [[F:%.+]] = loop.load %z[d0]([[D]]) : f32
// CHECK-NEXT:             loop.store [[F]] to [[B]][d0*56 + d1*7 + d2]([[C]], [[D]], [[E]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <1000> step 20 serial {
// CHECK-NEXT:         loop.for [[H:%.+]] = <0> to <1120> step 1 vector {
// CHECK-NEXT:           [[I:%.+]] = loop.load %x[d0*56000 + d1*56 + d2]([[A]], [[G]], [[H]]) : f32
// CHECK-NEXT:           [[J:%.+]] = loop.load %y[d0]([[A]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply div([[I]], [[J]]) : f32
// CHECK-NEXT:           [[L:%.+]] = loop.load [[B]][d0]([[H]]) : f32
// CHECK-NEXT:           [[M:%.+]] = scalar.apply abs([[L]]) : f32
// CHECK-NEXT:           [[N:%.+]] = scalar.apply max([[K]], [[M]]) : f32
// CHECK-NEXT:           loop.store [[N]] to %out0[d0*56000 + d1*56 + d2]([[A]], [[G]], [[H]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @repeated(%x: tensor<3x1000x8x7xf32>, %y: tensor<3x1x1x1xf32>, %z: tensor<8x1xf32>) -> tensor<3x1000x8x7xf32> {
  %q = opc.div %x, %y
  %a = opc.abs %z
  %m = opc.max %q, %a
  return %m : tensor<3x1000x8x7xf32>
}

// Simple operations go together if all that they need is in order, or the same in every round.
// CHECK-LABEL: func.func @simple(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<1120xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <20> step 1 serial {
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <8> step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %z[d0]([[C]]) : f32
// CHECK-NEXT:           loop.store [[E]] to [[A]][d0*56 + d1*7 + d2]([[B]], [[C]], [[D]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <4096> step 20 parallel {
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <min(20, -d0 + 4096)*56>([[F]]) step 1 vector {
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0*56 + d1]([[F]], [[G]]) : f32
// CHECK-NEXT:         [[I:%.+]] = loop.load [[A]][d0]([[G]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply mul([[H]], [[I]]) : f32
// CHECK-NEXT:         loop.store [[J]] to %out0[d0*56 + d1]([[F]], [[G]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @simple(%x: tensor<4096x8x7xf32>, %z: tensor<8x1xf32>) -> tensor<4096x8x7xf32> {
  %m = opc.mul %x, %z
  return %m : tensor<4096x8x7xf32>
}

// Not if that is different in every round, or for rows, which C compilers do well.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-2: <7> step 1 vector
// CHECK-NOT: loop.local
func.func @left(%x: tensor<4096x7xf32>, %y: tensor<4096x1xf32>, %z: tensor<7xf32>) -> (tensor<4096x7xf32>, tensor<4096x7xf32>) {
  %m = opc.mul %x, %y
  %s = opc.sub %x, %z
  return %m, %s : tensor<4096x7xf32>, tensor<4096x7xf32>
}

// Divisions by sevens go together, of long rows they stay, and of three values.
// CHECK-LABEL: func.func @divisions(
// CHECK: <min({{.*}}, -d0 + 4096)*7>
// CHECK: <35> step 1 vector
// CHECK-NOT: <{{.*}}*35
// CHECK: <3> step 1 vector
// CHECK-NOT: <{{.*}}*3
func.func @divisions(%x: tensor<4096x7xf32>, %y: tensor<4096x1xf32>, %z: tensor<4096x35xf32>, %w: tensor<4096x3xf32>) -> (tensor<4096x7xf32>, tensor<4096x35xf32>, tensor<4096x3xf32>) {
  %q = opc.div %x, %y
  %r = opc.div %z, %y
  %s = opc.div %w, %y
  return %q, %r, %s : tensor<4096x7xf32>, tensor<4096x35xf32>, tensor<4096x3xf32>
}
