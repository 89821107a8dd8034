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

// -----

// CHECK: :38:17: error: opc.conv: expected input and filters of one rank from 3 to 5, found 4 and 3
func.func @conv_c1(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3xf32>) {
  %r = opc.conv %x, %w
  return
}

// -----

// CHECK: :46:17: error: opc.conv: filter extents must be positive, found [0]
func.func @conv_c2(%x: tensor<1x3x8xf32>, %w: tensor<4x3x0xf32>) {
  %r = opc.conv %x, %w
  return
}

// -----

// CHECK: :54:17: error: opc.conv: strides must be 1 integers from 1 to 2147483647, found [0]
func.func @conv_c3(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>) {
  %r = opc.conv %x, %w {strides = [0]}
  return
}

// -----

// CHECK: :62:17: error: opc.conv: pads must be 2 integers from 0 to 2147483647, found [1]
func.func @conv_c3_pads(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>) {
  %r = opc.conv %x, %w {pads = [1]}
  return
}

// -----

// CHECK: :70:17: error: opc.conv: 4 filters cannot be divided into 3 groups
func.func @conv_c4(%x: tensor<1x3x8xf32>, %w: tensor<4x1x3xf32>) {
  %r = opc.conv %x, %w {groups = 3}
  return
}

// -----

// CHECK: :78:17: error: opc.conv: 2 groups of 3 channels see 3 channels
func.func @conv_c5(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>) {
  %r = opc.conv %x, %w {groups = 2}
  return
}

// -----

// CHECK: :86:17: error: opc.conv: a filter covers 5 values of 4
func.func @conv_c6(%x: tensor<1x3x3xf32>, %w: tensor<4x3x3xf32>) {
  %r = opc.conv %x, %w {dilations = [2], pads = [0, 1]}
  return
}

// -----

// CHECK: :94:27: error: opc.conv_transpose: expected input and filters of one rank from 3 to 5, found 4 and 3
func.func @conv_transpose_c1(%x: tensor<1x3x8x8xf32>, %w: tensor<3x4x3xf32>) {
  %r = opc.conv_transpose %x, %w
  return
}

// -----

// CHECK: :102:27: error: opc.conv_transpose: filter extents must be known and positive, found [0]
func.func @conv_transpose_c2(%x: tensor<1x3x8xf32>, %w: tensor<3x4x0xf32>) {
  %r = opc.conv_transpose %x, %w
  return
}

// -----

// CHECK: :110:27: error: opc.conv_transpose: filter extents must be known and positive, found [K]
func.func @conv_transpose_c2_unknown(%x: tensor<1x3x8xf32>, %w: tensor<3x4x?xf32, #opc.dims<3, 4, K>>) {
  %r = opc.conv_transpose %x, %w
  return
}

// -----

// CHECK: :118:27: error: opc.conv_transpose: strides must be 1 integers from 1 to 2147483647, found [0]
func.func @conv_transpose_c3(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf32>) {
  %r = opc.conv_transpose %x, %w {strides = [0]}
  return
}

// -----

// CHECK: :126:27: error: opc.conv_transpose: output_padding must be 1 integers from 0 to 2147483647, found [1, 1]
func.func @conv_transpose_c3_padding(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf32>) {
  %r = opc.conv_transpose %x, %w {output_padding = [1, 1]}
  return
}

// -----

// CHECK: :134:27: error: opc.conv_transpose: 4 channels cannot be divided into 3 groups
func.func @conv_transpose_c4(%x: tensor<1x4x8xf32>, %w: tensor<4x4x3xf32>) {
  %r = opc.conv_transpose %x, %w {groups = 3}
  return
}

// -----

// CHECK: :142:27: error: opc.conv_transpose: filters for 4 channels see 3
func.func @conv_transpose_c5(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>) {
  %r = opc.conv_transpose %x, %w
  return
}

// -----

// CHECK: :150:27: error: opc.conv_transpose: the result would have the extents [-1]
func.func @conv_transpose_c6(%x: tensor<1x3x2xf32>, %w: tensor<3x4x3xf32>) {
  %r = opc.conv_transpose %x, %w {pads = [3, 2]}
  return
}

// -----

// CHECK: :158:27: error: opc.conv_transpose: a filter and its output padding cover 2147483649 results, expected at most 2147483647
func.func @conv_transpose_c7(%x: tensor<1x3x2xf32>, %w: tensor<3x4x3xf32>) {
  %r = opc.conv_transpose %x, %w {dilations = [1073741824]}
  return
}

// -----

// CHECK: :166:21: error: opc.contract: expected an equation of letters such as "ij,jk->ik", found "ij,jk"
func.func @contract_c1(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "ij,jk"}
  return
}

// -----

// CHECK: :174:21: error: opc.contract: expected an equation of letters such as "ij,jk->ik", found "i1,1k->ik"
func.func @contract_c1_letters(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "i1,1k->ik"}
  return
}

// -----

// CHECK: :182:21: error: opc.contract: expected labels of operands in the result, each once, found "ii" in "ij,jk->ii"
func.func @contract_c1_twice(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "ij,jk->ii"}
  return
}

// -----

// CHECK: :190:21: error: opc.contract: expected labels of operands in the result, each once, found "im" in "ij,jk->im"
func.func @contract_c1_unknown(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "ij,jk->im"}
  return
}

// -----

// CHECK: :198:21: error: opc.contract: attribute equation: expected a text, found 3 : i64
func.func @contract_c1_number(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = 3 : i64}
  return
}

// -----

// CHECK: :206:21: error: opc.contract: attribute equation is missing
func.func @contract_c1_missing(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b
  return
}

// -----

// CHECK: :214:21: error: opc.contract: expected 3 operands for "ij,jk,k->ik", found 2
func.func @contract_c2(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "ij,jk,k->ik"}
  return
}

// -----

// CHECK: :222:21: error: opc.contract: labels "jkm" for 2 axes [3, 4]
func.func @contract_c3(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "ij,jkm->ik"}
  return
}

// -----

// CHECK: :230:21: error: opc.contract: contracted extents of axis 'i' differ: 2 and 3
func.func @contract_c4(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "ij,ik->jk"}
  return
}

// -----

// CHECK: :238:21: error: opc.contract: extents of the diagonal 'i' differ: 2 and 3
func.func @contract_c4_diagonal(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = opc.contract %a, %b {equation = "ii,jk->jk"}
  return
}

// -----

// CHECK: :246:21: error: opc.contract: rank 17 exceeds 16
func.func @contract_c5(%a: tensor<1x1x1x1x1x1x1x1x1xf32>, %b: tensor<1x1x1x1x1x1x1x1xf32>) {
  %r = opc.contract %a, %b {equation = "abcdefghi,jklmnopq->abcdefghijklmnopq"}
  return
}

// -----

// CHECK: :254:21: error: opc.contract: rank 17 exceeds 16
func.func @contract_c5_between(%a: tensor<1x1x1x1x1x1x1x1x1xf32>, %b: tensor<1x1x1x1x1x1x1x1xf32>, %c: tensor<1x1xf32>) {
  %r = opc.contract %a, %b, %c {equation = "abcdefghi,jklmnopq,aq->bcdefghijklmnop"}
  return
}

// -----

// CHECK: :262:21: error: opc.contract: shape [1048576, 268435456] needs more than 2^48 bytes
func.func @contract_c5_size(%a: tensor<1048576xf32>, %b: tensor<268435456xf32>, %c: tensor<1048576xf32>, %d: tensor<268435456xf32>) {
  %r = opc.contract %a, %b, %c, %d {equation = "i,j,i,j->"}
  return
}
