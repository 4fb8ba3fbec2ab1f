/// Sums over the numbers of each channel of two tensors, added up block by block.
struct ChannelSums {
  /// One channel: a slice of the tensors along an axis.
  struct Channel {
    fileprivate(set) var baselineSquares = 0.0
    fileprivate(set) var otherSquares = 0.0
    fileprivate(set) var products = 0.0
    fileprivate(set) var errorSquares = 0.0
    /// Numbers of the other side that are NaN or infinite, and are not so in the baseline.
    fileprivate(set) var notFinite = 0
    private(set) var count = 0
    /// The steps between the numbers that either side can hold; 0 of floats.
    private let baselineStep: Double
    private let otherStep: Double
    /// Whether the steps on each side are the channel's own, and not those of a tensor with channels of any size.
    private let hasOwnStep: (baseline: Bool, other: Bool)

    /// The factor that brings the baseline's numbers nearest to the other's.
    var gain: Double { baselineSquares > 0 ? products / baselineSquares : 1 }
    /// The power of the error over that of the baseline.
    var error: Double { baselineSquares > 0 ? errorSquares / baselineSquares : 0 }
    /// The part of ``error`` that is more than rounding to the nearest number on both sides makes.
    var unexplainedError: Double {
      let noise = roundingSquares
      return baselineSquares > 0 ? max(0, errorSquares - noise.baseline - noise.other) / baselineSquares : 0
    }
    /// The part of the other's power that is neither the baseline's numbers times ``gain`` nor rounding.
    var residue: Double {
      guard otherSquares > 0, baselineSquares > 0 else { return 0 }
      let noise = roundingSquares
      let rounding = noise.baseline / baselineSquares + noise.other / otherSquares
      return max(0, 1 - products / otherSquares * (products / baselineSquares) - rounding)
    }
    /// Whether the root of the mean squared error is two steps and more. A step of the channel's own that was multiplied
    /// with its numbers counts as it was before.
    var isBeyondRounding: Bool {
      let step = max(baselineStep, hasOwnStep.other ? otherStep / max(1, abs(gain)) : otherStep)
      return errorSquares > 4 * step * step * Double(count)
    }
    var isZero: Bool { baselineSquares > 0 && otherSquares <= 1e-4 * baselineSquares }

    /// The sums of the squares of errors that are anywhere within half a step.
    private var roundingSquares: (baseline: Double, other: Double) {
      let unit = Double(count) / 12
      return (
        hasOwnStep.baseline ? baselineStep * baselineStep * unit : 0,
        hasOwnStep.other ? otherStep * otherStep * unit : 0
      )
    }

    fileprivate init(_ baselineStep: Float, _ otherStep: Float, hasOwnStep: (baseline: Bool, other: Bool)) {
      (self.baselineStep, self.otherStep) = (Double(baselineStep), Double(otherStep))
      self.hasOwnStep = hasOwnStep
    }

    fileprivate mutating func add(_ a: Float, _ b: Float) {
      let (x, y) = (Double(a), Double(b))
      baselineSquares += x * x
      otherSquares += y * y
      products += x * y
      errorSquares += (x - y) * (x - y)
      count += 1
    }
  }

  private(set) var channels: [Channel]
  /// Numbers in a row that belong to one channel, before the next one's begin.
  private let run: Int

  /// - Parameters:
  ///   - count: channels.
  ///   - run: numbers in a row that belong to one channel.
  ///   - steps: between the numbers of each channel, on either side; one where all have the same, none of floats.
  init(count: Int, run: Int, steps: (baseline: [Float], other: [Float])) {
    func step(_ steps: [Float], _ index: Int) -> Float { steps.isEmpty ? 0 : steps[index % steps.count] }
    let count = max(count, 1)
    let hasOwnSteps = (baseline: steps.baseline.count == count, other: steps.other.count == count)
    channels = (0..<count).map {
      Channel(step(steps.baseline, $0), step(steps.other, $0), hasOwnStep: hasOwnSteps)
    }
    self.run = max(run, 1)
  }

  /// Adds numbers that begin at a position of the tensors; what is not finite is only counted.
  mutating func add(_ baseline: [Float], _ other: [Float], at position: Int) {
    for index in 0..<min(baseline.count, other.count) {
      let (a, b) = (baseline[index], other[index])
      let channel = (position + index) / run % channels.count
      guard a.isFinite, b.isFinite else {
        if !b.isFinite, a != b, !(a.isNaN && b.isNaN) { channels[channel].notFinite += 1 }
        continue
      }
      channels[channel].add(a, b)
    }
  }
}
