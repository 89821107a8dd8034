// Extents that are computed may depend on extents that were read before, which are given to the
// function that computes them; what must hold for these is checked in front of it.
// RUN: opc-opt %s -p infer-shapes | filecheck %s
// RUN: opc-opt %s -p infer-shapes,infer-shapes | filecheck %s

// CHECK-LABEL: func.func @computed_twice
// CHECK-NEXT:    opc.read_extents plain %v -> ["a"]
// CHECK-NEXT:    opc.require broadcast<a, 6>
// CHECK-NEXT:    opc.read_extents plain @extents0 gives 1 %x, %v -> ["b"]
// CHECK-NEXT:    opc.iota
// CHECK:       func.func private @extents0
// CHECK-NEXT:    opc.given_extents ["a"]
func.func @computed_twice(%x: tensor<6xi64>, %v: tensor<1xi64>) -> tensor<?xi64, #opc.dims<b>> {
  opc.read_extents plain %v -> ["a"] : tensor<1xi64>
  %n = opc.iota : tensor<?xi64, #opc.dims<a>>
  %s = opc.add %n, %x : tensor<?xi64, #opc.dims<a>>, tensor<6xi64> -> tensor<?xi64>
  %l = opc.reduce_max %s {axes = [0], keepdims = true}
  opc.read_extents plain %l -> ["b"] : tensor<1xi64>
  %y = opc.iota : tensor<?xi64, #opc.dims<b>>
  return %y : tensor<?xi64, #opc.dims<b>>
}
