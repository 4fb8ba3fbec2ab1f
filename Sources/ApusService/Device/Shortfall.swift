import TensorCore

/// Something that a model needs and a device lacks: how much is needed, and how much is there.
public enum Shortfall: Sendable, Hashable, Codable {
  /// Bytes of memory that are available.
  case memory(needed: Int, present: Int)
  /// 10⁹ additions and multiplications a second.
  case rate(needed: Double, present: Double)
  /// Threads that may run at once.
  case threads(needed: Int, present: Int)
  /// Instructions of the processor.
  case instructions(missing: [String], present: [String])
  /// What the device is good for.
  case tier(needed: PerformanceTier, present: PerformanceTier)
}

extension Shortfall: CustomStringConvertible {
  /// One sentence without a full stop: `420 MiB of memory available, 1024 MiB needed`.
  public var description: String { "\(presentWords), \(neededWords) needed" }

  var neededWords: String { words(isNeeded: true) }
  var presentWords: String { words(isNeeded: false) }

  private func words(isNeeded: Bool) -> String {
    switch self {
    case .memory(let needed, let present):
      "\((isNeeded ? needed : present) >> 20) MiB of memory" + (isNeeded ? "" : " available")
    case .rate(let needed, let present):
      (isNeeded ? needed : present).printed("%.1f") + "·10⁹ operations a second"
    case .threads(let needed, let present): "\(isNeeded ? needed : present) threads"
    case .instructions(let missing, let present):
      isNeeded
        ? missing.joined(separator: ", ")
        : "the instructions " + (present.isEmpty ? "of its baseline" : present.joined(separator: ", "))
    case .tier(let needed, let present): "the tier \((isNeeded ? needed : present).rawValue)"
    }
  }

  /// What helps, in a sentence; nil where nothing does.
  var advice: String? {
    switch self {
    case .memory: "Unload other models, or open this one in a precision with fewer bits."
    case .rate: "Open the model in a precision with fewer bits, or ask for fewer runs."
    case .threads: "Let the process use more processors."
    case .instructions, .tier: nil
    }
  }
}
