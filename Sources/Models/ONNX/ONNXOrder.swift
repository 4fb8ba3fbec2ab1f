import Formats
import TensorCore

/// The nodes of a graph that its outputs depend on, each behind those that it reads from.
struct ONNXOrder {
  private(set) var nodes: [ONNXNode] = []
  /// How often these, and the outputs, read each value.
  private(set) var reads: [ExactText: Int] = [:]

  /// - Parameter supplied: names that have a value without the nodes that would give it to them.
  /// - Throws: ``ApusError`` of kind `malformedModel` where nodes depend on themselves, or two give one name a value.
  init(_ graph: ONNXGraph, supplied: Set<ExactText> = []) throws(ApusError) {
    var writers: [ExactText: Int] = [:]
    for node in graph.nodes {
      for output in node.outputs where !output.isEmpty {
        guard writers.updateValue(node.index, forKey: ExactText(output)) == nil else {
          throw ApusError(
            .malformedModel, "two nodes give '\(output.clipped)' a value", expected: "one", at: node.label)
        }
      }
    }
    for name in supplied { writers[name] = nil }
    for name in graph.inputs.map(\.name) + graph.initializers.map(\.name) {
      guard let writer = writers[ExactText(name)] else { continue }
      throw ApusError(
        .malformedModel, "it gives '\(name.clipped)' a value, which has one before", expected: "another name",
        at: graph.nodes[writer].label)
    }
    enum State { case unseen, entered, done }
    var states = [State](repeating: .unseen, count: graph.nodes.count)
    // By a list, as there may be as many in a row as a file has nodes.
    var pending = graph.outputs.reversed().compactMap { writers[ExactText($0.name)] }
    while let index = pending.last {
      switch states[index] {
      case .done: pending.removeLast()
      case .entered:
        pending.removeLast()
        states[index] = .done
        nodes.append(graph.nodes[index])
      case .unseen:
        states[index] = .entered
        for name in graph.nodes[index].readNames.reversed() {
          guard let writer = writers[ExactText(name)] else { continue }
          guard states[writer] != .entered else {
            throw ApusError(
              .malformedModel, "it depends on its own result, by '\(name.clipped)'",
              at: graph.nodes[index].label)
          }
          if states[writer] == .unseen { pending.append(writer) }
        }
      }
    }
    // As the file has them, where that is an order.
    if nodes.map(\.index).sorted() != nodes.map(\.index), let sorted = Self.inFileOrder(nodes, writers) {
      nodes = sorted
    }
    for name in nodes.flatMap(\.readNames) + graph.outputs.map(\.name) {
      reads[ExactText(name), default: 0] += 1
    }
  }

  /// The nodes as they stand in the file; nil where one stands before another that it reads from.
  private static func inFileOrder(_ nodes: [ONNXNode], _ writers: [ExactText: Int]) -> [ONNXNode]? {
    let sorted = nodes.sorted { $0.index < $1.index }
    let isOrder = sorted.allSatisfy { node in
      node.readNames.allSatisfy { writers[ExactText($0)] ?? -1 < node.index }
    }
    return isOrder ? sorted : nil
  }
}

extension ONNXNode {
  /// The names that it reads, among them those that graphs in its attributes take from outside.
  var readNames: [String] {
    var names = inputs.filter { !$0.isEmpty }
    for attribute in attributes {
      guard case .graph(let graph) = attribute.value else { continue }
      names += graph.nodes.flatMap(\.readNames) + graph.outputs.map(\.name)
    }
    return names
  }
}
