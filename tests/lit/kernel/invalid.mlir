// What nests, sweeps and what stands in them refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: kernel.nest: has results and fills buffers
func.func @nest_c1(%y: memref<4xf32>) {
  %r = "kernel.nest"(%y) <{extents = #opc.dims<4>}> ({
    %c = scalar.constant 1.0 : f32
  }) : (memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

// CHECK: :16:3: error: kernel.nest: cannot produce memref<4xf32>
func.func @nest_c1_type() {
  %r = kernel.nest [4] {
    %c = scalar.constant 1.0 : f32
  } : memref<4xf32>
  return
}

// -----

// CHECK: :26:3: error: kernel.nest: cannot produce f32
func.func @nest_c1_scalar() {
  %r = kernel.nest [4] {
    %c = scalar.constant 1.0 : f32
  } : f32
  return
}

// -----

// CHECK: :37:5: error: kernel.nest: nests do not nest; use kernel.sweep
func.func @nest_c2() {
  kernel.nest [4] {
    kernel.nest [4] {
      %c = scalar.constant 1.0 : f32
    }
  }
  return
}

// -----

// CHECK: :48:3: error: kernel.sweep: expected inside kernel.nest
func.func @sweep_c1(%x: f32) {
  %r = kernel.sweep [4] (sum) {
    kernel.yield %x
  } : f32
  return
}

// -----

// CHECK: :59:5: error: kernel.sweep: kinds, yielded values and results differ in number
func.func @sweep_c2(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (sum, max) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :71:5: error: kernel.sweep: kinds, yielded values and results differ in number
func.func @sweep_c2_no_yield(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (sum) {
      %c = scalar.constant 1.0 : f32
    } : f32
  }
  return
}

// -----

// CHECK: :83:5: error: kernel.sweep: cannot reduce f32 by median
func.func @sweep_c3(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (median) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :95:5: error: kernel.sweep: cannot reduce i1 by sum
func.func @sweep_c3_type(%x: i1) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (sum) {
      kernel.yield %x
    } : i1
  }
  return
}

// -----

// CHECK: :107:5: error: kernel.sweep: argmax gives i64, not f32
func.func @sweep_c4(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (argmax) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :119:5: error: kernel.sweep: keep gives tensor<4xf32>, not tensor<8xf32>
func.func @sweep_c4_kept(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (keep) {
      kernel.yield %x
    } : tensor<8xf32>
  }
  return
}

// -----

// CHECK: :131:5: error: 'kernel.yield' expects parent op 'kernel.sweep'
func.func @yield_outside(%x: f32) {
  kernel.nest [4] {
    kernel.yield %x
  }
  return
}

// -----

// CHECK: :141:5: error: kernel.load: 1 expressions for rank 2
func.func @access_c1(%x: tensor<4x8xf32>) {
  kernel.nest [4, 8] {
    %0 = kernel.load %x[d0] : f32
  }
  return
}

// -----

// CHECK: :151:5: error: kernel.load: d1 is outside the 1 dimensions around
func.func @access_c2(%x: tensor<4xf32>) {
  kernel.nest [4] {
    %0 = kernel.load %x[d1] : f32
  }
  return
}

// -----

// CHECK: :161:5: error: kernel.store: mod(d1, 4) is outside the 1 dimensions around
func.func @access_c2_store(%x: f32, %y: memref<4xf32>) {
  kernel.nest [4] into (%y) {
    kernel.store %x to 0[mod(d1, 4)]
  }
  return
}

// -----

// CHECK: :171:5: error: kernel.load: cannot load from f32
func.func @load_c1(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.load %x[d0] : f32
  }
  return
}

// -----

// CHECK: :181:5: error: kernel.load: f64 from tensor<4xf32>
func.func @load_c2(%x: tensor<4xf32>) {
  kernel.nest [4] {
    %0 = kernel.load %x[d0] : f64
  }
  return
}

// -----

// CHECK: :191:5: error: kernel.store: there is no result 1
func.func @store_c1(%x: f32, %y: memref<4xf32>) {
  kernel.nest [4] into (%y) {
    kernel.store %x to 1[d0]
  }
  return
}

// -----

// CHECK: :201:5: error: kernel.store: cannot store f64 to tensor<4xf32>
func.func @store_c1_type(%x: f64) {
  %r = kernel.nest [4] {
    kernel.store %x to 0[d0]
  } : tensor<4xf32>
  return
}

// -----

