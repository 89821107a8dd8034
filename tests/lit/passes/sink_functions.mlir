// Functions of large constants sink behind the gathers that read some of their values.
// RUN: opc-opt %s -p sink-functions,dce | filecheck %s

// A scale for each row is gathered, too; one for all rows is not.
// CHECK-LABEL: func.func @rows(
// CHECK:         [[Q:%.+]] = opc.gather %q, %i {axes = [0]} : tensor<512x256xi8>
// CHECK-NEXT:    [[F:%.+]] = opc.cast [[Q]] : {{.*}} -> tensor<?x3x256xf32, #opc.dims<N, 3, 256>>
// CHECK-NEXT:    [[S:%.+]] = opc.gather %s, %i {axes = [0]} : tensor<512x1xf32>
// CHECK-NEXT:    [[M:%.+]] = opc.mul [[F]], [[S]]
// CHECK-NEXT:    [[C:%.+]] = opc.reshape %c : tensor<256xf32> -> tensor<1x1x256xf32>
// CHECK-NEXT:    %y = opc.sub [[M]], [[C]]
func.func @rows(%i: tensor<?x3xi64, #opc.dims<N, 3>>) -> tensor<?x3x256xf32, #opc.dims<N, 3, 256>> {
  %q = opc.constant dense<3> : tensor<512x256xi8>
  %s = opc.constant dense<0.5> : tensor<512x1xf32>
  %c = opc.constant dense<0.25> : tensor<256xf32>
  %f = opc.cast %q : tensor<512x256xi8> -> tensor<512x256xf32>
  %m = opc.mul %f, %s
  %x = opc.sub %m, %c
  %y = opc.gather %x, %i {axes = [0]}
  return %y : tensor<?x3x256xf32, #opc.dims<N, 3, 256>>
}

// Blocks of a row, and an axis in the middle.
// CHECK-LABEL: func.func @blocks(
// CHECK:         [[Q:%.+]] = opc.gather %q, %i {axes = [1]} : tensor<4x512x8x32xi8>
// CHECK-NEXT:    [[F:%.+]] = opc.cast [[Q]]
// CHECK-NEXT:    [[S:%.+]] = opc.gather %s, %i {axes = [1]} : tensor<4x512x8x1xf32>
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast [[S]] : tensor<4x5x8x1xf32> -> tensor<4x5x8x32xf32>
// CHECK-NEXT:    [[M:%.+]] = opc.mul [[F]], [[B]]
// CHECK-NEXT:    %y = opc.reshape [[M]] : tensor<4x5x8x32xf32> -> tensor<4x5x256xf32>
func.func @blocks(%i: tensor<5xi64>) -> tensor<4x5x256xf32> {
  %q = opc.constant dense<3> : tensor<4x512x8x32xi8>
  %s = opc.constant dense<0.5> : tensor<4x512x8x1xf32>
  %f = opc.cast %q : tensor<4x512x8x32xi8> -> tensor<4x512x8x32xf32>
  %b = opc.broadcast %s : tensor<4x512x8x1xf32> -> tensor<4x512x8x32xf32>
  %m = opc.mul %f, %b
  %x = opc.reshape %m : tensor<4x512x8x32xf32> -> tensor<4x512x256xf32>
  %y = opc.gather %x, %i {axes = [1]}
  return %y : tensor<4x5x256xf32>
}

// What is small, is computed of inputs, or loses the axis, stays.
// CHECK-LABEL: func.func @stays(
// CHECK:         opc.gather %small,
// CHECK-NEXT:    opc.gather %made,
// CHECK-NEXT:    opc.gather %joined,
func.func @stays(%i: tensor<5xi64>, %x: tensor<512x256xi8>)
    -> (tensor<5x2xf32>, tensor<5x256xf32>, tensor<5x512xf32>) {
  %p = opc.constant dense<3> : tensor<4x2xi8>
  %q = opc.constant dense<3> : tensor<512x256xi8>
  %small = opc.cast %p : tensor<4x2xi8> -> tensor<4x2xf32>
  %made = opc.cast %x : tensor<512x256xi8> -> tensor<512x256xf32>
  %f = opc.cast %q : tensor<512x256xi8> -> tensor<512x256xf32>
  %joined = opc.reshape %f : tensor<512x256xf32> -> tensor<256x512xf32>
  %a = opc.gather %small, %i {axes = [0]}
  %b = opc.gather %made, %i {axes = [0]}
  %c = opc.gather %joined, %i {axes = [0]}
  return %a, %b, %c : tensor<5x2xf32>, tensor<5x256xf32>, tensor<5x512xf32>
}
