// A recurrent layer: h = tanh(x W + h R), over the steps of x.
func.func @rnn(%x: tensor<?x?x8xf32, #opc.dims<T, N, 8>>, %h0: tensor<?x16xf32, #opc.dims<N, 16>>, %w: tensor<8x16xf32>, %r: tensor<16x16xf32>)
    -> tensor<?x?x16xf32, #opc.dims<T, N, 16>> {
  %h, %y = opc.scan @step <T> carry (%h0) over (%x) with (%w, %r)
      : (tensor<?x16xf32, #opc.dims<N, 16>>, tensor<?x?x8xf32, #opc.dims<T, N, 8>>, tensor<8x16xf32>, tensor<16x16xf32>)
      -> (tensor<?x16xf32, #opc.dims<N, 16>>, tensor<?x?x16xf32, #opc.dims<T, N, 16>>)
  return %y : tensor<?x?x16xf32, #opc.dims<T, N, 16>>
}
func.func private @step(%h: tensor<?x16xf32, #opc.dims<N, 16>>, %x: tensor<?x8xf32, #opc.dims<N, 8>>, %w: tensor<8x16xf32>, %r: tensor<16x16xf32>)
    -> (tensor<?x16xf32, #opc.dims<N, 16>>, tensor<?x16xf32, #opc.dims<N, 16>>) {
  %a = opc.matmul %x, %w
  %b = opc.matmul %h, %r
  %c = opc.add %a, %b
  %d = opc.tanh %c
  return %d, %d : tensor<?x16xf32, #opc.dims<N, 16>>, tensor<?x16xf32, #opc.dims<N, 16>>
}
