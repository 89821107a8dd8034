// Passes of xDSL on graphs: what is pure merges or goes, checks and definitions of symbols stay.
// RUN: opc-opt -p cse %s | filecheck %s --check-prefix CSE
// RUN: opc-opt -p dce %s | filecheck %s --check-prefix DCE
// RUN: opc-opt -p canonicalize %s | filecheck %s --check-prefix DCE

// CSE-LABEL: func.func @duplicates
// CSE-NEXT: [[A:%.+]] = opc.sub %x, %y
// CSE-NEXT: [[S:%.+]] = opc.reduce_sum %x {axes = [0]}
// CSE-NEXT: opc.mul [[A]], [[A]]
// CSE-NEXT: opc.mul [[S]], [[S]]
// CSE-NEXT: return
// DCE-LABEL: func.func @duplicates
// DCE-COUNT-2: opc.sub
func.func @duplicates(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %a = opc.sub %x, %y
  %b = opc.sub %x, %y
  %s = opc.reduce_sum %x {axes = [0]}
  // A default that is written is the same operator as one that is not.
  %t = opc.reduce_sum %x {keepdims = false, axes = [0]}
  %c = opc.mul %a, %b
  %e = opc.mul %s, %t
  return %c, %e : tensor<4xf32>, tensor<f32>
}

// CSE-LABEL: func.func @attributes_differ
// CSE-NEXT: opc.reduce_sum
// CSE-NEXT: opc.reduce_sum
// CSE-NEXT: opc.reduce_max
// CSE-NEXT: return
func.func @attributes_differ(%x: tensor<4x4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = opc.reduce_sum %x {axes = [0]}
  %b = opc.reduce_sum %x {axes = [1]}
  %c = opc.reduce_max %x {axes = [0]}
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// DCE-LABEL: func.func @unused
// DCE-NEXT: opc.require_range
// DCE-NEXT: opc.require broadcast<N, M>
// DCE-NEXT: opc.read_extents
// DCE-NEXT: return
func.func @unused(%x: tensor<4xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>, %n: tensor<?xf32>,
    %m: tensor<?xf32>, %e: tensor<1xi64>) {
  %a = opc.exp %x
  %b = opc.neg %a
  %g = opc.gather %x, %i {axes = [0]}
  %s = opc.scatter %x, %u, %i {axes = [0]}
  %k = opc.constant dense<1.0> : tensor<4xf32>
  opc.require_range %i from <-4> to <3> "an index is outside" : tensor<2xi64>
  opc.require broadcast<N, M> "extents do not broadcast"
  opc.read_extents plain %e -> ["s0"] : tensor<1xi64>
  return
}

// CSE-LABEL: func.func @checks
// CSE-COUNT-2: opc.require_range
// CSE: return
func.func @checks(%i: tensor<2xi64>) {
  opc.require_range %i from <-4> to <3> "an index is outside" : tensor<2xi64>
  opc.require_range %i from <-4> to <3> "an index is outside" : tensor<2xi64>
  return
}

// CSE-LABEL: func.func @control
// CSE-NEXT: [[R:%.+]] = opc.if %c then @one (%x) else @other (%x)
// CSE-NEXT: return [[R]], [[R]]
// DCE-LABEL: func.func @control
// DCE-COUNT-2: opc.if
// DCE-NEXT: return
func.func @control(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = opc.if %c then @one (%x) else @other (%x)
      : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  %s = opc.if %c then @one (%x) else @other (%x)
      : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  %t = opc.if %c then @other (%x) else @one (%x)
      : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}
// Bodies are named, not used: they stay.
// DCE-LABEL: func.func private @one
// DCE-LABEL: func.func private @other
func.func private @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = opc.neg %x
  return %y : tensor<4xf32>
}
