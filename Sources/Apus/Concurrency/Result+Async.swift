import TensorCore

extension Result where Success: Sendable, Failure == ApusError {
  /// What came of `work`.
  static func of(_ work: () async throws(ApusError) -> Success) async -> Self {
    do throws(ApusError) { return .success(try await work()) } catch { return .failure(error) }
  }
}
