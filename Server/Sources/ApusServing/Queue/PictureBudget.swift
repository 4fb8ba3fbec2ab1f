import Synchronization

/// The pixels of pictures that are decoded and run at a time, over all models. What comes when they are taken waits, in
/// order.
public final class PictureBudget: Sendable {
  private struct State {
    var used = 0
    /// The oldest first.
    var waiting: [(pixels: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func hasRoom(for pixels: Int, within limit: Int) -> Bool {
      used == 0 || (used <= limit && pixels <= limit - used)
    }
  }

  /// The pixels; a picture of more is worked on alone.
  public let pixels: Int
  private let state = Mutex(State())

  /// - Parameter pixels: as many as may be in work together.
  public init(pixels: Int) { self.pixels = pixels }

  /// The pixels in work, and the pictures, or requests of several, that wait.
  var status: (used: Int, waiting: Int) { state.withLock { ($0.used, $0.waiting.count) } }

  /// Does work on pictures once there is room for their pixels. Work may not ask for more.
  /// - Throws: what `work` throws. Those that are cancelled while they wait still get their turn.
  func run<Value, Failure: Error>(
    _ pixels: Int, _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isFree = state.withLock { state -> Bool in
        guard state.waiting.isEmpty, state.hasRoom(for: pixels, within: self.pixels) else {
          state.waiting.append((pixels, continuation))
          return false
        }
        state.used += pixels
        return true
      }
      if isFree { continuation.resume() }
    }
    defer { give(pixels) }
    return try await work()
  }

  private func give(_ pixels: Int) {
    let next = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.used -= pixels
      var next: [CheckedContinuation<Void, Never>] = []
      while let first = state.waiting.first, state.hasRoom(for: first.pixels, within: self.pixels) {
        state.used += first.pixels
        next.append(state.waiting.removeFirst().continuation)
      }
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
