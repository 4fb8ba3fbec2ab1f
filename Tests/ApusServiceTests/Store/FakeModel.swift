import Kernels
import Networks
import Synchronization
import TensorCore

@testable import Apus
@testable import ApusService

/// A model that takes as many bytes as it is told, and is opened when the test lets it.
final class FakeModel: InferenceModel {
  struct Options: Sendable {
    var bytes = 100
    var script = Script()
  }

  /// What becomes of opening a model, and what became of it.
  final class Script: Sendable {
    struct State {
      var begun = 0
      var ended = 0
      var alive = 0
      var isOpen = true
      var failure: ApusError?
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }
    func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

    /// Waits until loads may go on.
    func pass() async throws(ApusError) {
      change { $0.begun += 1 }
      while !now.isOpen, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
      change { $0.ended += 1 }
      guard !Task.isCancelled else { throw ApusError(.cancelled, "the loading was cancelled") }
      if let failure = now.failure { throw failure }
    }
  }

  let path: String
  let options: Options
  let computation = Computation([], on: KernelSet.best.choice)
  let loadTimes = LoadTimes()
  private let idleBytes = Mutex(40)

  init(_ model: String, options: Options) throws(ApusError) {
    (path, self.options) = (model, options)
    options.script.change { $0.alive += 1 }
  }

  deinit { options.script.change { $0.alive -= 1 } }

  static func load(
    _ model: String, options: Options, progress: (@Sendable (LoadProgress) -> Void)?
  ) async throws(ApusError) -> FakeModel {
    try await options.script.pass()
    return try FakeModel(model, options: options)
  }

  var memory: ModelMemory { ModelMemory(holder: self, weights: options.bytes) }
  var hasIdleMemory: Bool { idleBytes.withLock { $0 > 0 } }
  func releaseIdleMemory() { idleBytes.withLock { $0 = 0 } }
}

/// A store whose clock, memory and pressure the test sets.
final class TestStore: Sendable {
  let store: ModelStore
  /// What the store had the allocator give back.
  let returned: ReturnedMemory
  private let clock: TestClock

  /// - Parameter limit: of bytes.
  init(limit: Int = 1000, _ change: (inout ModelStore.Options) -> Void = { _ in }) throws {
    var options = ModelStore.Options(byteLimit: limit)
    options.patience = .zero
    change(&options)
    let clock = TestClock()
    // Tests say themselves how short memory is.
    options.watchesPressure = false
    let returned = ReturnedMemory()
    (self.clock, self.returned) = (clock, returned)
    store = try ModelStore(
      options, PerformanceMonitor(),
      StoreSurroundings(
        now: { clock.now }, available: { clock.available }, share: { clock.share },
        levels: { _ in .finished },
        giveBack: { returned.add($0, always: $1) },
        // Tests look at the models themselves.
        pause: { try? await Task.sleep(for: .seconds(3600)) }))
  }

  func advance(by duration: Duration) { clock.advance(by: duration) }
  func set(available: Int?) { clock.set(available: available) }
  func set(shares: [Double]) { clock.set(shares: shares) }

  /// A description of a model that takes so many bytes.
  func model(
    _ name: String, bytes: Int = 100, script: FakeModel.Script = .init(), timeToLive: Duration? = nil,
    target: Duration? = nil, fallbacks: [Int] = []
  ) -> ServiceModel<FakeModel> {
    let qualities: [ModelQuality] = [.medium, .low]
    return ServiceModel(
      name, at: "/\(name)", options: .init(bytes: bytes, script: script), memory: bytes,
      latencyTarget: target, timeToLive: timeToLive,
      fallbacks: zip(qualities, fallbacks).map { quality, bytes in
        ModelVariant(
          quality, at: "/\(name)-\(quality)", options: .init(bytes: bytes, script: script), memory: bytes)
      })
  }
}

/// A clock and a machine's memory that a test sets.
final class TestClock: Sendable {
  private struct State {
    var now: UInt64 = 1_000_000_000_000
    var available: Int? = .max
    var shares: [Double] = []
  }

  private let state = Mutex(State())

  var now: UInt64 { state.withLock { $0.now } }
  var available: Int? { state.withLock { $0.available } }
  /// The next of the shares that were set; the last one stays.
  var share: Double? {
    state.withLock { $0.shares.count > 1 ? $0.shares.removeFirst() : $0.shares.first }
  }

  func advance(by duration: Duration) {
    let nanoseconds = duration / .nanoseconds(1)
    state.withLock { state in
      let sum = Double(state.now) + nanoseconds
      state.now = UInt64(min(max(sum, 0), 1.8e19))
    }
  }

  func set(available: Int?) { state.withLock { $0.available = available } }
  func set(shares: [Double]) { state.withLock { $0.shares = shares } }
}

/// Waits for something that other tasks do, for ten seconds at most.
func eventually(_ condition: () async -> Bool) async -> Bool {
  for _ in 0..<10_000 {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return await condition()
}

extension AsyncStream {
  /// One that says nothing.
  fileprivate static var finished: AsyncStream { AsyncStream { $0.finish() } }
}
