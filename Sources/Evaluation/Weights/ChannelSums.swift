/// Sums over the numbers of each channel of two tensors, added up block by block.
struct ChannelSums {
  /// One channel: a slice of the tensors along an axis.
  struct Channel {
    fileprivate(set) var baselineSquares = 0.0
    fileprivate(set) var otherSquares = 0.0
    fileprivate(set) var products = 0.0
    fileprivate(set) var errorSquares = 0.0
    private(set) var count = 0

    /// The factor that brings the baseline's numbers nearest to the other's.
    var gain: Double { baselineSquares > 0 ? products / baselineSquares : 1 }
    /// The power of the error over that of the baseline.
    var error: Double { baselineSquares > 0 ? errorSquares / baselineSquares : 0 }
    /// The part of the other's power that is not the baseline's numbers times ``gain``.
    var residue: Double {
      guard otherSquares > 0, baselineSquares > 0 else { return 0 }
      return max(0, 1 - products / otherSquares * (products / baselineSquares))
    }
    /// The root of the mean squared error.
    var typicalError: Double { count > 0 ? (errorSquares / Double(count)).squareRoot() : 0 }
    var isZero: Bool { baselineSquares > 0 && otherSquares <= 1e-4 * baselineSquares }

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
  init(count: Int, run: Int) {
    channels = Array(repeating: Channel(), count: max(count, 1))
    self.run = max(run, 1)
  }

  /// Adds numbers that begin at a position of the tensors; what is not finite is left out.
  mutating func add(_ baseline: [Float], _ other: [Float], at position: Int) {
    for index in 0..<min(baseline.count, other.count) {
      let (a, b) = (baseline[index], other[index])
      guard a.isFinite, b.isFinite else { continue }
      channels[(position + index) / run % channels.count].add(a, b)
    }
  }
}
