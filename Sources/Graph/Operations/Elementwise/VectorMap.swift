import Kernels
import TensorCore

/// Operations on each element that the vector kernels do.
enum VectorMap {
  /// Elements that are handed out together.
  private static let block = 1024

  /// A function of float32 numbers.
  /// - Parameter function: a number of `KernelArguments.h`, such as `APUS_TANH`.
  static func lowering(_ kernel: String, _ function: Int32, _ kernels: KernelSet) -> Lowering {
    let map = kernels.float.map
    return lowering(kernel, operandBytes: 4, kernels) { map(function, $0, $1, $2) }
  }

  /// - Parameter body: makes so many numbers of `resultBytes` each of as many operands, of `operandBytes` each.
  static func lowering(
    _ kernel: String, operandBytes: Int, resultBytes: Int = 4, family: NumericFamily = .float,
    _ kernels: KernelSet,
    _ body: @escaping @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
  ) -> Lowering {
    // A vector takes about two and a half nanoseconds, whatever its width.
    let nanoseconds = 5 * block / (2 * kernels.float.lanes)
    return Lowering("\(kernel) \(kernels.choice[family])") { arguments in
      guard let source = arguments.inputAddress(0) else { return }
      let target = arguments.outputAddress(0)
      let count = arguments.output(0, as: Float.self).count
      ThreadPool.shared.parallel(
        count: count / block + 1, nanosecondsPerItem: nanoseconds, threads: arguments.threads
      ) { range, _ in
        let start = range.lowerBound * block
        let end = min(range.upperBound * block, count)
        body(source + operandBytes * start, target + resultBytes * start, end - start)
      }
    }
  }
}
