import Kernels
import TensorCore

/// The number format in which linear layers, convolutions and attention multiply. Activations between operations are
/// float32 in all of them. Depthwise convolutions, and those of up to four channels in a group, such as an
/// image's pixels have, are computed in ``float32`` whatever is asked for.
public enum Precision: String, Sendable, CaseIterable {
  /// Products and sums in float32: the reference.
  case float32
  /// Operands rounded to bfloat16, sums in float32. Refused where the processor has no such products: ``float32`` is
  /// faster there, and more exact.
  case bfloat16
  /// Each row of the activations quantized to 8 bits as it comes, each row of the weights to 8 bits with a
  /// scale of its own; sums are exact integers. Rows are the tokens of a linear layer and the pixels of a 1×1 convolution;
  /// under a larger window an image is quantized as a whole. Attention takes ``bfloat16`` where it is available, else
  /// ``float32``.
  case int8

  /// Whether the kernels in use multiply so: where they do not, no model is opened in this precision.
  public var isAvailable: Bool { isAvailable(with: .best) }

  /// The precision of a name: ``shortName``, as commands, files of models and `MODEL@int8` write it, or the raw value, in
  /// letters of any size. Nil for any other: where that is given to options, the model is computed in its own precision, so
  /// names that somebody typed are read by ``init(named:)``.
  public init?(rawValue name: String) {
    let name = name.lowercased()
    guard let found = Self.allCases.first(where: { $0.rawValue == name || $0.shortName == name }) else {
      return nil
    }
    self = found
  }

  /// The name that commands take and print: `f32`, `bf16` or `int8`.
  public var shortName: String {
    switch self {
    case .float32: "f32"
    case .bfloat16: "bf16"
    case .int8: "int8"
    }
  }

  package func isAvailable(with kernels: KernelSet) -> Bool {
    self != .bfloat16 || kernels.bfloat16.hasProducts
  }
}

/// A precision that is asked for is what the model is computed in, or an error: nothing else is computed instead.
extension Precision {
  /// - Throws: ``ApusError`` of kind `argument` when the kernels do not multiply so.
  func require(of kernels: KernelSet) throws(ApusError) {
    guard !isAvailable(with: kernels) else { return }
    let usable = Self.allCases.filter { $0.isAvailable(with: kernels) }.map(\.rawValue)
    throw ApusError(
      .argument, "the kernels of \(kernels.choice[.bfloat16]) have no products of \(rawValue)",
      expected: usable.joined(separator: " or "), advice: "float32 is faster with them, and more exact.")
  }

  /// - Parameter products: what a model multiplies.
  /// - Throws: ``ApusError`` of kind `argument` when that is something else: for float32 in any part, for the others in
  ///   all parts.
  func require(_ products: [Products]) throws(ApusError) {
    let numbers = products.map(\.numbers.rawValue)
    let isMet = self == .float32 ? numbers.allSatisfy { $0 == rawValue } : numbers.contains(rawValue)
    guard !isMet else { return }
    let found = numbers.isEmpty ? "nothing" : numbers.joined(separator: " and ")
    throw ApusError(
      .argument, "the model multiplies \(found)", expected: "\(rawValue), the precision asked for",
      advice: "A model file runs in the precision it was written in: leave the precision out"
        + (self == .int8
          ? ", or quantize the model: \(Doing.quantize) takes .tflite files and folders." : "."))
  }
}
