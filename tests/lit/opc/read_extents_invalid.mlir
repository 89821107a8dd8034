// Extents that a function computes need that function.
// RUN: not opc-opt %s -p infer-shapes 2>&1 | filecheck %s

// CHECK: error: opc.read_extents: there is no function
func.func @read_extents_c6(%x: tensor<2xi64>) {
  opc.read_extents plain @values gives 2 %x -> ["s0", "s1"] : tensor<2xi64>
  return
}
