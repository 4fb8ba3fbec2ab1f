import Apus

extension WorkerThreads {
  /// Up to so many bytes are read where the request is answered.
  static let quickBytes = 1 << 16

  /// Reads what a client sent: at once where it is short, else on a thread that may take its time, so that nobody who asks
  /// for little waits for it.
  /// - Parameters:
  ///   - bytes: how many there are to read.
  ///   - read: makes something of them.
  /// - Throws: what `read` throws.
  public static func read<Value: Sendable, Failure: Error>(
    bytes: Int, _ read: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard bytes > quickBytes else { return try read() }
    return try await run { (_) throws(Failure) in try read() }
  }
}
