import Kernels

/// How a graph is made ready to run.
package struct CompileOptions: Sendable {
  /// The kernels to use.
  package var kernels: KernelSet = .best
  /// Threads that one run may use, at most the pool's size.
  package var threads: Int = HostLimits.threads

  package init() {}
}
