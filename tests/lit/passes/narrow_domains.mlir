// Functions of what is never positive, and of constants, become others that take fewer operations.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains | filecheck %s

// The greatest value of a row is subtracted; that need not see NaNs.
// CHECK-LABEL: func.func @softmax(
// CHECK:         [[M:%.+]] = kernel.sweep [1000] (max_number)
// CHECK:         [[X:%.+]] = kernel.load %x[d0, d1]
// CHECK:         [[X:%.+]] = kernel.load %x[d0, d1]
// CHECK-NEXT:    [[D:%.+]] = scalar.apply sub([[M]], [[X]])
// CHECK-NEXT:    scalar.apply exp_neg([[D]])
func.func @softmax(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<64x1000xf32>
}

// Rounding to f16 gets no number of f16 above the greatest one.
// CHECK-LABEL: func.func @narrow(
// CHECK:         [[D:%.+]] = scalar.apply sub(
// CHECK-NEXT:    [[N:%.+]] = scalar.apply cast([[D]]) : f16
// CHECK-NEXT:    [[W:%.+]] = scalar.apply cast([[N]]) : f32
// CHECK-NEXT:    scalar.apply exp_neg([[W]])
func.func @narrow(%x: tensor<64x1000xf16>) -> tensor<64xf16> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %r = opc.reduce_sum %e {axes = [1]}
  return %r : tensor<64xf16>
}

// The values are computed, and kept for the second sweep.
// CHECK-LABEL: func.func @computed(
// CHECK:         scalar.apply exp_neg(
func.func @computed(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %y = opc.tanh %x
  %m = opc.reduce_max %y {axes = [1], keepdims = true}
  %d = opc.sub %y, %m
  %e = opc.exp %d
  %r = opc.reduce_sum %e {axes = [1]}
  return %r : tensor<64xf32>
}

// -x^2/2
// CHECK-LABEL: func.func @gauss(
// CHECK:         [[Q:%.+]] = scalar.apply mul(
// CHECK-NEXT:    [[H:%.+]] = scalar.constant 5.000000e-01
// CHECK-NEXT:    [[G:%.+]] = scalar.apply mul([[Q]], [[H]])
// CHECK-NEXT:    scalar.apply exp_neg([[G]])
func.func @gauss(%x: tensor<64xf32>) -> tensor<64xf32> {
  %half = opc.constant dense<-0.5> : tensor<f32>
  %q = opc.mul %x, %x
  %h = opc.mul %q, %half
  %r = opc.exp %h
  return %r : tensor<64xf32>
}

// The negative of something else takes an operation.
// CHECK-LABEL: func.func @product(
// CHECK:         [[P:%.+]] = scalar.apply mul(
// CHECK-NEXT:    [[N:%.+]] = scalar.apply neg([[P]])
// CHECK-NEXT:    scalar.apply exp_neg([[N]])
func.func @product(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %a = opc.abs %x
  %b = opc.sqrt %y
  %n = opc.neg %a
  %p = opc.mul %n, %b
  %r = opc.exp %p
  return %r : tensor<64xf32>
}

