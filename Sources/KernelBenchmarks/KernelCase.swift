import Kernels
import TensorCore

/// A kernel at a shape, and the ways in which it can be computed.
package struct KernelCase: Sendable {
  package let family: KernelFamily
  /// `197x768x3072`, and what else tells it from others: `bf16`, `stride 2`.
  package let shape: String
  package let detail: String
  package let work: KernelWork
  /// Threads that share an execution.
  package var threads = 1
  /// Makes the operands and everything that is prepared once.
  package let variants: @Sendable () throws(ApusError) -> [KernelVariant]

  /// `gemm 197x768x3072 bf16`, by which `--filter` finds it.
  package var name: String {
    [family.rawValue, shape, detail].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// One way to compute a case.
package struct KernelVariant {
  /// The row of the family of kernels, or the library.
  package let name: String
  /// Whose instructions it is computed with; nil where it may be any that the processor has.
  package let set: InstructionSet?
  /// Whether Apus would compute it this way here.
  package let isPicked: Bool
  /// Executes it so many times.
  package let run: (_ count: Int) throws(ApusError) -> Void
}
