// Layer normalization over the last axis, with scale and bias.
func.func @layer_norm(%x: tensor<4096x768xf32>, %scale: tensor<768xf32>, %bias: tensor<768xf32>) -> tensor<4096x768xf32> {
  %epsilon = opc.constant dense<1.0e-05> : tensor<f32>
  %mean = opc.reduce_mean %x {axes = [-1], keepdims = true} : tensor<4096x768xf32> -> tensor<4096x1xf32>
  %centred = opc.sub %x, %mean : tensor<4096x768xf32>, tensor<4096x1xf32> -> tensor<4096x768xf32>
  %square = opc.mul %centred, %centred : tensor<4096x768xf32>, tensor<4096x768xf32> -> tensor<4096x768xf32>
  %variance = opc.reduce_mean %square {axes = [-1], keepdims = true} : tensor<4096x768xf32> -> tensor<4096x1xf32>
  %padded = opc.add %variance, %epsilon : tensor<4096x1xf32>, tensor<f32> -> tensor<4096x1xf32>
  %deviation = opc.sqrt %padded : tensor<4096x1xf32> -> tensor<4096x1xf32>
  %normal = opc.div %centred, %deviation : tensor<4096x768xf32>, tensor<4096x1xf32> -> tensor<4096x768xf32>
  %scaled = opc.mul %normal, %scale : tensor<4096x768xf32>, tensor<768xf32> -> tensor<4096x768xf32>
  %y = opc.add %scaled, %bias : tensor<4096x768xf32>, tensor<768xf32> -> tensor<4096x768xf32>
  func.return %y : tensor<4096x768xf32>
}
