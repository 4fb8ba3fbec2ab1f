import CIntrinsics
import Kernels
import TestSupport
import Testing

/// The element-wise kernels of every instruction set: every length and address, and special numbers.
@Suite struct VectorFunctionTests {
  /// A result depends on its argument alone: not on where in memory it is, nor on how many follow.
  @Test(arguments: KernelSet.available.map(\.name), VectorFunctionCase.all)
  func tailsAndAddressesDoNotMatter(_ name: String, _ test: VectorFunctionCase) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    let x = random.floats(128, -12...12)
    let wanted = kernels.map(test.function, x).map(\.bitPattern)
    for count in 0...67 {
      for shift in 0...5 {
        let found = Self.mapped(kernels, test.function, x, count: count, shift: shift)
        let isRight = found.result == Array(wanted[..<count]) && found.isUntouchedBehind
        #expect(isRight, "count \(count), shift \(shift), seed \(random.seed)")
      }
    }
  }

  /// Maps the first `count` numbers in place, `shift` bytes past an aligned address.
  private static func mapped(
    _ kernels: KernelSet, _ function: Int32, _ x: [Float], count: Int, shift: Int
  ) -> (result: [UInt32], isUntouchedBehind: Bool) {
    withUnsafeTemporaryAllocation(byteCount: 4 * count + shift + 64, alignment: 64) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
      let address = UnsafeMutableRawBufferPointer(rebasing: memory[shift...])
      for index in 0..<count { address.storeBytes(of: x[index], toByteOffset: 4 * index, as: Float.self) }
      guard let base = address.baseAddress else { return ([], false) }
      kernels.float.map(function, base, base, count)
      let result = (0..<count).map { address.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
      return (result, address[(4 * count)...].allSatisfy { $0 == 0xA5 })
    }
  }

  @Test(arguments: KernelSet.available.map(\.name))
  func specialNumbers(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let tiny = Float.leastNonzeroMagnitude
    let greatest = Float.greatestFiniteMagnitude
    let x: [Float] = [.infinity, -.infinity, greatest, -greatest, 0, -0.0, tiny, -tiny]
    let wanted: [Int32: [Float]] = [
      APUS_EXP: [.infinity, 0, .infinity, 0, 1, 1, 1, 1],
      APUS_SIGMOID: [1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5],
      APUS_TANH: [1, -1, 1, -1, 0, 0, tiny, -tiny],
      APUS_GELU_EXACT: [.infinity, 0, greatest, 0, 0, 0, tiny, 0],
      APUS_GELU_TANH: [.infinity, 0, greatest, 0, 0, 0, 0, 0],
      APUS_GELU_SIGMOID: [.infinity, 0, greatest, 0, 0, 0, 0, 0],
    ]
    for (function, results) in wanted {
      #expect(kernels.map(function, x) == results, "\(name), function \(function)")
      #expect(kernels.map(function, [.nan, 1, -.nan]).map(\.isNaN) == [true, false, true])
    }
    #expect(kernels.map(APUS_TANH, [-0.0])[0].sign == .minus)
  }

  /// The whole range of results, the subnormal ones among them.
  @Test(arguments: KernelSet.available.map(\.name))
  func exponentialsEndGradually(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let found = kernels.map(APUS_EXP, [88.72283, 88.72284, -87.4, -103.97, -103.98])
    #expect(found[0].isFinite && found[1] == .infinity)
    #expect(found[2].isSubnormal && found[3] == .leastNonzeroMagnitude && found[4] == 0)
  }
}
