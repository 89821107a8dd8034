// Every operator becomes primitives, each rounded once.
// RUN: opc-opt %s -p decompose | filecheck %s
// RUN: opc-opt %s -p decompose,decompose | filecheck %s
// RUN: opc-opt %s -p decompose --print-debuginfo | filecheck %s --check-prefix=PLACE

// CHECK-LABEL: func.func @scalar_function(
// CHECK-NEXT:    %r = opc.apply add(%x, %y) : tensor<2xf32>, tensor<f32> -> tensor<2xf32>
// CHECK-NEXT:    %s = opc.apply tanh(%r) : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %t = opc.apply lt(%s, %y) : tensor<2xf32>, tensor<f32> -> tensor<2xi1>
func.func @scalar_function(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<2xi1> {
  %r = opc.add %x, %y
  %s = opc.tanh %r
  %t = opc.less %s, %y
  return %t : tensor<2xi1>
}

// CHECK-LABEL: func.func @computed_in_f32(
// CHECK-NEXT:    [[X:%.+]] = opc.cast %x : tensor<2xf16> -> tensor<2xf32>
// CHECK-NEXT:    [[E:%.+]] = opc.apply exp([[X]]) : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %r = opc.cast [[E]] : tensor<2xf32> -> tensor<2xf16>
// CHECK-NEXT:    %s = opc.transpose %r {permutation = [0]} : tensor<2xf16> -> tensor<2xf16>
func.func @computed_in_f32(%x: tensor<2xf16>) -> tensor<2xf16> {
  %r = opc.exp %x
  %s = opc.transpose %r {permutation = [0]}
  return %s : tensor<2xf16>
}

// CHECK-LABEL: func.func @select_of_small_floats(
// CHECK-NEXT:    [[X:%.+]] = opc.cast %x : tensor<2xbf16> -> tensor<2xf32>
// CHECK-NEXT:    [[Y:%.+]] = opc.cast %y : tensor<2xbf16> -> tensor<2xf32>
// CHECK-NEXT:    [[S:%.+]] = opc.apply select(%c, [[X]], [[Y]])
// CHECK-NEXT:    %r = opc.cast [[S]] : tensor<2xf32> -> tensor<2xbf16>
func.func @select_of_small_floats(%c: tensor<2xi1>, %x: tensor<2xbf16>, %y: tensor<2xbf16>)
    -> tensor<2xbf16> {
  %r = opc.where %c, %x, %y
  return %r : tensor<2xbf16>
}

// PLACE-LABEL: func.func @computed_in_f64(
// PLACE:         opc.apply expm1{{.*}} loc("{{.*}}decompose.mlir":51:3)
// CHECK-LABEL: func.func @computed_in_f64(
// CHECK-NEXT:    [[X:%.+]] = opc.cast %x : tensor<2xf32> -> tensor<2xf64>
// CHECK-NEXT:    [[E:%.+]] = opc.apply expm1([[X]]) : tensor<2xf64> -> tensor<2xf64>
// CHECK-NEXT:    [[A:%.+]] = opc.constant dense<3.000000e-01> : tensor<f64>
// CHECK-NEXT:    [[M:%.+]] = opc.apply mul([[A]], [[E]])
// CHECK-NEXT:    [[Z:%.+]] = opc.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT:    [[C:%.+]] = opc.apply gt([[X]], [[Z]])
// CHECK-NEXT:    [[S:%.+]] = opc.apply select([[C]], [[X]], [[M]])
// CHECK-NEXT:    %r = opc.cast [[S]] : tensor<2xf64> -> tensor<2xf32>
func.func @computed_in_f64(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = opc.elu %x {alpha = 0.3}
  return %r : tensor<2xf32>
}

// One function, rounded once.
// CHECK-LABEL: func.func @one_function(
// CHECK-NEXT:    [[E:%.+]] = opc.apply expm1(%x) : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    [[Z:%.+]] = opc.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    [[C:%.+]] = opc.apply gt(%x, [[Z]])
// CHECK-NEXT:    %r = opc.apply select([[C]], %x, [[E]])
func.func @one_function(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = opc.elu %x
  return %r : tensor<2xf32>
}

// Powers by constants of at most two roundings.
// CHECK-LABEL: func.func @powers(
// CHECK:         %s = opc.apply mul(%x, %x)
// CHECK-NEXT:    [[C:%.+]] = opc.apply mul(%s, %s)
// CHECK-NEXT:    %c = opc.apply mul([[C]], %s)
// CHECK:         %i = opc.apply div({{%.+}}, %c)
// CHECK:         opc.apply sqrt(
// CHECK:         opc.apply pow(
func.func @powers(%x: tensor<2xf32>) -> tensor<2xf32> {
  %two = opc.constant dense<2.0> : tensor<2xf32>
  %three = opc.constant dense<3.0> : tensor<f32>
  %inverse = opc.constant dense<-1.0> : tensor<f32>
  %half = opc.constant dense<0.5> : tensor<f32>
  %four = opc.constant dense<4.0> : tensor<f32>
  %s = opc.pow %x, %two
  %c = opc.pow %s, %three
  %i = opc.pow %c, %inverse
  %h = opc.pow %i, %half
  %r = opc.pow %h, %four
  return %r : tensor<2xf32>
}

// An exact product is rounded as well by f32 as by f64, if f32 represents the factor.
// CHECK-LABEL: func.func @one_rounding(
// CHECK-NOT:     opc.cast
// CHECK:         %r = opc.apply select
// CHECK-NEXT:    opc.cast %r : tensor<2xf32> -> tensor<2xf64>
func.func @one_rounding(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = opc.leaky_relu %x {alpha = 0.25}
  %s = opc.leaky_relu %r {alpha = 0.1}
  return %s : tensor<2xf32>
}

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    [[M:%.+]] = opc.apply max(%x, %y)
// CHECK-NEXT:    %r = opc.apply max([[M]], %x)
// CHECK-NEXT:    func.return %r, %x
func.func @chain(%x: tensor<2xi8>, %y: tensor<i8>) -> (tensor<2xi8>, tensor<2xi8>) {
  %r = opc.max %x, %y, %x
  %s = opc.min %x
  return %r, %s : tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func.func @clip(
// CHECK-NEXT:    [[M:%.+]] = opc.apply max(%x, %y)
// CHECK-NEXT:    %r = opc.apply min([[M]], %z)
func.func @clip(%x: tensor<2xf32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<2xf32> {
  %r = opc.clip %x, %y, %z
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @flags(
// CHECK-NEXT:    opc.apply is_neginf(%x) : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    [[F:%.+]] = opc.constant dense<false> : tensor<i1>
// CHECK-NEXT:    opc.broadcast [[F]] : tensor<i1> -> tensor<2xi1>
// CHECK-NEXT:    opc.apply fmod(%x, %x)
// CHECK-NEXT:    opc.apply gelu_tanh(%x)
func.func @flags(%x: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) {
  %r = opc.is_inf %x {positive = false}
  %s = opc.is_inf %x {positive = false, negative = false}
  %t = opc.mod %x, %x {fmod = true}
  %u = opc.gelu %x {approximate = "tanh"}
  return %r, %s, %t, %u : tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @mean(
// CHECK-NEXT:    [[S:%.+]] = opc.reduce_sum %x {axes = [0]} : tensor<4x2xf32> -> tensor<2xf32>
// CHECK-NEXT:    [[N:%.+]] = opc.constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT:    %r = opc.apply div([[S]], [[N]]) : tensor<2xf32>, tensor<f32> -> tensor<2xf32>
func.func @mean(%x: tensor<4x2xf32>) -> tensor<2xf32> {
  %r = opc.reduce_mean %x {axes = [0]}
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @mean_over_symbols(
// CHECK-NEXT:    [[S:%.+]] = opc.reduce_sum %x {axes = [0, 1]}
// CHECK-NEXT:    [[E:%.+]] = opc.extent <N*2> : tensor<i64>
// CHECK-NEXT:    [[N:%.+]] = opc.cast [[E]] : tensor<i64> -> tensor<f32>
// CHECK-NEXT:    %r = opc.apply div([[S]], [[N]])
func.func @mean_over_symbols(%x: tensor<?x2xf32, #opc.dims<N, 2>>) -> tensor<f32> {
  %r = opc.reduce_mean %x {axes = [0, 1]}
  return %r : tensor<f32>
}

// 200 elements are more than i8 can count.
// CHECK-LABEL: func.func @mean_of_integers(
// CHECK-NEXT:    [[S:%.+]] = opc.reduce_sum %x {axes = [0]} : tensor<200xi8> -> tensor<i8>
// CHECK-NEXT:    [[N:%.+]] = opc.constant dense<200> : tensor<i64>
// CHECK-NEXT:    [[W:%.+]] = opc.cast [[S]] : tensor<i8> -> tensor<i64>
// CHECK-NEXT:    [[Q:%.+]] = opc.apply div([[W]], [[N]]) : tensor<i64>, tensor<i64> -> tensor<i64>
// CHECK-NEXT:    %r = opc.cast [[Q]] : tensor<i64> -> tensor<i8>
func.func @mean_of_integers(%x: tensor<200xi8>) -> tensor<i8> {
  %r = opc.reduce_mean %x {axes = [0]}
  return %r : tensor<i8>
}

// CHECK-LABEL: func.func @log_sum_exp(
// CHECK-NEXT:    [[M:%.+]] = opc.reduce_max %x {axes = [1]} : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT:    [[A:%.+]] = opc.apply abs([[M]])
// CHECK-NEXT:    [[I:%.+]] = opc.constant dense<0x7f800000> : tensor<f32>
// CHECK-NEXT:    [[F:%.+]] = opc.apply lt([[A]], [[I]])
// CHECK-NEXT:    [[Z:%.+]] = opc.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    [[S:%.+]] = opc.apply select([[F]], [[M]], [[Z]])
// CHECK-NEXT:    [[K:%.+]] = opc.reshape [[S]] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT:    [[C:%.+]] = opc.apply sub(%x, [[K]])
// CHECK-NEXT:    [[E:%.+]] = opc.apply exp([[C]])
// CHECK-NEXT:    [[T:%.+]] = opc.reduce_sum [[E]] {axes = [1]}
// CHECK-NEXT:    [[L:%.+]] = opc.apply log([[T]])
// CHECK-NEXT:    %r = opc.apply add([[L]], [[S]])
func.func @log_sum_exp(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %r = opc.reduce_log_sum_exp %x {axes = [1]}
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @norm_of_integers(
// CHECK-NEXT:    [[X:%.+]] = opc.cast %x : tensor<3xi32> -> tensor<3xf64>
// CHECK-NEXT:    [[M:%.+]] = opc.apply mul([[X]], [[X]])
// CHECK-NEXT:    [[S:%.+]] = opc.reduce_sum [[M]] {axes = [0]}
// CHECK-NEXT:    [[Q:%.+]] = opc.apply sqrt([[S]])
// CHECK-NEXT:    %r = opc.cast [[Q]] : tensor<f64> -> tensor<i32>
func.func @norm_of_integers(%x: tensor<3xi32>) -> tensor<i32> {
  %r = opc.reduce_l2 %x {axes = [0]}
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @norm_of_a_scalar(
// CHECK-NEXT:    %r = opc.apply abs(%x) : tensor<f32> -> tensor<f32>
// CHECK-NEXT:    func.return %r
func.func @norm_of_a_scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = opc.reduce_l1 %x
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @sums_in_f32(
// CHECK:         opc.reduce_sum {{.*}} : tensor<2x2xf32> -> tensor<2xf32>
// CHECK:         opc.matmul {{.*}} : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
// CHECK:         opc.argmax {{.*}} : tensor<2x2xf32> -> tensor<2xi64>
func.func @sums_in_f32(%x: tensor<2x2xf16>) -> (tensor<2xf16>, tensor<2x2xf16>, tensor<2xi64>) {
  %r = opc.reduce_sum %x {axes = [0]}
  %s = opc.matmul %x, %x
  %t = opc.argmax %x {axis = 0}
  return %r, %s, %t : tensor<2xf16>, tensor<2x2xf16>, tensor<2xi64>
}

// Results at odd places of the whole one, of which one is cut off, see one tap, the others two.
// CHECK-LABEL: func.func @transposed_convolution(
// CHECK-NEXT:    [[X:%.+]] = opc.cast %x : tensor<1x2x5xf16> -> tensor<1x2x5xf32>
// CHECK-NEXT:    [[W:%.+]] = opc.cast %w : tensor<2x3x3xf16> -> tensor<2x3x3xf32>
// CHECK-NEXT:    opc.slice [[W]] {starts = [0, 0, 1], stops = [{{.*}}, 0], steps = [1, 1, -1]}
// CHECK:         [[A:%.+]] = opc.conv [[X]], {{%.+}} {{{.*}}pads = [0, 0]} : {{.*}} -> tensor<1x3x5xf32>
// CHECK:         opc.slice [[W]] {starts = [0, 0, 2], {{.*}} steps = [1, 1, -2]}
// CHECK:         [[B:%.+]] = opc.conv [[X]], {{%.+}} {{{.*}}pads = [0, 1]} : {{.*}} -> tensor<1x3x5xf32>
// CHECK:         opc.concat {{.*}} {axis = 2} : {{.*}} -> tensor<1x3x2x5xf32>
// CHECK-NEXT:    opc.transpose {{.*}} -> tensor<1x3x5x2xf32>
// CHECK-NEXT:    opc.reshape {{.*}} -> tensor<1x3x10xf32>
// CHECK-NEXT:    opc.slice {{.*}} -> tensor<1x3x9xf32>
// CHECK-NEXT:    %r = opc.cast {{.*}} : tensor<1x3x9xf32> -> tensor<1x3x9xf16>
func.func @transposed_convolution(%x: tensor<1x2x5xf16>, %w: tensor<2x3x3xf16>)
    -> tensor<1x3x9xf16> {
  %r = opc.conv_transpose %x, %w {strides = [2], pads = [1, 1]}
  return %r : tensor<1x3x9xf16>
}

// Three filters that each have two phases, which see as much of other elements, are six.
// CHECK-LABEL: func.func @phases_together(
// CHECK:         opc.conv %x, {{%.+}} {{{.*}}pads = [1, 1]} : {{.*}}, tensor<6x2x2xf32> -> tensor<1x6x6xf32>
// CHECK-NOT:     opc.conv
// CHECK:         %r = opc.slice {{.*}} : tensor<1x3x12xf32> -> tensor<1x3x10xf32>
func.func @phases_together(%x: tensor<1x2x5xf32>, %w: tensor<2x3x4xf32>) -> tensor<1x3x10xf32> {
  %r = opc.conv_transpose %x, %w {strides = [2], pads = [1, 1]}
  return %r : tensor<1x3x10xf32>
}

// What no tap reaches is 0.
// CHECK-LABEL: func.func @zeros_between(
// CHECK:         opc.conv %x, {{%.+}} {{{.*}}groups = 2} : {{.*}}, tensor<12x2x1xi32> -> tensor<1x12x?xi32, #opc.dims<1, 12, N>>
// CHECK:         [[Z:%.+]] = opc.constant dense<0> : tensor<i32>
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast [[Z]]
// CHECK-NEXT:    opc.concat {{%.+}}, [[B]] {axis = 2}
func.func @zeros_between(%x: tensor<1x4x?xi32, #opc.dims<1, 4, N>>, %w: tensor<4x3x2xi32>)
    -> tensor<1x6x?xi32, #opc.dims<1, 6, 3*N>> {
  %r = opc.conv_transpose %x, %w {strides = [3], output_padding = [1], groups = 2}
  return %r : tensor<1x6x?xi32, #opc.dims<1, 6, 3*N>>
}

// Sums of products by labels are products of matrices, whose axes are put together.
// CHECK-LABEL: func.func @contract_of_matrices(
// CHECK-NEXT:    %r = opc.matmul %a, %b : tensor<5x2x3xf32>, tensor<5x3x4xf32> -> tensor<5x2x4xf32>
// CHECK-NEXT:    return
func.func @contract_of_matrices(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>)
    -> tensor<5x2x4xf32> {
  %r = opc.contract %a, %b {equation = "bij,bjk->bik"}
  return %r : tensor<5x2x4xf32>
}

// CHECK-LABEL: func.func @contract_in_order(
// CHECK-NEXT:    [[A:%.+]] = opc.reshape %a : tensor<2x3x4xf32> -> tensor<2x12xf32>
// CHECK-NEXT:    [[T:%.+]] = opc.transpose %b {permutation = [2, 1, 0]}
// CHECK-NEXT:    [[B:%.+]] = opc.reshape [[T]] : tensor<3x4x6xf32> -> tensor<12x6xf32>
// CHECK-NEXT:    [[P:%.+]] = opc.matmul [[A]], [[B]]
// CHECK-NEXT:    %r = opc.transpose [[P]] {permutation = [1, 0]} : tensor<2x6xf32> -> tensor<6x2xf32>
func.func @contract_in_order(%a: tensor<2x3x4xf32>, %b: tensor<6x4x3xf32>) -> tensor<6x2xf32> {
  %r = opc.contract %a, %b {equation = "ijk,mkj->mi"}
  return %r : tensor<6x2xf32>
}

// What only one operand has is added up first, from the left; the sum of f16 is rounded once.
// CHECK-LABEL: func.func @contract_three(
// CHECK-NEXT:    [[A:%.+]] = opc.cast %a : tensor<2x3xf16> -> tensor<2x3xf32>
// CHECK:         [[S:%.+]] = opc.reduce_sum [[A]] {axes = [1]} : tensor<2x3xf32> -> tensor<2xf32>
// CHECK:         [[M:%.+]] = opc.apply mul({{.*}}) : tensor<2x1xf32>, tensor<1x4xf32> -> tensor<2x4xf32>
// CHECK:         [[P:%.+]] = opc.matmul [[M]], {{%.+}} : tensor<2x4xf32>, tensor<4x1xf32> -> tensor<2x1xf32>
// CHECK-NEXT:    [[R:%.+]] = opc.reshape [[P]] : tensor<2x1xf32> -> tensor<2xf32>
// CHECK-NEXT:    %r = opc.cast [[R]] : tensor<2xf32> -> tensor<2xf16>
func.func @contract_three(%a: tensor<2x3xf16>, %b: tensor<1x4xf16>, %c: tensor<4xf16>)
    -> tensor<2xf16> {
  %r = opc.contract %a, %b, %c {equation = "ij,ik,k->i"}
  return %r : tensor<2xf16>
}

// Of n rows of n, the diagonal is in front of n rows of n + 1.
// CHECK-LABEL: func.func @contract_diagonal(
// CHECK:         opc.concat {{.*}} -> tensor<3x?xi32, #opc.dims<3, N*N + N>>
// CHECK-NEXT:    opc.reshape {{.*}} -> tensor<3x?x?xi32, #opc.dims<3, N, N + 1>>
// CHECK-NEXT:    opc.slice {{.*}} -> tensor<3x?x1xi32, #opc.dims<3, N, 1>>
// CHECK-NEXT:    [[D:%.+]] = opc.reshape {{.*}} -> tensor<3x?xi32, #opc.dims<3, N>>
// CHECK-NEXT:    %r = opc.transpose [[D]] {permutation = [1, 0]}
func.func @contract_diagonal(%a: tensor<?x3x?xi32, #opc.dims<N, 3, M>>)
    -> tensor<?x3xi32, #opc.dims<N, 3>> {
  %r = opc.contract %a {equation = "iji->ij"}
  return %r : tensor<?x3xi32, #opc.dims<N, 3>>
}

// CHECK-LABEL: func.func @contract_booleans(
// CHECK:         [[P:%.+]] = opc.matmul {{.*}} : tensor<2x3xi64>, tensor<3x4xi64> -> tensor<2x4xi64>
// CHECK-NEXT:    [[A:%.+]] = opc.cast [[P]] : tensor<2x4xi64> -> tensor<2x4xi1>
// CHECK-NEXT:    [[C:%.+]] = opc.reduce_any %c {axes = [2]}
// CHECK-NEXT:    %r = opc.apply and([[A]], [[C]])
func.func @contract_booleans(%a: tensor<2x3xi1>, %b: tensor<3x4xi1>, %c: tensor<2x4x5xi1>)
    -> tensor<2x4xi1> {
  %r = opc.contract %a, %b, %c {equation = "ij,jk,ikm->ik"}
  return %r : tensor<2x4xi1>
}

// Extents that are required to be equal are one from there on.
// CHECK-LABEL: func.func @contract_equal_extents(
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast %b : {{.*}} -> tensor<?xf32, #opc.dims<N>>
// CHECK-NEXT:    %r = opc.apply mul(%a, [[B]])
func.func @contract_equal_extents(
    %a: tensor<?xf32, #opc.dims<N>>, %b: tensor<?xf32, #opc.dims<M>>
) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.contract %a, %b {equation = "i,i->i"}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Totals of f16 are f32, and each is rounded once.
// CHECK-LABEL: func.func @totals(
// CHECK-NEXT:    [[A:%.+]] = opc.cast %x : tensor<4x8xf16> -> tensor<4x8xf32>
// CHECK-NEXT:    [[B:%.+]] = opc.cum_prod [[A]] {axis = 1, exclusive = true}
// CHECK-NEXT:    opc.cast [[B]] : tensor<4x8xf32> -> tensor<4x8xf16>
func.func @totals(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %r = opc.cum_prod %x {axis = 1, exclusive = true}
  return %r : tensor<4x8xf16>
}
