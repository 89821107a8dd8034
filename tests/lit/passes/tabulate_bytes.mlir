// Functions of one byte are looked up in tables.
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,tabulate-bytes{target=avx2}' | filecheck %s
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,tabulate-bytes{target=amx}' | filecheck %s --check-prefix VECTOR
// RUN: opc-opt --split-input-file %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,narrow-domains,tabulate-bytes{target=aarch64}' | filecheck %s --check-prefix VECTOR

// The byte is in memory; a scale that a run knows is read once for each entry.
// CHECK-LABEL: func.func @loaded(
// CHECK:         [[T:%.+]] = kernel.nest [256] {
// CHECK-NEXT:      [[N:%.+]] = scalar.index <d0> : i64
// CHECK-NEXT:      [[B:%.+]] = scalar.apply cast([[N]]) : ui8
// CHECK-NEXT:      scalar.apply cast([[B]]) : f32
// CHECK:           kernel.load %s[] : f32
// CHECK:           scalar.apply sigmoid(
// CHECK:           kernel.store {{.+}} to 0[d0]
// CHECK-NEXT:    } : tensor<256xf32>
// CHECK:         kernel.nest [64, 640] {
// CHECK-NEXT:      [[X:%.+]] = kernel.load %x[d0, d1] : ui8
// CHECK-NEXT:      [[I:%.+]] = scalar.apply cast([[X]]) : i64
// CHECK-NEXT:      [[Y:%.+]] = kernel.gather [[T]][[[I]]] : f32
// CHECK-NEXT:      kernel.store [[Y]] to 0[d0, d1]
// CHECK-NEXT:    } : tensor<64x640xf32>
func.func @loaded(%x: tensor<64x640xui8>, %s: tensor<f32>) -> tensor<64x640xf32> {
  %f = opc.cast %x : tensor<64x640xui8> -> tensor<64x640xf32>
  %m = opc.mul %f, %s
  %y = opc.sigmoid %m
  return %y : tensor<64x640xf32>
}

// -----

// A signed byte counts from the least one.
// CHECK-LABEL: func.func @signed(
// CHECK:           scalar.index <d0 - 128> : i64
// CHECK:           [[L:%.+]] = scalar.constant -128 : i64
// CHECK-NEXT:      scalar.apply sub({{.+}}, [[L]]) : i64
func.func @signed(%x: tensor<64x640xi8>) -> tensor<64x640xf32> {
  %f = opc.cast %x : tensor<64x640xi8> -> tensor<64x640xf32>
  %y = opc.tanh %f
  return %y : tensor<64x640xf32>
}

// -----

// A product is quantized, and a function of the byte follows: the product stores the byte.
// CHECK-LABEL: func.func @behind(
// CHECK:         [[A:%.+]] = kernel.nest [64, 640] {
// CHECK:           [[R:%.+]] = scalar.apply round(
// CHECK:           [[Q:%.+]] = scalar.apply cast([[R]]) : ui8
// CHECK-NEXT:      kernel.store [[Q]] to 0[d0, d1]
// CHECK-NEXT:    } : tensor<64x640xui8>
// CHECK-NEXT:    [[T:%.+]] = kernel.nest [256] {
// CHECK:         kernel.nest [64, 640] {
// CHECK-NEXT:      kernel.load [[A]][d0, d1] : ui8
// CHECK:           kernel.gather [[T]]
func.func @behind(%x: tensor<64x8xf32>, %w: tensor<8x640xf32>) -> tensor<64x640xf32> {
  %p = opc.matmul %x, %w
  %r = opc.round %p
  %q = opc.cast %r : tensor<64x640xf32> -> tensor<64x640xui8>
  %f = opc.cast %q : tensor<64x640xui8> -> tensor<64x640xf32>
  %t = opc.tanh %f
  %y = opc.sigmoid %t
  return %y : tensor<64x640xf32>
}

// -----

