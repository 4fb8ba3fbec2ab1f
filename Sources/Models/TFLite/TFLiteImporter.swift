import Formats
import Graph
import TensorCore

/// Turns a subgraph of a TFLite model into a ``Graph``.
///
/// Shapes are inferred anew, by the rules of the operators; those that the file declares for anything but
/// inputs and constants are not used, as in TFLite's own runtime.
package struct TFLiteImporter: Sendable {
  package let model: TFLiteModel
  private let storages = TFLiteDenseStorages()

  /// Constants refer to the bytes of the model's file, but those in a sparse encoding: these are dense in memory, once
  /// for all graphs that are there at a time.
  package init(_ model: TFLiteModel) {
    self.model = model
  }

  /// The graph of a subgraph, with inputs and outputs in the order and by the names of
  /// ``Formats/TFLiteModel/interface(signature:subgraph:)``.
  /// - Parameters:
  ///   - signature: a way in by its key; nil takes `subgraph`.
  ///   - inputShapes: shapes for inputs that shall have others than the file says.
  ///   - inputValues: elements of inputs by position, when the graph is to be built for these alone: for a model
  ///     in which shapes depend on them. Those that do not fit the input's type are left to the run.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that names everything Apus does not run at once, of
  ///   kind `malformedModel` with the operator whose operands do not fit, or of kind `argument` for a
  ///   signature, subgraph or input that does not exist.
  package func graph(
    signature: String? = nil, subgraph: Int = 0, inputShapes: [TFLiteInputReference: Shape] = [:],
    inputValues: [Int: Tensor] = [:]
  ) throws(ApusError) -> Graph {
    let graph = Result { () throws(ApusError) in
      try build(signature: signature, subgraph: subgraph, inputShapes, inputValues)
    }
    // What the file lost reads as zeros: they may be elements, or break a rule.
    try model.bytes.mappedFile?.checkUndamaged()
    return try graph.get()
  }

  private func build(
    signature: String?, subgraph: Int, _ inputShapes: [TFLiteInputReference: Shape],
    _ inputValues: [Int: Tensor]
  ) throws(ApusError) -> Graph {
    let interface = try model.interface(signature: signature, subgraph: subgraph)
    let source = model.subgraphs[interface.subgraph]
    try TFLiteRefusals(of: interface.subgraph, in: model).check()

    var builder = GraphBuilder(.stated)
    var scope = TFLiteScope(source, model: model, constants: constants(), names: interface.names)
    let shapes = try interface.resolve(inputShapes)
    for (position, port) in interface.inputs.enumerated() {
      let tensor = source.tensors[port.tensor]
      var type = try tensor.requireType()
      if let shape = shapes[position] {
        type = TensorType(type.dataType, shape, quantization: type.quantization)
      }
      var known = inputValues[position]
      if let tensor = known {
        let isFitting = tensor.dataType == type.dataType && tensor.shape == type.shape
        known = isFitting ? try tensor.reinterpreted(as: type) : nil
      }
      scope.bind(port.tensor, to: builder.input(port.name, type, known: known))
    }
    try scope.run(into: &builder)
    for port in interface.outputs { builder.output(try scope.value(port.tensor, in: &builder)) }
    return builder.graph
  }

  /// Those of one graph.
  private func constants() -> TFLiteConstants { TFLiteConstants(model.bytes, sharing: storages) }

  /// Whether Apus has all operators of a subgraph; that it runs them with these operands is not said.
  package func hasOperators(of subgraph: Int) -> Bool {
    (try? TFLiteRefusals(of: subgraph, in: model).check()) != nil
  }

  /// The graph of the main subgraph, and for each tensor that its operators name the value it has become.
  /// Tensors that the value of no input reaches are constants there: widened float16 weights, say, or shapes.
  /// - Throws: ``ApusError`` as ``graph(signature:subgraph:inputShapes:inputValues:)``.
  package func tracedGraph() throws(ApusError) -> (graph: Graph, values: [Int: Value]) {
    try TFLiteRefusals(of: 0, in: model).check()
    let source = model.subgraphs[0]
    var builder = GraphBuilder(.stated)
    var scope = TFLiteScope(source, model: model, constants: constants())
    for input in source.inputs {
      let tensor = source.tensors[input]
      scope.bind(input, to: builder.input(tensor.name, try tensor.requireType()))
    }
    try scope.run(into: &builder)
    var values: [Int: Value] = [:]
    for tensor in Set(source.operators.flatMap { $0.inputs.compactMap(\.self) + $0.outputs }).sorted() {
      values[tensor] = try scope.value(tensor, in: &builder)
    }
    for output in source.outputs { builder.output(try scope.value(output, in: &builder)) }
    return (builder.graph, values)
  }
}
