import Testing

/// Every arithmetic operation gives what TFLite's reference kernels give.
@Suite struct VectorTests {
  @Test(arguments: try OperationVectors.cases("elementwise"))
  func elementwise(_ vector: OperationVectors.Case) throws { try check(vector) }

  @Test(arguments: try OperationVectors.cases("unary"))
  func unary(_ vector: OperationVectors.Case) throws { try check(vector) }

  @Test(arguments: try OperationVectors.cases("activation"))
  func activation(_ vector: OperationVectors.Case) throws { try check(vector) }

  @Test(arguments: try OperationVectors.cases("quantization"))
  func quantization(_ vector: OperationVectors.Case) throws { try check(vector) }

  @Test(arguments: try OperationVectors.cases("normalization"))
  func normalization(_ vector: OperationVectors.Case) throws { try check(vector) }

  @Test(arguments: try OperationVectors.cases("pooling"))
  func pooling(_ vector: OperationVectors.Case) throws { try check(vector) }

  @Test(arguments: try OperationVectors.cases("reduction"))
  func reduction(_ vector: OperationVectors.Case) throws { try check(vector) }

  @Test(arguments: try OperationVectors.cases("matmul"))
  func matmul(_ vector: OperationVectors.Case) throws { try check(vector) }
}
