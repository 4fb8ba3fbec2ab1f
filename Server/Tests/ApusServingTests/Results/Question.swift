import ApusServing

/// A kind of request: what its items may be, and what is right for each.
struct Question: Sendable {
  let name: String
  /// For each item that it may have, what the library gives for it alone.
  let right: [ItemOutcome]
  /// Asks the server for items, by their numbers, in one request.
  let ask: @Sendable ([Int]) async throws(ServingError) -> [ItemOutcome]

  /// - Parameters:
  ///   - items: all that a request may have.
  ///   - alone: what the library gives for one.
  ///   - together: what the server gives for some.
  init<Item: Sendable>(
    _ name: String, _ items: [Item], alone: (Item) async -> ItemOutcome,
    together: @escaping @Sendable ([Item]) async throws(ServingError) -> [ItemOutcome]
  ) async {
    var right: [ItemOutcome] = []
    for item in items { right.append(await alone(item)) }
    (self.name, self.right) = (name, right)
    ask = { (indices) async throws(ServingError) in try await together(indices.map { items[$0] }) }
  }
}
