// Functions of narrow loops are computed for several rounds at once.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,form-kernels,fuse-kernels,plan-buffers,lower-to-loops,simplify-loops,batch-functions,simplify-loops | filecheck %s

// The argument goes through an array; the result is stored where the function is computed.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 48 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<336xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <d0> to <min(d0 + 48, 1000)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0*7 + d1]([[C]], [[D]]) : f32
// CHECK-NEXT:           [[F:%.+]] = loop.load %y[d0]([[C]]) : f32
// CHECK-NEXT:           [[G:%.+]] = scalar.apply mul([[E]], [[F]]) : f32
// CHECK-NEXT:           loop.store [[G]] to [[B]][d0 + d1*7 - d2*7]([[D]], [[C]], [[A]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <-d0*7 + min(d0 + 48, 1000)*7>([[A]]) step 1 vector {
// CHECK-NEXT:         [[I:%.+]] = loop.load [[B]][d0]([[H]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply exp([[I]]) : f32
// CHECK-NEXT:         loop.store [[J]] to %out0[d0 + d1*7]([[H]], [[A]])
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
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 96 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<288xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <d0> to <min(d0 + 96, 1000)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <3> step 1 vector {
// CHECK-NEXT:           [[E:%.+]] = loop.load %x[d0 + d1*1000]([[C]], [[D]]) : f32
// CHECK-NEXT:           loop.store [[E]] to [[B]][d0 + d1*3 - d2*3]([[D]], [[C]], [[A]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[F:%.+]] = <0> to <-d0*3 + min(d0 + 96, 1000)*3>([[A]]) step 1 vector {
// CHECK-NEXT:         [[G:%.+]] = loop.load [[B]][d0]([[F]]) : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply exp([[G]]) : f32
// CHECK-NEXT:         [[I:%.+]] = scalar.apply tanh([[H]]) : f32
// CHECK-NEXT:         loop.store [[I]] to %out0[d0 + d1*3]([[F]], [[A]])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @turned(%x: tensor<3x1000xf32>) -> tensor<1000x3xf32> {
  %p = opc.transpose %x {permutation = [1, 0]}
  %e = opc.exp %p
  %t = opc.tanh %e
  return %t : tensor<1000x3xf32>
}

// What the function takes is read from memory; its results are added up by columns.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:     [[A:%.+]] = loop.local : memref<65xf32>
// CHECK-NEXT:     loop.for [[B:%.+]] = <0> to <65> step 1 vector {
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[A]][d0]([[B]])
// CHECK-NEXT:     }
// CHECK-NEXT:     [[D:%.+]] = loop.local : memref<i64>
// CHECK-NEXT:     [[E:%.+]] = scalar.constant 0 : i64
// CHECK-NEXT:     loop.store [[E]] to [[D]][0]
// CHECK-NEXT:     [[F:%.+]] = loop.local : memref<260xf32>
// CHECK-NEXT:     loop.for [[G:%.+]] = <0> to <240> step 16 serial {
// CHECK-NEXT:       loop.cascade next [[A]], [[F]], [[D]]
// CHECK-NEXT:       [[H:%.+]] = loop.load [[D]][0] : i64
// CHECK-NEXT:       [[I:%.+]] = scalar.constant 1 : i64
// CHECK-NEXT:       [[J:%.+]] = scalar.apply add([[H]], [[I]]) : i64
// CHECK-NEXT:       loop.store [[J]] to [[D]][0]
// CHECK-NEXT:       [[K:%.+]] = loop.local : memref<1040xf32>
// CHECK-NEXT:       loop.for [[L:%.+]] = <0> to <1040> step 1 vector {
// CHECK-NEXT:         [[M:%.+]] = loop.load %x[d0 + d1*65]([[L]], [[G]]) : f32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply exp([[M]]) : f32
// CHECK-NEXT:         loop.store [[N]] to [[K]][d0]([[L]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[O:%.+]] = <d0> to <d0 + 16>([[G]]) step 1 serial {
// CHECK-NEXT:         loop.for [[P:%.+]] = <0> to <65> step 1 vector {
// CHECK-NEXT:           [[Q:%.+]] = loop.load [[K]][d0 + d1*65 - d2*65]([[P]], [[O]], [[G]]) : f32
// CHECK-NEXT:           [[R:%.+]] = loop.load [[A]][d0]([[P]]) : f32
// CHECK-NEXT:           [[S:%.+]] = scalar.apply add([[R]], [[Q]]) : f32
// CHECK-NEXT:           loop.store [[S]] to [[A]][d0]([[P]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.cascade finish [[A]], [[F]], [[D]]
// CHECK-NEXT:     loop.for [[T:%.+]] = <0> to <65> step 1 vector {
// CHECK-NEXT:       [[U:%.+]] = loop.load [[A]][d0]([[T]]) : f32
// CHECK-NEXT:       loop.store [[U]] to %out0[d0]([[T]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @columns(%x: tensor<240x65xf32>) -> tensor<65xf32> {
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [0]}
  return %s : tensor<65xf32>
}

