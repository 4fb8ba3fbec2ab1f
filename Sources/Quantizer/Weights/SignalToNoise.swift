import CLibrary

/// How much of a signal a rounding left: sums of squares of the numbers, and of what became of them less them.
public struct SignalToNoise: Sendable, Equatable {
  /// The sum of squares of the numbers.
  public private(set) var signal = 0.0
  /// The sum of squares of what became of them less them.
  public private(set) var noise = 0.0

  package init(signal: Double = 0, noise: Double = 0) {
    self.signal = signal
    self.noise = noise
  }

  /// `10 · log₁₀(Σx² / Σ(x̂ − x)²)` in dB; infinite when nothing changed.
  public var decibels: Double { noise == 0 ? .infinity : 10 * log10(signal / noise) }

  package mutating func add(_ other: SignalToNoise) {
    signal += other.signal
    noise += other.noise
  }

  package mutating func add(_ original: Float, became rounded: Float) {
    signal += Double(original) * Double(original)
    noise += (Double(rounded) - Double(original)) * (Double(rounded) - Double(original))
  }
}
