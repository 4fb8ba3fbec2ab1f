import Graph
import Kernels
import TensorCore

/// How a model's arithmetic is done, whatever the model is for.
public struct InferenceOptions: Sendable, Hashable {
  /// The precision of linear layers, convolutions and attention; nil for the model's own, which is
  /// ``Precision/float32`` of a folder, and of a `.tflite` file the numbers that it is stored in. A model that cannot be
  /// computed so is refused. Weights are kept in memory only as they are multiplied.
  public var precision: Precision?
  /// Threads that one run may use; nil for as many as the process may use.
  public var threads: Int?
  /// The ONNX files of a folder to run, by a part of their names: `int8`, `fp16`, `quantized`, or `fp32` for the plain ones.
  /// Nil for the folder's other weights, or else for the plain files.
  public var variant: String?
  /// The instruction set whose kernels are used, or one for each family, as ``KernelChoice`` reads them; nil for what
  /// `APUS_ISA` says, else the fastest.
  package var instructionSet: String?

  /// - Parameters:
  ///   - precision: the precision of linear layers, convolutions and attention; nil for the model's own.
  ///   - threads: threads that one run may use; nil for as many as the process may use.
  ///   - variant: which files of a folder with ONNX files are run.
  public init(precision: Precision? = nil, threads: Int? = nil, variant: String? = nil) {
    self.precision = precision
    self.threads = threads
    self.variant = variant
  }
}

extension InferenceOptions {
  /// - Throws: ``ApusError`` of kind `argument`.
  package func validate() throws(ApusError) {
    if let threads, threads < 1 {
      throw ApusError(.argument, "\(threads) threads", expected: "at least 1")
    }
    _ = try kernels
  }

  /// The kernels of the instruction set.
  /// - Throws: ``ApusError`` of kind `argument` when it is not there.
  var kernels: KernelSet {
    get throws(ApusError) {
      guard let instructionSet else { return try .selected() }
      return try .named(instructionSet)
    }
  }
}
