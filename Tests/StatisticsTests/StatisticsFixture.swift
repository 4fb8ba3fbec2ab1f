import Foundation
import TestSupport
import Testing

/// Answers of two made-up classifiers, and what scipy, statsmodels, scikit-learn and NumPy say of them
/// (`Tools/fixtures/statistics/make.py`).
struct StatisticsFixture: Decodable {
  struct Model: Decodable {
    let scores: [[Float]]
    let answers: [Int]
    let top1: Int
    let wilson: [Double]
    let top3: Int
    let macroF1: Double
    let precision: [Double]
    let recall: [Double]
    let f1: [Double]
    let support: [Int]
    let confusion: [[Int]]
    let bins: [[Double]]
    let calibrationError: Double
    let quantiles: [Double]
    let coverage: [[Double]]

    var confidences: [Double] { scores.map { Double($0.max() ?? 0) } }
  }

  let truths: [Int]
  let first: Model
  let second: Model
  let only: [Int]
  let mcNemar: Double
  let kappa: Double
  let divergence: [Double]
  let cosine: [Double]
  let mcNemarTable: [[Double]]
  /// Only the first right, only the second, all; the score test's p; ends of the interval of 95 %, and of that of
  /// 1 - 5 % / 3.
  let paired: [[Double]]
  /// p-values, and what Holm's procedure makes of them.
  let holm: [[[Double]]]
  let clustered: Clustered
  let biasCorrected: BiasCorrected

  struct Clustered: Decodable {
    let groups: [Int]
    let right: [Double]
    let effect: Double
    let wilson: [Double]
  }

  struct BiasCorrected: Decodable {
    let macroF1: [Double]
  }

  let calibrationErrors: [CalibrationCase]
  let shareDifferences: [SharesCase]

  struct SharesCase: Decodable {
    let first: [Bool?]
    let second: [Bool?]
    /// The difference, and the ends of its interval.
    let expected: [Double]
  }

  struct CalibrationCase: Decodable {
    let confidences: [Double]
    let right: [Bool]
    /// The estimate, and the ends of its interval.
    let expected: [Double]
  }

  static func load() throws -> StatisticsFixture {
    try JSONDecoder().decode(
      StatisticsFixture.self, from: Data(contentsOf: Checkout.fixture("statistics.json")))
  }

  func isRight(_ model: Model) -> [Bool] { zip(truths, model.answers).map { $0 == $1 } }
}

/// Whether numbers are the same but for the order of additions.
func isClose(_ a: Double, _ b: Double, _ tolerance: Double = 1e-12) -> Bool {
  abs(a - b) <= tolerance * max(1, abs(b))
}
