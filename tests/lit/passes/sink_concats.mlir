// Functions that make elements narrower move in front of the concatenation that only they read.
// RUN: opc-opt %s -p infer-shapes,sink-concats | filecheck %s

// Two readers that quantize alike read one concatenation; a constant among the parts is a part.
// CHECK-LABEL: func.func @quantized(
// CHECK:         [[A:%.+]] = opc.div %a, {{.+}} : tensor<1x2x3xf32>, tensor<f32> -> tensor<1x2x3xf32>
// CHECK-NEXT:    [[RA:%.+]] = opc.round [[A]]
// CHECK-NEXT:    [[QA:%.+]] = opc.cast [[RA]] : tensor<1x2x3xf32> -> tensor<1x2x3xui8>
// CHECK:         [[P:%.+]] = opc.div %p, {{.+}} : tensor<1x1x3xf32>, tensor<f32> -> tensor<1x1x3xf32>
// CHECK-NEXT:    [[RP:%.+]] = opc.round [[P]]
// CHECK-NEXT:    [[QP:%.+]] = opc.cast [[RP]]
// CHECK-NEXT:    %q = opc.concat [[QA]], [[QP]], [[QA]] {axis = 1} : tensor<1x2x3xui8>, tensor<1x1x3xui8>, tensor<1x2x3xui8> -> tensor<1x5x3xui8>
// CHECK-NOT:     opc.round
// CHECK:         func.return %q, %q
func.func @quantized(%a: tensor<1x2x3xf32>) -> (tensor<1x5x3xui8>, tensor<1x5x3xui8>) {
  %p = opc.constant dense<1.5> : tensor<1x1x3xf32>
  %s = opc.constant dense<0.25> : tensor<f32>
  %t = opc.constant dense<0.25> : tensor<f32>
  %c = opc.concat %a, %p, %a {axis = 1}
  %d = opc.div %c, %s
  %r = opc.round %d
  %q = opc.cast %r : tensor<1x5x3xf32> -> tensor<1x5x3xui8>
  %u = opc.broadcast %t : tensor<f32> -> tensor<1x5x3xf32>
  %e = opc.div %c, %u
  %o = opc.round %e
  %b = opc.cast %o : tensor<1x5x3xf32> -> tensor<1x5x3xui8>
  return %q, %b : tensor<1x5x3xui8>, tensor<1x5x3xui8>
}

// What fills a part is computed once.
// CHECK-LABEL: func.func @filled(
// CHECK:         [[A:%.+]] = opc.div %a, %s : tensor<1x4xf32>, tensor<f32> -> tensor<1x4xf32>
// CHECK-NEXT:    [[Q:%.+]] = opc.cast [[A]]
// CHECK-NEXT:    [[V:%.+]] = opc.div %v, %s : tensor<f32>, tensor<f32> -> tensor<f32>
// CHECK-NEXT:    [[C:%.+]] = opc.cast [[V]] : tensor<f32> -> tensor<ui8>
// CHECK-NEXT:    [[B:%.+]] = opc.broadcast [[C]] : tensor<ui8> -> tensor<1x3xui8>
// CHECK-NEXT:    %q = opc.concat [[Q]], [[B]] {axis = 1}
func.func @filled(%a: tensor<1x4xf32>, %v: tensor<f32>) -> tensor<1x7xui8> {
  %s = opc.constant dense<0.25> : tensor<f32>
  %p = opc.broadcast %v : tensor<f32> -> tensor<1x3xf32>
  %c = opc.concat %a, %p {axis = 1}
  %d = opc.div %c, %s
  %q = opc.cast %d : tensor<1x7xf32> -> tensor<1x7xui8>
  return %q : tensor<1x7xui8>
}

// Of nested concatenations, both sink; extents and the scalar may be unknown.
// CHECK-LABEL: func.func @nested(
// CHECK:         [[A:%.+]] = opc.mul %a, %s : tensor<?x4xf32, #opc.dims<N, 4>>, tensor<f32>
// CHECK-NEXT:    [[QA:%.+]] = opc.cast [[A]]
// CHECK-NEXT:    [[B:%.+]] = opc.mul %b, %s
// CHECK-NEXT:    [[QB:%.+]] = opc.cast [[B]]
// CHECK-NEXT:    [[I:%.+]] = opc.concat [[QA]], [[QB]] {axis = 1}
// CHECK-NEXT:    [[C:%.+]] = opc.mul %c, %s
// CHECK-NEXT:    [[QC:%.+]] = opc.cast [[C]]
// CHECK-NEXT:    %q = opc.concat [[I]], [[QC]] {axis = 1}
// CHECK-NEXT:    %w = opc.cast %q
func.func @nested(%a: tensor<?x4xf32, #opc.dims<N, 4>>, %b: tensor<?x4xf32, #opc.dims<N, 4>>,
                  %c: tensor<?x?xf32, #opc.dims<N, K>>, %s: tensor<f32>)
    -> tensor<?x?xi32, #opc.dims<N, K + 8>> {
  %i = opc.concat %a, %b {axis = 1}
  %o = opc.concat %i, %c {axis = 1}
  %m = opc.mul %o, %s
  %q = opc.cast %m : tensor<?x?xf32, #opc.dims<N, K + 8>> -> tensor<?x?xi8, #opc.dims<N, K + 8>>
  %w = opc.cast %q : tensor<?x?xi8, #opc.dims<N, K + 8>> -> tensor<?x?xi32, #opc.dims<N, K + 8>>
  return %w : tensor<?x?xi32, #opc.dims<N, K + 8>>
}

// What stays: a reader beside the functions, results that are as wide together, and a scale that
// varies.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT:    %x = opc.concat %a, %a
// CHECK-NEXT:    {{.+}} = opc.cast %x
// CHECK-NEXT:    %y = opc.concat %a, %b
// CHECK-NEXT:    {{.+}} = opc.cast %y
// CHECK-NEXT:    {{.+}} = opc.cast %y
// CHECK-NEXT:    %z = opc.concat %b, %a
// CHECK-NEXT:    {{.+}} = opc.mul %z, %v
func.func @stays(%a: tensor<2xf32>, %b: tensor<2xf32>, %v: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xui8>, tensor<4xi16>, tensor<4xui16>, tensor<4xui8>) {
  %x = opc.concat %a, %a {axis = 0}
  %q = opc.cast %x : tensor<4xf32> -> tensor<4xui8>
  %y = opc.concat %a, %b {axis = 0}
  %i = opc.cast %y : tensor<4xf32> -> tensor<4xi16>
  %u = opc.cast %y : tensor<4xf32> -> tensor<4xui16>
  %z = opc.concat %b, %a {axis = 0}
  %m = opc.mul %z, %v
  %c = opc.cast %m : tensor<4xf32> -> tensor<4xui8>
  return %x, %q, %i, %u, %c
    : tensor<4xf32>, tensor<4xui8>, tensor<4xi16>, tensor<4xui16>, tensor<4xui8>
}
