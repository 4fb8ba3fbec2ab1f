import TestSupport
import Testing

@testable import Quantizer

/// The scale of a group of 4-bit weights errs less than that of the largest magnitude, and is the same in any float type.
struct GroupScaleTests {
  private func found(_ weights: [Float]) throws -> GroupScale {
    try #require(weights.withUnsafeBufferPointer { GroupScale($0) })
  }

  private func noise(_ weights: [Float], _ scale: Float) -> Double {
    weights.reduce(0) { sum, weight in
      let quantum = max(-8, min(7, (weight / scale).rounded(.toNearestOrEven)))
      let difference = Double(weight) - Double(quantum) * Double(scale)
      return sum + difference * difference
    }
  }

  @Test(arguments: [8, 31, 32, 128])
  func errsLessThanTheLargestMagnitude(_ count: Int) throws {
    var random = SeededRandom()
    var (least, usual) = (0.0, 0.0)
    for _ in 0..<50 {
      let weights = random.floats(count, -1...1).map { $0 * $0 * $0 }
      let found = try found(weights)
      // As measured, but for sums in another order and the division.
      let exact = noise(weights, found.scale)
      #expect(abs(exact - found.error.noise) <= 1e-3 * exact)
      let full = noise(weights, weights.reduce(0) { max($0, abs($1)) } / 7)
      #expect(exact <= 1.02 * full)
      least += exact
      usual += full
    }
    #expect(least < 0.9 * usual)
  }

  @Test func theLargestWeightMayBePositive() throws {
    let found = try found([8, -1, -2, 3, 7, -7, 0, 5])
    #expect(found.scale == -1 && found.error.noise == 0)
  }

  /// 8 significant bits times 4 are no more than the 11 of float16, down to its subnormal numbers.
  @Test func weightsAreExactInFloat16() throws {
    var random = SeededRandom()
    for exponent in -30...15 {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let scale = try found(random.floats(32).map { $0 * factor }).scale
      #expect(scale.bitPattern & 0xFFFF == 0 && Float(Float16(scale)) == scale)
      for quantum in -8...7 {
        let weight = Float(quantum) * scale
        #expect(Float(Float16(weight)) == weight)
      }
    }
  }

  @Test func zerosAndWhatIsTooLarge() throws {
    for tiny: Float in [0, -0.0, 1e-12] {
      let found = try found([Float](repeating: tiny, count: 32))
      #expect(found.scale == 1 && found.error.noise == found.error.signal)
    }
    for large: Float in [57_400, .greatestFiniteMagnitude] {
      #expect([1, large].withUnsafeBufferPointer { GroupScale($0) } == nil)
    }
    #expect([1, -57_300].withUnsafeBufferPointer { GroupScale($0) } != nil)
  }
}
