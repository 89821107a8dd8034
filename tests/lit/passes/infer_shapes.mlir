// Unknown extents get names, types follow, and what must hold is stated at the start.
// RUN: opc-opt %s -p infer-shapes | filecheck %s
// RUN: opc-opt %s -p infer-shapes,infer-shapes | filecheck %s

// CHECK-LABEL: func.func @arguments_are_named(%x: tensor<?x4x?xf32, #opc.dims<s0, 4, s1>>
// CHECK-SAME:    -> tensor<?x4x?xf32, #opc.dims<s0, 4, s1>> {
// CHECK-NEXT:    func.return %x : tensor<?x4x?xf32, #opc.dims<s0, 4, s1>>
func.func @arguments_are_named(%x: tensor<?x4x?xf32>) -> tensor<?x4x?xf32> {
  return %x : tensor<?x4x?xf32>
}

// CHECK-LABEL: func.func @names_in_use_are_skipped(
// CHECK-SAME:    %x: tensor<?xf32, #opc.dims<s1>>, %y: tensor<?x?xf32, #opc.dims<s0, s2>>)
func.func @names_in_use_are_skipped(%x: tensor<?xf32>, %y: tensor<?x?xf32, #opc.dims<s0, ?>>) {
  return
}

// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:    opc.require broadcast<s0, s1> "opc.add: extents do not broadcast"
// CHECK-NEXT:    %r = opc.add %x, %y : {{.*}} -> tensor<?x4xf32, #opc.dims<bcast(s0, s1), 4>>
// CHECK-NEXT:    %s = opc.mul %r, %y : {{.*}} -> tensor<?x4xf32, #opc.dims<bcast(s0, s1), 4>>
// CHECK-NEXT:    func.return
func.func @broadcast(%x: tensor<?x4xf32>, %y: tensor<?x1xf32>) {
  %r = opc.add %x, %y
  %s = opc.mul %r, %y
  return
}