// Not two bytes, nor few operations, nor few points.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     kernel.gather
// CHECK:         return
func.func @others(%x: tensor<64x640xui8>, %y: tensor<64x1xui8>, %z: tensor<260xui8>)
    -> (tensor<64x640xf32>, tensor<64x640xf32>, tensor<260xf32>) {
  %f = opc.cast %x : tensor<64x640xui8> -> tensor<64x640xf32>
  %g = opc.cast %y : tensor<64x1xui8> -> tensor<64x1xf32>
  %m = opc.mul %f, %g
  %a = opc.sigmoid %m
  %b = opc.mul %f, %f
  %h = opc.cast %z : tensor<260xui8> -> tensor<260xf32>
  %c = opc.sigmoid %h
  return %a, %b, %c : tensor<64x640xf32>, tensor<64x640xf32>, tensor<260xf32>
}

// -----

// Vectors of bytes are looked up: a byte that a wider result is computed of is in the table, and few operations are
// worth a look-up.
// CHECK-LABEL: func.func @between(
// CHECK-NOT:     kernel.gather
// CHECK:         return
// VECTOR-LABEL: func.func @between(
// VECTOR:        [[A:%.+]] = kernel.nest [64, 640] {
// VECTOR:          kernel.store {{.+}} to 0[d0, d1]
// VECTOR-NEXT:   } : tensor<64x640xui8>
// VECTOR-NEXT:   [[T:%.+]] = kernel.nest [256] {
// VECTOR:          scalar.apply sigmoid(
// VECTOR:          [[R:%.+]] = scalar.apply round(
// VECTOR-NEXT:     [[E:%.+]] = scalar.apply cast([[R]]) : ui8
// VECTOR-NEXT:     kernel.store [[E]] to 0[d0]
// VECTOR-NEXT:   } : tensor<256xui8>
// VECTOR-NEXT:   kernel.nest [64, 640] {
// VECTOR-NEXT:     [[X:%.+]] = kernel.load [[A]][d0, d1] : ui8
// VECTOR-NEXT:     [[I:%.+]] = scalar.apply cast([[X]]) : i64
// VECTOR-NEXT:     [[V:%.+]] = kernel.gather [[T]][[[I]]] : ui8
// VECTOR-NEXT:     [[W:%.+]] = scalar.apply cast([[V]]) : i16
// VECTOR-NEXT:     [[C:%.+]] = scalar.constant 3 : i16
// VECTOR-NEXT:     [[D:%.+]] = scalar.apply sub([[W]], [[C]]) : i16
// VECTOR-NEXT:     kernel.store [[D]] to 0[d0, d1]
// VECTOR-NEXT:   } : tensor<64x640xi16>
// VECTOR:        [[U:%.+]] = kernel.nest [256] {
// VECTOR:        kernel.gather [[U]][{{.+}}] : ui8
func.func @between(%x: tensor<64x8xf32>, %w: tensor<8x640xf32>, %y: tensor<64x640xui8>)
    -> (tensor<64x640xi16>, tensor<64x640xui8>) {
  %p = opc.matmul %x, %w
  %r = opc.round %p
  %q = opc.cast %r : tensor<64x640xf32> -> tensor<64x640xui8>
  %f = opc.cast %q : tensor<64x640xui8> -> tensor<64x640xf32>
  %g = opc.sigmoid %f
  %m = opc.mul %g, %f
  %s = opc.round %m
  %b = opc.cast %s : tensor<64x640xf32> -> tensor<64x640xui8>
  %h = opc.cast %b : tensor<64x640xui8> -> tensor<64x640xi16>
  %c = opc.constant dense<3> : tensor<i16>
  %d = opc.sub %h, %c
  %yf = opc.cast %y : tensor<64x640xui8> -> tensor<64x640xf32>
  %ya = opc.mul %yf, %yf
  %yb = opc.sqrt %ya
  %yc = opc.add %yb, %yf
  %yd = opc.neg %yc
  %ye = opc.round %yd
  %z = opc.cast %ye : tensor<64x640xf32> -> tensor<64x640xui8>
  return %d, %z : tensor<64x640xi16>, tensor<64x640xui8>
}
