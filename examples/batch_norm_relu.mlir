// Batch normalization as in inference, then relu, over N x C x H x W.
func.func @batch_norm_relu(%x: tensor<?x64x56x56xf32>, %mean: tensor<64x1x1xf32>, %variance: tensor<64x1x1xf32>, %scale: tensor<64x1x1xf32>, %bias: tensor<64x1x1xf32>) -> tensor<?x64x56x56xf32> {
  %epsilon = opc.constant dense<1.0e-05> : tensor<f32>
  %padded = opc.add %variance, %epsilon : tensor<64x1x1xf32>, tensor<f32> -> tensor<64x1x1xf32>
  %deviation = opc.sqrt %padded : tensor<64x1x1xf32> -> tensor<64x1x1xf32>
  %factor = opc.div %scale, %deviation : tensor<64x1x1xf32>, tensor<64x1x1xf32> -> tensor<64x1x1xf32>
  %centred = opc.sub %x, %mean : tensor<?x64x56x56xf32>, tensor<64x1x1xf32> -> tensor<?x64x56x56xf32>
  %scaled = opc.mul %centred, %factor : tensor<?x64x56x56xf32>, tensor<64x1x1xf32> -> tensor<?x64x56x56xf32>
  %shifted = opc.add %scaled, %bias : tensor<?x64x56x56xf32>, tensor<64x1x1xf32> -> tensor<?x64x56x56xf32>
  %y = opc.relu %shifted : tensor<?x64x56x56xf32> -> tensor<?x64x56x56xf32>
  func.return %y : tensor<?x64x56x56xf32>
}
