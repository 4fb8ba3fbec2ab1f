import Graph
import Kernels

/// How a model is loaded, whatever it is for.
package struct ModelOptions: Sendable {
  /// Precision, and threads of one run: nil takes as many as the process may use, and more than those change
  /// nothing.
  package var inference = InferenceOptions()
  /// Where packed weights are kept, for models of which several graphs are compiled.
  package var packedWeights: PackedWeightStore?

  package init(_ inference: InferenceOptions = InferenceOptions()) {
    self.inference = inference
  }

  /// The threads that a request comes to in this process.
  package static func effectiveThreads(_ requested: Int?) -> Int {
    let available = ThreadPool.shared.size
    return min(max(requested ?? available, 1), available)
  }

  package var compile: CompileOptions {
    var options = CompileOptions()
    options.threads = Self.effectiveThreads(inference.threads)
    options.precision = inference.precision
    // Those that are not there were refused when the model was opened.
    if let kernels = try? inference.kernels { options.kernels = kernels }
    options.packedWeights = packedWeights
    return options
  }
}
