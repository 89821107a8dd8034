// A convolution of 3x3 with a bias for each channel, and relu.
func.func @conv_relu(%x: tensor<1x32x56x56xf32>, %w: tensor<64x32x3x3xf32>, %b: tensor<64x1x1xf32>)
    -> tensor<1x64x56x56xf32> {
  %product = opc.conv %x, %w {pads = [1, 1, 1, 1]}
  %sum = opc.add %product, %b
  %y = opc.relu %sum
  func.return %y : tensor<1x64x56x56xf32>
}
