// Nests, sweeps and what stands in them.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @pointwise(
// CHECK-NEXT:    %r = kernel.nest [4, 8] {
// CHECK-NEXT:      [[V:%.+]] = kernel.load %x[d1, d0] : f32
// CHECK-NEXT:      kernel.store [[V]] to 0[d0, d1]
// CHECK-NEXT:    } : tensor<4x8xf32>
func.func @pointwise(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %r = kernel.nest [4, 8] {
    %0 = kernel.load %x[d1, d0] : f32
    kernel.store %0 to 0[d0, d1]
  } : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @point(
// CHECK-NEXT:    %r = kernel.nest [] {
// CHECK-NEXT:      [[V:%.+]] = kernel.load %x[] : f32
// CHECK-NEXT:      kernel.store [[V]] to 0[]
// CHECK-NEXT:    } : tensor<f32>
func.func @point(%x: tensor<f32>) -> tensor<f32> {
  %r = kernel.nest [] {
    %0 = kernel.load %x[] : f32
    kernel.store %0 to 0[]
  } : tensor<f32>
  return %r : tensor<f32>
}

// The module's example: two results, a reduction with two values, a row that is kept.
// CHECK-LABEL: func.func @row_centring(
// CHECK-NEXT:    %y, %m = kernel.nest [N] {
// CHECK-NEXT:      %sum, %most, %row = kernel.sweep [1024] lanes 64 (sum, max, keep) {
// CHECK-NEXT:        %x0 = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:        kernel.yield %x0, %x0, %x0
// CHECK-NEXT:      } : f32, f32, tensor<1024xf32>
// CHECK-NEXT:      %n = scalar.constant 1.024000e+03 : f32
// CHECK-NEXT:      %mean = scalar.apply div(%sum, %n) : f32
// CHECK-NEXT:      kernel.store %most to 1[d0]
// CHECK-NEXT:      kernel.sweep [1024] {
// CHECK-NEXT:        %x1 = kernel.load %row[d1] : f32
// CHECK-NEXT:        %c = scalar.apply sub(%x1, %mean) : f32
// CHECK-NEXT:        kernel.store %c to 0[d0, d1]
// CHECK-NEXT:        kernel.yield
// CHECK-NEXT:      }
// CHECK-NEXT:    } : tensor<?x1024xf32, #opc.dims<N, 1024>>, tensor<?xf32, #opc.dims<N>>
func.func @row_centring(%x: tensor<?x1024xf32, #opc.dims<N, 1024>>)
    -> (tensor<?x1024xf32, #opc.dims<N, 1024>>, tensor<?xf32, #opc.dims<N>>) {
  %y, %m = kernel.nest [N] {
    %sum, %most, %row = kernel.sweep [1024] lanes 64 (sum, max, keep) {
      %x0 = kernel.load %x[d0, d1] : f32
      kernel.yield %x0, %x0, %x0
    } : f32, f32, tensor<1024xf32>
    %n = scalar.constant 1024.0 : f32
    %mean = scalar.apply div(%sum, %n) : f32
    kernel.store %most to 1[d0]
    kernel.sweep [1024] {
      %x1 = kernel.load %row[d1] : f32
      %c = scalar.apply sub(%x1, %mean) : f32
      kernel.store %c to 0[d0, d1]
      kernel.yield
    }
  } : tensor<?x1024xf32, #opc.dims<N, 1024>>, tensor<?xf32, #opc.dims<N>>
  return %y, %m : tensor<?x1024xf32, #opc.dims<N, 1024>>, tensor<?xf32, #opc.dims<N>>
}

// CHECK-LABEL: func.func @argmax(
// CHECK-NEXT:    %r = kernel.nest [2] {
// CHECK-NEXT:      %k = kernel.sweep [3, 4] (argmax_last) {
// CHECK-NEXT:        [[V:%.+]] = kernel.load %x[d0, d1*4 + d2] : f32
// CHECK-NEXT:        kernel.yield [[V]]
// CHECK-NEXT:      } : i64
// CHECK-NEXT:      kernel.store %k to 0[d0]
// CHECK-NEXT:    } : tensor<2xi64>
func.func @argmax(%x: tensor<2x12xf32>) -> tensor<2xi64> {
  %r = kernel.nest [2] {
    %k = kernel.sweep [3, 4] (argmax_last) {
      %0 = kernel.load %x[d0, d1*4 + d2] : f32
      kernel.yield %0
    } : i64
    kernel.store %k to 0[d0]
  } : tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: func.func @buffers(
// CHECK-NEXT:    kernel.nest [4] into (%y, %z) {
// CHECK-NEXT:      [[V:%.+]] = kernel.load %x[d0] : f32
// CHECK-NEXT:      kernel.store [[V]] to 0[d0]
// CHECK-NEXT:      kernel.store [[V]] to 1[-d0 + 3]
// CHECK-NEXT:    }
func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  kernel.nest [4] into (%y, %z) {
    %0 = kernel.load %x[d0] : f32
    kernel.store %0 to 0[d0]
    kernel.store %0 to 1[3 - d0]
  }
  return
}

// A value lies in a result until a later sweep has loaded it and writes over it; what is written
// itself stays there.  Each load says by its own dimensions which element it wants.
// CHECK-LABEL: func.func @places(
// CHECK:         %e, %f, %g = kernel.sweep [3, 4] (keep to 0[d2, d1, d0], keep to 1[d0, d1, d2], keep) {
// CHECK:         kernel.load %e[d2, d1] : f32
func.func @places(%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x3x4xf32>) {
  %y, %z = kernel.nest [2] {
    %e, %f, %g = kernel.sweep [3, 4] (keep to 0[d2, d1, d0], keep to 1[d0, d1, d2], keep) {
      %0 = kernel.load %x[d0, d1, d2] : f32
      %1 = scalar.apply exp(%0) : f32
      kernel.store %1 to 1[d0, d1, d2]
      kernel.yield %0, %1, %1
    } : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
    kernel.sweep [4, 3] {
      %2 = kernel.load %e[d2, d1] : f32
      %3 = kernel.load %f[d2, 0] : f32
      %4 = kernel.load %g[0, d1] : f32
      %5 = scalar.apply mul(%2, %3) : f32
      %6 = scalar.apply mul(%4, %5) : f32
      kernel.store %6 to 0[d1, d2, d0]
      kernel.yield
    }
  } : tensor<4x3x2xf32>, tensor<2x3x4xf32>
  return %y, %z : tensor<4x3x2xf32>, tensor<2x3x4xf32>
}

// A guarded load has a default for where its index is outside.
// CHECK-LABEL: func.func @guarded(
// CHECK:         kernel.load %x[d0 + d1 - 1] else 0.000000e+00 : f32
// CHECK:         kernel.load %k[-d0 + 3] else -1 : i32
func.func @guarded(%x: tensor<4xf32>, %k: tensor<2xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r, %s = kernel.nest [4] {
    %0 = kernel.sweep [3] lanes 64 (sum) {
      %1 = kernel.load %x[d0 + d1 - 1] else 0.0 : f32
      kernel.yield %1
    } : f32
    kernel.store %0 to 0[d0]
    %2 = kernel.load %k[3 - d0] else -1 : i32
    kernel.store %2 to 1[d0]
  } : tensor<4xf32>, tensor<4xi32>
  return %r, %s : tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @gather(
// CHECK:           [[I:%.+]] = kernel.load %i[d0] : i64
// CHECK-NEXT:      [[V:%.+]] = kernel.gather %x{{\[}}[[I]], d1] : f32
func.func @gather(%x: tensor<9x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  %y = kernel.nest [3, 4] {
    %k = kernel.load %i[d0] : i64
    %v = kernel.gather %x[%k, d1] : f32
    kernel.store %v to 0[d0, d1]
  } : tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK:           kernel.scatter [[U:%.+]] to 0[d1, [[I:%.+]]] add
// CHECK:           kernel.scatter [[U]] to 1{{\[}}[[I]], d1]
func.func @scatter(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: memref<4x9xf32>, %y: memref<9x4xf32>) {
  kernel.nest [] into (%x, %y) {
    kernel.sweep [3, 4] {
      %k = kernel.load %i[d0] : i64
      %v = kernel.load %u[d0, d1] : f32
      kernel.scatter %v to 0[d1, %k] add
      kernel.scatter %v to 1[%k, d1]
      kernel.yield
    }
  }
  return
}

// Totals that are handed on, along a dimension of the nest and along a sweep.
// CHECK-LABEL: func.func @prefixes(
// CHECK-NEXT:    %r = kernel.nest [4, 8] {
// CHECK-NEXT:      [[A:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:      [[B:%.+]] = kernel.prefix sum([[A]]) along d0 : f32
// CHECK-NEXT:      [[C:%.+]] = kernel.prefix prod([[A]]) along d0 exclusive : f32
// CHECK-NEXT:      [[D:%.+]] = scalar.apply add([[B]], [[C]]) : f32
// CHECK-NEXT:      kernel.store [[D]] to 0[d0, d1]
// CHECK-NEXT:    } : tensor<4x8xf32>
// CHECK-NEXT:    %s = kernel.nest [4] {
// CHECK-NEXT:      kernel.sweep [8] {
// CHECK-NEXT:        [[E:%.+]] = kernel.load %x[d0, d1] : f32
// CHECK-NEXT:        [[F:%.+]] = kernel.prefix sum([[E]]) exclusive reverse : f32
// CHECK-NEXT:        kernel.store [[F]] to 0[d0, d1]
func.func @prefixes(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %r = kernel.nest [4, 8] {
    %0 = kernel.load %x[d0, d1] : f32
    %1 = kernel.prefix sum(%0) along d0 : f32
    %2 = kernel.prefix prod(%0) along d0 exclusive : f32
    %3 = scalar.apply add(%1, %2) : f32
    kernel.store %3 to 0[d0, d1]
  } : tensor<4x8xf32>
  %s = kernel.nest [4] {
    kernel.sweep [8] {
      %0 = kernel.load %x[d0, d1] : f32
      %1 = kernel.prefix sum(%0) exclusive reverse : f32
      kernel.store %1 to 0[d0, d1]
      kernel.yield
    }
  } : tensor<4x8xf32>
  return %r, %s : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @repeat(
// CHECK:           [[E:%.+]] = kernel.repeat at [[K:%.+]] = [[S:%.+]] most 3 {
// CHECK-NEXT:        [[N:%.+]] = kernel.gather %table{{\[}}[[K]]] : i64
// CHECK-NEXT:        kernel.next [[N]]
func.func @repeat(%table: tensor<9xi64>, %x: tensor<2x5xi64>) -> tensor<2x5xi64> {
  %y = kernel.nest [2, 5] {
    %s = kernel.load %x[d0, d1] : i64
    %e = kernel.repeat at %k = %s most 3 {
      %n = kernel.gather %table[%k] : i64
      kernel.next %n
    }
    kernel.store %e to 0[d0, d1]
  } : tensor<2x5xi64>
  return %y : tensor<2x5xi64>
}

// -----

// A dimension of a nest may have one value, which is read.
// CHECK-LABEL: func.func @pick(
// CHECK-NEXT:    kernel.nest [2, 3, 4] {
// CHECK-NEXT:    kernel.pick d2 = %i[d0]
// CHECK-NEXT:    [[V:%.+]] = kernel.load %x[d2, d1] : f32
// CHECK-NEXT:    kernel.store [[V]] to 0[d0, d1]
func.func @pick(%x: tensor<4x3xf32>, %i: tensor<2xi64>) -> tensor<2x3xf32> {
  %y = kernel.nest [2, 3, 4] {
    kernel.pick d2 = %i[d0]
    %v = kernel.load %x[d2, d1] : f32
    kernel.store %v to 0[d0, d1]
  } : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
