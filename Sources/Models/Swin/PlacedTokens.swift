import Graph
import TensorCore

/// The tokens of a batch of pictures, which lie in the same order of each: that of the windows in which they attended last,
/// so that only those are moved that the next layer has in other windows.
struct PlacedTokens {
  /// float32 [batch · tokens of a picture, width]
  var features: Value
  /// The token, counted row by row over a picture's grid, that each row of a picture is.
  private(set) var order: [Int]
  let batch: Int

  init(_ features: Value, order: [Int], batch: Int) {
    self.features = features
    self.order = order
    self.batch = batch
  }

  /// The rows of each picture's tokens, picture by picture; nil where no token is wanted.
  func rows(of tokens: [Int?]) -> [Int?] {
    var places = [Int](repeating: 0, count: order.count)
    for (place, token) in order.enumerated() { places[token] = place }
    var rows: [Int?] = []
    rows.reserveCapacity(batch * tokens.count)
    for picture in 0..<batch {
      for token in tokens { rows.append(token.map { picture * order.count + places[$0] }) }
    }
    return rows
  }

  /// Moves the rows of each picture.
  mutating func reorder(
    to order: [Int], at place: String, in graph: inout GraphBuilder
  ) throws(ApusError) {
    guard order != self.order else { return }
    features = try graph.gather(features, rows: rows(of: order), at: place)
    self.order = order
  }
}
