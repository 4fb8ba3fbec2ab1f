import Graph
import TensorCore

/// What is known of where the layers of a model stand.
enum LayerPlaces {
  /// Of a network: the layers of weights of whose results its own are made without further weights.
  case network(last: Set<ExactText>)
  /// Of a file of weights: names.
  case names

  /// Of a network, by the labels of its nodes.
  init(_ graph: Graph) {
    var writers: [Value: Node] = [:]
    for node in graph.nodes {
      for result in node.outputs { writers[result] = node }
    }
    var last: Set<ExactText> = []
    var seen = Set(graph.outputs)
    var rest = graph.outputs
    while let value = rest.popLast() {
      guard let node = writers[value] else { continue }
      let types = node.outputs.map { graph[$0].type }
      if node.operation.multiplyAccumulates(graph.operands(of: node), results: types) > 0 {
        last.insert(ExactText(node.label))
      } else {
        for case let input? in node.inputs where seen.insert(input).inserted { rest.append(input) }
      }
    }
    self = .network(last: last)
  }

  /// Whether nothing says that a layer is no head: that others come behind it, or that it is a table.
  func mayBeHead(_ layer: String) -> Bool {
    switch self {
    case .network(let last): last.contains(ExactText(layer))
    case .names: !layer.lowercased().contains("embed")
    }
  }

  /// Whether something says that a layer is a head. Those before it have names in modules, such as `encoder.dense`.
  func isHead(_ layer: String) -> Bool {
    switch self {
    case .network: mayBeHead(layer)
    case .names: mayBeHead(layer) && !layer.contains(".")
    }
  }

  /// Whether two layers are heads of one kind, such as `cls_classifier` and `distillation_classifier`.
  func areSiblings(_ first: String, _ second: String) -> Bool {
    guard isHead(first), isHead(second) else { return false }
    switch self {
    case .network: return true
    case .names: return !Self.words(first).isDisjoint(with: Self.words(second))
    }
  }

  private static func words(_ name: String) -> Set<ExactText> {
    Set(name.utf8.split(separator: UInt8(ascii: "_")).map { ExactText(String(Substring($0))) })
  }
}
