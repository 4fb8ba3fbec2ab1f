import Kernels

/// What one core can do at most with the instructions of a kernel set: measured, not looked up.
package struct Ceilings: Sendable {
  /// Additions and multiplications per nanosecond, that is in units of 10⁹ a second.
  package let operations: [Arithmetic: Double]
  /// Bytes read per nanosecond, that is GB/s, from as many bytes; ascending.
  package let bandwidth: [(byteCount: Int, gigabytes: Double)]

  package init(operations: [Arithmetic: Double], bandwidth: [(byteCount: Int, gigabytes: Double)]) {
    self.operations = operations
    self.bandwidth = bandwidth
  }

  /// The greatest rate of a work of that intensity: of arithmetic, or what can be read in time for it, whichever
  /// is less. Source: Williams, Waterman and Patterson 2009, "Roofline".
  package func rate(of work: KernelWork) -> Double {
    switch work.kind {
    case .operations(let count, let arithmetic):
      min(
        operations[arithmetic] ?? .infinity, count / Double(work.byteCount) * bandwidth(for: work.byteCount))
    case .movement: bandwidth(for: work.byteCount)
    }
  }

  /// GB/s of reading so many bytes again and again.
  package func bandwidth(for byteCount: Int) -> Double {
    (bandwidth.first { $0.byteCount >= byteCount } ?? bandwidth.last)?.gigabytes ?? .infinity
  }
}

extension Ceilings {
  /// Sizes for the caches of today's cores, and one that none holds.
  static let byteCounts = [16 << 10, 256 << 10, 4 << 20, 16 << 20, 256 << 20]

  /// Takes about a second.
  package static func measure(_ kernels: KernelSet) -> Ceilings {
    let (float, integer, bfloat16) = (kernels.float, kernels.integer, kernels.bfloat16)
    var operations: [Arithmetic: Double] = [:]
    operations[.float32] = rate(float.operationsPerStep) { float.repeatProducts($0).isZero }
    // Without such instructions products are made of float32's.
    operations[.bfloat16] =
      bfloat16.hasProducts
      ? rate(bfloat16.operationsPerStep) { bfloat16.repeatProducts($0).isZero } : operations[.float32]
    operations[.int8] = rate(integer.operationsPerStep) { integer.repeatProducts($0) == 0 }
    return Ceilings(operations: operations, bandwidth: bandwidth(float.readBytes))
  }

  /// - Parameter loop: runs so many steps; what it returns keeps the compiler from leaving it out.
  private static func rate(_ operationsPerStep: Int, _ loop: @escaping (Int) -> Bool) -> Double {
    let steps = 100_000
    var sampler = Sampler()
    sampler.secondsEach = 0.1
    var isZero = false
    let samples = sampler.measure([{ (count: Int) in for _ in 0..<count { isZero = loop(steps) != isZero } }])
    return samples[0].map { Double(operationsPerStep) * Double(steps) / $0.minimum } ?? 0
  }

  private static func bandwidth(
    _ read: @escaping (UnsafeRawPointer, Int) -> Int32
  ) -> [(byteCount: Int, gigabytes: Double)] {
    var sampler = Sampler()
    sampler.secondsEach = 0.1
    return byteCounts.compactMap { byteCount in
      // Written first: pages never touched are all one page.
      let bytes = [UInt8](repeating: 1, count: byteCount)
      return bytes.withUnsafeBytes { buffer in
        guard let address = buffer.baseAddress else { return nil }
        var sum: Int32 = 0
        let samples = sampler.measure([
          { (count: Int) in for _ in 0..<count { sum |= read(address, byteCount) } }
        ])
        return samples[0].map { (byteCount, Double(byteCount) / $0.minimum) }
      }
    }
  }
}
