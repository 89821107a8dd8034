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

// CHECK: :22:3: error: opc.require: expected one of equal, broadcast, stretch, divides of two extents
func.func @require_c1() {
  opc.require less<N, M> "no such relation"
  return
}

// -----

// CHECK: :30:3: error: opc.require: expected one of equal, broadcast, stretch, divides of two extents
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
