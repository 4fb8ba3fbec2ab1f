import Graph
import Kernels
import TensorCore

/// How fast the threads that this process may use multiply and add, all together: measured, not looked up.
///
/// These are the kernels' own instructions on operands in registers, which is what no model goes beyond; large products
/// of matrices come near. In units of 10⁹ operations a second, additions and multiplications counted each.
public struct ArithmeticRates: Sendable, Hashable, Codable {
  /// Of float32.
  public let float32: Double
  /// Of bfloat16; nil where the processor has no such products.
  public let bfloat16: Double?
  /// Of 8-bit integers.
  public let int8: Double

  /// The rate in a precision; nil where it is not available.
  public subscript(precision: Precision) -> Double? {
    switch precision {
    case .float32: float32
    case .bfloat16: bfloat16
    case .int8: int8
    }
  }

  /// What the kernels in use do, measured once.
  static let measured = measure(.best)

  /// Takes about a fiftieth of a second.
  private static func measure(_ kernels: KernelSet) -> ArithmeticRates {
    let (float, integer, bfloat16) = (kernels.float, kernels.integer, kernels.bfloat16)
    return ArithmeticRates(
      float32: rate(float.operationsPerStep) { float.repeatProducts($0).isZero },
      bfloat16: bfloat16.hasProducts
        ? rate(bfloat16.operationsPerStep) { bfloat16.repeatProducts($0).isZero } : nil,
      int8: rate(integer.operationsPerStep) { integer.repeatProducts($0) == 0 })
  }

  /// - Parameter loop: runs so many steps; what it returns keeps the compiler from leaving it out.
  private static func rate(_ operationsPerStep: Int, _ loop: (Int) -> Bool) -> Double {
    let pool = ThreadPool.shared
    // As many steps as take one thread about 0.2 ms.
    var steps = 1000
    while steps < 1 << 24, time({ _ = loop(steps) }) < 0.000_2 { steps *= 2 }
    // Each thread takes several turns, so that one that came late takes fewer.
    let turns = min(64, pool.size * 4)
    // The shortest time: others use the processors too.
    let seconds =
      (0..<5).map { _ in
        time {
          pool.parallel(count: turns, grain: 1, threads: pool.size) { range, _ in
            for _ in range { _ = loop(steps) }
          }
        }
      }.min() ?? .infinity
    let processors = min(1, (HostLimits.processorTime ?? .infinity) / Double(pool.size))
    return Double(operationsPerStep) * Double(steps) * Double(turns) / seconds / 1e9 * processors
  }

  private static func time(_ body: () -> Void) -> Double { ContinuousClock().measure(body) / .seconds(1) }
}
