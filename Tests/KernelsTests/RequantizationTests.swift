import CIntrinsics
import Kernels
import TensorCore
import TestSupport
import Testing

/// The fixed-point multiplication, against its definition in exact arithmetic.
@Suite struct RequantizationTests {
  /// Rounds half up at the multiplier's scale, then half away from zero at the shift's.
  private func definition(_ x: Int32, _ m: FixedPointMultiplier) -> Int32 {
    let left = x &<< max(m.shift, 0)
    let product = Int64(left) * Int64(m.multiplier)
    let high = (product + (1 << 30)) >> 31
    let e = Int64(max(-m.shift, 0))
    guard e > 0 else { return Int32(truncatingIfNeeded: high) }
    let magnitude = (abs(high) + (1 << (e - 1))) >> e
    return Int32(truncatingIfNeeded: high < 0 ? -magnitude : magnitude)
  }

  @Test func appliesTwoRoundings() {
    var random = SeededRandom()
    for _ in 0..<200_000 {
      let m = FixedPointMultiplier(
        multiplier: Int32.random(in: (1 << 30)...Int32.max, using: &random),
        shift: Int32.random(in: -30...3, using: &random))
      let x = Int32.random(in: -(1 << 27)...(1 << 27), using: &random)
      #expect(m.apply(x) == definition(x, m), "\(x) by \(m)")
    }
  }

  /// Sums that fall exactly between two results, where the sign decides: through the vector kernels, with
  /// depth 1 so that the sum is input × weight + bias.
  @Test(arguments: KernelSet.available.map(\.name))
  func vectorFormRoundsHalvesAwayFromZero(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    for shift in Int32(-12)...1 {
      let m = FixedPointMultiplier(multiplier: 1 << 30, shift: shift)
      let columns = 64
      let bias = (0..<columns).map { Int32($0 - 32) << max(0, -shift) / 2 }
      let weights = [Int8](repeating: 0, count: columns)
      let quantization = IntegerQuantization(
        inputZeroPoint: 0, inputIsSigned: true, weightZeroPoint: 0, weightsAreSigned: true,
        outputZeroPoint: 3,
        low: -128, high: 127, multipliers: Array(repeating: m, count: columns))
      let product = try Tensor(weights, shape: .vector(columns)).withBytes { (bytes) throws(ApusError) in
        try MatrixProduct(
          integer8: bytes, groups: 1, columns: columns, depth: 1, bias: bias, quantization: quantization,
          kernels: kernels)
      }
      let input = try TensorStorage(byteCount: 4)
      let found = try Tensor(TensorType(.int8, .vector(columns))) { target in
        guard let base = target.baseAddress else { return }
        product.multiply(
          group: 0,
          MatrixProduct.Rows(count: 1, address: input.base, stride: 1, result: base, resultStride: columns),
          threads: 1)
      }.elements(of: Int8.self)
      let wanted = bias.map { Int8(clamping: definition($0, m) + 3) }
      #expect(found == wanted, "\(name) shift \(shift)")
    }
  }

  @Test func multipliersOfOddFactors() {
    #expect(FixedPointMultiplier(0).multiplier == 0)
    #expect(FixedPointMultiplier(.nan).multiplier == 0)
    #expect(FixedPointMultiplier(.infinity).multiplier == 0)
    #expect(FixedPointMultiplier(-1).multiplier == 0)
    #expect(FixedPointMultiplier(1e-30) == FixedPointMultiplier(multiplier: 0, shift: 0))
    #expect(FixedPointMultiplier(1) == FixedPointMultiplier(multiplier: 1 << 30, shift: 1))
    #expect(FixedPointMultiplier(0.5) == FixedPointMultiplier(multiplier: 1 << 30, shift: 0))
    #expect(FixedPointMultiplier(1e300) == FixedPointMultiplier(multiplier: .max, shift: 30))
  }
}
