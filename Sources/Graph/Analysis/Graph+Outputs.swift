extension Graph {
  /// Has an output read before the others, which stay in their order.
  /// - Parameter output: its position.
  package mutating func readFirst(_ output: Int) {
    guard output > 0, outputs.indices.contains(output) else { return }
    let read = outputs.remove(at: output)
    outputs.insert(read, at: 0)
  }
}
