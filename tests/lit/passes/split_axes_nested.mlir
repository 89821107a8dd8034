// RUN: opc-opt %s -p plan-buffers,split-axes | filecheck %s

// The dimensions of a sweep in a sweep move up as those of the outer one do.
// CHECK:      kernel.nest [8, 2, 32] into
// CHECK:      kernel.load %x[d0, d3*16 + d4] : i8
// CHECK:      kernel.load %w[d1, d2, d3, d4] : i8
// CHECK:      kernel.load %y[d0, d3] : f32
// CHECK:      kernel.store %s to 0[d0, d1*32 + d2]
func.func @nested(%x: tensor<8x64xi8>, %w: tensor<2x32x4x16xi8>, %y: tensor<8x4xf32>) -> tensor<8x64xf32> {
  %r = kernel.nest [8, 64] {
    %s = kernel.sweep [4] (dot) {
      %t = kernel.sweep [16] (dot) {
        %a = kernel.load %x[d0, d2*16 + d3] : i8
        %b = scalar.apply cast(%a) : i32
        %c = kernel.load %w[floordiv(d1, 32), mod(d1, 32), d2, d3] : i8
        %d = scalar.apply cast(%c) : i32
        %e = scalar.apply mul(%b, %d) : i32
        kernel.yield %e
      } : i32
      %f = scalar.apply cast(%t) : f32
      %g = kernel.load %y[d0, d2] : f32
      %h = scalar.apply mul(%f, %g) : f32
      kernel.yield %h
    } : f32
    kernel.store %s to 0[d0, d1]
  } : tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
