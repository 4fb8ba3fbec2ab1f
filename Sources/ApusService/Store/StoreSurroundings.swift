import TensorCore

/// The system services a store depends on.
struct StoreSurroundings: Sendable {
  /// Nanoseconds of a monotonic clock.
  var now: @Sendable () -> UInt64
  /// Bytes that can be had; nil where the system does not say.
  var available: @Sendable () -> Int?
  /// The greatest used share of a limit, from 0 to 1.
  var share: @Sendable () -> Double?
  /// How short memory is, as it changes.
  var levels: @Sendable (MemoryPressure.Options) -> AsyncStream<MemoryPressure.Level>
  /// Gives back what the allocator keeps of so many bytes that were freed: always, or once it is worth it.
  var giveBack: @Sendable (_ byteCount: Int, _ always: Bool) -> Void
  /// Waits between two looks at the models.
  var pause: @Sendable () async -> Void

  static let system = StoreSurroundings(
    now: MonitorClock.system.nanoseconds,
    available: { try? MemoryStatus.current().available },
    share: { try? MemoryStatus.current().share },
    levels: { MemoryPressure.levels($0) },
    giveBack: { FreedMemory.ofProcess.giveBack(after: $0, always: $1) },
    pause: { try? await Task.sleep(for: .seconds(1)) })

  /// 60 % of what can be had, so that other parts of the program, and what the count does not know of, have room.
  func usualLimit() throws(ApusError) -> Int {
    guard let available = available() else {
      throw ApusError(
        .resources, "the system does not say how much memory there is",
        expected: "a limit of all models together",
        advice: "State it, with \(Setting.byteLimit).")
    }
    return available / 5 * 3
  }
}
