import TensorCore

/// How short memory is, as it changes.
///
///     for await level in MemoryPressure.levels() where level > .normal {
///       print("memory is short: \(level)")
///     }
///
/// Two things tell: how long tasks wait for memory, of which the kernel sends word (pressure stall information), and how
/// much of the limits of ``MemoryStatus`` is used, which is looked at once a second. A machine without swap often has no
/// memory left before anything waits for it, and a control group of version 1 has no stall information of its own.
public enum MemoryPressure {
  /// How short memory is.
  public enum Level: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// There is enough.
    case normal
    /// Memory that can be rebuilt should be released.
    case warning
    /// Nothing more is to be taken: the kernel may end processes soon.
    case critical

    /// The less memory, the greater the level.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// From when on memory is short.
  public struct Options: Sendable, Hashable {
    /// The used share of a limit from which on the level is ``Level/warning``.
    public var warningShare: Double
    /// The used share of a limit from which on the level is ``Level/critical``.
    public var criticalShare: Double
    /// How far the share must have gone back below those for the level to end, so that it does not change to and fro.
    public var margin: Double
    /// How long the level lasts after the kernel's last word of tasks that waited.
    public var calm: Duration
    /// How often the share is looked at.
    public var interval: Duration

    /// The defaults suit most machines.
    public init(
      warningShare: Double = 0.85, criticalShare: Double = 0.95, margin: Double = 0.05,
      calm: Duration = .seconds(5), interval: Duration = .seconds(1)
    ) {
      (self.warningShare, self.criticalShare, self.margin) = (warningShare, criticalShare, margin)
      (self.calm, self.interval) = (calm, interval)
    }
  }

  /// The files by which this process hears that tasks wait for memory; none where only the used share tells.
  public static var sources: [String] {
    PressureTrigger.all().map(\.path).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The level and each change of it, as long as the stream is in use. A slow listener misses levels that ended meanwhile. A
  /// thread of its own waits for the kernel, none of Swift's pool. If the system grants no thread, the used share alone
  /// decides.
  public static func levels(_ options: Options = Options()) -> AsyncStream<Level> {
    PressureWatch.levels(options, triggers: PressureTrigger.all())
  }
}

extension MemoryPressure.Level: CustomStringConvertible {
  /// `normal`, `warning` or `critical`.
  public var description: String {
    switch self {
    case .normal: "normal"
    case .warning: "warning"
    case .critical: "critical"
    }
  }
}
