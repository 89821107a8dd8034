// Operands of elementwise operators get the shape of the result, batches of matrices too.
// RUN: opc-opt %s -p normalize-broadcast | filecheck %s
// RUN: opc-opt %s -p normalize-broadcast,normalize-broadcast | filecheck %s

// CHECK-LABEL: func.func @elementwise(
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast %b : tensor<3xf32> -> tensor<2x3xf32>
// CHECK-NEXT:    %r = opc.apply add(%x, [[B]]) : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
func.func @elementwise(%x: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = opc.apply add(%x, %b) : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @symbols(
// CHECK-NEXT:    [[X:%.+]] = opc.broadcast %x : {{.*}} -> tensor<?xf32, #opc.dims<bcast(M, N)>>
// CHECK-NEXT:    [[Y:%.+]] = opc.broadcast %y : {{.*}} -> tensor<?xf32, #opc.dims<bcast(M, N)>>
// CHECK-NEXT:    opc.mul [[X]], [[Y]]
func.func @symbols(%x: tensor<?xf32, #opc.dims<N>>, %y: tensor<?xf32, #opc.dims<M>>)
    -> tensor<?xf32, #opc.dims<bcast(M, N)>> {
  %r = opc.mul %x, %y
  return %r : tensor<?xf32, #opc.dims<bcast(M, N)>>
}

// CHECK-LABEL: func.func @operand_used_twice(
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast %b : tensor<1xf32> -> tensor<4xf32>
// CHECK-NEXT:    opc.apply select(%c, [[B]], [[B]])
func.func @operand_used_twice(%c: tensor<4xi1>, %b: tensor<1xf32>) -> tensor<4xf32> {
  %r = opc.apply select(%c, %b, %b) : tensor<4xi1>, tensor<1xf32>, tensor<1xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @batches(
// CHECK-NEXT:    [[A:%.+]] = opc.broadcast %a : tensor<7x1x2x3xf32> -> tensor<7x5x2x3xf32>
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast %b : tensor<5x3x4xf32> -> tensor<7x5x3x4xf32>
// CHECK-NEXT:    opc.matmul [[A]], [[B]] : {{.*}} -> tensor<7x5x2x4xf32>
func.func @batches(%a: tensor<7x1x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<7x5x2x4xf32> {
  %r = opc.matmul %a, %b
  return %r : tensor<7x5x2x4xf32>
}
