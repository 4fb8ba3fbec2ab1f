import Formats
import Graph
import TensorCore

/// One subgraph on its way into a graph: which value each of its tensors has become.
struct TFLiteScope {
  private let subgraph: TFLiteSubgraph
  private let model: TFLiteModel
  private let constants: TFLiteConstants
  /// Names for tensors that shall not go by their own.
  private let names: [Int: String]
  /// What stands before the operators' own labels: the composite operator that the subgraph spells out.
  private let place: String?
  private var values: [Int: Value] = [:]
  /// The elements of the results of DENSIFY.
  private var densified: [Int: Tensor] = [:]
  /// The steps that widen float16 constants, by the tensor they write.
  private var widenings: [Int: TFLiteOperator] = [:]

  init(
    _ subgraph: TFLiteSubgraph, model: TFLiteModel, constants: TFLiteConstants, names: [Int: String] = [:],
    place: String? = nil
  ) {
    self.subgraph = subgraph
    self.model = model
    self.constants = constants
    self.names = names
    self.place = place
  }

  mutating func bind(_ tensor: Int, to value: Value) { values[tensor] = value }

  /// Adds every operator of the subgraph.
  mutating func run(into builder: inout GraphBuilder) throws(ApusError) {
    for step in subgraph.operators {
      if let composite = step.options as? CompositeOptions {
        try inline(model.subgraphs[composite.decomposition], for: step, into: &builder)
      } else if step.builtin == .DENSIFY {
        try densify(step, into: &builder)
      } else if let source = widenedConstant(step), source.data != nil || densified[source.index] != nil {
        widenings[step.outputs[0]] = step
      } else {
        try add(step, to: &builder)
      }
    }
  }

  /// The value of a tensor that is bound, written by an operator already, or constant.
  mutating func value(_ tensor: Int, in builder: inout GraphBuilder) throws(ApusError) -> Value {
    if let value = values[tensor] { return value }
    if let step = widenings[tensor] {
      try add(step, to: &builder)
      return try value(tensor, in: &builder)
    }
    return try constant(tensor, in: &builder)
  }

  private mutating func constant(_ index: Int, in builder: inout GraphBuilder) throws(ApusError) -> Value {
    let tensor = subgraph.tensors[index]
    guard let elements = try stored(tensor) else {
      throw ApusError(.malformedModel, "it is read, but nothing gives it a value", at: tensor.label)
    }
    let value = builder.constant(names[index] ?? tensor.name, elements)
    values[index] = value
    return value
  }

  /// The elements of a constant, or of what DENSIFY made one.
  private func stored(_ tensor: TFLiteTensor) throws(ApusError) -> Tensor? {
    if let known = densified[tensor.index] { return known }
    return try constants.tensor(tensor, of: subgraph.index)
  }

  /// Makes the result of DENSIFY a constant.
  private mutating func densify(
    _ step: TFLiteOperator, into builder: inout GraphBuilder
  ) throws(ApusError) {
    do throws(ApusError) {
      guard step.inputs.count == 1, let source = step.inputs[0], step.outputs.count == 1 else {
        throw ApusError(
          .malformedModel, "\(step.inputs.count) inputs and \(step.outputs.count) outputs",
          expected: "one of each")
      }
      let sparse = subgraph.tensors[source]
      guard sparse.sparsity != nil, let elements = try stored(sparse) else {
        throw ApusError(
          .malformedModel, "it reads \(sparse.label)", expected: "a constant in a sparse encoding")
      }
      let result = subgraph.tensors[step.outputs[0]]
      let declared = try result.requireType()
      guard declared.dataType == elements.dataType,
        declared.shape == elements.shape || declared.quantization?.isPerChannel != true
      else {
        throw ApusError(
          .malformedModel, "result 0 is declared as \(declared)", expected: "\(elements.type)")
      }
      let type = TensorType(declared.dataType, elements.shape, quantization: declared.quantization)
      let dense = try elements.reinterpreted(as: type)
      densified[result.index] = dense
      values[result.index] = builder.constant(names[result.index] ?? result.name, dense)
    } catch {
      throw error.at(label(step))
    }
  }

