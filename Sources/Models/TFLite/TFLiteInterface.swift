import Formats
import TensorCore

/// A tensor that goes in or comes out, under the name by which callers know it.
package struct TFLitePort: Sendable, Equatable {
  /// The name in the signature when there is one, else the tensor's.
  package let name: String
  package let tensor: Int
  package let tensorName: String
}

/// The inputs and outputs of a way into a model.
package struct TFLiteInterface: Sendable, Equatable {
  package let subgraph: Int
  /// All inputs of the subgraph.
  package let inputs: [TFLitePort]
  package let outputs: [TFLitePort]

  /// The names of the tensors that have one of the interface; the first one where there are several.
  var names: [Int: String] {
    Dictionary((inputs + outputs).map { ($0.tensor, $0.name) }) { first, _ in first }
  }
}

/// Names an input of a model.
package enum TFLiteInputReference: Hashable, Sendable {
  /// The name in the signature or of the tensor.
  case name(String)
  /// The position, from 0.
  case position(Int)
}

extension TFLiteInputReference: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  package init(stringLiteral name: String) { self = .name(name) }
  package init(integerLiteral position: Int) { self = .position(position) }
}

extension TFLiteInterface {
  /// The position of the input that a reference names: by its name in the signature, else by the tensor's.
  /// - Throws: ``ApusError`` of kind `argument` that lists the inputs when there is no such one.
  package func position(of reference: TFLiteInputReference) throws(ApusError) -> Int {
    let asked: String
    switch reference {
    case .position(let position):
      if inputs.indices.contains(position) { return position }
      asked = "\(position)"
    case .name(let name):
      let found =
        inputs.firstIndex { ExactText($0.name) == ExactText(name) }
        ?? inputs.firstIndex { ExactText($0.tensorName) == ExactText(name) }
      if let found { return found }
      asked = "'\(name)'"
    }
    let list = inputs.prefix(20).enumerated().map { "\($0) '\($1.name)'" }.joined(separator: ", ")
    throw ApusError(
      .argument, "the model has no input \(asked)", expected: inputs.isEmpty ? "none" : "one of \(list)")
  }

  /// The given values by position.
  func resolve<Element>(_ values: [TFLiteInputReference: Element]) throws(ApusError) -> [Int: Element] {
    var resolved: [Int: Element] = [:]
    for (reference, value) in values {
      let position = try position(of: reference)
      guard resolved.updateValue(value, forKey: position) == nil else {
        throw ApusError(.argument, "input \(position) '\(inputs[position].name)' is given twice")
      }
    }
    return resolved
  }
}

extension TFLiteModel {
  /// A way into the model.
  ///
  /// With a signature, inputs and outputs are in its order; inputs of the subgraph that it leaves out
  /// follow. Without, they are in the order of the subgraph, by the names of the subgraph's first signature
  /// where it gives one.
  /// - Throws: ``ApusError`` of kind `argument` when there is no such signature or subgraph.
  package func interface(signature key: String? = nil, subgraph: Int = 0) throws(ApusError)
    -> TFLiteInterface
  {
    if let key { return try interface(signature(named: key)) }
    guard subgraphs.indices.contains(subgraph) else {
      throw ApusError(
        .argument, "the model has no subgraph \(subgraph)", expected: "0 to \(subgraphs.count - 1)")
    }
    let graph = subgraphs[subgraph]
    let signature = signatures.first { $0.subgraph == subgraph }
    return TFLiteInterface(
      subgraph: subgraph, inputs: ports(graph.inputs, signature?.inputs ?? [], graph),
      outputs: ports(graph.outputs, signature?.outputs ?? [], graph))
  }

  private func interface(_ signature: TFLiteSignature) throws(ApusError) -> TFLiteInterface {
    let graph = subgraphs[signature.subgraph]
    var order: [Int] = []
    for binding in signature.inputs {
      guard graph.inputs.contains(binding.tensor), !order.contains(binding.tensor) else {
        throw ApusError(
          .malformedModel, "input '\(binding.name)' is tensor \(binding.tensor)",
          expected: "one of the inputs \(graph.inputs) of subgraph \(graph.index), each once",
          at: "signature '\(signature.key)'")
      }
      order.append(binding.tensor)
    }
    order += graph.inputs.filter { !order.contains($0) }
    return TFLiteInterface(
      subgraph: signature.subgraph, inputs: ports(order, signature.inputs, graph),
      outputs: signature.outputs.map { port($0.tensor, named: $0.name, graph) })
  }

  private func ports(
    _ tensors: [Int], _ bindings: [TFLiteSignature.Binding], _ graph: TFLiteSubgraph
  ) -> [TFLitePort] {
    // A tensor that stands there more than once has a name for each time.
    var names = Dictionary(grouping: bindings, by: \.tensor).mapValues { $0.map(\.name)[...] }
    return tensors.map { port($0, named: names[$0]?.popFirst(), graph) }
  }

  private func port(_ tensor: Int, named name: String?, _ graph: TFLiteSubgraph) -> TFLitePort {
    let tensorName = graph.tensors[tensor].name
    return TFLitePort(name: name ?? tensorName, tensor: tensor, tensorName: tensorName)
  }
}
