// Weights lie as they are stored, here in 4 bits: two values a byte, 4 columns apart. A step unpacks and
// widens them; the product with the scale of a column is computed with it. What lies 64
// bytes behind a row of the panel is prefetched.
// RUN: opc-opt %s --split-input-file -p lower-schedules,simplify-loops | filecheck %s

// CHECK-LABEL: func.func @main(
// CHECK:         [[W:%.+]] = loop.constant dense<[80, 97, 114, 131, 56, 39, 22, 5]> : tensor<8xui8>
// CHECK:         [[V:%.+]] = loop.view [[W]][0]
// CHECK:         loop.for [[K:%.+]] = <0> to <2> step 1 serial {
// CHECK-NEXT:      loop.prefetch [[V]][d0*4 + 64, 4]([[K]])
// CHECK-NEXT:      loop.for [[J:%.+]] = <0> to <8> step 1 vector {
// CHECK:             [[I:%.+]] = scalar.index <mod(floordiv(d0, 4), 2)*4>([[J]]) : i64
// CHECK-NEXT:        [[A:%.+]] = scalar.apply cast([[I]]) : ui8
// CHECK-NEXT:        [[B:%.+]] = loop.load [[V]][d0*4 + floordiv(d1, 8)*4 + mod(d1, 4)]([[K]], [[J]])
// CHECK-NEXT:        [[S:%.+]] = scalar.apply shr([[B]], [[A]])
// CHECK-NEXT:        [[Q:%.+]] = scalar.apply cast([[S]]) : ui4
// CHECK-NEXT:        scalar.apply cast([[Q]]) : f32
// CHECK:             scalar.apply fma
func.func @main(%x: memref<1x2xf32>, %y: memref<1x8xf32>, %workspace: memref<?xi8>)
    attributes {opc.workspace = #opc.index<0>, opc.outputs = 1 : i64} {
  %q = loop.constant dense<[[0, 1, 2, 3, 5, 6, 7, 8], [8, 7, 6, 5, 3, 2, 1, 0]]>
    : tensor<2x8xui4> to memref<2x8xui4>
  %s = loop.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32> to memref<8xf32>
  kernel.nest [1, 8] into (%y) {
    %0 = kernel.sweep [2] (dot) {
      %1 = kernel.load %x[0, d2] : f32
      %2 = kernel.load %q[d2, d1] : ui4
      %3 = scalar.apply cast(%2) : f32
      %4 = kernel.load %s[d1] : f32
      %5 = scalar.apply mul(%3, %4) : f32
      %6 = scalar.apply mul(%1, %5) : f32
      kernel.yield %6
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.pack right by 8 stored lanes 4 prefetch 64
      schedule.for [d1] by 8 parallel {
        schedule.run init
        schedule.for [d2] by 1 serial {
          schedule.for [d1] by 4 vector {
            schedule.run step
          }
        }
        schedule.run finish
        schedule.for [d1] by 1 vector {
          schedule.run out
        }
      }
    }
  }
  func.return
}

// -----

// Rows of 8 columns are computed of panels of 16. Two tiles of rows read each, and prefetch what the next
// ones will be computed of: 4 bytes a step.
// CHECK-LABEL: func.func @panels(
// CHECK:         [[W:%.+]] = loop.constant {{.*}} : tensor<64xi8>
// CHECK:         loop.for [[J:%.+]] = <0> to <32> step 8 parallel {
// CHECK:           loop.for [[I:%.+]] = <0> to <4> step 2 serial {
// CHECK:             loop.for [[K:%.+]] = <0> to <2> step 1 serial {
// CHECK-NEXT:          loop.prefetch [[W]][d2*4 + floordiv(d0, 8)*16 + floordiv(d1, 2)*8 + 32, 4]([[J]], [[I]], [[K]]) level 2
func.func @panels(%x: memref<4x2xf32>, %y: memref<4x32xf32>, %workspace: memref<?xi8>)
    attributes {opc.workspace = #opc.index<0>, opc.outputs = 1 : i64} {
  %q = loop.constant dense<3> : tensor<2x32xi8> to memref<2x32xi8>
  kernel.nest [4, 32] into (%y) {
    %0 = kernel.sweep [2] (dot) {
      %1 = kernel.load %x[d0, d2] : f32
      %2 = kernel.load %q[d2, d1] : i8
      %3 = scalar.apply cast(%2) : f32
      %4 = scalar.apply mul(%1, %3) : f32
      kernel.yield %4
    } : f32
    kernel.store %0 to 0[d0, d1]
    schedule.tree {
      schedule.pack right by 16 stored lanes 4
      schedule.for [d1] by 8 parallel {
        schedule.pack right by 8
        schedule.for [d0] by 2 serial {
          schedule.run init
          schedule.for [d2] by 1 serial {
            schedule.prefetch_panel right
            schedule.for [d0] by 1 unroll {
              schedule.for [d1] by 4 vector {
                schedule.run step
              }
            }
          }
          schedule.run finish
          schedule.for [d0] by 1 serial {
            schedule.for [d1] by 1 vector {
              schedule.run out
            }
          }
        }
      }
    }
  }
  func.return
}