  private mutating func add(_ step: TFLiteOperator, to builder: inout GraphBuilder) throws(ApusError) {
    let label = label(step)
    let operation: any Operation
    var inputs: [Value?] = []
    var results: [GraphBuilder.Declaration] = []
    do throws(ApusError) {
      operation = try TFLiteOperators.operation(for: TFLiteStep(step, in: subgraph, of: model))
      for (position, tensor) in step.inputs.enumerated() {
        inputs.append(try operand(tensor, at: position, of: step, in: &builder))
      }
      for index in step.outputs {
        let tensor = subgraph.tensors[index]
        let type = try resultType(tensor, of: step, last: inputs.last.flatMap { $0.map { builder[$0].type } })
        results.append(.init(names[index] ?? tensor.name, type))
      }
    } catch {
      throw error.at(label)
    }
    let added = try builder.add(operation, inputs, results: results, label: label)
    for (tensor, value) in zip(step.outputs, added) { values[tensor] = value }
  }

  private mutating func operand(
    _ tensor: Int?, at position: Int, of step: TFLiteOperator, in builder: inout GraphBuilder
  ) throws(ApusError) -> Value? {
    guard let tensor else { return nil }
    // Weights stay as they are stored: these operators widen them while they pack them.
    if let widening = widenings[tensor], values[tensor] == nil,
      TFLiteOperators[step.builtin]?.halfPrecisionOperand == position, let source = widening.inputs[0]
    {
      return try value(source, in: &builder)
    }
    return try value(tensor, in: &builder)
  }

  /// The type that the file declares for a result. Arithmetic gives integers for quantized operands even
  /// where the result is declared as floats, as old files do.
  private func resultType(
    _ tensor: TFLiteTensor, of step: TFLiteOperator, last operand: TensorType?
  ) throws(ApusError) -> TensorType {
    let declared = try tensor.requireType()
    guard TFLiteOperators[step.builtin]?.followsLastOperand == true, declared.dataType == .float32,
      let operand, operand.quantization != nil, let quantization = tensor.quantization?.undeclared
    else { return declared }
    return TensorType(operand.dataType, declared.shape, quantization: quantization)
  }

  /// The operand of a step that widens float16 to float32, else nil.
  private func widenedConstant(_ step: TFLiteOperator) -> TFLiteTensor? {
    guard step.builtin == .DEQUANTIZE, step.inputs.count == 1, step.outputs.count == 1,
      let input = step.inputs[0], subgraph.tensors[input].type == .float16,
      subgraph.tensors[step.outputs[0]].type == .float32
    else { return nil }
    return subgraph.tensors[input]
  }

  /// Puts the subgraph that a composite operator stands for in its place.
  private mutating func inline(
    _ body: TFLiteSubgraph, for step: TFLiteOperator, into builder: inout GraphBuilder
  ) throws(ApusError) {
    let label = label(step)
    guard step.inputs.count == body.inputs.count, step.outputs.count == body.outputs.count else {
      throw ApusError(
        .malformedModel, "\(step.inputs.count) inputs and \(step.outputs.count) outputs",
        expected: "\(body.inputs.count) and \(body.outputs.count), as subgraph \(body.index) has", at: label)
    }
    let results = zip(body.outputs, step.outputs).map { ($0, names[$1] ?? subgraph.tensors[$1].name) }
    var scope = TFLiteScope(
      body, model: model, constants: constants, names: Dictionary(results) { first, _ in first }, place: label
    )
    do throws(ApusError) {
      for (inner, outer) in zip(body.inputs, step.inputs) {
        guard let outer else {
          throw ApusError(.malformedModel, "an input of subgraph \(body.index) is left out")
        }
        scope.bind(inner, to: try value(outer, in: &builder))
      }
    } catch {
      throw error.at(label)
    }
    try scope.run(into: &builder)
    for (inner, outer) in zip(body.outputs, step.outputs) {
      values[outer] = try scope.value(inner, in: &builder)
    }
  }

  private func label(_ step: TFLiteOperator) -> String {
    place.map { "\($0): \(step.label)" } ?? step.label
  }
}
