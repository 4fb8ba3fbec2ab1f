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
  /// The device's class.
  case tier(needed: PerformanceTier, present: PerformanceTier)
}

extension Shortfall: CustomStringConvertible {
  /// One sentence without a full stop: `420 MiB of memory available, 640 MiB needed`, or
  /// `the instructions avx512_vnni are missing`.
  public var description: String {
    switch self {
    case .memory(let needed, let present):
      let (needed, present) = Self.bytes(needed, present)
      return "\(present) of memory available, \(needed) needed"
    case .rate(let needed, let present):
      return "\(present.printed("%.1f"))·10⁹ operations a second, \(needed.printed("%.1f"))·10⁹ needed"
    case .threads(let needed, let present):
      return "\(present) \(present == 1 ? "thread" : "threads"), \(needed) needed"
    case .instructions(let missing, _):
      return "the instructions \(missing.joined(separator: ", ")) are missing"
    case .tier(let needed, let present): return "tier \(present.rawValue), \(needed.rawValue) needed"
    }
  }

  /// Two numbers of bytes in the greatest unit that tells them apart.
  private static func bytes(_ needed: Int, _ present: Int) -> (needed: String, present: String) {
    for (unit, size, format) in [("GiB", 0x1p30, "%.1f"), ("MiB", 0x1p20, "%.0f")] {
      let texts = [needed, present].map { "\((Double($0) / size).printed(format)) \(unit)" }
      if Double(needed) >= size, texts[0] != texts[1] { return (texts[0], texts[1]) }
    }
    return ("\(needed) bytes", "\(present) bytes")
  }

  /// Advice, as a sentence.
  var advice: String {
    switch self {
    case .memory: "Unload other models, or open this one in a precision with fewer bits."
    case .rate: "Open the model in a precision with fewer bits, or ask for fewer runs."
    case .threads: "Let the process use more processors."
    case .instructions: "Run the model on a processor that has them, or do not require them."
    case .tier: "Run the model on a faster device, or require a lower tier."
    }
  }
}
