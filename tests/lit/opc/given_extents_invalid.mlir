// Extents that are given to a function are those of a function around it, which computes extents by it.
// RUN: not opc-opt --split-input-file %s -p infer-shapes 2>&1 | filecheck %s

// CHECK: error: extent a is not an extent of any argument
func.func @unknown(%x: tensor<2xi64>) -> tensor<?xi64, #opc.dims<s>> {
  opc.read_extents plain @values gives 1 %x -> ["s"] : tensor<2xi64>
  %r = opc.iota : tensor<?xi64, #opc.dims<s>>
  return %r : tensor<?xi64, #opc.dims<s>>
}
func.func private @values(%x: tensor<2xi64>) -> tensor<1xi64> {
  opc.given_extents ["a"]
  %e = opc.extent <a>
  %r = opc.reshape %e -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK: error: opc.if: @body takes opc.given_extents, which control flow cannot give
func.func @control(%c: tensor<i1>) -> tensor<i64> {
  %r = opc.if %c then @body() else @body() : (tensor<i1>) -> (tensor<i64>)
  return %r : tensor<i64>
}
func.func private @body() -> tensor<i64> {
  opc.given_extents ["a"]
  %r = opc.extent <a>
  return %r : tensor<i64>
}

// -----

// CHECK: error: opc.given_extents: a symbol is defined twice
func.func private @twice() -> tensor<i64> {
  opc.given_extents ["a", "a"]
  %r = opc.extent <a>
  return %r : tensor<i64>
}
