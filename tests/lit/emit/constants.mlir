// A constant of one value is a number in the text, others are arrays.
// RUN: opc-opt %s -p infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,plan-buffers,schedule,lower-to-loops,convert-narrow-floats,simplify-loops,place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// CHECK:       static const float constant0[4] = {1.0f, 0.1f, -0.0f, INFINITY};
// CHECK-NOT:   constant1
// CHECK-LABEL: int list_run(
// CHECK:           out0[i0] = opc_rounded_f32(in0[i0] * 2.0f) + constant0[i0];
func.func @list(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = opc.constant dense<2.0> : tensor<4xf32>
  %list = opc.constant dense<[1.0, 0.1, -0.0, 0x7f800000]> : tensor<4xf32>
  %a = opc.mul %x, %two
  %r = opc.add %a, %list
  return %r : tensor<4xf32>
}

// CHECK:       static const uint8_t constant0[3] = {1, 0, 1};
// CHECK-NEXT:  {{$}}
// CHECK-NEXT:  static const uint16_t constant1[3] = {0x3c00, 0xb800, 0x0001};
// CHECK-NEXT:  {{$}}
// CHECK-NEXT:  static const int64_t constant2[3] = {INT64_MIN, -INT64_C(1), INT64_C(2)};
// CHECK-LABEL: int types_run(
func.func @types(%x: tensor<3xi1>, %y: tensor<3xf16>, %z: tensor<3xi64>)
    -> (tensor<3xi1>, tensor<3xf16>, tensor<3xi64>) {
  %a = opc.constant dense<[true, false, true]> : tensor<3xi1>
  %b = opc.constant dense<[1.0, -0.5, 6.0e-8]> : tensor<3xf16>
  %c = opc.constant dense<[-9223372036854775808, -1, 2]> : tensor<3xi64>
  %r = opc.and %x, %a
  %HEX = opc.add %y, %b
  %t = opc.max %z, %c
  return %r, %HEX, %t : tensor<3xi1>, tensor<3xf16>, tensor<3xi64>
}
