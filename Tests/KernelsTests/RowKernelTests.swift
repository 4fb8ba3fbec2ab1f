import Kernels
import TestSupport
import Testing

import func Foundation.exp

/// Kernels that work on rows against the same in double precision, for every width and every instruction set.
@Suite struct RowKernelTests {
  private static let sets = KernelSet.available.map(\.name)
  private static let widths = Array(0...67) + [384, 768, 1000, 1152]

  @Test(arguments: sets)
  func softmax(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for width in Self.widths {
      for beta: Float in [1, 0.3] {
        let x = random.floats(3 * width, -30...30)
        let found = rows(x) { kernels.float.softmax($0, $1, 3, width, beta) }
        for row in 0..<3 where width > 0 {
          let numbers = x[row * width..<(row + 1) * width].map { Double($0) * Double(beta) }
          let powers = numbers.map { exp($0 - (numbers.max() ?? 0)) }
          let sum = powers.reduce(0, +)
          // The differences from the greatest number are rounded, so the least powers are the least exact.
          let isClose = powers.enumerated().allSatisfy { column, power in
            abs(Double(found[row * width + column]) - power / sum) <= 3e-6 * power / sum + 1e-38
          }
          #expect(isClose, "width \(width) seed \(random.seed)")
        }
      }
    }
  }

  @Test(arguments: sets)
  func softmaxOfSpecialNumbers(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let x: [Float] = [0, -.infinity, -.infinity, 0, 1e30, -1e30, 1e30, 0, .nan, 0, 0, 0]
    let found = rows(x) { kernels.float.softmax($0, $1, 3, 4, 1) }
    #expect(Array(found[..<8]) == [0.5, 0, 0, 0.5, 0.5, 0, 0.5, 0])
    #expect(found[8...].allSatisfy { $0.isNaN })
  }

  /// Within 10⁻⁶ of the row's greatest result, also where the mean is far from zero.
  @Test(arguments: sets, [0, 1, 1000] as [Float])
  func layerNormalization(_ name: String, _ centre: Float) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for width in Self.widths {
      let x = random.floats(2 * width, (centre - 1)...(centre + 1))
      let (scale, offset) = (random.floats(width), random.floats(width))
      let found = scale.withUnsafeBytes { scale in
        offset.withUnsafeBytes { offset in
          rows(x) { source, target in
            guard let scale = scale.baseAddress, let offset = offset.baseAddress else { return }
            kernels.float.normalizeLayer(source, target, scale, offset, 2, width, 1e-5)
          }
        }
      }
      for row in 0..<2 {
        let numbers = x[row * width..<(row + 1) * width].map(Double.init)
        let mean = numbers.reduce(0, +) / Double(width)
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(width)
        let isClose = numbers.enumerated().allSatisfy { column, number in
          let normal = (number - mean) / (variance + 1e-5).squareRoot()
          let wanted = normal * Double(scale[column]) + Double(offset[column])
          return abs(Double(found[row * width + column]) - wanted) <= 1e-6
        }
        #expect(isClose, "width \(width) seed \(random.seed)")
      }
    }
  }

  @Test(arguments: sets)
  func meanOfRows(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for width in Self.widths {
      for count in [0, 1, 31, 32, 33, 100] {
        let x = random.floats(count * width)
        let found = rows(x, count: width) { kernels.float.meanOfRows($0, $1, 4 * width, count, width) }
        let isClose = found.enumerated().allSatisfy { column, mean in
          let sum = (0..<count).reduce(0.0) { $0 + Double(x[$1 * width + column]) }
          return abs(Double(mean) - sum / Double(max(count, 1))) <= 2e-7
        }
        #expect(isClose, "\(count) rows of \(width) seed \(random.seed)")
      }
    }
  }

  /// Every float16 and bfloat16 keeps its value.
  @Test(arguments: sets)
  func widening(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let patterns = (0...UInt16.max).map { $0 }
    let halves = rows(patterns) { kernels.float.widenFloat16($0, $1, patterns.count) }
    let brains = rows(patterns) { kernels.float.widenBFloat16($0, $1, patterns.count) }
    for (index, pattern) in patterns.enumerated() {
      let half = Float(Float16(bitPattern: pattern))
      let isRight = halves[index].bitPattern == half.bitPattern || halves[index].isNaN && half.isNaN
      if !isRight || brains[index].bitPattern != UInt32(pattern) << 16 {
        Issue.record("\(pattern) is \(halves[index]) and \(brains[index])")
      }
    }
    for count in 0...67 {
      let some = Array(patterns[15_000..<15_000 + count])
      #expect(
        rows(some) { kernels.float.widenFloat16($0, $1, count) } == Array(halves[15_000..<15_000 + count]))
      #expect(
        rows(some) { kernels.float.widenBFloat16($0, $1, count) } == Array(brains[15_000..<15_000 + count]))
    }
  }

  /// The numbers that `body` makes, both memories 4 bytes past an aligned address.
  private func rows<Element: BitwiseCopyable>(
    _ x: [Element], count: Int? = nil, _ body: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  ) -> [Float] {
    let count = count ?? x.count
    return withUnsafeTemporaryAllocation(byteCount: 4 + x.count * MemoryLayout<Element>.size, alignment: 64) {
      source in
      withUnsafeTemporaryAllocation(byteCount: 8 + 4 * count, alignment: 64) { target in
        let operand = UnsafeMutableRawBufferPointer(rebasing: source[4...])
        let result = UnsafeMutableRawBufferPointer(rebasing: target[4...])
        x.withUnsafeBytes { operand.copyMemory(from: $0) }
        result.storeBytes(of: -7, toByteOffset: 4 * count, as: Float.self)
        guard let from = operand.baseAddress, let to = result.baseAddress else { return [] }
        body(UnsafeRawPointer(from), to)
        #expect(result.load(fromByteOffset: 4 * count, as: Float.self) == -7, "written past the end")
        return (0..<count).map { result.load(fromByteOffset: 4 * $0, as: Float.self) }
      }
    }
  }
}