// CHECK: :210:3: error: kernel.store: there is no result 0
func.func @store_c1_outside(%x: f32) {
  kernel.store %x to 0[]
  return
}

// -----

// CHECK: :218:3: error: kernel.nest: its body is empty; it must have operations
func.func @nest_empty() {
  kernel.nest [4] {
  }
  return
}

// -----

// CHECK: :228:5: error: kernel.sweep: a place for a value that is not kept
func.func @sweep_c5(%x: tensor<4x8xf32>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [8] (max to 0[d0, d1], keep) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : f32, tensor<8xf32>
    kernel.sweep [8] {
      %1 = kernel.load %e[d1] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

// CHECK: :246:5: error: kernel.sweep: a load of a kept value depends on the nest
func.func @kept_c1(%x: tensor<4x8xf32>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [8] (max, keep) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : f32, tensor<8xf32>
    kernel.sweep [8] {
      %1 = kernel.load %e[d0] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

// CHECK: :264:5: error: kernel.sweep: no place for tensor<?xf32, #opc.dims<N>>
func.func @kept_c2(%x: tensor<4x?xf32, #opc.dims<4, N>>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [N] (max, keep) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : f32, tensor<?xf32, #opc.dims<N>>
    kernel.sweep [N] {
      %1 = kernel.load %e[d1] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x?xf32, #opc.dims<4, N>>, tensor<4x?xf32, #opc.dims<4, N>>
  return
}

// -----

// CHECK: :282:5: error: kernel.sweep: result 0 cannot hold a value until its load
func.func @kept_c3(%x: tensor<4x8xf32>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [8] (max, keep to 0[d0, d1]) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : f32, tensor<8xf32>
    kernel.sweep [8] {
      %1 = kernel.load %e[0] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

// CHECK: :300:5: error: kernel.sweep: result 0 cannot hold a value until its load
func.func @kept_c3_later(%x: tensor<4x8xf32>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [8] (max, keep to 0[d0, d1]) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : f32, tensor<8xf32>
    kernel.sweep [8] {
      %1 = kernel.load %e[d1] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
    kernel.sweep [8] {
      %2 = kernel.load %e[d1] : f32
      kernel.store %2 to 1[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

// CHECK: :323:5: error: kernel.sweep: result 1 cannot hold a value until its load
func.func @kept_c3_no_store(%x: tensor<4x8xf32>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [8] (max, keep to 1[d0, d1]) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : f32, tensor<8xf32>
    kernel.sweep [8] {
      %1 = kernel.load %e[d1] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

// CHECK: :341:5: error: kernel.sweep: found a value kept to 0[d1, d0], expected [d0, d1]
func.func @kept_c4(%x: tensor<4x8xf32>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [8] (max, keep to 0[d1, d0]) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : f32, tensor<8xf32>
    kernel.sweep [8] {
      %1 = kernel.load %e[d1] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

// CHECK: :359:5: error: kernel.sweep: result 0 holds two values
func.func @kept_c5(%x: tensor<4x8xf32>) {
  %y, %z = kernel.nest [4] {
    %s, %e = kernel.sweep [8] (keep to 0[d0, d1], keep to 0[d0, d1]) {
      %0 = kernel.load %x[d0, d1] : f32
      kernel.yield %0, %0
    } : tensor<8xf32>, tensor<8xf32>
    kernel.sweep [8] {
      %1 = kernel.load %s[d1] : f32
      %2 = kernel.load %e[d1] : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

// CHECK: :378:5: error: kernel.sweep: dot adds products
func.func @sweep_c6(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.sweep [8] (dot) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :390:5: error: kernel.load: 0 : i32 is no f32
func.func @load_c3(%x: tensor<4xf32>) {
  kernel.nest [4] {
    %0 = "kernel.load"(%x) <{index = #opc.index<d0 - 1>, default = 0 : i32}> : (tensor<4xf32>) -> f32
  }
  return
}

// -----

// CHECK: :405:7: error: kernel.load: a materialized value has no default
func.func @load_c3_kept(%x: tensor<4xf32>) {
  kernel.nest [4] {
    %e = kernel.sweep [4] (keep) {
      %0 = kernel.load %x[d1] : f32
      kernel.yield %0
    } : tensor<4xf32>
    kernel.sweep [4] {
      %1 = kernel.load %e[d1 - 1] else 0.0 : f32
      kernel.yield
    }
  }
  return
}

// -----

// CHECK: error: kernel.gather: 1 indices for rank 2
func.func @indirect_c1(%x: tensor<9x4xf32>) -> tensor<4xf32> {
  %y = kernel.nest [4] {
    %k = scalar.index <d0> : i64
    %v = kernel.gather %x[%k] : f32
    kernel.store %v to 0[d0]
  } : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK: error: kernel.gather: an index is no i64
func.func @indirect_c2(%x: tensor<9xf32>) -> tensor<4xf32> {
  %y = kernel.nest [4] {
    %k = scalar.constant 1 : i32
    %v = kernel.gather %x[%k] : f32
    kernel.store %v to 0[d0]
  } : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK: error: kernel.gather: d1 is outside the 1 dimensions around
func.func @indirect_c3(%x: tensor<9x4xf32>) -> tensor<4xf32> {
  %y = kernel.nest [4] {
    %k = scalar.index <d0> : i64
    %v = kernel.gather %x[%k, d1] : f32
    kernel.store %v to 0[d0]
  } : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK: error: kernel.gather: f64 from tensor<9xf32>
func.func @gather_c1(%x: tensor<9xf32>) -> tensor<4xf64> {
  %y = kernel.nest [4] {
    %k = scalar.index <d0> : i64
    %v = kernel.gather %x[%k] : f64
    kernel.store %v to 0[d0]
  } : tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

// CHECK: error: kernel.scatter: expected inside kernel.sweep of a nest with one point
func.func @scatter_c1(%x: memref<9xf32>) {
  kernel.nest [4] into (%x) {
    %k = scalar.index <d0> : i64
    %v = scalar.constant 1.0 : f32
    kernel.scatter %v to 0[%k]
  }
  return
}

// -----

// CHECK: error: kernel.scatter: there is no result 1
func.func @scatter_c2(%x: memref<9xf32>) {
  kernel.nest [] into (%x) {
    kernel.sweep [4] {
      %k = scalar.index <d0> : i64
      %v = scalar.constant 1.0 : f32
      kernel.scatter %v to 1[%k]
      kernel.yield
    }
  }
  return
}

// -----

// CHECK: error: kernel.scatter: cannot store f64 to memref<9xf32>
func.func @scatter_c3(%x: memref<9xf32>) {
  kernel.nest [] into (%x) {
    kernel.sweep [4] {
      %k = scalar.index <d0> : i64
      %v = scalar.constant 1.0 : f64
      kernel.scatter %v to 0[%k]
      kernel.yield
    }
  }
  return
}

// -----

// CHECK: error: kernel.scatter: cannot add i1
func.func @scatter_c4(%x: memref<9xi1>) {
  kernel.nest [] into (%x) {
    kernel.sweep [4] {
      %k = scalar.index <d0> : i64
      %v = scalar.constant true
      kernel.scatter %v to 0[%k] add
      kernel.yield
    }
  }
  return
}

// -----

// CHECK: :522:5: error: kernel.sweep: lacks lanes for a sum or product of floats
func.func @sweep_c7(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.sweep [8] (prod) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :534:5: error: kernel.sweep: has lanes without a sum or product of floats
func.func @sweep_c7_integers(%x: i32) {
  kernel.nest [4] {
    %0 = kernel.sweep [8] lanes 64 (sum) {
      kernel.yield %x
    } : i32
  }
  return
}

// -----

// CHECK: :546:5: error: kernel.sweep: 48 lanes, expected a power of two
func.func @sweep_c8(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.sweep [8] lanes 48 (sum) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :558:5: error: kernel.sweep: d0 lanes, expected a power of two
func.func @sweep_c8_dimension(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.sweep [8] lanes d0 (sum) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :569:3: error: kernel.nest: found extents [4, -2], expected none below 0
func.func @nest_extents() {
  kernel.nest [4, -2] {
    %c = scalar.constant 1.0 : f32
  }
  return
}

// -----

// CHECK: :580:5: error: kernel.sweep: found extents [-1], expected none below 0
func.func @sweep_extents(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.sweep [-1] lanes 64 (sum) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :592:54: error: found 18446744073709551616, expected a number of 64 bits
func.func @large_number(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.sweep [8] lanes 18446744073709551616 (sum) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

// CHECK: :604:5: error: kernel.prefix: no max of f32
func.func @prefix_c1(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.prefix max(%x) along d0 : f32
  }
  return
}

// -----

// CHECK: :615:5: error: kernel.prefix: no sum of i1
func.func @prefix_c1_type(%x: f32) {
  kernel.nest [4] {
    %c = scalar.constant true
    %0 = kernel.prefix sum(%c) along d0 : i1
  }
  return
}

// -----

// CHECK: :625:5: error: kernel.prefix: d1 is no axis of a nest without sweeps
func.func @prefix_c2(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.prefix sum(%x) along d1 : f32
  }
  return
}

// -----

// CHECK: :635:5: error: kernel.prefix: expected in a sweep, or along an axis of a nest
func.func @prefix_c2_nest(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.prefix sum(%x) : f32
  }
  return
}

// -----

// CHECK: :646:7: error: kernel.prefix: expected along the only axis of its sweep
func.func @prefix_c2_sweep(%x: f32) {
  kernel.nest [4] {
    kernel.sweep [8, 2] {
      %0 = kernel.prefix sum(%x) : f32
      kernel.yield
    }
  }
  return
}

// -----

// CHECK: :660:7: error: kernel.prefix: scans of a body differ in dimension or direction
func.func @prefix_c3(%x: f32) {
  kernel.nest [4] {
    kernel.sweep [8] {
      %0 = kernel.prefix sum(%x) : f32
      %1 = kernel.prefix sum(%0) reverse : f32
      kernel.yield
    }
  }
  return
}

// -----

// CHECK: error: kernel.repeat: an index is no i64
func.func @repeat_c1(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = kernel.nest [4] {
    %s = kernel.load %x[d0] : i32
    %e = kernel.repeat at %k = %s most 3 {
      kernel.next %k
    }
    kernel.store %s to 0[d0]
  } : tensor<4xi32>
  return %y : tensor<4xi32>
}

// -----

// CHECK: error: kernel.repeat: the body does not end in kernel.next
func.func @repeat_c2(%x: tensor<4xi64>) -> tensor<4xi64> {
  %y = kernel.nest [4] {
    %s = kernel.load %x[d0] : i64
    %e = kernel.repeat at %k = %s most 3 {
      %c = scalar.constant 1 : i64
    }
    kernel.store %s to 0[d0]
  } : tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

// CHECK: error: kernel.repeat: at most 0 steps, expected 1 or more
func.func @repeat_c3(%x: tensor<4xi64>) -> tensor<4xi64> {
  %y = kernel.nest [4] {
    %s = kernel.load %x[d0] : i64
    %e = kernel.repeat at %k = %s most 0 {
      kernel.next %k
    }
    kernel.store %s to 0[d0]
  } : tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

// CHECK: error: kernel.next: f32 is no i64
func.func @next_c1(%x: tensor<4xi64>) -> tensor<4xi64> {
  %y = kernel.nest [4] {
    %s = kernel.load %x[d0] : i64
    %e = kernel.repeat at %k = %s most 3 {
      %c = scalar.constant 1.0 : f32
      kernel.next %c
    }
    kernel.store %s to 0[d0]
  } : tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

// CHECK: error: kernel.pick: d2, expected in front of a nest that has it
func.func @pick_c1(%i: tensor<2xi64>) -> tensor<2x3xi64> {
  %y = kernel.nest [2, 3] {
    kernel.pick d2 = %i[d0]
    %v = kernel.load %i[d0] : i64
    kernel.store %v to 0[d0, d1]
  } : tensor<2x3xi64>
  return %y : tensor<2x3xi64>
}

// -----

// CHECK: error: kernel.pick: d1, expected in front of a nest that has it
func.func @pick_c1_behind(%i: tensor<2xi64>) -> tensor<2xi64> {
  %y = kernel.nest [2, 3] {
    %v = kernel.load %i[d0] : i64
    kernel.pick d1 = %i[d0]
    kernel.store %v to 0[d0]
  } : tensor<2xi64>
  return %y : tensor<2xi64>
}

// -----

// CHECK: error: kernel.pick: found tensor<2xf32>, expected i64
func.func @pick_c2(%i: tensor<2xf32>) -> tensor<2xf32> {
  %y = kernel.nest [2, 3] {
    kernel.pick d1 = %i[d0]
    %v = kernel.load %i[d0] : f32
    kernel.store %v to 0[d0]
  } : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK: error: kernel.pick: [d1], expected other dimensions than its own
func.func @pick_c2_own(%i: tensor<3xi64>) -> tensor<2xi64> {
  %y = kernel.nest [2, 3] {
    kernel.pick d1 = %i[d1]
    %v = kernel.load %i[d1] : i64
    kernel.store %v to 0[d0]
  } : tensor<2xi64>
  return %y : tensor<2xi64>
}
