import Foundation

/// For each pixel of a resized row or column: which source pixels it is made of, and how much of each.
struct FixedPointWeights {
  /// The first source pixel of each target pixel; never decreasing.
  private(set) var starts: [Int] = []
  /// The number of source pixels of each target pixel.
  private(set) var counts: [Int] = []
  /// `taps` weights for each target pixel, in units of 2⁻²²; zero after the count.
  private(set) var weights: [Int32] = []
  /// The room for weights of one target pixel.
  let taps: Int

  /// The fraction bits of a weight: 32 less 8 for the pixel, less 2 for sums outside 0…1.
  static let precision: Int32 = 32 - 8 - 2

  /// Pillow's weights: computed and scaled to a sum of 1 in double precision, then rounded half away from
  /// zero to fixed point.
  /// - Parameters:
  ///   - window: the target pixels wanted, a part of `0..<targetSize`.
  ///   - from, to: the part of the source, within `0...sourceSize`.
  init(
    _ filter: PillowFilter, sourceSize: Int, from: Float, to: Float, targetSize: Int, window: Range<Int>
  ) {
    let scale = Double(to - from) / Double(targetSize)
    let filterScale = max(scale, 1)
    let support = filter.support * filterScale
    taps = Int(support.rounded(.up)) * 2 + 1
    starts.reserveCapacity(window.count)
    counts.reserveCapacity(window.count)
    weights.reserveCapacity(window.count * taps)
    let inverseScale = 1 / filterScale
    var line = [Double](repeating: 0, count: taps)
    for target in window {
      let center = Double(from) + (Double(target) + 0.5) * scale
      let start = min(max(Int(center - support + 0.5), 0), sourceSize - 1)
      let end = min(Int(center + support + 0.5), sourceSize)
      let count = min(max(end - start, 0), taps)
      var sum = 0.0
      for tap in 0..<count {
        line[tap] = filter.weight((Double(tap + start) - center + 0.5) * inverseScale)
        sum += line[tap]
      }
      for tap in 0..<taps { weights.append(tap < count ? Self.fixed(line[tap], sum) : 0) }
      starts.append(start)
      counts.append(count)
    }
  }

  /// Source pixels from the first that is used to the last.
  var reach: Range<Int> {
    guard let first = starts.first, let start = starts.last, let count = counts.last else { return 0..<0 }
    return first..<max(start + count, first)
  }

  private static func fixed(_ weight: Double, _ sum: Double) -> Int32 {
    let share = (sum != 0 ? weight / sum : weight) * Double(1 << precision)
    return Int32(min(max(share < 0 ? share - 0.5 : share + 0.5, Double(Int32.min)), Double(Int32.max)))
  }
}
