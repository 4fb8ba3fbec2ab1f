import Formats
import Graph
import TensorCore

/// One operator of a file with the tensors it names.
struct TFLiteStep {
  let step: TFLiteOperator
  private let tensors: [TFLiteTensor]

  init(_ step: TFLiteOperator, in subgraph: TFLiteSubgraph) {
    self.step = step
    tensors = subgraph.tensors
  }

  var options: TFLiteOptions { step.options }

  /// The tensor at an operand's position; nil when it is left out.
  func input(_ position: Int) -> TFLiteTensor? {
    step.inputs.indices.contains(position) ? step.inputs[position].map { tensors[$0] } : nil
  }

  /// The element type that the file declares for the first result.
  func resultType() throws(ApusError) -> DataType {
    guard let first = step.outputs.first else { throw ApusError(.malformedModel, "no output") }
    return try tensors[first].requireType().dataType
  }

  /// For options that are not those of the operator.
  var optionsMismatch: ApusError { ApusError(.malformedModel, "options of another operator") }
}

/// The operators that Apus imports: from each, how its options become an operation's attributes.
package enum TFLiteOperators {
  /// Makes the operation that an operator stands for. Its operands are the operator's, in the same order.
  typealias Importer = @Sendable (TFLiteStep) throws(ApusError) -> any Operation

  /// Every operator, from the tables of the families.
  static let table: [TFLiteBuiltin: Importer] = [
    convolution, pooling, elementwise, comparison, activation, normalization, reduction, shaping, selection,
    slicing, blocks, quantization,
  ].reduce(into: [:]) { table, family in table.merge(family) { first, _ in first } }

  /// The operators imported, in alphabetical order. STABLEHLO_COMPOSITE is replaced by its decomposition.
  package static var names: [String] {
    (table.keys.map(\.name) + [TFLiteBuiltin.STABLEHLO_COMPOSITE.name]).sorted()
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for an operator or option that Apus does not run.
  static func operation(for step: TFLiteStep) throws(ApusError) -> any Operation {
    guard let builtin = step.step.builtin, let importer = table[builtin] else {
      throw ApusError(.unsupportedModel, "an operator that Apus does not run")
    }
    return try importer(step)
  }

  /// Whether the result has the type of the last operand, whatever the file declares.
  static func followsLastOperand(_ builtin: TFLiteBuiltin?) -> Bool {
    switch builtin {
    case .ADD, .SUB, .MUL, .DIV: true
    default: false
    }
  }

  /// Whether the operator reads its operand at `position` as float16 where the file widens it first.
  static func takesHalfPrecision(_ builtin: TFLiteBuiltin?, at position: Int) -> Bool {
    switch builtin {
    case .CONV_2D, .DEPTHWISE_CONV_2D, .FULLY_CONNECTED, .TRANSPOSE_CONV: position == 1
    default: false
    }
  }
}

extension FusedActivation {
  init(_ activation: TFLiteActivation) {
    self =
      switch activation {
      case .none: .none
      case .relu: .relu
      case .reluN1To1: .reluN1To1
      case .relu6: .relu6
      case .tanh: .tanh
      case .signBit: .signBit
      }
  }
}

extension Padding {
  init(_ padding: TFLitePadding) { self = padding == .same ? .same : .valid }
}
