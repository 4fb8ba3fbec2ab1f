import Synchronization

/// How long runs took that nobody has asked for yet.
final class RunTimes: Sendable {
  private let times = Mutex<[Duration]>([])
  /// Those of a program that never asks have a bound; the oldest go.
  private static let capacity = 1024

  func add(_ time: Duration) {
    times.withLock { times in
      if times.count >= Self.capacity { times.removeFirst(Self.capacity / 2) }
      times.append(time)
    }
  }

  /// The times, in the order in which runs ended; they are asked for once.
  func take() -> [Duration] {
    times.withLock { times in
      defer { times = [] }
      return times
    }
  }
}
