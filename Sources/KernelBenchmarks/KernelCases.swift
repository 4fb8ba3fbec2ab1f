import TensorCore

/// All that can be measured.
package enum KernelCases {
  /// Shapes of models that people run, from small to large.
  package static let standardShapes =
    GemmCases.shapes + BatchMatMulCases.shapes + ConvolutionCases.shapes + ConvolutionCases.depthwiseShapes
    + AttentionCases.shapes
    + RowCases.shapes + ResizeCases.shapes + ScanCases.shapes

  /// The cases of a shape: one for each number format or form that its family has.
  package static func cases(of shape: KernelShape, threads: Int) throws(ApusError) -> [KernelCase] {
    switch shape.family {
    case .gemm: try GemmCases.cases(shape, threads: threads)
    case .batchMatMul: try BatchMatMulCases.cases(shape, threads: threads)
    case .convolution, .depthwise: try ConvolutionCases.cases(shape, threads: threads)
    case .attention: try AttentionCases.cases(shape, threads: threads)
    case .layerNorm, .softmax, .gelu, .quantize, .dequantize, .widen:
      try RowCases.cases(shape, threads: threads)
    case .resize: try ResizeCases.cases(shape)
    case .scan: try ScanCases.cases(shape, threads: threads)
    }
  }
}
