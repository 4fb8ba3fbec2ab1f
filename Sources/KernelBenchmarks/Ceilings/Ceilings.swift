import Kernels
import TensorCore

/// What one core can do at most: measured, not looked up.
package struct Ceilings: Sendable {
  /// Additions and multiplications per nanosecond, that is in units of 10⁹ a second, with the products of each row of
  /// the family that multiplies such numbers.
  package let operations: [Arithmetic: [InstructionSet: Double]]
  /// Bytes read per nanosecond, that is GB/s, from as many bytes; ascending.
  package let bandwidth: [(byteCount: Int, gigabytes: Double)]

  package init(
    operations: [Arithmetic: [InstructionSet: Double]], bandwidth: [(byteCount: Int, gigabytes: Double)]
  ) {
    self.operations = operations
    self.bandwidth = bandwidth
  }

  /// The rates of the rows of a family, the slowest instructions first.
  package func rows(of arithmetic: Arithmetic) -> [(set: InstructionSet, rate: Double)] {
    InstructionSet.allCases.compactMap { set in operations[arithmetic]?[set].map { (set, $0) } }
  }

  /// The rate of the row that Apus picks; nil where it has no such products.
  package func picked(_ arithmetic: Arithmetic) -> Double? {
    operations[arithmetic]?[KernelSet.best.choice[arithmetic.family]]
  }

  /// The greatest rate of a work: of arithmetic, or of what can be moved in time for it, whichever is less. Source:
  /// Williams, Waterman and Patterson 2009, "Roofline".
  /// - Parameters:
  ///   - set: whose instructions multiply; nil for any.
  ///   - movement: the least nanoseconds in which threads can move the bytes; nil where arithmetic takes longer.
  package func rate(
    of work: KernelWork, with set: InstructionSet?, threads: Int = 1, movement: Double?
  ) -> Double {
    work.rate(nanoseconds: max(arithmetic(of: work, with: set) / Double(threads), movement ?? 0))
  }

  /// Whether moving the bytes may take longer than the arithmetic of the fastest kernels.
  func mayBeBoundByMovement(_ work: KernelWork) -> Bool {
    // Threads and caches between the measured sizes make a difference of less than that.
    2 * Double(work.byteCount) / bandwidth(for: work.byteCount) > arithmetic(of: work, with: nil)
  }

  /// The least nanoseconds of the operations on one core.
  private func arithmetic(of work: KernelWork, with set: InstructionSet?) -> Double {
    guard case .operations(let count, let arithmetic) = work.kind, let rates = operations[arithmetic] else {
      return 0
    }
    return count / (set.flatMap { rates[$0] } ?? rates.values.max() ?? .infinity)
  }

  /// GB/s of reading so many bytes again and again.
  private func bandwidth(for byteCount: Int) -> Double {
    (bandwidth.first { $0.byteCount >= byteCount } ?? bandwidth.last)?.gigabytes ?? .infinity
  }
}

extension Ceilings {
  /// Sizes for the caches of today's cores, and one that none holds.
  static let byteCounts = [16 << 10, 256 << 10, 4 << 20, 16 << 20, 256 << 20]

  /// The ceilings of this processor's core. Takes about two seconds.
  /// - Throws: ``ApusError`` of kind `resources`.
  package static func measure() throws(ApusError) -> Ceilings {
    var operations: [Arithmetic: [InstructionSet: Double]] = [:]
    for arithmetic in Arithmetic.allCases {
      for row in try FamilyRow.rows(of: arithmetic.family) {
        operations[arithmetic, default: [:]][row.set] = rate(of: arithmetic, row.kernels)
      }
    }
    var bandwidth: [(byteCount: Int, gigabytes: Double)] = []
    for byteCount in byteCounts {
      let reading = try MovementLoops(KernelWork(.movement, byteCount: byteCount), threads: 1)
      var sampler = Sampler()
      sampler.secondsEach = 0.05
      let nanoseconds = reading.leastNanoseconds(try sampler.measure(reading.bodies))
      bandwidth.append((byteCount, Double(byteCount) / nanoseconds))
    }
    return Ceilings(operations: operations, bandwidth: bandwidth)
  }

  private static func rate(of arithmetic: Arithmetic, _ kernels: KernelSet) -> Double {
    let (float, integer, bfloat16) = (kernels.float, kernels.integer, kernels.bfloat16)
    return switch arithmetic {
    case .float32: rate(float.operationsPerStep) { float.repeatProducts($0).isZero }
    case .bfloat16: rate(bfloat16.operationsPerStep) { bfloat16.repeatProducts($0).isZero }
    case .int8: rate(integer.operationsPerStep) { integer.repeatProducts($0) == 0 }
    }
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
}
