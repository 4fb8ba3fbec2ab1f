import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// The scale of a row is the best of those tried, and never worse than that of the largest magnitude.
struct RowScaleTests {
  private func scale(_ row: [Float], _ importance: [Float]? = nil) -> RowScale {
    row.withUnsafeBufferPointer { row in
      guard let importance else { return RowScale(row) }
      return importance.withUnsafeBufferPointer { RowScale(row, importance: $0) }
    }
  }

  /// The error of a scale, in double precision.
  private func noise(_ row: [Float], _ scale: Float, _ importance: [Float]? = nil) -> Double {
    row.indices.reduce(0) { sum, index in
      let stored = RowScale.quantum(row[index], inverse: 1 / scale)
      let error = Double(row[index]) - Double(scale) * Double(stored)
      return sum + error * error * Double(importance?[index] ?? 1)
    }
  }

  @Test func isNeverWorseThanTheLargestMagnitudes() {
    var random = SeededRandom()
    for length in [1, 2, 15, 16, 17, 300] {
      let row = random.floats(length, -3...3).map { $0 * $0 * $0 }
      let found = scale(row)
      let full = (row.map(abs).max() ?? 0) / 127
      #expect(found.scale <= full)
      #expect(noise(row, found.scale) <= noise(row, full) * 1.0001, "seed \(random.seed), \(length)")
      #expect(abs(found.error.noise - noise(row, found.scale)) <= 1e-4 * found.error.noise + 1e-12)
      let signal = row.reduce(0) { $0 + Double($1) * Double($1) }
      #expect(abs(found.error.signal - signal) <= 1e-5 * signal)
    }
  }

  @Test func anOutlierIsClippedWhenThatHelps() {
    var random = SeededRandom()
    let row = random.floats(40_000, -1...1) + [1.2]
    let found = scale(row)
    #expect(found.share < 0.93)
    #expect(noise(row, found.scale) < 0.9 * noise(row, 1.2 / 127))
  }

  @Test func whatMattersMoreIsClippedLess() {
    var random = SeededRandom()
    let row = random.floats(40_000, -1...1) + [1.2]
    let importance = [Float](repeating: 1, count: 40_000) + [10_000]
    let found = scale(row, importance)
    #expect(found.share > scale(row).share)
    #expect(noise(row, found.scale, importance) <= noise(row, 1.2 / 127, importance))
  }

  @Test func multiplesOfTheScaleStayExact() {
    let row = [-127, 3, 0, 64, 127].map { Float($0) * 0.25 }
    let found = scale(row)
    #expect(found.scale == 0.25 && found.share == 1 && found.error.noise == 0)
  }

  @Test func rowsWithoutAScaleGetOne() {
    for row: [Float] in [[], [0, 0, 0], [.leastNonzeroMagnitude, -1e-38 * 1e-2]] {
      let found = scale(row)
      #expect(found.scale == 1 && found.share == 1)
    }
    #expect(scale([.greatestFiniteMagnitude, 1]).scale.isFinite)
  }

  @Test func quantaAreRoundedHalvesToEvenAndLimited() {
    let values: [Float] = [0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 127.4, 300, -300, 1e30]
    #expect(values.map { RowScale.quantum($0, inverse: 1) } == [0, 2, 2, 0, -2, 126, 127, 127, -127, 127])
  }
}
