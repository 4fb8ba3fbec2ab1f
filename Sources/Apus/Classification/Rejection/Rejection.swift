import TensorCore

/// Tells pictures that a classifier knows from foreign ones by the features before its last layer.
///
/// Features are projected into a space of few axes in which each class scatters equally in all directions. There the
/// distance from the nearest class is the Mahalanobis distance (Lee et al. 2018); if foreign pictures are known, the
/// distance from them is subtracted (relative Mahalanobis distance, Ren et al. 2021, with foreign pictures as background).
package struct Rejection: Sendable, Equatable {
  /// Where foreign pictures lie.
  package struct Foreign: Sendable, Equatable {
    /// One number for each axis.
    package let mean: [Float]
    /// `[rank, rank]`: brings distances from the mean to those in deviations.
    package let factor: [Float]

    package init(mean: [Float], factor: [Float]) {
      self.mean = mean
      self.factor = factor
    }
  }

  /// The mean of features.
  package let center: [Float]
  /// `[rank, features]`: the axes.
  package let basis: [Float]
  /// `[known, rank]`: the middle of each class of which pictures were at hand.
  package let means: [Float]
  package let foreign: Foreign?
  /// The classes of the model.
  package let classCount: Int

  package init(
    center: [Float], basis: [Float], means: [Float], foreign: Foreign?, classCount: Int
  ) throws(ApusError) {
    self.center = center
    self.basis = basis
    self.means = means
    self.foreign = foreign
    self.classCount = classCount
    try checkExtents()
  }

  package var featureCount: Int { center.count }
  package var rank: Int { basis.count / max(center.count, 1) }

  /// How much farther a picture is from the nearest class than from foreign pictures, in squared deviations; without
  /// foreign pictures the first alone. NaN for features of another width.
  package func novelty(_ features: [Float]) -> Float {
    guard features.count == center.count else { return .nan }
    let place = Self.product(basis, zip(features, center).map { $0 - $1 })
    let known = stride(from: 0, to: means.count, by: rank).map { start in
      Self.squaredDistance(place, means[start..<start + rank])
    }
    guard let nearest = known.min() else { return .nan }
    guard let foreign else { return nearest }
    let whitened = Self.product(foreign.factor, zip(place, foreign.mean).map { $0 - $1 })
    return nearest - whitened.reduce(0) { $0 + $1 * $1 }
  }

  private func checkExtents() throws(ApusError) {
    let isSound =
      rank > 0 && rank * center.count == basis.count && !means.isEmpty && means.count % rank == 0
      && means.count / rank <= classCount
      && (foreign.map { $0.mean.count == rank && $0.factor.count == rank * rank } ?? true)
    guard isSound else {
      throw ApusError(
        .malformedModel, "the parts of a rejection do not fit each other",
        expected: "axes for \(center.count) features, and means of at most \(classCount) classes")
    }
    let numbers = [center, basis, means, foreign?.mean ?? [], foreign?.factor ?? []]
    guard numbers.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
      throw ApusError(.malformedModel, "a number of a rejection is not finite", expected: "finite numbers")
    }
  }

  /// A matrix of as many columns as the vector is long, times the vector.
  private static func product(_ matrix: [Float], _ vector: [Float]) -> [Float] {
    guard !vector.isEmpty else { return [] }
    return matrix.withUnsafeBufferPointer { matrix in
      vector.withUnsafeBufferPointer { vector in
        stride(from: 0, to: matrix.count, by: vector.count).map { row in
          dot(UnsafeBufferPointer(rebasing: matrix[row..<row + vector.count]), vector)
        }
      }
    }
  }

  /// Eight sums side by side, so that the processor adds several at a time, always in the same order.
  private static func dot(_ a: UnsafeBufferPointer<Float>, _ b: UnsafeBufferPointer<Float>) -> Float {
    var sums = SIMD8<Float>.zero
    let whole = b.count - b.count % 8
    for start in stride(from: 0, to: whole, by: 8) {
      for lane in 0..<8 { sums[lane] += a[start + lane] * b[start + lane] }
    }
    return (whole..<b.count).reduce(sums.sum()) { $0 + a[$1] * b[$1] }
  }

  private static func squaredDistance(_ a: [Float], _ b: ArraySlice<Float>) -> Float {
    zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}
