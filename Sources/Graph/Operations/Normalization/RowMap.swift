import Kernels
import TensorCore

/// Operations on each row along the last axis that the vector kernels do.
enum RowMap {
  /// - Parameters:
  ///   - nanoseconds: about what a row takes.
  ///   - family: of the kernels.
  ///   - elementSize: bytes of an element of operand 0 and of the result.
  ///   - body: makes so many rows of as many of operand 0.
  static func lowering(
    _ kernel: String, _ layout: LastAxis, nanoseconds: Int, _ kernels: KernelSet,
    _ family: NumericFamily = .float, elementSize: Int = 4,
    _ body: @escaping @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, _ rows: Int) -> Void
  ) -> Lowering {
    Lowering("\(kernel) \(kernels.choice[family])") { arguments in
      guard let source = arguments.inputAddress(0) else { return }
      let target = arguments.outputAddress(0)
      ThreadPool.shared.parallel(
        count: layout.rows, nanosecondsPerItem: nanoseconds, threads: arguments.threads
      ) { rows, _ in
        let start = elementSize * layout.length * rows.lowerBound
        body(source + start, target + start, rows.count)
      }
    }
  }
}
