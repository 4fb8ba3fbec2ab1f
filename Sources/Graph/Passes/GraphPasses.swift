import TensorCore

/// The rewritings a graph goes through before kernels are chosen, in this order.
enum GraphPasses {
  typealias Pass = @Sendable (inout Graph, CompileOptions) throws(ApusError) -> Void

  private static let fusions: [Pass] = [
    recognizeGELU, recognizeHardSwish, recognizeSwish, recognizeLayerNormalization, recognizeRMSNormalization,
    recognizeRotation, recognizeAttention, cancelTranspositions, fuseClamps, fuseActivations, alignSums,
    absorbPads, moveStrides,
    fuseResiduals, recognizeScaleAndShift,
  ]

  static func passes(_ options: CompileOptions) -> [Pass] {
    [removeDeadNodes] + (options.fusesOperations ? fusions : [])
  }

  /// Drops nodes whose results nothing reads.
  static func removeDeadNodes(_ graph: inout Graph, _ options: CompileOptions) { graph.removeDeadNodes() }
}
