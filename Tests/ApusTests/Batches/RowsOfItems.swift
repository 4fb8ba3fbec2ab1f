import Testing

/// Expects row i of a batch to be the row of item i alone: closer to it than to any other item's, and within
/// `tolerance` of the largest number.
func expectRowsOfItems(
  _ batch: [[Float]], _ alone: [[Float]], tolerance: Float, _ comment: Comment,
  at location: SourceLocation = #_sourceLocation
) {
  #expect(batch.count == alone.count, comment, sourceLocation: location)
  let largest = alone.flatMap(\.self).map(abs).max() ?? 0
  for (index, row) in batch.enumerated() where index < alone.count {
    let distances = alone.map { distance($0, row) }
    #expect(distances[index] <= tolerance * largest, "\(comment): row \(index)", sourceLocation: location)
    let others = distances.indices.filter { $0 != index }.map { distances[$0] }
    #expect(
      others.allSatisfy { $0 > distances[index] }, "\(comment): row \(index) is another item's",
      sourceLocation: location)
  }
}

private func distance(_ a: [Float], _ b: [Float]) -> Float {
  a.count == b.count ? zip(a, b).map { abs($0 - $1) }.max() ?? .infinity : .infinity
}
