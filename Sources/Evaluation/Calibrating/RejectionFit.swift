import Apus

/// Fits a rejection to features of known pictures, and of foreign ones where they are at hand.
struct RejectionFit {
  /// Axes at most.
  var rank = 32
  /// How far covariances are drawn towards round ones: pictures are often fewer than their covariance has numbers.
  var shrinkage = 0.3
  /// The least scatter that counts, as a share of the square of a distance: copies would be at infinite ones from all else.
  private static let leastScatter = 1e-9

  /// - Parameters:
  ///   - classes: of each known picture.
  ///   - foreign: features of pictures of no class; may be empty.
  func callAsFunction(
    _ known: [[Float]], _ classes: [Int], foreign: [[Float]], classCount: Int
  ) throws(ApusError) -> Rejection {
    let features = FeatureMatrix(known)
    let center = features.mean
    let axes = axes(features.subtracting(center), FeatureMatrix(foreign), center)
    let places = features.subtracting(center).timesTransposed(axes)
    let (means, numbers) = Self.means(places, classes)
    var scatter = places.values
    for row in 0..<places.rows {
      for axis in 0..<places.columns {
        scatter[row * places.columns + axis] -= means.values[numbers[row] * places.columns + axis]
      }
    }
    let square = places.values.reduce(0) { $0 + $1 * $1 } / Double(max(places.values.count, 1))
    let whitening = FeatureMatrix(values: scatter, columns: places.columns)
      .covariance(shrinkage: shrinkage, least: Self.leastScatter * square).whitening
    let basis = whitening.timesTransposed(axes.transposed)
    return try Rejection(
      center: center.map { Float($0) }, basis: basis.values.map { Float($0) },
      means: means.timesTransposed(whitening).values.map { Float($0) },
      foreign: self.foreign(foreign, center, basis), classCount: classCount)
  }

  /// The axes along which pictures differ most, known and foreign ones weighing the same.
  private func axes(_ known: FeatureMatrix, _ foreign: FeatureMatrix, _ center: [Double]) -> FeatureMatrix {
    var rows = known.values
    if foreign.rows > 0 {
      let weight = (Double(known.rows) / Double(foreign.rows)).squareRoot()
      rows += foreign.subtracting(center).values.map { $0 * weight }
    }
    let all = FeatureMatrix(values: rows, columns: known.columns)
    return all.principalAxes(min(rank, known.columns, max(1, known.rows / 2)))
  }

  /// The mean of each class that occurs, and for each row which of them is its own.
  private static func means(_ places: FeatureMatrix, _ classes: [Int]) -> (FeatureMatrix, numbers: [Int]) {
    let present = Set(classes).sorted()
    let numberOfClass = Dictionary(present.enumerated().map { ($1, $0) }) { first, _ in first }
    let numbers = classes.compactMap { numberOfClass[$0] }
    let means = present.indices.flatMap { number in
      let rows = numbers.indices.filter { numbers[$0] == number }
      return FeatureMatrix(values: rows.flatMap { places.row($0) }, columns: places.columns).mean
    }
    return (FeatureMatrix(values: means, columns: places.columns), numbers)
  }

  private func foreign(
    _ foreign: [[Float]], _ center: [Double], _ basis: FeatureMatrix
  ) -> Rejection.Foreign? {
    guard !foreign.isEmpty else { return nil }
    let places = FeatureMatrix(foreign).subtracting(center).timesTransposed(basis)
    let mean = places.mean
    // Here a known picture is at a distance of about 1 from its class along each axis.
    let factor = places.subtracting(mean)
      .covariance(shrinkage: shrinkage, least: Self.leastScatter).whitening
    return Rejection.Foreign(mean: mean.map { Float($0) }, factor: factor.values.map { Float($0) })
  }
}
