// Loops that are equal but for their buffers are one function, called for each of them.
// RUN: opc-opt %s -p place-constants,share-loops,outline-loops,place-arrays,mark-loops -t c | filecheck %s

// What it reads and what it writes are parameters, and the names in it begin anew.
// CHECK-LABEL: static void layers_loop0(
// CHECK-NEXT:      int64_t begin,
// CHECK-NEXT:      int64_t end,
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// CHECK-NEXT:      float *OPC_RESTRICT out0) {
// CHECK-NEXT:    for (int64_t i0 = begin; i0 < end; ++i0) {
// CHECK-NEXT:      const float t0 = in0[i0];
// Zeros of another sign are other numbers.
// CHECK-LABEL: static void layers_loop1(
// CHECK:           * -0.0f;
// CHECK-NOT:   static void
// CHECK-LABEL: int layers_run(
// CHECK-NEXT:      const float *OPC_RESTRICT in0,
// Buffers of one place have one name.
// CHECK:         float *const buffer0 = (float *)(void *)((char *)workspace + 0);
// CHECK-NEXT:    float *const buffer1 = (float *)(void *)((char *)workspace + 256);
// CHECK-NEXT:    layers_loop0(0, 64, buffer1, buffer0);
// CHECK-NEXT:    layers_loop0(0, 64, buffer0, buffer1);
// CHECK-NEXT:    layers_loop1(0, 64, buffer1, buffer0);
// CHECK-NEXT:    layers_loop1(0, 64, buffer0, out0);
// One that writes over what it reads is another loop, and alone it stays where it is.
// CHECK-NEXT:    for (int64_t i0 = 0; i0 < 64; ++i0) {
func.func @layers(%x: memref<64xf32>, %out0: memref<64xf32>, %workspace: memref<?xi8>) attributes {opc.outputs = 1 : i64, opc.workspace = #opc.index<512>} {
  %a = loop.slice %workspace[0] : memref<64xf32>
  %b = loop.slice %workspace[256] : memref<64xf32>
  %c = loop.slice %workspace[0] : memref<64xf32>
  loop.for %i0 = <0> to <64> step 1 vector {
    %z0 = scalar.constant 0.0 : f32
    %v0_0 = loop.load %b[d0](%i0) : f32
    %v0_1 = scalar.apply mul(%v0_0, %v0_0) : f32
    %v0_2 = scalar.apply mul(%v0_1, %v0_1) : f32
    %v0_3 = scalar.apply mul(%v0_2, %v0_2) : f32
    %v0_4 = scalar.apply mul(%v0_3, %v0_3) : f32
    %v0_5 = scalar.apply mul(%v0_4, %v0_4) : f32
    %v0_6 = scalar.apply mul(%v0_5, %v0_5) : f32
    %v0_7 = scalar.apply mul(%v0_6, %v0_6) : f32
    %v0_8 = scalar.apply mul(%v0_7, %v0_7) : f32
    %v0_9 = scalar.apply mul(%v0_8, %z0) : f32
    loop.store %v0_9 to %a[d0](%i0)
  }
  loop.for %i1 = <0> to <64> step 1 vector {
    %z1 = scalar.constant 0.0 : f32
    %v1_0 = loop.load %a[d0](%i1) : f32
    %v1_1 = scalar.apply mul(%v1_0, %v1_0) : f32
    %v1_2 = scalar.apply mul(%v1_1, %v1_1) : f32
    %v1_3 = scalar.apply mul(%v1_2, %v1_2) : f32
    %v1_4 = scalar.apply mul(%v1_3, %v1_3) : f32
    %v1_5 = scalar.apply mul(%v1_4, %v1_4) : f32
    %v1_6 = scalar.apply mul(%v1_5, %v1_5) : f32
    %v1_7 = scalar.apply mul(%v1_6, %v1_6) : f32
    %v1_8 = scalar.apply mul(%v1_7, %v1_7) : f32
    %v1_9 = scalar.apply mul(%v1_8, %z1) : f32
    loop.store %v1_9 to %b[d0](%i1)
  }
  loop.for %i2 = <0> to <64> step 1 vector {
    %z2 = scalar.constant -0.0 : f32
    %v2_0 = loop.load %b[d0](%i2) : f32
    %v2_1 = scalar.apply mul(%v2_0, %v2_0) : f32
    %v2_2 = scalar.apply mul(%v2_1, %v2_1) : f32
    %v2_3 = scalar.apply mul(%v2_2, %v2_2) : f32
    %v2_4 = scalar.apply mul(%v2_3, %v2_3) : f32
    %v2_5 = scalar.apply mul(%v2_4, %v2_4) : f32
    %v2_6 = scalar.apply mul(%v2_5, %v2_5) : f32
    %v2_7 = scalar.apply mul(%v2_6, %v2_6) : f32
    %v2_8 = scalar.apply mul(%v2_7, %v2_7) : f32
    %v2_9 = scalar.apply mul(%v2_8, %z2) : f32
    loop.store %v2_9 to %c[d0](%i2)
  }
  loop.for %i3 = <0> to <64> step 1 vector {
    %z3 = scalar.constant -0.0 : f32
    %v3_0 = loop.load %c[d0](%i3) : f32
    %v3_1 = scalar.apply mul(%v3_0, %v3_0) : f32
    %v3_2 = scalar.apply mul(%v3_1, %v3_1) : f32
    %v3_3 = scalar.apply mul(%v3_2, %v3_2) : f32
    %v3_4 = scalar.apply mul(%v3_3, %v3_3) : f32
    %v3_5 = scalar.apply mul(%v3_4, %v3_4) : f32
    %v3_6 = scalar.apply mul(%v3_5, %v3_5) : f32
    %v3_7 = scalar.apply mul(%v3_6, %v3_6) : f32
    %v3_8 = scalar.apply mul(%v3_7, %v3_7) : f32
    %v3_9 = scalar.apply mul(%v3_8, %z3) : f32
    loop.store %v3_9 to %out0[d0](%i3)
  }
  loop.for %i4 = <0> to <64> step 1 vector {
    %z4 = scalar.constant 0.0 : f32
    %v4_0 = loop.load %out0[d0](%i4) : f32
    %v4_1 = scalar.apply mul(%v4_0, %v4_0) : f32
    %v4_2 = scalar.apply mul(%v4_1, %v4_1) : f32
    %v4_3 = scalar.apply mul(%v4_2, %v4_2) : f32
    %v4_4 = scalar.apply mul(%v4_3, %v4_3) : f32
    %v4_5 = scalar.apply mul(%v4_4, %v4_4) : f32
    %v4_6 = scalar.apply mul(%v4_5, %v4_5) : f32
    %v4_7 = scalar.apply mul(%v4_6, %v4_6) : f32
    %v4_8 = scalar.apply mul(%v4_7, %v4_7) : f32
    %v4_9 = scalar.apply mul(%v4_8, %z4) : f32
    loop.store %v4_9 to %out0[d0](%i4)
  }
  func.return
}
