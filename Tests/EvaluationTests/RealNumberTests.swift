import Apus
import TensorCore
import TestSupport
import Testing

@testable import Evaluation

/// Elements as the numbers they stand for, and back.
struct RealNumberTests {
  @Test func channelsHaveTheirOwnScales() throws {
    let quantization = try Quantization(scales: [1, 0.5, 0.25], zeroPoints: [0, 1, -2], axis: 1)
    let tensor = try Tensor(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as [Int8], shape: Shape([2, 3, 2]), quantization: quantization)
    let expected: [Float] = [1, 2, 1, 1.5, 1.75, 2, 7, 8, 4, 4.5, 3.25, 3.5]
    #expect(try tensor.realNumbers() == expected)
    #expect(try tensor.realNumbers(3..<8) == Array(expected[3..<8]))
    #expect(
      try Tensor(expected, shape: tensor.shape).represented(as: tensor.type).elements(of: Int8.self)
        == tensor.elements(of: Int8.self))
  }

  @Test func integersEndAtTheirRange() throws {
    let numbers = try Tensor(
      [-1000, -0.25, 0.25, 1000, .infinity, -.infinity, .nan] as [Float], shape: .vector(7))
    let type = TensorType(.uint8, .vector(7), quantization: try Quantization(scales: [0.5], zeroPoints: [3]))
    #expect(try numbers.represented(as: type).elements(of: UInt8.self) == [0, 2, 4, 255, 255, 0, 3])
    let wide = TensorType(.int64, .vector(7))
    #expect(
      try numbers.represented(as: wide).elements(of: Int64.self) == [-1000, 0, 0, 1000, .max, .min, 0])
  }

  /// Numbers of one type go through unchanged, even where float32 could not hold them.
  @Test func theSameTypeIsCopied() throws {
    let tensor = try Tensor([Int64.max, 3], shape: .vector(2))
    #expect(try tensor.represented(as: tensor.type).elements(of: Int64.self) == [.max, 3])
  }

  @Test func truthValuesAreZeroAndOne() throws {
    #expect(try Tensor([true, false], shape: .vector(2)).realNumbers() == [1, 0])
  }
}

/// Figures of differences on their own.
struct DifferenceSumsTests {
  @Test func whatIsNotFiniteIsCounted() throws {
    var sums = DifferenceSums()
    #expect(sums.difference == nil)
    sums.add([1, .infinity, .nan, 2, -.infinity], [1, .infinity, .nan, .nan, 3])
    let difference = try #require(sums.difference)
    #expect(difference.notFinite == 2 && difference.count == 5)
    #expect(difference.signalToNoise == -.infinity && difference.gain.isNaN && difference.cosine.isNaN)
    #expect(difference.greatestError == .infinity && difference.meanError == .infinity)
    #expect(DivergenceBound.reduced.isLeft(by: difference))
  }

  @Test func theSameInfinityIsEqual() throws {
    var sums = DifferenceSums()
    sums.add([1, .infinity, .nan], [1, .infinity, .nan])
    let difference = try #require(sums.difference)
    #expect(difference.notFinite == 0 && difference.signalToNoise == .infinity && difference.cosine == 1)
  }

  @Test func aVanishedSignalHasNoGain() throws {
    var sums = DifferenceSums()
    sums.add([0, 0], [1, -1])
    let difference = try #require(sums.difference)
    #expect(difference.signalToNoise == -.infinity && difference.cosine == 0 && difference.gain == 0)
  }

  /// Two samples at once or one after the other are the same.
  @Test func samplesAddUp() throws {
    var random = SeededRandom()
    let (a, b) = (random.floats(100), random.floats(100))
    var (whole, parts) = (DifferenceSums(), DifferenceSums())
    whole.add(a, b)
    parts.add(Array(a[..<30]), Array(b[..<30]))
    var rest = DifferenceSums()
    for (x, y) in zip(a[30...], b[30...]) { rest.add([x], [y]) }
    parts.add(Array(a[30...]), Array(b[30...]))
    #expect(whole.difference == parts.difference)
    var sum = DifferenceSums()
    sum.add(Array(a[..<30]), Array(b[..<30]))
    sum.add(rest)
    let (one, other) = (try #require(whole.difference), try #require(sum.difference))
    #expect(one.count == other.count && abs(one.signalToNoise - other.signalToNoise) < 1e-9)
    #expect(one.greatestError == other.greatestError && one.baselineRange == other.baselineRange)
  }
}
