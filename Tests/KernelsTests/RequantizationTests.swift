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
      let scratch = try GuardedScratch(product, rows: 1, threads: 1)
      let found = try Tensor(TensorType(.int8, .vector(columns))) { target in
        guard let base = target.baseAddress else { return }
        var row = MatrixProduct.Rows(
          count: 1, address: input.base, stride: 1, result: base, resultStride: columns)
        row.scratch = scratch.base
        product.multiply(group: 0, row, threads: 1)
      }.elements(of: Int8.self)
      let wanted = bias.map { Int8(clamping: definition($0, m) + 3) }
      #expect(found == wanted, "\(name) shift \(shift)")
      #expect(scratch.isIntact)
    }
  }

  /// Every sum that the columns of two groups can reach, through lines and multiplications: rows of two bytes make
  /// the sums `127 a + b` one after another.
  @Test(arguments: KernelSet.available.map(\.name))
  func everySumIsExact(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    let columns = 80
    let inputs = (0..<256).flatMap { a in (0..<127).flatMap { [UInt8(a), UInt8($0)] } }
    // Results from the zero point on have lines; those on both sides of it, and of small multipliers, are checked.
    for (isSigned, rounding, zeroPoint, multipliers, reach) in [
      (true, FixedPointMultiplier.Rounding.twice, Int32(-128), 0.004...0.05, Int32(30_000)),
      (false, .twice, 0, 0.004...0.05, 30_000), (true, .once, 7, 0.004...0.05, 30_000),
      (true, .twice, 11, 0.004...0.05, 30_000), (false, .twice, 100, 0.0002...0.9, 30_000),
      (false, .twice, 0, 1e-5...3e-5, 8_000_000), (true, .twice, -3, 1e-5...3e-5, 8_000_000),
      (true, .once, -3, 1e-5...3e-5, 8_000_000), (true, .twice, 5, 2...60, 30_000),
    ] {
      let quantization = IntegerQuantization(
        inputZeroPoint: 0, inputIsSigned: false, weightZeroPoint: 0, weightsAreSigned: true,
        outputZeroPoint: zeroPoint, low: isSigned ? -128 : 0, high: isSigned ? 127 : 255,
        multipliers: (0..<columns).map { _ in
          FixedPointMultiplier(Double.random(in: multipliers, using: &random))
        }, rounding: rounding)
      let bias = (0..<columns).map { _ in Int32.random(in: -reach...reach / 10, using: &random) }
      let weights = [[Int8]](repeating: [127, 1], count: columns).flatMap { $0 }
      let product = try Tensor(weights, shape: .vector(weights.count)).withBytes {
        (bytes) throws(ApusError) in
        try MatrixProduct(
          integer8: bytes, groups: 2, columns: columns / 2, depth: 2, bias: bias, quantization: quantization,
          kernels: kernels)
      }
      let rows = inputs.count / 2
      let found = try products(product, inputs, rows: rows, depth: 2, columns: columns)
      for row in 0..<rows {
        for column in 0..<columns {
          let sum = 127 * Int32(inputs[2 * row]) + Int32(inputs[2 * row + 1]) + bias[column]
          let m = quantization.multipliers[column]
          let scaled = rounding == .once ? m.applyOnce(Int64(sum)) : definition(sum, m)
          let wanted = min(quantization.high, max(quantization.low, scaled + quantization.outputZeroPoint))
          if found[row * columns + column] != UInt8(truncatingIfNeeded: wanted) {
            Issue.record(
              "\(name) \(quantization.low) \(zeroPoint) \(rounding): \(sum) by \(m), seed \(random.seed)")
            return
          }
        }
      }
    }
  }

  /// That most columns have a line where there can be one, and none has where there cannot.
  @Test(arguments: KernelSet.available.map(\.name))
  func linesAreFound(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let lines = try RequantizationLines(kernels)
    var random = SeededRandom()
    var found = 0
    for _ in 0..<200 {
      var quantization = IntegerQuantization(
        inputZeroPoint: 0, inputIsSigned: false, weightZeroPoint: 0, weightsAreSigned: true,
        outputZeroPoint: -128, low: -128, high: 127,
        multipliers: [FixedPointMultiplier(Double.random(in: 0.004...0.05, using: &random))])
      func fit() -> Bool {
        lines.fit(
          RequantizedColumns(
            multipliers: quantization.multipliers[...], sums: [-40_000...90_000], quantization: quantization),
          at: 0)
      }
      found += fit() ? 1 : 0
      quantization.high = 100
      #expect(!fit(), "limited by an activation")
      quantization.high = 127
      quantization.outputZeroPoint = 0
      #expect(!fit(), "rounded otherwise below zero")
    }
    #expect(found > 180, "\(name): \(found) of 200, seed \(random.seed)")
  }

  /// The products of rows with the columns of two groups, side by side.
  private func products(
    _ product: MatrixProduct, _ a: [UInt8], rows: Int, depth: Int, columns: Int
  ) throws -> [UInt8] {
    let input = try TensorStorage(byteCount: a.count + 64)
    for (index, byte) in a.enumerated() {
      input.base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    let scratch = try GuardedScratch(product, rows: rows, threads: 1)
    let result = try Tensor(TensorType(.uint8, .vector(rows * columns))) { target in
      guard let base = target.baseAddress else { return }
      for group in 0..<2 {
        var block = MatrixProduct.Rows(
          count: rows, address: input.base, stride: depth, result: base + group * columns / 2,
          resultStride: columns)
        block.scratch = scratch.base
        product.multiply(group: group, block, threads: 1)
      }
    }.elements(of: UInt8.self)
    #expect(scratch.isIntact)
    return result
  }

  /// Every two bytes, by the definition of TFLite's addition and subtraction.
  @Test(arguments: KernelSet.available.map(\.name), [false, true])
  func sumsOfAllBytesAreExact(_ name: String, subtracts: Bool) throws {
    let kernels = try KernelSet.named(name)
    try forEachScale { isSigned, range, scales, zeros in
      let twice = 2 * max(scales[0], scales[1])
      let factors = [scales[0] / twice, scales[1] / twice, twice / (Double(1 << 20) * scales[2])]
        .map { FixedPointMultiplier($0) }
      let add = try QuantizedAdd(
        zeroPoints: (zeros[0], zeros[1]), leftShift: 20, multiplierA: factors[0], multiplierB: factors[1],
        multiplierResult: factors[2], outputZeroPoint: zeros[2], range: range, isSigned: isSigned,
        subtracts: subtracts, kernels: kernels)
      return try firstDifference(of: add, isSigned, range) { a, b in
        let scaledB = definition((b - zeros[1]) << 20, factors[1])
        let sum = definition((a - zeros[0]) << 20, factors[0]) + (subtracts ? -scaledB : scaledB)
        return definition(sum, factors[2]) + zeros[2]
      }
    }
  }

  /// Every two bytes, by the definition of TFLite's multiplication.
  @Test(arguments: KernelSet.available.map(\.name), [0, 3])
  func productsOfAllBytesAreExact(_ name: String, leastResult: Int32) throws {
    let kernels = try KernelSet.named(name)
    try forEachScale { isSigned, whole, scales, zeros in
      let factor = FixedPointMultiplier(scales[0] * scales[1] / scales[2])
      let range = leastResult == 0 ? whole : leastResult...whole.upperBound
      let multiply = try #require(
        try QuantizedMultiply(
          zeroPoints: (zeros[0], zeros[1]), multiplier: factor, outputZeroPoint: zeros[2], range: range,
          isSigned: isSigned, kernels: kernels))
      return try firstDifference(of: multiply, isSigned, range) { a, b in
        definition((a - zeros[0]) * (b - zeros[1]), factor) + zeros[2]
      }
    }
  }

  /// Gives `body` random scales and zero points of two operands and a result, in both types of bytes.
  /// - Parameter body: returns where a result was wrong.
  private func forEachScale(
    _ body: (_ isSigned: Bool, ClosedRange<Int32>, _ scales: [Double], _ zeroPoints: [Int32]) throws -> Int?
  ) throws {
    var random = SeededRandom()
    for isSigned in [true, false] {
      let range: ClosedRange<Int32> = isSigned ? -128...127 : 0...255
      for _ in 0..<4 {
        let scales = (0..<3).map { _ in Double.random(in: 0.02...0.1, using: &random) }
        let zeros = (0..<3).map { _ in Int32.random(in: range, using: &random) }
        let wrong = try body(isSigned, range, scales, zeros)
        #expect(wrong == nil, "signed \(isSigned), \(scales), \(zeros), seed \(random.seed)")
      }
    }
  }

  /// The first pair of bytes, as 256 times the first more by the second, of which something else is made than defined.
  private func firstDifference(
    of pairs: some QuantizedPairs, _ isSigned: Bool, _ range: ClosedRange<Int32>,
    _ defined: (Int32, Int32) -> Int32
  ) throws -> Int? {
    let storage = try TensorStorage(byteCount: (3 << 16) + 64)
    let (a, b, c) = (storage.base, storage.base + (1 << 16), storage.base + (2 << 16))
    for index in 0..<(1 << 16) {
      a.storeBytes(of: UInt8(index >> 8), toByteOffset: index, as: UInt8.self)
      b.storeBytes(of: UInt8(index & 255), toByteOffset: index, as: UInt8.self)
    }
    pairs.run(a, b, into: c, count: 1 << 16)
    func value(_ byte: Int) -> Int32 { isSigned ? Int32(Int8(truncatingIfNeeded: byte)) : Int32(byte) }
    return (0..<(1 << 16)).first { index in
      let wanted = min(
        range.upperBound, max(range.lowerBound, defined(value(index >> 8), value(index & 255))))
      return c.load(fromByteOffset: index, as: UInt8.self) != UInt8(truncatingIfNeeded: wanted)
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
