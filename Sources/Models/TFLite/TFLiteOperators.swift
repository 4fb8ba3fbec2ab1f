import Formats
import Graph
import TensorCore

/// The operators that Apus imports.
package enum TFLiteOperators {
  /// Every operator, from the lists of the families.
  static let all: [TFLiteOperatorDescriptor] =
    convolution + pooling + arithmetic + functions + comparison + activation + normalization + reduction
    + shaping + selection + slicing + blocks + quantization

  /// Operators that become no operation: those that a composite stands for take its place, and what DENSIFY gives is a
  /// constant.
  static let resolved: Set<TFLiteBuiltin> = [.STABLEHLO_COMPOSITE, .DENSIFY]

  private static let table = Dictionary(all.map { ($0.builtin, $0) }) { first, _ in first }

  static subscript(builtin: TFLiteBuiltin?) -> TFLiteOperatorDescriptor? { builtin.flatMap { table[$0] } }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for an operator or option that Apus does not run.
  static func operation(for step: TFLiteStep) throws(ApusError) -> any Operation {
    guard let descriptor = Self[step.step.builtin] else {
      throw ApusError(.unsupportedModel, "an operator that Apus does not run")
    }
    return try descriptor.operation(step)
  }
}

/// What Apus does with an operator of the schema.
package enum TFLiteOperatorSupport: Sendable, Hashable, CustomStringConvertible {
  case runs
  /// Refused by design.
  case refused(reason: String)
  /// It could run, but nobody has needed it yet.
  case missing

  package var description: String {
    switch self {
    case .runs: "runs"
    case .refused(let reason): "refused: \(reason)"
    case .missing: "not yet"
    }
  }
}

extension TFLiteBuiltin {
  package var support: TFLiteOperatorSupport {
    if TFLiteOperators[self] != nil || TFLiteOperators.resolved.contains(self) { return .runs }
    return TFLiteRefusedFamily.of(self).map { .refused(reason: $0.reason) } ?? .missing
  }
}

extension Activation {
  /// - Throws: ``ApusError`` for functions that the reference kernels of TensorFlow Lite pass over.
  init(_ activation: TFLiteActivation) throws(ApusError) {
    switch activation {
    case .none: self = .none
    case .relu: self = .relu
    case .reluN1To1: self = .reluN1To1
    case .relu6: self = .relu6
    case .tanh, .signBit:
      throw ApusError(
        .unsupportedModel, "the fused activation \(activation)", expected: "none, relu, reluN1To1 or relu6")
    }
  }
}

extension Padding {
  init(_ padding: TFLitePadding) { self = padding == .same ? .same : .valid }
}
