import Synchronization

/// Something of a model's files that is kept beside the store until the model is taken out.
final class KeptValue<Value: Sendable>: Sendable {
  private let access: FormAccess
  private let kept = Mutex<Value?>(nil)

  init(_ access: FormAccess) { self.access = access }

  /// The value; made by the first who ask, and found by later ones.
  /// - Throws: ``ServingError``: `unavailable` when the model was taken out before or meanwhile; what `make` throws.
  func value(
    _ make: () async throws(ServingError) -> Value
  ) async throws(ServingError) -> Value {
    try access.require()
    if let known = kept.withLock({ $0 }) { return known }
    return try await access.opening { () async throws(ServingError) -> Value in
      let made = try await make()
      try kept.withLock { (kept) throws(ServingError) in
        // Looked at under the lock: else it might come after ``clear()``, and outlive its files.
        try access.require()
        kept = made
      }
      return made
    }
  }

  /// Forgets the value. To be called when nobody gets the model any more.
  func clear() { kept.withLock { $0 = nil } }
}