// The greatest value of other rows, of other values, and the least value.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     exp_neg
// CHECK:         return
func.func @others(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %c = opc.reduce_max %x {axes = [0], keepdims = true}
  %t = opc.transpose %c {permutation = [1, 0]}
  %m = opc.reduce_max %y {axes = [1], keepdims = true}
  %l = opc.reduce_min %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %t
  %e = opc.sub %x, %m
  %f = opc.sub %x, %l
  %r = opc.exp %d
  %s = opc.exp %e
  %u = opc.exp %f
  return %r, %s, %u : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// Infinity less 0 is infinity; that of the sum is added to the maximum.
// CHECK-LABEL: func.func @log_sum_exp(
// CHECK:         kernel.sweep [1000] (max_number)
// CHECK-NOT:     exp_neg
// CHECK:         return
func.func @log_sum_exp(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %r = opc.reduce_log_sum_exp %x {axes = [1]}
  return %r : tensor<64xf32>
}

// Constants come second, and neither is the lesser zero.
// CHECK-LABEL: func.func @limits(
// CHECK:         [[Z:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK:         [[A:%.+]] = scalar.apply at_least({{%.+}}, [[Z]])
// CHECK:         [[T:%.+]] = scalar.constant 2.000000e+00 : f32
// CHECK-NEXT:    [[B:%.+]] = scalar.apply at_most([[A]], [[T]])
// CHECK:         scalar.apply max([[B]], {{%.+}})
// CHECK:         scalar.apply min({{%.+}}, {{%.+}})
// CHECK:         scalar.apply max({{%.+}}, {{%.+}})
func.func @limits(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = opc.constant dense<0.0> : tensor<f32>
  %two = opc.constant dense<2.0> : tensor<f32>
  %less = opc.constant dense<-0.0> : tensor<f32>
  %nan = opc.constant dense<0x7fc00000> : tensor<f32>
  %a = opc.max %zero, %x
  %b = opc.min %a, %two
  %c = opc.max %b, %less
  %d = opc.min %c, %zero
  %r = opc.max %d, %nan
  return %r : tensor<64xf32>
}

// CHECK-LABEL: func.func @quotients(
// CHECK:         scalar.apply quotient(
// CHECK:         scalar.apply remainder(
// CHECK:         scalar.apply residue(
// CHECK:         scalar.apply div(
// CHECK:         scalar.apply mod(
func.func @quotients(%x: tensor<64xi32>) -> tensor<64xi32> {
  %three = opc.constant dense<3> : tensor<i32>
  %minus = opc.constant dense<-1> : tensor<i32>
  %a = opc.div %x, %three
  %b = opc.mod %a, %three {fmod = true}
  %e = opc.mod %b, %three
  %c = opc.div %e, %minus
  %r = opc.mod %c, %minus
  return %r : tensor<64xi32>
}

// What f64 limits to numbers of f32 is limited in f32; 0.1 is none.
// CHECK-LABEL: func.func @limited_later(
// CHECK:         [[N:%.+]] = scalar.apply cast({{%.+}}) : f32
// CHECK-NEXT:    [[O:%.+]] = scalar.constant 1.000000e+00 : f32
// CHECK-NEXT:    [[A:%.+]] = scalar.apply at_most([[N]], [[O]])
// CHECK-NEXT:    [[Z:%.+]] = scalar.constant 0.000000e+00 : f32
// CHECK-NEXT:    scalar.apply at_least([[A]], [[Z]])
// CHECK:         [[B:%.+]] = scalar.apply at_most({{%.+}}, {{%.+}}) : f64
// CHECK-NEXT:    scalar.apply cast([[B]]) : f32
func.func @limited_later(%x: tensor<64xf32>, %y: tensor<64xf64>) -> (tensor<64xf32>, tensor<64xf32>) {
  %r = opc.hard_sigmoid %x
  %tenth = opc.constant dense<0.1> : tensor<f64>
  %b = opc.min %y, %tenth
  %s = opc.cast %b : tensor<64xf64> -> tensor<64xf32>
  return %r, %s : tensor<64xf32>, tensor<64xf32>
}

// What is limited between roundings to f16 is rounded once; but not if 0.1, which is none, limits it.
// CHECK-LABEL: func.func @rounded_once(
// CHECK:         [[A:%.+]] = scalar.apply add({{%.+}}, {{%.+}}) : f32
// CHECK:         [[B:%.+]] = scalar.apply at_least([[A]], {{%.+}}) : f32
// CHECK:         [[C:%.+]] = scalar.apply at_most([[B]], {{%.+}}) : f32
// CHECK-NEXT:    scalar.apply cast([[C]]) : f16
// CHECK:         [[D:%.+]] = scalar.apply sub({{%.+}}, {{%.+}}) : f32
// CHECK:         [[N:%.+]] = scalar.apply cast([[D]]) : f16
// CHECK-NEXT:    [[W:%.+]] = scalar.apply cast([[N]]) : f32
// CHECK:         scalar.apply at_least([[W]], {{%.+}}) : f32
func.func @rounded_once(%x: tensor<64xf16>, %y: tensor<64xf16>) -> (tensor<64xf16>, tensor<64xf32>) {
  %zero = opc.constant dense<0.0> : tensor<f16>
  %six = opc.constant dense<6.0> : tensor<f16>
  %a = opc.add %x, %y
  %b = opc.max %a, %zero
  %c = opc.min %b, %six
  %d = opc.sub %x, %y
  %w = opc.cast %d : tensor<64xf16> -> tensor<64xf32>
  %tenth = opc.constant dense<0.1> : tensor<f32>
  %s = opc.max %w, %tenth
  return %c, %s : tensor<64xf16>, tensor<64xf32>
}

// Every exponential would be NaN, or the least of all, or the product of a zero of the other sign.
// CHECK-LABEL: func.func @seen(
// CHECK-COUNT-3: kernel.sweep [1000] (max)
// CHECK-NOT:     max_number
// CHECK:         return
func.func @seen(%x: tensor<64x1000xf32>, %y: tensor<64x1000xf32>, %z: tensor<64x1000xf32>) -> (tensor<64x1000xf32>, tensor<64xf32>, tensor<64x1xf32>) {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %k = opc.reduce_max %y {axes = [1], keepdims = true}
  %f = opc.sub %y, %k
  %g = opc.exp %f
  %u = opc.reduce_min %g {axes = [1]}
  %l = opc.reduce_max %z {axes = [1], keepdims = true}
  %h = opc.sub %z, %l
  %i = opc.exp %h
  %s = opc.reduce_sum %i {axes = [1], keepdims = true}
  %v = opc.mul %s, %l
  return %e, %u, %v : tensor<64x1000xf32>, tensor<64xf32>, tensor<64x1xf32>
}

// What is whole is limited as the integer would be; other numbers pass through it.
// CHECK-LABEL: func.func @whole(
// CHECK:         [[R:%.+]] = scalar.apply round(
// CHECK:         [[L:%.+]] = scalar.apply above([[R]], {{.+}}) : f32
// CHECK:         scalar.apply at_most([[L]], {{.+}}) : f32
// CHECK-NOT:     ui8
// CHECK:         return
func.func @whole(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = opc.round %x
  %b = opc.cast %a : tensor<64xf32> -> tensor<64xui8>
  %c = opc.cast %b : tensor<64xui8> -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// Of signed numbers, negative ones have a limit of their own, so that -0 becomes +0 and NaN 0.
// CHECK-LABEL: func.func @whole_signed(
// CHECK:         [[R:%.+]] = scalar.apply round(
// CHECK:         [[A:%.+]] = scalar.apply above([[R]], {{.+}}) : f32
// CHECK:         [[B:%.+]] = scalar.apply at_most([[A]], {{.+}}) : f32
// CHECK:         [[N:%.+]] = scalar.apply neg([[R]]) : f32
// CHECK:         [[C:%.+]] = scalar.apply above([[N]], {{.+}}) : f32
// CHECK:         [[D:%.+]] = scalar.apply at_most([[C]], {{.+}}) : f32
// CHECK:         scalar.apply sub([[B]], [[D]]) : f32
// CHECK-NOT:     i8
// CHECK:         return
func.func @whole_signed(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = opc.round %x
  %b = opc.cast %a : tensor<64xf32> -> tensor<64xi8>
  %c = opc.cast %b : tensor<64xi8> -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// CHECK-LABEL: func.func @fractions(
// CHECK:         scalar.apply cast({{.+}}) : ui8
func.func @fractions(%x: tensor<64xf32>) -> tensor<64xf32> {
  %b = opc.cast %x : tensor<64xf32> -> tensor<64xui8>
  %c = opc.cast %b : tensor<64xui8> -> tensor<64xf32>
  return %c : tensor<64xf32>
}
