extension Graph {
  /// What the last layer of weights multiplies that takes more than one vector: the places of a picture, before a tower
  /// makes one vector of them. Nil where no layer takes several.
  package var lastPlaces: Value? {
    for node in nodes.reversed() {
      let unknown = node.inputs.compactMap(\.self).filter { self[$0].constant == nil }
      guard unknown.count == 1, let operand = unknown.first else { continue }
      let shape = self[operand].type.shape
      let results = node.outputs.map { self[$0].type }
      if shape.elementCount > shape.dimensions.last ?? 1,
        node.operation.multiplyAccumulates(operands(of: node), results: results) > 0
      {
        return operand
      }
    }
    return nil
  }

  /// What the last layer of weights multiplies at each number of places, from many to few: what a network makes of a
  /// picture at each resolution. Neither the picture itself nor single vectors are among them.
  package var scales: [Value] {
    var last: [Int: Value] = [:]
    for node in nodes {
      let unknown = node.inputs.compactMap(\.self).filter { self[$0].constant == nil }
      guard unknown.count == 1, let operand = unknown.first, !inputs.contains(operand) else { continue }
      let shape = self[operand].type.shape
      let places = shape.elementCount / max(shape.dimensions.last ?? 1, 1)
      let results = node.outputs.map { self[$0].type }
      guard places > 1, node.operation.multiplyAccumulates(operands(of: node), results: results) > 0 else {
        continue
      }
      last[places] = operand
    }
    return last.sorted { $0.key > $1.key }.map(\.value)
  }
}
