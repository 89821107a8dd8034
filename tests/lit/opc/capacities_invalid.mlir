// A capacity is an extent that the public function is given, and the bound itself.
// RUN: not opc-opt --split-input-file %s -p infer-shapes 2>&1 | filecheck %s

// CHECK: error: opc.data_extent: the upper bound is N, expected c, and that in opc.given_extents
func.func @other(%n: tensor<i64>, %x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xi64, #opc.dims<k>> {
  opc.given_extents ["c"]
  opc.data_extent %n most <N> of "c" -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  return %i : tensor<?xi64, #opc.dims<k>>
}

// -----

// CHECK: error: opc.data_extent: the upper bound is N, expected N, and that in opc.given_extents
func.func @input(%n: tensor<i64>, %x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xi64, #opc.dims<k>> {
  opc.data_extent %n most <N> of "N" -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  return %i : tensor<?xi64, #opc.dims<k>>
}

// -----

// CHECK: error: extent N is defined twice
func.func @twice(%n: tensor<i64>, %x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xi64, #opc.dims<k>> {
  opc.given_extents ["N"]
  opc.data_extent %n most <N> of "N" -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  return %i : tensor<?xi64, #opc.dims<k>>
}
