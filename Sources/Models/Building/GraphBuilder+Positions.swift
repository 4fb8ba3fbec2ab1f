import Graph
import TensorCore

extension GraphBuilder {
  /// The position embeddings of a grid of patches, [1, prefix + patches, width], interpolated where the picture is
  /// not of the size the model was trained for.
  ///
  /// - Parameters:
  ///   - name: of the tensor, whose extents are `shape`.
  ///   - prefix: positions that stand before the patches.
  ///   - trained: the grid of the file.
  mutating func positions(
    _ weights: WeightPath, _ name: String, shape: [Int], prefix: Int, trained: PatchGrid, grid: PatchGrid
  ) throws(ApusError) -> Value {
    try positions(
      weights, name, shape: shape, prefix: prefix, grid: grid, by: grid == trained ? nil : .plain)
  }

  /// The same, interpolated by a filter, or as they are stored where there is none.
  mutating func positions(
    _ weights: WeightPath, _ name: String, shape: [Int], prefix: Int, grid: PatchGrid, by filter: CubicFilter?
  ) throws(ApusError) -> Value {
    let place = weights.key(name)
    let stored = try float32(weights, name, shape)
    let width = width(stored)
    guard let filter, let table = self[stored].constant else {
      return try reshape(stored, [1, prefix + grid.count, width], at: place)
    }
    let elements = try PositionGrid.interpolate(
      table.elements(), width: width, prefix: prefix, rows: grid.rows, columns: grid.columns, by: filter)
    return constant(place, try Tensor(elements, shape: Shape([1, prefix + grid.count, width])))
  }

  /// Rows that stand before the patches of every picture, one or several of each token:
  /// [batch, prefix + patches, width].
  mutating func prepend(
    _ tokens: [Value], to patches: Value, at place: String
  ) throws(ApusError) -> Value {
    let (batch, width) = (dimensions(patches).first ?? 0, width(patches))
    var rows: [Value?] = []
    for token in tokens {
      let count = dimensions(token).dropLast().reduce(1, *)
      let stored = try reshape(token, [1, count, width], at: place)
      rows.append(
        try broadcast(
          stored, to: [Int32(clamping: batch), Int32(clamping: count), Int32(clamping: width)], at: place))
    }
    return try apply(Concatenation(axis: 1), rows + [patches], at: place)
  }
}
