import Graph
import Kernels
import TensorCore

/// How fast the cores that this process may use multiply and add, all together: the rate of one is measured, not looked
/// up, and taken times their number.
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

  /// The rates of the kernels in use, measured once.
  static let measured = measure(.best)

  /// Takes about a fiftieth of a second.
  private static func measure(_ kernels: KernelSet) -> ArithmeticRates {
    let (float, integer, bfloat16) = (kernels.float, kernels.integer, kernels.bfloat16)
    let cores = min(
      Double(min(ThreadPool.shared.size, ProcessorCores.allowed)), HostLimits.processorTime ?? .infinity)
    return ArithmeticRates(
      float32: cores * rate(float.operationsPerStep) { float.repeatProducts($0).isZero },
      bfloat16: bfloat16.hasProducts
        ? cores * rate(bfloat16.operationsPerStep) { bfloat16.repeatProducts($0).isZero } : nil,
      int8: cores * rate(integer.operationsPerStep) { integer.repeatProducts($0) == 0 })
  }

  /// The rate of one core.
  /// - Parameter loop: runs so many steps; what it returns keeps the compiler from leaving it out.
  private static func rate(_ operationsPerStep: Int, _ loop: (Int) -> Bool) -> Double {
    var isZero = false
    func time(_ steps: Int) -> Double {
      ContinuousClock().measure { isZero = loop(steps) != isZero } / .seconds(1)
    }
    // So short that the system seldom gives the core to another thread meanwhile, and the shortest of many: others use
    // the processor too.
    var steps = 1000
    while steps < 1 << 24, time(steps) < 0.000_2 { steps *= 2 }
    let seconds = (0..<25).map { _ in time(steps) }.min() ?? .infinity
    return Double(operationsPerStep) * Double(steps) / seconds / 1e9
  }
}
