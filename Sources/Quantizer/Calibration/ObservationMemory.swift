import TensorCore

/// What was seen of a network's activations, for when it is observed again on the same samples: which layers are kept in
/// floats changes none of it.
final class ObservationMemory: Sendable {
  private struct Seen {
    var ranges: [Int: ValueRange] = [:]
    var means: [Int: ChannelMeans] = [:]
    var histograms: [Int: ValueHistogram] = [:]
  }

  private let seen = Lock(Seen())

  /// Nil where one of the tensors was not observed.
  func ranges(of tensors: [Int]) -> (ranges: [Int: ValueRange], means: [Int: ChannelMeans])? {
    seen.withLock { seen in
      guard let ranges = Self.part(of: seen.ranges, tensors), let means = Self.part(of: seen.means, tensors)
      else { return nil }
      return (ranges, means)
    }
  }

  func histograms(of tensors: [Int]) -> [Int: ValueHistogram]? {
    seen.withLock { Self.part(of: $0.histograms, tensors) }
  }

  func keep(ranges: [Int: ValueRange], means: [Int: ChannelMeans]) {
    seen.withLock { ($0.ranges, $0.means) = (ranges, means) }
  }

  func keep(histograms: [Int: ValueHistogram]) { seen.withLock { $0.histograms = histograms } }

  private static func part<Value>(of all: [Int: Value], _ tensors: [Int]) -> [Int: Value]? {
    let wanted = Set(tensors)
    let part = all.filter { wanted.contains($0.key) }
    return part.count == wanted.count ? part : nil
  }
}
