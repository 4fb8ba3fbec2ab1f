import Kernels
import TensorCore

/// Builds a graph node by node, inferring every shape and computing what is constant already.
package struct GraphBuilder {
  package private(set) var graph: Graph
  private let kernels: KernelSet

  /// Bytes that the elements of all folded constants may take, so that a tiny file cannot make huge ones.
  static let foldingLimit = 256 << 20
  private var foldedByteCount = 0

  package init(_ numbers: Graph.Numbers = .asked, kernels: KernelSet = .best) {
    graph = Graph(numbers)
    self.kernels = kernels
  }

  /// - Parameter known: the elements, when the graph is built for these alone; what follows from them is
  ///   computed at once, shapes among it.
  package mutating func input(_ name: String, _ type: TensorType, known: Tensor? = nil) -> Value {
    let value = add(ValueInfo(name: name, type: type, constant: known))
    graph.inputs.append(value)
    return value
  }

  /// - Parameter source: where the elements were read, when it was a file whose tensors have names.
  package mutating func constant(_ name: String, _ tensor: Tensor, source: WeightSource? = nil) -> Value {
    add(ValueInfo(name: name, type: tensor.type, constant: tensor, source: source))
  }

  package mutating func output(_ value: Value) { graph.outputs.append(value) }

  /// What is known of a value so far.
  package subscript(value: Value) -> ValueInfo { graph[value] }

  /// What the caller states of a result: its name and, where the model declares them, its element type and
  /// quantization. Without them the operation decides.
  package struct Declaration {
    package var name: String
    package var type: TensorType?

    package init(_ name: String, _ type: TensorType? = nil) {
      self.name = name
      self.type = type
    }
  }

  /// Applies `operation`; returns its results.
  /// - Parameter label: names the node in errors: `operator 12 (CONV_2D)`.
  /// - Throws: ``ApusError`` with the label when the operands do not fit the operation; of kind `malformedModel` also for
  ///   elements of constants that it cannot work with, such as an index that does not exist.
  package mutating func add(
    _ operation: some Operation, _ inputs: [Value?], results: [Declaration], label: String
  ) throws(ApusError) -> [Value] {
    let operands = Operands(
      inputs: inputs.map { $0.map { graph[$0].type } },
      constants: inputs.map { $0.flatMap { graph[$0].constant } },
      declared: results.compactMap(\.type))
    let types: [TensorType]
    do {
      types = try operation.outputTypes(operands)
    } catch {
      throw error.at(label)
    }
    guard types.count == results.count else {
      throw ApusError(
        .malformedModel, "\(results.count) outputs", expected: "\(types.count)", at: label)
    }
    let folded = try fold(operation, operands, types, label: label)
    foldedByteCount += (folded ?? []).reduce(0) { $0 + $1.type.byteCount }
    let source = inputs.first.flatMap { $0 }.flatMap { graph[$0].source?.after(operation.resultMeaning) }
    let values = zip(results, types).enumerated().map { index, result in
      add(
        ValueInfo(
          name: result.0.name, type: folded?[index].type ?? result.1, constant: folded?[index],
          source: folded == nil ? nil : source))
    }
    if folded == nil {
      graph.nodes.append(Node(operation: operation, inputs: inputs, outputs: values, label: label))
    }
    return values
  }

  private mutating func add(_ info: ValueInfo) -> Value {
    graph.values.append(info)
    return Value(index: graph.values.count - 1)
  }

  /// The results, when nothing they depend on is unknown and they are not too large.
  private func fold(
    _ operation: some Operation, _ operands: Operands, _ types: [TensorType], label: String
  ) throws(ApusError) -> [Tensor]? {
    let known = zip(operands.inputs, operands.constants).allSatisfy { $0 == nil || $1 != nil }
    let dependsOnShapeOnly = operation is any ShapeOnlyOperation
    var left = Self.foldingLimit - foldedByteCount
    for type in types { left -= min(type.byteCount, Self.foldingLimit + 1) }
    guard known || dependsOnShapeOnly, left >= 0 else { return nil }
    let context = LoweringContext(operands: operands, results: types, kernels: kernels)
    do {
      return try Evaluator.evaluate(operation.lowering(context), operands: operands, results: types)
    } catch {
      var refusal = error
      // In a run these would be what the caller gave; here they are the model's, but in a graph that is made for a caller's
      // elements, whose errors nobody sees.
      if refusal.kind == .argument { refusal.kind = .malformedModel }
      throw refusal.at(label)
    }
  }
}

/// An operation whose results depend on its operands' shapes but not on their elements, such as `shape`.
package protocol ShapeOnlyOperation: Operation {}
