import CLibrary

/// For each pixel of a resized row or column: which source pixels it is made of, and how much of each.
struct FixedPointWeights {
  /// The first source pixel of each target pixel; never decreasing.
  private(set) var starts: [Int] = []
  /// The number of source pixels of each target pixel.
  private(set) var counts: [Int] = []
  /// `taps` weights for each target pixel, in units of 2 to the power of minus ``precision``; zero after the
  /// count.
  private(set) var weights: [Int32] = []
  /// The room for weights of one target pixel.
  let taps: Int
  /// The fraction bits of a weight, at least 1.
  let precision: Int32

  /// 32 bits less 8 for the pixel, less 2 for sums outside 0…1.
  private static let pillowPrecision: Int32 = 32 - 8 - 2

  /// Pillow's weights: computed and scaled to a sum of 1 in double precision, then rounded half away from
  /// zero to fixed point.
  /// - Parameters:
  ///   - window: the target pixels wanted, a part of `0..<targetSize`.
  ///   - from, to: the part of the source, within `0...sourceSize`.
  init(
    _ filter: PillowFilter, sourceSize: Int, from: Float, to: Float, targetSize: Int, window: Range<Int>
  ) {
    let spans = FilterSpans(
      filter, sourceSize: sourceSize, from: Double(from), to: Double(to), targetSize: targetSize,
      window: window)
    self.init(spans, window: window, first: window.lowerBound, precision: Self.pillowPrecision)
  }

  /// torchvision's weights for tensors of bytes: Pillow's, but in 16 bits, with as many fraction bits as the
  /// largest weight of all target pixels allows.
  init(torchvision filter: PillowFilter, sourceSize: Int, targetSize: Int, window: Range<Int>) {
    let spans = FilterSpans(
      filter, sourceSize: sourceSize, from: 0, to: Double(sourceSize), targetSize: targetSize,
      window: 0..<targetSize)
    let largest = spans.weights.max() ?? 1
    let precision = (1...Self.pillowPrecision).first { bits in
      Int(0.5 + largest * Double(1 << (bits + 1))) > Int(Int16.max)
    }
    self.init(spans, window: window, first: 0, precision: precision ?? Self.pillowPrecision)
  }

  /// - Parameter first: the target pixel that the spans begin with.
  private init(_ spans: FilterSpans, window: Range<Int>, first: Int, precision: Int32) {
    let part = (window.lowerBound - first)..<(window.upperBound - first)
    starts = Array(spans.starts[part])
    counts = Array(spans.counts[part])
    taps = spans.taps
    self.precision = precision
    weights = spans.weights[(part.lowerBound * taps)..<(part.upperBound * taps)].map {
      Self.fixed($0, precision)
    }
  }

  /// Source pixels from the first that is used to the last.
  var reach: Range<Int> {
    guard let first = starts.first, let start = starts.last, let count = counts.last else { return 0..<0 }
    return first..<max(start + count, first)
  }

  private static func fixed(_ weight: Double, _ precision: Int32) -> Int32 {
    let share = weight * Double(1 << precision)
    return Int32(min(max(share < 0 ? share - 0.5 : share + 0.5, Double(Int32.min)), Double(Int32.max)))
  }
}
