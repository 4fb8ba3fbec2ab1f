import Kernels
import TensorCore
import TestSupport
import Testing

/// Quantization of numbers as they come, against its rules in scalar arithmetic.
@Suite struct DynamicQuantizationTests {
  private static let special: [Float] = [
    .nan, 0, -0.0, 0.5, -0.5, 1.5, -2.5, 0x1.fffffep-2, -0x1.fffffep-2, .leastNonzeroMagnitude, 400, -400,
  ]

  /// NaN is less and greater than nothing.
  private func range(_ x: [Float]) -> (low: Float, high: Float) {
    var (low, high) = (x[0], x[0])
    for number in x {
      if number < low { low = number }
      if number > high { high = number }
    }
    return (low, high)
  }

  @Test(arguments: KernelSet.available.map(\.name))
  func theRangeIsThatOfTheNumbers(_ name: String) throws {
    let kernels = try KernelSet.named(name).integer
    var random = SeededRandom()
    for count in [1, 2, 15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 1000] {
      var x = random.floats(count, -3...5)
      x[count / 2] = 7
      x[count - 1] = -9
      if count > 2 { x[1] = .nan }
      for first in [x[0], .nan] {
        x[0] = first
        let found = measured(x, kernels.range)
        let wanted = range(x)
        let isSame = first.isNaN ? found.0.isNaN && found.1.isNaN : found == wanted
        #expect(isSame, "\(name) \(count) \(first): \(found), expected \(wanted)")
      }
    }
  }

  private func measured(
    _ x: [Float], _ kernel: @convention(c) (UnsafeRawPointer, Int, UnsafeMutablePointer<Float>) -> Void
  ) -> (Float, Float) {
    var ends: [Float] = [0, 0]
    x.withUnsafeBytes { bytes in
      ends.withUnsafeMutableBufferPointer { ends in
        guard let source = bytes.baseAddress, let target = ends.baseAddress else { return }
        kernel(source, x.count, target)
      }
    }
    return (ends[0], ends[1])
  }

  /// What LiteRT's `PortableSymmetricQuantizeFloats` and `PortableAsymmetricQuantizeFloats` do with a number.
  private func definition(_ x: Float, inverse: Float, zeroPoint: Int32, _ limits: ClosedRange<Int32>) -> Int32
  {
    let whole = Float(zeroPoint) + (x * inverse).rounded(.toNearestOrAwayFromZero)
    guard whole > Float(limits.lowerBound) else { return limits.lowerBound }
    return whole < Float(limits.upperBound) ? Int32(whole) : limits.upperBound
  }

  @Test(arguments: KernelSet.available.map(\.name))
  func everyNumberIsRoundedByTheRule(_ name: String) throws {
    let kernels = try KernelSet.named(name).integer
    var random = SeededRandom()
    for count in [1, 5, 16, 33, 200] {
      let x = random.floats(count, -130...130) + Self.special
      for (zeroPoint, limits) in [(0, -127...127), (-128, -128...127), (127, -128...127), (9, -128...127)]
        as [(Int32, ClosedRange<Int32>)]
      {
        for inverse in [0, 1, 0.37, 1e30] as [Float] {
          let low = Float(limits.lowerBound - zeroPoint)
          let high = Float(limits.upperBound - zeroPoint)
          let bytes = try Tensor(TensorType(.int8, .vector(x.count))) { target in
            guard let base = target.baseAddress else { return }
            x.withUnsafeBytes {
              guard let source = $0.baseAddress else { return }
              kernels.quantizeSteps(source, base, x.count, inverse, low, high, zeroPoint)
            }
          }.elements(of: Int8.self)
          let steps = try Tensor(TensorType(.float32, .vector(x.count))) { target in
            guard let base = target.baseAddress else { return }
            x.withUnsafeBytes {
              guard let source = $0.baseAddress else { return }
              kernels.countSteps(source, base, x.count, inverse, low, high)
            }
          }.elements(of: Float.self)
          let wanted = x.map { definition($0, inverse: inverse, zeroPoint: zeroPoint, limits) }
          #expect(bytes.map { Int32($0) } == wanted, "\(name) \(count) \(inverse) \(zeroPoint)")
          #expect(steps == wanted.map { Float($0 - zeroPoint) }, "\(name) \(count) \(inverse) \(zeroPoint)")
        }
      }
    }
  }
}