// 56 points of a row, for 6 rows at once.
// CHECK-LABEL: func.func @deeper(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 6 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<336xi32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <-d0*56 + min(d0 + 6, 1000)*56>([[A]]) step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0 + d1*56]([[C]], [[A]]) : f32
// CHECK-NEXT:         [[E:%.+]] = scalar.apply exp([[D]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply order([[E]]) : i32
// CHECK-NEXT:         loop.store [[F]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[G:%.+]] = <d0> to <min(d0 + 6, 1000)>([[A]]) step 1 serial {
// CHECK-NEXT:         [[H:%.+]] = loop.local : memref<8xf32>
// CHECK-NEXT:         [[I:%.+]] = loop.local : memref<8xi32>
// CHECK-NEXT:         [[J:%.+]] = loop.local : memref<8xi32>
// CHECK-NEXT:         [[K:%.+]] = scalar.constant -2139095041 : i32
// CHECK-NEXT:         loop.fill [[K]] to [[I]]
// CHECK-NEXT:         [[L:%.+]] = scalar.constant 2139095040 : i32
// CHECK-NEXT:         loop.fill [[L]] to [[J]]
// CHECK-NEXT:         loop.for [[M:%.+]] = <0> to <7> step 1 serial {
// CHECK-NEXT:           loop.for [[N:%.+]] = <0> to <8> step 1 vector {
// CHECK-NEXT:             [[O:%.+]] = loop.load [[B]][d0 + d1*8 + d2*56 - d3*56]([[N]], [[M]], [[G]], [[A]]) : i32
// CHECK-NEXT:             [[P:%.+]] = loop.load [[I]][d0]([[N]]) : i32
// CHECK-NEXT:             [[Q:%.+]] = scalar.apply max([[P]], [[O]]) : i32
// CHECK-NEXT:             loop.store [[Q]] to [[I]][d0]([[N]])
// CHECK-NEXT:             [[R:%.+]] = loop.load [[J]][d0]([[N]]) : i32
// CHECK-NEXT:             [[S:%.+]] = scalar.apply min([[R]], [[O]]) : i32
// CHECK-NEXT:             loop.store [[S]] to [[J]][d0]([[N]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[T:%.+]] = <0> to <8> step 1 vector {
// CHECK-NEXT:           [[U:%.+]] = loop.load [[I]][d0]([[T]]) : i32
// CHECK-NEXT:           [[V:%.+]] = loop.load [[J]][d0]([[T]]) : i32
// CHECK-NEXT:           [[W:%.+]] = scalar.apply lt([[V]], [[K]]) : i1
// CHECK-NEXT:           [[X:%.+]] = scalar.apply select([[W]], [[V]], [[U]]) : i32
// CHECK-NEXT:           [[Y:%.+]] = scalar.apply unorder([[X]]) : f32
// CHECK-NEXT:           loop.store [[Y]] to [[H]][d0]([[T]])
// CHECK-NEXT:         }
// CHECK-NEXT:         loop.for [[Z:%.+]] = <0> to <8> step 1 vector {
// CHECK-NEXT:           [[AA:%.+]] = loop.load [[H]][d0]([[Z]]) : f32
// CHECK-NEXT:           loop.store [[AA]] to %out0[d0*8 + d1]([[G]], [[Z]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @deeper(%x: tensor<1000x7x8xf32>) -> tensor<1000x8xf32> {
  %e = opc.exp %x
  %s = opc.reduce_max %e {axes = [1]}
  return %s : tensor<1000x8xf32>
}

// A function of what needs another one comes after it, in loops of its own.
// CHECK-LABEL: func.func @late(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 48 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<336xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <-d0*7 + min(d0 + 48, 1000)*7>([[A]]) step 1 vector {
// CHECK-NEXT:         [[D:%.+]] = loop.load %x[d0 + d1*7]([[C]], [[A]]) : f32
// CHECK-NEXT:         [[E:%.+]] = scalar.apply exp([[D]]) : f32
// CHECK-NEXT:         loop.store [[E]] to [[B]][d0]([[C]])
// CHECK-NEXT:       }
// CHECK-NEXT:       [[F:%.+]] = loop.local : memref<336xf32>
// CHECK-NEXT:       loop.for [[G:%.+]] = <d0> to <min(d0 + 48, 1000)>([[A]]) step 1 serial {
// CHECK-NEXT:         loop.for [[H:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:           [[I:%.+]] = loop.load [[B]][d0 + d1*7 - d2*7]([[H]], [[G]], [[A]]) : f32
// CHECK-NEXT:           [[J:%.+]] = loop.load %y[d0]([[G]]) : f32
// CHECK-NEXT:           [[K:%.+]] = scalar.apply mul([[I]], [[J]]) : f32
// CHECK-NEXT:           loop.store [[K]] to [[F]][d0 + d1*7 - d2*7]([[H]], [[G]], [[A]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[L:%.+]] = <0> to <-d0*7 + min(d0 + 48, 1000)*7>([[A]]) step 1 vector {
// CHECK-NEXT:         [[M:%.+]] = loop.load [[F]][d0]([[L]]) : f32
// CHECK-NEXT:         [[N:%.+]] = scalar.apply tanh([[M]]) : f32
// CHECK-NEXT:         loop.store [[N]] to %out0[d0 + d1*7]([[L]], [[A]])
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

