extension Result where Success: Sendable {
  /// The result of `work`.
  static func of(_ work: () async throws(Failure) -> Success) async -> Self {
    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
  }
}
