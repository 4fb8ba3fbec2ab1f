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
}
