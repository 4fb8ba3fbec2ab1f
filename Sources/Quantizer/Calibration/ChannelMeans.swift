/// The mean of a tensor's numbers for each place along the last axis.
struct ChannelMeans: Sendable {
  private var sums: [Double]
  private var rows = 0

  init(count: Int) { sums = [Double](repeating: 0, count: count) }

  /// The means; none before any numbers.
  var values: [Double] { rows == 0 ? [] : sums.map { $0 / Double(rows) } }

  mutating func add(_ numbers: UnsafeBufferPointer<Float>) {
    let channels = sums.count
    guard channels > 0 else { return }
    sums.withUnsafeMutableBufferPointer { sums in
      for start in stride(from: 0, to: numbers.count - channels + 1, by: channels) {
        for channel in 0..<channels { sums[channel] += Double(numbers[start + channel]) }
      }
    }
    rows += numbers.count / channels
  }
}
