// Softmax over rows, from primitives, safe for large inputs.
func.func @softmax(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %max = opc.reduce_max %x {axes = [1], keepdims = true} : tensor<4096x1024xf32> -> tensor<4096x1xf32>
  %shifted = opc.sub %x, %max : tensor<4096x1024xf32>, tensor<4096x1xf32> -> tensor<4096x1024xf32>
  %e = opc.exp %shifted : tensor<4096x1024xf32> -> tensor<4096x1024xf32>
  %sum = opc.reduce_sum %e {axes = [1], keepdims = true} : tensor<4096x1024xf32> -> tensor<4096x1xf32>
  %y = opc.div %e, %sum : tensor<4096x1024xf32>, tensor<4096x1xf32> -> tensor<4096x1024xf32>
  func.return %y : tensor<4096x1024xf32>
}