// The rows are vectors for the columns, which C compilers see.
// CHECK-LABEL: func.func @across(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <1000> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<f32>
// CHECK-NEXT:       [[C:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:       loop.store [[C]] to [[B]][0]
// CHECK-NEXT:       loop.for [[D:%.+]] = <0> to <3> step 1 serial {
// CHECK-NEXT:         [[E:%.+]] = loop.load %x[d0 + d1*1000]([[A]], [[D]]) : f32
// CHECK-NEXT:         [[F:%.+]] = scalar.apply exp([[E]]) : f32
// CHECK-NEXT:         [[G:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:         [[H:%.+]] = scalar.apply add([[G]], [[F]]) : f32
// CHECK-NEXT:         loop.store [[H]] to [[B]][0]
// CHECK-NEXT:       }
// CHECK-NEXT:       [[I:%.+]] = loop.load [[B]][0] : f32
// CHECK-NEXT:       loop.store [[I]] to %out0[d0]([[A]])
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
func.func @across(%x: tensor<3x1000xf32>) -> tensor<1000xf32> {
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [0]}
  return %s : tensor<1000xf32>
}

// What is the same in every round is computed once, before them; a place that all points read stays.
// CHECK-LABEL: func.func @repeated(
// CHECK-NEXT:     loop.for [[A:%.+]] = <0> to <3> step 1 parallel {
// CHECK-NEXT:       [[B:%.+]] = loop.local : memref<1120xf32>
// CHECK-NEXT:       loop.for [[C:%.+]] = <0> to <20> step 1 serial {
// CHECK-NEXT:         loop.for [[D:%.+]] = <0> to <8> step 1 serial {
// CHECK-NEXT:           loop.for [[E:%.+]] = <0> to <7> step 1 vector {
// CHECK-NEXT:             [[F:%.+]] = loop.load %z[d0]([[D]]) : f32
// CHECK-NEXT:             [[G:%.+]] = scalar.apply abs([[F]]) : f32
// CHECK-NEXT:             loop.store [[G]] to [[B]][d0 + d1*7 + d2*56]([[E]], [[D]], [[C]])
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       loop.for [[H:%.+]] = <0> to <1000> step 20 serial {
// CHECK-NEXT:         loop.for [[I:%.+]] = <0> to <1120> step 1 vector {
// CHECK-NEXT:           [[J:%.+]] = loop.load %x[d0 + d1*56000 + d2*56]([[I]], [[A]], [[H]]) : f32
// CHECK-NEXT:           [[K:%.+]] = loop.load %y[d1]([[I]], [[A]], [[H]]) : f32
// CHECK-NEXT:           [[L:%.+]] = scalar.apply div([[J]], [[K]]) : f32
// CHECK-NEXT:           [[M:%.+]] = loop.load [[B]][d0]([[I]]) : f32
// CHECK-NEXT:           [[N:%.+]] = scalar.apply max([[L]], [[M]]) : f32
// CHECK-NEXT:           loop.store [[N]] to %out0[d0 + d1*56000 + d2*56]([[I]], [[A]], [[H]])
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
// CHECK-NEXT:           loop.store [[E]] to [[A]][d0 + d1*7 + d2*56]([[D]], [[C]], [[B]])
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     loop.for [[F:%.+]] = <0> to <4096> step 20 parallel {
// CHECK-NEXT:       loop.for [[G:%.+]] = <0> to <-d0*56 + min(d0 + 20, 4096)*56>([[F]]) step 1 vector {
// CHECK-NEXT:         [[H:%.+]] = loop.load %x[d0 + d1*56]([[G]], [[F]]) : f32
// CHECK-NEXT:         [[I:%.+]] = loop.load [[A]][d0]([[G]]) : f32
// CHECK-NEXT:         [[J:%.+]] = scalar.apply mul([[H]], [[I]]) : f32
// CHECK-NEXT:         loop.store [[J]] to %out0[d0 + d1*56]([[G]], [[F]])
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

// Divisions by sevens go together, by twelves they stay: C compilers do four of them at once.
// CHECK-LABEL: func.func @divisions(
// CHECK: <-d0*7 + min(d0 + 48, 4096)*7>
// CHECK: <12> step 1 vector
// CHECK-NOT: <{{.*}}*12
func.func @divisions(%x: tensor<4096x7xf32>, %y: tensor<4096x1xf32>, %z: tensor<4096x12xf32>) -> (tensor<4096x7xf32>, tensor<4096x12xf32>) {
  %q = opc.div %x, %y
  %r = opc.div %z, %y
  return %q, %r : tensor<4096x7xf32>, tensor<4096x12xf32>
}
