// What contractions refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:19: error: opc.matmul: operands must have rank 1 or more
func.func @matmul_c1(%x: tensor<f32>, %y: tensor<4x8xf32>) {
  %r = opc.matmul %x, %y
  return
}

// -----

// CHECK: :14:19: error: opc.matmul: contracted extents differ: 3 and 4
func.func @matmul_c2(%x: tensor<2x3xf32>, %y: tensor<4x8xf32>) {
  %r = opc.matmul %x, %y
  return
}

// -----

// CHECK: :22:19: error: opc.matmul: shapes [2] and [5] cannot be broadcast: extents 2 and 5 differ at result axis 0
func.func @matmul_batch(%x: tensor<2x3x4xf32>, %y: tensor<5x4x8xf32>) {
  %r = opc.matmul %x, %y
  return
}

// -----

// CHECK: :30:19: error: opc.matmul: element type i1 is not one of f64 f32 f16 bf16 i8 i16 i32 i64 ui8 ui16 ui32 ui64
func.func @matmul_bool(%x: tensor<2x2xi1>) {
  %r = opc.matmul %x, %x
  return
}
