// The logarithm of the sum of exponentials of each row, as one operator.
func.func @log_sum_exp(%x: tensor<512x1000xf64>) -> tensor<512xf64> {
  %y = opc.reduce_log_sum_exp %x {axes = [1]} : tensor<512x1000xf64> -> tensor<512xf64>
  func.return %y : tensor<512xf64>
}
