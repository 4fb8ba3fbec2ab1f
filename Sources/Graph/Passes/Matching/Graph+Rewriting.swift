import TensorCore

extension Graph {
  /// Nodes that all rewritings of a pass may go through together: each goes through the whole graph, and no file shall
  /// take long to compile. A transformer of a hundred layers takes a tenth.
  static let rewritingLimit = 1 << 24

  /// Gives each node that `isAnchor` picks to `rewrite`, with the graph as it has become, and goes on with the graph
  /// that this makes.
  /// - Parameter rewrite: is given the anchor's result; returns nil, or throws, where nothing is found.
  mutating func rewrite(
    from isAnchor: (any Operation) -> Bool, _ rewrite: (GraphMatcher, Value) throws(ApusError) -> Graph?
  ) {
    let anchors = nodes.filter { isAnchor($0.operation) }.compactMap(\.outputs.first)
    guard !anchors.isEmpty else { return }
    var matcher = GraphMatcher(self)
    var visited = 0
    for anchor in anchors where visited < Self.rewritingLimit {
      guard matcher.writer(of: anchor).map({ isAnchor($0.operation) }) == true,
        var next = try? rewrite(matcher, anchor)
      else { continue }
      next.removeDeadNodes()
      self = next
      matcher = GraphMatcher(self)
      visited += nodes.count
    }
  }

  /// Drops nodes whose results nothing reads.
  mutating func removeDeadNodes() {
    var needed = Set(outputs)
    var kept: [Node] = []
    for node in nodes.reversed() where node.outputs.contains(where: needed.contains) {
      needed.formUnion(node.inputs.compactMap(\.self))
      kept.append(node)
    }
    nodes = kept.reversed()
  }
}
