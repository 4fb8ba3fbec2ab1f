import CLibrary
import TestSupport
import Testing

@testable import Evaluation

/// The linear algebra of a rejection.
@Suite struct FeatureMatrixTests {
  /// Rows that scatter otherwise in each direction, and together.
  private func rows(_ count: Int, _ columns: Int, _ random: inout SeededRandom) -> FeatureMatrix {
    FeatureMatrix(
      (0..<count).map { _ in
        let common = Float.random(in: -1...1, using: &random)
        return (0..<columns).map { Float($0 + 1) * Float.random(in: -1...1, using: &random) + 2 * common }
      })
  }

  @Test func whitenedRowsScatterAlike() {
    var random = SeededRandom()
    let rows = rows(400, 6, &random)
    let centred = rows.subtracting(rows.mean)
    let whitened = centred.timesTransposed(centred.covariance(shrinkage: 0).whitening)
    let covariance = whitened.covariance(shrinkage: 0)
    for row in 0..<6 {
      for column in 0..<6 {
        #expect(abs(covariance.values[row * 6 + column] - (row == column ? 1 : 0)) < 1e-9)
      }
    }
  }

  @Test func axesAreAtRightAnglesAndTheWidestFirst() {
    var random = SeededRandom()
    let rows = rows(300, 12, &random)
    let centred = rows.subtracting(rows.mean)
    let axes = centred.principalAxes(12)
    let products = axes.timesTransposed(axes)
    for row in 0..<12 {
      for column in 0..<12 {
        #expect(abs(products.values[row * 12 + column] - (row == column ? 1 : 0)) < 1e-9)
      }
    }
    // All axes together lose nothing; the first alone keeps more than any column does.
    func scatter(_ matrix: FeatureMatrix) -> Double { matrix.values.reduce(0) { $0 + $1 * $1 } }
    #expect(abs(scatter(centred.timesTransposed(axes)) / scatter(centred) - 1) < 1e-9)
    let first = scatter(centred.timesTransposed(centred.principalAxes(1)))
    for column in 0..<12 {
      let unit = FeatureMatrix(values: (0..<12).map { $0 == column ? 1 : 0 }, columns: 12)
      #expect(first >= scatter(centred.timesTransposed(unit)))
    }
  }

  @Test func shrinkageKeepsAFlatScatterInvertible() {
    let rows = FeatureMatrix([[1, 1], [2, 2], [-3, -3]])
    let whitening = rows.covariance(shrinkage: 0.1).whitening
    #expect(whitening.values.allSatisfy { $0.isFinite })
    #expect(whitening.values.allSatisfy { abs($0) < 10 })
  }
}
