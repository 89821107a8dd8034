// Row centring: subtract from every row its mean.
func.func @centre(%x: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %mean = opc.reduce_mean %x {axes = [-1], keepdims = true} : tensor<?x1024xf32> -> tensor<?x1xf32>
  %y = opc.sub %x, %mean : tensor<?x1024xf32>, tensor<?x1xf32> -> tensor<?x1024xf32>
  func.return %y : tensor<?x1024xf32>
}
