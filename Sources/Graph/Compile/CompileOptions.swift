import Kernels

/// How a graph is made ready to run.
package struct CompileOptions: Sendable {
  /// The kernels to use.
  package var kernels: KernelSet = .best
  /// Threads that one run may use, at most the pool's size.
  package var threads: Int = HostLimits.threads
  /// The number format of linear layers, convolutions and attention that is asked for: compiling fails when the model
  /// multiplies others. Nil for what the model is made for, which is float32 in these.
  package var precision: Precision?
  /// Where packed weights are kept for other graphs of the same model; nil when there are none.
  package var packedWeights: PackedWeightStore?
  /// Whether several operations may become one. Without, runs have every result of the graph in memory, for those
  /// who look at them.
  package var fusesOperations = true

  /// The largest working memory that a model may ask for, in bytes: what a small file declares must not
  /// exhaust the machine.
  package var memoryLimit: Int = HostLimits.memory / 2

  package init() {}

  /// The number format of linear layers, convolutions and attention.
  package var linearPrecision: Precision { precision ?? .float32 }
}
