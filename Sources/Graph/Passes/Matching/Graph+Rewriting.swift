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
    var isNeeded = [Bool](repeating: false, count: values.count)
    for output in outputs { isNeeded[output.index] = true }
    var isDead = [Bool](repeating: false, count: nodes.count)
    for index in nodes.indices.reversed() {
      isDead[index] = !nodes[index].outputs.contains { isNeeded[$0.index] }
      guard !isDead[index] else { continue }
      for case let input? in nodes[index].inputs { isNeeded[input.index] = true }
    }
    guard isDead.contains(true) else { return }
    nodes = zip(nodes, isDead).compactMap { node, isDead in isDead ? nil : node }
  }
}
