// What operators about symbolic extents, and extents in types, refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: opc.extent: expected one extent, found #opc.dims<N, M>
func.func @extent_c1() {
  %r = opc.extent <N, M> : tensor<i64>
  return
}

// -----

// CHECK: :14:23: error: 'a.b' is no extent: use a letter, then letters, digits or _
func.func @extent_name() {
  %r = opc.extent <a.b> : tensor<i64>
  return
}

// -----

// CHECK: :22:3: error: opc.require: expected one of equal, broadcast, stretch, divides, within of two extents
func.func @require_c1() {
  opc.require less<N, M> "no such relation"
  return
}

// -----

// CHECK: :30:3: error: opc.require: expected one of equal, broadcast, stretch, divides, within of two extents
func.func @require_c1_sides() {
  opc.require equal<N> "one side"
  return
}

// -----

// CHECK: :38:3: error: opc.split_axes: expected 2 outer and inner symbols
func.func @split_axes_c1(%axes: tensor<1xi64>) {
  opc.split_axes %axes of <N, 4> outer ["e0"] inner ["r0", "r1"] kept [] : tensor<1xi64>
  return
}

// -----

// CHECK: :45:33: error: #opc.dims<N, M> does not describe 1 axes with these extents
func.func @dims_rank(%x: tensor<?xf32, #opc.dims<N, M>>) {
  return
}

// -----

// CHECK: :52:35: error: #opc.dims<N, 5> does not describe 2 axes with these extents
func.func @dims_static(%x: tensor<?x4xf32, #opc.dims<N, 5>>) {
  return
}

// -----

// CHECK: :59:38: error: expected #opc.dims<...>, found 5 : i64
func.func @other_encoding(%x: tensor<?xf32, 5 : i64>) {
  return
}

// -----

// CHECK: :67:3: error: opc.read_extents: 'd0' cannot be a symbol
func.func @symbols_c1(%v: tensor<2xi64>) {
  opc.read_extents plain %v -> ["d0", "s1"] : tensor<2xi64>
  return
}

// -----

// CHECK: :75:3: error: opc.split_axes: a symbol is defined twice
func.func @symbols_c1_twice(%axes: tensor<1xi64>) {
  opc.split_axes %axes of <N> outer ["e0"] inner ["e0"] kept [] : tensor<1xi64>
  return
}

// -----

// CHECK: :83:3: error: opc.read_extents: expected one of plain, reshape, reshape_allowzero, expand, squeeze, unsqueeze
func.func @read_extents_c1(%v: tensor<2xi64>) {
  opc.read_extents flatten %v -> ["s0", "s1"] : tensor<2xi64>
  return
}

// -----

// CHECK: :91:3: error: opc.read_extents: values must be integers, found tensor<2xf32>
func.func @read_extents_c2(%v: tensor<2xf32>) {
  opc.read_extents plain %v -> ["s0", "s1"] : tensor<2xf32>
  return
}

// -----

// CHECK: :99:3: error: opc.read_extents: the number of values is unknown
func.func @read_extents_c3(%v: tensor<?xi64>) {
  opc.read_extents plain %v -> ["s0", "s1"] : tensor<?xi64>
  return
}

// -----

// CHECK: :107:3: error: opc.read_extents: 2 symbols for a shape of rank 1
func.func @read_extents_c4(%v: tensor<2xi64>) {
  opc.read_extents squeeze %v of <1, N, 1> -> ["s0", "s1"] : tensor<2xi64>
  return
}

// -----

// CHECK: :115:3: error: opc.read_extents: rank 17 exceeds 16
func.func @read_extents_c5(%v: tensor<17xi64>) {
  opc.read_extents plain %v -> ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15", "s16"] : tensor<17xi64>
  return
}

// -----

// CHECK: :123:3: error: opc.iota: expected a 1-D tensor of i64 as its result, found tensor<5xi32>
func.func @iota_c1() {
  %i = opc.iota : tensor<5xi32>
  return
}

// -----

// CHECK: :131:3: error: opc.iota: the extent of the result is unknown
func.func @iota_c2() {
  %i = opc.iota : tensor<?xi64>
  return
}

// -----

// CHECK: :139:3: error: opc.data_extent: expected one bound, found 2
func.func @data_extent_c1(%n: tensor<i64>) {
  opc.data_extent %n most <N, 3> -> "k" : tensor<i64>
  return
}

// -----

// CHECK: :147:3: error: opc.data_extent: expected an i64 of rank 0, found tensor<1xi64>
func.func @data_extent_c2(%n: tensor<1xi64>) {
  opc.data_extent %n most <N> -> "k" : tensor<1xi64>
  return
}

// -----

// CHECK: :155:3: error: opc.data_extent: 'd0' cannot be a symbol
func.func @data_extent_c3(%n: tensor<i64>) {
  opc.data_extent %n most <N> -> "d0" : tensor<i64>
  return
}

// -----

// CHECK: :163:3: error: opc.read_extents: 1 bounds, expected 2
func.func @read_extents_c7(%v: tensor<2xi64>) {
  opc.read_extents plain %v most <N> -> ["s0", "s1"] : tensor<2xi64>
  return
}
