/// The kernels of one instruction set.
package struct KernelSet: Sendable {
  package let name: String
  package static let best = KernelSet(name: "baseline")
}
