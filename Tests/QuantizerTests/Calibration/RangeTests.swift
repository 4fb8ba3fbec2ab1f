import TestSupport
import Testing

@testable import Quantizer

/// Ranges include zero, and the three ways to them do what they say.
struct RangeTests {
  private func histogram(_ values: [Float]) -> (range: ValueRange, histogram: ValueHistogram) {
    values.withUnsafeBufferPointer { values in
      var range = ValueRange()
      _ = range.add(values)
      var histogram = ValueHistogram(range)
      histogram.add(values)
      return (range, histogram)
    }
  }

  /// The squared error of int8 with a range.
  private func error(_ values: [Float], _ range: ValueRange) throws -> Double {
    let quantization = try AffineRange.quantization(range)
    return values.reduce(0) { sum, value in
      let quantum = (value / quantization.scale).rounded() + Float(quantization.zeroPoint)
      let real = quantization.scale * (max(-128, min(127, quantum)) - Float(quantization.zeroPoint))
      return sum + Double((real - value) * (real - value))
    }
  }

  @Test func extremesAndZeroAreWithin() {
    #expect(histogram([3, 5]).range == ValueRange(lower: 0, upper: 5))
    #expect(histogram([-3, -5]).range == ValueRange(lower: -5, upper: 0))
    #expect(histogram([]).range == ValueRange())
  }

  @Test func numbersThatAreNotFiniteAreNoticed() {
    for bad: Float in [.nan, .infinity, -.infinity] {
      var range = ValueRange()
      let values: [Float] = [1, bad, 2]
      #expect(values.withUnsafeBufferPointer { range.add($0) } == false)
    }
  }

  @Test func aPercentileLeavesOutTheOutermost() {
    let values = (0..<100_000).map { Float($0 % 1000) / 1000 } + [50, -50]
    let (range, histogram) = histogram(values)
    let found = RangeMethod.percentile.range(range, histogram)
    #expect(range == ValueRange(lower: -50, upper: 50))
    #expect(found.upper < 1.2 && found.upper >= 0.99 && found.lower > -0.2)
    #expect(RangeMethod.extremes.range(range, histogram) == range)
  }

  @Test func theLeastErrorIsLessThanThatOfTheExtremes() throws {
    var random = SeededRandom()
    let values = random.floats(50_000).map { $0 * $0 * $0 * $0 * $0 * 8 } + [11]
    let (range, histogram) = histogram(values)
    let found = RangeMethod.leastError.range(range, histogram)
    #expect(try error(values, found) < error(values, range))
    #expect(found.upper < 11 && found.lower >= range.lower)
  }

  @Test func constantNumbersHaveARange() throws {
    let (range, histogram) = histogram([0, 0, 0])
    for method in RangeMethod.allCases { #expect(method.range(range, histogram) == ValueRange()) }
    #expect(try AffineRange.quantization(ValueRange()).scale == 1)
    #expect(try AffineRange.quantization(ValueRange(lower: 0, upper: 1e-30)).scale > 0)
  }

  @Test func zeroFallsOnAnInteger() throws {
    let symmetric = try AffineRange.quantization(ValueRange(lower: -1, upper: 1))
    #expect(abs(symmetric.zeroPoint) <= 1 && abs(symmetric.scale - 2 / 255) < 1e-9)
    #expect(try AffineRange.quantization(ValueRange(lower: 0, upper: 6)).zeroPoint == -128)
    #expect(try AffineRange.quantization(ValueRange(lower: -6, upper: 0)).zeroPoint == 127)
    #expect(throws: (any Error).self) {
      try AffineRange.quantization(
        ValueRange(lower: -.greatestFiniteMagnitude, upper: .greatestFiniteMagnitude))
    }
  }
}
