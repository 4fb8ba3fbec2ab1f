import Kernels
import TensorCore
import TestSupport
import Testing

/// Float32 numbers as bytes, against the rule in scalar arithmetic.
@Suite struct QuantizeKernelTests {
  /// Divided in float32, rounded with halves away from zero; what 32 bits do not hold is the least integer.
  private func definition(_ x: Float, scale: Float, zeroPoint: Int32, _ range: ClosedRange<Int32>) -> Int32 {
    let steps = (x / scale).rounded(.toNearestOrAwayFromZero)
    let whole = steps >= -0x1p31 && steps < 0x1p31 ? Int32(steps) : .min
    return min(range.upperBound, max(range.lowerBound, whole &+ zeroPoint))
  }

  @Test(arguments: KernelSet.available.map(\.name))
  func everyNumberIsRoundedByTheRule(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    let special: [Float] = [
      0, -0.0, 0.25, -0.25, 0.75, -0.75, 0x1.fffffep-3, -0x1.fffffep-3, 1e30, -1e30, .infinity, -.infinity,
      .nan,
      0x1p30, -0x1p30, 0x1p31, 1_073_741_760, .leastNonzeroMagnitude,
    ]
    for count in [1, 3, 15, 16, 17, 100, 1000] {
      let x = random.floats(count, -100...100) + special
      for isSigned in [true, false] {
        let range: ClosedRange<Int32> = isSigned ? -128...127 : 0...255
        for scale in [0.5, 0.0371, 3] as [Float] {
          let zeroPoint = Int32.random(in: range, using: &random)
          let found = try quantized(x, kernels, scale: scale, zeroPoint: zeroPoint, isSigned: isSigned)
          let wanted = x.map {
            UInt8(truncatingIfNeeded: definition($0, scale: scale, zeroPoint: zeroPoint, range))
          }
          #expect(found == wanted, "\(name) \(count) \(scale) \(zeroPoint) seed \(random.seed)")
        }
      }
    }
  }

  /// Divided in float32, rounded with halves to even, limited; NaN is the least.
  private func evenDefinition(
    _ x: Float, scale: Float, zeroPoint: Int32, _ range: ClosedRange<Int32>
  ) -> Int32 {
    let steps = (x / scale).rounded(.toNearestOrEven)
    guard steps + Float(zeroPoint) > Float(range.lowerBound) else { return range.lowerBound }
    return steps < 1000 ? min(range.upperBound, Int32(steps) + zeroPoint) : range.upperBound
  }

  @Test(arguments: KernelSet.available.map(\.name))
  func halvesGoToEven(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    let halves = (-300...300).map { Float($0) / 2 }
    let special: [Float] = [0, -0.0, 0x1.fffffep-3, 1e30, -1e30, .infinity, -.infinity, .nan, 0x1p31]
    for count in [1, 3, 15, 16, 17, 100] {
      let x = random.floats(count, -100...100) + halves + special
      for isSigned in [true, false] {
        let range: ClosedRange<Int32> = isSigned ? -128...127 : 0...255
        for scale in [0.5, 1, 0.0371] as [Float] {
          let zeroPoint = Int32.random(in: range, using: &random)
          let found = try quantized(
            x, kernels, scale: scale, zeroPoint: zeroPoint, isSigned: isSigned, toEven: true)
          let wanted = x.map {
            UInt8(truncatingIfNeeded: evenDefinition($0, scale: scale, zeroPoint: zeroPoint, range))
          }
          #expect(found == wanted, "\(name) \(count) \(scale) \(zeroPoint) seed \(random.seed)")
        }
      }
    }
  }

  private func quantized(
    _ x: [Float], _ kernels: KernelSet, scale: Float, zeroPoint: Int32, isSigned: Bool, toEven: Bool = false
  ) throws -> [UInt8] {
    try Tensor(TensorType(.uint8, .vector(x.count))) { target in
      guard let base = target.baseAddress else { return }
      x.withUnsafeBytes { bytes in
        guard let source = bytes.baseAddress else { return }
        let quantize = toEven ? kernels.integer.quantizeEven : kernels.integer.quantize
        quantize(source, base, x.count, scale, zeroPoint, isSigned)
      }
    }.elements(of: UInt8.self)
  }
}
