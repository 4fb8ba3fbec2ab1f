import Evaluation
import Foundation
import Graph
import Models
import TensorCore
import TestSupport
import Testing

/// The figures of trained pairs are those that NumPy computes from the tensors of LiteRT's reference kernels:
/// `Tools/fixtures/layers/make.py`.
struct LayerFigureTests {
  struct Expected: Decodable {
    let pairs: [Pair]
  }

  struct Pair: Decodable, Sendable, CustomTestStringConvertible {
    let baseline: String
    let other: String
    let low: Float
    let high: Float
    let samples: Int
    let rows: [Row]
    var testDescription: String { "\(baseline) \(other)" }
  }

  struct Row: Decodable, Sendable {
    let labels: [String]
    /// Nil where nothing differs.
    let signalToNoise: Double?
    let cosine: Double?
    let gain: Double?
    let greatestError: Double
    let meanError: Double
    let range: Double
  }

  static let pairs: [Pair] = {
    guard let data = try? Data(contentsOf: Checkout.fixture("layers.json")) else { return [] }
    return (try? JSONDecoder().decode(Expected.self, from: data).pairs) ?? []
  }()

  @Test func theFiguresAreThere() { #expect(Self.pairs.count == 10) }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data"), arguments: pairs)
  func figuresAreThoseOfLiteRT(pair: Pair) throws {
    let graphs = try [pair.baseline, pair.other].map { name in
      try TFLiteLoader.load(SharedData.path("tflite/\(name).tflite")).graph()
    }
    let comparison = try LayerComparison(
      baseline: LayerSource(graphs[0]), other: LayerSource(graphs[1]))
    for sample in 0..<pair.samples {
      try comparison.add([
        Self.sample(graphs[0][graphs[0].inputs[0]].type.shape, sample, pair.low...pair.high)
      ])
    }
    let report = try comparison.report()
    let rows = Dictionary(report.rows.map { ($0.baselineLabel, $0) }) { first, _ in first }
    for expected in pair.rows {
      let row = try #require(rows[expected.labels[0]], "\(expected.labels[0]) was not matched")
      #expect(row.otherLabel == expected.labels[1])
      check(row, expected)
    }
    #expect(report.matched == pair.rows.count)
    #expect(report.unmatchedInBaseline == 0 && report.unmatchedInOther == 0)
  }

  /// Beyond 60 dB the noise is rounding, which is each implementation's own.
  private func check(_ row: LayerRow, _ expected: Row) {
    if let ratio = expected.signalToNoise, ratio < 60 {
      #expect(abs(row.signalToNoise - ratio) < 0.05, "\(row)")
      #expect(abs(row.meanError - expected.meanError) < 0.01 * expected.meanError + 1e-6 * expected.range)
      #expect(abs(row.greatestError - expected.greatestError) < 0.02 * expected.greatestError)
    } else {
      #expect(row.signalToNoise > 55, "\(row)")
    }
    if let cosine = expected.cosine { #expect(abs(row.cosine - cosine) < 1e-4) }
    if let gain = expected.gain { #expect(abs(row.difference.gain - gain) < 1e-3) }
    #expect(abs(row.difference.baselineRange - expected.range) < 1e-4 * expected.range + 1e-6)
  }

  /// The sample that the script makes from the same numbers.
  private static func sample(_ shape: Shape, _ sample: Int, _ range: ClosedRange<Float>) throws -> Tensor {
    let numbers = (1...max(shape.elementCount, 1)).map { position -> Float in
      let mixed = (UInt64(position) * 2_654_435_761 + UInt64(sample) * 40503) & 0xffff_ffff
      return range.lowerBound + (range.upperBound - range.lowerBound) * (Float(mixed >> 16 & 255) / 255)
    }
    return try Tensor(numbers, shape: shape)
  }
}
