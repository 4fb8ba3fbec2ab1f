import Graph

/// A device's class, in one word.
///
/// The measure is a ViT-B/16, of which a picture of 224 × 224 takes 35·10⁹ additions and multiplications, in float32.
public enum PerformanceTier: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// Less than the others: small models, or few runs.
  case low
  /// Five such pictures a second, and 2 GiB of memory.
  case medium
  /// Twenty such pictures a second, and 8 GiB of memory.
  case high

  /// - Parameters:
  ///   - rate: 10⁹ operations a second in float32.
  ///   - memory: bytes that the process may use.
  init(rate: Double, memory: Int) {
    let pictures = rate / 35
    self =
      switch true {
      case pictures >= 20 && memory >= 8 << 30: .high
      case pictures >= 5 && memory >= 2 << 30: .medium
      default: .low
      }
  }

  /// The slower, the less.
  public static func < (left: PerformanceTier, right: PerformanceTier) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
