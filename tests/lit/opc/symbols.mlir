// Operators about symbolic extents, and the extents in types.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @extent
// CHECK: opc.extent <N*128 + 1> : tensor<i64>
func.func @extent() -> tensor<i64> {
  %r = opc.extent <N*128 + 1>
  return %r : tensor<i64>
}

// CHECK-LABEL: func.func @iota
// CHECK: opc.iota : tensor<5xi64>
// CHECK: opc.iota : tensor<?xi64, #opc.dims<N*2>>
func.func @iota() -> tensor<?xi64, #opc.dims<N*2>> {
  %a = opc.iota : tensor<5xi64>
  %r = opc.iota : tensor<?xi64, #opc.dims<N*2>>
  return %r : tensor<?xi64, #opc.dims<N*2>>
}

// CHECK-LABEL: func.func @require
// CHECK: opc.require broadcast<N, M> "opc.add: extents do not broadcast"
// CHECK: opc.require divides<N*6, 4> "reshape"
func.func @require() {
  opc.require broadcast<N, M> "opc.add: extents do not broadcast"
  opc.require divides<N * 6, 4> "reshape"
  return
}

// CHECK-LABEL: func.func @split_axes
// CHECK: opc.split_axes %axes of <N, 4> outer ["e0", "e1"] inner ["r0", "r1"] kept ["k0"] : tensor<1xi64>
// CHECK: opc.split_axes %axes of <N> outer ["f0"] inner ["s0"] kept [] all : tensor<1xi64>
func.func @split_axes(%axes: tensor<1xi64>) {
  opc.split_axes %axes of <N, 4> outer ["e0", "e1"] inner ["r0", "r1"] kept ["k0"] : tensor<1xi64>
  opc.split_axes %axes of <N> outer ["f0"] inner ["s0"] kept [] all : tensor<1xi64>
  return
}

// CHECK-LABEL: func.func @broadcast_symbols
// CHECK: -> tensor<?xf32, #opc.dims<bcast(M, N)>>
func.func @broadcast_symbols(%a: tensor<?xf32, #opc.dims<N>>, %b: tensor<?xf32, #opc.dims<M>>) -> tensor<?xf32, #opc.dims<bcast(M, N)>> {
  %r = opc.add %a, %b
  return %r : tensor<?xf32, #opc.dims<bcast(M, N)>>
}

// CHECK-LABEL: func.func @flat
// CHECK: opc.reshape %a : tensor<?x4xf32, #opc.dims<N, 4>> -> tensor<?xf32>
func.func @flat(%a: tensor<?x4xf32, #opc.dims<N, 4>>) -> tensor<?xf32> {
  %r = opc.reshape %a -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @unnamed
// CHECK: opc.exp %a : tensor<?x4xf32> -> tensor<?x4xf32>
func.func @unnamed(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = opc.exp %a
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @read_extents
// CHECK: opc.read_extents reshape %v of <N, 4> -> ["s0", "s1"] : tensor<2xi64>
// CHECK: opc.read_extents reshape_allowzero %v of <N, 4> -> ["a0", "a1"] : tensor<2xi64>
// CHECK: opc.read_extents expand %v of <bcast(M, N), 4, 1> -> ["t0", "t1", "t2"] : tensor<2xi64>
// CHECK: opc.read_extents squeeze %n of <1, N> -> ["u0"] : tensor<i32>
// CHECK: opc.read_extents unsqueeze %v -> ["v0", "v1"] : tensor<2xi64>
// CHECK: opc.read_extents plain %n -> ["w0"] : tensor<i32>
func.func @read_extents(%v: tensor<2xi64>, %n: tensor<i32>) {
  opc.read_extents reshape %v of <N, 4> -> ["s0", "s1"] : tensor<2xi64>
  opc.read_extents reshape_allowzero %v of <N, 4> -> ["a0", "a1"] : tensor<2xi64>
  opc.read_extents expand %v of <bcast(N, M), 4, 1> -> ["t0", "t1", "t2"] : tensor<2xi64>
  opc.read_extents squeeze %n of <1, N> -> ["u0"] : tensor<i32>
  opc.read_extents unsqueeze %v of <> -> ["v0", "v1"] : tensor<2xi64>
  opc.read_extents plain %n -> ["w0"] : tensor<i32>
  return
}

// CHECK-LABEL: func.func @computed_extents
// CHECK: opc.read_extents plain @values gives 2 %x, %v of <N> -> ["s0", "s1"] : tensor<?xf32, #opc.dims<N>>, tensor<2xi64>
func.func @computed_extents(%x: tensor<?xf32, #opc.dims<N>>, %v: tensor<2xi64>) {
  opc.read_extents plain @values gives 2 %x, %v of <N> -> ["s0", "s1"] : tensor<?xf32, #opc.dims<N>>, tensor<2xi64>
  return
}
func.func private @values(%x: tensor<?xf32, #opc.dims<N>>, %v: tensor<2xi64>) -> tensor<2xi64> {
  %r = opc.neg %v
  return %r : tensor<2xi64>
}

// CHECK-LABEL: func.func private @given_extents
// CHECK: opc.given_extents ["a", "b"]
func.func private @given_extents() -> tensor<i64> {
  opc.given_extents ["a", "b"]
  %r = opc.extent <a + b>
  return %r : tensor<i64>
}

// CHECK-LABEL: func.func @data_extent
// CHECK: opc.data_extent %n most <N*3> -> "k" : tensor<i64>
// CHECK: opc.iota : tensor<?xi64, #opc.dims<k>>
func.func @data_extent(%n: tensor<i64>) -> tensor<?xi64, #opc.dims<k>> {
  opc.data_extent %n most <N * 3> -> "k" : tensor<i64>
  %r = opc.iota : tensor<?xi64, #opc.dims<k>>
  return %r : tensor<?xi64, #opc.dims<k>>
}

// CHECK-LABEL: func.func @read_extents_most
// CHECK: opc.read_extents plain %v most <N, 4> -> ["s0", "s1"] : tensor<2xi64>
func.func @read_extents_most(%v: tensor<2xi64>) {
  opc.read_extents plain %v most <N, 4> -> ["s0", "s1"] : tensor<2xi64>
  return
}
