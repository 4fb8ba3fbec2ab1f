import Synchronization

/// Counts what is there at a time.
final class Gauge: Sendable {
  private let state = Mutex((current: 0, highest: 0))

  var current: Int { state.withLock { $0.current } }
  var highest: Int { state.withLock { $0.highest } }

  func enter() {
    state.withLock {
      $0.current += 1
      $0.highest = max($0.highest, $0.current)
    }
  }

  func leave() { state.withLock { $0.current -= 1 } }

  func during<Value>(_ body: () async -> Value) async -> Value {
    enter()
    defer { leave() }
    return await body()
  }

  /// Work that only cancelling ends.
  func untilCancelled() async {
    await during { while !Task.isCancelled { await Task.yield() } }
  }
}

/// Is counted as long as anybody holds it.
final class Token: Sendable {
  private let gauge: Gauge

  init(_ gauge: Gauge) {
    self.gauge = gauge
    gauge.enter()
  }

  deinit { gauge.leave() }
}

extension Array {
  /// All that a sequence gives.
  init<Elements: AsyncSequence<Element, Never>>(_ elements: Elements) async {
    self = []
    for await element in elements { append(element) }
  }
}
