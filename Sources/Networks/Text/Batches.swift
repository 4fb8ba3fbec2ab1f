import TensorCore

/// A list divided into batches, in any order, or what became of each of them. Batches know the places that
/// their items had in the list, so what is put together again is in the order of the list.
package struct Batches<Content> {
  private let batches: [(content: Content, places: [Int])]

  private init(_ batches: [(content: Content, places: [Int])]) { self.batches = batches }

  /// A list left whole, whose `count` items are one batch.
  package init(whole content: Content, count: Int) {
    batches = [(content, Array(0..<count))]
  }

  package var count: Int { batches.count }

  package var contents: [Content] { batches.map(\.content) }

  /// The results of `body` for each batch.
  package func map<Result>(
    _ body: (Content) throws(ApusError) -> Result
  ) throws(ApusError) -> Batches<Result> {
    var results: [Result] = []
    for content in contents { results.append(try body(content)) }
    return replacing(results)
  }

  /// These batches with other contents, one for each.
  func replacing<Other>(_ contents: [Other]) -> Batches<Other> {
    Batches<Other>(zip(contents, batches).map { ($0, $1.places) })
  }

  /// One row for each item of the list, in the order of the list.
  /// - Throws: ``ApusError`` of kind `malformedModel` when a batch has another number of rows than of items.
  package func inOrder<Row>() throws(ApusError) -> [Row] where Content == [Row] {
    var rows = [Row?](repeating: nil, count: batches.reduce(0) { $0 + $1.places.count })
    for (content, places) in batches {
      guard content.count == places.count else {
        throw ApusError(
          .malformedModel, "\(content.count) rows of results for a batch of \(places.count)",
          expected: "a row for each")
      }
      for (place, row) in zip(places, content) { rows[place] = row }
    }
    return rows.compactMap(\.self)
  }
}

extension Batches: Sendable where Content: Sendable {}

extension Batches {
  /// Divides items so that a run is long enough to use the processor well, and short enough for its intermediate
  /// results to stay in the cache.
  /// - Parameters:
  ///   - budget: the size of a batch of more than one item, at most.
  ///   - size: the size of an item, such as its number of tokens.
  package init<Item>(_ items: [Item], budget: Int, size: (Item) -> Int) where Content == [Item] {
    let sizes = items.map(size)
    // Like lengths come together, so that the same shapes come again.
    let order = items.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
    var batches: [(content: Content, places: [Int])] = []
    var total = 0
    for index in order {
      if batches.isEmpty || total + sizes[index] > budget {
        batches.append(([], []))
        total = 0
      }
      batches[batches.count - 1].content.append(items[index])
      batches[batches.count - 1].places.append(index)
      total += sizes[index]
    }
    self.init(batches)
  }
}