// An extent that the graph says to be a number is one, everywhere.
// CHECK-LABEL: func.func @declared(
// CHECK-SAME:      %x: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %r = opc.neg %x : tensor<8xf32> -> tensor<8xf32>
// CHECK-NEXT:    func.return %r : tensor<8xf32>
func.func @declared(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<8xf32> {
  %r = opc.neg %x : tensor<?xf32, #opc.dims<N>> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @stated_once(
// CHECK-NEXT:    opc.require equal<s1, s2> "opc.matmul: contracted extents differ"
// CHECK-NEXT:    %r = opc.matmul %x, %y
// CHECK-NEXT:    %s = opc.matmul %x, %y
func.func @stated_once(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>) {
  %r = opc.matmul %x, %y
  %s = opc.matmul %x, %y
  return
}

// Callers give symbols, so an argument's expression becomes one that is checked.
// CHECK-LABEL: func.func @argument_expression(
// CHECK-SAME:    %x: tensor<?xf32, #opc.dims<N>>, %y: tensor<?xf32, #opc.dims<s0>>)
// CHECK-NEXT:    opc.require equal<s0, N*2> "argument 1: the extent is not N*2"
func.func @argument_expression(
    %x: tensor<?xf32, #opc.dims<N>>, %y: tensor<?xf32, #opc.dims<2*N>>) {
  return
}

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT:    opc.require divides<s0*s1, 8> "opc.reshape: the number of elements differs"
// CHECK-NEXT:    opc.reshape %x : {{.*}} -> tensor<?x8xf32, #opc.dims<floordiv(s0*s1, 8), 8>>
func.func @reshape(%x: tensor<?x?xf32>) {
  %r = opc.reshape %x : tensor<?x?xf32> -> tensor<?x8xf32>
  return
}

// Stretching from 1 always works, so nothing is stated.
// CHECK-LABEL: func.func @stretch(
// CHECK-NEXT:    opc.broadcast %x : tensor<1xf32> -> tensor<3x5xf32>
func.func @stretch(%x: tensor<1xf32>) {
  %r = opc.broadcast %x : tensor<1xf32> -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @constant_axes(
// CHECK:         %r = opc.reduce_sum %x {axes = [-1]} : tensor<2x3xf32> -> tensor<2xf32>
// CHECK-NEXT:    func.return %r : tensor<2xf32>
func.func @constant_axes(%x: tensor<2x3xf32>) -> tensor<?xf32> {
  %c = opc.constant dense<-1> : tensor<i32>
  %axes = opc.cast %c : tensor<i32> -> tensor<i64>
  %list = opc.reshape %axes : tensor<i64> -> tensor<1xi64>
  %r = opc.reduce_sum %x, %list : tensor<2x3xf32>, tensor<1xi64> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @no_axes(
// CHECK-NEXT:    %r = opc.reduce_l2 %x {axes = []} : tensor<2x3xf32> -> tensor<2x3xf32>
func.func @no_axes(%x: tensor<2x3xf32>, %axes: tensor<0xi64>) {
  %r = opc.reduce_l2 %x, %axes : tensor<2x3xf32>, tensor<0xi64> -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @run_time_axes(
// CHECK-NEXT:    opc.split_axes %axes of <2, s0> outer ["e0", "e1"] inner ["r0", "r1"] kept ["k0"] : tensor<1xi32>
// CHECK-NEXT:    [[X:%.+]] = opc.reshape %x : {{.*}} -> tensor<?x?x?x?xf32, #opc.dims<e0, r0, e1, r1>>
// CHECK-NEXT:    [[R:%.+]] = opc.reduce_l1 [[X]] {axes = [1, 3]} : {{.*}} -> tensor<?x?xf32, #opc.dims<e0, e1>>
// CHECK-NEXT:    %r = opc.reshape [[R]] : {{.*}} -> tensor<?xf32, #opc.dims<k0>>
// CHECK-NEXT:    func.return %r : tensor<?xf32, #opc.dims<k0>>
func.func @run_time_axes(%x: tensor<2x?xf32>, %axes: tensor<1xi32>) -> tensor<?xf32> {
  %r = opc.reduce_l1 %x, %axes : tensor<2x?xf32>, tensor<1xi32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// One split serves reductions that agree; what its symbols must fulfil follows it.
// CHECK-LABEL: func.func @run_time_axes_shared(
// CHECK-NEXT:    opc.split_axes %axes of <2, s0> outer ["e0", "e1"] inner ["r0", "r1"] kept [] : tensor<?xi64,
// CHECK-NEXT:    opc.require broadcast<2, e0> "opc.sub: extents do not broadcast"
// CHECK-NEXT:    opc.reshape
// CHECK-NEXT:    opc.reduce_max
// CHECK-NEXT:    opc.reshape
// CHECK-NEXT:    opc.reduce_mean
// CHECK-NOT:     split_axes
func.func @run_time_axes_shared(%x: tensor<2x?xf32>, %axes: tensor<?xi64>) {
  %a = opc.reduce_max %x, %axes {keepdims = true} : tensor<2x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  %b = opc.reduce_mean %x, %axes {keepdims = true} : tensor<2x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  %y = opc.reduce_sum %x {axes = [1], keepdims = true}
  %r = opc.sub %y, %a : tensor<2x1xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @run_time_axes_all(
// CHECK:         kept [] all : tensor<?xi64, #opc.dims<s0>>
func.func @run_time_axes_all(%x: tensor<2x3xf32>, %axes: tensor<?xi64>) {
  %a = opc.reduce_l1 %x, %axes {keepdims = true, empty_axes = "all"} : tensor<2x3xf32>, tensor<?xi64> -> tensor<?x?xf32>
  return
}

// As many axes as the rank are all axes; the split still checks them.
// CHECK-LABEL: func.func @run_time_axes_of_full_rank(
// CHECK-NEXT:    opc.split_axes %axes of <2, 3>
// CHECK-NEXT:    opc.reduce_sum %x {axes = [0, 1]} : tensor<2x3xf32> -> tensor<f32>
func.func @run_time_axes_of_full_rank(%x: tensor<2x3xf32>, %axes: tensor<2xi64>) {
  %a = opc.reduce_sum %x, %axes : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return
}

// What a body requires of its extents, and what arguments must have in common, the caller requires.
// CHECK-LABEL: func.func @scan
// CHECK:         opc.require equal<N, M> "opc.scan: extents differ"
// CHECK:         opc.require broadcast<N, K> "opc.add: extents do not broadcast"
// CHECK:         opc.scan @step <T> carry (%h) over (%x) with (%w)
func.func @scan(%h: tensor<?xf32, #opc.dims<N>>, %x: tensor<?x?xf32, #opc.dims<T, M>>,
                %w: tensor<?xf32, #opc.dims<K>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.scan @step <T> carry (%h) over (%x) with (%w)
      : (tensor<?xf32, #opc.dims<N>>, tensor<?x?xf32, #opc.dims<T, M>>, tensor<?xf32, #opc.dims<K>>)
      -> (tensor<?xf32, #opc.dims<N>>)
  return %r : tensor<?xf32, #opc.dims<N>>
}
func.func private @step(%h: tensor<?xf32, #opc.dims<A>>, %x: tensor<?xf32, #opc.dims<A>>,
                        %w: tensor<?xf32, #opc.dims<B>>) -> tensor<?xf32, #opc.dims<A>> {
  %s = opc.add %h, %x
  %t = opc.add %s, %w
  return %s : tensor<?xf32, #opc.dims<A>>
}

// Axes of one label have one extent, but those of extent 1.
// CHECK-LABEL: func.func @contract
// CHECK-NEXT:    opc.require equal<N, K> "opc.contract: extents of the diagonal 'i' differ"
// CHECK-NEXT:    %r = opc.contract %a, %b {equation = "iij,ij->ji"} : {{.*}} -> tensor<3x?xf32, #opc.dims<3, N>>
func.func @contract(
    %a: tensor<?x?x?xf32, #opc.dims<N, K, M>>, %b: tensor<1x3xf32>
) -> tensor<3x?xf32, #opc.dims<3, N>> {
  %r = opc.contract %a, %b {equation = "iij,ij->ji"}
  return %r : tensor<3x?xf32, #opc.dims<3, N>>
}

// Extents that are computed are what a function of the arguments gives.
// CHECK-LABEL: func.func @computed
// CHECK-NEXT:    opc.read_extents reshape @extents0 gives 2 %x, %v of <6> -> ["a", "b"]
// CHECK-NEXT:    opc.reshape %x
// CHECK:       func.func private @extents0(%{{.*}}: tensor<6xf32>, [[V:%.+]]: tensor<2xi64>)
// CHECK-NEXT:    [[W:%.+]] = opc.add [[V]], [[V]]
// CHECK-NEXT:    func.return [[W]]
func.func @computed(%x: tensor<6xf32>, %v: tensor<2xi64>) -> tensor<?x?xf32, #opc.dims<a, b>> {
  %w = opc.add %v, %v
  opc.read_extents reshape %w of <6> -> ["a", "b"] : tensor<2xi64>
  %y = opc.reshape %x : tensor<6xf32> -> tensor<?x?xf32, #opc.dims<a, b>>
  return %y : tensor<?x?xf32, #opc.dims<a, b>>
}
