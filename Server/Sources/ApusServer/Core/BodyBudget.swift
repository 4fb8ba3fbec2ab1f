import ApusServing
import Synchronization

/// The bytes that bodies of requests, and files that are read for them, may take together.
final class BodyBudget: Sendable {
  private let limit: Int
  private let used = Atomic<Int>(0)

  init(_ limit: Int) { self.limit = limit }

  /// Takes bytes.
  /// - Throws: ``ServingError``: `overloaded` when there are not so many now, `tooLarge` when there never are.
  func take(_ count: Int) throws(ServingError) {
    guard count <= limit else {
      throw ServingError(.tooLarge, "The request needs \(count) bytes, expected at most \(limit).")
    }
    let total = used.wrappingAdd(count, ordering: .relaxed).newValue
    guard total <= limit else {
      used.wrappingSubtract(count, ordering: .relaxed)
      throw ServingError(
        .overloaded(retryAfter: .seconds(1)), "The server is reading as many bytes as it takes on.")
    }
  }

  func giveBack(_ count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }

  /// Bytes that are taken as long as it is there.
  final class Lease: Sendable {
    private let budget: BodyBudget
    private let count: Int

    /// - Throws: ``ServingError``: as ``BodyBudget/take(_:)``.
    init(_ count: Int, of budget: BodyBudget) throws(ServingError) {
      try budget.take(count)
      (self.budget, self.count) = (budget, count)
    }

    deinit { budget.giveBack(count) }
  }
}
