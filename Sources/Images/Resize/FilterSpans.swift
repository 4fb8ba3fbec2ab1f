/// Which source pixels each pixel of a resized row or column is made of, and the share of each.
struct FilterSpans {
  /// The first source pixel of each target pixel; never decreasing.
  private(set) var starts: [Int] = []
  /// The number of source pixels of each target pixel.
  private(set) var counts: [Int] = []
  /// `taps` shares for each target pixel, of a sum of 1; zero after the count.
  private(set) var weights: [Double] = []
  /// The room for shares of one target pixel.
  let taps: Int

  /// - Parameters:
  ///   - window: the target pixels wanted, a part of `0..<targetSize`.
  ///   - from, to: the part of the source, within `0...sourceSize`.
  init(
    _ filter: PillowFilter, sourceSize: Int, from: Double, to: Double, targetSize: Int, window: Range<Int>
  ) {
    let scale = (to - from) / Double(targetSize)
    let filterScale = max(scale, 1)
    let support = filter.support * filterScale
    taps = Int(support.rounded(.up)) * 2 + 1
    starts.reserveCapacity(window.count)
    counts.reserveCapacity(window.count)
    weights.reserveCapacity(window.count * taps)
    let inverseScale = 1 / filterScale
    var line = [Double](repeating: 0, count: taps)
    for target in window {
      let center = from + (Double(target) + 0.5) * scale
      let start = min(max(Int(center - support + 0.5), 0), sourceSize - 1)
      let end = min(Int(center + support + 0.5), sourceSize)
      let count = min(max(end - start, 0), taps)
      var sum = 0.0
      for tap in 0..<count {
        line[tap] = filter.weight((Double(tap + start) - center + 0.5) * inverseScale)
        sum += line[tap]
      }
      for tap in 0..<taps { weights.append(tap < count ? (sum != 0 ? line[tap] / sum : line[tap]) : 0) }
      starts.append(start)
      counts.append(count)
    }
  }
}
