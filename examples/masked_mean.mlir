// The mean of those elements of each sequence that a boolean mask selects.
func.func @masked_mean(%x: tensor<?x?x64xf32, #opc.dims<batch, steps, 64>>, %mask: tensor<?x?x1xi1, #opc.dims<batch, steps, 1>>) -> tensor<?x64xf32, #opc.dims<batch, 64>> {
  %zero = opc.constant dense<0.0> : tensor<f32>
  %one = opc.constant dense<1.0> : tensor<f32>
  %chosen = opc.where %mask, %x, %zero
  %total = opc.reduce_sum %chosen {axes = [1]}
  %ones = opc.where %mask, %one, %zero
  %count = opc.reduce_sum %ones {axes = [1]}
  %mean = opc.div %total, %count
  func.return %mean : tensor<?x64xf32, #opc.dims<batch, 64>>
}
