import Formats
import Graph
import TensorCore

/// An operator of TFLite that Apus runs: from its options it makes the operation that the operator stands for.
/// The operation's operands are the operator's, in the same order.
struct TFLiteOperatorDescriptor: Sendable {
  typealias Importer = @Sendable (TFLiteStep) throws(ApusError) -> any Operation

  let builtin: TFLiteBuiltin
  /// The options that it reads; nil for an operator of which every one is alike.
  let options: (any TFLiteOptions.Type)?
  /// Makes the operation of one step.
  ///
  /// Throws ``ApusError`` of kind `unsupportedModel` for an option that Apus does not run.
  let operation: Importer
  /// Whether the result has the type of the last operand, whatever the file declares.
  private(set) var followsLastOperand = false
  /// The operand that it reads as float16 where the file widens it first.
  private(set) var halfPrecisionOperand: Int?

  /// An operator of which every one is alike.
  static func plain(_ builtin: TFLiteBuiltin, _ operation: any Operation) -> Self {
    Self(builtin: builtin, options: nil) { _ in operation }
  }

  /// An operator that its options configure.
  static func reading<Options: TFLiteOptions>(
    _ builtin: TFLiteBuiltin, followsLastOperand: Bool = false, halfPrecisionOperand: Int? = nil,
    _ make: @escaping @Sendable (Options) throws(ApusError) -> any Operation
  ) -> Self {
    var descriptor = inspecting(builtin) { (options: Options, _) throws(ApusError) in try make(options) }
    descriptor.followsLastOperand = followsLastOperand
    descriptor.halfPrecisionOperand = halfPrecisionOperand
    return descriptor
  }

  /// An operator that its options configure, and that depends on which operands there are.
  static func inspecting<Options: TFLiteOptions>(
    _ builtin: TFLiteBuiltin,
    _ make: @escaping @Sendable (Options, TFLiteStep) throws(ApusError) -> any Operation
  ) -> Self {
    Self(builtin: builtin, options: Options.self) { (step) throws(ApusError) in
      guard let options = step.step.options as? Options else {
        throw ApusError(.malformedModel, "options of another operator")
      }
      return try make(options, step)
    }
  }

  /// An operator that makes what the file declares its result to be.
  static func converting(
    _ builtin: TFLiteBuiltin, _ make: @escaping @Sendable (DataType) -> any Operation
  ) -> Self {
    Self(builtin: builtin, options: nil) { (step) throws(ApusError) in make(try step.resultType()) }
  }
}

/// One operator of a file with the tensors it names.
struct TFLiteStep {
  let step: TFLiteOperator
  private let tensors: [TFLiteTensor]
  private let subgraphs: [TFLiteSubgraph]

  init(_ step: TFLiteOperator, in subgraph: TFLiteSubgraph, of model: TFLiteModel) {
    self.step = step
    tensors = subgraph.tensors
    subgraphs = model.subgraphs
  }

  /// The one operator of a subgraph that the options name, of its two inputs: what is done to two elements.
  func combination(_ subgraph: Int) throws(ApusError) -> TFLiteBuiltin? {
    guard subgraphs.indices.contains(subgraph) else {
      throw ApusError(
        .malformedModel, "it names subgraph \(subgraph)", expected: "one of the \(subgraphs.count) subgraphs")
    }
    let body = subgraphs[subgraph]
    guard body.operators.count == 1, body.inputs.count == 2,
      body.operators[0].inputs.compactMap(\.self).sorted() == body.inputs.sorted(),
      body.operators[0].outputs == body.outputs
    else { return nil }
    return body.operators[0].builtin
  }

  /// The tensor at an operand's position; nil when it is left out.
  func input(_ position: Int) -> TFLiteTensor? {
    step.inputs.indices.contains(position) ? step.inputs[position].map { tensors[$0] } : nil
  }

  /// The element type that the file declares for the first result.
  func resultType() throws(ApusError) -> DataType {
    guard let first = step.outputs.first else { throw ApusError(.malformedModel, "no output") }
    return try tensors[first].requireType().dataType
  }
}
