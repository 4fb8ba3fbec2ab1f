import ApusServing
import Synchronization

/// The bytes that bodies of requests may take together.
final class BodyBudget: Sendable {
  private let limit: Int
  private let used = Atomic<Int>(0)

  init(_ limit: Int) { self.limit = limit }

  /// Takes bytes.
  /// - Throws: ``ServingError`` of kind `overloaded` when there are not so many.
  func take(_ count: Int) throws(ServingError) {
    let total = used.wrappingAdd(count, ordering: .relaxed).newValue
    guard total <= limit else {
      used.wrappingSubtract(count, ordering: .relaxed)
      throw ServingError(
        .overloaded(retryAfter: .seconds(1)), "The server is reading as many bytes as it takes on.")
    }
  }

  func giveBack(_ count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
