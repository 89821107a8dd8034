// A dense layer: a matrix product with a bias, and gelu.
func.func @linear_gelu(%x: tensor<128x768xf32>, %w: tensor<768x3072xf32>, %b: tensor<3072xf32>)
    -> tensor<128x3072xf32> {
  %product = opc.matmul %x, %w
  %sum = opc.add %product, %b
  %y = opc.gelu %sum
  func.return %y : tensor<128x3072xf32>
}
