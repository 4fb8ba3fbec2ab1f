import Graph
import Kernels
import TensorCore

/// How a model's arithmetic is done, whatever the model is for.
public struct InferenceOptions: Sendable, Hashable {
  /// The precision of linear layers and attention. Weights are kept in memory in this precision only.
  public var precision: Precision
  /// Threads that one run may use; nil for as many as the process may use.
  public var threads: Int?
  /// The name of the instruction set whose kernels are used; nil for the fastest.
  package var instructionSet: String?

  public init(precision: Precision = .float32, threads: Int? = nil) {
    self.precision = precision
    self.threads = threads
  }
}

extension InferenceOptions {
  /// - Throws: ``ApusError`` of kind `argument`.
  func validate() throws(ApusError) {
    if let threads, threads < 1 {
      throw ApusError(.argument, "\(threads) threads", expected: "at least 1")
    }
    if let instructionSet, KernelSet.named(instructionSet) == nil {
      throw ApusError(
        .argument, "the instruction set '\(instructionSet)'",
        expected: "one of this processor's: \(KernelSet.available.map(\.name).joined(separator: ", "))")
    }
  }

  /// The kernels of the instruction set.
  var kernels: KernelSet { instructionSet.flatMap(KernelSet.named) ?? .best }
}
