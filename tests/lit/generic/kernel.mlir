// Passes of xDSL on kernels: nests that give tensors are values, those that fill buffers are not.
// RUN: opc-opt -p cse %s | filecheck %s --check-prefix CSE
// RUN: opc-opt -p dce %s | filecheck %s --check-prefix DCE
// RUN: opc-opt -p canonicalize %s | filecheck %s --check-prefix DCE

// CSE-LABEL: func.func @tensors
// CSE-NEXT: [[R:%.+]] = kernel.nest [4] {
// CSE-NEXT: [[X:%.+]] = kernel.load %x[d0]
// CSE-NEXT: [[Y:%.+]] = scalar.apply mul([[X]], [[X]])
// CSE-NEXT: kernel.store [[Y]] to 0[d0]
// CSE-NEXT: }
// CSE-NEXT: return [[R]], [[R]]
// DCE-LABEL: func.func @tensors
// DCE-COUNT-2: kernel.nest
// DCE: return
func.func @tensors(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = kernel.nest [4] {
    %u = kernel.load %x[d0] : f32
    %v = kernel.load %x[d0] : f32
    %w = scalar.apply mul(%u, %v) : f32
    kernel.store %w to 0[d0]
  } : tensor<4xf32>
  %b = kernel.nest [4] {
    %u = kernel.load %x[d0] : f32
    %v = kernel.load %x[d0] : f32
    %w = scalar.apply mul(%u, %v) : f32
    kernel.store %w to 0[d0]
  } : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// DCE-LABEL: func.func @unused
// DCE-NEXT: [[R:%.+]] = kernel.nest [4] {
// DCE-NEXT: [[X:%.+]] = kernel.load
// DCE-NEXT: kernel.store [[X]]
// DCE-NEXT: }
// DCE-NEXT: return [[R]]
func.func @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = kernel.nest [4] {
    %u = kernel.load %x[d0] : f32
    %v = scalar.apply exp(%u) : f32
    %s = kernel.sweep [4] lanes 64 (sum) {
      %w = kernel.load %x[d1] : f32
      kernel.yield %w
    } : f32
    kernel.store %u to 0[d0]
  } : tensor<4xf32>
  %b = kernel.nest [4] {
    %u = kernel.load %x[d0] : f32
    kernel.store %u to 0[d0]
  } : tensor<4xf32>
  return %a : tensor<4xf32>
}

// Both inner sweeps are written alike, but d1 is another dimension in each: one alone could merge.
// CSE-LABEL: func.func @sweeps
// CSE-NEXT: kernel.nest [4] {
// CSE-NEXT: [[A:%.+]] = kernel.sweep [8] lanes 64 (sum)
// CSE-NOT: kernel.sweep
// CSE: scalar.apply add([[A]], [[A]])
// CSE: kernel.sweep [8] {
// CSE-NEXT: kernel.sweep [8] lanes 64 (sum)
// CSE: return
func.func @sweeps(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %r, %t = kernel.nest [4] {
    %a = kernel.sweep [8] lanes 64 (sum) {
      %u = kernel.load %x[d0, d1] : f32
      kernel.yield %u
    } : f32
    %b = kernel.sweep [8] lanes 64 (sum) {
      %u = kernel.load %x[d0, d1] : f32
      kernel.yield %u
    } : f32
    %c = scalar.apply add(%a, %b) : f32
    kernel.store %c to 0[d0]
    kernel.sweep [8] {
      %d = kernel.sweep [8] lanes 64 (sum) {
        %u = kernel.load %x[d0, d1] : f32
        kernel.yield %u
      } : f32
      kernel.store %d to 1[d0, d1]
      kernel.yield
    }
  } : tensor<4xf32>, tensor<4x8xf32>
  return %r, %t : tensor<4xf32>, tensor<4x8xf32>
}

// CSE-LABEL: func.func @buffers
// CSE-COUNT-2: kernel.nest
// CSE: return
// DCE-LABEL: func.func @buffers
// DCE-COUNT-2: kernel.nest
// DCE: return
func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64} {
  kernel.nest [4] into (%y) {
    %u = kernel.load %x[d0] : f32
    kernel.store %u to 0[d0]
  }
  kernel.nest [4] into (%y) {
    %u = kernel.load %x[d0] : f32
    kernel.store %u to 0[d0]
  }
  return
}

// A store may be to what is loaded: nests compute in place.
// CSE-LABEL: func.func @in_place
// CSE: kernel.load %x[d0]
// CSE-NEXT: kernel.store
// CSE-NEXT: kernel.load %x[d0]
// CSE-NEXT: kernel.store
func.func @in_place(%x: memref<4xf32>, %y: memref<4xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 2 : i64} {
  kernel.nest [4] into (%x, %y) {
    %u = kernel.load %x[d0] : f32
    kernel.store %u to 0[d0]
    %v = kernel.load %x[d0] : f32
    kernel.store %v to 1[d0]
  }
  return
}

// CSE-LABEL: func.func @scatter
// CSE-COUNT-2: kernel.scatter
// CSE: return
// DCE-LABEL: func.func @scatter
// DCE-COUNT-2: kernel.scatter
// DCE: return
func.func @scatter(%u: tensor<3xf32>, %i: tensor<3xi64>) -> tensor<9xf32> {
  %r = kernel.nest [] {
    kernel.sweep [3] {
      %at = kernel.load %i[d0] : i64
      %v = kernel.load %u[d0] : f32
      kernel.scatter %v to 0[%at] add
      kernel.scatter %v to 0[%at] add
      kernel.yield
    }
  } : tensor<9xf32>
  return %r : tensor<9xf32>
}
