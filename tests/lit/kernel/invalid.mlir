// What nests, sweeps and what stands in them refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

func.func @nest_c1(%y: memref<4xf32>) {
  %r = "kernel.nest"(%y) <{extents = #opc.dims<4>}> ({
  }) : (memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @nest_c1_type() {
  %r = kernel.nest [4] {
  } : memref<4xf32>
  return
}

// -----

func.func @nest_c1_scalar() {
  %r = kernel.nest [4] {
  } : f32
  return
}

// -----

func.func @nest_c2() {
  kernel.nest [4] {
    kernel.nest [4] {
    }
  }
  return
}

// -----

func.func @sweep_c1(%x: f32) {
  %r = kernel.sweep [4] (sum) {
    kernel.yield %x
  } : f32
  return
}

// -----

func.func @sweep_c2(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (sum, max) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

func.func @sweep_c2_no_yield(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (sum) {
      %c = scalar.constant 1.0 : f32
    } : f32
  }
  return
}

// -----

func.func @sweep_c3(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (median) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

func.func @sweep_c3_type(%x: i1) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (sum) {
      kernel.yield %x
    } : i1
  }
  return
}

// -----

func.func @sweep_c4(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (argmax) {
      kernel.yield %x
    } : f32
  }
  return
}

// -----

func.func @sweep_c4_kept(%x: f32) {
  kernel.nest [4] {
    %r = kernel.sweep [4] (keep) {
      kernel.yield %x
    } : tensor<8xf32>
  }
  return
}

// -----

func.func @yield_outside(%x: f32) {
  kernel.nest [4] {
    kernel.yield %x
  }
  return
}

// -----

func.func @access_c1(%x: tensor<4x8xf32>) {
  kernel.nest [4, 8] {
    %0 = kernel.load %x[d0] : f32
  }
  return
}

// -----

func.func @access_c2(%x: tensor<4xf32>) {
  kernel.nest [4] {
    %0 = kernel.load %x[d1] : f32
  }
  return
}

// -----

func.func @access_c2_store(%x: f32, %y: memref<4xf32>) {
  kernel.nest [4] into (%y) {
    kernel.store %x to 0[mod(d1, 4)]
  }
  return
}

// -----

func.func @load_c1(%x: f32) {
  kernel.nest [4] {
    %0 = kernel.load %x[d0] : f32
  }
  return
}

// -----

func.func @load_c2(%x: tensor<4xf32>) {
  kernel.nest [4] {
    %0 = kernel.load %x[d0] : f64
  }
  return
}

// -----

func.func @store_c1(%x: f32, %y: memref<4xf32>) {
  kernel.nest [4] into (%y) {
    kernel.store %x to 1[d0]
  }
  return
}

// -----

func.func @store_c1_type(%x: f64) {
  %r = kernel.nest [4] {
    kernel.store %x to 0[d0]
  } : tensor<4xf32>
  return
}

// -----

func.func @store_c1_outside(%x: f32) {
  kernel.store %x to 0[]
  return
}
